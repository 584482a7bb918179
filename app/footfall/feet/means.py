"""Means over a short window of what contacts do from step to step."""

import numpy as np
import xarray as xr
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array
from footfall.feet.gait import WINDOW


def mean_of(data: xr.Dataset, values: Array) -> Array:
    """Means (N,) over ``WINDOW`` of what is a number; NaN where nothing is."""
    time = data["time"].to_numpy()
    rows = max(1, round(WINDOW / float(np.median(np.diff(time)))))
    known = np.isfinite(values)
    share = uniform_filter1d(known.astype(np.float64), rows, mode="nearest")
    total = uniform_filter1d(np.where(known, values, 0.0), rows, mode="nearest")
    mean: Array = np.where(share > 0.5 / rows, total / np.maximum(share, 0.5 / rows), np.nan)
    return mean
