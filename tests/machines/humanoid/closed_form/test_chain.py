"""Kinematics of the chains against finite differences and against (3.2) to (3.22)."""

import numpy as np
import pytest
from scipy.linalg import expm
from tests.machines.humanoid.walkers import DOUBLE, equations, walker

from footfall.machines.humanoid.closed_form.chain import (
    angular_jacobian,
    chain_motion,
    drift,
    jacobian,
    leg_from_foot,
    leg_from_toe,
    place,
    skew,
)
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters

P = HumanoidParameters().numbers()
BASE = np.array([0.3, -0.2, 0.1])
CHAINS = {"left": leg_from_foot(P, 0), "right": leg_from_foot(P, 1), "toe": leg_from_toe(P)}
POINT = np.array([0.2, -0.3, 0.4])


def motions(chain, seed=0):
    """Count of joints, random angles, rates and accelerations, and the motion at a later time."""
    n = len(CHAINS[chain].axis)
    angle, rate, second = np.random.default_rng(seed).normal(size=(3, n))

    def at(time):
        return chain_motion(
            CHAINS[chain],
            BASE,
            angle + time * rate + 0.5 * time**2 * second,
            rate + time * second,
        )

    return n, rate, second, at


@pytest.mark.parametrize("chain", CHAINS)
def test_jacobians_are_finite_differences(chain):
    n, _, _, _ = motions(chain)
    angle = np.random.default_rng(0).normal(size=n)
    now = chain_motion(CHAINS[chain], BASE, angle, np.zeros(n))
    h = 1e-6
    for link in range(n):
        J, turning = jacobian(now, link, POINT), angular_jacobian(now, link)
        for j in range(n):
            step = h * np.eye(n)[j]
            one, other = (
                chain_motion(CHAINS[chain], BASE, angle + s * step, np.zeros(n)) for s in (1, -1)
            )
            slope = (place(one, link, POINT) - place(other, link, POINT)) / (2 * h)
            # h^2 of truncation and 1e-16 / h of rounding
            assert J[:, j] == pytest.approx(slope, abs=1e-9)
            turn = (one.R[link] - other.R[link]) / (2 * h) @ now.R[link].T
            assert skew(turning[:, j]) == pytest.approx(turn, abs=1e-9)


@pytest.mark.parametrize("chain", CHAINS)
def test_rates_and_accelerations_are_derivatives_in_time(chain):
    n, rate, second, at = motions(chain, 1)
    now, h = at(0.0), 1e-5
    one, other = at(h), at(-h)
    for link in range(n):
        J, turning = jacobian(now, link, POINT), angular_jacobian(now, link)
        v = (place(one, link, POINT) - place(other, link, POINT)) / (2 * h)
        assert J @ rate == pytest.approx(v, abs=1e-7)
        assert turning @ rate == pytest.approx(now.w[link], abs=1e-14)
        a = place(one, link, POINT) - 2 * place(now, link, POINT) + place(other, link, POINT)
        # roundings of 1e-16 over h^2
        assert J @ second + drift(now, link, POINT) == pytest.approx(a / h**2, abs=1e-4)
        alpha = (one.w[link] - other.w[link]) / (2 * h)
        assert turning @ second + now.alpha[link] == pytest.approx(alpha, abs=1e-6)


@pytest.mark.parametrize("phase", DOUBLE)
def test_the_loops_equations_are_finite_differences(phase):
    w = walker(phase, 3)
    columns, h = w.columns, 1e-6
    closure = w.equations.closure

    def gap(angle):
        """Orientation by one leg against the other, and the distance of O1 by both."""
        legs = (leg_from_toe(w.p), leg_from_foot(w.p, phase.side))
        rear = chain_motion(legs[0], w.ground.toe, angle[columns[:6]], np.zeros(6))
        front = np.append(angle[columns[:5:-1]], np.zeros(5))
        flat = chain_motion(legs[1], w.ground.ankle, front, np.zeros(10))
        y = 0.5 * w.p.a1 * (1 - 2 * phase.side)
        there = place(rear, 5, np.array([0.0, y, 0.0])) - place(flat, 4, np.array([0.0, -y, 0.0]))
        return rear.R[5] @ flat.R[4].T, there

    assert gap(w.angle)[0] == pytest.approx(np.eye(3), abs=1e-14)
    assert gap(w.angle)[1] == pytest.approx(np.zeros(3), abs=1e-14)
    for j, column in enumerate(columns):
        step = h * np.eye(12)[column]
        (turn, place_), (turned, placed) = gap(w.angle + step), gap(w.angle - step)
        assert skew(closure[:3, j]) == pytest.approx((turn - turned) / (2 * h), abs=1e-9)
        assert closure[3:, j] == pytest.approx((place_ - placed) / (2 * h), abs=1e-9)
    # its bias is the rest of the second derivative
    bias = w.equations.bias
    later, sooner = (
        equations(w.p, w.ground, w.angle + s * h * w.rate, w.rate).closure @ w.rate[columns]
        for s in (1, -1)
    )
    assert bias == pytest.approx((later - sooner) / (2 * h), abs=1e-7)


def test_orientations_and_places_are_the_thesiss():
    u1, u2, u3 = np.eye(3)
    t = dict(enumerate(np.random.default_rng(2).normal(size=14)))
    e1, e2 = (lambda angle, u=u: expm(skew(u) * angle) for u in (u1, u2))
    angles = np.array([t[k] for k in (10, 8, 6, 4, 2, 3, 5, 7, 9, 11)])
    found = chain_motion(leg_from_foot(P, 0), BASE, angles, np.zeros(10))
    thigh = e1(-t[10]) @ e2(-(t[8] + t[6]))
    trunk = e1(-t[10]) @ e2(-(t[8] + t[6] + t[4])) @ e1(-t[2])  # (3.2)
    swing = e1(-t[10]) @ e2(-(t[8] + t[6] + t[4])) @ e1(-(t[2] - t[3])) @ e2(t[5])
    foot = swing @ e2(t[7] + t[9]) @ e1(t[11])
    assert found.R[4] == pytest.approx(trunk, abs=1e-14)
    assert found.R[6] == pytest.approx(swing, abs=1e-14)
    assert found.R[9] == pytest.approx(foot, abs=1e-14)
    knee = BASE + P.a6 * e1(-t[10]) @ e2(-t[8]) @ u3  # (3.3), whose hips have the signs of (3.6)
    hip = knee + P.a4 * thigh @ u3
    O1 = hip - 0.5 * P.a1 * trunk @ u2
    O3 = O1 - 0.5 * P.a1 * trunk @ u2
    heel = O3 - P.a4 * swing @ u3 - P.a6 * swing @ e2(t[7]) @ u3 - P.a10 * foot @ u3
    assert place(found, 4, np.array([0.0, -0.5 * P.a1, 0.0])) == pytest.approx(O1, abs=1e-14)
    assert place(found, 9, np.array([0.0, 0.0, -P.a10])) == pytest.approx(heel, abs=1e-14)
    angles = np.array([t[k] for k in (13, 11, 9, 7, 5, 3)])
    found = chain_motion(leg_from_toe(P), BASE, angles, np.zeros(6))
    foot = e2(-t[13])
    trunk = foot @ e1(-t[11]) @ e2(-(t[9] + t[7] + t[5])) @ e1(-t[3])  # (3.18)
    ankle = BASE + foot @ (-P.d10 * u1 + P.a10 * u3)  # (3.21)
    hip = ankle + P.a6 * foot @ e1(-t[11]) @ e2(-t[9]) @ u3
    hip = hip + P.a4 * foot @ e1(-t[11]) @ e2(-(t[9] + t[7])) @ u3
    O1 = hip + 0.5 * P.a1 * trunk @ u2
    assert found.R[5] == pytest.approx(trunk, abs=1e-14)
    assert place(found, 5, np.array([0.0, 0.5 * P.a1, 0.0])) == pytest.approx(O1, abs=1e-14)
