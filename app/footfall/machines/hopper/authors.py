"""The hopper's jump without the engines, which know nothing of it, and what explains d = 0.1336 m.

A plain simulation, phase by phase with scipy, of the corrected equations, in which an impact may
have links of another inertia than the motion, as in one version of the authors' program (see
`footfall.machines.hopper.published`).
"""

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.impact import impact
from footfall.machines.hopper.closed_form.model import Hopper, HopperParameters, Q, R
from footfall.machines.hopper.closed_form.phases import (
    SIGMA,
    Phase,
    consistent_phases,
    derivative,
    slip_conditions,
    stick_conditions,
)
from footfall.machines.hopper.closed_form.points import position
from footfall.machines.hopper.published import EARLY_IMPACT_INERTIA, START, TORQUE
from footfall_controllers.torque_profile import TorqueProfileParameters

_LONGEST = 10.0  # s: what is not over by then is no jump
_MOST_PHASES = 500  # pieces of the torque counted in
_TOLERANCES = {"rtol": 1e-11, "atol": 1e-12, "max_step": 1e-3}


class OtherLinks(Hopper):
    """A hopper whose links have another inertia about their middles, as a multiple of m l^2/3."""

    def __init__(self, parameters: HopperParameters, inertia: float) -> None:
        super().__init__(parameters)
        self.turning += (inertia - 1.0) * parameters.m * parameters.l**2 / 3.0


@cache
def published_distance(parameters: HopperParameters, *, early_impact: bool = False) -> float:
    """D of the published inputs for parameters [m]; early_impact: with commit 1c75c17's impact."""
    inertia = EARLY_IMPACT_INERTIA if early_impact else 1.0
    return distance(parameters, TORQUE, START, impact_inertia=inertia)


def distance(
    parameters: HopperParameters,
    torque: TorqueProfileParameters,
    start: Array,
    *,
    impact_inertia: float = 1.0,
) -> float:
    """Jump distance d from a start x (8,) with P on the ground [m]; NaN for what is no jump.

    For jumps such as the published one: P leaves the ground once and lands before Q and R, and no
    phase is so short that the integrator steps over it.

    impact_inertia: of the links, in impacts alone, over m l^2/3.
    """
    machine, struck = Hopper(parameters), OtherLinks(parameters, impact_inertia)
    t, x, piece, flights = 0.0, start.copy(), 0, 0
    places: tuple[list[float], list[float]] = [float(x[0])], []  # of P, before and after the flight
    phase = _chosen(machine, x, torque.torque(piece, t))
    for _ in range(_MOST_PHASES):
        until = (*torque.breaks, _LONGEST)[piece]
        t, x, lost = _smooth(machine, phase, (torque, piece), (t, until), x)
        if lost in ("Q", "R") or (not lost and piece == len(torque.breaks)):
            break
        piece += not lost
        if lost == "height":
            x[1] = 0.0
            x = np.array(impact(struck, x).x)
        elif phase is Phase.FLIGHT:
            continue  # another piece of the torque
        x[1] = x[5] = 0.0
        x[4] = 0.0 if lost == "sliding" else x[4]
        places[flights].append(float(x[0]))
        phase = _next(machine, lost, x, torque.torque(piece, t))
        flights += phase is Phase.FLIGHT
        if flights > 1:
            break
    if lost not in ("Q", "R") or flights != 1 or not places[1]:
        return math.nan
    last = float(position(machine, x, Q if lost == "Q" else R)[0])
    return min(*places[1], float(x[0]), last) - max(places[0])


def _chosen(machine: Hopper, x: Array, torque: float) -> Phase:
    """The phase that a state with P on the ground goes on in; mu is too small for several."""
    return consistent_phases(machine, x, float(torque))[0]


def _next(machine: Hopper, lost: str, x: Array, torque: float) -> Phase:
    """The phase after an event; lost: the condition that ended the one before, if any did."""
    known = {
        "pressing": Phase.FLIGHT,
        "below": Phase.SLIP_BACKWARD,
        "above": Phase.SLIP_FORWARD,
    }
    return known[lost] if lost in known else _chosen(machine, x, torque)


class _Lost:
    """One of several conditions as an event of scipy, which ends the integration."""

    terminal = True
    direction = -1.0

    def __init__(self, conditions: Callable[[float, Array], tuple[float, ...]], place: int) -> None:
        self._conditions, self._place = conditions, place

    def __call__(self, t: float, x: Array) -> float:
        return float(self._conditions(t, x)[self._place])


def _smooth(
    machine: Hopper,
    phase: Phase,
    driven: tuple[TorqueProfileParameters, int],
    span: tuple[float, float],
    x: Array,
) -> tuple[float, Array, str]:
    """Integrate a phase over a time or until a condition is lost: time, state, which ("": none)."""
    torque, piece = driven
    names = _CONDITIONS[phase]

    def conditions(t: float, x: Array) -> tuple[float, ...]:
        tau = torque.torque(piece, t)
        low = position(machine, x, Q)[1], position(machine, x, R)[1]
        if phase is Phase.FLIGHT:
            return (*low, x[1])
        if phase is Phase.STICK:
            return (*low, *stick_conditions(machine, x, tau)[1:])
        return (*low, *slip_conditions(machine, phase, x, tau))

    done = solve_ivp(
        lambda t, x: derivative(machine, phase, x, torque.torque(piece, t)),
        span,
        x,
        "DOP853",
        events=[_Lost(conditions, k) for k in range(len(names))],
        **_TOLERANCES,
    )
    met = [name for name, times in zip(names, done.t_events, strict=True) if len(times) > 0]
    return float(done.t[-1]), np.array(done.y[:, -1]), met[0] if met else ""


_CONDITIONS = {
    Phase.FLIGHT: ("Q", "R", "height"),
    Phase.STICK: ("Q", "R", "below", "above"),
    **dict.fromkeys(SIGMA, ("Q", "R", "pressing", "sliding")),
}
