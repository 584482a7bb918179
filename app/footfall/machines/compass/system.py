"""The compass as an event-driven system, and its return map just after heel strike.

Two modes, by where the swing foot is: behind the standing one until the legs cross, then ahead. The
heel strikes when the swing foot, ahead, comes down to the ground. At mid-swing it is some
millimetres in the ground (both legs are straight): that is passed over, for before the legs have
crossed, and on the way up, nothing strikes.

The standing foot neither slides nor lifts: what friction that takes is measured, and a ground that
would have to pull ends the simulation. The strike is one of the new foot alone, which holds if the
old one leaves the ground then: see `old_foot_leaves`.

The limit of light feet has the same modes, without dimension. Its return map is one of y = (theta,
theta') just after a heel strike: the swinging leg's rate is then a function of the standing one's.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.hybrid import (
    FALLING,
    RISING,
    FixedPoint,
    Guard,
    HybridMode,
    HybridSystem,
    NotFound,
    SectionMap,
    State,
    Transition,
    find_fixed_point,
    simulate,
)
from footfall.machines.compass.closed_form import simplest as simplest_walker
from footfall.machines.compass.closed_form.model import (
    COMPONENT_NAMES,
    Compass,
    CompassParameters,
    delta,
    impact,
    sigma,
    swap,
)
from footfall.machines.compass.closed_form.simplest import (
    LONG_SCALING,
    SimplestWalker,
    to_compass,
)
from footfall_controllers.energy_shaping import EnergyShapingParameters

BEHIND, AHEAD = "behind", "ahead"
STRIKE, CROSS, PART, FALL, LIFT = "heel strike", "legs cross", "legs part", "fall", "lift"
# cosine of the standing leg's angle from the normal at which the walker has fallen: 60 degrees
FALLEN = 0.5
# of x: the components of y, and of a state before a strike those that are published
SECTION = [0, 2, 3]
# over sqrt(l / g): a walker that takes longer for a step does not come; step of a method of order 8
# for orbits whose multipliers are needed to many digits (an error of 1e-14)
_MOST_TIME, _STEP = 30.0, 0.05


def hip_torque(machine: Compass, law: EnergyShapingParameters | None, x: State) -> Any:  # noqa: ANN401 (a number or an array, real or complex)
    """Torque on q2 [N m], of one state or many."""
    return 0.0 if law is None else law.torque(machine.energy(x), x[3])


def ground_force(machine: Compass, law: EnergyShapingParameters | None, x: State) -> State:
    """Force of the ground on the standing foot (tangential, normal) [N], (2, ...)."""
    return machine.reaction(x, machine.acceleration(x, hip_torque(machine, law, x)))


def walking_system(machine: Compass, law: EnergyShapingParameters | None = None) -> HybridSystem:
    """The walker with the standing leg as leg 1; outputs of a heel strike: impulse, energy lost."""

    def derivative(t: Any, x: State) -> State:  # noqa: ANN401 (real or complex)
        return machine.derivative(t, x, hip_torque(machine, law, x))

    def strikes(_: Any, x: State) -> Transition:  # noqa: ANN401
        hit = impact(machine, x)
        after = swap(hit.x)
        lost = machine.kinetic_energy(x) - machine.kinetic_energy(after)
        return Transition(BEHIND, after, {"impulse": hit.impulse, "lost": lost})

    return striding(
        derivative,
        strikes,
        legs=(sigma, delta),
        normal=lambda x: ground_force(machine, law, x)[1],
        components=COMPONENT_NAMES,
    )


def striding(
    derivative: Callable[[Any, State], State],
    strikes: Callable[[Any, State], Transition],
    *,
    legs: tuple[Callable[[State], Any], Callable[[State], Any]],
    normal: Callable[[State], Any],
    components: tuple[str, ...],
) -> HybridSystem:
    """A walker on straight legs whose first component is the standing leg's angle.

    strikes: reset of a heel strike. legs: sigma, which falls through 0 there, and delta, positive
    where the swing foot is ahead. normal: force of the ground, or what has its sign.
    """
    closing, ahead = legs
    fails = (
        Guard(FALL, lambda _, x: np.cos(x[0]) - FALLEN, FALLING),
        Guard(LIFT, lambda _, x: normal(x), FALLING),
    )
    swing = Guard(CROSS, lambda _, x: ahead(x), RISING, lambda _, x: Transition(AHEAD, x))
    back = Guard(PART, lambda _, x: ahead(x), FALLING, lambda _, x: Transition(BEHIND, x))
    strike = Guard(STRIKE, lambda _, x: closing(x), FALLING, strikes)
    modes = (
        HybridMode(BEHIND, derivative, (swing, *fails)),
        HybridMode(AHEAD, derivative, (strike, back, *fails)),
    )
    return HybridSystem({mode.name: mode for mode in modes}, components)


def after_strike(y: State) -> State:
    """State x (4, ...) from y = (q1, q1', q2') (3, ...), just after a heel strike."""
    return np.array([y[0], np.pi - 2.0 * y[0], y[1], y[2]])


def old_foot_leaves(x: State) -> Any:  # noqa: ANN401 (of one state a truth, of many an array)
    """Return whether the swing foot leaves the ground at x (4, ...), just after a heel strike.

    There, at sigma = 0, its height changes at the rate l sigma' sin(delta/2), and delta < 0. A foot
    that is driven into the ground instead has an impact as well: `heel_strike` is then wrong, and a
    motion that begins so is none that follows a heel strike.
    """
    return 2.0 * x[2] + x[3] < 0.0


def return_map(
    parameters: CompassParameters, law: EnergyShapingParameters | None = None
) -> SectionMap:
    """The map of y = (q1, q1', q2') just after a heel strike to that after the next one.

    Its own parameter is the slope theta.
    """
    return SectionMap(
        partial(member, parameters, law),
        mode=BEHIND,
        guard=STRIKE,
        embed=after_strike,
        project=lambda x: x[SECTION],
        most_time=_MOST_TIME * parameters.unit,
        step=_STEP * parameters.unit,
    )


def member(
    parameters: CompassParameters,
    law: EnergyShapingParameters | None,
    theta: Any,  # noqa: ANN401 (real, or complex for a derivative)
) -> HybridSystem:
    """The walker on a slope."""
    return walking_system(Compass(replace(parameters, theta=theta)), law)


Complexes = npt.NDArray[np.complex128]


def simplest_system(gamma: Any) -> HybridSystem:  # noqa: ANN401 (a number or an array, real or complex)
    """The simplest walker on a slope gamma [rad]."""
    walker = SimplestWalker(gamma)
    return striding(
        walker.derivative,
        lambda _, y: Transition(BEHIND, simplest_walker.heel_strike(y)),
        legs=(simplest_walker.sigma, simplest_walker.delta),
        normal=walker.pull,
        components=simplest_walker.COMPONENT_NAMES,
    )


def embed(y: State) -> State:
    """State (4, ...) just after a heel strike from y = (theta, theta')."""
    return simplest_walker.after_strike(y[0], y[1])


def simplest_map() -> SectionMap:
    """Its return map over the slope gamma [rad]."""
    return SectionMap(
        simplest_system,
        mode=BEHIND,
        guard=STRIKE,
        embed=embed,
        project=lambda x: x[[0, 2]],
        most_time=_MOST_TIME,
        step=_STEP,
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
    y = gait.fixed_point.orbit.T
    moved = simplest_map().linearised(y + step * np.eye(2), gait.fixed_point.p).value - y
    values = np.linalg.eigvals(moved / step)
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
    return np.array([1.0, 1.0, 1.0 / parameters.unit, 1.0 / parameters.unit])


def from_compass(x: Array) -> Array:
    """State (theta, phi, theta', phi') of a compass (q1, q2, q1', q2'), the rates in their unit."""
    return np.array([x[0], math.pi - x[1], x[2], -x[3]])
