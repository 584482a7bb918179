"""Alart and Curnier's Newton method on the rows that a contact problem has, without allocation.

A step of the method is one of active sets: with the modes that r - rho u has now, u = W r + q is
solved for r, where

- an open contact, and a stop that is off, has r = 0;
- what sticks has u = 0, and so has a stop that holds, and a dry joint within its bound; one beyond
  it has r at the bound;
- a contact that slides along e = x/|x|, x = r_T - rho u_T, has u_n = 0, r_T = mu r_n e + r_s s with
  s at right angles to e, and (1 - kappa) r_s + kappa rho u_s = 0, kappa = mu (r_n - rho u_n)/|x|.

So a sliding contact has dim - 1 unknowns, what is open none, and without sliding the matrix is W
itself on some rows, symmetric and positive semidefinite. Contacts are scaled alike, rho = 1/|W_ii|.

An answer is judged by a bound of the natural map of the problem as ``solve_kernel`` has it, which
takes no norm of W. With e(rho) = r - P(r - rho v), P the projection on a convex set, |e(rho)| does
not fall as rho grows: from the two inequalities of the projections, (z_1 - P_1) (P_2 - P_1) <= 0
and (z_2 - P_2) (P_1 - P_2) <= 0, follows (rho_2 |e_1| - rho_1 |e_2|) (|e_1| - |e_2|) <= 0. And
max W_jj <= |W|_2 <= trace W. So rho = 1/max W_jj instead of 1/|W|_2, and |q|/trace W instead of
|q|/|W|_2 in the scale, can only make the residual larger. The rows that ``expand`` adds lengthen q
and r and leave |W|_2, for their diagonal is one that is there; a dry joint is judged as the contact
that it becomes there. Where contacts differ so much that ``solve_kernel`` scales them, both its
maps are bounded, likewise.
"""

from __future__ import annotations

import math

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.solvers.natural_map import FARTHEST

SURFACE, STOP, DRY = 0, 1, 2  # kinds
_OPEN, _STICKS, _SLIDES, _FREE = 0, 1, 2, 3  # modes; _FREE: closed without friction
_PLAIN, _PLANAR, _NORMAL, _SIDE = 0, 1, 2, 3  # unknowns

# rows of scratch, which are indexed and not sliced: a slice costs as much as twenty operations.
# _FIRST, _SECOND: of an impulse, each with its velocity behind it
VECTORS, INDICES = 11, 4
_FIRST, _FIRST_U, _SECOND, _SECOND_U = 0, 1, 2, 3
_WEIGHT, _INVERSE, _DIRECTION, _SOUGHT, _RIGHT, _ROW, _BEST = range(4, VECTORS)
_MODE, _BASE, _ROLE, _OWNER = range(INDICES)

_HALVINGS = 8
_STUCK_STEPS = 3  # steps in a row that no halving makes better
_POLISHED = 1e-4  # of the tolerance: an answer that is only just accepted gets some more steps
_POLISH_STEPS = 4
_SPREAD = 10.0  # of the scales of contacts, as in solve_kernel: beyond, they are judged twice
_LOST = 1e10
_FAR = 1e-8  # of |r|^2: an iterate that is not near an answer is not judged
_PIVOT, _SHIFT, _RIGID = 1e-10, 1e-9, 1e-24  # of the diagonal


@njit
def _velocity(n: int, W: Array, q: Array, vectors: Array, x: int) -> None:
    """Write the velocity behind an impulse."""
    for i in range(n):
        total = q[i]
        for j in range(n):
            total += W[i, j] * vectors[x, j]
        vectors[x + 1, i] = total


@njit
def _modes(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    bound: Array,
    vectors: Array,
    indices: Indices,
    x: int,
) -> tuple[float, bool, bool]:
    """Find the modes; returns |F|^2 of contacts scaled alike, whether one is new, and one slides.

    Directions are, of a sliding contact, e in its rows t and s, and (1 - kappa)/(kappa rho) in row
    n; of a dry joint beyond its bound, the impulse there.
    """
    total, new, slides = 0.0, False, False
    u = x + 1
    for i in range(count):
        n = first[i]
        rho = vectors[_INVERSE, n]
        r_n, u_n = vectors[x, n], rho * vectors[u, n]
        pressed = r_n - u_n
        if kind[i] == STOP:
            found = _STICKS if pressed > 0.0 else _OPEN
            square = u_n * u_n if pressed > 0.0 else r_n * r_n
        elif kind[i] == DRY:
            found, square = _STICKS, u_n * u_n
            if abs(pressed) >= bound[i]:
                found = _OPEN
                at = math.copysign(bound[i], pressed)
                vectors[_DIRECTION, n] = at
                square = (r_n - at) * (r_n - at)
        else:
            r_t, u_t = vectors[x, n + 1], rho * vectors[u, n + 1]
            r_s, u_s = 0.0, 0.0
            if dim == 3:
                r_s, u_s = vectors[x, n + 2], rho * vectors[u, n + 2]
            if pressed <= 0.0:
                found = _OPEN
                square = r_n * r_n + r_t * r_t + r_s * r_s
            else:
                radius = mu[i] * pressed
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
                    vectors[_DIRECTION, n + 1] = t
                    if dim == 3:
                        vectors[_DIRECTION, n + 2] = s
                        vectors[_DIRECTION, n] = (length - radius) / radius * vectors[_WEIGHT, n]
                    r_t, r_s = r_t - radius * t, r_s - radius * s
                    square = u_n * u_n + r_t * r_t + r_s * r_s
        total += square * vectors[_WEIGHT, n]
        new = new or indices[_MODE, i] != found
        indices[_MODE, i] = found
    return total, new, slides


@njit
def _largest_block(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    bound: Array,
    rho: float,
    vectors: Array,
    x: int,
    alike: bool,
) -> float:
    """The largest distance of an impulse to its projection; alike: of contacts scaled alike."""
    worst = 0.0
    u = x + 1
    for i in range(count):
        n = first[i]
        step = rho * vectors[_INVERSE, n] if alike else rho
        if kind[i] == STOP:
            error = vectors[x, n] - max(0.0, vectors[x, n] - step * vectors[u, n])
            square = error * error
        else:
            r_s, s = 0.0, 0.0
            if kind[i] == DRY:
                coefficient, r_n, r_t = 1.0, bound[i], vectors[x, n]
                slip = abs(vectors[u, n])
                normal, t = r_n - step * slip, r_t - step * vectors[u, n]
                length = abs(t)
            else:
                coefficient, r_n, r_t = mu[i], vectors[x, n], vectors[x, n + 1]
                u_t = vectors[u, n + 1]
                t = r_t - step * u_t
                if dim == 3:
                    r_s, u_s = vectors[x, n + 2], vectors[u, n + 2]
                    s = r_s - step * u_s
                    slip, length = math.sqrt(u_t * u_t + u_s * u_s), math.sqrt(t * t + s * s)
                else:
                    slip, length = abs(u_t), abs(t)
                normal = r_n - step * (vectors[u, n] + coefficient * slip)
            if coefficient * length <= -normal:
                normal = t = s = 0.0
            elif length > coefficient * normal:
                normal = (normal + coefficient * length) / (1.0 + coefficient * coefficient)
                shrink = coefficient * normal / length
                t, s = shrink * t, shrink * s
            square = (r_n - normal) * (r_n - normal) + (r_t - t) * (r_t - t) + (r_s - s) * (r_s - s)
        if alike:
            square *= vectors[_WEIGHT, n]
        if not square <= worst:
            worst = square
    return math.sqrt(worst)


@njit
def _gather(size: int, W: Array, A: Array, vectors: Array, indices: Indices) -> None:
    """Write the upper triangle of W on some rows, and its diagonal once more."""
    for s in range(size):
        i = indices[_BASE, s]
        for t in range(s, size):
            A[s, t] = W[i, indices[_BASE, t]]
        vectors[_ROW, s] = A[s, s]


@njit
def _factor(size: int, A: Array, vectors: Array) -> bool:
    """Eliminate below the diagonal of a symmetric A, of which the upper triangle is read.

    The diagonal becomes the inverse of the pivots. False where a pivot is lost in rounding, beside
    the diagonal that there was.
    """
    for k in range(size):
        if not A[k, k] > _PIVOT * vectors[_ROW, k]:
            return False
        inverse = 1.0 / A[k, k]
        A[k, k] = inverse
        for i in range(k + 1, size):
            factor = A[k, i] * inverse
            for j in range(i, size):
                A[i, j] -= factor * A[k, j]
    return True


@njit
def _factor_shifted(size: int, A: Array, vectors: Array) -> None:
    """Do the same with some of the diagonal added to it; a row of rounding alone has no answer."""
    largest = 0.0
    for k in range(size):
        largest = max(largest, vectors[_ROW, k])
    for k in range(size):
        A[k, k] += _SHIFT * vectors[_ROW, k]
    for k in range(size):
        pivot = max(A[k, k], 0.5 * _SHIFT * vectors[_ROW, k])
        inverse = 1.0 / pivot if vectors[_ROW, k] > _RIGID * largest else 0.0
        A[k, k] = inverse
        for i in range(k + 1, size):
            factor = A[k, i] * inverse
            for j in range(i, size):
                A[i, j] -= factor * A[k, j]


@njit
def _substitute(size: int, A: Array, vectors: Array) -> None:
    """Solve with what was factored, in place."""
    for k in range(size):
        factor = vectors[_RIGHT, k] * A[k, k]
        for j in range(k + 1, size):
            vectors[_RIGHT, j] -= A[k, j] * factor
    for k in range(size - 1, -1, -1):
        value = vectors[_RIGHT, k] * A[k, k]
        vectors[_RIGHT, k] = value
        for i in range(k):
            vectors[_RIGHT, i] -= A[i, k] * value


@njit
def _unsymmetric(
    n: int,
    size: int,
    mu: Array,
    W: Array,
    A: Array,
    vectors: Array,
    indices: Indices,
    first: Indices,
) -> None:
    """Write the matrix where a contact slides, of contacts that are scaled alike."""
    for s in range(size):
        i = indices[_BASE, s]
        side = indices[_ROLE, s] == _SIDE
        if side:
            x, y = vectors[_DIRECTION, i + 1], vectors[_DIRECTION, i + 2]
            for j in range(n):
                vectors[_ROW, j] = x * W[i + 2, j] - y * W[i + 1, j]
        else:
            for j in range(n):
                vectors[_ROW, j] = W[i, j]
        own = math.sqrt(vectors[_INVERSE, first[indices[_OWNER, s]]])
        for t in range(size):
            j, role, contact = indices[_BASE, t], indices[_ROLE, t], indices[_OWNER, t]
            entry = vectors[_ROW, j]
            if role == _SIDE:
                entry = (
                    vectors[_DIRECTION, j + 1] * vectors[_ROW, j + 2]
                    - vectors[_DIRECTION, j + 2] * vectors[_ROW, j + 1]
                )
            elif role != _PLAIN:
                slid = vectors[_DIRECTION, j + 1] * vectors[_ROW, j + 1]
                if role == _NORMAL:
                    slid += vectors[_DIRECTION, j + 2] * vectors[_ROW, j + 2]
                entry += mu[contact] * slid
            A[s, t] = own * math.sqrt(vectors[_INVERSE, first[contact]]) * entry
        if side:
            A[s, s] += own * own * vectors[_DIRECTION, i]


@njit
def _eliminate(size: int, A: Array, vectors: Array, least: float) -> bool:
    """Solve in place with partial pivoting; False where a pivot is not above ``least``."""
    for k in range(size):
        pivot, largest = k, abs(A[k, k])
        for i in range(k + 1, size):
            if abs(A[i, k]) > largest:
                pivot, largest = i, abs(A[i, k])
        if not largest > least:
            return False
        right = vectors[_RIGHT, pivot]
        if pivot != k:
            for j in range(k, size):
                A[k, j], A[pivot, j] = A[pivot, j], A[k, j]
            vectors[_RIGHT, pivot] = vectors[_RIGHT, k]
            vectors[_RIGHT, k] = right
        inverse = 1.0 / A[k, k]
        A[k, k] = inverse
        for i in range(k + 1, size):
            factor = A[i, k] * inverse
            if factor != 0.0:
                for j in range(k + 1, size):
                    A[i, j] -= factor * A[k, j]
                vectors[_RIGHT, i] -= factor * right
    for k in range(size - 1, -1, -1):
        value = vectors[_RIGHT, k] * A[k, k]
        vectors[_RIGHT, k] = value
        for i in range(k):
            vectors[_RIGHT, i] -= A[i, k] * value
    return True


@njit
def _begin_step(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    vectors: Array,
    indices: Indices,
    x: int,
) -> tuple[int, bool]:
    """Write what the modes fix of the impulses sought, and list what they leave to be found.

    Returns the number of unknowns, and whether the impulses changed.
    """
    size, moved = 0, False
    for i in range(count):
        k, end, mode = first[i], first[i + 1], indices[_MODE, i]
        for j in range(k, end):
            vectors[_SOUGHT, j] = vectors[x, j]
        if mode == _STICKS:
            for j in range(k, end):
                indices[_BASE, size], indices[_ROLE, size] = j, _PLAIN
                indices[_OWNER, size] = i
                size += 1
        elif mode == _OPEN:
            for j in range(k, end):
                moved = moved or vectors[x, j] != 0.0
                vectors[_SOUGHT, j] = 0.0
            if kind[i] == DRY:
                moved = moved or vectors[x, k] != vectors[_DIRECTION, k]
                vectors[_SOUGHT, k] = vectors[_DIRECTION, k]
        else:
            moved = True
            indices[_BASE, size], indices[_OWNER, size] = k, i
            indices[_ROLE, size] = _PLAIN
            if mode == _FREE:
                for j in range(k + 1, end):
                    vectors[_SOUGHT, j] = 0.0
            else:
                indices[_ROLE, size] = _PLANAR
                a, along = vectors[_DIRECTION, k + 1], mu[i] * vectors[x, k]
                vectors[_SOUGHT, k + 1] = along * a
                if dim == 3:
                    indices[_ROLE, size] = _NORMAL
                    size += 1
                    indices[_BASE, size], indices[_OWNER, size] = k, i
                    indices[_ROLE, size] = _SIDE
                    b = vectors[_DIRECTION, k + 2]
                    aside = a * vectors[x, k + 2] - b * vectors[x, k + 1]
                    vectors[_SOUGHT, k + 1] -= aside * b
                    vectors[_SOUGHT, k + 2] = along * b + aside * a
            size += 1
    return size, moved


@njit
def _solve_unsymmetric(
    n: int,
    size: int,
    first: Indices,
    mu: Array,
    W: Array,
    A: Array,
    vectors: Array,
    indices: Indices,
    shifted: bool,
) -> tuple[bool, bool]:
    """Solve for the unknowns where a contact slides; whether with a shift, and whether at all."""
    for s in range(size):
        vectors[_RIGHT, s] *= math.sqrt(vectors[_INVERSE, first[indices[_OWNER, s]]])
        vectors[_BEST, s] = vectors[_RIGHT, s]
    while True:
        _unsymmetric(n, size, mu, W, A, vectors, indices, first)
        if shifted:
            for s in range(size):
                A[s, s] += _SHIFT
        solved = _eliminate(size, A, vectors, 0.0 if shifted else _PIVOT)
        if solved or shifted:
            break
        shifted = True
        for s in range(size):
            vectors[_RIGHT, s] = vectors[_BEST, s]
    for s in range(size):
        vectors[_RIGHT, s] *= math.sqrt(vectors[_INVERSE, first[indices[_OWNER, s]]])
    return shifted, solved


@njit
def newton_on_rows(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    bound: Array,
    W: Array,
    q: Array,
    r: Array,
    u: Array,
    tolerance: float,
    most: int,
    A: Array,
    vectors: Array,
    indices: Indices,
) -> tuple[float, int]:
    """Improve the guess in r; returns the residual, infinite if it is not accepted, and the steps.

    r and u are written where it is. The arguments are those of ``solve_compact``; most: of steps.
    """
    n = first[count]
    top, trace, size_q, even_q = 0.0, 0.0, 0.0, 0.0
    lightest, heaviest, even_top, even_trace = math.inf, 0.0, 0.0, 0.0
    for i in range(count):
        start, end = first[i], first[i + 1]
        square, largest, total, own_q = 0.0, 0.0, 0.0, 0.0
        for j in range(start, end):
            largest = max(largest, W[j, j])
            total += W[j, j]
            own_q += q[j] * q[j]
            for k in range(start, end):
                square += W[j, k] * W[j, k]
            vectors[_FIRST, j] = r[j]
        if kind[i] != SURFACE:
            square *= dim  # the diagonal that ``expand`` gives it
        weight = math.sqrt(square) if square > 0.0 else 1.0
        inverse = 1.0 / weight
        vectors[_WEIGHT, start], vectors[_INVERSE, start] = weight, inverse
        indices[_MODE, i] = -1
        top, trace, size_q = max(top, largest), trace + total, size_q + own_q
        lightest, heaviest = min(lightest, weight), max(heaviest, weight)
        even_top, even_trace = max(even_top, largest * inverse), even_trace + total * inverse
        even_q += own_q * inverse
    alike = heaviest > _SPREAD * _SPREAD * lightest
    if top == 0.0:
        top = trace = even_top = even_trace = 1.0
    natural = math.sqrt(size_q) / trace
    x, other = _FIRST, _SECOND
    best, residual, before = math.inf, math.inf, math.inf
    accepted, stuck, iteration, halving = 0, 0, 0, 0
    shifted, new, share = False, False, 1.0
    while True:
        _velocity(n, W, q, vectors, x)
        merit, different, slides = _modes(count, kind, first, dim, mu, bound, vectors, indices, x)
        new = new or different
        if accepted == 0 and halving < _HALVINGS:
            if not merit <= (1.0 - 1e-4 * share) * before and iteration > 0:
                halving += 1
                share *= 0.5
                if halving == _HALVINGS:  # no descent: take the whole step, and count it
                    share = 1.0
                    stuck += 1
                for i in range(n):
                    start_r = vectors[other, i]
                    vectors[x, i] = start_r + share * (vectors[_SOUGHT, i] - start_r)
                continue
            stuck = 0
        square = 0.0
        for i in range(n):
            square += vectors[x, i] * vectors[x, i]
        residual = math.inf
        if merit <= _FAR * heaviest * square or square == 0.0:
            length = math.sqrt(square)
            residual = _largest_block(
                count, kind, first, dim, mu, bound, 1.0 / top, vectors, x, False
            )
            scale = max(length, natural)
            if not alike:
                scale = min(scale, FARTHEST * natural) if length <= _LOST * natural else 0.0
            residual = residual / scale if scale > 0.0 else math.inf
        if alike and residual <= tolerance:
            square = 0.0
            for i in range(count):
                for j in range(first[i], first[i + 1]):
                    square += vectors[x, j] * vectors[x, j] * vectors[_WEIGHT, first[i]]
            length, even_natural = math.sqrt(square), math.sqrt(even_q) / even_trace
            even = _largest_block(
                count, kind, first, dim, mu, bound, 1.0 / even_top, vectors, x, True
            )
            scale = min(max(length, even_natural), FARTHEST * even_natural)
            if not length <= _LOST * even_natural:
                scale = 0.0
            residual = max(residual, even / scale) if scale > 0.0 else math.inf
        improved = residual < 0.5 * best
        if residual <= tolerance:
            accepted += 1
            if residual < best:
                best = residual
                for i in range(n):
                    r[i], u[i] = vectors[x, i], vectors[x + 1, i]
        if accepted > 0:
            if best <= _POLISHED * tolerance or accepted > _POLISH_STEPS or not improved:
                break
        elif stuck > _STUCK_STEPS or not merit < math.inf:
            break
        if iteration == most:
            break
        size, moved = _begin_step(count, kind, first, dim, mu, vectors, indices, x)
        if moved:
            for i in range(n):
                total = vectors[x + 1, i]
                for j in range(n):
                    total += W[i, j] * (vectors[_SOUGHT, j] - vectors[x, j])
                vectors[_ROW, i] = total
        else:
            for i in range(n):
                vectors[_ROW, i] = vectors[x + 1, i]
        for s in range(size):
            k = indices[_BASE, s]
            if indices[_ROLE, s] == _SIDE:
                a, b = vectors[_DIRECTION, k + 1], vectors[_DIRECTION, k + 2]
                aside = a * vectors[_SOUGHT, k + 2] - b * vectors[_SOUGHT, k + 1]
                slid = a * vectors[_ROW, k + 2] - b * vectors[_ROW, k + 1]
                vectors[_RIGHT, s] = -slid - vectors[_DIRECTION, k] * aside
            else:
                vectors[_RIGHT, s] = -vectors[_ROW, k]
        if slides:
            shifted, solved = _solve_unsymmetric(
                n, size, first, mu, W, A, vectors, indices, shifted
            )
            if not solved:
                break
        else:
            if new:
                _gather(size, W, A, vectors, indices)
                if shifted or not _factor(size, A, vectors):
                    shifted = True
                    _gather(size, W, A, vectors, indices)
                    _factor_shifted(size, A, vectors)
            _substitute(size, A, vectors)
        for s in range(size):
            k, role, value = indices[_BASE, s], indices[_ROLE, s], vectors[_RIGHT, s]
            if role == _SIDE:
                vectors[_SOUGHT, k + 1] -= vectors[_DIRECTION, k + 2] * value
                vectors[_SOUGHT, k + 2] += vectors[_DIRECTION, k + 1] * value
            else:
                vectors[_SOUGHT, k] += value
                if role != _PLAIN:
                    value *= mu[indices[_OWNER, s]]
                    vectors[_SOUGHT, k + 1] += vectors[_DIRECTION, k + 1] * value
                    if role == _NORMAL:
                        vectors[_SOUGHT, k + 2] += vectors[_DIRECTION, k + 2] * value
        iteration += 1
        new, share, halving, before = False, 1.0, 0, merit
        x, other = other, x
        for i in range(n):
            vectors[x, i] = vectors[_SOUGHT, i]
    return best, iteration
