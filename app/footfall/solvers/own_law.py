"""Contact problems with a law of friction that is given by a projection, and their judge.

Friction r_T lies in a convex set D(r_n) and resists slip as much as it can:

    r_n = max(0, r_n - rho u_n),    r_T = P_D(r_n)(r_T - rho u_T)

with P_D the nearest point of D, for one rho > 0 and then for every one. Coulomb's D is the disc of
radius mu r_n. Source: Leine & Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical Systems
(2004), chapter 5. The Newton method takes the derivatives of P by differences, and steps only where
the residual falls; what it leaves goes to the iteration of ``footfall.solvers.fixed_point``.
"""

from collections.abc import Callable

import numpy as np

from footfall.arrays import Array
from footfall.solvers.natural_map import impulse_scale, spectral_norm, velocity

Project = Callable[[int, Array, float], Array]
"""Nearest point to x (dim - 1,) [N s] of the set of contact i where its normal impulse is r_n."""

_NEWTON_STEPS, _HALVINGS = 50, 12
_FIXED_POINT_STEPS = 20_000
_DIFFERENCE = 1e-7  # of the impulses


def _image(r: Array, u: Array, dim: int, rho: float, project: Project) -> Array:
    """Right-hand side of the law, (n*dim,), for impulses r and velocities u."""
    image, normal = (r - rho * u).reshape(-1, dim), np.maximum(r[::dim], 0.0)
    image[:, 0] = np.maximum(image[:, 0], 0.0)
    for i in range(len(image)):
        image[i, 1:] = project(i, image[i, 1:], normal[i])
    return image.ravel()


def law_residual(W: Array, q: Array, dim: int, r: Array, project: Project) -> float:
    """Return how far impulses r are from the law, over their scale: the judge of every solver.

    The largest |r_i - image_i| of a contact with rho = 1/|W|, scaled as the natural map of
    Coulomb's law is.
    """
    if not np.isfinite(r).all():
        return np.inf
    norm, u = spectral_norm(W), np.empty(q.size)
    velocity(W, q, r, u)
    scale = impulse_scale(q, r, norm)
    if scale == 0.0:
        return np.inf if r.any() else 0.0
    off = r - _image(r, u, dim, 1.0 / norm if norm > 0.0 else 1.0, project)
    return float(np.linalg.norm(off.reshape(-1, dim), axis=1).max()) / scale


def solve_by_newton(
    W: Array, q: Array, dim: int, guess: Array, project: Project, tolerance: float, most: int
) -> tuple[Array, float, int]:
    """Return impulses of a Newton method from a guess, their residual, and its steps.

    most: of the steps, 0 for its own bound.
    """
    norm, r = spectral_norm(W), guess.copy()
    rho, size = 1.0 / (norm or 1.0), q.size
    best = law_residual(W, q, dim, r, project)
    for step in range(most or _NEWTON_STEPS):
        if best <= tolerance:
            return r, best, step
        u = W @ r + q
        off = r - _image(r, u, dim, rho, project)
        slope = np.eye(size) - _slope(W, r, u, dim, rho, project)
        change = np.linalg.lstsq(slope, off, rcond=1e-12)[0]
        for k in range(_HALVINGS):
            trial = r - 0.5**k * change
            residual = law_residual(W, q, dim, trial, project)
            if residual < best:
                break
        else:
            return r, best, step
        r, best = trial, residual
    return r, best, step + 1


def _slope(W: Array, r: Array, u: Array, dim: int, rho: float, project: Project) -> Array:
    """Derivative (n*dim, n*dim) of the image by the impulses, by differences."""
    size, z = r.size, r - rho * u
    of_z, by_normal = np.zeros((size, size)), np.zeros((size, size))
    for i in range(size // dim):
        n, part = i * dim, slice(i * dim + 1, (i + 1) * dim)
        of_z[n, n] = float(z[n] > 0.0)
        x, normal = z[part], max(r[n], 0.0)
        step, there = (
            _DIFFERENCE * (abs(z[n : n + dim]).max() + normal + 1e-300),
            project(i, x, normal),
        )
        for k, along in enumerate(np.eye(dim - 1), start=1):
            of_z[part, n + k] = (project(i, x + step * along, normal) - there) / step
        by_normal[part, n] = (project(i, x, normal + step) - there) / step
    slope: Array = of_z - rho * of_z @ W + by_normal
    return slope


def solve_by_fixed_point(
    W: Array,
    q: Array,
    dim: int,
    guess: Array,
    project: Project,
    tolerance: float,
    most: int,
    rho: float,
) -> tuple[Array, int]:
    """Return impulses of the iteration r <- image(r) with a parameter rho [kg], and its steps.

    most: of the steps, 0 for its own bound. With the projection on a disc they are those of
    ``footfall.solvers.fixed_point``, to the bit.
    """
    norm, r, u = spectral_norm(W), guess.copy(), np.empty(q.size)
    start = max(impulse_scale(q, np.zeros(q.size), norm), abs(r).max())
    velocity(W, q, r, u)
    for step in range(1, (most or _FIXED_POINT_STEPS) + 1):
        image = _image(r, u, dim, rho, project)
        off = (image - r).reshape(-1, dim)
        change = float(np.linalg.norm(off[:, 0]) + np.linalg.norm(off[:, 1:]))
        r = image
        velocity(W, q, r, u)
        settled = change <= tolerance * impulse_scale(q, r, norm)
        if settled and (change == 0.0 or law_residual(W, q, dim, r, project) <= tolerance):
            return r, step
        if not abs(r).max() <= 1e12 * start:
            break
    return r, step
