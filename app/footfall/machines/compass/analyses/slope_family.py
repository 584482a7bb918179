"""Walkers over the slope: what branches and diagrams are computed with."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.hybrid import (
    BatchPassage,
    BatchSectionMap,
    FixedPoint,
    HybridSystem,
    State,
    batch_step,
)
from footfall.hybrid.batch import with_parameter
from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.closed_form.simplest import LONG_STEP
from footfall.machines.compass.limit import embed, simplest_system
from footfall.machines.compass.system import BEHIND, SECTION, STRIKE, after_strike, member

# Over the pendulum's time sqrt(l / g): steps of a method of order 8 for orbits, whose multipliers
# are needed to many digits (an error of 1e-14), and for long walks (5e-11).
_FINE, _COARSE = 0.05, 0.15
_MOST_TIME = 12.0  # over the pendulum's time, for a step


class SlopeFamily:
    """Walkers of one kind by the slope p [rad].

    Attributes: name; map: their return map of y (m,) just after a heel strike, which is made of
    components; guess: a point near the gait of period one at the slope start [rad].
    """

    def __init__(
        self,
        name: str,
        system: Callable[[Any], HybridSystem],
        embed: Callable[[State], State],
        section: dict[str, int],
        time: float,
        start: tuple[float, Array],
    ) -> None:
        """Take a system by the slope, how points are embedded, and their components in a state.

        time: sqrt(l / g), in its own unit of time. start: slope and guess.
        """
        self.name, self.components, self._rows = name, tuple(section), list(section.values())
        self._system, self._embed, self._time = system, embed, time
        self.start, self.guess = start
        self.map = BatchSectionMap(
            system,
            BEHIND,
            STRIKE,
            embed,
            lambda x: x[self._rows],
            most_time=_MOST_TIME * time,
            step=_FINE * time,
        )

    @property
    def time_unit(self) -> str:
        """Unit of its times: the simplest walker is without dimension."""
        return "s" if self.name == "compass" else "sqrt(l/g)"

    def step(self, y: Array, slopes: Array) -> BatchPassage:
        """One step of many walkers: points y (m, k) on slopes (k,), which come last in x."""
        x = np.vstack((self._embed(y), slopes))
        system = with_parameter(self._system, self.start)
        spent = _MOST_TIME * self._time
        return batch_step(system, BEHIND, x, STRIKE, spent, _COARSE * self._time)

    def back(self, passage: BatchPassage) -> Array:
        """Points y (m, k) after a step; NaN where it does not come back."""
        return np.where(passage.arrived, passage.x[self._rows], np.nan)


def compass_family(parameters: CompassParameters, gait: FixedPoint) -> SlopeFamily:
    """A compass by the slope, with a gait of it on its own slope."""
    return SlopeFamily(
        "compass",
        partial(member, parameters, None),
        after_strike,
        dict(zip(("q1", "dq1", "dq2"), SECTION, strict=True)),
        float(np.sqrt(parameters.l / parameters.g)),
        (parameters.theta, gait.orbit[0]),
    )


def simplest_family() -> SlopeFamily:
    """The simplest walker, whose slope is its only parameter."""
    start = LONG_STEP.gamma, np.array([LONG_STEP.theta, LONG_STEP.dtheta])
    return SlopeFamily("simplest", simplest_system, embed, {"theta": 0, "dtheta": 2}, 1.0, start)
