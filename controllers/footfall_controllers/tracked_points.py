"""Points of a robot that a controller looks at: where they are, and how they move with it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import JacobianWrtVariable
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.names import require_frames


@dataclass(frozen=True)
class TrackedPoint:
    """Point p [m] of a frame (or body), whose three coordinates in the world are tracked."""

    frame: str
    p: tuple[float, float, float] = (0.0, 0.0, 0.0)


class TrackedPoints:
    """n points of a plant, with their frames resolved; those of one frame are asked for at once."""

    def __init__(self, plant: MultibodyPlant, points: Sequence[TrackedPoint]) -> None:
        """Look frames up; raises ModelError for what the plant does not have."""
        self._plant = plant
        self._size = len(points)
        names = list(dict.fromkeys(point.frame for point in points))
        self._groups = []
        for name, frame in zip(names, require_frames(plant, names), strict=True):
            of_frame = [k for k, point in enumerate(points) if point.frame == name]
            p_F = np.array([points[k].p for k in of_frame]).T
            self._groups.append((frame, p_F, np.array(of_frame)))

    def positions(self, context: Context) -> Array:
        """Return where the points are in the world, (n, 3) [m]."""
        world = self._plant.world_frame()
        p_W = np.empty((self._size, 3))
        for frame, p_F, rows in self._groups:
            p_W[rows] = self._plant.CalcPointsPositions(context, frame, p_F, world).T
        return p_W

    def jacobian(self, context: Context) -> Array:
        """Return the Jacobian (n, 3, nv) of the positions, of the plant's velocities."""
        world, nv = self._plant.world_frame(), self._plant.num_velocities()
        J = np.empty((self._size, 3, nv))
        for frame, p_F, rows in self._groups:
            J[rows] = self._plant.CalcJacobianTranslationalVelocity(
                context, JacobianWrtVariable.kV, frame, p_F, world, world
            ).reshape(-1, 3, nv)
        return J

    def bias(self, context: Context) -> Array:
        """Return accelerations of the points while v' = 0, (n, 3) [m/s^2]."""
        world = self._plant.world_frame()
        biases = np.empty((self._size, 3))
        for frame, p_F, rows in self._groups:
            biases[rows] = self._plant.CalcBiasTranslationalAcceleration(
                context, JacobianWrtVariable.kV, frame, p_F, world, world
            ).T
        return biases
