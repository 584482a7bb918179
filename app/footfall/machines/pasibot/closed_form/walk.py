"""Forward dynamics of PASIBOT on a floor that holds its feet: th8(t) from T8(t), (20) to (28).

One degree of freedom, integrated step by step. At th8 = 3 pi/2 the legs change their parts: th8 of
the new supporting leg is less by pi, th8' is kept, since no foot hits the floor, see
`motion.exchange`.
A machine that falls back goes the same way in the other direction, to the step before.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.integrate import solve_ivp

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, exchange
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile

Torque = Callable[[float], float]

# A step is left so much [rad] beyond its end, so that a machine at rest there is in one step, not
# in two at once.
_BEYOND = 1e-12
# What an exchange may differ from a smooth one, in metres and radians (per radian): rounding.
_SMOOTH = 1e-9


@dataclass(frozen=True)
class CrankStance:
    """The part of a walk on one foot, from `begin` to `end` [s], after so many steps."""

    begin: float
    end: float
    steps: int
    path: Any


@dataclass(frozen=True)
class CrankWalk:
    """A walk: stance phases that follow each other, and times [s] of support exchanges.

    exchanges are those ahead, at th8 = 3 pi/2 of a step; backward are those at pi/2, to the step
    before.
    """

    stances: tuple[CrankStance, ...]
    exchanges: tuple[float, ...]
    backward: tuple[float, ...]

    @property
    def end(self) -> float:
        """Time [s] of the end."""
        return self.stances[-1].end

    def at(self, time: npt.ArrayLike) -> tuple[Array, Array]:
        """th8 [rad], counted on from the first step, and th8' [rad/s] at times [s] of the walk.

        `motion.fold` gives the angle in the step. Raises ValueError for times outside the walk.
        """
        times = np.asarray(time, dtype=float)
        if times.size and not (self.stances[0].begin <= times.min() <= times.max() <= self.end):
            raise ValueError(f"the walk lasts from {self.stances[0].begin} to {self.end} s")
        begins = np.array([stance.begin for stance in self.stances])
        which = np.searchsorted(begins, times, side="right") - 1
        states = np.empty((2, *times.shape))
        for k in np.unique(which):
            chosen = which == k
            states[:, chosen] = self.stances[k].path(times[chosen])
            states[0, chosen] += np.pi * self.stances[k].steps
        return states[0], states[1]


def walk(
    machine: PasibotParameters | SlidingProfile,
    torque: Torque,
    span: float,
    th8: float = STEP_BEGINS,
    rate: float = 0.0,
    *,
    breaks: tuple[float, ...] = (),
    relative: float = 1e-11,
) -> CrankWalk:
    """Walk from th8 [rad] of a step and th8' = rate [rad/s] for a span [s] under torque(t) [N m].

    breaks: times at which the torque jumps, beside which it is smooth; relative: error of a step of
    DOP853. Raises ValueError for a start outside a step, for a geometry whose feet would slide or
    hit the floor at an exchange, and for a torque that is no number.
    """
    profile = machine if isinstance(machine, SlidingProfile) else SlidingProfile(machine)
    refuse_rough_exchange(profile.parameters)
    if not STEP_BEGINS <= th8 <= STEP_ENDS:
        raise ValueError(f"a step is th8 from pi/2 to 3 pi/2, got {th8} rad")
    if not span > 0.0:
        raise ValueError(f"the span must be positive, got {span} s")
    edges = [0.0, *sorted(time for time in breaks if 0.0 < time < span), span]
    state, steps, now = (th8, rate), 0, 0.0
    stances: list[CrankStance] = []
    exchanges: list[float] = []
    backward: list[float] = []
    for edge in edges[1:]:
        while now < edge:
            solved = _piece(profile, torque, (now, edge), state, relative)
            if solved.status < 0:
                raise ValueError(f"the walk cannot be integrated beyond t = {solved.t[-1]} s")
            if solved.t[-1] > now:
                stances.append(CrankStance(now, float(solved.t[-1]), steps, solved.sol))
            now = float(solved.t[-1])
            angle, speed = (float(x) for x in solved.y[:, -1])
            if solved.status == 1:
                onwards = 1 if angle > np.pi else -1
                (exchanges if onwards > 0 else backward).append(now)
                steps += onwards
                angle -= np.pi * onwards
            state = (angle, speed)
    return CrankWalk(tuple(stances), tuple(exchanges), tuple(backward))


def refuse_rough_exchange(parameters: PasibotParameters) -> None:
    """Raise ValueError unless both feet are flat and at rest at the support exchange."""
    rough = exchange(parameters)
    del rough["step"]
    worst = max(rough, key=lambda name: abs(rough[name]))
    if abs(rough[worst]) > _SMOOTH:
        raise ValueError(
            f"support exchange is not smooth: {worst} = {rough[worst]:.3g} of the foot that lands; "
            "the printed proportions of Chebyshev's linkage and the slot make it so"
        )


def _piece(
    profile: SlidingProfile,
    torque: Torque,
    span: tuple[float, float],
    state: tuple[float, float],
    relative: float,
) -> Any:  # noqa: ANN401 (scipy's answer, whose class it does not name)
    """On one foot, until an end of the step or of the span."""

    def motion(time: float, state: Array) -> list[float]:
        angle, speed = state.tolist()
        drive = float(torque(time))
        if not math.isfinite(drive):
            raise ValueError(f"the torque at t = {time} s is {drive}")
        return [speed, float(profile(angle).forward(speed, drive).acceleration)]

    def ahead(_: float, state: Array) -> float:
        return float(state[0] - STEP_ENDS - _BEYOND)

    def behind(_: float, state: Array) -> float:
        return float(state[0] - STEP_BEGINS + _BEYOND)

    ahead.terminal, ahead.direction = True, 1.0  # type: ignore[attr-defined]
    behind.terminal, behind.direction = True, -1.0  # type: ignore[attr-defined]
    return solve_ivp(
        motion,
        span,
        state,
        method="DOP853",
        rtol=relative,
        atol=1e-13,
        dense_output=True,
        events=(ahead, behind),
    )
