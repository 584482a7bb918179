"""Sliding and rolling: Newton and Euler integrated with the friction law written out."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footfall.textbook.rolling import CYLINDER, SPHERE, Rolling

STARTS = [
    Rolling(1.5, 0.1, SPHERE, 0.2, v0=1.0),
    Rolling(2.0, 0.1, CYLINDER, 0.2, v0=1.0),
    Rolling(0.7, 0.3, 1.0, 0.4, v0=2.0, alpha=0.2),
    Rolling(1.5, 0.1, SPHERE, 0.2, alpha=0.3),
    Rolling(1.5, 0.1, SPHERE, 0.05, alpha=0.35),
]
END = 0.6


def _accelerations(case, slides):
    """v' and omega' from Newton's and Euler's equations for m v', I omega' and the friction F."""
    m, inertia = case.m, case.beta * case.m * case.r**2
    weight, normal = m * case.g * np.sin(case.alpha), m * case.g * np.cos(case.alpha)
    # unknowns v', omega', F (friction towards -x): momentum, spin, and the law of F
    law = ([0.0, 0.0, 1.0], case.mu * normal) if slides else ([1.0, -case.r, 0.0], 0.0)
    rows = np.array([[m, 0.0, 1.0], [0.0, inertia, -case.r], law[0]])
    dv, dw, force = np.linalg.solve(rows, [weight, 0.0, law[1]])
    if not slides:
        assert abs(force) <= case.mu * normal * (1.0 + 1e-12)  # else it would not roll
    return dv, dw


def _integrated(case):
    """Speed, spin, way at END by scipy, phase after phase."""
    state, start = np.array([case.v0, 0.0, 0.0]), 0.0
    slides = case.v0 > 0.0 or np.tan(case.alpha) > case.mu * (1.0 + case.beta) / case.beta
    while start < END:

        def rates(_, y, slides=slides):
            return [*_accelerations(case, slides), y[0]]

        def slip(t, y, start=start):
            return y[0] - case.r * y[1] if t > start + 1e-9 else 1.0

        slip.terminal = True
        done = solve_ivp(
            rates, (start, END), state, rtol=1e-11, atol=1e-12, events=slip if slides else None
        )
        state, start, slides = done.y[:, -1], done.t[-1], False
    return state


@pytest.mark.parametrize("case", STARTS)
def test_the_motion_is_that_of_newton_and_euler(case):
    speed, spin, way = _integrated(case)
    # scipy's events are found to its tolerance
    assert case.speed(np.array(END)) == pytest.approx(speed, abs=1e-8)
    assert case.spin(np.array(END)) == pytest.approx(spin, abs=1e-7)
    assert case.distance(np.array(END)) == pytest.approx(way, abs=1e-8)


@pytest.mark.parametrize("case", STARTS)
def test_friction_takes_what_the_energy_loses(case):
    t = np.linspace(0.0, END, 50)
    kinetic = 0.5 * case.m * (case.speed(t) ** 2 + case.beta * (case.r * case.spin(t)) ** 2)
    gained = case.m * case.g * np.sin(case.alpha) * case.distance(t)
    # rounding of a few joules
    assert kinetic - kinetic[0] - gained == pytest.approx(-case.loss(t), abs=1e-13)


@pytest.mark.parametrize(("beta", "share"), [(SPHERE, 2.0 / 7.0), (CYLINDER, 1.0 / 3.0)])
def test_on_flat_ground_the_angular_momentum_about_the_ground_stays(beta, share):
    case = Rolling(1.5, 0.1, beta, 0.3, v0=2.0)
    t = np.linspace(0.0, 3.0 * case.sliding_time, 20)
    momentum = case.m * case.r * case.speed(t) + beta * case.m * case.r**2 * case.spin(t)
    assert momentum == pytest.approx(np.full(20, case.m * case.r * case.v0), rel=1e-14)
    # the textbook's fractions of time, speed and energy
    assert case.sliding_time == pytest.approx(share * case.v0 / (case.mu * case.g), rel=1e-14)
    assert case.speed(t)[-1] == pytest.approx((1.0 - share) * case.v0, rel=1e-14)
    assert case.loss(t)[-1] == pytest.approx(share * 0.5 * case.m * case.v0**2, rel=1e-14)


def test_other_starts_are_refused():
    with pytest.raises(ValueError, match="down the slope"):
        Rolling(1.0, 0.1, SPHERE, 0.2, v0=-1.0)
    with pytest.raises(ValueError, match="positive"):
        Rolling(1.0, 0.0, SPHERE, 0.2)
