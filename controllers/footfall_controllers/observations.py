"""Observations of a robot by name: what environments and policies see, by the same functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from pydrake.common.eigen_geometry import Quaternion
from pydrake.math import RotationMatrix
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array, Indices
from footfall.errors import ScenarioError
from footfall.plants.coordinates import actuators_of, quaternion_joints
from footfall.plants.flat.laws import actuated_places
from footfall_controllers.controller import actuated_joints, require_actuated

OBSERVED = ("gravity", "spin", "velocity", "joints", "joint_speeds", "action")
POSITIONS, TORQUES = ACTIONS = ("positions", "torques")


class Places:
    """Places of the actuated joints of a robot in its state [q; v].

    names: of the joints; order (nu,): their actuators; q, v (nu,): places; rest (nu,): positions at
    the start. Raises ScenarioError or ModelError unless joints are all that are actuated.
    """

    def __init__(self, plant: MultibodyPlant, start: Array, joints: Sequence[str] = ()) -> None:
        """Take the state of a start, and joints in their order; none: that of the actuators."""
        known = actuated_joints(plant)
        require_actuated([*joints], known)
        if joints and sorted(joints) != sorted(known):
            raise ScenarioError(
                f"controller.joints: name each actuated joint once: {', '.join(known)}."
            )
        self._plant = plant
        self.names = [*joints] or known
        self.order: Indices = np.array([known.index(name) for name in self.names], dtype=np.int64)
        q, v = actuated_places(plant)
        self.q, self.v = q[self.order], plant.num_positions() + v[self.order]
        self.rest: Array = start[self.q]

    @cached_property
    def base(self) -> tuple[int, int]:
        """First places of the link that is free in space; raises ScenarioError without one."""
        joints = quaternion_joints(self._plant)
        if not joints:
            raise ScenarioError("observations of the base: no link of the robot is free in space.")
        nq = self._plant.num_positions()
        return joints[0].position_start(), nq + joints[0].velocity_start()

    def usual_scale(self, actions: str) -> list[float]:
        """Scale of an action of 1 unless another is given: 0.3 rad or m, or limits of effort."""
        limits = (actuators_of(self._plant)[k].effort_limit() for k in self.order)
        return [0.3] * len(self.names) if actions == POSITIONS else [*limits]


@dataclass
class Seen:
    """A robot at a time [s]: state [q; v], the last action (nu,), and what is asked of it.

    command: numbers; clock: frequency [Hz]. reading: of ``imu``, ``measured`` and ``foot_loads``.
    """

    places: Places
    state: Array
    action: Array
    time: float
    command: Array
    clock: float
    reading: Callable[[str], Array]

    @property
    def rotation(self) -> Array:
        """Axes of the link that is free in space, in W as columns, (3, 3)."""
        start = self.places.base[0]
        wxyz = self.state[start : start + 4]
        axes: Array = RotationMatrix(Quaternion(wxyz / np.linalg.norm(wxyz))).matrix()
        return axes

    @property
    def velocities(self) -> Array:
        """Angular velocity and velocity of that link in W, (2, 3) [rad/s, m/s]."""
        start = self.places.base[1]
        return self.state[start : start + 6].reshape(2, 3)

    @property
    def place(self) -> Array:
        """Place of that link in W, (3,) [m]."""
        start = self.places.base[0] + 4
        return self.state[start : start + 3]

    @property
    def phase(self) -> float:
        """Angle of the clock [rad]."""
        return 2.0 * np.pi * self.clock * self.time


OBSERVATIONS: Mapping[str, Callable[[Seen], npt.ArrayLike]] = {
    "gravity": lambda seen: -seen.rotation[2],
    "spin": lambda seen: seen.velocities[0] @ seen.rotation,
    "velocity": lambda seen: seen.velocities[1] @ seen.rotation,
    "place": lambda seen: seen.place,
    "joints": lambda seen: seen.state[seen.places.q] - seen.places.rest,
    "joint_speeds": lambda seen: seen.state[seen.places.v],
    "foot_loads": lambda seen: seen.reading("foot_loads"),
    "action": lambda seen: seen.action,
    "imu": lambda seen: seen.reading("imu"),
    "measured": lambda seen: seen.reading("measured"),
    "command": lambda seen: seen.command,
    "clock": lambda seen: (np.sin(seen.phase), np.cos(seen.phase)),
}
"""Observations by name: gravity's direction (3,), angular velocity (3,) [rad/s] and velocity (3,)
[m/s] of the base in its axes; its place in W (3,) [m]; actuated joints less their start (nu,) and
their speeds (nu,); vertical forces on feet over the robot's weight (feet,); the last action (nu,);
readings of the scenario's sensors, ``imu`` (6,) and the state as it is ``measured`` (nq + nv,); the
command; sine and cosine of a clock (2,)."""


def observed(parts: Sequence[npt.ArrayLike]) -> npt.NDArray[np.float32]:
    """Return observations one behind the other, in the precision of networks."""
    return np.concatenate([np.atleast_1d(part) for part in parts], dtype=np.float32)
