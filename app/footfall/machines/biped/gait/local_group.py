"""Constraints that are the same function of a few variables at many places, by complex steps."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from footfall.analysis.nonlinear_programme import Indices
from footfall.arrays import Array

_H = 1e-30  # of a complex step: there is no rounding in it


@dataclass(frozen=True, eq=False)
class LocalGroup:
    """lower <= function(variables at a place) <= upper, at every place.

    function: (n, places) to (m, places), analytic. index (n, places): of the variables. lower,
    upper (m, places).
    """

    name: str
    function: Callable[[Any], Any]
    index: Indices
    lower: Array
    upper: Array

    @cached_property
    def variables(self) -> Indices:
        """All variables, each once."""
        return np.unique(self.index)

    @cached_property
    def _columns(self) -> Indices:
        return np.searchsorted(self.variables, self.index)

    def bounds(self) -> tuple[Array, Array]:
        """Bounds of all rows, place by place within each."""
        return self.lower.ravel(), self.upper.ravel()

    def pattern(self) -> list[tuple[int, int]]:
        """Every row has the variables of its place."""
        rows = np.arange(self.lower.size).reshape(self.lower.shape)
        return sorted(
            {
                (int(row), int(column))
                for place, columns in enumerate(self._columns.T)
                for row in rows[:, place]
                for column in columns
            }
        )

    def values(self, z: Array) -> Array:
        """All rows."""
        return np.asarray(self.function(z[self._columns]).ravel())

    def gradients(self, z: Array) -> tuple[Array, Array]:
        """All rows, and their Jacobian."""
        here = z[self._columns]
        count, places = self.lower.shape
        jacobian = np.zeros((count, places, len(z)))
        at = np.arange(places)
        for number, columns in enumerate(self._columns):
            moved = here.astype(complex)
            moved[number] += 1j * _H
            jacobian[:, at, columns] += self.function(moved).imag / _H
        return self.values(z), jacobian.reshape(count * places, len(z))
