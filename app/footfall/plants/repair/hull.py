"""Convex hulls with few corners: what a rigid contact engine wants of a mesh."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.spatial import ConvexHull, QhullError

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.files import write_text

_THINNEST = 1e-4  # of the size: a flat mesh becomes a plate of this thickness


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
