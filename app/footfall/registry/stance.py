"""Rows of machines that stand on one foot after another, and those of one whose mass is a lump.

Rows stand where its motion is asked for, and twice at every impact, before and after it; the second
row's impulse is that of the impact alone. Between rows the impulse of the ground is the change of
the lump's momentum less that of its weight, which is exact however long they last.

Slope frame: x along the slope, downhill, z its outward normal.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.errors import ScenarioError
from footfall.hybrid import Ending, HybridEvent, HybridRun
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.trajectory import Event, Status, Trajectory, TrajectoryBuilder
from footfall.trajectory.events import SLIDES

_AT_REST = 1e-6  # m and m/s: a foot that is on the ground and stands
_ROUNDING = 1e-12  # N s
_SAME_TIME = 1e-12  # of the run: a row this near to an impact is that of the impact


@dataclass(frozen=True)
class Lump:
    """Mass [kg] at the first two coordinates x, z, with a moment [kg m^2] that turns at the third.

    gamma: slope [rad], falling towards +x; g [m/s^2].
    """

    mass: float
    moment: float
    gamma: float
    g: float

    def kinetic_energy(self, state: Array) -> float:
        """Kinetic energy of the plant's [q; v] [J]."""
        v = state[len(state) // 2 :]
        return float(0.5 * self.mass * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.moment * v[2] ** 2)

    def potential_energy(self, state: Array) -> float:
        """Potential energy above the origin of the slope [J]."""
        height = -state[0] * math.sin(self.gamma) + state[1] * math.cos(self.gamma)
        return float(self.mass * self.g * height)

    def momentum(self, state: Array) -> Array:
        """Momentum along x and z, (2,) [N s]."""
        middle = len(state) // 2
        return self.mass * state[middle : middle + 2]

    @property
    def weight(self) -> Array:
        """Weight along x and z, (2,) [N]."""
        return self.mass * self.g * np.array([math.sin(self.gamma), -math.cos(self.gamma)])


Points = Callable[[Array], tuple[Array, Array]]
"""Places and velocities (x, z) of all feet, (n, 2) each, from the plant's [q; v]."""


def standing_foot(points: tuple[Array, Array], names: Sequence[str], engine: str) -> int:
    """Which foot rests on the ground at the start; raises ScenarioError where none does."""
    places, velocities = points
    heights, speeds = np.abs(places[:, 1]), np.linalg.norm(velocities, axis=1)
    foot = int(np.argmin(heights + speeds))
    if heights[foot] > _AT_REST or speeds[foot] > _AT_REST:
        message = (
            f"engine {engine}: no foot stands at the start; {names[foot]} is {heights[foot]:.2g} m "
            f"from the ground and moves at {speeds[foot]:.2g} m/s: set initial.on_gait, or give a "
            "state with one foot at rest on the ground."
        )
        raise ScenarioError(message)
    return foot


def require_plastic(context: MachineContext, engine: str) -> None:
    """Raise ScenarioError for feet that rebound: the closed forms know plastic impacts only."""
    if (context.e_n > 0.0).any():
        message = (
            f"engine {engine}: its impacts are plastic, but restitution is above 0: set it to 0, "
            "or choose moreau."
        )
        raise ScenarioError(message)


def row_times(start: float, end: float, time_step: float) -> Array:
    """Start, the scenario's time steps between, end [s]; steps at the ends are these."""
    slack = _SAME_TIME * max(1.0, end)
    first = math.floor((start + slack) / time_step) + 1
    last = math.floor((end + slack) / time_step)
    times = np.arange(first, last + 1) * time_step
    return np.concatenate(([start], times[times < end - slack], [end]))


@dataclass(frozen=True)
class Stretch:
    """Standing on one foot at a place [m] from a time to another; strike: the event at its end.

    Times and states x (n,) are those of an event-driven run.
    """

    foot: int
    position: float
    start: float
    end: float
    x_start: Array
    strike: HybridEvent | None

    def states(self, run: HybridRun, times: Array) -> Array:
        """States (n, k) at times (k,) from start to end, at these exactly those of the events."""
        x = run.at(np.clip(times, self.start, self.end))
        x[:, 0] = self.x_start
        if self.strike is not None:
            x[:, -1] = self.strike.x_before
        return x


def stretches(
    run: HybridRun,
    foot: int,
    position: float,
    x: Array,
    guard: str,
    advance: Callable[[Array], float],
) -> Iterator[Stretch]:
    """The stances of a run on two feet, one after another.

    foot, place [m], x (n,): of the first, at time 0. guard: of a strike. advance: how far the new
    foot is ahead of the old one before it [m].
    """
    start = 0.0
    for event in run.events:
        if event.guard != guard:
            continue
        yield Stretch(foot, position, start, event.time, x, event)
        position += advance(event.x_before)
        foot, start, x = 1 - foot, event.time, event.x_after
    yield Stretch(foot, position, start, run.time, x, None)


def events_of(run: HybridRun, unit: float = 1.0) -> list[Event]:
    """The changes of mode of a run; unit: that of its times [s]."""
    return [
        Event(unit * event.time, event.guard, f"{event.guard}: {event.before} to {event.after}")
        for event in run.events
        if event.after is not None
    ]


def failure_of(run: HybridRun, ends: Mapping[str, str]) -> str:
    """Why a run ended before its time, by the guard that ended it; empty if it did not."""
    if run.ending is Ending.END_OF_TIME:
        return ""
    return ends.get(run.events[-1].guard, run.message) if run.events else run.message


class FrictionWatch:
    """Tells once that a standing foot would slide, which the exact walkers do not know."""

    def __init__(self, context: MachineContext) -> None:
        self._names, self._mu = context.contacts.names, context.mu
        self.events: list[Event] = []

    def look(self, name: str, impulse: Array, time: float) -> None:
        """Judge an impulse (tangential, normal) [N s] on a foot at a time [s]."""
        if self.events:
            return
        has = float(self._mu[self._names.index(name)])
        tangential, normal = abs(float(impulse[0])), float(impulse[1])
        if tangential > has * normal + _ROUNDING:
            what = (
                f"{name} would slide: it needs a coefficient of friction of "
                f"{tangential / normal:.3g}, and has {has:.3g}; this engine lets it stand, moreau "
                "and drake let it slide"
            )
            self.events.append(Event(time, SLIDES, what))


class StandingRows:
    """Makes the rows of a trajectory and keeps the account of what impacts take."""

    def __init__(self, context: MachineContext, lump: Lump, points: Points) -> None:
        self._lump, self._points = lump, points
        self._builder = TrajectoryBuilder(layout_of(context.model.plant, context.contacts))
        self._idle = np.zeros(context.model.plant.num_actuators())
        sin, cos = math.sin(lump.gamma), math.cos(lump.gamma)
        self._R_WT = np.array([[cos, sin], [-sin, cos]])
        self._last: tuple[float, Array] | None = None
        self._contact_work = 0.0
        self._names, self._friction = context.contacts.names, FrictionWatch(context)

    @property
    def time(self) -> float:
        """Time of the last row [s]."""
        return 0.0 if self._last is None else self._last[0]

    def stand(self, foot: int, times: Array, states: Array) -> None:
        """Rows of a stance: states (n, k) at times (k,) from its start to its end.

        The first is left out where the row after an impact is there already.
        """
        skipped = 0 if self._last is None else 1
        for time, state in zip(times[skipped:], states.T[skipped:], strict=True):
            self._append(foot, float(time), state, 0.0)

    def strike(self, foot: int, state: Array) -> None:
        """The row after an impact of a foot: no time passes since the last row."""
        if self._last is None:
            raise ValueError("an impact needs a row before it")
        time, before = self._last
        gained = self._lump.kinetic_energy(state) - self._lump.kinetic_energy(before)
        self._append(foot, time, state, gained)

    def _append(self, foot: int, time: float, state: Array, work: float) -> None:
        since, before = (time, state) if self._last is None else self._last
        moved = self._lump.momentum(state) - self._lump.momentum(before)
        impulse = moved - self._lump.weight * (time - since)
        self._contact_work += work
        self._friction.look(self._names[foot], impulse, time)
        middle = len(state) // 2
        self._builder.append(
            time,
            state[:middle],
            state[middle:],
            self._idle,
            PressedRow(self._points(state), foot, impulse, work, self._R_WT),
            kinetic_energy=self._lump.kinetic_energy(state),
            potential_energy=self._lump.potential_energy(state),
            actuator_work=0.0,
            contact_work=self._contact_work,
            damping_work=0.0,
            constraint_work=0.0,
            energy_gain=0.0,
        )
        self._last = time, state.copy()

    def finish(self, engine: str, events: Iterable[Event], failure: str = "") -> Trajectory:
        """The trajectory with its events; failure: why it ended before its time, if it did."""
        told = {"engine": engine}
        events = [*events, *self._friction.events]
        if not failure:
            return self._builder.finish(Status.DONE, "", events, told)
        message = f"{failure} at t = {self.time:.4f} s"
        events = [*events, Event(self.time, Status.FAILED.value, message)]
        return self._builder.finish(Status.FAILED, message, events, told)


class PressedRow:
    """A contact report in which one contact of several is pressed, in axes [n, t, s], s empty.

    points: places and velocities (x, z) of all contacts, (n, 2) each; impulse: (tangential, normal)
    on the pressed one since the last row.
    """

    def __init__(
        self,
        points: tuple[Array, Array],
        pressed: int,
        impulse: Array,
        work: float,
        R_WT: Array,
        mode: Mode = Mode.STICK,
    ) -> None:
        places, velocities = points
        count = len(places)
        self.impulse = np.zeros((count, 3))
        self.impulse[pressed, :2] = impulse[::-1]
        self.velocity = np.zeros((count, 3))
        if mode is not Mode.OPEN:
            self.velocity[pressed, :2] = velocities[pressed, ::-1]
        self.gap = places[:, 1].copy()
        self.p_WC = np.zeros((count, 3))
        self.p_WC[:, ::2] = places @ R_WT.T
        self.mode = np.full(count, int(Mode.OPEN), dtype=np.int8)
        self.mode[pressed] = int(mode)
        self.work = np.zeros(count)
        self.work[pressed] = work
        self.residual = np.nan  # nothing is solved
        self.normal = np.nan  # all have the ground's
        self.iterations = 0
        self.rung = 0
