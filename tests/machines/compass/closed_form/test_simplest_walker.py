"""The simplest walker: the limit of the compass, its laws, and the paper's gaits."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footfall.machines.compass.closed_form.model import Compass, CompassParameters
from footfall.machines.compass.closed_form.model import heel_strike as strike_of_compass
from footfall.machines.compass.closed_form.simplest import (
    LONG_STEP,
    SimplestWalker,
    after_strike,
    delta,
    heel_strike,
    sigma,
    to_compass,
)
from footfall.textbook.ode import integrate

# --- limit of the compass ----------------------------------------------------------------------


def _compass(ratio):
    # legs that have their mass at the feet: l = m_hip = g = 1
    return Compass(CompassParameters(1.0, ratio, 0.0, 1.0, m_hip=1.0, theta=0.02, g=1.0))


def _states(count, seed):
    rng = np.random.default_rng(seed)
    return rng.uniform(-0.6, 0.6, (4, count))


def _order(distances):
    return np.log2(distances[:-1] / distances[1:])


def test_motion_is_the_limit_of_the_compass_for_light_feet():
    y = _states(20, seed=1)
    limit = to_compass(SimplestWalker(0.02).derivative(0.0, y))
    limit[1] -= np.pi  # to_compass is for states; rates have no pi
    ratios = 2.0 ** -np.arange(10, 16)
    apart = [np.abs(_compass(r).derivative(0.0, to_compass(y)) - limit).max() for r in ratios]
    # order one: what is left of the second is r itself, 1e-3
    assert _order(np.array(apart)) == pytest.approx(np.ones(5), abs=2e-3)


def test_heel_strike_is_the_limit_of_the_compass_for_light_feet():
    y = _states(20, seed=2)
    y[1] = 2.0 * y[0]
    limit = to_compass(heel_strike(y))
    ratios = 2.0 ** -np.arange(10, 16)
    apart = [np.abs(strike_of_compass(_compass(r), to_compass(y)) - limit).max() for r in ratios]
    # as above
    assert _order(np.array(apart)) == pytest.approx(np.ones(5), abs=2e-3)


# --- laws --------------------------------------------------------------------------------------


def test_the_hip_keeps_its_energy_over_a_step():
    walker = SimplestWalker(0.009)
    path = integrate(walker.derivative, 3.8, after_strike(LONG_STEP.theta, LONG_STEP.dtheta)).y
    energy = walker.energy(path)
    # some 50 steps with an error of 1e-12 each
    assert np.abs(energy - energy[0]).max() <= 1e-10
    assert (walker.pull(path) > 0.9).all()  # it stands all the time


def test_a_heel_strike_turns_the_hips_velocity_and_keeps_its_old_leg_still():
    for theta, _, dtheta, _ in _states(10, seed=3).T:
        before = np.array([theta, 2.0 * theta, dtheta, 0.3])
        after = heel_strike(before)
        # feet change places; the angle between the legs keeps its size
        assert after[:2] == pytest.approx([-theta, -2.0 * theta], abs=1e-15)
        # hip: no change of velocity across the new leg, where no impulse acts
        across = np.array([np.cos(after[0]), np.sin(after[0])])
        was = -dtheta * np.array([np.cos(theta), np.sin(theta)])
        now = -after[2] * across
        assert (now - was) @ across == pytest.approx(0.0, abs=1e-15)
        # old foot: at rest along the tangent of its own leg, (theta - phi)' = theta' cos(phi)
        assert after[2] - after[3] == pytest.approx(after[2] * np.cos(after[1]), abs=1e-15)
        assert after_strike(after[0], after[2]) == pytest.approx(after, abs=1e-15)


def test_many_states_at_once_are_each_of_them_and_derivatives_are_exact():
    walker, y = SimplestWalker(0.02), _states(5, seed=4)
    functions = (lambda y: walker.derivative(0.0, y), heel_strike, to_compass, sigma, delta)
    for function in (*functions, walker.energy, walker.pull):
        alone = np.stack([function(column) for column in y.T], axis=-1)
        assert np.allclose(function(y), alone, rtol=1e-15, atol=1e-15)
        direction = _states(5, seed=5)
        exact = np.imag(function(y + 1e-30j * direction)) / 1e-30
        step = 1e-6
        difference = function(y + step * direction) - function(y - step * direction)
        # central differences: rounding of 1e-16 over 1e-6
        assert exact == pytest.approx(difference / (2.0 * step), abs=1e-9)
    step = 1e-6
    exact = replace(walker, gamma=0.02 + 1e-30j).derivative(0.0, y).imag / 1e-30
    up, down = (SimplestWalker(0.02 + d).derivative(0.0, y) for d in (step, -step))
    assert exact == pytest.approx((up - down) / (2.0 * step), abs=1e-9)


@pytest.mark.parametrize("gamma", [1.6, -1.6, np.nan, np.inf])
def test_slopes_that_nothing_stands_on_are_refused(gamma):
    with pytest.raises(ValueError, match="gamma"):
        SimplestWalker(gamma)


# --- the paper's gaits -------------------------------------------------------------------------


def _until(walker, start, guard, direction):
    def event(_, y):
        return guard(y)

    event.terminal, event.direction = True, direction
    # the tightest tolerance that scipy takes without a word
    path = solve_ivp(
        walker.derivative, (0.0, 8.0), start, "DOP853", rtol=1e-13, atol=1e-14, events=event
    )
    assert path.status == 1, "the walker fell"
    return path.t[-1], path.y[:, -1]


def _step(gamma, section):
    """Time of a step and (theta, theta') after it."""
    walker = SimplestWalker(gamma)
    first, crossed = _until(walker, after_strike(*section), delta, 1)
    second, struck = _until(walker, crossed, sigma, -1)
    return first + second, heel_strike(struck)[[0, 2]]


def test_the_published_gait_comes_back():
    section = np.array([LONG_STEP.theta, LONG_STEP.dtheta])
    _, back = _step(LONG_STEP.gamma, section)
    # published to 1e-10, of which a step makes ten times as much: |D - 1| is up to 6
    assert np.abs(back - section).max() < 1e-9
