"""Strictly convex quadratic programmes by the dual active-set method of Goldfarb and Idnani.

    minimise x'Px/2 + c'x  with  low <= x <= high,  least <= G x <= most

From the minimum without constraints, violated constraints are added one at a time, each by steps
that keep the multipliers of those before it non-negative. Where none of these can give way, their
normals cancel that of the violated one: a certificate (Farkas) that names what is in conflict.

D. Goldfarb, A. Idnani, A numerically stable dual method for solving strictly convex quadratic
programs, Mathematical Programming 27, 1983. Householder reflections take the place of its Givens
rotations where a constraint is added.

Sides are numbered: of n unknowns and m rows, lower bounds 0 .. n-1, upper ones n .. 2n-1, lower
sides of rows 2n .. 2n+m-1, upper ones 2n+m .. 2n+2m-1.
"""

import math

import numpy as np

from footfall.arrays import Array, Flags, Indices
from footfall.jit import njit
from footfall.solvers.optimality import VIOLATED, constraint_value, is_contradiction, is_optimal

SOLVED, CONFLICT, STUCK = 0, 1, 2
_AGAIN = 3  # with a constraint that may be violated slightly

_DEPENDENT = 1e-18  # of the square of a normal: what is left of it across those that are active
_ADDED = 1e-8  # violation from which on a constraint is added, in the scale of its unknowns
_PART = 1e-7  # likewise, of a normal that is made of active ones: what is less of it is rounding
_SLIGHT = 1e-11  # of the largest multiplier: part of no certificate


@njit
def solve_dual(
    P: Array,
    c: Array,
    low: Array,
    high: Array,
    G: Array,
    least: Array,
    most: Array,
    cap: int,
) -> tuple[int, Array, Array, int]:
    """Return the status, x (n,), multipliers of all sides (2n + 2m,), and the iterations.

    P (n, n) positive definite. Sides may be infinite; a row whose sides are equal is an equation.
    In a conflict the multipliers are those of the certificate: positive for what takes part in it,
    of either sign for equations, 1 for the side that cannot be kept. Stuck: more iterations than
    the cap, P is not positive definite, or `is_optimal` or `is_contradiction` refuses the answer.
    """
    allowed, total = np.full(len(c) + len(least), _ADDED), 0
    while True:
        status, x, sides, used = _solve(P, c, low, high, G, least, most, cap - total, allowed)
        total += used
        if status != _AGAIN:
            return status, x, sides, total


@njit
def _solve(  # noqa: PLR0915 (a kernel is one nest of loops)
    P: Array,
    c: Array,
    low: Array,
    high: Array,
    G: Array,
    least: Array,
    most: Array,
    cap: int,
    allowed: Array,
) -> tuple[int, Array, Array, int]:
    """Solve with violations up to ``allowed``, (n + m,), in the scale of the unknowns.

    Again: one of these was raised, of a constraint that contradicts others slightly.
    """
    n, m = len(c), len(least)
    sides = np.zeros(2 * (n + m))
    x = np.zeros(n)
    Y = np.zeros((n, n))  # rows: columns of the inverse of P's factor, turned by Q
    if not _invert_factor(P, Y):
        return STUCK, x, sides, 0
    if _cross(low, high, sides, 0) or _cross(least, most, sides, 2 * n):
        return CONFLICT, x, sides, 0
    # x = -P^-1 c, and the diagonal of P^-1, the scale of the unknowns
    scale = np.zeros(n + m)
    for j in range(n):
        along = 0.0
        for i in range(n):
            along += Y[j, i] * c[i]
        for i in range(n):
            x[i] -= along * Y[j, i]
            scale[i] += Y[j, i] * Y[j, i]
    for k in range(m):
        for i in range(n):
            scale[n + k] += G[k, i] * G[k, i] * scale[i]
    for k in range(n + m):
        scale[k] = math.sqrt(scale[k]) + 1e-300
    R = np.zeros((n, n))
    u, r, d = np.zeros(n + 1), np.zeros(n), np.zeros(n)
    active = np.zeros(n, dtype=np.int64)
    held = np.zeros(n + m, dtype=np.bool_)  # one of the two sides is active, or follows from those
    count, following, iterations = 0, 0, 0
    while True:
        while following < m and least[following] != most[following]:
            following += 1
        if following < m:  # equations come first
            value = constraint_value(G, x, n + following) - least[following]
            side, gap = 2 * n + following + (m if value > 0.0 else 0), -abs(value)
            following += 1
        else:
            side, gap = _most_violated(x, low, high, G, least, most, scale, allowed, held)
        if side < 0:
            _settle(Y, R, c, _ends(low, high, least, most, active, count), count, x, u)
            for j in range(count):
                sides[active[j]] = u[j]
            found = is_optimal(P, c, low, high, G, least, most, scale, x, sides)
            return SOLVED if found else STUCK, x, sides, iterations
        which = _constraint(side, n, m)
        _turned(Y, G, which, _sign(side, n, m), d)
        u[count] = 0.0
        slight, dropped = -gap <= VIOLATED * scale[which], False
        while True:
            iterations += 1
            if iterations > cap:
                return STUCK, x, sides, iterations
            across, whole = _shares(d, count)
            _back_substitute(R, d, count, r)
            dependent = across <= _DEPENDENT * whole
            if dependent and slight:
                for j in range(count):  # rounding must not make an active side leave
                    if abs(r[j]) * scale[_constraint(active[j], n, m)] <= _PART * scale[which]:
                        r[j] = 0.0
            dual, leaves = _longest(u, r, active, count, n, m, least, most)
            primal = np.inf if dependent else -gap / across
            step = min(dual, primal)
            if step == np.inf:
                if slight and not dropped:
                    held[which] = True  # follows from the others: nothing is in conflict
                    break
                if slight:
                    allowed[which] = VIOLATED
                    return _AGAIN, x, sides, iterations
                _certify(r, active, count, sides)
                sides[side] = 1.0
                found = is_contradiction(low, high, G, least, most, scale, x, sides)
                return CONFLICT if found else STUCK, x, sides, iterations
            for j in range(count):
                u[j] -= step * r[j]
            u[count] += step
            if primal < np.inf:
                for j in range(count, n):
                    factor = step * d[j]
                    for i in range(n):
                        x[i] += factor * Y[j, i]
            if primal <= dual:
                _add(Y, R, d, count)
                active[count] = side
                held[which] = True
                count += 1
                break
            gap += step * across
            held[:] = False  # what followed need not any more
            for j in range(count):
                held[_constraint(active[j], n, m)] = j != leaves
            dropped = True
            _drop(Y, R, u, d, active, count, leaves)
            count -= 1


@njit
def _cross(lower: Array, upper: Array, sides: Array, first: int) -> bool:
    """Say whether two sides of a constraint leave nothing between them; if so, they are marked."""
    n = len(lower)
    for k in range(n):
        if lower[k] > upper[k]:
            sides[first + k], sides[first + n + k] = 1.0, 1.0
            return True
    return False


@njit
def _constraint(side: int, n: int, m: int) -> int:
    """Number of a side's constraint: bounds 0 .. n-1, rows n .. n+m-1."""
    if side < 2 * n:
        return side if side < n else side - n
    return side - n if side < 2 * n + m else side - n - m


@njit
def _sign(side: int, n: int, m: int) -> float:
    """1 for a lower side, -1 for an upper one."""
    lower = side < n if side < 2 * n else side < 2 * n + m
    return 1.0 if lower else -1.0


@njit
def _shares(d: Array, count: int) -> tuple[float, float]:
    """Squares of a normal across those that are active, and of the whole."""
    across, whole = 0.0, 0.0
    for j in range(len(d)):
        whole += d[j] * d[j]
        if j >= count:
            across += d[j] * d[j]
    return across, whole


@njit
def _back_substitute(R: Array, d: Array, count: int, r: Array) -> None:
    """Solve R r = d for the first entries of r."""
    for j in range(count - 1, -1, -1):
        total = d[j]
        for k in range(j + 1, count):
            total -= R[j, k] * r[k]
        r[j] = total / R[j, j]


@njit
def _longest(
    u: Array, r: Array, active: Indices, count: int, n: int, m: int, least: Array, most: Array
) -> tuple[float, int]:
    """Longest step that keeps multipliers of inequalities, and the place of the one that ends."""
    longest, leaves = np.inf, -1
    for j in range(count):
        if r[j] > 0.0 and u[j] < longest * r[j]:
            row = _constraint(active[j], n, m) - n
            if row < 0 or least[row] != most[row]:
                longest, leaves = u[j] / r[j], j
    return longest, leaves


@njit
def _certify(r: Array, active: Indices, count: int, sides: Array) -> None:
    """Put what cancels the normal of a side that cannot be kept into the multipliers."""
    largest = 1.0
    for j in range(count):
        largest = max(largest, abs(r[j]))
    for j in range(count):
        if abs(r[j]) > _SLIGHT * largest:
            sides[active[j]] = -r[j]


@njit
def _invert_factor(P: Array, Y: Array) -> bool:
    """Put the columns of the inverse of P's upper factor U, P = U'U, into the rows of Y."""
    n = len(P)
    L = np.zeros((n, n))
    for j in range(n):
        for i in range(j + 1):
            L[j, i] = P[j, i]
    # rows of L by rows: those before are done
    for j in range(n):
        for i in range(j):
            total = L[j, i]
            for k in range(i):
                total -= L[j, k] * L[i, k]
            L[j, i] = total / L[i, i]
        total = L[j, j]
        for k in range(j):
            total -= L[j, k] * L[j, k]
        if not total > 0.0:
            return False
        L[j, j] = math.sqrt(total)
    # rows of L^-1, which are the columns of U^-1
    for j in range(n):
        for i in range(n):
            Y[j, i] = 0.0
        Y[j, j] = 1.0
        for k in range(j):
            factor = L[j, k]
            for i in range(k + 1):
                Y[j, i] -= factor * Y[k, i]
        inverse = 1.0 / L[j, j]
        for i in range(j + 1):
            Y[j, i] *= inverse
    return True


@njit
def _most_violated(
    x: Array,
    low: Array,
    high: Array,
    G: Array,
    least: Array,
    most: Array,
    scale: Array,
    allowed: Array,
    held: Flags,
) -> tuple[int, float]:
    """Return the side that is violated most, in the scale of the unknowns, and by how much."""
    n, m = len(x), len(least)
    worst, side, gap = 0.0, -1, 0.0
    for k in range(n + m):
        if held[k]:
            continue
        value = x[k] if k < n else constraint_value(G, x, k)
        lacks, passes = (low[k] if k < n else least[k - n]) - value, value
        passes -= high[k] if k < n else most[k - n]
        lost = max(lacks, passes)
        if lost > max(worst, allowed[k]) * scale[k]:
            worst, gap = lost / scale[k], -lost
            first = k if k < n else n + k  # the lower side; the upper one follows
            side = first if lacks > passes else first + (n if k < n else m)
    return side, gap


@njit
def _turned(Y: Array, G: Array, which: int, sign: float, d: Array) -> None:
    """Put Y times the normal of a bound or a row into d."""
    n = len(d)
    if which < n:
        for j in range(n):
            d[j] = sign * Y[j, which]
        return
    for j in range(n):
        total = 0.0
        for i in range(n):
            total += Y[j, i] * G[which - n, i]
        d[j] = sign * total


@njit
def _add(Y: Array, R: Array, d: Array, count: int) -> None:
    """Let rows of Y from count on be reflected so that d has one entry there, R's next column."""
    n = len(d)
    square = 0.0
    for j in range(count, n):
        square += d[j] * d[j]
    length = math.sqrt(square)
    if d[count] > 0.0:
        length = -length
    for j in range(count):
        R[j, count] = d[j]
    R[count, count] = length
    head = d[count] - length
    # v = (head, d[count + 1:]), reflection 1 - 2 v v' / v'v
    half = square - d[count] * length  # v'v / 2
    if half <= 0.0:
        return
    w = np.zeros(n)
    for j in range(count, n):
        factor = head if j == count else d[j]
        for i in range(n):
            w[i] += factor * Y[j, i]
    for i in range(n):
        w[i] /= half
    for j in range(count, n):
        factor = head if j == count else d[j]
        for i in range(n):
            Y[j, i] -= factor * w[i]


@njit
def _drop(Y: Array, R: Array, u: Array, d: Array, active: Indices, count: int, gone: int) -> None:
    """Take a constraint out; rotations of neighbouring rows of Y make R upper triangular again."""
    n = len(d)
    for j in range(gone, count - 1):
        active[j] = active[j + 1]
        u[j] = u[j + 1]
        for i in range(j + 2):
            R[i, j] = R[i, j + 1]
    u[count - 1] = u[count]
    u[count] = 0.0
    for j in range(gone, count - 1):
        a, b = R[j, j], R[j + 1, j]
        length = math.hypot(a, b)
        if length == 0.0:
            continue
        cosine, sine = a / length, b / length
        R[j, j], R[j + 1, j] = length, 0.0
        for k in range(j + 1, count - 1):
            first, second = R[j, k], R[j + 1, k]
            R[j, k] = cosine * first + sine * second
            R[j + 1, k] = cosine * second - sine * first
        for i in range(n):
            first, second = Y[j, i], Y[j + 1, i]
            Y[j, i] = cosine * first + sine * second
            Y[j + 1, i] = cosine * second - sine * first
        first, second = d[j], d[j + 1]
        d[j] = cosine * first + sine * second
        d[j + 1] = cosine * second - sine * first


@njit
def _ends(low: Array, high: Array, least: Array, most: Array, active: Indices, count: int) -> Array:
    """Values that active sides hold their normals at, (count,)."""
    n, m = len(low), len(least)
    found = np.zeros(count)
    for j in range(count):
        side = active[j]
        if side < n:
            found[j] = low[side]
        elif side < 2 * n:
            found[j] = -high[side - n]
        elif side < 2 * n + m:
            found[j] = least[side - 2 * n]
        else:
            found[j] = -most[side - 2 * n - m]
    return found


@njit
def _settle(Y: Array, R: Array, c: Array, ends: Array, count: int, x: Array, u: Array) -> None:
    """Work x and the multipliers out anew from the factors, without the rounding of the way."""
    n = len(c)
    t, turned = np.zeros(n), np.zeros(n)
    for j in range(n):
        for i in range(n):
            turned[j] += Y[j, i] * c[i]
    for j in range(count):  # R' t = ends
        t[j] = ends[j]
        for k in range(j):
            t[j] -= R[k, j] * t[k]
        t[j] /= R[j, j]
    for i in range(n):
        x[i] = 0.0
    for j in range(n):
        factor = t[j] if j < count else -turned[j]
        for i in range(n):
            x[i] += factor * Y[j, i]
    _back_substitute(R, t + turned, count, u)
