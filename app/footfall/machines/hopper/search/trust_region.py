"""Sequential linear programming in a trust region: to the next local optimum of a jump.

Maximises the least of several values of y under constraints that are to stay positive, all of them
smooth only in pieces. Where what y gives is not valid at all it is not entered. Derivatives by
differences; lost constraints cost so much a unit that none stays lost where it need not.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog

from footfall.arrays import Array

_PRICE = 30.0  # of a unit of a lost constraint, in units of the values
_NEAR = 0.5  # constraints farther from their bounds do not take part
_SHRINK, _GROW = 0.4, 1.8
_LEAST_RADIUS, _MOST_RADIUS = 1e-6, 1.0
_GAIN = 1e-9
_POOR = 0.3  # of what was promised


@dataclass(frozen=True)
class SearchSpace:
    """Search space: scale, lower, upper (n,) of y, and rows A y <= b that hold exactly.

    difference: of the derivatives, in scales.
    """

    scale: Array
    lower: Array
    upper: Array
    A: Array = field(default_factory=lambda: np.empty((0, 0)))
    b: Array = field(default_factory=lambda: np.empty(0))
    difference: float = 1e-6


# values (k,) and constraints (m,) of a y, None where it is not valid
Evaluate = Callable[[Array], tuple[Array, Array] | None]


@dataclass
class TrustRegionSearch:
    """A search under way: y, its worth, and the radius of trust in scales.

    merit: the least value, less the price of what is lost. over: no step leads on.
    """

    evaluate: Evaluate
    space: SearchSpace
    y: Array
    radius: float = 0.1
    merit: float = -math.inf
    over: bool = False

    def __post_init__(self) -> None:
        """Value where it begins; over at once where that is not valid."""
        self.y = np.clip(self.y, self.space.lower, self.space.upper)
        self._at = self.evaluate(self.y)
        if self._at is None:
            self.over = True
        else:
            self.merit = _merit(*self._at)

    def step(self) -> bool:
        """Go on to a better y; false, and over, where there is none."""
        if self._at is None or self.over:
            return False
        values, limits = self._at
        gradients, slopes = self._derivatives(values, limits)
        while self.radius > _LEAST_RADIUS:
            move, promised = self._best_move(values, limits, gradients, slopes)
            found, gained = self._tried(move)
            if found is not None and gained < promised * _POOR:
                # what bends is met anew: the lines are laid through what was found there
                bent = found[0] - gradients @ move, found[1] - slopes @ move
                again, _ = self._best_move(*bent, gradients, slopes)
                second, more = self._tried(again)
                if more > gained:
                    move, found, gained = again, second, more
            if found is not None and gained > _GAIN:
                self.y, self._at = self.y + move * self.space.scale, found
                self.merit += gained
                ratio = gained / max(promised, _GAIN)
                grown = self.radius * (_GROW if ratio > 0.6 else 1.0 if ratio > _POOR else 0.5)
                self.radius = min(grown, _MOST_RADIUS)
                return True
            self.radius *= _SHRINK
        self.over = True
        return False

    def _tried(self, move: Array) -> tuple[tuple[Array, Array] | None, float]:
        """Values at the end of a move, and its gain."""
        found = self.evaluate(self.y + move * self.space.scale)
        return found, -math.inf if found is None else _merit(*found) - self.merit

    def _derivatives(self, values: Array, limits: Array) -> tuple[Array, Array]:
        """Of values (k, n) and constraints (m, n) by y in scales; 0 where none can be had."""
        n, h = self.y.size, self.space.difference
        gradients, slopes = np.zeros((values.size, n)), np.zeros((limits.size, n))
        for i in range(n):
            for side in (h, -h):
                y = self.y.copy()
                y[i] += side * self.space.scale[i]
                found = self.evaluate(y)
                if found is not None:
                    gradients[:, i] = (found[0] - values) / side
                    slopes[:, i] = (found[1] - limits) / side
                    break
        return gradients, slopes

    def _best_move(
        self, values: Array, limits: Array, gradients: Array, slopes: Array
    ) -> tuple[Array, float]:
        """The move in scales that promises most within the radius, and what it promises.

        Unknowns: the move (n,), the least value, and what is lost of each near constraint.
        """
        space, n, k = self.space, self.y.size, values.size
        near = limits < _NEAR
        violated = int(near.sum())
        cost = np.concatenate([np.zeros(n), [-1.0], np.full(violated, _PRICE)])
        rows = [
            np.hstack([-gradients, np.ones((k, 1)), np.zeros((k, violated))]),
            np.hstack([-slopes[near], np.zeros((violated, 1)), -np.eye(violated)]),
        ]
        bounds = [values, limits[near]]
        if space.b.size:
            fixed = space.A * space.scale
            rows.append(np.hstack([fixed, np.zeros((space.b.size, 1 + violated))]))
            bounds.append(np.maximum(space.b - space.A @ self.y, 0.0))
        low = np.clip((space.lower - self.y) / space.scale, -self.radius, 0.0)
        high = np.clip((space.upper - self.y) / space.scale, 0.0, self.radius)
        found = linprog(
            cost,
            A_ub=np.vstack(rows),
            b_ub=np.concatenate(bounds),
            bounds=[*zip(low, high, strict=True), (None, None), *([(0.0, None)] * violated)],
            method="highs",
        )
        if found.x is None:
            return np.zeros(n), 0.0
        return found.x[:n], -float(found.fun) - self.merit


def _merit(values: Array, limits: Array) -> float:
    return float(values.min() + _PRICE * np.minimum(limits, 0.0).sum())
