"""Flips of a map: where a multiplier is -1, the orbits of twice the period, and their cascades.

Near a flip the points of the doubled orbit are nearly s_i + a d_i and s_i - a d_i, with an
amplitude a and the image d_i of the eigenvector v of the multiplier -1. It is held at a distance a
from the flip, v . (y_0 - y_n) = 2 a, while p is free; so the new branch is found on whichever side
of p it is, and the old one has no such point.

In a cascade each flip is the first on the branch that begins at the one before; p may turn on the
way. Source: M. J. Feigenbaum: Quantitative universality for a class of nonlinear transformations,
Journal of Statistical Physics 19 (1978) 25-52.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.hybrid.branch import BranchCurve, BranchOptions, Follower, NotContinued, flip_test
from footfall.hybrid.fixed_point import (
    FixedPoint,
    NoReturn,
    NotFound,
    ReturnMap,
    find_fixed_point,
    shoot,
)

FEIGENBAUM = 4.669201609102990  # limit of the ratios of maps with one quadratic extremum
_RELATIVE = 1e-14  # error of p
_THIN = 1e-2  # least scale of a component beside that of the widest
_FAST = BranchOptions(first=0.05, longest=0.3, turn=0.5, most=500)


@dataclass(frozen=True)
class Flip:
    """An orbit with a multiplier -1 and the unit eigenvector (m,) of it."""

    point: FixedPoint
    direction: Array

    @classmethod
    def at(cls, point: FixedPoint) -> "Flip":
        """The flip of an orbit; its eigenvector's largest component is positive."""
        multipliers, vectors = np.linalg.eig(point.D)
        v = vectors[:, np.argmin(np.abs(multipliers + 1.0))].real
        return cls(point, v / np.linalg.norm(v) * np.sign(v[np.argmax(np.abs(v))]))

    @property
    def p(self) -> float:
        """Parameter of the flip."""
        return self.point.p


@dataclass(frozen=True)
class Cascade:
    """Flips of periods n, 2 n, 4 n, ... and what follows from their parameters."""

    flips: tuple[Flip, ...]

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


def locate_flip(map_: ReturnMap, first: FixedPoint, last: FixedPoint) -> Flip:
    """The flip between two fixed points of one branch, to 1e-14 of p where the map allows it.

    det(D + I) must change its sign between them. Raises NotFound.
    """
    size = abs(first.p) or 1.0
    known = [first, last]

    def test(p: float) -> float:
        guess = min(known, key=lambda each: abs(each.p - p))
        if guess.p != p:
            guess = find_fixed_point(map_, guess.orbit[0], p)
            known.append(guess)
        return flip_test(guess.D)

    try:
        p = brentq(test, first.p, last.p, xtol=_RELATIVE * size, rtol=_RELATIVE)
    except (NoReturn, RuntimeError, ValueError) as why:
        raise NotFound(f"no flip near p = {first.p}: {why}") from why
    return Flip.at(find_fixed_point(map_, known[-1].orbit[0], float(p)))


def next_flip(map_: ReturnMap, flip: Flip, small: float) -> tuple[Flip, float]:
    """The first flip on the branch of twice the period, and about what its amplitude is.

    small: amplitude at which to begin, well below that of the next flip. The branch is followed in
    units of where its second multiplier, which falls with the square of the amplitude, would be -1.
    Raises NotFound.
    """
    begin = doubled(map_, flip, small)
    critical = begin.multipliers[np.argmin(np.abs(begin.multipliers - 1.0))]  # 1 at the flip
    fall = abs(1.0 - critical.real) / small**2
    size = float(np.abs(flip.point.orbit).max()) or 1.0
    amplitude = min(float(np.sqrt(2.0 / fall)), size) if fall > 0.0 else size
    gap = abs(begin.p - flip.p) * (amplitude / small) ** 2
    apart = 0.5 * np.subtract(*np.split(begin.orbit, 2))
    mean = np.sqrt(np.mean(apart**2, axis=0)) * amplitude / small
    scale = np.append(np.maximum(mean, _THIN * mean.max()), gap)
    try:
        return _first_flip(BranchCurve(map_, begin.period, scale), flip, begin), amplitude
    except NotContinued as why:
        raise NotFound(f"no flip after that at p = {flip.p}: {why}") from why


def _first_flip(curve: BranchCurve, flip: Flip, begin: FixedPoint) -> Flip:
    """The first flip of a curve that begins at another; raises NotContinued."""
    w = curve.coordinates(begin.orbit, begin.p)
    origin = curve.coordinates(np.vstack([flip.point.orbit] * 2), flip.p)
    follower = Follower(curve, curve.point(w, w - origin), (-np.inf, np.inf), _FAST)
    for _ in range(_FAST.most):
        at = follower.advance()
        if at is not None:
            return Flip.at(curve.fixed_point(at))
    raise NotContinued(f"no flip within {_FAST.most} points of the branch")


def doubled(map_: ReturnMap, flip: Flip, amplitude: float) -> FixedPoint:
    """The orbit of twice the period that is ``amplitude`` away from a flip.

    Half the distance of its points along the direction of the flip, below which it is not put, so
    that the orbit of the flip itself, run through twice, is left out. The other sign of the
    amplitude is the same orbit from its other point. Raises NotFound.
    """
    s, d = flip.point.orbit, [flip.direction]
    try:
        for D in shoot(map_, s, flip.p).D[:-1]:
            d.append(D @ d[-1])
        apart = np.vstack([d, np.negative(d)])
        scale = np.append(np.full(s.shape[1], np.abs(s).max() or 1.0), abs(flip.p) + abs(amplitude))
        curve = BranchCurve(map_, 2 * len(s), scale)
        guess = curve.coordinates(np.vstack([s, s]) + amplitude * apart, flip.p)
        row = np.zeros_like(apart)
        row[0], row[len(s)] = flip.direction, -flip.direction
        return curve.fixed_point(curve.point(guess, curve.scaled(row)))
    except (NoReturn, NotContinued) as why:
        raise NotFound(
            f"no doubled orbit {amplitude:.1e} from the flip at p = {flip.p}: {why}"
        ) from why
