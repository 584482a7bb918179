"""The inertia nearest to one that no body has."""

import numpy as np

from footfall.arrays import Array

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
    a, b, c = np.maximum(moments, 0.0)
    shift = max(0.0, c - a - b) / 3.0 + _INSIDE * c
    repaired = axes @ np.diag([a + shift, b + shift, c - shift]) @ axes.T
    return 0.5 * (repaired + repaired.T)
