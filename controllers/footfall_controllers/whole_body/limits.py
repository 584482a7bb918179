"""Limits of a whole-body controller: of joints, which brakes have to keep, and of torques."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
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


class ViableAccelerations:
    """Bounds of joint accelerations that leave a way to stop before a limit.

    Brakes can take back a velocity u towards a stop, from where the joint is after the horizon, if
    u^2 <= 2 braking (gap - u horizon). The bound is the acceleration that reaches the largest such
    u within a quarter of the horizon: close to a stop that is critical damping.
    """

    def __init__(self, plant: MultibodyPlant, limits: JointLimits) -> None:
        """Collect the limits of a plant."""
        stops = collect_limits(plant)
        self._limits = limits
        self._nv = plant.num_velocities()
        self._stops = (
            np.array([stop.position for stop in stops], dtype=np.int64),
            np.array([stop.velocity for stop in stops], dtype=np.int64),
            np.array([stop.sign for stop in stops], dtype=np.float64),
            np.array([stop.bound for stop in stops], dtype=np.float64),
        )

    def bounds(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return the least and the largest acceleration of every velocity, (nv,) each."""
        limits = self._limits
        lowest, highest = np.full(self._nv, -np.inf), np.full(self._nv, np.inf)
        numbers = limits.margin, limits.braking, limits.horizon
        viable_bounds(*self._stops, *numbers, q, v, lowest, highest)
        return lowest, highest


@njit
def viable_bounds(
    positions: npt.NDArray[np.int64],
    velocities: npt.NDArray[np.int64],
    signs: Array,
    stops: Array,
    margin: float,
    braking: float,
    horizon: float,
    q: Array,
    v: Array,
    lowest: Array,
    highest: Array,
) -> None:
    """Fill bounds of accelerations (nv,) out of stops, whose gaps are sign (q - stop)."""
    lag = braking * horizon
    for k in range(len(stops)):
        gap = signs[k] * (q[positions[k]] - stops[k]) - margin
        towards = -signs[k] * v[velocities[k]]
        # the largest velocity towards the stop that brakes can take back before it
        fastest = math.sqrt(lag**2 + 2.0 * braking * gap) - lag if gap > 0.0 else gap / horizon
        # beyond what brakes give there is nothing to ask for
        most = max((fastest - towards) / (_QUICK * horizon), -_FIRM * braking)
        if signs[k] > 0.0:
            lowest[velocities[k]] = -most
        else:
            highest[velocities[k]] = most
