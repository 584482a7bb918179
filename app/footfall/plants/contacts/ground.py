"""Gaps and places of the points that may touch the ground, by a compiled kernel.

Frames: W world, T terrain, S the body of a shape, B its link, G the shape itself, C contact.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from pydrake.math import RigidTransform

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import GroundShape
from footfall.plants.contacts.shapes import find_supports
from footfall.plants.contacts.vectors import (
    Vector,
    carried,
    dot,
    row,
    scaled,
    turned_back,
)
from footfall.plants.kinematics import Kinematics


class GroundTable(NamedTuple):
    """The points of all shapes on the ground, n of them, which come first in a contact set.

    links (n,), p_BC (n, 3), radius (n,) [m]: of every point, its place in its link. Of m round
    shapes, whose points move: moving (m, 2), the first point and how many, semi_axes (m, 3), X_BG
    (m, 3, 4). plane (4,): normal of the ground in W, and its height along it [m].
    """

    links: Indices
    p_BC: Array
    radius: Array
    moving: Indices
    semi_axes: Array
    X_BG: Array
    plane: Array


def ground_table(
    shapes: Sequence[GroundShape], kinematics: Kinematics, X_WT: RigidTransform
) -> GroundTable:
    """Take the shapes, and the pose of the terrain."""
    count = sum(len(shape.points) for shape in shapes)
    n_W = X_WT.rotation().matrix()[:, 2]
    round_shapes = [shape for shape in shapes if shape.points.num_moving > 0]
    table = GroundTable(
        links=np.zeros(count, dtype=np.int64),
        p_BC=np.zeros((count, 3)),
        radius=np.zeros(count),
        moving=np.zeros((len(round_shapes), 2), dtype=np.int64),
        semi_axes=np.zeros((len(round_shapes), 3)),
        X_BG=np.zeros((len(round_shapes), 3, 4)),
        plane=np.array([*n_W, n_W @ X_WT.translation()]),
    )
    for shape in shapes:
        X_BS = kinematics.within(shape.body.body_frame())
        places = slice(shape.first, shape.first + len(shape.points))
        table.links[places] = kinematics.link_of(shape.body)
        table.radius[places] = shape.points.radius
        for k, p_SC in enumerate(shape.points.fixed, start=shape.first):
            table.p_BC[k] = X_BS.multiply(p_SC)
    for i, shape in enumerate(round_shapes):
        X_BG = kinematics.within(shape.body.body_frame()) @ shape.points.X_BG
        moving = shape.points.num_moving
        table.moving[i] = shape.first + len(shape.points) - moving, moving
        table.semi_axes[i], table.X_BG[i] = shape.points.semi_axes, X_BG.GetAsMatrix34()
    return table


def measure_points(table: GroundTable, poses: Array) -> tuple[Array, Array]:
    """Gaps (n,) [m] of all points and the places (n, 3) where they would touch, in W [m].

    poses: of the links. The gap is the height of a point over the ground less its radius.
    """
    gap, place = np.empty(len(table.links)), np.empty((len(table.links), 3))
    measure_ground(table, poses, gap, place)
    return gap, place


@njit
def measure_ground(table: GroundTable, poses: Array, gap: Array, place: Array) -> None:
    """Fill in gaps and places of the points on the ground, which come first."""
    links, p_BC, radius = table.links, table.p_BC, table.radius
    n_W, level = (table.plane[0], table.plane[1], table.plane[2]), table.plane[3]
    for c in range(links.size):
        _touch(poses[links[c]], row(p_BC, c), radius[c], n_W, level, c, gap, place)
    for i in range(table.moving.shape[0]):
        first, count = table.moving[i]
        X_WB, X_BG = poses[links[first]], table.X_BG[i]
        down_G = turned_back(X_BG, turned_back(X_WB, scaled(-1.0, n_W)))
        find_supports(table.semi_axes[i], down_G, X_BG, place[first : first + count])
        for c in range(first, first + count):
            _touch(X_WB, row(place, c), radius[c], n_W, level, c, gap, place)


@njit
def _touch(
    X_WB: Array,
    p_B: Vector,
    radius: float,
    n_W: Vector,
    level: float,
    c: int,
    gap: Array,
    place: Array,
) -> None:
    p = carried(X_WB, p_B)
    gap[c] = dot(n_W, p) - level - radius
    for i in range(3):
        place[c, i] = p[i] - radius * n_W[i]
