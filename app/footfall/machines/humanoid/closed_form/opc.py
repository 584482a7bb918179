"""Optimal predictive control of the walker as the thesis prints it, (3.136) to (3.156)."""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.chain import (
    chain_motion,
    jacobian,
    leg_from_foot,
    place,
)
from footfall.machines.humanoid.closed_form.newton_euler import double_support
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import NUM_ANGLES, GaitPhase, moving_joints
from footfall.machines.humanoid.closed_form.walker import Ground


class Weights(NamedTuple):
    """Weighting factors h, r (m,) and s (k,), and the prediction time range dt [s].

    H = diag h, R = dt^2 diag r, S = 4 dt^4 diag s; m: 9 in single, 6 in double support, k: 10 or 5.
    """

    h: Array
    r: Array
    s: Array
    dt: float


class Wanted(NamedTuple):
    """Desired places p* [m] and velocities v* [m/s] at t + dt, (m,)."""

    p: Array
    v: Array


class Measure(NamedTuple):
    """Performance measure J = 1/2 q''' G q'' + K' q'' + a part without q'', (3.144)."""

    G: Array
    K: Array


def controlled(p: Numbers, ground: Ground, q: Array) -> tuple[Array, Array]:
    """Return p (m,) and its Jacobian (m, k) at angles q (k,) from the flat foot on.

    O1, the swinging heel and G1 in single support (3.153); O1 and G1 in double support (3.156).
    """
    phase = GaitPhase(ground.phase)
    y = 0.5 * p.a1 * (1.0 - 2.0 * phase.side)
    whole = np.append(q, np.zeros(10 - len(q)))
    motion = chain_motion(leg_from_foot(p, phase.side), ground.ankle, whole, np.zeros(10))
    points = [(4, np.array([0.0, -y, 0.0])), (4, np.array([0.0, -y, p.c1]))]
    if not phase.is_double:
        points.insert(1, (9, np.array([0.0, 0.0, -p.a10])))
    places = [place(motion, link, point) for link, point in points]
    jacobians = [jacobian(motion, link, point)[:, : len(q)] for link, point in points]
    return np.concatenate(places), np.vstack(jacobians)


def measure(
    p: Numbers, ground: Ground, q: Array, rate: Array, wanted: Wanted, weights: Weights
) -> Measure:
    """Return (3.145) and (3.146) at angles and rates (k,) from the flat foot on."""
    dt = weights.dt
    H, R = np.diag(weights.h), dt**2 * np.diag(weights.r)
    S = 4.0 * dt**4 * np.diag(weights.s)
    now, J = controlled(p, ground, q)
    Jp = controlled(p, ground, q + rate * dt)[1]  # (3.141)
    L1 = now + 0.5 * (J + Jp) @ rate * dt - wanted.p  # (3.147)
    L2 = Jp @ rate - wanted.v  # (3.148)
    G = 0.25 * dt**4 * Jp.T @ H @ Jp + dt**2 * Jp.T @ R @ Jp + S
    K = 0.5 * dt**2 * Jp.T @ H @ L1 + dt * Jp.T @ R @ L2
    return Measure(G, K)


def command(
    p: Numbers, ground: Ground, angle: Array, rate: Array, wanted: Wanted, weights: Weights
) -> Array:
    """Return the commanded accelerations (12,) of all joints, (3.149).

    In double support those of the leg on its toe follow from the six constraints, (3.101), (3.102).
    """
    phase = GaitPhase(ground.phase)
    columns = moving_joints(phase)
    own = columns[:5:-1] if phase.is_double else columns
    G, K = measure(p, ground, angle[own], rate[own], wanted, weights)
    found = np.zeros(NUM_ANGLES)
    found[own] = -np.linalg.solve(G, K)
    if phase.is_double:
        loop = double_support(
            p, phase.side, ground.ankle, ground.toe, angle[columns], rate[columns]
        )
        left = -loop.bias - loop.closure[:, 6:] @ found[columns[6:]]
        found[columns[:6]] = np.linalg.solve(loop.closure[:, :6], left)
    return found
