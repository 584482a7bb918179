"""The double pendulum against the balances of force, moment and energy of its two rods."""

import numpy as np
import pytest

from footfall.textbook.double_pendulum import DoublePendulum

UNLIKE = DoublePendulum(m=0.7, l=1.3, g=9.7)  # nothing is 1, so that a lost factor shows


def states(count, seed):
    rng = np.random.default_rng(seed)
    return [(rng.uniform(-3.0, 3.0, 2), rng.standard_normal(2)) for _ in range(count)]


def _rods(p, q):
    """Vectors [x, z] from the pin: centres of both rods, elbow, tip; lengths along each."""
    along = [p.l * np.array([np.sin(angle), -np.cos(angle)]) for angle in q]
    return along[0] / 2.0, along[0] + along[1] / 2.0, along[0], along[0] + along[1]


def _turned(r):
    """Velocity of a point at r that turns counter-clockwise with 1 rad/s."""
    return np.array([-r[1], r[0]])


def _moment(r, f):
    """Counter-clockwise moment of f at r."""
    return r[0] * f[1] - r[1] * f[0]


def _newton_euler(p, q, v, load, convective):
    """Rates of the two rods from the free bodies: six balances, four reactions.

    load: impulse or force [x, z] at the tip. convective: with the centrifugal terms and weight.
    """
    _, _, elbow, tip = _rods(p, q)
    half1, half2 = elbow / 2.0, (tip - elbow) / 2.0
    inertia = p.m * p.l**2 / 12.0
    A, b = np.zeros((6, 6)), np.zeros(6)  # unknowns: rates, reactions at pin and elbow [x, z]
    A[0:2, 0] = p.m * _turned(half1)
    A[2:4, 0] = p.m * _turned(elbow)
    A[2:4, 1] = p.m * _turned(half2)
    A[0:2, 2:4], A[0:2, 4:6], A[2:4, 4:6] = -np.eye(2), np.eye(2), -np.eye(2)
    A[4, 0] = A[5, 1] = inertia
    for k in range(2):
        unit = np.eye(2)[k]
        A[4, 2 + k] = -_moment(-half1, unit)
        A[4, 4 + k] = _moment(half1, unit)
        A[5, 4 + k] = -_moment(-half2, unit)
    b[2:4] = load
    b[5] = _moment(half2, load)
    if convective:
        weight = np.array([0.0, -p.m * p.g])
        b[0:2] += weight + p.m * half1 * v[0] ** 2
        b[2:4] += weight + p.m * (elbow * v[0] ** 2 + half2 * v[1] ** 2)
    return np.linalg.solve(A, b)[:2]


def test_accelerations_are_those_of_the_free_bodies():
    for q, v in states(20, 0):
        found = np.linalg.solve(UNLIKE.mass_matrix(q), UNLIKE.h(q, v))
        expected = _newton_euler(UNLIKE, q, v, np.zeros(2), convective=True)
        assert found == pytest.approx(expected, rel=1e-10, abs=1e-10)


def test_an_impulse_at_the_tip_changes_the_rates_as_it_does_those_of_the_free_bodies():
    rng = np.random.default_rng(1)
    for q, v in states(20, 2):
        n, t = rng.standard_normal(2)
        jump = UNLIKE.after_impact(q, v, np.array([n, t])) - v
        expected = _newton_euler(UNLIKE, q, v, np.array([t, n]), convective=False)
        assert jump == pytest.approx(expected, rel=1e-10, abs=1e-10)


def test_the_tip_moves_as_its_jacobian_says():
    step = 1e-6
    for q, v in states(10, 3):
        ahead, behind = (_rods(UNLIKE, q + s * step * v)[3] for s in (1.0, -1.0))
        x, z = (ahead - behind) / (2.0 * step)
        assert UNLIKE.tip_jacobian(q) @ v == pytest.approx([z, x], abs=1e-8)  # differences: step^2


def test_a_flight_keeps_its_energy_and_leads_back():
    q, v = np.array([0.4, 1.1]), np.array([-1.0, 2.0])
    there = UNLIKE.flight(q, v, 1.5)(np.linspace(0.0, 1.5, 40))
    q1, q2 = there[:2]
    height = -UNLIKE.l * (1.5 * np.cos(q1) + 0.5 * np.cos(q2))
    kinetic = [0.5 * s[2:] @ UNLIKE.mass_matrix(s[:2]) @ s[2:] for s in there.T]
    assert np.ptp(kinetic + UNLIKE.m * UNLIKE.g * height) < 1e-10  # the integrator's 1e-13 a step
    end = there[:, -1]
    back = UNLIKE.flight(end[:2], end[2:], -1.5)(-1.5)
    assert back == pytest.approx([*q, *v], abs=1e-9)


def test_small_swings_have_the_two_known_frequencies():
    # of two equal uniform rods: omega^2 = (g/l) (3 -+ 6/sqrt(7))
    hung = np.zeros(2)
    stiffness = UNLIKE.m * UNLIKE.g * UNLIKE.l * np.diag([1.5, 0.5])
    squared = np.sort(np.linalg.eigvals(np.linalg.solve(UNLIKE.mass_matrix(hung), stiffness)))
    expected = UNLIKE.g / UNLIKE.l * (3.0 + np.array([-6.0, 6.0]) / np.sqrt(7.0))
    assert squared == pytest.approx(expected)


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="positive"):
        DoublePendulum(l=0.0)
