"""Motions up to an event, with their derivatives."""

import numpy as np

from footfall.hybrid import simulate
from footfall.hybrid.return_map import arrival, with_variations


def step_to(system, mode, x0, guard, most_time, t0=0.0):
    """The first event of a guard from x0, whose outputs are the derivatives with the start."""
    n = len(x0)
    larger = with_variations(system, n, n)
    start, span = np.concatenate([x0, np.eye(n).ravel()]), (t0, t0 + most_time)
    return arrival(simulate(larger, mode, start, span, until=guard), guard, most_time)
