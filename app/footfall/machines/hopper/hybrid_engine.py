"""The event-driven hopper as an engine: its trajectory in the plant's coordinates.

Rows stand at the scenario's time steps, at every event, and twice where something jumps, velocities
at impacts or the torque, before and after. Events: every phase of P by its name, also the one
it begins in, and what is listed in this module's names below. A motion ends when Q or R reaches the
ground; with P in the air that is one impact more. An impact after which P flies on is followed by
the event of a new flight.

Works are integrated with the motion; what an impact takes is the change of kinetic energy. The
effort is the torque that the motor gives, whatever is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.hybrid import Ending, FlowSegment, HybridEvent, HybridRun, Transition
from footfall.hybrid.contact import ContactMode, mode_of, phase_of
from footfall.machines.hopper.closed_form.model import (
    CONTACT_POINTS,
    Hopper,
    HopperParameters,
    impact,
    momentum,
    velocity,
)
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.model import POINTS, of_point, points
from footfall.machines.hopper.motion import EventDrivenMotion, motion_of
from footfall.machines.hopper.system import (
    ENDS,
    LANDS,
    NO_WAY,
    RETURNS,
    SATURATES,
    TORQUE_JUMPS,
    SaturatedMotor,
    ending_of,
)
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.stance.trajectory import Piece, motion_trajectory, sample_times
from footfall.trajectory import Event, Trajectory

_MODES = {
    JumpPhase.STICK: Mode.STICK,
    JumpPhase.SLIP_FORWARD: Mode.SLIP,
    JumpPhase.SLIP_BACKWARD: Mode.SLIP,
    JumpPhase.FLIGHT: Mode.OPEN,
}
_BEARS = np.eye(len(CONTACT_POINTS))


class TrajectoryAdapter:
    """Collects the pieces of a motion and keeps the account of what impacts take."""

    def __init__(self, machine: Hopper, motor: SaturatedMotor, time_step: float) -> None:
        """Take the machine, what drives it, and the step between two rows [s]."""
        self._machine, self._motor, self._time_step = machine, motor, time_step
        self._pieces: list[Piece] = []
        self._taken = 0.0  # by impacts so far [J]

    def smooth(self, run: HybridRun, segment: FlowSegment, ending: HybridEvent | None) -> None:
        """Rows of a phase, from its start to its end; ending: the event there."""
        times = sample_times(segment.start, segment.end, self._time_step)
        y = run.at(np.clip(times, segment.start, segment.end))
        y[:, 0], y[:, -1] = segment.x_start, segment.x_end
        phase = mode_of(segment.mode).phase
        bounces = phase is JumpPhase.FLIGHT and ending is not None and ending.accumulation
        flies = phase is JumpPhase.FLIGHT and not bounces
        share = np.zeros(len(POINTS)) if flies else _BEARS[0]
        piece = self._piece(times, y, segment.mode, share, _MODES[phase])
        if bounces:  # their impacts take what is gone at the end
            gained = piece.energy.sum(axis=1) - y[8]
            ground_work = np.asarray(piece.works)[0, 1] + gained - gained[0]
            self._taken = float(y[9, -1] - ground_work[-1])
            piece = piece._replace(works=np.column_stack((y[8], ground_work)))
        self._pieces.append(piece)

    def at(self, event: HybridEvent, mode: str) -> None:
        """The row before what happens at the very start; mode: whose torque it tells."""
        contact = Mode.STICK if event.x_before[4] == 0.0 else Mode.SLIP
        y = np.asarray(event.x_before)[:, None]
        self._pieces.append(self._piece(np.array([event.time]), y, mode, _BEARS[0], contact))

    def impact(
        self, event: HybridEvent, x: Array, point: int, outputs: Mapping[str, Array], mode: str
    ) -> None:
        """The row after an impact of P, Q or R (its number) with the state x (8,) after it.

        outputs: lost and inside. mode: that the motion goes on in.
        """
        self._taken += float(outputs["lost"])
        contact = Mode.STICK if bool(outputs["inside"]) else Mode.SLIP
        y = np.append(x, event.x_before[8:])[:, None]
        self._pieces.append(self._piece(np.array([event.time]), y, mode, _BEARS[point], contact))

    def trajectory(
        self, context: MachineContext, engine: str, events: list[Event], failure: str = ""
    ) -> Trajectory:
        """Return the trajectory of all rows; failure: why it ended before its time, if it did."""
        weight = np.array([0.0, -self._machine.mass * self._machine.parameters.g])
        pieces = self._pieces
        return motion_trajectory(
            context, engine, pieces, weight, POINTS, events=events, failure=failure
        )

    def _piece(self, times: Array, y: Array, mode: str, share: Array, held: Mode) -> Piece:
        """Rows at times (k,) of states y (10, k) in a mode of the system."""
        machine, x = self._machine, y[:8]
        places, velocities = (np.moveaxis(each, -1, 0) for each in points(machine, x))
        torque = self._motor.torque(mode_of(mode), times, x) * np.ones(len(times))
        return Piece(
            times,
            x.T,
            places,
            velocities,
            share,
            held,
            momentum(machine, x).T,
            np.column_stack((machine.kinetic_energy(x), machine.potential_energy(x))),
            np.column_stack((y[8], y[9] - self._taken)),
            torque[:, None],
        )


JAM, INDETERMINATE = "impact without collision", "indeterminate"


def hybrid(context: MachineContext) -> Trajectory:
    """Jump by events; raises ScenarioError for a start or a controller that it cannot take."""
    motion = motion_of(context)
    machine, run = motion.machine, motion.run
    motor = SaturatedMotor(motion.drive, machine.parameters.tau_max)
    rows = TrajectoryAdapter(machine, motor, context.time_step)
    resets = [_started(motion.first, motion.start), *run.events]
    _write(rows, run, resets)
    if run.ending is Ending.GUARD:
        events, message = _ended(rows, run, context, machine.parameters)
    else:
        events, message = [], ""
    events = [*_events(resets), *_margin_events(motion), *events]
    if run.ending in (Ending.GUARD, Ending.END_OF_TIME):
        return replace(rows.trajectory(context, HYBRID, events), message=message)
    return rows.trajectory(context, HYBRID, events, ending_of(run))


def _started(first: Transition, x: Array) -> HybridEvent:
    """The choice of the first phase, as an event."""
    y = np.append(x, [0.0, 0.0])
    return HybridEvent(0.0, "start", "", first.mode, y, first.state, first.outputs)


# --- rows ----------------------------------------------------------------------------------------


def _write(rows: TrajectoryAdapter, run: HybridRun, resets: Sequence[HybridEvent]) -> None:
    """All rows of phases and of impacts of P, in the order of their times."""
    if "jam" in resets[0].outputs or resets[0].after == NO_WAY:
        rows.at(resets[0], _mode_after(resets[0]))
    for segment, events in _in_order(run, resets):
        for event in events:
            if "impulse" in event.outputs:
                rows.impact(event, event.x_after[:8], 0, event.outputs, _mode_after(event))
        if segment is not None:
            end = next((event for event in run.events if event.time == segment.end), None)
            rows.smooth(run, segment, end)


def _in_order(
    run: HybridRun, resets: Sequence[HybridEvent]
) -> Iterator[tuple[FlowSegment | None, list[HybridEvent]]]:
    """Every phase with the resets before it, and at the end those after the last one."""
    resets = [event for event in resets if event.after is not None]
    for segment in run.segments:
        yield segment, [event for event in resets if event.time <= segment.start]
        resets = [event for event in resets if event.time > segment.start]
    yield None, resets


def _mode_after(event: HybridEvent) -> str:
    """The mode whose torque the row after an event tells; where no way leads on, the one before."""
    if event.after != NO_WAY:
        return event.after or ""
    return event.before or ContactMode(JumpPhase.STICK, 0).name


# --- events --------------------------------------------------------------------------------------


def _events(resets: Sequence[HybridEvent]) -> Iterator[Event]:
    """Events of a trajectory, from those of the simulation."""
    phase = ""
    for event in resets:
        if event.after is None:
            continue
        yield from _particulars(event)
        if event.after == NO_WAY:
            continue
        new = phase_of(event.after)
        # a flight from impact to impact is one of its own
        if new != phase or (new is JumpPhase.FLIGHT and "impulse" in event.outputs):
            before = f"{event.guard}: {phase} to {new}" if phase else f"P starts in {new}"
            yield Event(event.time, str(new), before)
        phase = new


def _particulars(event: HybridEvent) -> Iterator[Event]:
    """Events besides a change of phase."""
    kind, outputs = event.guard, event.outputs
    if event.accumulation:
        yield Event(event.time, kind, f"the impacts of '{kind}' accumulate: P rests on the ground")
    elif kind == LANDS:
        yield Event(event.time, kind, _impact_text("P", outputs["impulse"], float(outputs["lost"])))
    elif kind.startswith(TORQUE_JUMPS):
        piece = kind.removeprefix(TORQUE_JUMPS).strip()
        yield Event(event.time, TORQUE_JUMPS, f"piece {piece} of the torque begins")
    elif kind in (SATURATES, RETURNS) and event.after != NO_WAY:
        what = "is reached" if kind == SATURATES else "is no longer asked for"
        yield Event(event.time, kind, f"the bound of the motor {what}")
    if "jam" in outputs:
        text = _impact_text("P", outputs["jam"], float(outputs["lost"]))
        yield Event(event.time, JAM, f"no phase can go on (Painleve): {text}")
    count = int(outputs.get("consistent", np.array(1)))
    if count > 1:
        what = f"{count} phases can go on (Painleve); taken is {event.after}"
        yield Event(event.time, INDETERMINATE, what)


def _impact_text(point: str, impulse: Array, loss: float) -> str:
    return (
        f"impact of {point}: impulse {float(impulse[0]):.4g} N s along, {float(impulse[1]):.4g} "
        f"N s up, energy lost {loss:.4g} J"
    )


def _margin_events(motion: EventDrivenMotion) -> Iterator[Event]:
    """Events at which the document's constraints are lost and regained, but in a run given up."""
    for crossing in () if motion.given_up else motion.margin_history.crossings:
        what = "is lost" if crossing.violated else "is kept again"
        yield Event(crossing.time, crossing.name, f"the constraint {crossing.name} {what}")


def _ended(
    rows: TrajectoryAdapter, run: HybridRun, context: MachineContext, parameters: HopperParameters
) -> tuple[list[Event], str]:
    """The landing of Q or R: with P in the air an impact of its own. Events and the message."""
    event = run.events[-1]
    number = list(ENDS).index(event.guard) + 1
    point, x = CONTACT_POINTS[number], event.x_before[:8]
    machine = Hopper(of_point(parameters, context.contacts, POINTS[number]))
    fall = -float(velocity(machine, x, point)[1])
    at = f"at t = {event.time:.4f} s"
    if phase_of(event.before) is not JumpPhase.FLIGHT:
        message = f"{point.name} reaches the ground {at} with {fall:.3g} m/s: the jump ends"
        return [Event(event.time, event.guard, message)], message
    hit = impact(machine, x, point)
    loss = float(machine.kinetic_energy(x) - machine.kinetic_energy(hit.x))
    outputs = {"impulse": hit.impulse, "lost": np.array(loss), "inside": np.array(hit.inside)}
    rows.impact(event, hit.x, number, outputs, event.before)
    text = _impact_text(point.name, hit.impulse, loss)
    landed = any(each.guard == LANDS for each in run.events)
    when = "while P is in the air again" if landed else "before P does"
    message = f"{point.name} reaches the ground {at} {when}: no jump"
    return [Event(event.time, event.guard, f"{message}; {text}")], message
