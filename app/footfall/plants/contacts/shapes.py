"""Collision shapes as points with a radius: what of a shape can touch.

Corners, vertices and centres are fixed to the body. A rim or an ellipsoid touches with whichever
point lies farthest towards the other surface; it is chosen anew for every direction.

Frames: B body, G geometry, C contact point.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Ellipsoid,
    GeometryId,
    Mesh,
    SceneGraphInspector,
    Sphere,
)
from pydrake.math import RigidTransform

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.jit import njit

# Points of a rim: the lowest one, and others at equal angles from it, for a cylinder that stands on
# its end. None is fixed to the body: a fixed one would be a bump when the cylinder rolls over it.
_RIM = 4
# share of a direction across the axis of a cylinder, below which the cylinder stands upright
_UPRIGHT = 1e-9


@dataclass(frozen=True)
class ShapePoints:
    """Points p_BC of one shape with a common radius [m].

    fixed: (k, 3). semi_axes: of an ellipsoid, or (r, r, half length) of a cylinder, whose supports
    are found by ``find_supports``; X_BG places them. kind: "", "ellipsoid" or "cylinder".
    """

    fixed: Array
    radius: float
    kind: str = ""
    semi_axes: Array | None = None
    X_BG: RigidTransform | None = None

    @property
    def num_moving(self) -> int:
        """Count the points that depend on the direction."""
        return {"": 0, "ellipsoid": 1, "cylinder": 2 * _RIM}[self.kind]

    def __len__(self) -> int:
        """Count all points, the moving ones behind the fixed ones."""
        return len(self.fixed) + self.num_moving


@njit
def find_supports(semi_axes: Array, direction_G: Array, X_BG: Array, p_BC: Array) -> None:
    """Fill in the points that lie farthest along a direction in B, and what belongs to them.

    Of an ellipsoid with these semi-axes it is one point, (1, 3); of a cylinder, (r, r, half
    length), the rims follow each other, each with its farthest point first.
    """
    p_G = np.empty(3)
    across = np.hypot(direction_G[0], direction_G[1])
    stretch = 0.0
    for k in range(3):
        stretch += (semi_axes[k] * direction_G[k]) ** 2
    for point in range(p_BC.shape[0]):
        if p_BC.shape[0] == 1:
            for k in range(3):
                p_G[k] = semi_axes[k] ** 2 * direction_G[k] / np.sqrt(stretch)
        else:
            upright = across <= _UPRIGHT  # then all of the rim is equally far
            x = semi_axes[0] * (1.0 if upright else direction_G[0] / across)
            y = semi_axes[0] * (0.0 if upright else direction_G[1] / across)
            for _ in range(point % _RIM):  # quarter turns
                x, y = -y, x
            p_G[0], p_G[1] = x, y
            p_G[2] = semi_axes[2] * (2 * (point // _RIM) - 1)
        for i in range(3):
            p_BC[point, i] = X_BG[i, 3]
            for k in range(3):
                p_BC[point, i] += X_BG[i, k] * p_G[k]


def points_of_shape(inspector: SceneGraphInspector, geometry: GeometryId) -> ShapePoints:
    """Reduce a collision shape to the points with which it can touch.

    Raises ModelError for a shape that has none, such as a mesh that is no convex hull.
    """
    shape = inspector.GetShape(geometry)
    X_BG = inspector.GetPoseInFrame(geometry)
    if isinstance(shape, Sphere):
        return _fixed(X_BG, np.zeros((1, 3)), shape.radius())
    if isinstance(shape, Capsule):
        half = 0.5 * shape.length()
        return _fixed(X_BG, np.array([[0.0, 0.0, -half], [0.0, 0.0, half]]), shape.radius())
    if isinstance(shape, Box):
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
        return _fixed(X_BG, 0.5 * np.asarray(shape.size()) * signs, 0.0)
    if isinstance(shape, Convex | Mesh):
        hull = inspector.GetConvexHull(geometry)
        vertices = np.array([hull.vertex(i) for i in range(hull.num_vertices())])
        return _fixed(X_BG, vertices, 0.0)
    if isinstance(shape, Ellipsoid):
        axes = np.array([shape.a(), shape.b(), shape.c()])
        return ShapePoints(np.zeros((0, 3)), 0.0, "ellipsoid", axes, X_BG)
    if isinstance(shape, Cylinder):
        axes = np.array([shape.radius(), shape.radius(), 0.5 * shape.length()])
        return ShapePoints(np.zeros((0, 3)), 0.0, "cylinder", axes, X_BG)
    raise ModelError(
        f"collision geometry '{inspector.GetName(geometry)}' is a {type(shape).__name__}, which "
        "the Moreau engine cannot put on the ground: use a sphere, capsule, cylinder, ellipsoid, "
        "box or convex mesh."
    )


def _fixed(X_BG: RigidTransform, p_GC: Array, radius: float) -> ShapePoints:
    return ShapePoints(np.array([X_BG.multiply(p) for p in p_GC]).reshape(-1, 3), radius)
