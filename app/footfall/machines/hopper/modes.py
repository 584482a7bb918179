"""Modes of the event-driven hopper by name, and which phases P may go on in.

A mode is a phase of P, a piece of the drive, and a side of the motor's bound: 0 where the motor
gives what is commanded, 1 and -1 where it gives tau_max and -tau_max instead.

Choice of a phase, where it is free (start, impacts, jumps of the torque, end of sliding). One phase
is consistent, as a rule. With much friction (Painleve) there may be

- none: no force lets P slide on, and none lets it go. An impact without collision stops it.
- several, of which flight is always one. The phase that P is in goes on if it is among them, else
  flight, which needs no force.

A drive whose torque depends on the phase closes a loop round the force of the ground. Angle
tracking prescribes how link 2 turns, which makes a machine of its own of the rest: its lever can be
below 0 with less friction than the motor-less machine's (beyond mu = 0.43 instead of 0.88). None
may be consistent then, while an impact does nothing: the motion ends in `NO_WAY`.

Sources: F. Genot, B. Brogliato: New results on Painleve paradoxes, European Journal of Mechanics
A/Solids 18 (1999) 653-677; A. R. Champneys, P. L. Varkonyi: The Painleve paradox in contact
mechanics, IMA Journal of Applied Mathematics 81 (2016) 538-588.
"""

from typing import NamedTuple

import numpy as np

from footfall.hybrid import Ending, HybridRun
from footfall.hybrid.component_first import Number, State
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase, consistent_phases
from footfall.machines.hopper.torque_law import TorqueLaw

_SIDES = {-1: " bottom", 0: "", 1: " top"}
# of tau_max: what a command may exceed it by unnoticed, as one that is meant to be tau_max does
_SLACK = 1e-9
# where a motion ends because no phase agrees with the torque that the drive gives in it
NO_WAY = "no way on"


class Key(NamedTuple):
    """A mode: phase of P, piece of the drive, side of the motor's bound."""

    phase: JumpPhase
    piece: int
    side: int = 0

    @property
    def name(self) -> str:
        """Name of the mode, such as "slip- 1" or, with a saturated motor, "stick 0 top"."""
        return f"{self.phase} {self.piece}{_SIDES[self.side]}"


def key_of(name: str) -> Key:
    """The mode of a name."""
    phase, piece, *side = name.split(" ")
    sides = {word.strip(): number for number, word in _SIDES.items()}
    return Key(JumpPhase(phase), int(piece), sides[side[0] if side else ""])


def phase_of(name: str) -> JumpPhase:
    """The phase of P in a mode of a name."""
    return key_of(name).phase


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


class SaturatedMotor:
    """The motor, which gives the torque that a drive commands, within its bound."""

    def __init__(self, drive: TorqueLaw, bound: float) -> None:
        """Take the drive and tau_max [N m]."""
        self.drive, self.bound = drive, bound
        self.reached = bound * (1.0 + _SLACK)

    def command(self, key: Key, t: Number, x: State) -> Number:
        """Torque that is asked for [N m]."""
        return self.drive.torque(key.phase, key.piece, t, x)

    def torque(self, key: Key, t: Number, x: State) -> Number:
        """Torque that a mode has [N m]."""
        return self.command(key, t, x) if key.side == 0 else key.side * self.bound

    def on(self, phase: JumpPhase, piece: int, t: Number, x: State) -> Key:
        """The mode of a phase and a piece at a state: on which side of the bound it is."""
        command = float(np.real(self.drive.torque(phase, piece, np.real(t), np.real(x))))
        side = 0 if abs(command) <= self.reached else (1 if command > 0.0 else -1)
        return Key(phase, piece, side)


def consistent_modes(
    machine: Hopper, motor: SaturatedMotor, piece: int, t: Number, x: State
) -> tuple[Key, ...]:
    """Every mode of a piece that a state x (8,) with P on the ground may go on in.

    Each phase is judged by the torque that the drive gives in it. Flight comes first, then stick.
    """
    found, t, x = [], float(np.real(t)), np.real(x)
    for phase in (
        JumpPhase.FLIGHT,
        JumpPhase.STICK,
        JumpPhase.SLIP_FORWARD,
        JumpPhase.SLIP_BACKWARD,
    ):
        key = motor.on(phase, piece, t, x)
        if phase in consistent_phases(machine, x, float(motor.torque(key, t, x))):
            found.append(key)
    return tuple(found)
