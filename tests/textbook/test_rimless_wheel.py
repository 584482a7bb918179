"""The rimless wheel against momentum, energy and an integration with events."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footfall.textbook.rimless_wheel import RimlessWheel

WHEEL = RimlessWheel(m=1.4, J=0.06, l=0.6, n=9, gamma=np.deg2rad(7.0), g=9.7)


def hub(theta, omega):
    """Place and velocity [x, z] of the hub over the foot, theta clockwise from the vertical."""
    place = WHEEL.l * np.array([np.sin(theta), np.cos(theta)])
    return place, omega * np.array([place[1], -place[0]])


def foot_ahead(theta, k):
    """Place of the end of the k-th spoke ahead, from the foot that stands."""
    centre = hub(theta, 0.0)[0]
    angle = theta - 2.0 * WHEEL.alpha * k
    return centre - WHEEL.l * np.array([np.sin(angle), np.cos(angle)])


def test_the_next_foot_lands_on_the_slope_when_the_step_ends():
    next_foot = foot_ahead(WHEEL.gamma + WHEEL.alpha, 1)
    assert next_foot[1] / next_foot[0] == pytest.approx(-np.tan(WHEEL.gamma))


def test_an_impact_keeps_the_angular_momentum_about_the_new_foot():
    omega = 2.3
    place, velocity = hub(WHEEL.gamma + WHEEL.alpha, omega)
    arm = place - foot_ahead(WHEEL.gamma + WHEEL.alpha, 1)
    # clockwise
    before = WHEEL.m * (arm[1] * velocity[0] - arm[0] * velocity[1]) + WHEEL.J * omega
    after = WHEEL.inertia * WHEEL.eta * omega
    assert after == pytest.approx(before)


def test_the_old_foot_lifts_at_an_impact():
    # the wheel turns about the new foot; the old one is 2 l sin(alpha) behind it on the slope
    back = -foot_ahead(WHEEL.gamma + WHEEL.alpha, 1)
    omega = WHEEL.eta * 2.3
    rising = omega * np.array([back[1], -back[0]])
    normal = np.array([np.sin(WHEEL.gamma), np.cos(WHEEL.gamma)])
    assert rising @ normal == pytest.approx(2.0 * WHEEL.l * np.sin(WHEEL.alpha) * omega)
    # nor could it help to stop both: with J = 0 the pushes lie along the spokes, and
    # a (s, c) + b (-s, c) = (-c, s) has a = cos(2 alpha) / sin(2 alpha) times -1
    s, c = np.sin(WHEEL.alpha), np.cos(WHEEL.alpha)
    old, _ = np.linalg.solve([[s, -s], [c, c]], [-c, s])
    assert old < 0.0


def test_a_step_gains_the_energy_of_its_descent():
    omega = 2.0
    after = WHEEL.before_impact(omega)
    drop = 2.0 * WHEEL.l * np.sin(WHEEL.alpha) * np.sin(WHEEL.gamma)
    gained = 0.5 * WHEEL.inertia * (after**2 - omega**2)
    assert gained == pytest.approx(WHEEL.m * WHEEL.g * drop)


def test_a_step_takes_as_long_as_its_integration():
    omega = 2.0

    def lands(_, state):
        return state[0] - WHEEL.gamma - WHEEL.alpha

    lands.terminal = True
    weight = WHEEL.m * WHEEL.g * WHEEL.l / WHEEL.inertia
    solved = solve_ivp(
        lambda _, s: [s[1], weight * np.sin(s[0])], (0.0, 5.0),
        [WHEEL.gamma - WHEEL.alpha, omega], events=lands, rtol=1e-11, atol=1e-12,
    )  # fmt: skip
    assert solved.t[-1] == pytest.approx(WHEEL.step_time(omega), abs=1e-9)
    assert solved.y[1, -1] == pytest.approx(WHEEL.before_impact(omega), abs=1e-9)


def test_the_steady_roll_repeats_itself_and_draws_others_in():
    steady = WHEEL.fixed_point
    assert WHEEL.before_impact(WHEEL.eta * steady) == pytest.approx(steady)
    stances = WHEEL.stances(WHEEL.eta * steady, 3)
    assert stances.rate**2 == pytest.approx([WHEEL.stance_fixed_point] * 3)
    assert np.diff(stances.time) == pytest.approx([WHEEL.step_time(WHEEL.eta * steady)] * 2)
    squared = WHEEL.stances(4.0, 6).rate ** 2 - WHEEL.stance_fixed_point
    assert squared[1:] / squared[:-1] == pytest.approx([WHEEL.eta**2] * 5)


def test_the_motion_passes_its_stances():
    stances = WHEEL.stances(3.0, 5)
    turn, rate = WHEEL.motion(3.0, stances.time)
    assert turn == pytest.approx(WHEEL.alpha * (1.0 + 2.0 * np.arange(5)), abs=1e-9)
    assert rate == pytest.approx(stances.rate, abs=1e-9)


def test_the_foot_is_pushed_as_its_hub_accelerates():
    theta, omega, step = 0.2, 2.1, 1e-5
    weight = WHEEL.m * WHEEL.g * WHEEL.l / WHEEL.inertia
    alpha = weight * np.sin(theta)
    ahead = hub(theta + omega * step, omega + alpha * step)[1]
    behind = hub(theta - omega * step, omega - alpha * step)[1]
    force = WHEEL.m * ((ahead - behind) / (2.0 * step) + np.array([0.0, WHEEL.g]))
    along, across = hub(theta, 1.0)[0] / WHEEL.l, hub(theta, 1.0)[1] / WHEEL.l
    expected = [force @ along, force @ across]
    # a difference of second order
    assert WHEEL.hub_forces(theta, omega) == pytest.approx(expected, abs=1e-6)


def test_a_wheel_that_cannot_get_over_its_spoke_has_no_steady_roll():
    flat = RimlessWheel(m=1.0, J=0.0, l=0.5, n=6, gamma=np.deg2rad(3.0))
    with pytest.raises(ValueError, match="does not roll on"):
        _ = flat.fixed_point


@pytest.mark.parametrize("change", [{"m": 0.0}, {"n": 2}, {"gamma": -0.1}])
def test_bad_parameters_are_refused(change):
    good = {"m": 1.0, "J": 0.05, "l": 0.5, "n": 8, "gamma": 0.1}
    with pytest.raises(ValueError, match=r"needed|positive"):
        RimlessWheel(**(good | change))
