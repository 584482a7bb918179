"""Accelerations that keep joints within their limits, and that brakes can keep there afterwards."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.checked import Checked, not_negative, positive
from footfall.jit import njit
from footfall.plants.limits import collect_limits

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
