"""Spheres and boxes for feet: fitted to what of a part faces the ground.

A foot is round or flat where it stands and anything elsewhere. The error of such a fit is the
largest difference of the support functions of part and shape over the directions that lie within
REACH of the downward one; all round, `footfall.plants.repair.shapes` fits.
"""

import math

import numpy as np
from scipy.optimize import linprog

from footfall.arrays import Array
from footfall.plants.repair.shapes import (
    Box,
    Fit,
    Part,
    Sphere,
    bounding_boxes,
    error_of_box,
)

REACH = math.radians(60.0)
LEFT = 0.25  # of the size of a part: what a fit may miss where it does not face the ground
_FITTED, _JUDGED = 600, 20_000  # directions
_BULKY = 1.5  # a sphere for a sole is at most so large, in sizes of the part


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
    found = linprog(
        [0, 0, 0, 0, 1],
        A_ub=np.vstack(rows),
        b_ub=np.concatenate((support, -support)),
        bounds=bounds,
    )
    if not found.success:
        return None
    centre, radius = found.x[:3], float(found.x[3])
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
