"""Lines of few points: what cannot be seen at the size of a panel is left out."""

import numpy as np
from matplotlib.path import Path

from footfall.arrays import Array

WIDTH, HEIGHT = 2000.0, 800.0
"""Size of a panel [pixels] at which a line is judged: some four times that on a screen."""
TOLERANCE = 0.5
"""Distance [pixels of that size] from a line to a point of it that may be left out."""
_BUCKETS = 700  # over the width of a page: a noisy line has its extremes in each
_OF_A_BUCKET = 4  # first, lowest, highest and last point


def thinned(x: Array, y: Array, low: Array, high: Array, width: float = 1.0) -> tuple[Array, Array]:
    """Return x and y (m,) of a line through x and y (n,) in a panel from low to high (2,).

    width: of the panel, as a share of the page's. The line is never farther than ``TOLERANCE`` from
    the points that are left out, unless more than fit into a panel lie above each other: then it
    has the extremes. NaN parts pieces, as before.
    """
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 3:
        return x, y
    size = np.array([width * WIDTH, HEIGHT]) / (high - low)
    buckets = max(int(width * _BUCKETS), 1)
    points = np.column_stack((x, y))
    shown = points * size
    path = Path(shown)
    path.simplify_threshold = TOLERANCE
    found = path.cleaned(remove_nans=True, simplify=True)
    vertices, codes = np.asarray(found.vertices), np.asarray(found.codes)
    drawn = (codes == Path.MOVETO) | (codes == Path.LINETO)
    drawn[1:] &= (vertices[1:] != vertices[:-1]).any(axis=1)  # the last one comes twice
    vertices, codes = vertices[drawn] / size, codes[drawn]
    begins = np.flatnonzero(codes == Path.MOVETO)[1:]
    few = np.insert(vertices, begins, np.nan, axis=0)
    if len(few) > _OF_A_BUCKET * buckets and _ascends(x[known]):
        few = points[_extremes(x, y, known, buckets)]
    return few[:, 0], few[:, 1]


def _ascends(x: Array) -> bool:
    return bool((np.diff(x) >= 0.0).all())


def _extremes(x: Array, y: Array, known: np.ndarray, buckets: int) -> np.ndarray:
    """Return rows of the first, lowest, highest and last point in every bucket, and of gaps."""
    rows = np.flatnonzero(known)
    share = (x[rows] - x[rows[0]]) / max(float(x[rows[-1]] - x[rows[0]]), 1e-300)
    bucket = np.minimum((share * buckets).astype(int), buckets - 1)
    begins = np.flatnonzero(np.diff(bucket, prepend=-1))
    by_height = np.lexsort((y[rows], bucket))
    ends = np.append(begins[1:], len(rows)) - 1
    kept = [rows[begins], rows[ends], rows[by_height[begins]], rows[by_height[ends]]]
    gaps = np.flatnonzero(~known)
    return np.unique(np.concatenate([*kept, gaps[np.diff(gaps, prepend=-2) > 1]]))


def fewer_dots(x: Array, y: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Return x and y (m,) of dots without those that lie on others, to a pixel of ``WIDTH``."""
    known = np.isfinite(x) & np.isfinite(y)
    size = np.array([WIDTH, HEIGHT]) / (high - low)
    points = np.column_stack((x, y))[known]
    _, first = np.unique(np.round(points * size).astype(np.int64), axis=0, return_index=True)
    few = points[np.sort(first)]
    return few[:, 0], few[:, 1]
