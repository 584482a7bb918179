"""Branches of fixed points and periodic orbits of a map over its parameter, folds included.

The curve of the orbits in the space of their points and the parameter is followed by pseudo-
arclength: a step along the tangent, as long as the curve's turns allow, then Newton's method of the
bordered system across it, which also works where the curve turns back in p. Flips are looked for in
between. Source: H. B. Keller: Numerical solution of bifurcation and nonlinear eigenvalue problems,
in Applications of Bifurcation Theory, 1977.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.hybrid.fixed_point import (
    FixedPoint,
    NoReturn,
    NotFound,
    ReturnMap,
    ShootingResult,
    is_settled,
    shoot,
)

_ITERATIONS = 12
_EASY = 3  # iterations of Newton's method, after which the step may grow
_LEAST = 1e-15  # relative error of numbers, as brentq takes it


@dataclass(frozen=True)
class BranchOptions:
    """Options of following a branch.

    Lengths are of the curve (y, p) / scale: first, longest, shortest. turn [rad]: most between two
    tangents. most: points.
    """

    first: float = 0.01
    longest: float = 0.05
    shortest: float = 1e-7
    turn: float = 0.2
    most: int = 1000


@dataclass(frozen=True)
class Branch:
    """Points in the order in which they were found; stop: why no more than these, else ''."""

    points: tuple[FixedPoint, ...]
    stop: str


def follow_branch(
    map_: ReturnMap,
    start: FixedPoint,
    end: float,
    options: BranchOptions | None = None,
    report: Callable[[float], None] | None = None,
) -> Branch:
    """Follow the branch of a fixed point from its p towards p = end, until p leaves that range.

    The branch may turn and leave the range where it began; the last point is on the border, where
    it was reached. The scale of y is the largest component of the first orbit, that of p the range.
    report: is called with p of each point. Raises ValueError for a range without a length and
    NotFound where nothing begins.
    """
    if end == start.p:
        raise ValueError(f"a branch needs a range, but it begins and ends at p = {end}")
    options = options or BranchOptions()
    size = float(np.abs(start.orbit).max()) or 1.0
    scale = np.append(np.full(start.orbit.shape[1], size), abs(end - start.p))
    curve = BranchCurve(map_, start.period, scale)
    w = curve.coordinates(start.orbit, start.p)
    along_p = np.append(np.zeros(w.size - 1), np.sign(end - start.p))
    try:
        first = curve.point(w, along_p)
    except NotContinued as why:
        raise NotFound(f"no branch begins at p = {start.p}: {why}") from why
    low, high = sorted((w[-1], end / scale[-1]))
    follower = Follower(curve, first, (float(low), float(high)), options)
    points = [curve.fixed_point(first)]
    while True:
        if report is not None:
            report(points[-1].p)
        if follower.outside:
            return Branch(tuple(points), "")
        if len(points) >= options.most:
            return Branch(tuple(points), f"{options.most} points were found, and there are more")
        try:
            follower.advance()
        except NotContinued as why:
            return Branch(tuple(points), f"no point beyond p = {points[-1].p}: {why}")
        points.append(curve.fixed_point(follower.last))


class NotContinued(Exception):
    """No point of the curve was found, and why; callers tell it in their own errors."""


@dataclass(frozen=True)
class CurvePoint:
    """A point of the curve: coordinates w and unit tangent, (n m + 1,) each, and the map there."""

    w: Array
    tangent: Array
    shot: ShootingResult
    iterations: int

    @cached_property
    def flip(self) -> float:
        """Zero where a multiplier of the orbit is -1."""
        return flip_test(self.shot.fixed_point(0.0).D)


class BranchCurve:
    """Orbits of a period n; scale (m + 1,) of y and p, all positive.

    Coordinates w = (y_0 / (scale sqrt(n)), ..., p / scale): lengths are of the mean of the points.
    """

    def __init__(self, map_: ReturnMap, period: int, scale: Array) -> None:
        self._map, self._period = map_, period
        self._y_scale = np.tile(scale[:-1], period)
        self._scale = np.append(self._y_scale * np.sqrt(period), scale[-1])

    def coordinates(self, orbit: Array, p: float) -> Array:
        """Coordinates of an orbit (n, m), (n m + 1,)."""
        return np.append(orbit.ravel(), p) / self._scale

    def scaled(self, row: Array) -> Array:
        """A linear function of orbits, by its coefficients (n, m), as one of coordinates."""
        return np.append(row.ravel(), 0.0) * self._scale

    def fixed_point(self, at: CurvePoint) -> FixedPoint:
        """A point of the curve in units of y and p."""
        return at.shot.fixed_point(self._p(at.w))

    def point(self, guess: Array, row: Array) -> CurvePoint:
        """The point of the curve with row . w = row . guess near guess; raises NotContinued.

        guess, row: (n m + 1,). The tangent is on the side of row.
        """
        w, goal = guess, row @ guess
        before, step, count = np.inf, np.inf, 0
        across = np.append(np.zeros(w.size - 1), 1.0)
        while True:
            shot = self._shoot(w)
            residual = np.append(shot.gap.ravel() / self._y_scale, row @ w - goal)
            J = shot.jacobian() * self._scale / self._y_scale[:, None]
            try:
                both = np.linalg.solve(np.vstack([J, row]), np.column_stack([-residual, across]))
            except np.linalg.LinAlgError:
                raise NotContinued("the bordered system is singular") from None
            if is_settled(step, before):
                return CurvePoint(w, both[:, 1] / np.linalg.norm(both[:, 1]), shot, count)
            if count == _ITERATIONS:
                raise NotContinued(
                    f"Newton's method still steps by {step:.1e} after {count} iterations"
                )
            before, step = step, float(np.abs(both[:, 0]).max())
            w, count = w + both[:, 0], count + 1

    def _p(self, w: Array) -> float:
        return float(w[-1] * self._scale[-1])

    def _shoot(self, w: Array) -> ShootingResult:
        orbit = (w[:-1] * self._scale[:-1]).reshape(self._period, -1)
        try:
            shot = shoot(self._map, orbit, self._p(w))
        except NoReturn as why:
            raise NotContinued(str(why)) from why
        if not (np.isfinite(shot.D).all() and np.isfinite(shot.value).all()):
            raise NotContinued("the map is not finite")
        return shot


class Follower:
    """The last point of a curve that was found, and the length of the next step.

    borders: lowest and highest p / scale; ``outside`` says that the last point lies on one of them
    and the curve goes on beyond.
    """

    def __init__(
        self,
        curve: BranchCurve,
        first: CurvePoint,
        borders: tuple[float, float],
        options: BranchOptions,
    ) -> None:
        self._curve, self._borders, self._options = curve, borders, options
        self._step = options.first
        self.last, self.outside = first, False

    def advance(self) -> CurvePoint | None:
        """Go to the next point, by shorter steps where it is not found; raises NotContinued.

        Returns the flip on the way, if there is one.
        """
        last = self.last
        while True:
            try:
                new = self._next()
                flip = _flip_between(self._curve, last, new)
                break
            except NotContinued:
                self.outside = False
                self._step *= 0.5
                if self._step < self._options.shortest:
                    raise
        self.last = new
        if new.iterations <= _EASY:
            self._step = min(1.5 * self._step, self._options.longest)
        return flip

    def _next(self) -> CurvePoint:
        """The point one step further, or that on the border on the way there."""
        last = self.last
        new = self._curve.point(last.w + self._step * last.tangent, last.tangent)
        if new.tangent @ last.tangent < np.cos(self._options.turn):
            raise NotContinued("the branch turns more sharply than steps can follow")
        low, high = self._borders
        self.outside = not low <= new.w[-1] <= high
        return self._on_border(new) if self.outside else new

    def _on_border(self, outside: CurvePoint) -> CurvePoint:
        """The point between the last one and one outside whose p is on the border."""
        a, b = self.last.w, outside.w
        border = np.clip(b[-1], *self._borders)
        if a[-1] == border:
            raise NotContinued("the branch turns on the border of its range")
        guess = a + (border - a[-1]) / (b[-1] - a[-1]) * (b - a)
        row = np.zeros(a.size)
        row[-1] = np.sign(b[-1] - a[-1])
        return self._curve.point(guess, row)


def flip_test(D: Array) -> float:
    """The determinant of D + I: zero where a multiplier is -1."""
    return float(np.linalg.det(D + np.eye(len(D))))


def _flip_between(curve: BranchCurve, a: CurvePoint, b: CurvePoint) -> CurvePoint | None:
    """The flip between two points of a curve, if there is one; raises NotContinued."""
    if a.flip * b.flip >= 0.0:
        return None
    chord = b.w - a.w
    rounding = _LEAST * (1.0 + np.abs(a.w).max() / np.linalg.norm(chord))
    known = {0.0: a, 1.0: b}

    def between(share: float) -> CurvePoint:
        """The point on a plane across the chord, from the nearest one known and its tangent."""
        if share not in known:
            nearest = min(known, key=lambda each: abs(each - share))
            at = known[nearest]
            ahead = (share - nearest) * (chord @ chord) / (chord @ at.tangent)
            known[share] = curve.point(at.w + ahead * at.tangent, chord)
        return known[share]

    return between(brentq(lambda share: between(share).flip, 0.0, 1.0, xtol=rounding, rtol=_LEAST))
