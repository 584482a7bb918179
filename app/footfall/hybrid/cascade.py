"""Cascades of period doublings, and where they accumulate (M. J. Feigenbaum, 1978).

Each flip is the first on the branch that begins at the one before. p may turn on the way.
Source: M. J. Feigenbaum: Quantitative universality for a class of nonlinear transformations,
Journal of Statistical Physics 19 (1978) 25-52.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.hybrid.branch_curve import BranchCurve, NotContinued
from footfall.hybrid.branch_follow import BranchOptions, Follower
from footfall.hybrid.branch_special import Special
from footfall.hybrid.fixed_point import FixedPoint, NotFound
from footfall.hybrid.flip import Flip, doubled, flip_direction, locate_flip
from footfall.hybrid.return_map import ParametricMap

FEIGENBAUM = 4.669201609102990  # limit of the ratios of maps with one quadratic extremum
_SMALL = 1e-3  # first amplitude on a branch, over the size of the first orbit
_SMALLER = 0.1  # the same, over the amplitude of the branch before
_THIN = 1e-2  # least scale of a component beside that of the widest
_FAST = BranchOptions(first=0.05, longest=0.3, turn=0.5, most=500)

Report = Callable[[float], bool | None]


@dataclass(frozen=True)
class Cascade:
    """Flips of periods n, 2 n, 4 n, ... and what follows from their parameters.

    message: why there are fewer flips than were asked for, else ''.
    """

    flips: tuple[Flip, ...]
    message: str

    @property
    def p(self) -> Array:
        """Parameters of the flips (levels,)."""
        return np.array([each.p for each in self.flips])

    @property
    def ratios(self) -> Array:
        """(p_i - p_(i-1)) / (p_(i+1) - p_i), (levels - 2,): they tend to FEIGENBAUM."""
        gaps = np.diff(self.p)
        return np.asarray(gaps[:-1] / gaps[1:])

    @property
    def accumulation(self) -> float:
        """Accumulation point of the flips, from the last two and the Feigenbaum constant.

        NaN for fewer than two flips.
        """
        if len(self.flips) < 2:
            return float("nan")
        return float(self.p[-1] + (self.p[-1] - self.p[-2]) / (FEIGENBAUM - 1.0))

    @property
    def aitken(self) -> float:
        """The same from the last three alone (Aitken's delta squared); NaN for fewer."""
        if len(self.flips) < 3:
            return float("nan")
        before, last = np.diff(self.p[-3:])
        return float(self.p[-1] - last**2 / (last - before))

    @property
    def error(self) -> float:
        """Difference of the two estimates."""
        return abs(self.accumulation - self.aitken)


def cascade(
    map_: ParametricMap, start: Flip | FixedPoint, levels: int, report: Report | None = None
) -> Cascade:
    """The flip of start, or the one near it, and those of the doubled orbits, levels in all.

    report: is called with p of each flip, and stops by returning True. Flips found before one is
    not found are kept, with the reason. Raises NotFound if there is no first flip.
    """
    flip = start if isinstance(start, Flip) else locate_flip(map_, start)
    flips, message = [flip], ""
    small = _SMALL * (float(np.abs(flip.point.orbit).max()) or 1.0)
    while not message:
        if report is not None and report(flips[-1].p):
            message = "stopped by whom it was reported to"
        elif len(flips) >= levels:
            break
        else:
            try:
                flip, amplitude = next_flip(map_, flips[-1], small)
            except NotFound as why:
                message = str(why)
            else:
                flips.append(flip)
                small = _SMALLER * amplitude
    return Cascade(tuple(flips), message)


def next_flip(map_: ParametricMap, flip: Flip, small: float) -> tuple[Flip, float]:
    """The first flip on the branch of twice the period, and about what its amplitude is.

    small: amplitude at which to begin, well below that of the next flip. The branch is followed in
    units of where its second multiplier, which falls with the square of the amplitude, would be -1.
    Raises NotFound.
    """
    begin = doubled(map_, flip, small)
    fall = abs(1.0 - begin.critical.real) / small**2
    size = float(np.abs(flip.point.orbit).max()) or 1.0
    amplitude = min(float(np.sqrt(2.0 / fall)), size) if fall > 0.0 else size
    gap = abs(begin.point.p - flip.p) * (amplitude / small) ** 2
    apart = 0.5 * np.subtract(*np.split(begin.point.orbit, 2))
    mean = np.sqrt(np.mean(apart**2, axis=0)) * amplitude / small
    scale = np.append(np.maximum(mean, _THIN * mean.max()), gap)
    try:
        return _first_flip(
            BranchCurve(map_, begin.point.period, scale), flip, begin.point
        ), amplitude
    except NotContinued as why:
        raise NotFound(f"no flip after that at p = {flip.p}: {why}") from why


def _first_flip(curve: BranchCurve, flip: Flip, begin: FixedPoint) -> Flip:
    """The first flip of a curve that begins at another; raises NotContinued."""
    w = curve.coordinates(begin.orbit, begin.p)
    origin = curve.coordinates(np.vstack([flip.point.orbit] * 2), flip.p)
    follower = Follower(curve, curve.point(w, w - origin), (-np.inf, np.inf), _FAST)
    for _ in range(_FAST.most):
        for kind, at in follower.advance():
            if kind is Special.FLIP:
                point = curve.fixed_point(at)
                return Flip(point.p, point, flip_direction(point.D))
    raise NotContinued(f"no flip within {_FAST.most} points of the branch")
