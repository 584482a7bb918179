"""Steps along a curve of fixed points, as long as its turns allow."""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.hybrid.branch_curve import BranchCurve, CurvePoint, NotContinued
from footfall.hybrid.branch_special import SpecialOnCurve, special_between

_EASY = 3  # iterations of Newton's method, after which the step may grow


@dataclass(frozen=True)
class BranchOptions:
    """Options of following a branch.

    Lengths are of the curve (y, p) / scale: first, longest, shortest. scale (m + 1,): of y and p,
    by default the largest component of the first orbit and the range of p. turn [rad]: most between
    two tangents. most: points.
    """

    first: float = 0.01
    longest: float = 0.05
    shortest: float = 1e-7
    turn: float = 0.2
    most: int = 1000
    scale: Array | None = None


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

    def advance(self) -> list[SpecialOnCurve]:
        """Go to the next point, by shorter steps where it is not found; raises NotContinued.

        Returns the special points on the way.
        """
        last = self.last
        while True:
            try:
                new = self._next()
                special = special_between(self._curve, last, new)
                break
            except NotContinued:
                self.outside = False
                self._step *= 0.5
                if self._step < self._options.shortest:
                    raise
        self.last = new
        if new.iterations <= _EASY:
            self._step = min(1.5 * self._step, self._options.longest)
        return special

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
