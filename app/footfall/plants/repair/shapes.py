"""Spheres, capsules and boxes for convex parts, with how far they are from them.

The error of a fit is the Hausdorff distance of the two convex bodies: no point of one is farther
than this from the other, and their support functions differ by no more in any direction. Frames:
M the mesh, G the shape (z the axis of a capsule, the box along x, y and z).
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import minimize
from scipy.spatial import ConvexHull

from footfall.arrays import Array

_ENDING = 1e-5  # of the size: where the search for a fit ends
_SMALL = 0.02  # of the size of a part: an error that makes no other shape of it
_HOPELESS = 5.0  # tolerances: a capsule that begins farther off will not come so near
_SHORTEST = 0.02  # a capsule whose straight part is shorter, in radii, is called a sphere


@dataclass(frozen=True)
class Sphere:
    """A ball about a centre p_M (3,) with a radius."""

    centre: Array
    radius: float


@dataclass(frozen=True)
class Capsule:
    """All points within a radius of the straight line between two ends, (2, 3) in M."""

    ends: Array
    radius: float


@dataclass(frozen=True)
class Box:
    """A box about a centre p_M (3,), with edges ``size`` (3,) along the columns of R_MG."""

    centre: Array
    size: Array
    R_MG: Array


Primitive: TypeAlias = Sphere | Capsule | Box


@dataclass(frozen=True)
class Fit:
    """A shape and its Hausdorff distance from the part, in the part's unit.

    beyond: how far the part reaches out of a shape that was fitted to one side of it only.
    """

    shape: Primitive
    error: float
    beyond: float = 0.0


@dataclass(frozen=True)
class Part:
    """A convex part: its corners (n, 3), and its faces n.x + d <= 0 as rows [n, d], (m, 4).

    triangles: those faces cut up, (k, 3, 3).
    """

    corners: Array
    faces: Array
    triangles: Array

    @classmethod
    def around(cls, points: Array) -> "Part":
        """The convex hull of points (n, 3) that span a volume."""
        hull = ConvexHull(points)
        faces = np.unique(np.round(hull.equations, 12), axis=0)
        return cls(hull.points[hull.vertices], faces, hull.points[hull.simplices])

    @property
    def size(self) -> float:
        """Half the diagonal of its bounding box."""
        return 0.5 * float(np.linalg.norm(np.ptp(self.corners, axis=0)))

    def depth(self, point: Array) -> float:
        """Depth of a point inside, by the nearest face; negative outside."""
        return -float((self.faces[:, :3] @ point + self.faces[:, 3]).max())


def fit_primitive(part: Part, *, within: float) -> Fit | None:
    """Return a sphere, capsule or box whose error is at most ``within``; None if none is so near.

    Of those that are, it is the simplest that is nearly as good as the best: a sphere touches in
    one point, a capsule in two, a box in four.
    """
    fits = [fit_sphere(part), fit_capsule(part, within=_HOPELESS * within), fit_box(part)]
    enough = max(_SMALL * part.size, min(fit.error for fit in fits))
    return next((fit for fit in fits if fit.error <= min(within, enough)), None)


def fit_sphere(part: Part) -> Fit:
    """Return the sphere with the smallest error.

    About a centre inside the part the error is half of what the farthest corner is farther away
    than the nearest face, a convex function of the centre.
    """

    def spread(centre: Array) -> tuple[float, float]:
        farthest = float(np.linalg.norm(part.corners - centre, axis=1).max())
        return farthest, part.depth(centre)

    def error(centre: Array) -> float:
        farthest, nearest = spread(centre)
        return 0.5 * (farthest - nearest)

    centre = _minimize(error, _middle(part.corners), part.size)
    farthest, nearest = spread(centre)
    return Fit(Sphere(centre, 0.5 * (farthest + nearest)), 0.5 * (farthest - nearest))


def fit_capsule(part: Part, *, within: float = np.inf) -> Fit:
    """Return a capsule of small error, the best of those that begin along the part's main axes.

    within: one that begins farther off is not pursued.
    """
    found = [_capsule_from(part, ends, within) for ends in _capsules(part.corners)]
    return min(found, key=lambda fit: fit.error, default=fit_sphere(part))


def _capsule_from(part: Part, ends: Array, within: float) -> Fit:
    def spread(x: Array) -> tuple[float, float]:
        a, b = x.reshape(2, 3)
        farthest = float(_from_segment(part.corners, a, b).max())
        return farthest, min(part.depth(a), part.depth(b))

    def error(x: Array) -> float:
        farthest, nearest = spread(x)
        return 0.5 * (farthest - nearest)

    x = ends.ravel()
    if error(x) <= within:
        x = _minimize(error, x, part.size)
    farthest, nearest = spread(x)
    radius = 0.5 * (farthest + nearest)
    best = x.reshape(2, 3)
    if np.linalg.norm(best[1] - best[0]) < _SHORTEST * radius:
        return fit_sphere(part)
    return Fit(Capsule(best, radius), 0.5 * (farthest - nearest))


def _capsules(corners: Array) -> Iterator[Array]:
    """Ends to begin with: along each main axis, as far in as the part is wide."""
    for axes in _frames(corners):
        low, high = (corners @ axes).min(axis=0), (corners @ axes).max(axis=0)
        middle, half = axes @ (0.5 * (low + high)), 0.5 * (high - low)
        for k in range(3):
            width = float(np.delete(half, k).mean())
            reach = max(half[k] - width, 0.1 * half[k]) * axes[:, k]
            if half[k] > width:
                yield np.array([middle - reach, middle + reach])


def fit_box(part: Part) -> Fit:
    """Return the bounding box of smallest error, along the axes of M or the part's own.

    Its faces touch the part, so that a flat sole stays where it is.
    """
    found = [Fit(box, error_of_box(part, box)) for box in bounding_boxes(part)]
    return min(found, key=lambda fit: fit.error)


def bounding_boxes(part: Part) -> Iterator[Box]:
    """Boxes around a part, along the axes of M and along the part's own."""
    for axes in _frames(part.corners):
        along = part.corners @ axes
        low, high = along.min(axis=0), along.max(axis=0)
        yield Box(axes @ (0.5 * (low + high)), high - low, axes)


def error_of_box(part: Part, box: Box) -> float:
    """Return how far a bounding box is from its part: most at a corner, as the part is convex."""
    signs = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
    corners = box.centre + (signs * box.size) @ box.R_MG.T
    return max(_from_part(corner, part) for corner in corners)


def _from_part(point: Array, part: Part) -> float:
    """Distance of a point outside from a part."""
    import trimesh

    triangles: Any = trimesh.triangles  # untyped
    nearest = triangles.closest_point(
        part.triangles, np.broadcast_to(point, (len(part.triangles), 3))
    )
    return float(np.linalg.norm(nearest - point, axis=1).min())


def _frames(corners: Array) -> Iterator[Array]:
    """Orientations to try, (3, 3) with the axes as columns: of M, and of the smallest box."""
    import trimesh

    bounds: Any = trimesh.bounds  # untyped
    yield np.eye(3)
    to_origin, _ = bounds.oriented_bounds(corners)
    yield np.asarray(to_origin)[:3, :3].T
    x, y = np.linalg.svd(corners - corners.mean(axis=0), full_matrices=False)[2][:2]
    yield np.column_stack((x, y, np.cross(x, y)))


def _from_segment(points: Array, a: Array, b: Array) -> Array:
    along = b - a
    length2 = float(along @ along)
    share = np.clip((points - a) @ along / length2, 0.0, 1.0) if length2 > 0.0 else 0.0
    return np.linalg.norm(points - a - np.multiply.outer(share, along), axis=1)


def _middle(corners: Array) -> Array:
    return 0.5 * (corners.min(axis=0) + corners.max(axis=0))


def _minimize(error: Callable[[Array], float], start: Array, size: float) -> Array:
    """Nelder and Mead's method, which needs no gradient of a function with kinks, twice."""
    x = start
    for _ in range(2):
        steps = np.vstack((np.zeros(len(x)), 0.05 * size * np.eye(len(x))))
        options = {"xatol": _ENDING * size, "fatol": _ENDING * size, "initial_simplex": x + steps}
        x = minimize(error, x, method="Nelder-Mead", options=options).x
    return np.asarray(x)
