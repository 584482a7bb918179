"""Walks from one foot to the next, none of which slides: event-driven, and their trajectories.

A machine says what is its own: an event-driven system of states s (n, ...) on the standing foot,
where a guard ends a stance as the next foot comes down, and what such a state is in the plant's
coordinates. An impact between two stances takes the energy that is lost from the one to the other.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.errors import ScenarioError
from footfall.hybrid import Ending, HybridEvent, HybridRun, HybridSystem, simulate
from footfall.registry.context import MachineContext
from footfall.stance.trajectory import Piece, motion_trajectory, sample_times
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import SLIDES

_AT_REST = 1e-6  # m and m/s: a foot that is on the ground and stands
_ROUNDING = 1e-12  # N s

Points = tuple[Array, Array]
"""Positions and velocities (x, z) of all n feet in the slope frame, (n, 2) each [m, m/s] of one of
the plant's [q; v]; of k states (..., k) they are (n, 2, k).
"""


def standing_foot(points: Points, names: Sequence[str], engine: str) -> int:
    """Return the foot that rests on the ground at the start; raises ScenarioError without one."""
    positions, velocities = points
    heights, speeds = np.abs(positions[:, 1]), np.linalg.norm(velocities, axis=1)
    foot = int(np.argmin(heights + speeds))
    if heights[foot] > _AT_REST or speeds[foot] > _AT_REST:
        raise ScenarioError(
            f"engine {engine}: no foot stands at the start; {names[foot]} is {heights[foot]:.2g} m "
            f"from the ground and moves at {speeds[foot]:.2g} m/s: set initial.on_gait, or give a "
            "state with one foot at rest on the ground."
        )
    return foot


def require_plastic(context: MachineContext, engine: str) -> None:
    """Raise ScenarioError for feet that rebound: the closed forms know plastic impacts only."""
    if (context.e_n > 0.0).any():
        raise ScenarioError(
            f"engine {engine}: its impacts are plastic, but restitution is above 0: set it to 0, "
            "or choose moreau."
        )


class Stance(NamedTuple):
    """A foot that stands at a place [m] along the slope, with the state s (n,) on it."""

    foot: int
    position: float
    s: Array


class Walker(ABC):
    """A machine that stands on one foot after another.

    strike: the guard that ends a stance. ends: reasons for an early end, by guard. unit: of the
    system's time [s]. driven: the actuators do what work is done in a stance; else none is, and
    energy is left to tell errors.
    """

    strike: str
    ends: Mapping[str, str]
    unit = 1.0
    driven = False

    def __init__(self, system: HybridSystem, weight: Array, slope: float) -> None:
        """Take the system; weight [N] and slope [rad] as in `motion_trajectory`."""
        self._system, self._weight, self._slope = system, weight, slope

    @abstractmethod
    def points(self, state: Array) -> Points:
        """Feet of the plant's states (m, ...)."""

    @abstractmethod
    def plant_state(self, foot: int, position: float, s: Array) -> Array:
        """The plant's [q; v], (m, k), of states s (n, k) on a foot at a place [m]."""

    @abstractmethod
    def account(self, position: float, s: Array, state: Array) -> tuple[Array, Array]:
        """Momentum along x and z [N s], kinetic and potential energy [J], (2, k) each."""

    @abstractmethod
    def following(self, stance: Stance, before: Array) -> tuple[int, float]:
        """The foot that stands after a strike with s (n,) before it, and its place [m]."""

    def torque(self, _foot: int, _s: Array) -> npt.ArrayLike:
        """Efforts of the actuators at states (n, k): (k, 1) [N m], or one number."""
        return 0.0

    def walk(
        self,
        context: MachineContext,
        engine: str,
        start: Stance,
        mode: str,
        besides: Callable[[HybridRun], list[Event]] = lambda _: [],
    ) -> Trajectory:
        """Walk from a stance in a mode; besides: events of the run that are the machine's own.

        A foot that would slide is an event.
        """
        end_time = round(context.duration / context.time_step) * context.time_step
        names = context.contacts.names
        run = simulate(self._system, mode, start.s, (0.0, end_time / self.unit))
        begin, stance, pieces = 0.0, start, list[Piece]()
        events = besides(run)
        for event in run.events:
            if event.after is None:
                continue
            what = f"{event.before} to {event.after}"
            if event.guard == self.strike:
                until = self.unit * event.time
                pieces.append(self._piece(context, run, stance, begin, until, event, pieces))
                foot, position = self.following(stance, event.x_before)
                what = f"{names[stance.foot]} to {names[foot]}"
                begin, stance = event.time, Stance(foot, position, event.x_after)
            events.append(Event(self.unit * event.time, event.guard, f"{event.guard}: {what}"))
        failure = ""
        if run.ending is not Ending.END_OF_TIME:
            end_time = self.unit * run.time
            reason = self.ends.get(run.events[-1].guard, run.message) if run.events else run.message
            failure = f"{reason} at t = {end_time:.4f} s"
        pieces.append(self._piece(context, run, stance, begin, end_time, None, pieces))
        made = motion_trajectory(
            context,
            engine,
            pieces,
            self._weight,
            slope=self._slope,
            integrated=False,
            events=events,
            failure=failure,
        )
        ordered = sorted((*made.events, *_first_slide(context, made)), key=lambda one: one.time)
        return replace(made, events=tuple(ordered))

    def _piece(
        self,
        context: MachineContext,
        run: HybridRun,
        stance: Stance,
        begin: float,
        end: float,
        strike: HybridEvent | None,
        before: Sequence[Piece],
    ) -> Piece:
        """Rows of a stance from a time of the system to a time [s], after those before."""
        times = sample_times(self.unit * begin, end, context.time_step)
        last = run.time if strike is None else strike.time
        s = run.at(np.clip(times / self.unit, begin, last))
        s[:, 0] = stance.s  # at events exactly what they have
        if strike is not None:
            s[:, -1] = strike.x_before
        state = self.plant_state(stance.foot, stance.position, s)
        momentum, energy = self.account(stance.position, s, state)
        works = np.zeros((len(times), 2))
        if before:
            works += np.asarray(before[-1].works)[-1]
            works[:, 1] += energy[0, 0] - before[-1].energy[-1, 0]
        if self.driven:
            works[:, 0] += energy.sum(axis=0) - energy[:, 0].sum()
        positions, velocities = (np.moveaxis(each, -1, 0) for each in self.points(state))
        return Piece(
            times,
            state.T,
            positions,
            velocities,
            np.eye(positions.shape[1])[stance.foot],
            Mode.STICK,
            momentum.T,
            energy.T,
            works,
            self.torque(stance.foot, s),
        )


def _first_slide(context: MachineContext, made: Trajectory) -> list[Event]:
    """The first row in which a standing foot would slide, if there is one."""
    mu, impulse = context.mu, made.data["impulse"].to_numpy()
    normal, tangential = impulse[:, :, 0], np.abs(impulse[:, :, 1])
    slides = np.argwhere(tangential > mu * normal + _ROUNDING)
    if not slides.size:
        return []
    row, foot = slides[0]
    what = (
        f"{context.contacts.names[foot]} would slide: it needs a coefficient of friction "
        f"of {tangential[row, foot] / normal[row, foot]:.3g}, and has {mu[foot]:.3g}; this "
        "engine lets it stand, moreau and drake let it slide"
    )
    return [Event(float(made.data["time"][row]), SLIDES, what)]


@dataclass(frozen=True)
class LumpedMass:
    """Mass [kg] at the first two coordinates x, z, with a moment [kg m^2] that turns at the third.

    gamma: slope [rad], falling towards +x; g [m/s^2]. States: the plant's [q; v].
    """

    mass: float
    moment: float
    gamma: float
    g: float

    def energy(self, state: Array) -> Array:
        """Kinetic and potential energy, above the origin of the slope, of states (n, k), (2, k)."""
        v = state[len(state) // 2 :]
        kinetic = 0.5 * self.mass * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.moment * v[2] ** 2
        height = -state[0] * math.sin(self.gamma) + state[1] * math.cos(self.gamma)
        return np.array([kinetic, self.mass * self.g * height])

    def momentum(self, state: Array) -> Array:
        """Momentum of states (n, k) along x and z, (2, k) [N s]."""
        middle = len(state) // 2
        return self.mass * state[middle : middle + 2]

    @property
    def weight(self) -> Array:
        """Weight along x and z, (2,) [N]."""
        return self.mass * self.g * np.array([math.sin(self.gamma), -math.cos(self.gamma)])
