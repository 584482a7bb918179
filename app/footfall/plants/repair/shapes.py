"""Spheres, capsules, boxes and hulls of few corners for convex parts, with how far they are off.

The error of a fit is the Hausdorff distance of the two convex bodies: no point of one is farther
than this from the other, and their support functions differ by no more in any direction. A foot is
round or flat where it stands and anything elsewhere: the error of a fit to a sole is the largest
difference of the support functions over the directions that lie within REACH of the downward one.

Frames: M the mesh, G the shape (z the axis of a capsule, the box along x, y and z).
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog, minimize
from scipy.spatial import ConvexHull, QhullError

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.files import write_text

_ENDING = 1e-5  # of the size: where the search for a fit ends
_SMALL = 0.02  # of the size of a part: an error that makes no other shape of it
_HOPELESS = 5.0  # tolerances: a capsule that begins farther off will not come so near
_SHORTEST = 0.02  # a capsule whose straight part is shorter, in radii, is called a sphere
_THINNEST = 1e-4  # of the size: a flat mesh becomes a plate of this thickness
REACH = math.radians(60.0)
LEFT = 0.25  # of the size of a part: what a fit may miss where it does not face the ground
_FITTED, _JUDGED = 600, 20_000  # directions
_BULKY = 1.5  # a sphere for a sole is at most so large, in sizes of the part


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
    fits = [_capsule_from(part, ends, within) for ends in _capsules(part.corners)]
    return min(fits, key=lambda fit: fit.error, default=fit_sphere(part))


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
    fits = [Fit(box, error_of_box(part, box)) for box in bounding_boxes(part)]
    return min(fits, key=lambda fit: fit.error)


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


@dataclass(frozen=True)
class Hull:
    """A convex hull: corners (n, 3), triangles (m, 3) seen counter-clockwise from outside.

    error: how far the hull of all points reaches beyond this one, in the unit of the points.
    """

    corners: Array
    triangles: npt.NDArray[np.int64]
    error: float

    def write(self, path: Path) -> None:
        """Write it as a Wavefront OBJ."""
        lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in self.corners]
        lines += [f"f {i} {j} {k}" for i, j, k in self.triangles + 1]
        write_text(path, "\n".join(lines) + "\n")


def small_hull(points: Array, *, within: float, most: int) -> Hull:
    """Return a hull of at most ``most`` of the points that all others leave by ``within`` at most.

    points: (n, 3). Corners are added where the rest reaches farthest beyond the hull, until either
    bound is met. A flat set of points is given a thickness. Raises ModelError for points on a line.
    """
    points = thickened(np.unique(points, axis=0))
    points = points[ConvexHull(points).vertices]
    chosen = _first_corners(points)
    while True:
        hull = ConvexHull(points[chosen])
        beyond = points @ hull.equations[:, :3].T + hull.equations[:, 3]
        reach = beyond.max(axis=1)
        farthest = int(reach.argmax())
        if reach[farthest] <= within or len(chosen) >= most or farthest in chosen:
            break
        chosen.append(farthest)
    corners = points[chosen][hull.vertices]
    number_of = np.full(len(chosen), -1)
    number_of[hull.vertices] = np.arange(len(hull.vertices))
    return Hull(corners, _outward(hull, number_of), max(0.0, float(reach[farthest])))


def count_corners(points: Array) -> int:
    """Count the corners of the convex hull of points (n, 3); raises ModelError as small_hull."""
    return len(ConvexHull(thickened(np.unique(points, axis=0))).vertices)


def thickened(points: Array) -> Array:
    """Points that span a volume: those of a flat mesh are doubled along its normal."""
    centre = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - centre, full_matrices=False)
    size = float(np.abs(points - centre).max(initial=0.0))
    if len(points) < 3 or spread[1] <= _THINNEST * spread[0]:
        raise ModelError("its points lie on a line or in one place, which has no hull.")
    reach = np.abs((points - centre) @ axes[2]).max()
    if reach >= 0.5 * _THINNEST * size:
        return points
    step = 0.5 * _THINNEST * size * axes[2]
    return np.concatenate((points - step, points + step))


def _first_corners(points: Array) -> list[int]:
    """Places of four points or more that span a volume: the farthest along six directions."""
    chosen: list[int] = []
    for axis in np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2]:
        along = points @ axis
        chosen += [int(along.argmin()), int(along.argmax())]
    chosen = list(dict.fromkeys(chosen))
    try:
        ConvexHull(points[chosen])
    except QhullError:  # they lie in a plane: take all there are, which span a volume
        return list(range(len(points)))
    return chosen


def _outward(hull: ConvexHull, number_of: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Triangles of a hull with corners renumbered, turned so that their normals point outward."""
    triangles = hull.simplices.copy()
    a, b, c = (hull.points[triangles[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
    triangles[inward] = triangles[inward][:, ::-1]
    renumbered: npt.NDArray[np.int64] = number_of[triangles]
    return renumbered


def fit_sole(part: Part, down: Array, *, within: float) -> Fit | None:
    """Return the sphere, else the box, that a part looks like from below; None if neither is.

    down: unit vector (3,) in the frame of the part. The error includes what may lie between the
    directions that are looked at.
    """
    sphere = _sphere(part, down)
    if sphere is not None and sphere.error <= within:
        return sphere
    boxes = [
        Fit(box, _error_from_below(part, box, down))
        for box in bounding_boxes(part)
        if error_of_box(part, box) <= LEFT * part.size
    ]
    best = min(boxes, key=lambda fit: fit.error, default=None)
    return best if best is not None and best.error <= within else None


def directions_around(axis: Array, reach: float, count: int) -> tuple[Array, float]:
    """Return unit vectors (count, 3) spread evenly over a cone about an axis, and their spacing.

    reach: half the opening angle [rad]. No direction of the cone is farther than the spacing [rad]
    from one of them. They lie on Fibonacci's spiral.
    """
    k = np.arange(count) + 0.5
    along = 1.0 - (1.0 - math.cos(reach)) * k / count
    turn = math.pi * (1.0 + math.sqrt(5.0)) * k
    across = np.sqrt(1.0 - along**2)
    x, y = np.linalg.svd(axis.reshape(1, 3))[2][1:]
    spread = np.outer(across * np.cos(turn), x) + np.outer(across * np.sin(turn), y)
    # each has the same share of the cone: a disc of that area, with what a spiral wastes
    spacing = 2.0 * math.sqrt(2.0 * (1.0 - math.cos(reach)) / count)
    return spread + np.outer(along, axis), spacing


def _sphere(part: Part, down: Array) -> Fit | None:
    """The sphere c.u + r nearest to the support function h(u): a linear programme."""
    u, _ = directions_around(down, REACH, _FITTED)
    support = (u @ part.corners.T).max(axis=1)
    one = np.ones((len(u), 1))
    rows = np.hstack((u, one, -one)), np.hstack((-u, -one, -one))
    bounds = [(None, None)] * 3 + [(0.0, _BULKY * part.size), (0.0, None)]
    solution = linprog(
        [0, 0, 0, 0, 1],
        A_ub=np.vstack(rows),
        b_ub=np.concatenate((support, -support)),
        bounds=bounds,
    )
    if not solution.success:
        return None
    centre, radius = solution.x[:3], float(solution.x[3])
    u, spacing = directions_around(down, REACH, _JUDGED)
    differences = u @ centre + radius - (u @ part.corners.T).max(axis=1)
    farthest = float(np.linalg.norm(part.corners - centre, axis=1).max())
    error = float(np.abs(differences).max()) + spacing * farthest
    return Fit(Sphere(centre, radius), error, max(0.0, farthest - radius))


def _error_from_below(part: Part, box: Box, down: Array) -> float:
    """The support function of a bounding box is nowhere below that of its part."""
    u, spacing = directions_around(down, REACH, _JUDGED)
    beyond = np.abs(u @ box.R_MG) @ (0.5 * box.size) + u @ box.centre
    differences = beyond - (u @ part.corners.T).max(axis=1)
    return float(differences.max()) + spacing * float(np.linalg.norm(box.size))
