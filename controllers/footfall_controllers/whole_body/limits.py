"""Limits of a whole-body controller: of joints, which brakes have to keep, and of torques."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Indices
from footfall.checked import Checked, not_negative, positive
from footfall.jit import njit
from footfall.plants.coordinates import collect_limits
from footfall.plants.flat.laws import limits_of, torque_bounds
from footfall.plants.motors import Motor
from footfall.plants.names import broad_first, fitting
from footfall_controllers.controller import actuated_joints


class TorqueLimits:
    """Bounds of torques: constant ones, and those of motors at the speeds of their joints."""

    def __init__(self, plant: MultibodyPlant, constant: Array, motors: Mapping[str, Motor]) -> None:
        """Take constant limits (nu,) [N m], and motors as ``footfall.plants.motors`` reads them."""
        self._constant = constant
        limited = any(motor.is_limited for motor in motors.values())
        self._motors = limits_of(plant, motors) if limited else None
        self._nq = plant.num_positions()

    def bounds(self, state: Array) -> tuple[Array, Array]:
        """Least and largest torques at a state [q; v], (nu,) each [N m].

        A motor that is driven faster than its no-load speed can only brake: both may have one sign.
        """
        constant = self._constant
        if self._motors is None:
            return -constant, constant
        least, most = torque_bounds(self._motors, state[self._nq :])
        return np.clip(least, -constant, constant), np.clip(most, -constant, constant)


def by_actuator(
    plant: MultibodyPlant, values: Mapping[str, float], group: str, other: float
) -> Array:
    """Return numbers of the actuators (nu,) out of those by joint or pattern; other: of the rest.

    Raises ScenarioError, with the group's name in a controller, for patterns that fit no joint.
    """
    joints = actuated_joints(plant)
    known = {name: name for name in joints}
    numbers = dict.fromkeys(joints, other)
    for pattern in broad_first(values):
        fits = fitting(pattern, known, f"controller.{group}", "driven joint")
        numbers |= dict.fromkeys(fits, values[pattern])
    return np.array([numbers[name] for name in joints])


_QUICK = 0.25  # of the horizon
_FIRM = 4.0  # of the braking: most that is asked of a joint that is too fast already


@dataclass
class JointLimits(Checked, at="controller.joint_limits."):
    """Margin, braking and look-ahead by which joints stay within the limits of their file."""

    # Distance to keep from a stop [rad or m].
    margin: float = not_negative(0.02)
    # Acceleration that brakes a joint before its stop [rad/s^2 or m/s^2].
    braking: float = positive(100.0)
    # Time within which a velocity that is too large is taken back [s].
    horizon: float = positive(0.02)


class Stops(NamedTuple):
    """Stops of joints: places in q and v, signs, bounds, of gaps sign (q - bound); `JointLimits`.

    Brakes can take back a velocity u towards a stop, from where the joint is after the horizon, if
    u^2 <= 2 braking (gap - u horizon). What leaves a way to stop before it is the acceleration that
    reaches the largest such u within a quarter of the horizon: close to a stop that is critical
    damping.
    """

    position: Indices
    velocity: Indices
    sign: Array
    bound: Array
    margin: float
    braking: float
    horizon: float


def stops_of(plant: MultibodyPlant, limits: JointLimits | None) -> Stops:
    """Collect the limits of a plant; none where they are not looked at."""
    stops = [] if limits is None else collect_limits(plant)
    limits = limits or JointLimits()
    return Stops(
        np.array([stop.position for stop in stops], dtype=np.int64),
        np.array([stop.velocity for stop in stops], dtype=np.int64),
        np.array([stop.sign for stop in stops], dtype=np.float64),
        np.array([stop.bound for stop in stops], dtype=np.float64),
        *(limits.margin, limits.braking, limits.horizon),
    )


@njit
def viable_bounds(stops: Stops, q: Array, v: Array, lowest: Array, highest: Array) -> None:
    """Fill bounds of accelerations (nv,) that leave a way to stop."""
    lowest[:], highest[:] = -np.inf, np.inf
    braking, horizon = stops.braking, stops.horizon
    lag = braking * horizon
    for k in range(len(stops.sign)):
        at = stops.velocity[k]
        gap = stops.sign[k] * (q[stops.position[k]] - stops.bound[k]) - stops.margin
        towards = -stops.sign[k] * v[at]
        # the largest velocity towards the stop that brakes can take back before it
        fastest = math.sqrt(lag**2 + 2.0 * braking * gap) - lag if gap > 0.0 else gap / horizon
        # beyond what brakes give there is nothing to ask for
        most = max((fastest - towards) / (_QUICK * horizon), -_FIRM * braking)
        if stops.sign[k] > 0.0:
            lowest[at] = -most
        else:
            highest[at] = most
