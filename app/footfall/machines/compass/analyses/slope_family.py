"""Walkers over the slope: what branches and diagrams are computed with."""

from collections.abc import Callable
from dataclasses import dataclass
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
from footfall.machines.compass.simplest.limit import embed, simplest_system
from footfall.machines.compass.system import BEHIND, SECTION, STRIKE, after_strike, member

# Over the pendulum's time sqrt(l / g): steps of a method of order 8 for orbits, whose multipliers
# are needed to many digits (an error of 1e-14), and for long walks (5e-11).
_FINE, _COARSE = 0.05, 0.15
_MOST_TIME = 12.0  # over the pendulum's time, for a step


@dataclass(frozen=True)
class SlopeFamily:
    """Walkers of one kind by the slope p [rad].

    map: their return map of y (m,) just after a heel strike; system(p): the walker; embed, section:
    from y to states x and back; components: what y is made of. time: sqrt(l / g), in its own unit
    of time. guess: a point near the gait of period one at the slope start [rad].
    """

    name: str
    map: BatchSectionMap
    system: Callable[[Any], HybridSystem]
    embed: Callable[[State], State]
    section: tuple[int, ...]
    components: tuple[str, ...]
    time: float
    start: float
    guess: Array

    @property
    def time_unit(self) -> str:
        """Unit of its times: the simplest walker is without dimension."""
        return "s" if self.name == "compass" else "sqrt(l/g)"

    def step(self, y: Array, slopes: Array) -> BatchPassage:
        """One step of many walkers: points y (m, k) on slopes (k,), which come last in x."""
        x = np.vstack((self.embed(y), slopes))
        system = with_parameter(self.system, self.start)
        spent = _MOST_TIME * self.time
        return batch_step(system, BEHIND, x, STRIKE, spent, _COARSE * self.time)

    def back(self, passage: BatchPassage) -> Array:
        """Points y (m, k) after a step; NaN where it does not come back."""
        return np.where(passage.arrived, passage.x[list(self.section)], np.nan)


def compass_family(parameters: CompassParameters, gait: FixedPoint) -> SlopeFamily:
    """A compass by the slope, with a gait of it on its own slope."""
    return _family(
        name="compass",
        system=partial(member, parameters, None),
        embed=after_strike,
        section=tuple(SECTION),
        components=("q1", "dq1", "dq2"),
        time=float(np.sqrt(parameters.l / parameters.g)),
        start=parameters.theta,
        guess=gait.orbit[0],
    )


def simplest_family() -> SlopeFamily:
    """The simplest walker, whose slope is its only parameter."""
    return _family(
        name="simplest",
        system=simplest_system,
        embed=embed,
        section=(0, 2),
        components=("theta", "dtheta"),
        time=1.0,
        start=LONG_STEP.gamma,
        guess=np.array([LONG_STEP.theta, LONG_STEP.dtheta]),
    )


def _family(
    name: str,
    system: Callable[[Any], HybridSystem],
    embed: Callable[[State], State],
    section: tuple[int, ...],
    components: tuple[str, ...],
    time: float,
    start: float,
    guess: Array,
) -> SlopeFamily:
    """A family with its return map."""
    rows = list(section)
    returns = BatchSectionMap(
        system,
        BEHIND,
        STRIKE,
        embed=embed,
        project=lambda x: x[rows],
        most_time=_MOST_TIME * time,
        step=_FINE * time,
    )
    return SlopeFamily(name, returns, system, embed, section, components, time, start, guess)
