"""Rows of the event-driven hopper: its states in the plant's coordinates, and what contacts do.

Between rows the impulse of the ground on P is the change of the machine's momentum less that of its
weight, which is exact however long they last. Works are integrated with the motion; what an impact
takes is the change of kinetic energy.
"""

from collections.abc import Mapping

import numpy as np

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.hybrid import FlowSegment, HybridEvent, HybridRun
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.closed_form.points import momentum
from footfall.machines.hopper.model import POINTS, points
from footfall.machines.hopper.modes import SaturatedMotor, key_of
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.stance.sampling import sample_times
from footfall.trajectory import TrajectoryBuilder

_MODES = {
    JumpPhase.STICK: Mode.STICK,
    JumpPhase.SLIP_FORWARD: Mode.SLIP,
    JumpPhase.SLIP_BACKWARD: Mode.SLIP,
    JumpPhase.FLIGHT: Mode.OPEN,
}
_LEVEL = np.eye(2)  # R_WT of level ground


class TrajectoryAdapter:
    """Makes the rows of a trajectory and keeps the account of what impacts take."""

    def __init__(self, machine: Hopper, motor: SaturatedMotor, context: MachineContext) -> None:
        """Take the machine and what drives it."""
        self.builder = TrajectoryBuilder(layout_of(context.model.plant, context.contacts))
        self._machine, self._motor = machine, motor
        # P, Q and R among the contacts, and the contacts among them
        self._places = [context.contacts.names.index(name) for name in POINTS]
        self._order = np.argsort(self._places)
        self._weight = np.array([0.0, -machine.mass * machine.parameters.g])
        self._time_step = context.time_step
        self._taken = 0.0  # by impacts so far [J]
        self._balance: float | None = None  # energy less all work, at the start [J]
        self._last: tuple[float, Array] | None = None

    def smooth(self, run: HybridRun, segment: FlowSegment, ending: HybridEvent | None) -> None:
        """Rows of a phase, from its start to its end; ending: the event there.

        The first is left out where one is there already.
        """
        times = sample_times(segment.start, segment.end, self._time_step)
        states = run.at(np.clip(times, segment.start, segment.end))
        states[:, 0], states[:, -1] = segment.x_start, segment.x_end
        phase = key_of(segment.mode).phase
        mode = _MODES[phase]
        bounces = phase is JumpPhase.FLIGHT and ending is not None and ending.accumulation
        for k, time in enumerate(times):
            if k == 0 and self._last is not None:
                continue
            impulse, work = np.zeros(2), 0.0
            if self._last is not None and (phase is not JumpPhase.FLIGHT or bounces):
                impulse, work = self._since(float(time), states[:, k], bounces)
            self._append(float(time), segment.mode, states[:, k], (0, mode, impulse, work))

    def at(self, event: HybridEvent, mode: str) -> None:
        """The row before what happens at the very start; mode: whose torque it tells."""
        held = Mode.STICK if event.x_before[4] == 0.0 else Mode.SLIP
        self._append(event.time, mode, event.x_before, (0, held, np.zeros(2), 0.0))

    def impact(
        self, event: HybridEvent, x: Array, point: int, outputs: Mapping[str, Array], mode: str
    ) -> None:
        """The row after an impact of P, Q or R (its number) with the state x (8,) after it.

        outputs: impulse, lost and inside. mode: that the motion goes on in.
        """
        self._taken += float(outputs["lost"])
        held = Mode.STICK if bool(outputs["inside"]) else Mode.SLIP
        y = np.append(x, event.x_before[8:])
        row = (point, held, np.asarray(outputs["impulse"]), -float(outputs["lost"]))
        self._append(event.time, mode, y, row)

    def _since(self, time: float, y: Array, bounces: bool) -> tuple[Array, float]:
        """Impulse on P [N s] since the last row, and work of the ground on it [J]."""
        if self._last is None:
            return np.zeros(2), 0.0
        before, past = self._last
        moved = momentum(self._machine, y[:8]) - momentum(self._machine, past[:8])
        rubbed = float(y[9] - past[9])
        if bounces:
            gained = float(self._machine.energy(y[:8]) - self._machine.energy(past[:8]))
            self._taken -= gained - float(y[8] - past[8]) - rubbed
            rubbed = gained - float(y[8] - past[8])
        return moved - self._weight * (time - before), rubbed

    def _append(
        self, time: float, mode: str, y: Array, contact: tuple[int, Mode, Array, float]
    ) -> None:
        x = y[:8]
        point, held_as, impulse, work = contact
        spots, velocities = points(self._machine, x)
        row = PressedRow(
            (spots[self._order], velocities[self._order]),
            self._places[point],
            impulse,
            work,
            _LEVEL,
            held_as,
        )
        command = self._motor.command(key_of(mode), time, x)
        kinetic = float(self._machine.kinetic_energy(x))
        potential = float(self._machine.potential_energy(x))
        driven, held = float(y[8]), float(y[9]) - self._taken
        balance = kinetic + potential - driven - held
        if self._balance is None:
            self._balance = balance
        self.builder.append(
            time,
            x[:4],
            x[4:],
            np.array([command]),
            row,
            kinetic_energy=kinetic,
            potential_energy=potential,
            actuator_work=driven,
            contact_work=held,
            damping_work=0.0,
            constraint_work=0.0,
            energy_gain=0.0,
            energy_residual=balance - self._balance,
        )
        self._last = time, y.copy()


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
        self.stage = 0
