"""Drives of PASIBOT's crank: a prescribed motion th8(t), or a torque.

Angles count on from the first step, th8 = pi/2 being its beginning. Functions of a drive take
numbers, real or complex, and arrays; they are analytic, as `footfall.hybrid` wants them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.closed_form.two_freedoms import FootResponse, TwoFreedoms

Law = Callable[[Any, Any, Any], Any]


class Crank(NamedTuple):
    """Angle th8 [rad], counted on from the first step, and its rate [rad/s]."""

    th8: Any
    rate: Any


@dataclass(frozen=True)
class Prescribed:
    """A crank that turns as it is told: motion(t) gives th8 [rad], th8' and th8''.

    breaks: times [s] at which th8'' jumps; th8 and th8' never do.
    """

    motion: Callable[[Any], tuple[Any, Any, Any]]
    breaks: tuple[float, ...] = ()

    def crank(self, t: Any, _state: Crank) -> Crank:  # noqa: ANN401 (numbers or arrays)
        """Return where the crank is at a time [s], whatever was integrated."""
        return Crank(*self.motion(t)[:2])

    def respond(
        self,
        at: TwoFreedoms,
        t: Any,  # noqa: ANN401
        crank: Crank,
        friction: float | None,
        _piece: int,
    ) -> FootResponse:
        """Forces and torque of the motion."""
        return at.inverse(crank.rate, self.motion(t)[2], friction)


@dataclass(frozen=True)
class Torque:
    """A torque law(t, th8, th8') [N m], of time alone or fed back.

    laws: one more than there are breaks, the times [s] at which one follows another; a torque
    that jumps has a law for each side. Raises ValueError for another number of laws.
    """

    laws: tuple[Law, ...]
    breaks: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse laws without a place, and breaks out of order."""
        if len(self.laws) != len(self.breaks) + 1:
            raise ValueError(f"{len(self.breaks)} breaks want one law more, got {len(self.laws)}")
        if list(self.breaks) != sorted(self.breaks):
            raise ValueError(f"breaks must rise, got {self.breaks}")

    def crank(self, _t: Any, state: Crank) -> Crank:  # noqa: ANN401
        """Return where the crank is: where the integrator has it."""
        return state

    def respond(
        self,
        at: TwoFreedoms,
        t: Any,  # noqa: ANN401
        crank: Crank,
        friction: float | None,
        piece: int,
    ) -> FootResponse:
        """Motion and forces under the torque."""
        torque = self.laws[piece](t, crank.th8, crank.rate)
        return at.forward(crank.rate, torque, friction)


Drive = Prescribed | Torque


def constant_speed(rate: float, th8: float = STEP_BEGINS) -> Prescribed:
    """A crank at a constant th8' = rate [rad/s] from an angle th8 [rad] at t = 0."""
    if not math.isfinite(rate):
        raise ValueError(f"the rate must be a finite number, got {rate}")
    return Prescribed(lambda t: (th8 + rate * t, rate + 0.0 * t, 0.0 * t))


def constant_torque(torque: float) -> Torque:
    """A torque [N m] that never changes."""
    return Torque((lambda t, _th8, _rate: torque + 0.0 * t,))
