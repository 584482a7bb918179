"""Steady motions of spinning bodies: the full equations of motion integrated from their states."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footfall.textbook.coin import Coin
from footfall.textbook.top import Top

COINS = [
    Coin(m=1.2, A=0.01204, C=0.024, r=0.2, c=0.01, theta=1.0, rho=0.5),
    Coin(m=0.5, A=0.002, C=0.003, r=0.1, c=0.0, theta=0.6, rho=0.05),
    Coin(m=2.0, A=0.02, C=0.03, r=0.2, c=0.03, theta=1.3, rho=1.0),
]
TOPS = [
    Top(m=0.8, A=0.00206, C=0.004, l=0.08, theta=0.5, omega3=80.0),
    Top(m=0.3, A=0.001, C=0.0005, l=0.05, theta=1.2, omega3=200.0),
]
UP = np.array([0.0, 0.0, 1.0])


def _leaning(body):
    """Axis e3 at the start: in the x-z plane, towards +x; and the angular velocity."""
    axis = np.array([math.sin(body.theta), 0.0, math.cos(body.theta)])
    return axis, body.precession * UP + body.spin * axis


def _inertia(body, axis):
    return body.A * np.eye(3) + (body.C - body.A) * np.outer(axis, axis)


def _lever(coin, axis, turning):
    """G P and its rate: the lowest point of the lower rim, when the axis turns with ``turning``."""
    rate = np.cross(turning, axis)
    down = -UP + axis[2] * axis
    down_rate = rate[2] * axis + axis[2] * rate
    length = np.linalg.norm(down)
    e = down / length
    e_rate = (down_rate - (e @ down_rate) * e) / length
    return coin.r * e - coin.c * axis, coin.r * e_rate - coin.c * rate


def _rolling(coin):
    """Rates of (axis, omega, place of G) of a coin that rolls: Newton, Euler, and no slip."""

    def rates(_, y):
        axis, omega = y[:3], y[3:6]
        lever, lever_rate = _lever(coin, axis, omega)
        inertia = _inertia(coin, axis)
        # unknowns: acceleration of G, angular acceleration, force at P
        rows = np.zeros((9, 9))
        rows[:3, :3], rows[:3, 6:] = coin.m * np.eye(3), -np.eye(3)
        rows[3:6, 3:6], rows[3:6, 6:] = inertia, -_skew(lever)
        rows[6:, :3], rows[6:, 3:6] = np.eye(3), -_skew(lever)
        gyroscopic, centripetal = np.cross(omega, inertia @ omega), np.cross(omega, lever_rate)
        right = np.concatenate((-coin.m * coin.g * UP, -gyroscopic, -centripetal))
        alpha = np.linalg.solve(rows, right)[3:6]
        return np.concatenate((np.cross(omega, axis), alpha, -np.cross(omega, lever)))

    return rates


def _skew(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


@pytest.mark.parametrize("coin", COINS)
def test_a_coin_rolls_on_in_its_circle(coin):
    axis, omega = _leaning(coin)
    start = np.concatenate((axis, omega, [coin.rho, 0.0, coin.height]))
    end = 1.3 * 2.0 * np.pi / coin.precession
    done = solve_ivp(_rolling(coin), (0.0, end), start, rtol=1e-10, atol=1e-12)
    place, turn = done.y[6:, -1], coin.precession * end
    # scipy's tolerance over a turn and more
    assert np.arccos(done.y[2]) == pytest.approx(np.full(done.y.shape[1], coin.theta), abs=1e-6)
    expected = [coin.rho * math.cos(turn), coin.rho * math.sin(turn), coin.height]
    assert place == pytest.approx(expected, abs=1e-6)


def test_eulers_disc_has_its_rate():
    r, theta = 0.04, 0.2
    disc = Coin(m=0.4, A=0.4 * r * r / 4.0, C=0.4 * r * r / 2.0, r=r, c=0.0, theta=theta, rho=0.0)
    assert disc.precession**2 == pytest.approx(4.0 * disc.g / (r * math.sin(theta)), rel=1e-13)
    assert disc.friction_force == 0.0


def test_a_coin_that_lies_too_flat_for_its_thickness_is_refused():
    with pytest.raises(ValueError, match="leans"):
        Coin(m=1.0, A=0.01, C=0.02, r=0.1, c=0.1, theta=1.0, rho=0.2)


@pytest.mark.parametrize("top", TOPS)
def test_a_top_precesses_on_at_its_tilt(top):
    axis, omega = _leaning(top)
    mass = top.m * top.l**2

    def rates(_, y):
        # angular momentum about the tip; the weight acts at l e3
        e3, momentum = y[:3], y[3:]
        inertia = _inertia(top, e3) + mass * (np.eye(3) - np.outer(e3, e3))
        turning = np.linalg.solve(inertia, momentum)
        return np.concatenate((np.cross(turning, e3), np.cross(top.l * e3, -top.m * top.g * UP)))

    about_tip = _inertia(top, axis) + mass * (np.eye(3) - np.outer(axis, axis))
    end = 2.0
    start = np.concatenate((axis, about_tip @ omega))
    done = solve_ivp(rates, (0.0, end), start, rtol=1e-10, atol=1e-12)
    turn = top.precession * end
    assert np.arccos(done.y[2]) == pytest.approx(np.full(done.y.shape[1], top.theta), abs=1e-7)
    expected = [math.sin(top.theta) * math.cos(turn), math.sin(top.theta) * math.sin(turn)]
    assert done.y[:2, -1] == pytest.approx(expected, abs=1e-6)


def test_a_slow_top_has_no_steady_precession():
    with pytest.raises(ValueError, match="too slowly"):
        Top(m=0.8, A=0.00206, C=0.004, l=0.08, theta=0.5, omega3=20.0)
