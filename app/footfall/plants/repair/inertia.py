"""The inertia nearest to one that no body has."""

import numpy as np
from scipy.optimize import nnls

from footfall.arrays import Array

_TRIANGLE = np.array([[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0]])
"""Rows that are not negative for moments of a body, none of which is negative then."""
_INSIDE = 1e-9  # how far inside the bounds the answer lies, relative to the largest moment


def nearest_inertia(inertia: Array) -> Array:
    """Return the inertia of a body that is nearest to a symmetric matrix, (3, 3) [kg m^2].

    Nearest in the sum of squares of the entries: the principal axes stay, the principal moments are
    projected onto those of bodies, none negative and none above the sum of the others. A matrix
    that a body has comes back as it is.
    """
    moments, axes = np.linalg.eigh(inertia)
    excess = moments[2] - moments[0] - moments[1]
    if moments[0] >= 0.0 and excess <= 0.0:
        return inertia
    pushes, _ = nnls(_TRIANGLE.T, -moments)  # of the bounds, whose cone holds what is projected out
    bodily = moments + _TRIANGLE.T @ pushes
    bodily += _INSIDE * bodily.max()
    repaired = axes @ np.diag(bodily) @ axes.T
    return 0.5 * (repaired + repaired.T)
