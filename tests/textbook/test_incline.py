"""Blocks on a slope in closed form, against the integrated equation of motion and energy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footfall.textbook.incline import Across, Straight

G, ALPHA = 9.81, np.deg2rad(20.0)


def _integrated(mu, velocity, end):
    """Place and velocity after a time by a Runge-Kutta method; errors of 1e-10 or so."""

    def rate(_, state):
        v = state[2:]
        fall = np.array([G * np.sin(ALPHA), 0.0])
        return [*v, *(fall - mu * G * np.cos(ALPHA) * v / np.hypot(*v))]

    start = [0.0, 0.0, *velocity]
    return solve_ivp(rate, (0.0, end), start, rtol=1e-11, atol=1e-13).y[:, -1]


def test_a_block_that_stops_has_spent_its_energy_on_friction():
    block = Straight(ALPHA, 0.6, G, v0=1.0)
    way = block.stop_distance
    gained = 0.5 * block.v0**2 + G * np.sin(ALPHA) * way
    assert gained == pytest.approx(block.mu * G * np.cos(ALPHA) * way, rel=1e-14)
    assert block.slid_down(np.array([block.stop_time, 9.0])) == pytest.approx(way, rel=1e-14)


def test_a_block_without_enough_friction_goes_on():
    block = Straight(ALPHA, 0.2, G, v0=1.0)
    x, _, vx, _ = _integrated(0.2, (1.0, 0.0), 1.5)
    assert block.slid_down(np.array(1.5)) == pytest.approx(x, rel=1e-9)
    assert block.v0 + 1.5 * block.acceleration == pytest.approx(vx, rel=1e-9)


def test_a_block_that_comes_back_has_paid_friction_both_ways():
    block = Straight(ALPHA, 0.2, G, v0=1.5)
    lost = block.mu * G * np.cos(ALPHA) * 2.0 * block.turn_distance
    assert 0.5 * (block.v0**2 - block.return_speed**2) == pytest.approx(lost, rel=1e-13)
    t = np.array([0.0, block.turn_time, block.return_time])
    x = block.slid_up(t)
    assert x == pytest.approx([0.0, -block.turn_distance, 0.0], abs=1e-15)


def test_a_block_that_static_friction_holds_stays_where_it_turned():
    block = Straight(ALPHA, 0.3, G, v0=1.0)
    t = np.array([block.turn_time, block.turn_time + 1.0])
    assert block.slid_up(t, holds=True) == pytest.approx(-block.turn_distance, rel=1e-14)
    assert block.slid_up(t)[1] > block.slid_up(t)[0]


@pytest.mark.parametrize("mu", [0.45, 0.55, 0.9])
def test_a_block_thrown_across_follows_its_equation_of_motion(mu):
    block = Across(ALPHA, mu, G, v0=1.0)
    for share in (0.3, 0.7, 0.95):
        *_, vx, vy = _integrated(mu, (0.0, 1.0), share * block.stop_time)
        v = block.velocity(np.array([share * block.stop_time]))[0]
        # the integration is good to 1e-9 or so, near the stop to 1e-8
        assert v == pytest.approx([vx, vy], abs=1e-7)
        phi = np.arctan2(vy, vx)
        assert block.speed(phi) == pytest.approx(np.hypot(vx, vy), rel=1e-6)


@pytest.mark.parametrize("mu", [0.45, 0.55, 0.9])
def test_a_block_thrown_across_stops_where_its_velocity_leads(mu):
    block = Across(ALPHA, mu, G, v0=1.0)
    # at 1e-6 of the time before the stop it is slower than 1e-5 m/s
    x, y, vx, vy = _integrated(mu, (0.0, 1.0), (1.0 - 1e-6) * block.stop_time)
    assert np.hypot(vx, vy) < 1e-5
    assert block.stop_place == pytest.approx((x, y), abs=1e-8)
    assert (block.velocity(block.stop_time * np.array([1.0, 2.0])) == 0.0).all()


def test_at_the_critical_friction_speed_and_its_part_down_the_slope_differ_by_a_constant():
    # v - v_x = v0 for mu = tan alpha (Irodov), which the formula does not use
    block = Across(ALPHA, np.tan(ALPHA), G, v0=1.0)
    for phi in (0.1, 0.5, 1.0, 1.5):
        speed = block.speed(phi)
        assert speed * (1.0 + np.cos(phi)) == pytest.approx(block.v0, rel=1e-14)


def test_the_time_of_a_speed_is_that_of_the_velocity():
    block = Across(ALPHA, 0.55, G, v0=1.0)
    t = block.slow_time(0.01)
    assert np.linalg.norm(block.velocity(np.array([t]))) == pytest.approx(0.01, rel=1e-9)
    assert t < block.stop_time
