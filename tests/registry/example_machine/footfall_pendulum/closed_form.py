"""The pendulum in closed form: theta'' = -w0^2 sin(theta), from rest at an amplitude.

Source: M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, chapters 16 and 17.
"""

import math

import numpy as np
from scipy.special import ellipj, ellipk

from footfall.arrays import Array


def period_ratio(amplitude: float) -> float:
    """Period over that of small swings, for an amplitude [rad] below pi."""
    return float(ellipk(math.sin(amplitude / 2.0) ** 2) * 2.0 / math.pi)


def swing(amplitude: float, w0: float, time: Array) -> tuple[Array, Array]:
    """Angles [rad] and rates [rad/s] at times (n,) [s]; w0: frequency of small swings [rad/s]."""
    k = math.sin(amplitude / 2.0)
    sn, cn, dn, _ = ellipj(w0 * time + ellipk(k**2), k**2)  # from a turning point on
    return 2.0 * np.arcsin(k * sn), 2.0 * k * w0 * cn * dn / np.sqrt(1.0 - (k * sn) ** 2)
