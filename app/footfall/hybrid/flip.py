"""Flips of a map: where a multiplier is -1, the orbits of twice the period, and their cascades.

Near a flip the points of the doubled orbit are s_i + a d_i and s_i - a d_i, with an amplitude a:

    (f(s_i + a d_i, p) + f(s_i - a d_i, p)) / 2 = s_(i+1)
    (f(s_i + a d_i, p) - f(s_i - a d_i, p)) / (2 a) = d_(i+1),  s_n = s_0, d_n = -d_0, v . d_0 = 1

with the eigenvector v of the multiplier -1. At a = 0 these are the equations of the flip itself,
and their solution (s, d, p) is a smooth even function of a through it; so the new branch is found
from the flip without leaving the old one out by hand, on whichever side of p it is.

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
    NotFound,
    ShootingResult,
    find_fixed_point,
    is_settled,
    shoot,
)
from footfall.hybrid.return_map import ManyPointsMap, NoReturn

FEIGENBAUM = 4.669201609102990  # limit of the ratios of maps with one quadratic extremum
_ITERATIONS = 12
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


def locate_flip(map_: ManyPointsMap, first: FixedPoint, last: FixedPoint) -> Flip:
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


def next_flip(map_: ManyPointsMap, flip: Flip, small: float) -> tuple[Flip, float]:
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


def doubled(map_: ManyPointsMap, flip: Flip, amplitude: float) -> FixedPoint:
    """The orbit of twice the period that is ``amplitude`` away from a flip.

    Half the distance of its points along the direction of the flip. s + a d comes first; the other
    sign of a is the same orbit from its other point. Raises NotFound.
    """
    try:
        return _split(map_, flip, amplitude)
    except (NoReturn, np.linalg.LinAlgError) as why:
        raise NotFound(
            f"no doubled orbit {amplitude:.1e} from the flip at p = {flip.p}: {why}"
        ) from why


def _split(map_: ManyPointsMap, flip: Flip, a: float) -> FixedPoint:
    """Newton's method for the equations of the doubled orbit, from the flip."""
    s, p = flip.point.orbit, flip.p
    d = _along(shoot(map_, s, p), flip.direction)
    n, m = s.shape
    size = float(np.abs(s).max()) or 1.0
    scale = np.concatenate([np.full(n * m, size), np.ones(n * m), [abs(p) or 1.0]])
    before, step = np.inf, np.inf
    for _ in range(_ITERATIONS):
        shot = shoot(map_, np.vstack([s + a * d, s - a * d]), p)
        if is_settled(step, before):
            return shot.fixed_point(p)
        J, residual = _equations(shot, (s, d), a, flip.direction)
        change = np.linalg.solve(J * scale, -residual)
        before, step = step, float(np.abs(change).max())
        change = change * scale
        s, d = s + change[: n * m].reshape(n, m), d + change[n * m : -1].reshape(n, m)
        p = p + float(change[-1])
    raise NotFound(
        f"no doubled orbit {a:.1e} from the flip at p = {flip.p}: Newton's method still steps "
        f"by {step:.1e} after {_ITERATIONS} iterations"
    )


def _along(shot: ShootingResult, v: Array) -> Array:
    """Images of a direction v (m,) at the first point at each point, (n, m)."""
    d = [v]
    for D in shot.D[:-1]:
        d.append(D @ d[-1])
    return np.array(d)


def _equations(
    shot: ShootingResult, at: tuple[Array, Array], a: float, v: Array
) -> tuple[Array, Array]:
    """Jacobian and residual of the equations above by (s, d, p), (2 n m + 1, ...) each.

    shot: at all s_i + a d_i, then at all s_i - a d_i.
    """
    s, d = at
    n, m = s.shape
    (up, down), (up_p, down_p) = np.split(shot.D, 2), np.split(shot.D_p, 2)
    (high, low), one = np.split(shot.value, 2), np.eye(m)
    J = np.zeros((2, n, m, 2, n, m))
    here, there = np.arange(n), (np.arange(n) + 1) % n
    sign = np.where(here == n - 1, -1.0, 1.0)[:, None]  # d comes back as -d
    J[0, here, :, 0, here] = J[1, here, :, 1, here] = 0.5 * (up + down)
    J[0, here, :, 1, here] = 0.5 * a * (up - down)
    J[1, here, :, 0, here] = 0.5 / a * (up - down)
    J[0, here, :, 0, there] -= one
    J[1, here, :, 1, there] -= sign[:, None] * one
    by_p = np.concatenate([0.5 * (up_p + down_p).ravel(), 0.5 / a * (up_p - down_p).ravel()])
    row = np.concatenate([np.zeros(n * m), v, np.zeros((n - 1) * m + 1)])
    full = np.vstack([np.column_stack([J.reshape(2 * n * m, 2 * n * m), by_p]), row])
    middle = 0.5 * (high + low) - s[there]
    across = 0.5 / a * (high - low) - sign * d[there]
    return full, np.concatenate([middle.ravel(), across.ravel(), [v @ d[0] - 1.0]])
