"""Shares of a random sample: how far the share of all may be from them."""

import math

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array

_Z = 1.959963984540054  # of the normal distribution, 97.5 % lie below


def share_interval(counts: npt.ArrayLike, sample: int) -> tuple[Array, Array]:
    """Ends of the 95 % interval for the share of all, of counts (...) out of a sample.

    Wilson's score interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927, 209-212), which stays
    within 0 and 1 and has a width even where nothing was counted.
    """
    share = np.asarray(counts, dtype=np.float64) / sample
    widened = 1.0 + _Z**2 / sample
    middle = (share + 0.5 * _Z**2 / sample) / widened
    half = _Z * np.sqrt(share * (1.0 - share) / sample + 0.25 * _Z**2 / sample**2) / widened
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def share_ratio(first: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Ratio of the share of ``other`` to that of ``first``, and its standard error.

    Both are masks (sample,) over the same draws: what both hold cancels. By the delta method the
    logarithm of the ratio has the variance (a + b - 2 ab) / (a b) of the counts. NaN for none.
    """
    a, b = int(first.sum()), int(other.sum())
    if a == 0:
        return math.nan, math.nan
    apart = int((first ^ other).sum())
    return b / a, math.sqrt(apart * b / a) / a if b else 0.0
