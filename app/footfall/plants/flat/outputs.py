"""The law of `footfall_controllers.virtual_constraints`, for its system and compiled runs."""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.flat.dynamics import Scratch
from footfall.plants.flat.motion import Fixed, motion_at
from footfall.plants.flat.tree import Tree

_ALONG = 1e-9  # rows of a foot's Jacobian that are smaller: directions in which nothing moves


class OutputsLaw(NamedTuple):
    """Outputs y = H q - h(s) of n supports in turn, with m torques.

    phase (n, nq), outputs (n, m, nq): s and H q of each. inputs (nv, m): B T; basis (nu, m): T;
    knots (k,), cubics (4, k - 1, m): of h, the cube's coefficients first. threshold: of s, from
    which on the next support may take over; most: largest torque [N m]. feet: of the supports, on
    links of the flat arrays; of no links for a plant that these do not hold.
    """

    phase: Array
    outputs: Array
    inputs: Array
    basis: Array
    knots: Array
    cubics: Array
    kp: float
    kd: float
    most: float
    threshold: float
    feet: Fixed


@njit
def hold_outputs(
    tree: Tree, work: Scratch, law: OutputsLaw, number: float, q: Array, v: Array, tau: Array
) -> float:
    """Fill the torques (nu,) of a step under which a support stands; returns that of the next step.

    number: of the support from 1 on, 0 where none is known yet. work is used up.
    """
    M, force, feet = motion_at(tree, work, law.feet, q, v)
    resting = force + tree.damping * v + tree.stiffness * (q[tree.sprung] - tree.slack)
    support = int(number) - 1 if number > 0.0 else first_support(law, q)
    tau[:] = outputs_torque(law, support, M, resting, feet.J, feet.bias, q, v)
    return next_support(law, support, q, feet.V) + 1.0


@njit
def first_support(law: OutputsLaw, q: Array) -> int:
    """Return the support whose phase is nearest to the beginning of a step."""
    return int(np.abs((law.phase * q).sum(axis=1) - law.knots[0]).argmin())


@njit
def next_support(law: OutputsLaw, support: int, q: Array, V: Array) -> int:
    """Return the support that stands after one; V (n, 6): velocities of the feet."""
    other = (support + 1) % len(law.phase)
    if (law.phase[support] * q).sum() < law.threshold:
        return support
    slower = (V[other, 3:] ** 2).sum() < (V[support, 3:] ** 2).sum()
    return other if slower else support


@njit
def outputs_torque(
    law: OutputsLaw,
    support: int,
    M: Array,
    resting: Array,
    J: Array,
    bias: Array,
    q: Array,
    v: Array,
) -> Array:
    """Return torques (nu,) that hold the outputs of a support.

    resting (nv,): C less gravity; J, bias: of the feet, as `motion.FrameMotions` has them.
    """
    phase, outputs, knots, cubics = law.phase[support], law.outputs[support], law.knots, law.cubics
    s, rate, k = (phase * q).sum(), (phase * v).sum(), knots.size - 2
    while k > 0 and s < knots[k]:
        k -= 1
    u, c3, c2, c1 = s - knots[k], cubics[0, k], cubics[1, k], cubics[2, k]
    h, slope = ((c3 * u + c2) * u + c1) * u + cubics[3, k], (3.0 * c3 * u + 2.0 * c2) * u + c1
    bend = 6.0 * c3 * u + 2.0 * c2
    n, m, end = v.size, h.size, v.size
    A, b = np.zeros((n + 3 + m, n + 3 + m)), np.zeros(n + 3 + m)
    A[:n, :n], b[:n] = M, -resting
    for i in range(3, 6):  # in the directions in which the foot moves
        row = J[support, i]
        if np.abs(row).max() > _ALONG:
            A[:n, end], A[end, :n], b[end] = -row, row, -bias[support, i]
            end += 1
    for i in range(m):
        D = outputs[i] - slope[i] * phase
        y, y_rate = (outputs[i] * q).sum() - h[i], (D * v).sum()
        A[:n, end + i], A[end + i, :n] = -law.inputs[:, i], D
        b[end + i] = bend[i] * rate**2 - law.kp * y - law.kd * y_rate
    size = end + m
    x = np.linalg.solve(np.ascontiguousarray(A[:size, :size]), b[:size])
    torques = np.dot(law.basis, x[end:])
    return np.minimum(np.maximum(torques, -law.most), law.most)
