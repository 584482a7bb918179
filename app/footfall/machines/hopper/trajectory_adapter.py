"""Pieces of the event-driven hopper's motion: its states in the plant's coordinates, and its works.

Works are integrated with the motion; what an impact takes is the change of kinetic energy. The
effort is the torque that the motor gives, whatever is asked for.
"""

from collections.abc import Mapping

import numpy as np

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.hybrid import FlowSegment, HybridEvent, HybridRun
from footfall.hybrid.contact import mode_of
from footfall.machines.hopper.closed_form.model import CONTACT_POINTS, Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.closed_form.points import momentum
from footfall.machines.hopper.model import POINTS, points
from footfall.machines.hopper.system import SaturatedMotor
from footfall.registry.context import MachineContext
from footfall.stance.sampling import sample_times
from footfall.stance.trajectory import Piece, motion_trajectory
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
            held = np.asarray(piece.works)[0, 1] + gained - gained[0]
            self._taken = float(y[9, -1] - held[-1])
            piece = piece._replace(works=np.column_stack((y[8], held)))
        self._pieces.append(piece)

    def at(self, event: HybridEvent, mode: str) -> None:
        """The row before what happens at the very start; mode: whose torque it tells."""
        held = Mode.STICK if event.x_before[4] == 0.0 else Mode.SLIP
        y = np.asarray(event.x_before)[:, None]
        self._pieces.append(self._piece(np.array([event.time]), y, mode, _BEARS[0], held))

    def impact(
        self, event: HybridEvent, x: Array, point: int, outputs: Mapping[str, Array], mode: str
    ) -> None:
        """The row after an impact of P, Q or R (its number) with the state x (8,) after it.

        outputs: lost and inside. mode: that the motion goes on in.
        """
        self._taken += float(outputs["lost"])
        held = Mode.STICK if bool(outputs["inside"]) else Mode.SLIP
        y = np.append(x, event.x_before[8:])[:, None]
        self._pieces.append(self._piece(np.array([event.time]), y, mode, _BEARS[point], held))

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
