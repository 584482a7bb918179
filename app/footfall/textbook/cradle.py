"""Newton's cradle: a chain of balls on one line, by three different laws of impact.

Ball i has mass m[i] and velocity v[i] [m/s], positive to the right; contact i is between balls i
and i + 1 and opens with gamma[i] = v[i+1] - v[i]. An impulse L[i] >= 0 [N s] in contact i pushes
the balls apart. All balls that touch take part in one impact.

- ``newton``: gamma+ + e gamma- >= 0, L >= 0, L (gamma+ + e gamma-) = 0, all contacts at once
  (J. J. Moreau 1988; the linear complementarity problem is solved by trying every set of contacts).
- ``poisson``: a compression by the same law with e = 0, which stores L_C, then an expansion with
  L_E >= e L_C, gamma+ >= 0, (L_E - e L_C) gamma+ = 0 (Ch. Glocker & F. Pfeiffer, Multiple impacts
  with friction in rigid multibody systems, Nonlinear Dynamics 7, 1995, 471-497).
- ``one_after_another``: collisions of two balls each, as between balls that are a little apart.

For n equal balls that touch, the first of which arrives at v0, e = 1 gives by ``newton`` and by
``poisson`` v = ((2 - n)/n, 2/n, ..., 2/n) v0: the first ball collides with the others as with one
body. Apart, the last ball alone leaves, at v0. Momentum and energy are the same in both.
"""

import itertools

import numpy as np

from footfall.arrays import Array

_FEASIBLE = 1e-12


def newton(m: Array, e: Array, v: Array) -> tuple[Array, Array]:
    """Velocities after a simultaneous impact by Newton's law, (n,), and impulses, (n - 1,)."""
    m, e, v = (np.asarray(values, dtype=float) for values in (m, e, v))
    opening = _opening(len(m))
    gamma = opening @ v
    impulses = _complementary(opening @ (opening.T / m[:, None]), (1.0 + e) * gamma)
    return v + opening.T @ impulses / m, impulses


def poisson(m: Array, e: Array, v: Array) -> tuple[Array, Array]:
    """Velocities after a simultaneous impact by Poisson's law, (n,), and impulses, (n - 1,)."""
    m, e = np.asarray(m, dtype=float), np.asarray(e, dtype=float)
    opening = _opening(len(m))
    delassus = opening @ (opening.T / m[:, None])
    compressed, stored = newton(m, np.zeros(len(e)), v)
    released = e * stored
    more = _complementary(delassus, opening @ compressed + delassus @ released)
    impulses = stored + released + more
    return v + opening.T @ impulses / m, impulses


def one_after_another(m: Array, e: Array, v: Array, x: Array) -> Array:
    """Velocities after all collisions of two balls each, (n,).

    x (n,): places of the balls less their widths [m], increasing where they are apart. Raises
    ValueError where they are not.
    """
    m, e, v, x = (np.array(values, dtype=float) for values in (m, e, v, x))
    if not (np.diff(x) > 0.0).all():
        raise ValueError(f"the balls must be apart, got places {x}")
    while True:
        gap, gamma = np.diff(x), np.diff(v)
        with np.errstate(divide="ignore", invalid="ignore"):
            wait = np.where(gamma < -_FEASIBLE, gap / -gamma, np.inf)
        i = int(np.argmin(wait))
        if not np.isfinite(wait[i]):
            return v
        x += v * wait[i]
        impulse = -(1.0 + e[i]) * gamma[i] * m[i] * m[i + 1] / (m[i] + m[i + 1])
        v[i] -= impulse / m[i]
        v[i + 1] += impulse / m[i + 1]
        x[i + 1] = max(x[i + 1], x[i])


def _opening(n: int) -> Array:
    """Rows that give gamma = v[i+1] - v[i], (n - 1, n)."""
    return np.diff(np.eye(n), axis=0)


def _complementary(delassus: Array, q: Array) -> Array:
    """Find L >= 0 with u = delassus L + q >= 0 and L u = 0, by trying every set of contacts."""
    scale = _FEASIBLE * max(1.0, float(np.abs(q).max(initial=0.0)))
    for pushing in itertools.product((False, True), repeat=len(q)):
        chosen = np.array(pushing, dtype=bool)
        impulses = np.zeros(len(q))
        impulses[chosen] = np.linalg.solve(delassus[np.ix_(chosen, chosen)], -q[chosen])
        if impulses.min(initial=0.0) >= -scale and (delassus @ impulses + q).min() >= -scale:
            return impulses
    raise ArithmeticError(f"no set of contacts solves the impact with q = {q}")
