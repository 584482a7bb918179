"""The compass as an event-driven system, and its return map just after heel strike.

Two modes, by where the swing foot is: behind the standing one until the legs cross, then ahead. The
heel strikes when the swing foot, ahead, comes down to the ground. At mid-swing it is some
millimetres in the ground (both legs are straight): that is passed over, for before the legs have
crossed, and on the way up, nothing strikes.

The standing foot neither slides nor lifts: what friction that takes is measured, and a ground that
would have to pull ends the simulation. The strike is one of the new foot alone, which holds if the
old one leaves the ground then: see `old_foot_leaves`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from footfall.hybrid import (
    FALLING,
    RISING,
    Guard,
    HybridMode,
    HybridSystem,
    SectionMap,
    State,
    Transition,
)
from footfall.machines.compass.closed_form.impact import impact, swap
from footfall.machines.compass.closed_form.model import (
    COMPONENT_NAMES,
    Compass,
    CompassParameters,
    delta,
    sigma,
)
from footfall_controllers.energy_shaping import EnergyShapingParameters

BEHIND, AHEAD = "behind", "ahead"
STRIKE, CROSS, PART, FALL, LIFT = "heel strike", "legs cross", "legs part", "fall", "lift"
# cosine of the standing leg's angle from the normal at which the walker has fallen: 60 degrees
FALLEN = 0.5
# of x: the components of y, and of a state before a strike those that are published
SECTION = [0, 2, 3]
_MOST_TIME = 10.0  # s; a walker that takes longer for a step does not come


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
        most_time=_MOST_TIME,
    )


def member(
    parameters: CompassParameters,
    law: EnergyShapingParameters | None,
    theta: Any,  # noqa: ANN401 (real, or complex for a derivative)
) -> HybridSystem:
    """The walker on a slope."""
    return walking_system(Compass(replace(parameters, theta=theta)), law)
