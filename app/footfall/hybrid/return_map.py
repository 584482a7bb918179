"""Return maps: from just after an event of a guard to just after its next one."""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.exceptions import ComplexWarning

from footfall.arrays import Array
from footfall.hybrid.complex_step import jacobian_by_columns
from footfall.hybrid.model import State
from footfall.hybrid.options import Options
from footfall.hybrid.parameter import Family, Parameter
from footfall.hybrid.run import HybridRun
from footfall.hybrid.simulate import simulate
from footfall.hybrid.variation import NoReturn, arrival, passage

__all__ = ["Linearised", "NoReturn", "ParametricMap", "SectionMap"]


class Linearised(NamedTuple):
    """Value (m,) of a map, its derivatives D (m, m) with y and D_p (m,) with the parameter."""

    value: Array
    D: Array
    D_p: Array


class ParametricMap(Protocol):
    """A map of points y (m,) with a parameter p; raises NoReturn where it has no value."""

    def value(self, y: Array, p: float) -> Array:
        """Image of y, (m,)."""
        ...

    def linearised(self, y: Array, p: float) -> Linearised:
        """Image of y with exact derivatives."""
        ...


class SectionMap:
    """Return map of a family of hybrid systems to the section on which a guard has just fired.

    family(p): the system. embed(y, p): the state x (n,) in ``mode`` just after the guard; project
    (x, p): the point y (m,); both analytic in y, x and p, called with one point. most_time [s]: a
    motion that has not come back by then does not return. t0: time [s] at which every passage
    begins; a system that depends on time itself wants its phase among the components.

    Derivatives with p come from complex steps of f, g, R, embed and project, or, where these do not
    take a complex p (TypeError), from their differences of order 4: ``Parameter``.
    """

    def __init__(
        self,
        family: Family,
        mode: str,
        guard: str,
        embed: Callable[[State, Any], State],
        project: Callable[[State, Any], State],
        most_time: float,
        *,
        t0: float = 0.0,
        options: Options | None = None,
    ) -> None:
        self._family, self._mode, self._guard = family, mode, guard
        self._embed, self._project = embed, project
        self._most_time, self._t0, self._options = most_time, t0, options

    def passage(self, y: Array, p: float) -> HybridRun:
        """The motion from y to its return, events and all; it may also end otherwise."""
        x0 = self._embed(np.asarray(y, dtype=np.float64), p)
        span = (self._t0, self._t0 + self._most_time)
        system = self._family(p)
        return simulate(system, self._mode, x0, span, self._options, until=self._guard)

    def value(self, y: Array, p: float) -> Array:
        """Image of y, (m,); raises NoReturn."""
        run = self.passage(y, p)
        last = arrival(run, self._guard, self._most_time)
        self._check_mode(run.mode)
        return np.asarray(self._project(last.x_after, p), dtype=np.float64)

    def linearised(self, y: Array, p: float) -> Linearised:
        """Image of y and its exact derivatives; raises NoReturn."""
        y = np.asarray(y, dtype=np.float64)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", ComplexWarning)
                return self._linearised(y, p, Parameter.by_complex_step(self._family, p))
        except (TypeError, ComplexWarning):
            return self._linearised(y, p, Parameter.by_differences(self._family, p))

    def _linearised(self, y: Array, p: float, parameter: Parameter) -> Linearised:
        """Chain rule over embed, the passage, and project."""
        x0 = np.asarray(self._embed(y, p), dtype=np.float64)
        along_y = jacobian_by_columns(lambda point: self._embed(point, p), y)
        along_p = parameter.of_values(lambda q: self._embed(y, q))
        done = passage(
            self._family(p), self._mode, x0, np.column_stack([along_y, along_p]), self._guard,
            self._most_time, t0=self._t0, parameter=parameter, options=self._options,
        )  # fmt: skip
        self._check_mode(done.mode_after)
        x = done.x_after
        out = jacobian_by_columns(lambda state: self._project(state, p), x)
        out_p = parameter.of_values(lambda q: self._project(x, q))
        value = np.asarray(self._project(x, p), dtype=np.float64)
        return Linearised(value, out @ done.D[:, :-1], out @ done.D[:, -1] + out_p)

    def _check_mode(self, mode: str) -> None:
        """Refuse a return to another mode."""
        if mode != self._mode:
            raise NoReturn(f"'{self._guard}' leads to mode '{mode}', not to '{self._mode}'")
