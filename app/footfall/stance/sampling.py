"""Times of the rows of engines that know their motion at any time."""

import math

import numpy as np

from footfall.arrays import Array

_SAME_TIME = 1e-12  # of the run: a time step this near to an end is that end


def sample_times(start: float, end: float, time_step: float) -> Array:
    """Return start, the scenario's time steps between, and end [s]; steps at the ends are these."""
    slack = _SAME_TIME * max(1.0, end)
    first = math.floor((start + slack) / time_step) + 1
    last = math.floor((end + slack) / time_step)
    times = np.arange(first, last + 1) * time_step
    return np.concatenate(([start], times[times < end - slack], [end]))
