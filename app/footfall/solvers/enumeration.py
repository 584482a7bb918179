"""Exact enumeration of the contact modes: up to three planar contacts.

Each contact is open (r = 0), sticking (u = 0) or slipping either way (u_n = 0, r_t = -/+ mu r_n);
each of the 4^n combinations is one linear system, and the natural map says which is a solution.

Order: the modes of the guess first (a zero guess means all open), then stick before slip before
open, the first contact varying slowest. The first combination that is exact to rounding is taken,
so that where friction leaves several solutions a motion keeps its modes, and a new contact
prefers to stick. In a hyperstatic combination the impulses are the shortest ones (scaled).
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array
from footfall.jit import njit
from footfall.solvers.linear import solve_linear
from footfall.solvers.natural_map import scaled_residual, velocity
from footfall.solvers.newton import contact_scale

MAX_CONTACTS = 3
_STICK, _FORWARD, _BACKWARD, _OPEN = 0, 1, 2, 3
_EXACT = 1e-3  # of the tolerance: a residual this small is rounding


@njit
def _guess_code(guess: Array, mu: Array) -> int:
    code = 0
    for i in range(mu.shape[0]):
        normal = guess[2 * i]
        tangent = guess[2 * i + 1]
        mode = _STICK
        if normal <= 0.0:
            mode = _OPEN
        elif abs(tangent) >= (1.0 - 1e-9) * mu[i] * normal:
            mode = _FORWARD if tangent <= 0.0 else _BACKWARD
        code = 4 * code + mode
    return code


@njit
def _unknowns(code: int, n: int) -> int:
    """Return the number of impulses that a combination of modes leaves unknown."""
    total = 0
    for _ in range(n):
        mode = code & 3
        total += 2 if mode == _STICK else (0 if mode == _OPEN else 1)
        code >>= 2
    return total


@njit
def _try_modes(
    W: Array,
    q: Array,
    mu: Array,
    code: int,
    scale: Array,
    row: Array,
    A: Array,
    b: Array,
    r: Array,
) -> None:
    """Write into r the impulses of one combination of modes."""
    n = mu.shape[0]
    line = 0
    for i in range(n):
        mode = (code >> (2 * (n - 1 - i))) & 3
        if mode == _OPEN:
            continue
        for k in range(2 if mode == _STICK else 1):
            at = 0
            source = 2 * i + k
            for j in range(n):
                other = (code >> (2 * (n - 1 - j))) & 3
                weight = scale[i] * scale[j]
                if other == _STICK:
                    A[line, at] = weight * W[source, 2 * j]
                    A[line, at + 1] = weight * W[source, 2 * j + 1]
                    at += 2
                elif other != _OPEN:
                    slope = -mu[j] if other == _FORWARD else mu[j]
                    A[line, at] = weight * (W[source, 2 * j] + slope * W[source, 2 * j + 1])
                    at += 1
            b[line] = -scale[i] * q[source]
            line += 1
    size = _unknowns(code, n)
    if size > 0:
        solve_linear(A, b, size, row)
    at = 0
    for j in range(n):
        mode = (code >> (2 * (n - 1 - j))) & 3
        if mode == _OPEN:
            r[2 * j] = 0.0
            r[2 * j + 1] = 0.0
        elif mode == _STICK:
            r[2 * j] = scale[j] * row[at]
            r[2 * j + 1] = scale[j] * row[at + 1]
            at += 2
        else:
            r[2 * j] = scale[j] * row[at]
            r[2 * j + 1] = (-mu[j] if mode == _FORWARD else mu[j]) * r[2 * j]
            at += 1


@njit
def enumerate_modes(
    W: Array, q: Array, mu: Array, norm: float, tolerance: float, r: Array
) -> tuple[float, int]:
    """Solve a planar problem of up to three contacts; r holds the guess and receives the answer.

    Returns the residual and the number of combinations that were tried.
    """
    n = mu.shape[0]
    scale = np.empty(n)
    for i in range(n):
        scale[i] = contact_scale(W, 2 * i, 2)
    A = np.empty((2 * n, 2 * n))
    b = np.empty(2 * n)
    row = np.empty(2 * n)
    u = np.empty(2 * n)
    trial = np.empty(2 * n)
    first = _guess_code(r, mu)
    best = math.inf
    tried = 0
    for step in range(-1, 4**n):
        if step == first:
            continue
        _try_modes(W, q, mu, first if step < 0 else step, scale, row, A, b, trial)
        velocity(W, q, trial, u)
        residual = scaled_residual(q, mu, 2, norm, trial, u)
        tried += 1
        if residual < best:
            best = residual
            r[:] = trial
        if best <= _EXACT * tolerance:
            break
    return best, tried
