"""The gait of the simplest walker in the coordinates of the compass: exact, without dimension."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.hybrid import FixedPoint, NotFound, find_fixed_point, simulate
from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.closed_form.simplest import LONG_SCALING, to_compass
from footfall.machines.compass.simplest.system import embed, simplest_map, simplest_system
from footfall.machines.compass.system import BEHIND, SECTION, STRIKE

Complexes = npt.NDArray[np.complex128]


@dataclass(frozen=True)
class LimitGait:
    """The gait of long steps on a slope, lengths in l and time in sqrt(l / g).

    fixed_point: of the return map in (theta, theta') just after a heel strike. after, before:
    states (theta, phi, theta', phi') at the two ends of a step. period; length; lost: energy that a
    heel strike takes, in weights of the hip times l.
    """

    gamma: float
    fixed_point: FixedPoint
    after: Array
    before: Array
    period: float
    length: float
    lost: float

    @property
    def published(self) -> Array:
        """(q1, q1', q2') before a heel strike, as the compass' cycles are given, (3,)."""
        return to_compass(self.before)[SECTION]


def forward_multipliers(gait: LimitGait, step: float) -> Complexes:
    """Multipliers as forward differences of the return map give them, (2,), largest first.

    step: added to theta and to theta', one at a time. For comparison with published ones only.
    """
    walk, y = simplest_map(), gait.fixed_point.orbit[0]
    moved = [walk.value(y + step * along, gait.gamma) - y for along in np.eye(2)]
    found = np.linalg.eigvals(np.column_stack(moved) / step)
    return np.asarray(found[np.argsort(-np.abs(found), kind="stable")], dtype=np.complex128)


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
    before = run.events[-1].x_before
    length = 2.0 * math.sin(after[0])
    return LimitGait(
        gamma=gamma,
        fixed_point=fixed,
        after=after,
        before=before,
        period=run.time,
        length=length,
        lost=length * math.sin(gamma),
    )


def units(parameters: CompassParameters) -> Array:
    """Units of angles and rates of the walker without dimension, (4,) [rad, rad/s]."""
    rate = math.sqrt(parameters.g / parameters.l)
    return np.array([1.0, 1.0, rate, rate])


def from_compass(x: Array) -> Array:
    """State (theta, phi, theta', phi') of a compass (q1, q2, q1', q2'), the rates in their unit."""
    return np.array([x[0], math.pi - x[1], x[2], -x[3]])
