"""Hybrid systems: modes, the guards that end them, and resets.

State x: component first, so that ``q, w = x`` reads one state (n,) and many (n, k) alike. Functions
of a system take t [s] and x, work on both shapes, and are analytic (no absolute values, no largest
of two): derivatives are taken by a step into the complex numbers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.hybrid.component_first import State

FALLING, RISING = -1, 1


@dataclass(frozen=True)
class Transition:
    """Result of a reset: the next mode, the state there, and outputs of the event (impulses)."""

    mode: str
    state: State
    outputs: Mapping[str, State] = field(default_factory=dict)


@dataclass(frozen=True)
class Guard:
    """An event: where ``value`` goes through zero in its direction, ``reset`` gives what follows.

    value(t, x): number of one state, (k,) of many. direction: FALLING or RISING, in which the value
    has to go through zero. reset(t, x): evaluated at the root; None ends the simulation.
    """

    name: str
    value: Callable[[Any, State], Any]
    direction: int
    reset: Callable[[Any, State], Transition] | None = None


@dataclass(frozen=True)
class HybridMode:
    """A smooth motion: x' = derivative(t, x) until the first of its guards."""

    name: str
    derivative: Callable[[Any, State], State]
    guards: tuple[Guard, ...]


def ended(name: str) -> HybridMode:
    """A mode in which a motion cannot go on: it has no rates, which ends a simulation."""
    return HybridMode(name, lambda _t, x: np.full(np.shape(x), np.nan), ())


@dataclass(frozen=True)
class HybridSystem:
    """Modes by name and the names of the state's components.

    zeno(guard, t, x): what follows when events of a guard accumulate at a time t; without it the
    simulation ends there. Raises ValueError for modes under wrong names.
    """

    modes: Mapping[str, HybridMode]
    components: tuple[str, ...]
    zeno: Callable[[str, float, Array], Transition] | None = None

    def __post_init__(self) -> None:
        """Refuse modes that are not what they are called."""
        for name, mode in self.modes.items():
            if mode.name != name:
                raise ValueError(f"mode '{mode.name}' stands under the name '{name}'")
