"""The judge of quadratic programmes: the data of a programme against an answer of any solver.

    minimise x'Px/2 + c'x  with  low <= x <= high,  least <= G x <= most

P is positive definite, so that x is the minimum if and only if there are multipliers that satisfy
the conditions of Karush, Kuhn and Tucker. Multipliers are those of the sides, in their order of
`footfall.solvers.dual_active_set`. Lengths are those of the norm sqrt(x'Px), in which a violation
over the scale sqrt(g'P^-1 g) of its normal g is the distance of the constraint.
"""

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit

VIOLATED = 1e-5  # distance at which a constraint counts as kept
_FORCE = 1e-7  # of the largest force: what is left of their sum, and a multiplier that pulls
_GAP = 1e-8  # of the energy of the terms, or of one: products of multipliers and open sides
_FARTHEST = 1e4  # distance up to which a contradiction is to hold


@njit
def is_optimal(
    P: Array,
    c: Array,
    low: Array,
    high: Array,
    G: Array,
    least: Array,
    most: Array,
    scale: Array,
    x: Array,
    sides: Array,
) -> bool:
    """Say whether x (n,) is the minimum, with multipliers of all sides (2n + 2m,).

    scale (n + m,): of bounds and rows. False wherever something is no number.
    """
    n, m = len(c), len(least)
    left, terms, energy = c.copy(), np.abs(c), 1.0
    for j in range(n):
        if x[j] != 0.0:
            for i in range(n):
                part = P[j, i] * x[j]
                left[i] += part
                terms[i] += abs(part)
    for i in range(n):
        energy += terms[i] * abs(x[i])
    pull, gap = 0.0, 0.0
    for k in range(n + m):
        lower, upper, below, above = _sides_of(k, low, high, least, most, sides)
        value, allowed = constraint_value(G, x, k), VIOLATED * scale[k]
        if not (lower - value <= allowed and value - upper <= allowed):
            return False
        if below == 0.0 and above == 0.0:
            continue
        if lower != upper:
            pull = max(pull, -min(below, above) * scale[k])
            gap += abs(below * (value - lower)) if below != 0.0 else 0.0
            gap += abs(above * (upper - value)) if above != 0.0 else 0.0
        _push(G, k, above - below, left, terms)
    force, rest = 0.0, 0.0
    for i in range(n):
        force = max(force, terms[i] * scale[i])
        rest += abs(left[i]) * scale[i]
    return bool(rest <= _FORCE * force and pull <= _FORCE * force and gap <= _GAP * energy)


@njit
def is_contradiction(
    low: Array,
    high: Array,
    G: Array,
    least: Array,
    most: Array,
    scale: Array,
    x: Array,
    sides: Array,
) -> bool:
    """Say whether multipliers show that no point near x keeps all constraints.

    By Farkas' lemma: they cancel the normals, while the sides lack something in the sum.
    """
    n, m = len(low), len(least)
    left, terms, lack = np.zeros(n), np.zeros(n), 0.0
    for k in range(n + m):
        lower, upper, below, above = _sides_of(k, low, high, least, most, sides)
        if below == 0.0 and above == 0.0:
            continue
        if min(below, above) < 0.0 and lower != upper:
            return False
        value = constraint_value(G, x, k)
        lack += below * (lower - value) if below != 0.0 else 0.0
        lack += above * (value - upper) if above != 0.0 else 0.0
        _push(G, k, above - below, left, terms)
    rest = 0.0
    for i in range(n):
        rest += abs(left[i]) * scale[i]
    return bool(_FARTHEST * rest < lack)


@njit
def _sides_of(
    k: int, low: Array, high: Array, least: Array, most: Array, sides: Array
) -> tuple[float, float, float, float]:
    """Return both ends of a bound, k < n, or of row k - n of G, and their multipliers."""
    n, m = len(low), len(least)
    if k < n:
        return low[k], high[k], sides[k], sides[n + k]
    return least[k - n], most[k - n], sides[n + k], sides[n + m + k]


@njit
def constraint_value(G: Array, x: Array, k: int) -> float:
    """Return x_k of a bound, k < n, or the value of row k - n of G."""
    n, value = len(x), 0.0
    if k < n:
        return x[k]
    for i in range(n):
        value += G[k - n, i] * x[i]
    return value


@njit
def _push(G: Array, k: int, multiplier: float, left: Array, terms: Array) -> None:
    """Add the normal of a bound or a row to a sum, and its size to that of the sum's terms."""
    n = len(left)
    if k < n:
        left[k] += multiplier
        terms[k] += abs(multiplier)
        return
    for i in range(n):
        part = G[k - n, i] * multiplier
        left[i] += part
        terms[i] += abs(part)
