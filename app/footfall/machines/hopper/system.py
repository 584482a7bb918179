"""The two-link hopper as an event-driven system: stick, slip, flight, impacts, jumps of the torque.

State: x = (q, q') of `closed_form.model`, then the work of the torque and that of friction
since the start [J], without what impacts take. `footfall.hybrid.contact` says what follows the
events of P; besides

    P lands              impact by Chatterjee's law -> flight if P rebounds, else any phase
    torque saturates     the motor gives tau_max and no more; "torque returns": what is commanded
    Q lands, R lands     the end: what comes then is no part of the document

Besides the document's: it lists neither stick -> flight nor slip -> stick, and no jumps. Where no
phase is consistent (Painleve) no force lets P slide on, and none lets it go: an impact without
collision stops it. A drive whose torque depends on the phase closes a loop round the force of the
ground. Angle tracking prescribes how link 2 turns, which makes a machine of its own of the rest:
its lever can be below 0 with less friction than the motor-less machine's (beyond mu = 0.43 instead
of 0.88). None may be consistent then, while an impact does nothing: the motion ends in `NO_WAY`.

Resets tell, of an impact, "impulse" (t, n) on P, "lost" [J], and "inside", "kappa" of the law.
"jam" is the part of the impulse that is one of an impact without collision.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from footfall.arrays import Array
from footfall.hybrid import (
    FALLING,
    Ending,
    Guard,
    HybridMode,
    HybridRun,
    HybridSystem,
    Transition,
)
from footfall.hybrid.component_first import Number, State
from footfall.hybrid.contact import (
    SIGMA,
    ContactMode,
    ContactPhase,
    ContactSystem,
    Friction,
    PointMotion,
    with_components,
)
from footfall.hybrid.model import ended
from footfall.machines.hopper.closed_form.model import COMPONENT_NAMES, Hopper, impact, margins
from footfall.machines.hopper.closed_form.phases import (
    JumpPhase,
    derivative,
    force,
    point_motion,
)


class TorqueLaw(Protocol):
    """Law of the torque tau on theta2.

    breaks: times at which the torque or its law jumps [s], increasing, positive. Piece k holds from
    breaks[k - 1] to breaks[k], piece 0 from the start, the last one for ever; each is analytic, and
    is asked a little beyond its ends.
    """

    @property
    def breaks(self) -> tuple[float, ...]:
        """Times at which one piece follows another [s]."""

    def torque(self, phase: JumpPhase, piece: int, t: Number, x: State) -> Number:
        """Torque that a piece commands, whatever the motor can give [N m].

        phase: what P does. t [s]: of one state a number, of k states one too or (k,). x: (8, ...)
        as in `closed_form.model`. Real or complex. A number, also for k states, if it
        depends on neither.
        """


@dataclass(frozen=True)
class ConstantTorque:
    """One torque for ever [N m]."""

    value: float = 0.0

    @property
    def breaks(self) -> tuple[float, ...]:
        """No time at which it jumps."""
        return ()

    def torque(self, _phase: JumpPhase, _piece: int, _t: Number, _x: State) -> Number:
        """The torque [N m]."""
        return self.value


NO_TORQUE = ConstantTorque()


LANDS, SATURATES, RETURNS = "P lands", "torque saturates", "torque returns"
TORQUE_JUMPS = "torque jumps"
ENDS = {"Q lands": "height_Q", "R lands": "height_R"}
COMPONENTS = (*COMPONENT_NAMES, "work of the torque", "work of friction")
# where a motion ends because no phase agrees with the torque that the drive gives in it
NO_WAY = "no way on"

# of tau_max: what a command may exceed it by unnoticed, as one that is meant to be tau_max does
_SLACK = 1e-9
_HEIGHT = 1e-16  # m: how far P is in the ground when it lands
_BLURRED = 1e-6  # s within which infinitely many impacts are taken together


class SaturatedMotor:
    """The motor, which gives the torque that a drive commands, within its bound."""

    def __init__(self, drive: TorqueLaw, bound: float) -> None:
        """Take the drive and tau_max [N m]."""
        self.drive, self.bound = drive, bound
        self.reached = bound * (1.0 + _SLACK)

    def command(self, mode: ContactMode, t: Number, x: State) -> Number:
        """Torque that is asked for [N m]."""
        return self.drive.torque(mode.phase, mode.piece, t, x)

    def torque(self, mode: ContactMode, t: Number, x: State) -> Number:
        """Torque that a mode has [N m]."""
        return self.command(mode, t, x) if mode.side == 0 else mode.side * self.bound

    def on(self, phase: JumpPhase, piece: int, t: Number, x: State) -> ContactMode:
        """The mode of a phase and a piece at a state: on which side of the bound it is."""
        command = float(np.real(self.drive.torque(phase, piece, np.real(t), np.real(x))))
        side = 0 if abs(command) <= self.reached else (1 if command > 0.0 else -1)
        return ContactMode(phase, piece, side)


def begin(machine: Hopper, drive: TorqueLaw, x: Array) -> Transition:
    """Mode and state (10,) in which a hopper begins at x (8,), and what a choice there tells.

    With P on the ground its height has to be exactly 0. Raises ValueError for a point that moves
    into the ground.
    """
    system, y = HopperSystem(machine, drive), np.append(x, [0.0, 0.0])
    if x[1] > 0.0:
        return Transition(system.on(JumpPhase.FLIGHT, 0, 0.0, y).name, y)
    return system.choose(0, 0.0, y)


def ending_of(run: HybridRun) -> str:
    """Reason why a run ended, in one line, and how to mend it where the drive is the reason."""
    if run.mode == NO_WAY:
        return (
            "no phase of P agrees with the torque that the controller gives in it at t = "
            f"{run.time:.6g} s: with so much friction a closed loop may have no solution; lower "
            "the friction of P (mu = 0.43 always has one), or prescribe the torque by a "
            "TorqueProfile"
        )
    if run.ending in (Ending.TOO_MANY_EVENTS, Ending.STOPPED):
        return (
            f"given up at t = {run.time:.6g} s, after too many events or steps of the integrator: "
            "the gains of the controller are too large for its motor, lower them"
        )
    return run.message


class HopperSystem(ContactSystem):
    """The hopper on its point P under a drive."""

    JUMPS = TORQUE_JUMPS

    def __init__(
        self, machine: Hopper, drive: TorqueLaw, impact_machine: Hopper | None = None
    ) -> None:
        """Take a machine and its drive.

        impact_machine: the hopper as P's landings have it, if that is another one.
        """
        p = machine.parameters
        self._machine, self._motor = machine, SaturatedMotor(drive, p.tau_max)
        self._impact_machine = impact_machine or machine
        friction, weight = Friction(p.mu, p.mu), machine.mass * p.g
        super().__init__(COMPONENTS, (4, 5), friction, weight, drive.breaks, (-1, 0, 1))

    def system(self) -> HybridSystem:
        """All modes, and what follows where impacts accumulate."""
        return replace(super().system(), zeno=self._after_bounces)

    def on(self, phase: ContactPhase, piece: int, t: Number, y: State) -> ContactMode:
        """The mode of a phase and a piece at a state: on which side of the bound it is."""
        return self._motor.on(phase, piece, t, y[:8])

    def rates(self, mode: ContactMode, t: Number, y: State) -> State:
        """Rates of a state (10,) in a mode."""
        machine, phase, x = self._machine, mode.phase, y[:8]
        torque = self._motor.torque(mode, t, x)
        rubbed = (force(machine, phase, x, torque)[0] if phase in SIGMA else 0.0) * x[4]
        return np.concatenate([derivative(machine, phase, x, torque), [torque * x[7], rubbed]])

    def motion(self, mode: ContactMode, t: Number, y: State) -> PointMotion:
        """Motion of P in a mode."""
        x = y[:8]
        return point_motion(self._machine, mode.phase, x, self._motor.torque(mode, t, x))

    def stuck(self, piece: int, t: Number, y: State, outputs: Mapping[str, State]) -> Transition:
        """Go on after an impact without collision, which stops P: nothing has to rebound."""
        plastic = replace(self._machine.parameters, e_n=0.0, e_t=0.0)
        hit = impact(Hopper(plastic), y[:8])
        if np.real(hit.x[4]) == np.real(y[4]):  # what stops P acts only where its lever is below 0
            return Transition(NO_WAY, y, outputs)
        every = {
            **outputs,
            "jam": hit.impulse,
            "impulse": hit.impulse + outputs.get("impulse", 0.0),
            "inside": np.array(hit.inside),
            "lost": self._lost_energy(y, hit.x) + outputs.get("lost", 0.0),
        }
        return self.choose(piece, t, np.append(hit.x, y[8:]), None, every)

    def ends(self) -> tuple[HybridMode, ...]:
        """The mode without a way on."""
        return (ended(NO_WAY),)

    def besides(self, mode: ContactMode) -> tuple[Guard, ...]:
        """The landing of Q or R, and guards at which the motor reaches its bound and comes back."""
        motor = self._motor

        def height(name: str) -> Guard:
            where = ENDS[name]
            return Guard(name, lambda _, y: getattr(margins(self._machine, y[:8]), where), FALLING)

        def within(t: Number, y: State) -> Number:
            command = motor.command(mode, t, y[:8])
            return motor.reached * motor.reached - command * command

        def beyond(t: Number, y: State) -> Number:
            return mode.side * motor.command(mode, t, y[:8]) - motor.bound

        def turn(t: Number, y: State) -> Transition:
            command = np.real(motor.command(mode, t, y[:8]))
            if mode.side and abs(command) > 2.0 * motor.bound:  # a pole, where it changes its sign
                return Transition(NO_WAY, y)
            side = 0 if mode.side else (1 if command > 0.0 else -1)
            return Transition(mode._replace(side=side).name, y)

        name, value = (RETURNS, beyond) if mode.side else (SATURATES, within)
        return (*map(height, ENDS), Guard(name, value, FALLING, turn))

    def landings(self, mode: ContactMode) -> tuple[Guard, ...]:
        """The landing of P."""

        def landing(t: Number, y: State) -> Transition:
            landed = with_components(y, {1: 0.0})
            hit = impact(self._impact_machine, landed[:8])
            outputs = {
                "impulse": hit.impulse,
                "kappa": np.array(hit.kappa),
                "inside": np.array(hit.inside),
                "lost": self._lost_energy(landed, hit.x),
            }
            return self.choose(mode.piece, t, np.append(hit.x, y[8:]), None, outputs)

        return (Guard(LANDS, lambda _, y: y[1] + _HEIGHT, FALLING, landing),)

    def _lost_energy(self, y: State, after: State) -> Number:
        """Energy that an impact takes [J]."""
        return np.array(self._machine.kinetic_energy(y[:8]) - self._machine.kinetic_energy(after))

    def _after_bounces(self, guard: str, t: float, y: Array) -> Transition:
        """Transition after infinitely many events: P rests on the ground, if it is there."""
        piece = int(np.searchsorted(self.breaks, t, side="right"))
        if guard != LANDS and y[1] > 0.0:
            return Transition(self.on(JumpPhase.FLIGHT, piece, t, y).name, y)
        rest = {1: 0.0, 5: 0.0}
        if guard == self.STOPS or abs(y[4]) <= self._machine.parameters.g * _BLURRED:
            rest[4] = 0.0
        return self.choose(piece, t, with_components(y, rest))
