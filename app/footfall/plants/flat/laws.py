"""Laws of controllers that compiled runs work out in their own loop, as tables over their steps.

Rows of a table are those of the steps; one row alone is that of every step. Torques are of the
actuators (nu,), each on a joint of one degree of freedom, held over a step.
"""

from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.coordinates import actuators_of
from footfall.plants.flat.standing import Standing

SPEED_TAPER = 0.01  # share of a speed limit over which the torque falls to nothing


class PdLaw(NamedTuple):
    """Torques ff + kp (q_d - q) + kd (v_d - v); tables (n, nu), gains (nu,)."""

    ff: Array
    q_d: Array
    v_d: Array
    kp: Array
    kd: Array


class InverseDynamicsLaw(NamedTuple):
    """Torques of tau = M a - h at q + lookahead q' and v; tables (n, nu), gains (nu,).

    a = a_d + kp (q_d - q) + kd (v_d - v) on actuated joints, 0 on others. lookahead [s]. pairs
    (k, 2): actuators that cancel, of whose torques half the difference is left.
    """

    q_d: Array
    v_d: Array
    a_d: Array
    kp: Array
    kd: Array
    lookahead: float
    pairs: Indices


Law = PdLaw | InverseDynamicsLaw | Standing


def actuated_places(plant: MultibodyPlant) -> tuple[Indices, Indices]:
    """Return places in q and in v of the joints of the actuators, (nu,) each."""
    joints = [actuator.joint() for actuator in actuators_of(plant)]
    starts = [[joint.position_start(), joint.velocity_start()] for joint in joints]
    places = np.array(starts, dtype=np.int64).reshape(-1, 2)
    return places[:, 0].copy(), places[:, 1].copy()


def prescribed(torques: Array) -> PdLaw:
    """Return the law of torques (n, nu) that depend on nothing but the time."""
    none = np.zeros((1, torques.shape[1]))
    return PdLaw(once(torques), none, none, none[0], none[0])


def once(table: Array) -> Array:
    """Return a table, or its first row (1, nu) where all are the same."""
    return np.ascontiguousarray(table[:1] if (table == table[:1]).all() else table)


@njit
def _row(table: Array, step: int) -> int:
    return min(step, table.shape[0] - 1)


@njit
def pd_torque(
    ff: Array,
    q_d: Array,
    v_d: Array,
    kp: Array,
    kd: Array,
    position: Indices,
    velocity: Indices,
    step: int,
    q: Array,
    v: Array,
    tau: Array,
) -> None:
    """Fill the torques (nu,) of a `PdLaw` in a step that starts at q and v."""
    of_ff, of_q, of_v = _row(ff, step), _row(q_d, step), _row(v_d, step)
    for k in range(tau.size):
        pull = kp[k] * (q_d[of_q, k] - q[position[k]])
        tau[k] = ff[of_ff, k] + pull + kd[k] * (v_d[of_v, k] - v[velocity[k]])


@njit
def inverse_dynamics_torque(
    q_d: Array,
    v_d: Array,
    a_d: Array,
    kp: Array,
    kd: Array,
    pairs: Indices,
    position: Indices,
    velocity: Indices,
    depth: Indices,
    path: Indices,
    H: Array,
    h: Array,
    step: int,
    q: Array,
    v: Array,
    work: Array,
    tau: Array,
) -> None:
    """Fill the torques (nu,) of an `InverseDynamicsLaw` in a step.

    q: where the law looks, q + lookahead q'; H and h: of there, by ``mass_and_force``. work (2, nv)
    is scratch memory.
    """
    a, force = work[0], work[1]
    of_q, of_v, of_a = _row(q_d, step), _row(v_d, step), _row(a_d, step)
    a[:] = 0.0
    force[:] = -h
    for k in range(tau.size):
        pull = kp[k] * (q_d[of_q, k] - q[position[k]])
        a[velocity[k]] = a_d[of_a, k] + pull + kd[k] * (v_d[of_v, k] - v[velocity[k]])
    for k in range(h.size):
        for d in range(depth[k]):
            j = path[k, d]
            force[k] += H[k, d] * a[j]
            force[j] += H[k, d] * a[k]
        force[k] += H[k, depth[k]] * a[k]
    for k in range(tau.size):
        tau[k] = force[velocity[k]]
    for p in range(pairs.shape[0]):
        half = 0.5 * (tau[pairs[p, 0]] - tau[pairs[p, 1]])
        tau[pairs[p, 0]], tau[pairs[p, 1]] = half, -half


@njit
def slow_down(slowest: Array, fastest: Array, effort: Array, speed: Array, tau: Array) -> None:
    """Let torques that drive joints beyond limits of their speeds fall to 0 before, in place.

    All (nu,). effort: largest torques, out of which they fall; one that brakes stays.
    """
    for k in range(tau.size):
        left = (1.0 - speed[k] / (fastest[k] if tau[k] > 0.0 else slowest[k])) / SPEED_TAPER
        if left < 1.0:
            tau[k] = max(left, 0.0) * min(max(tau[k], -effort[k]), effort[k])
