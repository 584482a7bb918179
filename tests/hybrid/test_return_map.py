"""Return maps against the rimless wheel and the ball on a shaken table, both in closed form."""

import math

import numpy as np
import pytest

from footfall.hybrid import (
    FALLING,
    RISING,
    Guard,
    HybridMode,
    HybridSystem,
    NoReturn,
    SectionMap,
    Transition,
    find_fixed_point,
)
from footfall.textbook.rimless_wheel import RimlessWheel

WHEEL = RimlessWheel(m=1.4, J=0.06, l=0.6, n=9, gamma=np.deg2rad(7.0), g=9.7)


def rolling(gamma):
    """The wheel on a slope gamma, which may be complex."""
    weight = WHEEL.m * WHEEL.g * WHEEL.l / WHEEL.inertia

    def roll(_, x):
        return np.array([x[1], weight * np.sin(x[0])])

    def strike(_, x):
        return Transition("roll", np.array([x[0] - 2.0 * WHEEL.alpha, WHEEL.eta * x[1]]))

    ahead = Guard("strike", lambda _, x: x[0] - gamma - WHEEL.alpha, RISING, strike)
    back = Guard("back", lambda _, x: x[0] - gamma + WHEEL.alpha, FALLING)
    return HybridSystem({"roll": HybridMode("roll", roll, (ahead, back))}, ("theta", "omega"))


def rolling_on_a_real_slope(gamma):
    return rolling(float(gamma))


def wheel_map(family=rolling, most_time=5.0):
    return SectionMap(
        family, "roll", "strike",
        embed=lambda y, gamma: np.array([gamma - WHEEL.alpha, y[0]]),
        project=lambda x, _: x[1:], most_time=most_time,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("family", "tolerance"),
    # differences of order 4 of functions of order 10, over 0.4 % of the slope
    [(rolling, 1e-11), (rolling_on_a_real_slope, 1e-10)],
)
def test_the_wheel_has_the_derivatives_of_its_closed_form(family, tolerance):
    omega = 2.2
    around = wheel_map(family).linearised(np.array([omega]), WHEEL.gamma)
    arrival = WHEEL.before_impact(omega)
    assert around.value == pytest.approx([WHEEL.eta * arrival], rel=1e-12)
    assert around.D.tolist() == [[pytest.approx(WHEEL.eta * omega / arrival, rel=1e-11)]]
    # gain = const sin(gamma)
    slope = 0.5 * WHEEL.eta / arrival * WHEEL.gain / math.tan(WHEEL.gamma)
    assert around.D_p == pytest.approx([slope], rel=tolerance)
    again = wheel_map(family).value(np.array([omega]), WHEEL.gamma)
    assert again == pytest.approx(around.value, rel=1e-12)


def test_a_passage_tells_time_and_events():
    run = wheel_map().passage(np.array([2.2]), WHEEL.gamma)
    assert run.time == pytest.approx(WHEEL.step_time(2.2), abs=1e-11)
    assert [event.guard for event in run.events] == ["strike"]


def test_what_does_not_return_is_told():
    with pytest.raises(NoReturn, match="guard 'back' ended it"):
        wheel_map().value(np.array([0.3]), WHEEL.gamma)
    with pytest.raises(NoReturn, match=r"within 0\.1 s"):
        wheel_map(most_time=0.1).linearised(np.array([2.0]), WHEEL.gamma)
    elsewhere = SectionMap(
        _one_way, "there", "arrives", lambda y, _: np.array([y[0]]), lambda x, _: x, 9.0
    )
    with pytest.raises(NoReturn, match="leads to mode 'gone', not to 'there'"):
        elsewhere.value(np.array([1.0]), 0.0)


def _one_way(_):
    def sink(_, x):
        return -1.0 + 0.0 * x

    arrives = Guard("arrives", lambda _, x: x[0], FALLING, lambda _, x: Transition("gone", x))
    modes = {"there": HybridMode("there", sink, (arrives,)), "gone": HybridMode("gone", sink, ())}
    return HybridSystem(modes, ("x",))


# A ball (restitution e) on a table z = A sin(phase), phase' = w, so that time is a component.
# With Gamma = A w^2 / g the orbit that bounces once a period has, just after the impact,
#     v = g T / 2,  cos(phase) = pi (1 - e) / (Gamma (1 + e)),  T = 2 pi / w
# and det D = e^2, trace D = 1 + e^2 - (1 + e)^2 Gamma sin(phase), so that it flips (multiplier -1)
# at Gamma^2 = (pi (1 - e) / (1 + e))^2 + (2 (1 + e^2) / (1 + e)^2)^2.
# P. J. Holmes: The dynamics of repeated impacts with a sinusoidally vibrating table, Journal of
# Sound and Vibration 84 (1982) 173-189; J. Guckenheimer, P. Holmes: Nonlinear Oscillations,
# Dynamical Systems, and Bifurcations of Vector Fields, Springer 1983, section 2.4.
G, E, W = 9.81, 0.5, 40.0
FLIP = math.hypot(math.pi * (1.0 - E) / (1.0 + E), 2.0 * (1.0 + E**2) / (1.0 + E) ** 2)


def shaken(gamma):
    A = gamma * G / W**2

    def fall(_, x):
        return np.array([x[1], -G + 0.0 * x[1], W + 0.0 * x[1]])

    def bounce(_, x):
        table = A * W * np.cos(x[2])
        after = (1.0 + E) * table - E * x[1]
        return Transition("air", np.array([x[0], after, x[2] - 2.0 * np.pi]))

    hits = Guard("hits", lambda _, x: x[0] - A * np.sin(x[2]), FALLING, bounce)
    return HybridSystem({"air": HybridMode("air", fall, (hits,))}, ("z", "v", "phase"))


def shaken_map():
    def embed(y, gamma):
        return np.array([gamma * G / W**2 * np.sin(y[1]), y[0], y[1]])

    return SectionMap(shaken, "air", "hits", embed, lambda x, _: x[1:], 3.0)


def bouncing_once_a_period(gamma):
    phase = math.acos(math.pi * (1.0 - E) / (gamma * (1.0 + E)))
    return np.array([G * math.pi / W, phase])


@pytest.mark.parametrize("gamma", [1.06, 1.2, 1.5, 1.7])
def test_a_ball_bounces_on_a_shaken_table_once_a_period(gamma):
    known = bouncing_once_a_period(gamma)
    found = find_fixed_point(shaken_map(), known * [1.001, 1.001], gamma)
    # phase: cos is flat near the fold, where errors of 1e-12 grow by 1 / sin(phase)
    assert found.orbit[0] == pytest.approx(known, abs=2e-11)
    trace = 1.0 + E**2 - (1.0 + E) ** 2 * gamma * math.sin(known[1])
    expected = np.roots([1.0, -trace, E**2])
    assert np.sort_complex(found.multipliers) == pytest.approx(np.sort_complex(expected), abs=1e-9)
    assert np.linalg.det(found.D) == pytest.approx(E**2, rel=1e-10)
    assert found.stable == (gamma < FLIP)
    # the orbit moves with gamma: d phase / d gamma = cot(phase) / gamma, by the implicit function
    moved = np.linalg.solve(np.eye(2) - found.D, found.D_p)
    assert moved == pytest.approx([0.0, 1.0 / math.tan(known[1]) / gamma], abs=1e-9)


def test_the_ball_flips_at_the_known_acceleration():
    found = find_fixed_point(shaken_map(), bouncing_once_a_period(FLIP), FLIP)
    # the larger of the multipliers -1 and -e^2; errors of the orbit, 1e-12, times 10
    assert found.multipliers[0].real == pytest.approx(-1.0, abs=1e-10)
    assert found.multipliers[1].real == pytest.approx(-(E**2), abs=1e-10)


def test_beyond_the_flip_an_orbit_of_twice_the_period_is_stable():
    gamma = 1.02 * FLIP
    once = find_fixed_point(shaken_map(), bouncing_once_a_period(gamma), gamma)
    y = once.orbit[0] * [1.0, 1.02]
    for _ in range(60):
        y = shaken_map().value(y, gamma)
    twice = find_fixed_point(shaken_map(), y, gamma, period=2)
    assert twice.stable
    assert np.abs(twice.orbit[1] - twice.orbit[0]).max() > 0.05
    # det D is e^2 times a ratio of speeds at both ends, which over a whole orbit is 1
    assert np.prod(twice.multipliers).real == pytest.approx(E**4, rel=1e-9)
