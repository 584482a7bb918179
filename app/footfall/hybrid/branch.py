"""Branches of fixed points and periodic orbits of a map over its parameter, folds included.

Pseudo-arclength: a step along the tangent, then Newton's method across it, with bifurcations looked
for in between.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from footfall.arrays import Array
from footfall.hybrid.branch_curve import BranchCurve, NotContinued
from footfall.hybrid.branch_follow import BranchOptions, Follower
from footfall.hybrid.branch_special import Special
from footfall.hybrid.fixed_point import FixedPoint, NotFound
from footfall.hybrid.return_map import NoReturn, ParametricMap
from footfall.hybrid.shooting import Multipliers

__all__ = [
    "Branch",
    "BranchEnd",
    "BranchOptions",
    "Special",
    "SpecialPoint",
    "follow_branch",
]

Report = Callable[[float], bool | None]


class BranchEnd(Enum):
    """Reason for the end of a branch."""

    END_OF_RANGE = "end of range"
    NO_RETURN = "no return"  # of the orbit, however short the step
    NOT_FOUND = "not found"  # for another reason, which the message tells
    MOST_POINTS = "most points"
    STOPPED = "stopped"


@dataclass(frozen=True)
class SpecialPoint:
    """A bifurcation: its kind, the orbit there, and the number of the point that it comes after."""

    kind: Special
    point: FixedPoint
    after: int


@dataclass(frozen=True)
class Branch:
    """Points in the order in which they were found, special points, and why there are no more."""

    points: tuple[FixedPoint, ...]
    special: tuple[SpecialPoint, ...]
    end: BranchEnd
    message: str

    @property
    def p(self) -> Array:
        """Parameter of every point (k,)."""
        return np.array([each.p for each in self.points])

    @property
    def orbits(self) -> Array:
        """Orbit of every point (k, period, m)."""
        return np.array([each.orbit for each in self.points])

    @property
    def multipliers(self) -> Multipliers:
        """Multipliers of every point (k, m)."""
        return np.array([each.multipliers for each in self.points])


def follow_branch(
    map_: ParametricMap,
    start: FixedPoint,
    end: float,
    options: BranchOptions | None = None,
    report: Report | None = None,
) -> Branch:
    """Follow the branch of a fixed point from its p towards p = end, until p leaves that range.

    The branch may turn and leave the range where it began; the last point is on the border, where
    it was reached. report: is called with p of each point, and stops by returning True. Raises
    ValueError for a range without a length and NotFound where nothing begins.
    """
    if end == start.p:
        raise ValueError(f"a branch needs a range, but it begins and ends at p = {end}")
    options = options or BranchOptions()
    scale = _scale(start, end) if options.scale is None else np.asarray(options.scale)
    curve = BranchCurve(map_, start.period, scale)
    w = curve.coordinates(start.orbit, start.p)
    along_p = np.append(np.zeros(w.size - 1), np.sign(end - start.p))
    try:
        first = curve.point(w, along_p)
    except NotContinued as why:
        raise NotFound(f"no branch begins at p = {start.p}: {why}") from why
    low, high = sorted((w[-1], end / scale[-1]))
    follower = Follower(curve, first, (float(low), float(high)), options)
    points, special = [curve.fixed_point(first)], list[SpecialPoint]()
    while True:
        ending = _ending(follower, points, options, report)
        if ending is None:
            try:
                found = follower.advance()
            except NotContinued as why:
                fell = isinstance(why.__cause__, NoReturn)
                kind = BranchEnd.NO_RETURN if fell else BranchEnd.NOT_FOUND
                ending = kind, f"no point beyond p = {points[-1].p}: {why}"
        if ending is not None:
            return Branch(tuple(points), tuple(special), *ending)
        after = len(points) - 1
        special += [SpecialPoint(each.kind, curve.fixed_point(each.at), after) for each in found]
        points.append(curve.fixed_point(follower.last))


def _scale(start: FixedPoint, end: float) -> Array:
    """Scale of y and p, (m + 1,), where none is given."""
    size = float(np.abs(start.orbit).max()) or 1.0
    return np.append(np.full(start.orbit.shape[1], size), abs(end - start.p))


def _ending(
    follower: Follower, points: list[FixedPoint], options: BranchOptions, report: Report | None
) -> tuple[BranchEnd, str] | None:
    """Return why a branch ends at its last point, if it does."""
    if report is not None and report(points[-1].p):
        return BranchEnd.STOPPED, "stopped by whom it was reported to"
    if follower.outside:
        return BranchEnd.END_OF_RANGE, f"the branch leaves the range at p = {points[-1].p}"
    if len(points) >= options.most:
        return BranchEnd.MOST_POINTS, f"{options.most} points were found, and there are more"
    return None
