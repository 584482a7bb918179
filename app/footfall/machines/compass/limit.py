"""The limit of light feet as an event-driven system in the compass' modes, and its gait.

Without dimension. Its return map is one of y = (theta, theta') just after a heel strike: the
swinging leg's rate is then a function of the standing one's.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.hybrid import (
    FixedPoint,
    HybridSystem,
    NotFound,
    SectionMap,
    State,
    Transition,
    find_fixed_point,
    simulate,
)
from footfall.machines.compass.closed_form import simplest as simplest_walker
from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.closed_form.simplest import (
    COMPONENT_NAMES,
    LONG_SCALING,
    SimplestWalker,
    after_strike,
    to_compass,
)
from footfall.machines.compass.system import BEHIND, SECTION, STRIKE, striding

Complexes = npt.NDArray[np.complex128]

_MOST_TIME = 30.0  # sqrt(l / g); a step takes about 4


def simplest_system(gamma: Any) -> HybridSystem:  # noqa: ANN401 (a number or an array, real or complex)
    """The simplest walker on a slope gamma [rad]."""
    walker = SimplestWalker(gamma)
    return striding(
        walker.derivative,
        lambda _, y: Transition(BEHIND, simplest_walker.heel_strike(y)),
        legs=(simplest_walker.sigma, simplest_walker.delta),
        normal=walker.pull,
        components=COMPONENT_NAMES,
    )


def embed(y: State) -> State:
    """State (4, ...) just after a heel strike from y = (theta, theta')."""
    return after_strike(y[0], y[1])


def simplest_map() -> SectionMap:
    """Its return map over the slope gamma [rad]."""
    return SectionMap(
        simplest_system,
        mode=BEHIND,
        guard=STRIKE,
        embed=embed,
        project=lambda x: x[[0, 2]],
        most_time=_MOST_TIME,
    )


@dataclass(frozen=True)
class LimitGait:
    """The gait of long steps on a slope, lengths in l and time in sqrt(l / g).

    fixed_point: of the return map in (theta, theta') just after a heel strike, by the slope. after,
    before: states (theta, phi, theta', phi') at the two ends of a step. period.
    """

    fixed_point: FixedPoint
    after: Array
    before: Array
    period: float

    @property
    def length(self) -> float:
        """Length of a step."""
        return 2.0 * math.sin(self.after[0])

    @property
    def published(self) -> Array:
        """(q1, q1', q2') before a heel strike, as the compass' cycles are given, (3,)."""
        return to_compass(self.before)[SECTION]


def forward_multipliers(gait: LimitGait, step: float) -> Complexes:
    """Multipliers as forward differences of the return map give them, (2,), largest first.

    step: added to theta and to theta', one at a time. For comparison with published ones only.
    """
    walk, y = simplest_map(), gait.fixed_point.orbit[0]
    moved = [walk.value(y + step * along, gait.fixed_point.p) - y for along in np.eye(2)]
    values = np.linalg.eigvals(np.column_stack(moved) / step)
    return np.asarray(values[np.argsort(-np.abs(values), kind="stable")], dtype=np.complex128)


@lru_cache(maxsize=16)
def limit_gait(gamma: float) -> LimitGait:
    """The gait on a slope gamma [rad]; raises RunError where none is found."""
    try:
        fixed = find_fixed_point(simplest_map(), LONG_SCALING.gait(gamma), gamma)
    except (NotFound, ValueError) as error:
        raise RunError(
            f"the simplest walker has no gait of long steps on a slope of {gamma:g} rad: give a "
            "terrain.slope_deg below 0 by some tenths of a degree."
        ) from error
    after = embed(fixed.orbit[0])
    run = simulate(simplest_system(gamma), BEHIND, after, (0.0, math.inf), until=STRIKE)
    return LimitGait(fixed, after, run.events[-1].x_before, run.time)


def units(parameters: CompassParameters) -> Array:
    """Units of angles and rates of the walker without dimension, (4,) [rad, rad/s]."""
    rate = math.sqrt(parameters.g / parameters.l)
    return np.array([1.0, 1.0, rate, rate])


def from_compass(x: Array) -> Array:
    """State (theta, phi, theta', phi') of a compass (q1, q2, q1', q2'), the rates in their unit."""
    return np.array([x[0], math.pi - x[1], x[2], -x[3]])
