"""Gaps and places of the points that may touch the ground, by a compiled kernel.

Frames: W world, T terrain, S the body of a shape, B its link, G the shape itself, C contact.
"""

from collections.abc import Container, Sequence
from typing import NamedTuple

import numpy as np
from pydrake.geometry import GeometryId
from pydrake.math import RigidTransform

from footfall.arrays import Array, Indices
from footfall.jit import njit, scratch_njit
from footfall.plants.contacts.contact_set import GroundShape
from footfall.plants.contacts.shapes import NEAR, find_supports
from footfall.plants.contacts.vectors import (
    carried,
    dot,
    row,
    scaled,
    turned_back,
)
from footfall.plants.kinematics import Kinematics

FEW_CORNERS = 8  # of a box: of shapes with more, only those near the ground are measured


class GroundTable(NamedTuple):
    """The points of all shapes on the ground, n of them, which come first in a contact set.

    links (n,), points (n, 4): of every point, its place in its link and its radius [m]. plane (4,):
    normal of the ground in W, and its height along it [m]. Of m round shapes, whose points move:
    moving (m, 2), the first point and how many, semi_axes (m, 3), X_BG (m, 3, 4). spans (k, 2): the
    points of shapes with few corners, first and end. hulls (h, 2): likewise of those with many.
    """

    links: Indices
    points: Array
    plane: Array
    spans: Indices
    hulls: Indices
    moving: Indices
    semi_axes: Array
    X_BG: Array


def ground_table(
    shapes: Sequence[GroundShape],
    kinematics: Kinematics,
    X_WT: RigidTransform,
    whole: Container[GeometryId] | None = None,
) -> GroundTable:
    """Take the shapes, and the pose of the terrain.

    whole: shapes with many corners, all of which are to be measured; None: all such shapes.
    """
    count = sum(len(shape.points) for shape in shapes)
    n_W = X_WT.rotation().matrix()[:, 2]
    links, points = np.zeros(count, dtype=np.int64), np.zeros((count, 4))
    spans: list[tuple[int, int]] = []
    hulls: list[tuple[int, int]] = []
    moving, semi_axes, X_BGs = [], [], []
    for shape in shapes:
        X_BS = kinematics.within(shape.body.body_frame())
        first, end = shape.first, shape.first + len(shape.points)
        links[first:end] = kinematics.link_of(shape.body)
        points[first:end, 3] = shape.points.radius
        for k, p_SC in enumerate(shape.points.fixed, start=first):
            points[k, :3] = X_BS.multiply(p_SC)
        if shape.points.num_moving > 0:
            moving.append((end - shape.points.num_moving, shape.points.num_moving))
            semi_axes.append(shape.points.semi_axes)
            X_BGs.append((X_BS @ shape.points.X_BG).GetAsMatrix34())
        elif len(shape.points) > FEW_CORNERS and whole is not None and shape.geometry not in whole:
            hulls.append((first, end))
        elif spans and spans[-1][1] == first:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((first, end))
    return GroundTable(
        links,
        points,
        np.array([*n_W, n_W @ X_WT.translation()]),
        np.array(spans, dtype=np.int64).reshape(-1, 2),
        np.array(hulls, dtype=np.int64).reshape(-1, 2),
        np.array(moving, dtype=np.int64).reshape(-1, 2),
        np.array(semi_axes).reshape(-1, 3),
        np.array(X_BGs).reshape(-1, 3, 4),
    )


def measure_points(table: GroundTable, poses: Array) -> tuple[Array, Array]:
    """Gaps (n,) [m] of the points and the places (n, 3) where they would touch, in W [m].

    poses: of the links. The gap is the height of a point over the ground less its radius.
    """
    gap, place = np.full(len(table.links), np.inf), np.full((len(table.links), 3), np.nan)
    measure_ground(table, poses, gap, place)
    return gap, place


@njit
def measure_ground(table: GroundTable, poses: Array, gap: Array, place: Array) -> None:
    """Fill in gaps and places of the points on the ground, which come first."""
    measure_fixed(table.links, table.points, table.plane, table.spans, poses, gap, place)
    measure_hulls_and_round(table, poses, gap, place)


@scratch_njit
def measure_fixed(
    links: Indices,
    points: Array,
    plane: Array,
    spans: Indices,
    poses: Array,
    gap: Array,
    place: Array,
) -> None:
    """Measure the points of shapes with few corners; the arrays are those of a ``GroundTable``."""
    for span in range(spans.shape[0]):
        for c in range(spans[span, 0], spans[span, 1]):
            _touch(links[c], c, points, plane, poses, gap, place)


@njit
def measure_hulls_and_round(table: GroundTable, poses: Array, gap: Array, place: Array) -> None:
    """Measure the points of shapes with many corners, and of those on which points move.

    Corners that are higher than NEAR get the gap infinity, but for the lowest, and keep their
    places.
    """
    links, points, plane = table.links, table.points, table.plane
    for k in range(table.hulls.shape[0]):
        first, end = table.hulls[k]
        _touch_with_hull(first, end, links, points, plane, poses, gap, place)
    for k in range(table.moving.shape[0]):
        first, end = table.moving[k, 0], table.moving[k, 0] + table.moving[k, 1]
        X_WB, some = poses[links[first]], place[first:end]
        _touch_with_round(X_WB, table.semi_axes[k], table.X_BG[k], plane, gap[first:end], some)


@njit
def _touch(
    link: int, c: int, points: Array, plane: Array, poses: Array, gap: Array, place: Array
) -> None:
    """Measure a point that is fixed to its link."""
    radius = points[c, 3]
    height = -plane[3] - radius
    for i in range(3):
        p = poses[link, i, 3]
        for k in range(3):
            p += poses[link, i, k] * points[c, k]
        height += plane[i] * p
        place[c, i] = p - radius * plane[i]
    gap[c] = height


@njit
def _touch_with_hull(
    first: int,
    end: int,
    links: Indices,
    points: Array,
    plane: Array,
    poses: Array,
    gap: Array,
    place: Array,
) -> None:
    """Measure the corners of a hull that are near the ground, and the lowest one."""
    link = links[first]
    n_W = plane[0], plane[1], plane[2]
    n_B = turned_back(poses[link], n_W)
    x, y, z = n_B
    level = dot(n_W, (poses[link, 0, 3], poses[link, 1, 3], poses[link, 2, 3])) - plane[3]
    lowest, least = first, np.inf
    for c in range(first, end):
        height = level + x * points[c, 0] + y * points[c, 1] + z * points[c, 2]
        gap[c] = height if height <= NEAR else np.inf
        if height < least:
            lowest, least = c, height
    _touch(link, lowest, points, plane, poses, gap, place)
    if least <= NEAR:
        for c in range(first, end):
            if gap[c] <= NEAR:
                _touch(link, c, points, plane, poses, gap, place)


@njit
def _touch_with_round(
    X_WB: Array, semi_axes: Array, X_BG: Array, plane: Array, gap: Array, place: Array
) -> None:
    """Measure the points of a round shape, which move over it."""
    n_W = plane[0], plane[1], plane[2]
    down_G = turned_back(X_BG, turned_back(X_WB, scaled(-1.0, n_W)))
    find_supports(semi_axes, down_G, X_BG, place)
    for c in range(gap.size):
        p_W = carried(X_WB, row(place, c))
        gap[c] = dot(n_W, p_W) - plane[3]
        place[c, 0], place[c, 1], place[c, 2] = p_W
