"""Rows of walkers' trajectories, which stand twice at every impact."""

import numpy as np


def impact_rows(data):
    """Rows after an impact: no time has passed since the row before."""
    return np.flatnonzero(np.diff(data["time"].to_numpy()) == 0.0) + 1


def regular_times(data):
    """Times of the rows that do not stand at an impact."""
    rows = impact_rows(data)
    return np.delete(data["time"].to_numpy(), np.concatenate((rows - 1, rows)))
