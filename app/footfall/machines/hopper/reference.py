"""One jump of the hopper, event by event: how far it goes, or why it is none.

From rest with P on the ground; P takes off, flies once, lands, and Q or R ends the motion by
reaching the ground while P is there. d = X_end - X_start, X_start the largest x of P before the
flight, X_end the smallest after it, where the point that ends it counts if it is behind P: item 5
of the document. P slides without turning back within a phase, so both are states of events, exact
to the tolerances of the integration.

Source: `closed_form.model`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from footfall.hybrid import Ending, HybridEvent, HybridRun, Options, simulate
from footfall.hybrid.contact import phase_of
from footfall.hybrid.run import FlowSegment
from footfall.machines.hopper.closed_form.model import CONTACT_POINTS, Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.closed_form.points import position
from footfall.machines.hopper.initial_state import checked_initial_state
from footfall.machines.hopper.jump_validity import (
    CONSTRAINTS,
    MarginHistory,
    follow_margins,
    invalidity_reason,
)
from footfall.machines.hopper.system import LANDS, TorqueLaw, begin, ending_of, hopper_system

_MOST_TIME = 10.0  # s; what has not landed by then does not jump
_ROUNDING = 1e-9  # of a margin, in SI: bounds are meant to be reached


@dataclass(frozen=True)
class SimulatedJump:
    """A motion, and what it is worth as a jump.

    run: with states (10,), see `footfall.machines.hopper.system`. why: why it is no jump, empty if
    it is one. X_start, X_end [m]; take_off, landing, end [s]; NaN where it is no jump.
    """

    machine: Hopper
    drive: TorqueLaw
    run: HybridRun
    why: str = ""
    X_start: float = math.nan
    X_end: float = math.nan
    take_off: float = math.nan
    landing: float = math.nan
    end: float = math.nan

    @property
    def valid(self) -> bool:
        """Return whether it is a jump, whatever its margins are."""
        return not self.why

    @property
    def distance(self) -> float:
        """D of item 5 [m], NaN where it is no jump."""
        return self.X_end - self.X_start

    @cached_property
    def margin_history(self) -> MarginHistory:
        """Margins over the motion; computed when they are first asked for."""
        return follow_margins(self.machine, self.drive, self.run)

    @property
    def broken(self) -> tuple[str, ...]:
        """Margins that the motion does not keep, by their names; heights of points are none."""
        least = self.margin_history.over_all
        return tuple(name for name in CONSTRAINTS if getattr(least, name) < -_ROUNDING)

    @property
    def holds(self) -> bool:
        """Return whether it is a jump that keeps all margins."""
        return self.valid and not self.broken


def jump(
    machine: Hopper,
    drive: TorqueLaw,
    x0: npt.ArrayLike,
    most_time: float = _MOST_TIME,
    options: Options | None = None,
    impact_machine: Hopper | None = None,
) -> SimulatedJump:
    """Simulate from x0 (8,), with P on the ground, until Q or R lands; most_time [s].

    impact_machine: the hopper as P's landing has it, if that is another one. Raises
    ScenarioError for a start that is none.
    """
    x = checked_initial_state(machine, np.asarray(x0, dtype=np.float64), "jump", standing=True)
    first = begin(machine, drive, x)
    system = hopper_system(machine, drive, impact_machine)
    run = simulate(system, first.mode, first.state, (0.0, most_time), options)
    why = _invalidity_reason(run)
    if why:
        return SimulatedJump(machine, drive, run, why)
    (landing,) = _landings(run)
    flights = [segment for segment in run.segments if _flies(segment)]
    take_off = flights[0].start
    before = [segment for segment in run.segments if segment.end <= take_off]
    after = [segment for segment in run.segments if segment.start >= landing.time]
    X_end = min([float(landing.x_after[0]), *_places(after)])
    return SimulatedJump(
        machine,
        drive,
        run,
        X_start=max([float(x[0]), *_places(before)]),
        X_end=min(X_end, _behind(machine, run)),
        take_off=take_off,
        landing=landing.time,
        end=run.time,
    )


def _flies(segment: FlowSegment) -> bool:
    return phase_of(segment.mode) is JumpPhase.FLIGHT


def _places(segments: Sequence[FlowSegment]) -> list[float]:
    """Places of P at the ends of phases [m]."""
    return [float(x[0]) for segment in segments for x in (segment.x_start, segment.x_end)]


def _behind(machine: Hopper, run: HybridRun) -> float:
    """Position along the ground of the point that has ended a run [m]."""
    name = run.events[-1].guard[0]
    (point,) = [point for point in CONTACT_POINTS if point.name == name]
    return float(position(machine, run.state[:8], point)[0])


def _landings(run: HybridRun) -> list[HybridEvent]:
    """Impacts of P."""
    return [event for event in run.events if event.guard == LANDS]


def _invalidity_reason(run: HybridRun) -> str:
    """Reason why a run is no jump; empty if it is one."""
    if run.ending not in (Ending.GUARD, Ending.END_OF_TIME):
        return ending_of(run)
    landed = next((event.time for event in _landings(run)), math.inf)
    flights = [segment.start for segment in run.segments if _flies(segment)]
    return invalidity_reason(
        stands=bool(run.segments) and not _flies(run.segments[0]),
        flies=bool(flights),
        landed=math.isfinite(landed),
        again=next((start for start in flights if start >= landed), None),
        lands=run.events[-1].guard[0] if run.ending is Ending.GUARD else "",
    )
