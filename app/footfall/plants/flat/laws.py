"""Laws of controllers that compiled runs work out in their own loop, as tables over their steps.

Rows of a table are those of the steps; one row alone is that of every step. Torques are of the
actuators (nu,), each on a joint of one degree of freedom, held over a step.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.coordinates import actuators_of
from footfall.plants.flat.outputs import OutputsLaw
from footfall.plants.flat.shaping import EnergyLaw
from footfall.plants.flat.standing import Standing
from footfall.plants.motors import Drives, Motor, gear_ratios, motors_by_actuator, speed_limits

SPEED_TAPER = 0.01  # share of a speed limit over which the torque falls to nothing


class PdLaw(NamedTuple):
    """Torques ff + kp (q_d - q) + kd (v_d - v); tables (n, nu), gains (nu,)."""

    ff: Array
    q_d: Array
    v_d: Array
    kp: Array
    kd: Array

    @property
    def is_prescribed(self) -> bool:
        """Say whether torques depend on the time alone."""
        return not (self.kp.any() or self.kd.any())


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


Law = PdLaw | InverseDynamicsLaw | Standing | OutputsLaw | EnergyLaw


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


class Limits(NamedTuple):
    """Limits of torques over speeds of joints, (nu,) each, or (0,) where there are none.

    stall, slope, most: torques of rotors as `footfall.plants.motors.Motor` has them, ratio: of
    their gears; slowest, fastest: speeds of joints; effort: largest torque; of_start: of drives,
    whose torque in a step begins so much of the speed lower.
    """

    velocity: Indices
    ratio: Array
    stall: Array
    slope: Array
    most: Array
    slowest: Array
    fastest: Array
    effort: Array
    of_start: Array


NO_LIMITS = Limits(np.zeros(0, dtype=np.int64), *np.zeros((8, 0)))


def limits_of(
    plant: MultibodyPlant, motors: Mapping[str, Motor], drives: Drives | None = None
) -> Limits:
    """Return the limits of motors and of joints' speeds, with the drives of the joints if any.

    motors: as `motors_by_actuator` reads them, whose errors it raises.
    """
    count = plant.num_actuators()
    most, stall, slope = np.full(count, np.inf), np.full(count, np.inf), np.zeros(count)
    for index, motor in motors_by_actuator(plant, motors).items():
        if motor.torque_limit is not None:
            most[index] = motor.torque_limit
        if motor.stall_torque is not None and motor.no_load_speed is not None:
            stall[index] = motor.stall_torque
            slope[index] = motor.stall_torque / motor.no_load_speed
    slowest, fastest = speed_limits(plant)
    ends = most, stall, fastest, slowest
    _, velocity = actuated_places(plant)
    return Limits(
        velocity if np.isfinite(ends).any() else velocity[:0],
        gear_ratios(plant),
        stall,
        slope,
        most,
        slowest,
        fastest,
        np.array([actuator.effort_limit() for actuator in actuators_of(plant)]),
        np.zeros(count) if drives is None else drives.of_start,
    )


@njit
def bounds_at(limits: Limits, k: int, speed: float) -> tuple[float, float]:
    """Least and largest torque of the motor of a joint at a speed of it."""
    stall, most, ratio = limits.stall[k], limits.most[k], limits.ratio[k]
    lost = limits.slope[k] * ratio * speed
    least = min(max(-stall - lost, -most), most)
    return ratio * least, ratio * min(max(stall - lost, -most), most)


@njit
def torque_bounds(limits: Limits, v: Array) -> tuple[Array, Array]:
    """Return least and largest torques of the motors of joints at v, (nu,) each."""
    bounds = np.empty((2, limits.velocity.size))
    for k in range(limits.velocity.size):
        bounds[0, k], bounds[1, k] = bounds_at(limits, k, v[limits.velocity[k]])
    return bounds[0], bounds[1]


@njit
def limit_torques(limits: Limits, v: Array, tau: Array) -> None:
    """Keep torques (nu,) that are asked for at v within limits, in place.

    A torque that drives a joint beyond a limit of its speed falls to 0 before, out of the largest
    one; one that brakes it stays.
    """
    for k in range(limits.velocity.size):
        speed = v[limits.velocity[k]]
        least, largest = bounds_at(limits, k, speed)
        if tau[k] < least:
            tau[k] = least
        elif tau[k] > largest:
            tau[k] = largest
        within, effort = tau[k] - limits.of_start[k] * speed, limits.effort[k]
        end = limits.fastest[k] if within > 0.0 else limits.slowest[k]
        left = (1.0 - speed / end) / SPEED_TAPER
        if left < 1.0:
            tau[k] += max(left, 0.0) * min(max(within, -effort), effort) - within


@njit
def limits_act(limits: Limits, states: Array, nq: int, efforts: Array) -> bool:
    """Say whether limits change efforts (n, nu) at states (n, nq + nv)."""
    tau = np.empty(efforts.shape[1])
    for k in range(len(efforts)):
        tau[:] = efforts[k]
        limit_torques(limits, states[k, nq:], tau)
        for a in range(tau.size):
            if tau[a] != efforts[k, a]:
                return True
    return False
