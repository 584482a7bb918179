"""The machine of two degrees of freedom as a trigonometric polynomial, for one angle or many.

Linkages that turn all the way round are analytic and periodic in th8, so that interpolation at n
equal angles converges faster than any power of n: exact to rounding, and a thousand times faster.
The Fourier series is smooth at its own nodes and takes complex angles, by whose imaginary part
derivatives are found.
"""

from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import total_mass
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.closed_form.two_freedoms import TwoFreedoms, rows

_FEWEST, _MOST = 128, 8192
# Coefficients at the end of the series, per greatest one, below which nothing is left to gain.
_RESOLVED = 1e-13
# What rounding leaves of coefficients that vanish, per greatest one: they are left out.
_ROUNDING = 1e-15


class SlidingProfile:
    """`two_freedoms` of one machine, called with angles th8 [rad] of any shape, real or complex.

    Attributes: parameters; nodes, how many angles it took; mass [kg]. Raises ValueError for a
    linkage so close to a dead point that 8192 angles are too few.
    """

    def __init__(self, parameters: PasibotParameters) -> None:
        """Take more and more angles, until the last coefficients are rounding."""
        self.parameters, self.mass = parameters, total_mass(parameters)
        self.nodes = _FEWEST
        while True:
            around = np.arange(self.nodes, dtype=np.float64) * (2.0 * np.pi / self.nodes)
            series = np.fft.rfft(rows(parameters, around)) / self.nodes
            sizes = np.abs(series) / np.abs(series).max(axis=1, keepdims=True)
            if (sizes[:, -8:] <= _RESOLVED).all():
                break
            self.nodes *= 2
            if self.nodes > _MOST:
                raise ValueError("the linkage comes too close to a dead point to be interpolated")
        last = int(np.flatnonzero((sizes > _ROUNDING).any(axis=0))[-1])
        self._orders = np.arange(last + 1.0)
        self._turns = 1j * self._orders
        self._series = 2.0 * series[:, : last + 1]
        self._series[:, 0] *= 0.5
        self._parts = np.concatenate([self._series.real, -self._series.imag], axis=1)

    def __call__(self, th8: Any) -> TwoFreedoms:  # noqa: ANN401 (a number or an array)
        """The machine at angles th8 [rad]; numbers for one angle, else arrays of its shape."""
        if isinstance(th8, float):
            values = (self._series @ np.exp(self._turns * th8)).real.tolist()
        else:
            values = self._many(np.asarray(th8))
        return TwoFreedoms(self.mass, self.parameters.g, *values)

    def _many(self, th8: Array) -> Array:
        """Rows (10, ...) at angles of any shape."""
        angles = np.multiply.outer(self._orders, th8)
        parts = np.concatenate([np.cos(angles), np.sin(angles)])
        return np.tensordot(self._parts, parts, axes=1)
