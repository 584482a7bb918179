"""Flips of a map: where a multiplier is -1, and the orbits of twice the period that begin there.

Near a flip the points of the doubled orbit are s_i + a d_i and s_i - a d_i, with an amplitude a:

    (f(s_i + a d_i, p) + f(s_i - a d_i, p)) / 2 = s_(i+1)
    (f(s_i + a d_i, p) - f(s_i - a d_i, p)) / (2 a) = d_(i+1),  s_n = s_0, d_n = -d_0, v . d_0 = 1

with the eigenvector v of the multiplier -1. At a = 0 these are the equations of the flip itself,
and their solution (s, d, p) is a smooth even function of a through it; so the new branch is found
from the flip without leaving the old one out by hand, on whichever side of p it is.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, newton

from footfall.arrays import Array
from footfall.hybrid.branch_special import flip_test
from footfall.hybrid.fixed_point import FixedPoint, NotFound, find_fixed_point
from footfall.hybrid.return_map import NoReturn, ParametricMap
from footfall.hybrid.shooting import ShootingResult, as_fixed_point, is_settled, shoot

__all__ = ["Doubled", "Flip", "doubled", "flip_direction", "flip_test", "locate_flip"]

_ITERATIONS = 12
_SMALL = 1e-3  # amplitude beside the orbit, at which the curvature of the branch shows
_FIRST = 1e-4  # of p, between the first two points of the secant method
_RELATIVE = 1e-14  # error of p


@dataclass(frozen=True)
class Flip:
    """An orbit with a multiplier -1 and the unit eigenvector (m,) of it."""

    p: float
    point: FixedPoint
    direction: Array


@dataclass(frozen=True)
class Doubled:
    """An orbit of twice the period of a flip.

    amplitude: half the distance of its points along the direction of the flip. side: +1 if it is
    found above p of the flip, -1 below. critical: the multiplier that is 1 at the flip; below
    1 it has taken over the stability that the orbit loses there, above it is unstable beside it.
    """

    point: FixedPoint
    amplitude: float
    side: int
    critical: complex


def locate_flip(map_: ParametricMap, near: FixedPoint | tuple[FixedPoint, FixedPoint]) -> Flip:
    """The flip near an orbit, or between two of one branch, to 1e-14 of p where the map allows it.

    Between two orbits det(D + I) must change its sign; near one the secant method is used. Raises
    NotFound.
    """
    first = near if isinstance(near, FixedPoint) else near[0]
    size = abs(first.p) or 1.0
    known = [near] if isinstance(near, FixedPoint) else list(near)

    def test(p: float) -> float:
        guess = min(known, key=lambda each: abs(each.p - p))
        if guess.p != p:
            guess = find_fixed_point(map_, guess.orbit[0], p, first.period)
            known.append(guess)
        return flip_test(guess.D)

    try:
        if isinstance(near, FixedPoint):
            p = newton(test, near.p, x1=near.p + _FIRST * size, tol=_RELATIVE * size, maxiter=50)
        else:
            p = brentq(test, near[0].p, near[1].p, xtol=_RELATIVE * size, rtol=_RELATIVE)
    except (NoReturn, RuntimeError, ValueError) as why:
        raise NotFound(f"no flip of period {first.period} near p = {first.p}: {why}") from why
    point = find_fixed_point(map_, known[-1].orbit[0], float(p), first.period)
    return Flip(point.p, point, flip_direction(point.D))


def flip_direction(D: Array) -> Array:
    """Unit eigenvector (m,) of the multiplier nearest to -1, its largest component positive."""
    multipliers, vectors = np.linalg.eig(D)
    v = vectors[:, np.argmin(np.abs(multipliers + 1.0))].real
    return np.asarray(v / np.linalg.norm(v) * np.sign(v[np.argmax(np.abs(v))]))


def doubled(map_: ParametricMap, flip: Flip, amplitude: float | None = None) -> Doubled:
    """The orbit of twice the period that is ``amplitude`` away from a flip.

    By default the amplitude is 1e-3 of the largest component of the orbit. s + a d comes first;
    the other sign of a is the same orbit from its other point. Raises NotFound.
    """
    a = _SMALL * (float(np.abs(flip.point.orbit).max()) or 1.0) if amplitude is None else amplitude
    try:
        point = _split(map_, flip, a)
    except (NoReturn, np.linalg.LinAlgError) as why:
        raise NotFound(f"no doubled orbit {a:.1e} from the flip at p = {flip.p}: {why}") from why
    critical = point.multipliers[np.argmin(np.abs(point.multipliers - 1.0))]
    return Doubled(point, a, 1 if point.p > flip.p else -1, complex(critical))


def _split(map_: ParametricMap, flip: Flip, a: float) -> FixedPoint:
    """Newton's method for the equations of the doubled orbit, from the flip."""
    s, p = flip.point.orbit, flip.p
    d = _along(shoot(map_, s, p), flip.direction)
    n, m = s.shape
    size = float(np.abs(s).max()) or 1.0
    scale = np.concatenate([np.full(n * m, size), np.ones(n * m), [abs(p) or 1.0]])
    before, step = np.inf, np.inf
    for count in range(_ITERATIONS):
        shot = shoot(map_, np.vstack([s + a * d, s - a * d]), p)
        if is_settled(step, before):
            return as_fixed_point(shot, p, count)
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
