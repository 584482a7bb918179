"""Gravity as the terrain of a plant has it: how steep the ground is, and how strongly it pulls.

Frames: W world, T terrain: x along the slope, z its outward normal.
"""

import math

import numpy as np
from pydrake.math import RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.plants.terrain import FRAME_NAME

_LEVEL = 1e-9  # rad: rounding


def slope_and_gravity(plant: MultibodyPlant) -> tuple[float, float]:
    """Return the angle [rad] by which the terrain falls towards +x, and gravity [m/s^2]."""
    g_T = _gravity_in_terrain(plant)
    return math.atan2(g_T[0], -g_T[2]), float(np.linalg.norm(g_T))


def level_gravity(plant: MultibodyPlant, ground: str, weight: str) -> float:
    """Return gravity [m/s^2] of a machine that is known on level ground only.

    ground, weight: what the machine does on the one and by the other, for the ModelError that a
    slope and a missing gravity raise.
    """
    g_T = _gravity_in_terrain(plant)
    if not abs(g_T[0]) <= _LEVEL * abs(g_T[2]):
        slope = math.degrees(math.atan2(-g_T[0], -g_T[2]))  # as scenarios count it: it rises
        raise ModelError(f"{ground}, this one slopes by {slope:.3g} degrees.")
    if not g_T[2] < 0.0:
        raise ModelError(f"{weight}: set gravity above 0.")
    return float(-g_T[2])


def ground_axes(plant: MultibodyPlant) -> RotationMatrix:
    """Return R_WT; its third column is the normal of the ground."""
    terrain: Frame = plant.GetFrameByName(FRAME_NAME)
    return terrain.CalcRotationMatrixInWorld(plant.CreateDefaultContext())


def _gravity_in_terrain(plant: MultibodyPlant) -> Array:
    field = plant.gravity_field().gravity_vector()
    return np.asarray(ground_axes(plant).inverse().multiply(field))
