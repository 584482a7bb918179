"""Non-linear Gauss-Seidel: one contact at a time, each solved exactly with the others held.

Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Eng. 155, 1998. The problem of one contact has
three answers to look for: open, sticking, slipping. In 3-D the direction of slip is a root of a
trigonometric polynomial of degree two in its angle, which is bracketed on a ring of directions.
(O. Bonnefon and G. Daviet, Quartic formulation of Coulomb 3D frictional contact, INRIA RT-0400,
2011, find it among the roots of a polynomial of degree four.)

``solve_by_modes`` sweeps until the modes of the contacts settle, and goes on by Newton's method.
Which of many contacts are open, stick or slip is what costs Newton's method its steps, and a sweep
costs far less than a factorisation: it finds them, while its own last digits come slowly. With the
modes known, Newton's method is a solution of linear equations.
"""

from __future__ import annotations

import math

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.solvers.natural_map import (
    impulse_scale,
    project_cone,
    ran_away,
    scaled_residual,
    velocity,
)
from footfall.solvers.newton import solve_newton

_DIRECTIONS = 32
_CHECK_EVERY = 10


@njit
def solve_planar(W: Array, a: int, q: Array, mu: float, r: Array) -> bool:
    """One planar contact, exactly: W q -> r with u = W_aa r + q. False where no mode fits."""
    nn, nt, tn, tt = W[a, a], W[a, a + 1], W[a + 1, a], W[a + 1, a + 1]
    if q[0] >= 0.0:
        r[0] = 0.0
        r[1] = 0.0
        return True
    det = nn * tt - nt * tn
    if abs(det) > 1e-14 * (abs(nn * tt) + abs(nt * tn)):
        normal = (nt * q[1] - tt * q[0]) / det
        tangent = (tn * q[0] - nn * q[1]) / det
        if normal >= 0.0 and abs(tangent) <= mu * normal:
            r[0] = normal
            r[1] = tangent
            return True
    for sign in (1.0, -1.0):
        pivot = nn - sign * mu * nt
        if pivot > 0.0:
            normal = -q[0] / pivot
            if sign * (q[1] + (tn - sign * mu * tt) * normal) >= 0.0:
                r[0] = normal
                r[1] = -sign * mu * normal
                return True
    return False


@njit
def _stick_spatial(W: Array, a: int, q: Array, r: Array) -> bool:
    """``r = -W_aa^-1 q`` by cofactors; False where the block is singular."""
    c0 = W[a + 1, a + 1] * W[a + 2, a + 2] - W[a + 1, a + 2] * W[a + 2, a + 1]
    c1 = W[a + 1, a + 2] * W[a + 2, a] - W[a + 1, a] * W[a + 2, a + 2]
    c2 = W[a + 1, a] * W[a + 2, a + 1] - W[a + 1, a + 1] * W[a + 2, a]
    det = W[a, a] * c0 + W[a, a + 1] * c1 + W[a, a + 2] * c2
    size = abs(W[a, a] * c0) + abs(W[a, a + 1] * c1) + abs(W[a, a + 2] * c2)
    if not abs(det) > 1e-14 * size:
        return False
    d1 = W[a, a + 2] * W[a + 2, a + 1] - W[a, a + 1] * W[a + 2, a + 2]
    d2 = W[a, a] * W[a + 2, a + 2] - W[a, a + 2] * W[a + 2, a]
    d3 = W[a, a + 1] * W[a + 2, a] - W[a, a] * W[a + 2, a + 1]
    e1 = W[a, a + 1] * W[a + 1, a + 2] - W[a, a + 2] * W[a + 1, a + 1]
    e2 = W[a, a + 2] * W[a + 1, a] - W[a, a] * W[a + 1, a + 2]
    e3 = W[a, a] * W[a + 1, a + 1] - W[a, a + 1] * W[a + 1, a]
    r[0] = -(c0 * q[0] + d1 * q[1] + e1 * q[2]) / det
    r[1] = -(c1 * q[0] + d2 * q[1] + e2 * q[2]) / det
    r[2] = -(c2 * q[0] + d3 * q[1] + e3 * q[2]) / det
    return True


@njit
def _slip(W: Array, a: int, q: Array, mu: float, angle: float) -> tuple[float, float, float]:
    """Slip in direction ``angle`` with u_n = 0: r_n, then the velocities across and along it.

    Both velocities are times W_nn - mu w_nT.e; r_n is negative where that is not positive.
    """
    c = math.cos(angle)
    s = math.sin(angle)
    pivot = W[a, a] - mu * (W[a, a + 1] * c + W[a, a + 2] * s)
    ut = pivot * q[1] - q[0] * (W[a + 1, a] - mu * (W[a + 1, a + 1] * c + W[a + 1, a + 2] * s))
    us = pivot * q[2] - q[0] * (W[a + 2, a] - mu * (W[a + 2, a + 1] * c + W[a + 2, a + 2] * s))
    normal = -q[0] / pivot if pivot > 0.0 else -1.0
    return normal, c * us - s * ut, c * ut + s * us


@njit
def _slip_angle(
    W: Array,
    a: int,
    q: Array,
    mu: float,
    low: float,
    high: float,
    f_low: float,
    f_high: float,
) -> float:
    """The angle between low and high without velocity across: regula falsi, Illinois variant."""
    angle = low
    side = 0
    for _ in range(100):
        if f_high == f_low or high - low <= 4e-16 * high:
            break
        angle = (low * f_high - high * f_low) / (f_high - f_low)
        f = _slip(W, a, q, mu, angle)[1]
        if f == 0.0:
            break
        if f * f_high > 0.0:
            high, f_high = angle, f
            if side == 1:
                f_low *= 0.5
            side = 1
        else:
            low, f_low = angle, f
            if side == -1:
                f_high *= 0.5
            side = -1
    return angle


@njit
def solve_spatial(W: Array, a: int, q: Array, mu: float, r: Array) -> bool:
    """One 3-D contact: W q -> r with u = W_aa r + q. False where no mode fits."""
    if q[0] >= 0.0:
        r[:] = 0.0
        return True
    if _stick_spatial(W, a, q, r) and r[0] >= 0.0 and math.hypot(r[1], r[2]) <= mu * r[0]:
        return True
    width = 2.0 * math.pi / _DIRECTIONS
    before = _slip(W, a, q, mu, 0.0)[1]
    for k in range(1, _DIRECTIONS + 1):
        low = (k - 1) * width
        high = k * width
        after = _slip(W, a, q, mu, high)[1]
        crossing = before >= 0.0 >= after or before <= 0.0 <= after
        f_low, f_high = before, after
        before = after
        if not crossing:
            continue
        angle = _slip_angle(W, a, q, mu, low, high, f_low, f_high)
        normal, _across, along = _slip(W, a, q, mu, angle)
        if normal >= 0.0 and along >= 0.0:
            r[0] = normal
            r[1] = -mu * normal * math.cos(angle)
            r[2] = -mu * normal * math.sin(angle)
            return True
    return False


@njit
def solve_gauss_seidel(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    tolerance: float,
    max_iterations: int,
    r: Array,
) -> tuple[float, int]:
    """Sweep over the contacts from the guess in r until the natural map accepts.

    Returns the residual and the number of sweeps; r receives the last iterate. A contact whose own
    problem has no answer (a Painleve block) takes a projected step instead.
    """
    u = np.empty(q.shape[0])
    starts, others = coupled_contacts(W, dim)
    residual = math.inf
    for count in range(1, max_iterations + 1):
        change = sweep(W, q, mu, dim, starts, others, r)
        small = change <= tolerance * impulse_scale(q, r, norm)
        if small or count % _CHECK_EVERY == 0 or count == max_iterations:
            velocity(W, q, r, u)
            residual = scaled_residual(q, mu, dim, norm, r, u)
            if residual <= tolerance or change == 0.0 or not math.isfinite(residual):
                return residual, count
    return residual, max_iterations


@njit
def coupled_contacts(W: Array, dim: int) -> tuple[Indices, Indices]:
    """The contacts that share a block of W with each contact.

    Those of contact i are ``others[starts[i]:starts[i + 1]]``; starts (n+1,), others (pairs,).
    """
    count = W.shape[0] // dim
    starts = np.zeros(count + 1, dtype=np.int64)
    others = np.empty(count * count, dtype=np.int64)
    found = 0
    for i in range(count):
        for j in range(count):
            if j != i and np.any(W[i * dim : (i + 1) * dim, j * dim : (j + 1) * dim] != 0.0):
                others[found] = j
                found += 1
        starts[i + 1] = found
    return starts, others[:found]


@njit
def sweep(
    W: Array, q: Array, mu: Array, dim: int, starts: Indices, others: Indices, r: Array
) -> float:
    """Solve the problem of each contact in turn, in place; returns the length of the change of r.

    starts, others: from :func:`coupled_contacts`.
    """
    local, new = np.empty(dim), np.empty(dim)
    change = 0.0
    for i in range(mu.shape[0]):
        a = i * dim
        local[:] = q[a : a + dim]
        for m in range(starts[i], starts[i + 1]):
            b = others[m] * dim
            for k in range(dim):
                for j in range(dim):
                    local[k] += W[a + k, b + j] * r[b + j]
        solve_contact(W, a, local, mu[i], r[a : a + dim], new)
        for k in range(dim):
            change += (new[k] - r[a + k]) ** 2
            r[a + k] = new[k]
    return math.sqrt(change)


@njit
def solve_contact(W: Array, a: int, q: Array, mu: float, r: Array, new: Array) -> None:
    """One contact with the others held: W q -> new with u = W_aa new + q.

    Where no mode fits, new is a projected step from r (dim,).
    """
    found = solve_planar(W, a, q, mu, new) if q.size == 2 else solve_spatial(W, a, q, mu, new)
    if not found:
        _projected_step(W, a, q, mu, r, new)


@njit
def _projected_step(W: Array, a: int, q: Array, mu: float, r: Array, new: Array) -> None:
    """One step of the natural map of a single contact, with rho from its own block."""
    dim = q.size
    size = 0.0
    for k in range(dim):
        for j in range(dim):
            size += W[a + k, a + j] ** 2
    rho = 1.0 / math.sqrt(size) if size > 0.0 else 1.0
    slip = 0.0
    for k in range(dim):
        total = q[k]
        for j in range(dim):
            total += W[a + k, a + j] * r[j]
        new[k] = r[k] - rho * total
        if k > 0:
            slip += total * total
    new[0] -= rho * mu * math.sqrt(slip)
    project_cone(new, 0, dim, mu)


_BURST = 20  # sweeps between two looks at the modes
_NEWTON_STEPS = 10
_NEARER = 0.01  # of the residual: then the modes that misled Newton's method are tried again
_INSIDE = 1.0 - 1e-12  # of the cone: friction of a contact that sticks


@njit
def solve_by_modes(
    W: Array,
    q: Array,
    mu: Array,
    dim: int,
    norm: float,
    tolerance: float,
    sweeps: int,
    r: Array,
) -> tuple[float, int]:
    """Improve r from the guess that it holds, by at most so many sweeps and Newton steps between.

    Returns the residual, and sweeps and Newton steps together; r receives the best impulses.
    """
    starts, others = coupled_contacts(W, dim)
    u, modes = np.empty(q.shape[0]), np.full(mu.shape[0], -1, dtype=np.int64)
    x = r.copy()
    velocity(W, q, r, u)
    best, total = scaled_residual(q, mu, dim, norm, r, u), 0
    tried_at = math.inf  # residual at which Newton's method was tried with these modes
    for _ in range(0, sweeps, _BURST):
        for _ in range(_BURST):
            sweep(W, q, mu, dim, starts, others, x)
        total += _BURST
        if ran_away(q, x, norm):
            break
        velocity(W, q, x, u)
        residual = scaled_residual(q, mu, dim, norm, x, u)
        if residual < best:
            best = residual
            r[:] = x
        changed = _changed(mu, dim, x, modes)
        if changed:
            tried_at = math.inf
        if (not changed or residual <= tolerance) and residual < _NEARER * tried_at:
            tried_at = residual
            trial = x.copy()
            residual, used = solve_newton(W, q, mu, dim, norm, tolerance, _NEWTON_STEPS, trial)
            total += used
            if residual < best:
                best = residual
                r[:] = trial
        if best <= tolerance:
            break
    return best, total


@njit
def _changed(mu: Array, dim: int, r: Array, modes: Indices) -> bool:
    """Write the modes of the contacts (0 open, 1 sticking, 2 slipping); True if one is new."""
    changed = False
    for i in range(mu.shape[0]):
        a = i * dim
        friction = 0.0
        for k in range(a + 1, a + dim):
            friction += r[k] * r[k]
        mode = 0
        if r[a] > 0.0:
            mode = 1 if math.sqrt(friction) < _INSIDE * mu[i] * r[a] else 2
        changed = changed or modes[i] != mode
        modes[i] = mode
    return changed
