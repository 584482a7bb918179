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
VECTORS, INDICES = 9, 4
_FIRST, _FIRST_U, _SECOND, _SECOND_U = 0, 1, 2, 3
_WEIGHT, _INVERSE, _DIRECTION, _SOUGHT, _ROW = range(4, VECTORS)
_MODE, _BASE, _ROLE, _OWNER = range(INDICES)

_HALVINGS = 12
_STUCK_STEPS = 3  # steps in a row that no halving makes better
_POLISHED = 1e-4  # of the tolerance: an answer that is only just accepted gets some more steps
_POLISH_STEPS = 4
_SPREAD = 10.0  # of the scales of contacts, as in solve_kernel: beyond, they are judged twice
_LOST = 1e10
_FAR = 1e-8  # of |r|^2: an iterate that is not near an answer is not judged
_PIVOT, _SHIFT, _RIGID = 1e-10, 1e-9, 1e-24  # of the diagonal


@njit
def _velocity(n: int, W: Array, q: Array, vectors: Array, x: int) -> None:
    """Write the velocity behind an impulse; by rows of W, which is symmetric."""
    u = x + 1
    for i in range(n):
        vectors[u, i] = q[i]
    _add_product(n, W, vectors, x, u)


@njit
def _add_product(n: int, W: Array, vectors: Array, x: int, u: int) -> None:
    """Add W x to a vector, four columns at a time."""
    for j in range(0, n - 3, 4):
        a, b = vectors[x, j], vectors[x, j + 1]
        c, d = vectors[x, j + 2], vectors[x, j + 3]
        for i in range(n):
            vectors[u, i] += a * W[j, i] + b * W[j + 1, i] + (c * W[j + 2, i] + d * W[j + 3, i])
    for j in range(n - n % 4, n):
        a = vectors[x, j]
        for i in range(n):
            vectors[u, i] += a * W[j, i]


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
def _even_residual(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    bound: Array,
    W: Array,
    q: Array,
    vectors: Array,
    x: int,
) -> float:
    """Return the same bound of the problem whose contacts are scaled alike."""
    top, trace, size_q, size_r = 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        weight, inverse = vectors[_WEIGHT, first[i]], vectors[_INVERSE, first[i]]
        for j in range(first[i], first[i + 1]):
            top, trace = max(top, W[j, j] * inverse), trace + W[j, j] * inverse
            size_q += q[j] * q[j] * inverse
            size_r += vectors[x, j] * vectors[x, j] * weight
    natural, length = math.sqrt(size_q) / trace, math.sqrt(size_r)
    scale = min(max(length, natural), FARTHEST * natural)
    if not 0.0 < length <= _LOST * natural:
        return math.inf
    return _largest_block(count, kind, first, dim, mu, bound, 1.0 / top, vectors, x, True) / scale


@njit
def _factor(
    size: int, first: Indices, W: Array, A: Array, vectors: Array, indices: Indices, shift: float
) -> bool:
    """Eliminate in [A | b] below the diagonal, A some rows and columns of W with a shift.

    Row by row, and the upper triangle of A alone. The diagonal becomes the inverse of the pivots.
    False where a pivot is lost in rounding, beside |W_ii| of its contact; not with a shift.
    """
    for k in range(size):
        row = indices[_BASE, k]
        for j in range(k, size):
            A[k, j] = W[row, indices[_BASE, j]]
        weight = vectors[_WEIGHT, first[indices[_OWNER, k]]]
        A[k, k] += shift * weight
        for i in range(0, k - 1, 2):
            a, b = A[i, k] * A[i, i], A[i + 1, k] * A[i + 1, i + 1]
            for j in range(k, size + 1):
                A[k, j] -= a * A[i, j] + b * A[i + 1, j]
        if k % 2 == 1:
            a = A[k - 1, k] * A[k - 1, k - 1]
            for j in range(k, size + 1):
                A[k, j] -= a * A[k - 1, j]
        pivot = A[k, k]
        if shift > 0.0:
            pivot = max(pivot, 0.5 * shift * weight)
        elif not pivot > _PIVOT * weight:
            return False
        A[k, k] = 1.0 / pivot
    return True


@njit
def _forward(size: int, A: Array) -> None:
    """Eliminate in b as in A before."""
    for k in range(size):
        factor = A[k, size] * A[k, k]
        for j in range(k + 1, size):
            A[j, size] -= A[k, j] * factor


@njit
def _backward(size: int, A: Array) -> None:
    """Solve with what is left of [A | b], in place of b."""
    for k in range(size - 1, -1, -1):
        value = A[k, size] * A[k, k]
        A[k, size] = value
        for i in range(k):
            A[i, size] -= A[i, k] * value


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
    spare: int,
    shift: float,
) -> None:
    """Write A where a contact slides; rows and b are scaled with 1/|W_ii|, of what is pressed."""
    for s in range(size):
        i = indices[_BASE, s]
        side = indices[_ROLE, s] == _SIDE
        own = vectors[_INVERSE, first[indices[_OWNER, s]]]
        if side:
            x, y = own * vectors[_DIRECTION, i + 1], own * vectors[_DIRECTION, i + 2]
            for j in range(n):
                vectors[spare, j] = x * W[i + 2, j] - y * W[i + 1, j]
        else:
            for j in range(n):
                vectors[spare, j] = own * W[i, j]
        for t in range(size):
            j, role = indices[_BASE, t], indices[_ROLE, t]
            entry = vectors[spare, j]
            if role == _SIDE:
                entry = (
                    vectors[_DIRECTION, j + 1] * vectors[spare, j + 2]
                    - vectors[_DIRECTION, j + 2] * vectors[spare, j + 1]
                )
            elif role != _PLAIN:
                slid = vectors[_DIRECTION, j + 1] * vectors[spare, j + 1]
                if role == _NORMAL:
                    slid += vectors[_DIRECTION, j + 2] * vectors[spare, j + 2]
                entry += mu[indices[_OWNER, t]] * slid
            A[s, t] = entry
        A[s, s] += shift
        if side:
            A[s, s] += own * vectors[_DIRECTION, i]
        A[s, size] *= own


@njit
def _eliminate(size: int, A: Array, least: float) -> bool:
    """Eliminate in [A | b] with partial pivoting; False where a pivot is not above ``least``."""
    for k in range(size):
        pivot, largest = k, abs(A[k, k])
        for i in range(k + 1, size):
            if abs(A[i, k]) > largest:
                pivot, largest = i, abs(A[i, k])
        if not largest > least:
            return False
        if pivot != k:
            for j in range(k, size + 1):
                A[k, j], A[pivot, j] = A[pivot, j], A[k, j]
        inverse = 1.0 / A[k, k]
        A[k, k] = inverse
        for i in range(k + 1, size):
            factor = A[i, k] * inverse
            if factor != 0.0:
                for j in range(k + 1, size + 1):
                    A[i, j] -= factor * A[k, j]
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
def _right_side(size: int, A: Array, vectors: Array, indices: Indices) -> None:
    """Write the velocities that the unknowns have to undo, as b in [A | b]."""
    for s in range(size):
        k = indices[_BASE, s]
        if indices[_ROLE, s] == _SIDE:
            a, b = vectors[_DIRECTION, k + 1], vectors[_DIRECTION, k + 2]
            aside = a * vectors[_SOUGHT, k + 2] - b * vectors[_SOUGHT, k + 1]
            slid = a * vectors[_ROW, k + 2] - b * vectors[_ROW, k + 1]
            A[s, size] = -slid - vectors[_DIRECTION, k] * aside
        else:
            A[s, size] = -vectors[_ROW, k]


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
    top, trace, size_q, lightest, heaviest = 0.0, 0.0, 0.0, math.inf, 0.0
    for i in range(count):
        start, end = first[i], first[i + 1]
        square = 0.0
        for j in range(start, end):
            vectors[_FIRST, j] = r[j]
            top, trace, size_q = max(top, W[j, j]), trace + W[j, j], size_q + q[j] * q[j]
            for k in range(start, end):
                square += W[j, k] * W[j, k]
        if kind[i] != SURFACE:
            square *= dim  # the diagonal that ``expand`` gives it
        weight = math.sqrt(square) if square > 0.0 else 1.0
        vectors[_WEIGHT, start], vectors[_INVERSE, start] = weight, 1.0 / weight
        indices[_MODE, i] = -1
        lightest, heaviest = min(lightest, weight), max(heaviest, weight)
    alike = heaviest > _SPREAD * _SPREAD * lightest
    if top == 0.0:
        top = trace = 1.0
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
        square = 0.0
        for i in range(n):
            square += vectors[x, i] * vectors[x, i]
        residual = math.inf
        if merit <= _FAR * heaviest * max(square, natural * natural):
            length = math.sqrt(square)
            residual = _largest_block(
                count, kind, first, dim, mu, bound, 1.0 / top, vectors, x, False
            )
            scale = max(length, natural)
            if not alike:
                scale = min(scale, FARTHEST * natural) if length <= _LOST * natural else 0.0
            residual = residual / scale if scale > 0.0 else math.inf
        if alike and residual <= tolerance:
            even = _even_residual(count, kind, first, dim, mu, bound, W, q, vectors, x)
            residual = max(residual, even)
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
        for i in range(n):
            vectors[_ROW, i] = vectors[x + 1, i]
        if moved:
            for i in range(n):
                vectors[other, i] = vectors[_SOUGHT, i] - vectors[x, i]
            _add_product(n, W, vectors, other, _ROW)
        _right_side(size, A, vectors, indices)
        if slides:
            _unsymmetric(
                n, size, mu, W, A, vectors, indices, first, other, _SHIFT if shifted else 0.0
            )
            if not _eliminate(size, A, 0.0 if shifted else _PIVOT):
                if shifted:
                    break
                shifted = True
                _right_side(size, A, vectors, indices)
                _unsymmetric(n, size, mu, W, A, vectors, indices, first, other, _SHIFT)
                if not _eliminate(size, A, 0.0):
                    break
        elif not new:
            _forward(size, A)
        elif shifted or not _factor(size, first, W, A, vectors, indices, 0.0):
            if not shifted:
                _right_side(size, A, vectors, indices)
            shifted = True
            _factor(size, first, W, A, vectors, indices, _SHIFT)
        _backward(size, A)
        for s in range(size):
            k, role, value = indices[_BASE, s], indices[_ROLE, s], A[s, size]
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
