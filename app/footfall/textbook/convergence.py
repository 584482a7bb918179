"""Observed order of convergence of a method in its step."""

import numpy as np
import numpy.typing as npt

from footfall.errors import RunError


def observed_order(steps: npt.ArrayLike, errors: npt.ArrayLike) -> float:
    """Observed order of convergence: the slope of log(error) over log(step), by least squares.

    Raises RunError for fewer than two different steps, or steps or errors that are not positive.
    """
    step, error = np.asarray(steps, dtype=float), np.asarray(errors, dtype=float)
    if step.shape != error.shape or len(np.unique(step)) < 2:
        raise RunError("an order of convergence needs two different steps, with an error for each")
    if not (np.isfinite([step, error]).all() and (step > 0).all() and (error > 0).all()):
        raise RunError("an order of convergence needs positive steps and errors")
    return float(np.polyfit(np.log(step), np.log(error), 1)[0])
