"""Stance phases of an event-driven walk on two feet: its start, its phases, its events, its end."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.hybrid import Ending, HybridEvent, HybridRun
from footfall.registry.context import MachineContext
from footfall.trajectory import Event

_AT_REST = 1e-6  # m and m/s: a foot that is on the ground and stands

Points = Callable[[Array], tuple[Array, Array]]
"""Positions and velocities (x, z) of all n feet, (n, 2) each, of the plant's [q; v]; of k states
(..., k) they are (n, 2, k).
"""


def standing_foot(points: tuple[Array, Array], names: Sequence[str], engine: str) -> int:
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


@dataclass(frozen=True)
class StancePhase:
    """A stance on one foot at a position [m] from a time to another.

    Times and states x (n,) are those of an event-driven run. heel_strike: the event at its end.
    """

    foot: int
    position: float
    start: float
    end: float
    x_start: Array
    heel_strike: HybridEvent | None

    def states(self, run: HybridRun, times: Array) -> Array:
        """States (n, k) at times (k,) from start to end, at these exactly those of the events."""
        x = run.at(np.clip(times, self.start, self.end))
        x[:, 0] = self.x_start
        if self.heel_strike is not None:
            x[:, -1] = self.heel_strike.x_before
        return x


def stance_phases(
    run: HybridRun,
    foot: int,
    position: float,
    x: Array,
    guard: str,
    advance: Callable[[Array], float],
) -> Iterator[StancePhase]:
    """The stance phases of a run on two feet, one after another.

    foot, position [m], x (n,): of the first, at time 0. guard: of a heel strike. advance: distance
    of the new foot ahead of the old one before it [m].
    """
    start = 0.0
    for event in run.events:
        if event.guard != guard:
            continue
        yield StancePhase(foot, position, start, event.time, x, event)
        position += advance(event.x_before)
        foot, start, x = 1 - foot, event.time, event.x_after
    yield StancePhase(foot, position, start, run.time, x, None)


def transition_events(run: HybridRun, unit: float = 1.0) -> list[Event]:
    """The changes of mode of a run; unit: that of its times [s]."""
    return [
        Event(unit * event.time, event.guard, f"{event.guard}: {event.before} to {event.after}")
        for event in run.events
        if event.after is not None
    ]


def failure_of(run: HybridRun, reasons: Mapping[str, str]) -> str:
    """The reason why a run ended before its time, by the guard that ended it; '' if it did not."""
    if run.ending is Ending.END_OF_TIME:
        return ""
    return reasons.get(run.events[-1].guard, run.message) if run.events else run.message
