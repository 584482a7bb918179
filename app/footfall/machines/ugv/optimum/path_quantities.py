"""Quantities along a path and their sensitivities to the angles, by central differences.

At a station a quantity depends on the two angles there; where the rear wheel passes a non-smooth
point, on the four at both ends of the interval. One batch holds the path itself, then the path with
each angle a little more and a little less.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.criteria import clearance
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import VehiclePose, pose
from footfall.machines.ugv.optimum.crossings import crossing, pose_at_nonsmooth_point
from footfall.machines.ugv.optimum.problem import Problem

STEP = 1e-6  # rad
QUANTITIES = (
    *("torque", "leg_r", "leg_f", "theta_r", "theta_f"),
    *("needed_r", "needed_f", "normal_r", "normal_f", "clearance", "rear", "wheelbase"),
)


@dataclass(frozen=True, eq=False)
class PathQuantities:
    """Quantities (12, ...) of QUANTITIES at a path and its neighbours.

    stations (12, 5, n): the path, rear angle +-, front angle +-. nonsmooth (12, 9, c, 2): the path,
    then rear and front angle at the interval's begin, rear and front at its end, each +-; before
    and after every non-smooth point.
    """

    stations: Array
    nonsmooth: Array


@dataclass(frozen=True, eq=False)
class Crossings:
    """Non-smooth points (c,) [m] that the rear wheel passes, and the intervals (c,) of that."""

    nonsmooth_points: Array
    intervals: npt.NDArray[np.int64]


def find_crossings(problem: Problem, rear: Array) -> Crossings:
    """Return the non-smooth points between the rear wheel's abscissas (n,) at the stations."""
    pairs = [
        (point, k)
        for point in problem.rear_nonsmooth_points
        for k in np.flatnonzero((rear[:-1] < point) & (rear[1:] >= point))
    ]
    return Crossings(
        np.array([point for point, _ in pairs]), np.array([k for _, k in pairs], dtype=np.int64)
    )


def path_quantities(problem: Problem, phi: Array, crossings: Crossings) -> PathQuantities:
    """All quantities about a path (2, n)."""
    batch = np.repeat(phi[:, None], 5, axis=1)
    for side in range(2):
        batch[side, 1 + 2 * side] += STEP
        batch[side, 2 + 2 * side] -= STEP
    s = problem.stations
    stations = _quantities(problem, pose(problem.parameters, problem.curve, s, *batch))
    if not len(crossings.nonsmooth_points):
        return PathQuantities(stations, np.zeros((len(QUANTITIES), 9, 0, 2)))
    k = crossings.intervals
    ends = np.array([phi[0, k], phi[1, k], phi[0, k + 1], phi[1, k + 1]])
    ends = np.repeat(ends[:, None], 9, axis=1)
    for number in range(4):
        ends[number, 1 + 2 * number] += STEP
        ends[number, 2 + 2 * number] -= STEP
    spacing = s[k + 1] - s[k]
    slope_r, slope_f = (ends[2] - ends[0]) / spacing, (ends[3] - ends[1]) / spacing
    begin = np.broadcast_to(s[k], ends[0].shape)
    at, r, f = crossing(
        problem, crossings.nonsmooth_points, begin, (ends[0], slope_r), (ends[1], slope_f)
    )
    nonsmooth = _quantities(
        problem, pose_at_nonsmooth_point(problem, crossings.nonsmooth_points, at, r, f)
    )
    return PathQuantities(stations, np.moveaxis(nonsmooth, 1, -1))


def _quantities(problem: Problem, at: VehiclePose) -> Array:
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
