"""Derivatives with the parameter of a family of systems, at a fixed time and state."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from footfall.arrays import Array
from footfall.hybrid.complex_step import STEP
from footfall.hybrid.model import HybridSystem

Family = Callable[[Any], HybridSystem]

_SPACING = 2e-3  # of the parameter: differences of order 4 are then good to about 1e-12
_WEIGHTS = {-2.0: 1.0 / 12.0, -1.0: -8.0 / 12.0, 1.0: 8.0 / 12.0, 2.0: -1.0 / 12.0}


class Parameter:
    """Systems beside the one at p, and the weights that make a derivative of what they give.

    Only functions of one state and time (derivatives, guards, resets) are differentiated like this,
    never a whole motion.
    """

    def __init__(self, family: Family, values: list[Any], weights: list[complex]) -> None:
        self._values, self._weights = values, weights
        self._systems = [family(value) for value in values]

    @classmethod
    def by_complex_step(cls, family: Family, p: float) -> Self:
        """Exact; the family and its functions have to be analytic in a complex p."""
        # Re(-i z / h) is Im(z) / h
        return cls(family, [p + 1j * STEP], [-1j / STEP])

    @classmethod
    def by_differences(cls, family: Family, p: float) -> Self:
        """By central differences of order 4 over 0.4 % of p, of 0.004 where p is 0."""
        h = _SPACING * (abs(p) if p != 0.0 else 1.0)
        return cls(family, [p + k * h for k in _WEIGHTS], [w / h for w in _WEIGHTS.values()])

    def of_systems(self, pick: Callable[[HybridSystem], Callable[..., Any]]) -> Callable[..., Any]:
        """Derivative with p of a function that a system has; it takes what that function takes."""
        functions = [pick(system) for system in self._systems]

        def slope(*arguments: Any) -> Any:  # noqa: ANN401 (those of any function)
            return self._combine([function(*arguments) for function in functions])

        return slope

    def of_values(self, function: Callable[[Any], Any]) -> Array:
        """Derivative of a function of p itself."""
        return np.asarray(self._combine([function(value) for value in self._values]))

    def _combine(self, results: list[Any]) -> Any:  # noqa: ANN401 (number or array)
        """Weighted sum, real."""
        total: Any = 0.0
        for weight, result in zip(self._weights, results, strict=True):
            total = total + np.real(weight * np.asarray(result))
        return total
