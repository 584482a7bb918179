"""Alart and Curnier's Newton method on the rows that a contact problem has, without allocation.

A step of the method is one of active sets: with the modes that r - rho u has now, u = W r + q is
solved for r, where

- an open contact, and a stop that is off, has r = 0;
- what sticks has u = 0, and so has a stop that holds, and a dry joint within its bound; one beyond
  it has r at the bound;
- a contact that slides along e, the direction of x = r_T - rho u_T, has u_n = 0, r_T = mu r_n e +
  r_s s with s at right angles to e, and (1 - kappa) r_s + kappa rho u_s = 0, with kappa the ratio
  of mu (r_n - rho u_n) to the length of x.

So a sliding contact has dim - 1 unknowns, what is open none, and without sliding the matrix is W
itself on some rows, symmetric and positive semidefinite. Contacts are scaled alike, with
``rho = 1/|W_ii|``.

An answer is judged by a bound of the natural map of the problem as ``solve_kernel`` has it, which
takes no norm of W. With e(rho) = r - P(r - rho v), P the projection on a convex set, the length l
of e(rho) does not fall as rho grows: from the two inequalities of the projections,
(z_1 - P_1) (P_2 - P_1) <= 0 and (z_2 - P_2) (P_1 - P_2) <= 0, follows
(rho_2 l_1 - rho_1 l_2) (l_1 - l_2) <= 0. And ``max W_jj <= |W|_2 <= trace W``. So
rho = 1/max W_jj instead of ``1/|W|_2``, and ``|q|/trace W`` instead of ``|q|/|W|_2`` in the scale,
can only make the residual larger. The rows that ``expand`` adds lengthen q and r and leave
``|W|_2``, for their diagonal is one that is there; a dry joint is judged as the contact that it
becomes there. Where contacts differ so much that ``solve_kernel`` scales them, both its maps are
bounded, likewise.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from footfall.arrays import Array, Indices
from footfall.jit import scratch_njit
from footfall.solvers.natural_map import FARTHEST, LOST
from footfall.solvers.newton import POLISH_STEPS, POLISHED, SPREAD

SURFACE, STOP, DRY = 0, 1, 2  # kinds
_OPEN, _STICKS, _SLIDES, _FREE = 0, 1, 2, 3  # modes; _FREE: closed without friction
_PLAIN, _PLANAR, _NORMAL, _SIDE = 0, 1, 2, 3  # unknowns

# rows of scratch; _FIRST, _SECOND: of an impulse, each with its velocity behind it
VECTORS, INDICES = 9, 4
_FIRST, _FIRST_U, _SECOND, _SECOND_U = 0, 1, 2, 3
_WEIGHT, _INVERSE, _DIRECTION, _SOUGHT, _ROW = range(4, VECTORS)
_MODE, _BASE, _ROLE, _OWNER = range(INDICES)

_HALVINGS = 12
_STUCK_STEPS = 3  # steps that no halving makes better: then other solvers do more
_FAR = 1e-8  # of |r|^2: an iterate that is not near an answer is not judged
_PIVOT, _SHIFT = 1e-10, 1e-9  # of |W_ii|


class CompactProblem(NamedTuple):
    """The arguments of ``solve_on_rows`` that its parts share; A (n, n + 1): scratch."""

    contacts: int
    kind: Indices
    first: Indices
    dim: int
    mu: Array
    bound: Array
    W: Array
    q: Array
    A: Array
    vectors: Array
    indices: Indices


@scratch_njit
def _velocity(p: CompactProblem, n: int, x: int) -> None:
    """Write the velocity behind an impulse; by rows of W, which is symmetric."""
    u = x + 1
    for i in range(n):
        p.vectors[u, i] = p.q[i]
    _add_product(p, n, x, u)


@scratch_njit
def _add_product(p: CompactProblem, n: int, x: int, u: int) -> None:
    """Add W x to a vector, four columns at a time."""
    for j in range(0, n - 3, 4):
        a, b = p.vectors[x, j], p.vectors[x, j + 1]
        c, d = p.vectors[x, j + 2], p.vectors[x, j + 3]
        for i in range(n):
            p.vectors[u, i] += (
                a * p.W[j, i] + b * p.W[j + 1, i] + (c * p.W[j + 2, i] + d * p.W[j + 3, i])
            )
    for j in range(n - n % 4, n):
        a = p.vectors[x, j]
        for i in range(n):
            p.vectors[u, i] += a * p.W[j, i]


@scratch_njit
def _modes(p: CompactProblem, x: int) -> tuple[float, bool, bool]:
    """Find the modes; returns |F|^2 of contacts scaled alike, whether one is new, and one slides.

    Directions are, of a sliding contact, e in its rows t and s, and (1 - kappa)/(kappa rho) in row
    n; of a dry joint beyond its bound, the impulse there.
    """
    total, new, slides = 0.0, False, False
    u = x + 1
    for i in range(p.contacts):
        n = p.first[i]
        rho = p.vectors[_INVERSE, n]
        r_n, u_n = p.vectors[x, n], rho * p.vectors[u, n]
        pressed = r_n - u_n
        if p.kind[i] == STOP:
            found = _STICKS if pressed > 0.0 else _OPEN
            square = u_n * u_n if pressed > 0.0 else r_n * r_n
        elif p.kind[i] == DRY:
            found, square = _STICKS, u_n * u_n
            if abs(pressed) >= p.bound[i]:
                found = _OPEN
                at = math.copysign(p.bound[i], pressed)
                p.vectors[_DIRECTION, n] = at
                square = (r_n - at) * (r_n - at)
        else:
            r_t, u_t = p.vectors[x, n + 1], rho * p.vectors[u, n + 1]
            r_s, u_s = 0.0, 0.0
            if p.dim == 3:
                r_s, u_s = p.vectors[x, n + 2], rho * p.vectors[u, n + 2]
            if pressed <= 0.0:
                found = _OPEN
                square = r_n * r_n + r_t * r_t + r_s * r_s
            else:
                radius = p.mu[i] * pressed
                t, s = r_t - u_t, r_s - u_s
                length = t * t + s * s
                if radius == 0.0:
                    found = _FREE
                    square = u_n * u_n + r_t * r_t + r_s * r_s
                elif length <= radius * radius:
                    found = _STICKS
                    square = u_n * u_n + u_t * u_t + u_s * u_s
                else:
                    found, slides = _SLIDES, True
                    length = math.sqrt(length)
                    t, s = t / length, s / length
                    p.vectors[_DIRECTION, n + 1] = t
                    if p.dim == 3:
                        p.vectors[_DIRECTION, n + 2] = s
                        p.vectors[_DIRECTION, n] = (
                            (length - radius) / radius * p.vectors[_WEIGHT, n]
                        )
                    r_t, r_s = r_t - radius * t, r_s - radius * s
                    square = u_n * u_n + r_t * r_t + r_s * r_s
        total += square * p.vectors[_WEIGHT, n]
        new = new or p.indices[_MODE, i] != found
        p.indices[_MODE, i] = found
    return total, new, slides


@scratch_njit
def _largest_block(p: CompactProblem, rho: float, x: int, alike: bool) -> float:
    """The largest distance of an impulse to its projection; alike: of contacts scaled alike."""
    worst = 0.0
    u = x + 1
    for i in range(p.contacts):
        n = p.first[i]
        step = rho * p.vectors[_INVERSE, n] if alike else rho
        if p.kind[i] == STOP:
            error = p.vectors[x, n] - max(0.0, p.vectors[x, n] - step * p.vectors[u, n])
            square = error * error
        else:
            r_s, s = 0.0, 0.0
            if p.kind[i] == DRY:
                coefficient, r_n, r_t = 1.0, p.bound[i], p.vectors[x, n]
                slip = abs(p.vectors[u, n])
                normal, t = r_n - step * slip, r_t - step * p.vectors[u, n]
                length = abs(t)
            else:
                coefficient, r_n, r_t = p.mu[i], p.vectors[x, n], p.vectors[x, n + 1]
                u_t = p.vectors[u, n + 1]
                t = r_t - step * u_t
                if p.dim == 3:
                    r_s, u_s = p.vectors[x, n + 2], p.vectors[u, n + 2]
                    s = r_s - step * u_s
                    slip, length = math.sqrt(u_t * u_t + u_s * u_s), math.sqrt(t * t + s * s)
                else:
                    slip, length = abs(u_t), abs(t)
                normal = r_n - step * (p.vectors[u, n] + coefficient * slip)
            if coefficient * length <= -normal:
                normal = t = s = 0.0
            elif length > coefficient * normal:
                normal = (normal + coefficient * length) / (1.0 + coefficient * coefficient)
                shrink = coefficient * normal / length
                t, s = shrink * t, shrink * s
            square = (r_n - normal) * (r_n - normal) + (r_t - t) * (r_t - t) + (r_s - s) * (r_s - s)
        if alike:
            square *= p.vectors[_WEIGHT, n]
        if not square <= worst:
            worst = square
    return math.sqrt(worst)


@scratch_njit
def _even_residual(p: CompactProblem, x: int) -> float:
    """Return the same bound of the problem whose contacts are scaled alike."""
    top, trace, size_q, size_r = 0.0, 0.0, 0.0, 0.0
    for i in range(p.contacts):
        weight, inverse = p.vectors[_WEIGHT, p.first[i]], p.vectors[_INVERSE, p.first[i]]
        for j in range(p.first[i], p.first[i + 1]):
            top, trace = max(top, p.W[j, j] * inverse), trace + p.W[j, j] * inverse
            size_q += p.q[j] * p.q[j] * inverse
            size_r += p.vectors[x, j] * p.vectors[x, j] * weight
    natural, length = math.sqrt(size_q) / trace, math.sqrt(size_r)
    scale = min(max(length, natural), FARTHEST * natural)
    if not 0.0 < length <= LOST * natural:
        return math.inf
    return _largest_block(p, 1.0 / top, x, True) / scale


@scratch_njit
def _factor(p: CompactProblem, size: int, shift: float) -> bool:
    """Eliminate in [A | b] below the diagonal, A some rows and columns of W with a shift.

    Row by row, and the upper triangle of A alone. The diagonal becomes the inverse of the pivots.
    False where a pivot is lost in rounding, beside |W_ii| of its contact; not with a shift.
    """
    for k in range(size):
        row = p.indices[_BASE, k]
        for j in range(k, size):
            p.A[k, j] = p.W[row, p.indices[_BASE, j]]
        weight = p.vectors[_WEIGHT, p.first[p.indices[_OWNER, k]]]
        p.A[k, k] += shift * weight
        for i in range(0, k - 1, 2):
            a, b = p.A[i, k] * p.A[i, i], p.A[i + 1, k] * p.A[i + 1, i + 1]
            for j in range(k, size + 1):
                p.A[k, j] -= a * p.A[i, j] + b * p.A[i + 1, j]
        if k % 2 == 1:
            a = p.A[k - 1, k] * p.A[k - 1, k - 1]
            for j in range(k, size + 1):
                p.A[k, j] -= a * p.A[k - 1, j]
        pivot = p.A[k, k]
        if shift > 0.0:
            pivot = max(pivot, 0.5 * shift * weight)
        elif not pivot > _PIVOT * weight:
            return False
        p.A[k, k] = 1.0 / pivot
    return True


@scratch_njit
def _forward(p: CompactProblem, size: int) -> None:
    """Eliminate in b as in A before."""
    for k in range(size):
        factor = p.A[k, size] * p.A[k, k]
        for j in range(k + 1, size):
            p.A[j, size] -= p.A[k, j] * factor


@scratch_njit
def _backward(p: CompactProblem, size: int) -> None:
    """Solve with what is left of [A | b], in place of b."""
    for k in range(size - 1, -1, -1):
        value = p.A[k, size] * p.A[k, k]
        p.A[k, size] = value
        for i in range(k):
            p.A[i, size] -= p.A[i, k] * value


@scratch_njit
def _unsymmetric(p: CompactProblem, n: int, size: int, spare: int, shift: float) -> None:
    """Write A where a contact slides; rows and b are scaled with 1/|W_ii|, of what is pressed."""
    for s in range(size):
        i = p.indices[_BASE, s]
        side = p.indices[_ROLE, s] == _SIDE
        own = p.vectors[_INVERSE, p.first[p.indices[_OWNER, s]]]
        if side:
            x, y = own * p.vectors[_DIRECTION, i + 1], own * p.vectors[_DIRECTION, i + 2]
            for j in range(n):
                p.vectors[spare, j] = x * p.W[i + 2, j] - y * p.W[i + 1, j]
        else:
            for j in range(n):
                p.vectors[spare, j] = own * p.W[i, j]
        for t in range(size):
            j, role = p.indices[_BASE, t], p.indices[_ROLE, t]
            entry = p.vectors[spare, j]
            if role == _SIDE:
                entry = (
                    p.vectors[_DIRECTION, j + 1] * p.vectors[spare, j + 2]
                    - p.vectors[_DIRECTION, j + 2] * p.vectors[spare, j + 1]
                )
            elif role != _PLAIN:
                slid = p.vectors[_DIRECTION, j + 1] * p.vectors[spare, j + 1]
                if role == _NORMAL:
                    slid += p.vectors[_DIRECTION, j + 2] * p.vectors[spare, j + 2]
                entry += p.mu[p.indices[_OWNER, t]] * slid
            p.A[s, t] = entry
        p.A[s, s] += shift
        if side:
            p.A[s, s] += own * p.vectors[_DIRECTION, i]
        p.A[s, size] *= own


@scratch_njit
def _eliminate(p: CompactProblem, size: int, least: float) -> bool:
    """Eliminate in [A | b] with partial pivoting; False where a pivot is not above ``least``."""
    for k in range(size):
        pivot, largest = k, abs(p.A[k, k])
        for i in range(k + 1, size):
            if abs(p.A[i, k]) > largest:
                pivot, largest = i, abs(p.A[i, k])
        if not largest > least:
            return False
        if pivot != k:
            for j in range(k, size + 1):
                p.A[k, j], p.A[pivot, j] = p.A[pivot, j], p.A[k, j]
        inverse = 1.0 / p.A[k, k]
        p.A[k, k] = inverse
        for i in range(k + 1, size):
            factor = p.A[i, k] * inverse
            if factor != 0.0:
                for j in range(k + 1, size + 1):
                    p.A[i, j] -= factor * p.A[k, j]
    return True


@scratch_njit
def _begin_step(p: CompactProblem, x: int) -> int:
    """Write what the modes fix of the impulses sought, and list what they leave to be found."""
    size = 0
    for i in range(p.contacts):
        k, end, mode = p.first[i], p.first[i + 1], p.indices[_MODE, i]
        for j in range(k, end):
            p.vectors[_SOUGHT, j] = p.vectors[x, j]
        if mode == _STICKS:
            for j in range(k, end):
                p.indices[_BASE, size], p.indices[_ROLE, size] = j, _PLAIN
                p.indices[_OWNER, size] = i
                size += 1
        elif mode == _OPEN:
            for j in range(k, end):
                p.vectors[_SOUGHT, j] = 0.0
            if p.kind[i] == DRY:
                p.vectors[_SOUGHT, k] = p.vectors[_DIRECTION, k]
        else:
            p.indices[_BASE, size], p.indices[_OWNER, size] = k, i
            p.indices[_ROLE, size] = _PLAIN
            if mode == _FREE:
                for j in range(k + 1, end):
                    p.vectors[_SOUGHT, j] = 0.0
            else:
                p.indices[_ROLE, size] = _PLANAR
                a, along = p.vectors[_DIRECTION, k + 1], p.mu[i] * p.vectors[x, k]
                p.vectors[_SOUGHT, k + 1] = along * a
                if p.dim == 3:
                    p.indices[_ROLE, size] = _NORMAL
                    size += 1
                    p.indices[_BASE, size], p.indices[_OWNER, size] = k, i
                    p.indices[_ROLE, size] = _SIDE
                    b = p.vectors[_DIRECTION, k + 2]
                    aside = a * p.vectors[x, k + 2] - b * p.vectors[x, k + 1]
                    p.vectors[_SOUGHT, k + 1] -= aside * b
                    p.vectors[_SOUGHT, k + 2] = along * b + aside * a
            size += 1
    return size


@scratch_njit
def _right_side(p: CompactProblem, size: int) -> None:
    """Write the velocities that the unknowns have to undo, as b in [A | b]."""
    for s in range(size):
        k = p.indices[_BASE, s]
        if p.indices[_ROLE, s] == _SIDE:
            a, b = p.vectors[_DIRECTION, k + 1], p.vectors[_DIRECTION, k + 2]
            aside = a * p.vectors[_SOUGHT, k + 2] - b * p.vectors[_SOUGHT, k + 1]
            slid = a * p.vectors[_ROW, k + 2] - b * p.vectors[_ROW, k + 1]
            p.A[s, size] = -slid - p.vectors[_DIRECTION, k] * aside
        else:
            p.A[s, size] = -p.vectors[_ROW, k]


class _Sizes(NamedTuple):
    """Of a problem: bounds for its judge, and whether contacts differ much in |W_ii|.

    rho: not less than 1/|W|_2. natural: not more than |q|/|W|_2. heaviest: the largest |W_ii|.
    """

    rho: float
    natural: float
    heaviest: float
    uneven: bool


@scratch_njit
def _begin(p: CompactProblem, r: Array) -> _Sizes:
    """Weigh the contacts, and copy the guess."""
    top, trace, size_q, lightest, heaviest = 0.0, 0.0, 0.0, math.inf, 0.0
    for i in range(p.contacts):
        start, end = p.first[i], p.first[i + 1]
        square = 0.0
        for j in range(start, end):
            p.vectors[_FIRST, j] = r[j]
            top, trace = max(top, p.W[j, j]), trace + p.W[j, j]
            size_q += p.q[j] * p.q[j]
            for k in range(start, end):
                square += p.W[j, k] * p.W[j, k]
        if p.kind[i] != SURFACE:
            square *= p.dim  # the diagonal that ``expand`` gives it
        if square == 0.0:
            trace += 1.0  # as before
        weight = math.sqrt(square) if square > 0.0 else 1.0
        p.vectors[_WEIGHT, start], p.vectors[_INVERSE, start] = weight, 1.0 / weight
        p.indices[_MODE, i] = -1
        lightest, heaviest = min(lightest, weight), max(heaviest, weight)
    uneven = heaviest > SPREAD * SPREAD * lightest
    return _Sizes(1.0 / top if top > 0.0 else 1.0, math.sqrt(size_q) / trace, heaviest, uneven)


@scratch_njit
def _residual(p: CompactProblem, n: int, sizes: _Sizes, x: int, merit: float) -> float:
    """Return a bound of the natural map; infinite where an iterate is far from an answer."""
    square = 0.0
    for i in range(n):
        square += p.vectors[x, i] * p.vectors[x, i]
    natural = sizes.natural
    if not merit <= _FAR * sizes.heaviest * max(square, natural * natural):
        return math.inf
    length = math.sqrt(square)
    scale = max(length, natural)
    if not sizes.uneven:
        scale = min(scale, FARTHEST * natural) if length <= LOST * natural else 0.0
    if not scale > 0.0:
        return math.inf
    return _largest_block(p, sizes.rho, x, False) / scale


@scratch_njit
def _find(
    p: CompactProblem, n: int, size: int, x: int, spare: int, slides: bool, new: bool, shift: float
) -> bool:
    """Solve for the unknowns; False where A is singular.

    slides: A is not symmetric. new: A is not that of the step before. spare: rows of scratch.
    """
    moved = False
    for i in range(n):
        p.vectors[spare, i] = p.vectors[_SOUGHT, i] - p.vectors[x, i]
        p.vectors[_ROW, i] = p.vectors[x + 1, i]
        moved = moved or p.vectors[spare, i] != 0.0
    if moved:
        _add_product(p, n, spare, _ROW)
    _right_side(p, size)
    solved = True
    if slides:
        _unsymmetric(p, n, size, spare, shift)
        solved = _eliminate(p, size, 0.0 if shift > 0.0 else _PIVOT)
    elif new:
        solved = _factor(p, size, shift)
    else:
        _forward(p, size)
    if solved:
        _backward(p, size)
    return solved


@scratch_njit
def _add_found(p: CompactProblem, size: int) -> None:
    """Add the unknowns that were found to the impulses sought."""
    for s in range(size):
        k, role, value = p.indices[_BASE, s], p.indices[_ROLE, s], p.A[s, size]
        if role == _SIDE:
            p.vectors[_SOUGHT, k + 1] -= p.vectors[_DIRECTION, k + 2] * value
            p.vectors[_SOUGHT, k + 2] += p.vectors[_DIRECTION, k + 1] * value
        else:
            p.vectors[_SOUGHT, k] += value
            if role != _PLAIN:
                value *= p.mu[p.indices[_OWNER, s]]
                p.vectors[_SOUGHT, k + 1] += p.vectors[_DIRECTION, k + 1] * value
                if role == _NORMAL:
                    p.vectors[_SOUGHT, k + 2] += p.vectors[_DIRECTION, k + 2] * value


@scratch_njit
def newton_on_rows(
    p: CompactProblem, r: Array, u: Array, tolerance: float, most: int
) -> tuple[float, int]:
    """Improve the guess in r; returns the residual, infinite if it is not accepted, and the steps.

    r and u are written where it is. most: of steps.
    """
    n = p.first[p.contacts]
    sizes = _begin(p, r)
    x, other = _FIRST, _SECOND
    best, before, share = math.inf, math.inf, 1.0
    accepted, stuck, halving, steps = 0, 0, 0, 0
    shift, new = 0.0, False
    while True:
        _velocity(p, n, x)
        merit, different, slides = _modes(p, x)
        new = new or different
        falls = merit <= (1.0 - 1e-4 * share) * before
        if not falls and accepted == 0 and steps > 0 and halving < _HALVINGS:
            halving += 1
            share *= 0.5
            if halving == _HALVINGS:  # no descent: take the whole step, and count it
                share = 1.0
                stuck += 1
            for i in range(n):
                start = p.vectors[other, i]
                p.vectors[x, i] = start + share * (p.vectors[_SOUGHT, i] - start)
            continue
        residual = _residual(p, n, sizes, x, merit)
        if sizes.uneven and residual <= tolerance:
            residual = max(residual, _even_residual(p, x))
        improved = residual < 0.5 * best
        if residual <= tolerance:
            accepted += 1
            if residual < best:
                best = residual
                for i in range(n):
                    r[i], u[i] = p.vectors[x, i], p.vectors[x + 1, i]
        if accepted > 0:
            if best <= POLISHED * tolerance or accepted > POLISH_STEPS or not improved:
                break
        elif stuck > _STUCK_STEPS or not merit < math.inf:
            break
        if steps == most:
            break
        size = _begin_step(p, x)
        solved = _find(p, n, size, x, other, slides, new, shift)
        if not solved and shift == 0.0:
            shift = _SHIFT
            solved = _find(p, n, size, x, other, slides, True, shift)
        if not solved:
            break
        _add_found(p, size)
        steps += 1
        new, share, halving, before = False, 1.0, 0, merit
        x, other = other, x
        for i in range(n):
            p.vectors[x, i] = p.vectors[_SOUGHT, i]
    return best, steps
