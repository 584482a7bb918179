"""The reduced machine as trigonometric polynomials: exact to rounding, and a thousand times faster.

Linkages that turn all the way round are analytic and periodic in th8, so that interpolation at n
equal angles converges faster than any power of n. Sums are taken in the barycentric form.

Source: J.-P. Berrut: Baryzentrische Formeln zur trigonometrischen Interpolation (I), Zeitschrift
fuer angewandte Mathematik und Physik 35 (1984) 91-105.
"""

import math

import numpy as np

from footfall.machines.pasibot.closed_form.energy import Reduced, reduced
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters

# Coefficients at the end of the series, per greatest one, below which nothing is left to gain.
RESOLVED = 1e-13
_FEWEST, _MOST = 128, 8192


class CrankProfile:
    """`reduced` of one machine, called with one angle th8 [rad] at a time.

    Attributes: parameters; nodes, how many angles it took. Raises ValueError for a linkage so close
    to a dead point that 8192 are too few.
    """

    def __init__(self, parameters: PasibotParameters) -> None:
        """Take more and more angles, until the last coefficients are rounding."""
        self.parameters = parameters
        self.nodes = _FEWEST
        while True:
            self._half = np.arange(self.nodes, dtype=np.float64) * (math.pi / self.nodes)
            self._rows = np.array(reduced(parameters, 2.0 * self._half))
            spectrum = np.abs(np.fft.rfft(self._rows))
            if (spectrum[:, -8:].max(axis=1) <= RESOLVED * spectrum.max(axis=1)).all():
                break
            self.nodes *= 2
            if self.nodes > _MOST:
                raise ValueError("the linkage comes too close to a dead point to be interpolated")
        self._signs = np.where(np.arange(self.nodes) % 2 == 0, 1.0, -1.0)

    def __call__(self, th8: float) -> Reduced:
        """The machine at an angle th8 [rad]; numbers instead of arrays."""
        away = 0.5 * th8 - self._half
        sine = np.sin(away)
        nearest = int(np.argmin(np.abs(sine)))
        if abs(sine[nearest]) < 1e-15:
            return Reduced(*self._rows[:, nearest].tolist())
        weights = self._signs * np.cos(away) / sine
        return Reduced(*(self._rows @ weights / weights.sum()).tolist())
