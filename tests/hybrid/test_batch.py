"""Many states at once: against closed forms of wheel, ball and pendulum, and against scipy."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk
from tests.hybrid.wheel import PULL, WHEEL, after_impact, rolling

from footfall.hybrid import (
    FALLING,
    RISING,
    Guard,
    HybridMode,
    HybridSystem,
    NoReturn,
    SectionMap,
    Transition,
    batch_derivative,
    batch_step,
    find_fixed_point,
    follow_branch,
)
from footfall.hybrid.batch import with_parameter
from footfall.hybrid.branch import BranchOptions
from footfall.textbook.rimless_wheel import RimlessWheel


def bouncing(e=0.8, g=9.81):
    bounce = Guard(
        "bounce",
        lambda _t, x: x[0],
        FALLING,
        lambda _t, x: Transition("air", np.array([x[0], -e * x[1]])),
    )
    top = Guard("top", lambda _t, x: x[1], FALLING, lambda _t, x: Transition("air", x))
    air = HybridMode("air", lambda _t, x: np.array([x[1], -g + 0.0 * x[0]]), (bounce, top))
    return HybridSystem({"air": air}, ("height", "speed"))


def swinging(direction):
    zero = Guard("zero", lambda _t, x: x[0], direction, lambda _t, x: Transition("swing", x))
    swing = HybridMode("swing", lambda _t, x: np.array([x[1], -np.sin(x[0])]), (zero,))
    return HybridSystem({"swing": swing}, ("angle", "rate"))


def test_a_step_of_the_wheel_is_its_closed_form():
    omega = np.linspace(1.5, 6.0, 40)
    passage = batch_step(rolling(), "roll", after_impact(omega), "strike", 5.0, 0.01)
    assert passage.arrived.all()
    # 8th order: (0.01 s / time scale 0.3 s)^8 is below rounding, which a step's ~50 sums carry
    expected = [WHEEL.eta * WHEEL.before_impact(each) for each in omega]
    np.testing.assert_allclose(passage.x[1], expected, rtol=1e-13)
    # the closed form's quadrature is good to 1e-12
    np.testing.assert_allclose(passage.time, [WHEEL.step_time(w) for w in omega], rtol=1e-11)
    np.testing.assert_allclose(passage.x[0], -WHEEL.alpha, rtol=1e-14)


def test_members_that_fall_back_or_run_out_of_time_do_not_arrive():
    x0 = after_impact(np.array([0.3, 3.0, 3.0]))
    passage = batch_step(rolling(), "roll", x0, "strike", 5.0, 0.01)
    assert passage.arrived.tolist() == [False, True, True]
    # thrown back with the rate it began with: energy, which the code does not use
    np.testing.assert_allclose(passage.x[:, 0], [x0[0, 0], -0.3], rtol=1e-13)
    passage = batch_step(rolling(), "roll", x0, "strike", 0.105, 0.01)
    assert not passage.arrived.any()
    np.testing.assert_allclose(passage.time, 0.105, rtol=1e-15)


def test_events_on_the_way_to_the_one_asked_for():
    # dropped from h: bounce at sqrt(2 h / g), then the top after e sqrt(2 g h) / g
    h, e, g = np.linspace(0.5, 2.0, 7), 0.8, 9.81
    x0 = np.array([h, -0.001 * h])
    passage = batch_step(bouncing(e, g), "air", x0, "top", 10.0, 0.05)
    fall = np.sqrt(x0[1] ** 2 + 2.0 * g * h)
    np.testing.assert_allclose(passage.time, (x0[1] + fall) / g + e * fall / g, rtol=1e-14)
    np.testing.assert_allclose(passage.x[0], (e * fall) ** 2 / (2.0 * g), rtol=1e-13)


def test_a_guard_that_is_zero_at_the_start_fires_at_its_next_crossing_even_within_the_step():
    # thrown up from the ground, back after 2 v / g = 0.02 s: inside the first step of 0.05 s
    passage = batch_step(bouncing(), "air", np.array([[0.0], [0.0981]]), "bounce", 1.0, 0.05)
    np.testing.assert_allclose(passage.time, 0.02, rtol=1e-13)


@pytest.mark.parametrize(("direction", "halves"), [(RISING, 2), (FALLING, 1)], ids=["up", "down"])
def test_a_pendulum_comes_back_in_the_time_of_the_elliptic_integral(direction, halves):
    amplitude = np.array([0.5, 1.0, 2.0])
    # zero with rounding on either side, as after a reset
    x0 = np.array([[1e-17, 0.0, -1e-17], 2.0 * np.sin(amplitude / 2.0)])
    passage = batch_step(swinging(direction), "swing", x0, "zero", 50.0, 0.02)
    half = 2.0 * ellipk(np.sin(amplitude / 2.0) ** 2)
    # (0.02)^8 is below rounding; 300 steps of it remain
    np.testing.assert_allclose(passage.time, halves * half, rtol=1e-13)


def test_the_error_is_of_order_eight():
    x0 = np.array([[0.0], [1.5]])
    exact = 2.0 * ellipk(0.75**2)
    error = [
        abs(batch_step(swinging(FALLING), "swing", x0, "zero", 50.0, step).time[0] - exact)
        for step in (0.8, 0.1)
    ]
    # in between the error changes its sign and looks smaller than it is; 3e-14 still is no rounding
    assert math.log2(error[0] / error[1]) / 3.0 == pytest.approx(8.0, abs=0.5)


def test_members_of_endless_events_and_members_that_diverge_leave_the_others_alone():
    air = bouncing().modes["air"]
    never = Guard("never", lambda _t, x: x[0] - 1.5, RISING)
    system = HybridSystem(
        {"air": HybridMode("air", air.derivative, (air.guards[0], never))}, ("height", "speed")
    )
    # the first lies still after 0.41 s; the second is thrown past 1.5 m
    x0 = np.array([[0.01, 1.0], [0.0, 5.0]])
    assert batch_step(system, "air", x0, "never", 1.0, 0.01).arrived.tolist() == [False, True]
    rise = Guard("one", lambda _t, x: x[0] - 1.0, RISING)
    system = HybridSystem({"a": HybridMode("a", lambda _t, x: np.exp(x**2), (rise,))}, ("x",))
    passage = batch_step(system, "a", np.array([[0.0, 30.0]]), "one", 5.0, 0.05)
    assert passage.arrived.tolist() == [True, False]
    # x' = exp(x^2): the time is the integral of exp(-x^2)
    np.testing.assert_allclose(passage.time[0], math.sqrt(math.pi) / 2 * math.erf(1.0), rtol=1e-10)


def test_modes_of_members_may_differ_and_agree_with_scipy():
    # a mass on a spring that is stiffer on the right: two modes, asked for at the left turn
    def side(name, other, stiffness, direction):
        through = Guard(
            "through", lambda _t, x: x[0], direction, lambda _t, x: Transition(other, x)
        )
        turn = Guard("turn", lambda _t, x: x[1], RISING, lambda _t, x: Transition(name, x))
        rate = lambda t, x: np.array([x[1], -stiffness * np.sin(x[0]) + 0.1 * np.cos(t)])  # noqa: E731
        return HybridMode(name, rate, (through, turn))

    right, left = side("right", "left", 4.0, FALLING), side("left", "right", 1.0, RISING)
    system = HybridSystem({"right": right, "left": left}, ("x", "v"))
    x0 = np.array([[0.3, 0.7, 0.1], [0.2, 0.8, 1.4]])
    passage = batch_step(system, "right", x0, "turn", 20.0, 0.01)
    for member in range(3):
        zero = lambda _t, x: x[0]  # noqa: E731
        zero.direction, zero.terminal = -1.0, True
        turn = lambda _t, x: x[1]  # noqa: E731
        turn.direction, turn.terminal = 1.0, True
        how = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15}
        one = solve_ivp(right.derivative, (0.0, 20.0), x0[:, member], events=zero, **how)
        two = solve_ivp(left.derivative, (one.t[-1], 20.0), one.y[:, -1], events=turn, **how)
        # scipy's tolerance, and its roots in dense output of order 7
        np.testing.assert_allclose(passage.time[member], two.t[-1], rtol=1e-11)
        np.testing.assert_allclose(passage.x[:, member], two.y[:, -1], atol=1e-11)


def test_members_that_arrive_stay_though_others_go_on_in_the_mode_they_arrive_in():
    # all move to 0 at unit speed; those from before -0.9 change the mode there
    def mark(to):
        return Guard("mark", lambda _t, x: x[0], RISING, lambda _t, x: Transition(to, x - 2.0))

    via = Guard("via", lambda _t, x: x[0] + 0.9, RISING, lambda _t, x: Transition("second", x))
    first = HybridMode("first", lambda _t, x: np.ones_like(x), (via, mark("second")))
    second = HybridMode("second", lambda _t, x: np.ones_like(x), (mark("first"),))
    x0 = np.linspace(-1.0, -0.8, 8)[None]
    for modes in ((first, second), (second, first)):
        system = HybridSystem({mode.name: mode for mode in modes}, ("x",))
        passage = batch_step(system, "first", x0, "mark", 5.0, 0.03)
        assert passage.arrived.all()
        np.testing.assert_allclose(passage.time, -x0[0], rtol=1e-13)
        np.testing.assert_allclose(passage.x, -2.0, rtol=1e-14)


def test_derivatives_of_the_wheel_are_those_of_its_closed_form():
    omega = np.array([0.3, 2.0, 3.0, 5.0])
    how = (rolling(), "roll", after_impact(omega), "strike", 5.0, 0.01)
    passage, D = batch_derivative(*how, np.eye(2))
    assert D.shape == (2, 2, 4)
    # the first falls back
    assert np.isnan(D[:, :, 0]).all()
    D, omega = D[:, :, 1:], omega[1:]
    # omega+' = eta sqrt(omega^2 + gain): no derivative by the angle along the section's normal here
    slope = WHEEL.eta * omega / np.sqrt(omega**2 + WHEEL.gain)
    np.testing.assert_allclose(D[1, 1], slope, rtol=1e-12)
    np.testing.assert_allclose(D[0], 0.0, atol=1e-14)  # the guard fixes the angle
    # moving the start along the motion changes nothing
    f = np.array([omega, PULL * np.sin(WHEEL.gamma - WHEEL.alpha) + 0.0 * omega])
    np.testing.assert_allclose(np.einsum("ijk,jk->ik", D, f), 0.0, atol=1e-12)
    assert not np.iscomplexobj(passage.x)


def test_derivatives_are_those_of_central_differences_through_several_events():
    x0, along = np.array([[0.4, 1.1], [0.3, -0.6]]), np.array([[1.0], [2.0]])
    how = ("top", 10.0, 0.02)
    _, D = batch_derivative(bouncing(), "air", x0, *how, along)
    width = 1e-5
    up, down = (batch_step(bouncing(), "air", x0 + s * width * along, *how).x for s in (1.0, -1.0))
    # central differences: width^2 of truncation and 1e-16 / width of rounding
    np.testing.assert_allclose(D[:, 0], (up - down) / (2 * width), atol=1e-9)


def test_many_members_are_the_same_as_one(monkeypatch):
    omega = np.linspace(0.2, 6.0, 23)
    all_ = batch_step(rolling(), "roll", after_impact(omega), "strike", 5.0, 0.02)
    monkeypatch.setattr("footfall.hybrid.batch._BLOCK", 5)
    blocks = batch_step(rolling(), "roll", after_impact(omega), "strike", 5.0, 0.02)
    np.testing.assert_array_equal(all_.arrived, blocks.arrived)
    # sums of stages may be taken in another order
    np.testing.assert_allclose(all_.x, blocks.x, rtol=1e-14, atol=1e-15)
    none = batch_step(rolling(), "roll", np.empty((2, 0)), "strike", 5.0, 0.02)
    assert none.x.shape == (2, 0)


def test_each_member_may_have_its_own_slope_and_the_derivative_by_it():
    gamma = np.array([0.1, 0.2, 0.3])
    system = with_parameter(rolling, 0.2)
    x0 = np.vstack([after_impact(np.full(3, 3.0)), gamma])
    passage, D = batch_derivative(system, "roll", x0, "strike", 5.0, 0.01, np.eye(3))
    gain = np.array([RimlessWheel(1.0, 0.1, 1.0, 8, each).gain for each in gamma])
    np.testing.assert_allclose(passage.x[1], WHEEL.eta * np.sqrt(9.0 + gain), rtol=1e-13)
    np.testing.assert_array_equal(passage.x[2], gamma)
    expected = WHEEL.eta * gain / np.tan(gamma) / (2.0 * np.sqrt(9.0 + gain))
    np.testing.assert_allclose(D[1, 2], expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mode": "fly"}, "no mode 'fly'"),
        ({"guard": "land"}, "no guard 'land'"),
        ({"step": 0.0}, "must be positive"),
        ({"most_time": -1.0}, "must be positive"),
        ({"x0": np.zeros(2)}, "states must be of shape"),
    ],
)
def test_nonsense_is_refused(change, message):
    asked = {"mode": "roll", "x0": np.zeros((2, 1)), "guard": "strike", "most_time": 1.0}
    with pytest.raises(ValueError, match=message):
        batch_step(rolling(), **({"step": 0.01} | asked | change))


# --- return maps ---------------------------------------------------------------------------------


def after_strike(y):
    return after_impact(y[0])


HOW = (rolling, "roll", "strike", after_strike, lambda x: x[1:], 5.0)
MAP = SectionMap(*HOW, 0.01)


def test_the_return_map_of_the_wheel_and_its_derivatives_are_its_closed_form():
    y, slope = np.array([[2.0, 3.0, 5.0]]), WHEEL.gamma
    many = MAP.linearised(y, slope)
    before = np.sqrt(y[0] ** 2 + WHEEL.gain)
    np.testing.assert_allclose(many.value[0], WHEEL.eta * before, rtol=1e-13)
    np.testing.assert_allclose(many.D[0, 0], WHEEL.eta * y[0] / before, rtol=1e-12)
    # gain = 4 m g l sin(gamma) sin(alpha) / inertia
    by_slope = WHEEL.eta * WHEEL.gain / math.tan(slope) / (2.0 * before)
    np.testing.assert_allclose(many.D_p[0], by_slope, rtol=1e-12)


@pytest.mark.slow
def test_the_steady_roll_is_followed_over_the_slope_until_the_wheel_stops():
    def wheel(gamma):
        return RimlessWheel(m=1.0, J=0.1, l=1.0, n=8, gamma=gamma)

    coarse = SectionMap(*HOW, 0.04)  # still good to 1e-10
    start = find_fixed_point(coarse, [1.8], 0.12)
    assert start.orbit[0, 0] == pytest.approx(wheel(0.12).eta * wheel(0.12).fixed_point, rel=1e-10)
    branch = follow_branch(coarse, start, 0.05, BranchOptions(shortest=1e-4))
    assert "no 'strike'" in branch.stop
    # where the spoke just gets over the vertical the closed form has no roll beneath
    last = branch.points[-1].p
    wheel(last).fixed_point  # noqa: B018 (it is there)
    with pytest.raises(ValueError, match="does not roll on"):
        wheel(last - 1e-4).fixed_point  # noqa: B018
    # eta^2 at every slope; the last spokes nearly stand, which multiplies what rounding there is
    for at in branch.points:
        assert at.multipliers == pytest.approx([WHEEL.eta**2], rel=1e-8)


@pytest.mark.parametrize("most_time", [5.0, 0.1], ids=["falls back", "out of time"])
def test_points_that_do_not_return_are_told(most_time):
    with pytest.raises(NoReturn, match=r"no 'strike' after \d.* s"):
        SectionMap(*HOW[:-1], most_time, 0.01).linearised(np.array([[2.0, 0.2]]), WHEEL.gamma)
