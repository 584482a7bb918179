"""What counts along a path, and how it moves with the angles: by central differences in one go.

At a station a quantity hangs on the two angles there; where the rear wheel passes a seam, on the
four at both ends of the interval. Lanes: the path itself, then each angle a little more and less.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.criteria import clearance
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import Pose, pose
from footfall.machines.ugv.optimum.crossings import crossing, pose_at_seam
from footfall.machines.ugv.optimum.problem import Problem

STEP = 1e-6  # rad
QUANTITIES = (
    *("torque", "leg_r", "leg_f", "theta_r", "theta_f"),
    *("needed_r", "needed_f", "normal_r", "normal_f", "clearance", "rear", "wheelbase"),
)


@dataclass(frozen=True, eq=False)
class Sought:
    """Quantities (12, ...) of QUANTITIES at a path and its neighbours.

    stations (12, 5, n): lanes 0, rear angle +-, front angle +-. seams (12, 9, c, 2): lanes 0, then
    rear and front angle at the interval's begin, rear and front at its end, each +-; before and
    after every seam.
    """

    stations: Array
    seams: Array


@dataclass(frozen=True, eq=False)
class Met:
    """Seams (c,) [m] that the rear wheel passes, and the intervals (c,) in which it does."""

    places: Array
    intervals: npt.NDArray[np.int64]


def met(problem: Problem, rear: Array) -> Met:
    """Seams between the rear wheel's places (n,) at the stations."""
    pairs = [
        (seam, k)
        for seam in problem.rear_seams
        for k in np.flatnonzero((rear[:-1] < seam) & (rear[1:] >= seam))
    ]
    return Met(
        np.array([seam for seam, _ in pairs]), np.array([k for _, k in pairs], dtype=np.int64)
    )


def sought(problem: Problem, phi: Array, where: Met) -> Sought:
    """All quantities about a path (2, n)."""
    lanes = np.repeat(phi[:, None], 5, axis=1)
    for side in range(2):
        lanes[side, 1 + 2 * side] += STEP
        lanes[side, 2 + 2 * side] -= STEP
    s = problem.stations
    stations = _quantities(problem, pose(problem.parameters, problem.curve, s, *lanes))
    if not len(where.places):
        return Sought(stations, np.zeros((len(QUANTITIES), 9, 0, 2)))
    k = where.intervals
    ends = np.array([phi[0, k], phi[1, k], phi[0, k + 1], phi[1, k + 1]])
    ends = np.repeat(ends[:, None], 9, axis=1)
    for number in range(4):
        ends[number, 1 + 2 * number] += STEP
        ends[number, 2 + 2 * number] -= STEP
    way = s[k + 1] - s[k]
    slope_r, slope_f = (ends[2] - ends[0]) / way, (ends[3] - ends[1]) / way
    begin = np.broadcast_to(s[k], ends[0].shape)
    at, r, f = crossing(problem, where.places, begin, (ends[0], slope_r), (ends[1], slope_f))
    seams = _quantities(problem, pose_at_seam(problem, where.places, at, r, f))
    return Sought(stations, np.moveaxis(seams, 1, -1))


def _quantities(problem: Problem, at: Pose) -> Array:
    given = problem.parameters
    of = forces(given, at)
    with np.errstate(divide="ignore"):
        needed = of.friction / of.normal_r, of.friction / of.normal_f
    return np.array(
        [
            of.torque,
            of.leg_r,
            of.leg_f,
            at.rear.arc / given.r + at.psi - at.phi_r,
            at.front.arc / given.r + at.psi + at.phi_f,
            *needed,
            of.normal_r,
            of.normal_f,
            clearance(given, problem.track, at),
            at.rear.s,
            at.wheelbase,
        ]
    )
