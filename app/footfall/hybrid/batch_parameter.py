"""Batches with a parameter for each member: a family as one system that carries the parameter."""

from collections.abc import Callable
from typing import Any

import numpy as np

from footfall.hybrid.model import Guard, HybridMode, HybridSystem, State, Transition


def with_parameter(family: Callable[[Any], HybridSystem], p: float) -> HybridSystem:
    """A system whose state has the parameter as its last component, which never changes.

    family: p to the system; it must take many p (k,) at once, and complex ones for derivatives.
    p: any value that the family has; only the names of modes, guards and components are taken from
    it. So a bifurcation diagram is one batch, and the last of the directions of batch_derivative is
    the derivative by the parameter.
    """
    modes = family(p).modes
    return HybridSystem(
        {name: _mode(family, mode) for name, mode in modes.items()},
        (*family(p).components, "parameter"),
    )


def _mode(family: Callable[[Any], HybridSystem], mode: HybridMode) -> HybridMode:
    def derivative(t: Any, x: State) -> State:  # noqa: ANN401 (a time, real or complex)
        rate = family(x[-1]).modes[mode.name].derivative(t, x[:-1])
        return np.concatenate([rate, np.zeros_like(x[-1:])])

    guards = tuple(_guard(family, mode.name, number) for number in range(len(mode.guards)))
    return HybridMode(
        mode.name,
        derivative,
        tuple(
            Guard(g.name, value, g.direction, None if g.reset is None else reset)
            for g, (value, reset) in zip(mode.guards, guards, strict=True)
        ),
    )


def _guard(
    family: Callable[[Any], HybridSystem], mode: str, number: int
) -> tuple[Callable[[Any, State], Any], Callable[[Any, State], Transition]]:
    """Value and reset of a guard by the parameter in the state."""

    def value(t: Any, x: State) -> Any:  # noqa: ANN401 (a number or an array, real or complex)
        return family(x[-1]).modes[mode].guards[number].value(t, x[:-1])

    def reset(t: Any, x: State) -> Transition:  # noqa: ANN401 (a time, real or complex)
        own = family(x[-1]).modes[mode].guards[number].reset
        if own is None:
            raise ValueError(f"a guard of mode '{mode}' has a reset for some parameters only")
        transition = own(t, x[:-1])
        return Transition(
            transition.mode, np.concatenate([transition.state, x[-1:]]), transition.outputs
        )

    return value, reset
