"""Intervals of an integrator step on which a guard is monotone, so that no two zeros are missed.

Along a step's dense output a guard is a smooth function of time (a polynomial of degree 7 if it is
linear in the state). Its Chebyshev interpolant, halved until it is resolved, bounds it away from
zero by its coefficients or gives its extrema; between two extrema there is at most one zero.
Source: L. N. Trefethen: Approximation Theory and Approximation Practice, SIAM 2013, chapter 18.
"""

from collections.abc import Callable

import numpy as np
from numpy.polynomial import chebyshev

from footfall.arrays import Array

_DEGREE = 12  # 7 would do for guards that are linear in the state
NODES = -np.cos(np.pi * np.arange(_DEGREE + 1) / _DEGREE)  # with both ends, rising
_COEFFICIENTS = np.linalg.inv(chebyshev.chebvander(NODES, _DEGREE))
_RESOLVED = 1e-9  # of the largest value: error of the last coefficients
_HALVINGS = 10
_NOISE = 1e-15  # of the largest coefficient: what rounding leaves of those that are zero


def node_times(start: float, end: float) -> Array:
    """Times of the nodes of an interval [s], ends included, rising, (13,)."""
    times = start + 0.5 * (end - start) * (NODES + 1.0)
    times[-1] = end
    return np.asarray(times, dtype=np.float64)


def monotone_intervals(
    value: Callable[[Array], Array],
    start: float,
    end: float,
    margin: float,
    sampled: Array | None = None,
    halvings: int = _HALVINGS,
) -> Array:
    """Times [s], (m,), between which a function is monotone or further from zero than the margin.

    Both ends of the interval are included. value: at times (k,) gives (k,); sampled: its values at
    ``node_times`` if they are known.
    """
    samples = value(node_times(start, end)) if sampled is None else sampled
    c = _COEFFICIENTS @ samples
    sizes = np.abs(c)
    tail = float(sizes[-3:].max())
    if sizes[0] - sizes[1:].sum() > margin + len(c) * tail:
        return np.array([start, end])
    blur = 8.0 * float(np.spacing(max(abs(start), abs(end)))) / (end - start)  # of short intervals
    if tail > (_RESOLVED + blur) * sizes.max() and halvings > 0:
        middle = 0.5 * (start + end)
        first = monotone_intervals(value, start, middle, margin, None, halvings - 1)
        second = monotone_intervals(value, middle, end, margin, None, halvings - 1)
        return np.concatenate([first, second[1:]])
    extrema = start + 0.5 * (end - start) * (_extrema(c) + 1.0)
    return np.concatenate([[start], extrema, [end]])


def _extrema(c: Array) -> Array:
    """Zeros within (-1, 1) of the derivative of a Chebyshev series, rising."""
    slope = chebyshev.chebder(c)
    sizes = np.abs(slope)
    known = np.flatnonzero(sizes > _NOISE * len(c) ** 2 * np.abs(c).max())
    if known.size == 0 or sizes[0] > sizes[1:].sum():
        return np.empty(0)
    roots = chebyshev.chebroots(slope[: known[-1] + 1])
    # a double zero, split by rounding into a pair off the axis, is kept: one break more is harmless
    real = roots.real[np.abs(roots.imag) < 1e-6]
    return np.sort(real[(real > -1.0) & (real < 1.0)])
