"""Alart and Curnier's Newton method on the rows that a contact problem has, without allocation.

A step of the method is one of active sets: with the modes that r - rho u has now, u = W r + q is
solved for r, where

- an open contact, and a stop that is off, has r = 0;
- what sticks has u = 0, and so has a stop that holds, and a dry joint within its bound; one beyond
  it has r at the bound;
- a contact that slides along e = x/|x|, x = r_T - rho u_T, has u_n = 0, r_T = mu r_n e + r_s s with
  s at right angles to e, and (1 - kappa) r_s + kappa rho u_s = 0, kappa = mu (r_n - rho u_n)/|x|.

So a sliding contact has dim - 1 unknowns, what is open none, and without sliding the matrix is W
itself on some rows, symmetric and positive semidefinite.
"""

from __future__ import annotations

import math

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.solvers.natural_map import FARTHEST

SURFACE, STOP, DRY = 0, 1, 2  # kinds
_OPEN, _STICKS, _SLIDES, _FREE = 0, 1, 2, 3  # modes; _FREE: closed without friction
_PLAIN, _PLANAR, _NORMAL, _SIDE = 0, 1, 2, 3  # unknowns

VECTORS, INDICES = 8, 4  # rows of scratch
_WEIGHT, _INVERSE, _DIRECTION, _TRIAL, _TRIAL_U, _SOUGHT, _ROW, _BEST = range(VECTORS)
_MODE, _BASE, _ROLE, _OWNER = range(INDICES)

_STEPS = 20
_HALVINGS = 8
_STUCK_STEPS = 3  # steps in a row that no halving makes better
_POLISHED = 1e-4  # of the tolerance: an answer that is only just accepted gets some more steps
_POLISH_STEPS = 4
_SPREAD = 10.0  # of the scales of contacts, as in solve_kernel: beyond, they are judged twice
_LOST = 1e10
_PIVOT, _SHIFT, _RIGID = 1e-10, 1e-9, 1e-24  # of the diagonal


@njit
def _velocity(n: int, W: Array, q: Array, r: Array, u: Array) -> None:
    for i in range(n):
        total = q[i]
        for j in range(n):
            total += W[i, j] * r[j]
        u[i] = total


@njit
def _modes(
    count: int,
    kind: Indices,
    first: Indices,
    dim: int,
    mu: Array,
    bound: Array,
    weight: Array,
    inverse: Array,
    r: Array,
    u: Array,
    mode: Indices,
    direction: Array,
) -> tuple[float, bool, bool]:
    """Find the modes; returns |F|^2 of contacts scaled alike, whether one is new, and one slides.

    direction: of a sliding contact, e in its rows t and s, and (1 - kappa)/(kappa rho) in row n;
    of a dry joint beyond its bound, the impulse there.
    """
    total, new, slides = 0.0, False, False
    for i in range(count):
        n = first[i]
        rho = inverse[n]
        pressed = r[n] - rho * u[n]
        if kind[i] == STOP:
            found = _STICKS if pressed > 0.0 else _OPEN
            error = rho * u[n] if pressed > 0.0 else r[n]
            square = error * error
        elif kind[i] == DRY:
            found = _STICKS
            error = rho * u[n]
            if abs(pressed) >= bound[i]:
                found = _OPEN
                direction[n] = math.copysign(bound[i], pressed)
                error = r[n] - direction[n]
            square = error * error
        elif pressed <= 0.0:
            found = _OPEN
            square = r[n] * r[n] + r[n + 1] * r[n + 1]
            if dim == 3:
                square += r[n + 2] * r[n + 2]
        else:
            radius = mu[i] * pressed
            x, y = r[n + 1] - rho * u[n + 1], 0.0
            if dim == 3:
                y = r[n + 2] - rho * u[n + 2]
            length = x * x + y * y
            square = rho * rho * u[n] * u[n]
            if radius == 0.0:
                found = _FREE
                square += r[n + 1] * r[n + 1]
                if dim == 3:
                    square += r[n + 2] * r[n + 2]
            elif length <= radius * radius:
                found = _STICKS
                square += rho * rho * u[n + 1] * u[n + 1]
                if dim == 3:
                    square += rho * rho * u[n + 2] * u[n + 2]
            else:
                found, slides = _SLIDES, True
                length = math.sqrt(length)
                x /= length
                direction[n + 1] = x
                error = r[n + 1] - radius * x
                square += error * error
                if dim == 3:
                    y /= length
                    direction[n + 2] = y
                    direction[n] = (length - radius) / radius * weight[n]
                    error = r[n + 2] - radius * y
                    square += error * error
        total += square * weight[n]
        new = new or mode[i] != found
        mode[i] = found
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
    r: Array,
    u: Array,
    weight: Array,
    inverse: Array,
    alike: bool,
) -> float:
    """The largest distance of an impulse to its projection; alike: of contacts scaled alike."""
    worst = 0.0
    for i in range(count):
        n = first[i]
        step = rho * inverse[n] if alike else rho
        if kind[i] == STOP:
            error = r[n] - max(0.0, r[n] - step * u[n])
            square = error * error
        else:
            coefficient, normal, x, y = mu[i], 0.0, 0.0, 0.0
            slip = 0.0
            if kind[i] == DRY:
                coefficient, base, t, s = 1.0, bound[i], r[n], 0.0
                slip = abs(u[n])
                normal, x = base - step * slip, t - step * u[n]
            else:
                base, t, s = r[n], r[n + 1], 0.0
                x = t - step * u[n + 1]
                if dim == 3:
                    s = r[n + 2]
                    y = s - step * u[n + 2]
                    slip = math.sqrt(u[n + 1] * u[n + 1] + u[n + 2] * u[n + 2])
                else:
                    slip = abs(u[n + 1])
                normal = base - step * (u[n] + coefficient * slip)
            length = math.sqrt(x * x + y * y)
            if coefficient * length <= -normal:
                normal = x = y = 0.0
            elif length > coefficient * normal:
                projected = (normal + coefficient * length) / (1.0 + coefficient * coefficient)
                shrink = coefficient * projected / length
                normal, x, y = projected, shrink * x, shrink * y
            square = (base - normal) ** 2 + (t - x) ** 2 + (s - y) ** 2
        if alike:
            square *= weight[n]
        if not square <= worst:
            worst = square
    return math.sqrt(worst)


@njit
def _gather(size: int, base: Indices, W: Array, A: Array, diagonal: Array) -> None:
    """Write the upper triangle of W on some rows, and its diagonal once more."""
    for s in range(size):
        i = base[s]
        for t in range(s, size):
            A[s, t] = W[i, base[t]]
        diagonal[s] = A[s, s]


@njit
def _factor(size: int, A: Array, diagonal: Array) -> bool:
    """Eliminate below the diagonal of a symmetric A, of which the upper triangle is read.

    The diagonal becomes the inverse of the pivots. False where a pivot is lost in rounding, beside
    the diagonal that there was.
    """
    for k in range(size):
        pivot = A[k, k]
        if not pivot > _PIVOT * diagonal[k]:
            return False
        inverse = 1.0 / pivot
        A[k, k] = inverse
        for i in range(k + 1, size):
            factor = A[k, i] * inverse
            for j in range(i, size):
                A[i, j] -= factor * A[k, j]
    return True


@njit
def _factor_shifted(size: int, A: Array, diagonal: Array) -> None:
    """Do the same with some of the diagonal added to it; a row of rounding alone has no answer."""
    largest = 0.0
    for k in range(size):
        largest = max(largest, diagonal[k])
    for k in range(size):
        A[k, k] += _SHIFT * diagonal[k]
    for k in range(size):
        pivot = max(A[k, k], 0.5 * _SHIFT * diagonal[k])
        inverse = 1.0 / pivot if diagonal[k] > _RIGID * largest else 0.0
        A[k, k] = inverse
        for i in range(k + 1, size):
            factor = A[k, i] * inverse
            for j in range(i, size):
                A[i, j] -= factor * A[k, j]


@njit
def _substitute(size: int, A: Array, b: Array) -> None:
    """Solve with what was factored, in place."""
    for k in range(size):
        factor = b[k] * A[k, k]
        for j in range(k + 1, size):
            b[j] -= A[k, j] * factor
    for k in range(size - 1, -1, -1):
        b[k] *= A[k, k]
        for i in range(k):
            b[i] -= A[i, k] * b[k]


@njit
def _unsymmetric(
    n: int,
    size: int,
    mu: Array,
    W: Array,
    inverse: Array,
    direction: Array,
    base: Indices,
    role: Indices,
    owner: Indices,
    first: Indices,
    row: Array,
    A: Array,
) -> None:
    """Write the matrix where a contact slides, of contacts that are scaled alike."""
    for s in range(size):
        i = base[s]
        if role[s] == _SIDE:
            x, y = direction[i + 1], direction[i + 2]
            for j in range(n):
                row[j] = x * W[i + 2, j] - y * W[i + 1, j]
        else:
            for j in range(n):
                row[j] = W[i, j]
        own = math.sqrt(inverse[first[owner[s]]])
        for t in range(size):
            j = base[t]
            if role[t] == _PLAIN:
                entry = row[j]
            elif role[t] == _SIDE:
                entry = direction[j + 1] * row[j + 2] - direction[j + 2] * row[j + 1]
            else:
                entry = row[j] + mu[owner[t]] * direction[j + 1] * row[j + 1]
                if role[t] == _NORMAL:
                    entry += mu[owner[t]] * direction[j + 2] * row[j + 2]
            A[s, t] = own * math.sqrt(inverse[first[owner[t]]]) * entry
        if role[s] == _SIDE:
            A[s, s] += own * own * direction[i]


@njit
def _eliminate(size: int, A: Array, b: Array, least: float) -> bool:
    """Solve A x = b in place, with partial pivoting; False where a pivot is not above ``least``."""
    for k in range(size):
        pivot, largest = k, abs(A[k, k])
        for i in range(k + 1, size):
            if abs(A[i, k]) > largest:
                pivot, largest = i, abs(A[i, k])
        if not largest > least:
            return False
        if pivot != k:
            for j in range(k, size):
                A[k, j], A[pivot, j] = A[pivot, j], A[k, j]
            b[k], b[pivot] = b[pivot], b[k]
        inverse = 1.0 / A[k, k]
        A[k, k] = inverse
        for i in range(k + 1, size):
            factor = A[i, k] * inverse
            if factor != 0.0:
                for j in range(k + 1, size):
                    A[i, j] -= factor * A[k, j]
                b[i] -= factor * b[k]
    for k in range(size - 1, -1, -1):
        b[k] *= A[k, k]
        for i in range(k):
            b[i] -= A[i, k] * b[k]
    return True


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
    """Improve r from the guess that it holds, and u with it; (residual, steps).

    r stays what it was where the residual is above the tolerance. The arguments are those of
    ``solve_compact``; most: of steps.
    """
    n = first[count]
    weight, inverse, direction = vectors[_WEIGHT], vectors[_INVERSE], vectors[_DIRECTION]
    trial, trial_u, sought = vectors[_TRIAL], vectors[_TRIAL_U], vectors[_SOUGHT]
    row, best_r = vectors[_ROW], vectors[_BEST]
    mode, base, role, owner = indices[_MODE], indices[_BASE], indices[_ROLE], indices[_OWNER]
    # rho = 1 / top and |q| / trace, see the top of the file
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
        if kind[i] != SURFACE:
            square *= dim  # what solve_kernel sees of it
        size = math.sqrt(square) if square > 0.0 else 1.0
        weight[start], inverse[start] = size, 1.0 / size
        mode[i] = -1
        top, trace, size_q = max(top, largest), trace + total, size_q + own_q
        lightest, heaviest = min(lightest, size), max(heaviest, size)
        even_top, even_trace = max(even_top, largest / size), even_trace + total / size
        even_q += own_q / size
    alike = heaviest > _SPREAD * _SPREAD * lightest
    if top == 0.0:
        top = trace = even_top = even_trace = 1.0
    natural = math.sqrt(size_q) / trace
    even_natural = math.sqrt(even_q) / even_trace
    _velocity(n, W, q, r, u)
    merit, _, slides = _modes(
        count, kind, first, dim, mu, bound, weight, inverse, r, u, mode, direction
    )
    best, accepted, stuck, shifted, new = math.inf, 0, 0, False, True
    iteration = 0
    while True:
        square = 0.0
        for i in range(n):
            square += r[i] * r[i]
        length = math.sqrt(square)
        residual = _largest_block(
            count, kind, first, dim, mu, bound, 1.0 / top, r, u, weight, inverse, False
        )
        scale = max(length, natural)
        if not alike:
            scale = min(scale, FARTHEST * natural) if length <= _LOST * natural else 0.0
        residual = residual / scale if scale > 0.0 else math.inf
        if alike and residual <= tolerance:
            square = 0.0
            for i in range(count):
                for j in range(first[i], first[i + 1]):
                    square += r[j] * r[j] * weight[first[i]]
            length = math.sqrt(square)
            other = _largest_block(
                count, kind, first, dim, mu, bound, 1.0 / even_top, r, u, weight, inverse, True
            )
            scale = min(max(length, even_natural), FARTHEST * even_natural)
            if not length <= _LOST * even_natural:
                scale = 0.0
            residual = max(residual, other / scale) if scale > 0.0 else math.inf
        if iteration == 0:
            for i in range(n):
                best_r[i] = r[i]
        improved = residual < 0.5 * best
        if residual <= tolerance:
            accepted += 1
            if residual < best:
                best = residual
                for i in range(n):
                    best_r[i] = r[i]
        if accepted > 0 and (
            best <= _POLISHED * tolerance or accepted > _POLISH_STEPS or not improved
        ):
            break
        if iteration == most or stuck > _STUCK_STEPS or not merit < math.inf:
            break
        # what the modes fix, and what they leave to be found
        size, moved = 0, False
        for i in range(count):
            k = first[i]
            if mode[i] == _OPEN:
                for j in range(k, first[i + 1]):
                    sought[j] = 0.0
                if kind[i] == DRY:
                    sought[k] = direction[k]
                moved = True
                continue
            for j in range(k, first[i + 1]):
                sought[j] = r[j]
            if mode[i] == _STICKS:
                for j in range(k, first[i + 1]):
                    base[size], role[size], owner[size] = j, _PLAIN, i
                    size += 1
                continue
            moved = True
            base[size], owner[size] = k, i
            if mode[i] == _FREE:
                role[size] = _PLAIN
                for j in range(k + 1, first[i + 1]):
                    sought[j] = 0.0
            elif dim == 2:
                role[size] = _PLANAR
                sought[k + 1] = mu[i] * r[k] * direction[k + 1]
            else:
                role[size] = _NORMAL
                x, y = direction[k + 1], direction[k + 2]
                along, aside = mu[i] * r[k], x * r[k + 2] - y * r[k + 1]
                sought[k + 1], sought[k + 2] = along * x - aside * y, along * y + aside * x
                size += 1
                base[size], role[size], owner[size] = k, _SIDE, i
            size += 1
        if moved:
            for i in range(n):
                row[i] = sought[i] - r[i]
            _velocity(n, W, u, row, trial_u)
        else:
            for i in range(n):
                trial_u[i] = u[i]
        b = trial
        for s in range(size):
            k = base[s]
            if role[s] == _SIDE:
                x, y = direction[k + 1], direction[k + 2]
                aside = x * sought[k + 2] - y * sought[k + 1]
                b[s] = y * trial_u[k + 1] - x * trial_u[k + 2] - direction[k] * aside
            else:
                b[s] = -trial_u[k]
        if not slides:
            if new:
                _gather(size, base, W, A, row)
                if shifted or not _factor(size, A, row):
                    shifted = True
                    _gather(size, base, W, A, row)
                    _factor_shifted(size, A, row)
            _substitute(size, A, b)
        else:
            for s in range(size):
                b[s] *= math.sqrt(inverse[first[owner[s]]])
                trial_u[s] = b[s]
            _unsymmetric(n, size, mu, W, inverse, direction, base, role, owner, first, row, A)
            if shifted or not _eliminate(size, A, b, _PIVOT):
                shifted = True
                _unsymmetric(n, size, mu, W, inverse, direction, base, role, owner, first, row, A)
                for s in range(size):
                    b[s] = trial_u[s]
                    A[s, s] += _SHIFT
                if not _eliminate(size, A, b, 0.0):
                    break
            for s in range(size):
                b[s] *= math.sqrt(inverse[first[owner[s]]])
        for s in range(size):
            k = base[s]
            if role[s] == _SIDE:
                sought[k + 1] -= direction[k + 2] * b[s]
                sought[k + 2] += direction[k + 1] * b[s]
            else:
                sought[k] += b[s]
                if role[s] != _PLAIN:
                    sought[k + 1] += mu[owner[s]] * direction[k + 1] * b[s]
                    if role[s] == _NORMAL:
                        sought[k + 2] += mu[owner[s]] * direction[k + 2] * b[s]
        iteration += 1
        new = False
        share = 1.0
        halving = 0
        before = merit
        while True:
            for i in range(n):
                trial[i] = sought[i] if share == 1.0 else r[i] + share * (sought[i] - r[i])
            _velocity(n, W, q, trial, trial_u)
            merit, other_mode, slides = _modes(
                count, kind, first, dim, mu, bound, weight, inverse, trial, trial_u, mode, direction
            )
            new = new or other_mode
            if halving == _HALVINGS or accepted > 0:
                break
            if merit <= (1.0 - 1e-4 * share) * before:
                stuck = 0
                break
            halving += 1
            share *= 0.5
            if halving == _HALVINGS:  # no descent: take the whole step, and count it
                share = 1.0
                stuck += 1
        for i in range(n):
            r[i], u[i] = trial[i], trial_u[i]
    if accepted == 0 or residual > best:
        for i in range(n):
            r[i] = best_r[i]
        _velocity(n, W, q, r, u)
    return best, iteration
