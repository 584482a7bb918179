"""The simplest walker as an event-driven system, with the compass' modes and guards.

Its return map is one of y = (theta, theta') just after a heel strike: the swinging leg's rate is
then a function of the standing one's.
"""

from typing import Any

from footfall.hybrid import HybridSystem, SectionMap, State, Transition
from footfall.machines.compass.closed_form import simplest as simplest_walker
from footfall.machines.compass.closed_form.simplest import (
    COMPONENT_NAMES,
    SimplestWalker,
    after_strike,
)
from footfall.machines.compass.system import BEHIND, STRIKE, striding

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
