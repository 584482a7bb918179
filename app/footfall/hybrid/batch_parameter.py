"""Lanes with a parameter each: a family of systems as one that carries the parameter along."""

from collections.abc import Callable
from typing import Any

import numpy as np

from footfall.hybrid.model import Guard, HybridSystem, Jump, Mode, State


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


def _mode(family: Callable[[Any], HybridSystem], mode: Mode) -> Mode:
    def derivative(t: Any, x: State) -> State:  # noqa: ANN401 (a time, real or complex)
        rate = family(x[-1]).modes[mode.name].derivative(t, x[:-1])
        return np.concatenate([rate, np.zeros_like(x[-1:])])

    guards = tuple(_guard(family, mode.name, number) for number in range(len(mode.guards)))
    return Mode(
        mode.name,
        derivative,
        tuple(
            Guard(g.name, value, g.direction, None if g.reset is None else reset)
            for g, (value, reset) in zip(mode.guards, guards, strict=True)
        ),
    )


def _guard(
    family: Callable[[Any], HybridSystem], mode: str, number: int
) -> tuple[Callable[[Any, State], Any], Callable[[Any, State], Jump]]:
    """Value and reset of a guard by the parameter in the state."""

    def value(t: Any, x: State) -> Any:  # noqa: ANN401 (a number or an array, real or complex)
        return family(x[-1]).modes[mode].guards[number].value(t, x[:-1])

    def reset(t: Any, x: State) -> Jump:  # noqa: ANN401 (a time, real or complex)
        own = family(x[-1]).modes[mode].guards[number].reset
        if own is None:
            raise ValueError(f"a guard of mode '{mode}' has a reset for some parameters only")
        jump = own(t, x[:-1])
        return Jump(jump.mode, np.concatenate([jump.state, x[-1:]]), jump.told)

    return value, reset
