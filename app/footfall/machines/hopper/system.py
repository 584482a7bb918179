"""The two-link hopper as an event-driven system: stick, slip, flight, impacts, jumps of the torque.

State: x = (q, q') of `closed_form.model`, then the work of the torque and that of friction
since the start [J], without what impacts take. What follows an event:

    lambda_n vanishes    stick or slip -> flight
    edge backward        lambda_t reaches mu lambda_n: stick -> slip-; with a lever below 0 flight
    edge forward         lambda_t reaches -mu lambda_n: stick -> slip+; with a lever below 0 flight
    sliding stops        slip -> stick or the other slip, or flight
    P lands              impact by Chatterjee's law -> flight if P rebounds, else any phase
    torque jumps 1       piece 1 of the drive follows, "torque jumps 2" piece 2, and so on; with P
                         on the ground the phase is chosen anew
    torque saturates     the motor gives tau_max and no more; "torque returns": what is commanded
    Q lands, R lands     the end: what comes then is no part of the document

Where no phase agrees with the torque that the drive gives in it, the motion ends in `NO_WAY`.
Besides the document's: it lists neither stick -> flight nor slip -> stick, and no jumps. How a
phase is chosen where P is on the ground: `footfall.machines.hopper.modes`.

Resets tell, where a phase was chosen, "consistent": how many of them were. Of an impact "impulse"
(t, n) on P, "lost" [J], and "inside", "kappa" of the law. "jam" is the part of the impulse that is
one of an impact without collision.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.hybrid import (
    FALLING,
    RISING,
    Guard,
    HybridEvent,
    HybridMode,
    HybridSystem,
    Transition,
)
from footfall.hybrid.component_first import STEP
from footfall.hybrid.component_first import Number, State
from footfall.hybrid.model import ended
from footfall.machines.hopper.closed_form.impact import impact
from footfall.machines.hopper.closed_form.model import COMPONENT_NAMES, Hopper
from footfall.machines.hopper.closed_form.phases import (
    SIGMA,
    JumpPhase,
    derivative,
    drive_power,
    friction_power,
    slip_conditions,
    stick_conditions,
)
from footfall.machines.hopper.closed_form.points import margins
from footfall.machines.hopper.modes import NO_WAY, Key, SaturatedMotor, consistent_modes
from footfall.machines.hopper.torque_law import TorqueLaw

_EDGE = 1e-9  # of the force and the weight: what stick may lack of its cone by rounding


class PhaseChoice:
    """Chooses phases of a hopper under a motor; `footfall.machines.hopper.modes` says how."""

    def __init__(self, machine: Hopper, motor: SaturatedMotor) -> None:
        self._machine, self._motor = machine, motor
        self._weight = machine.mass * machine.parameters.g

    def choose(
        self,
        piece: int,
        t: Any,  # noqa: ANN401 (real or complex)
        y: State,
        now: JumpPhase | None = None,
        outputs: Mapping[str, State] | None = None,
    ) -> Transition:
        """Go on from a state (10,) with P on the ground, not moving into it.

        now: the phase so far; outputs: of the event so far.
        """
        found = consistent_modes(self._machine, self._motor, piece, t, y[:8])
        if not found:
            found = self._on_edge(piece, t, y)
        outputs = {**(outputs or {}), "consistent": np.array(len(found))}
        if not found:
            return self._jam(piece, t, y, outputs)
        kept = [key for key in found if key.phase is now]
        return Transition((*kept, *found)[0].name, y, outputs)

    def _on_edge(self, piece: int, t: Any, y: State) -> tuple[Key, ...]:  # noqa: ANN401
        """Stick, if P is at rest and on the edge of its cone, which rounding has it beyond."""
        key, time, x = self._motor.on(JumpPhase.STICK, piece, t, y[:8]), np.real(t), np.real(y[:8])
        left = stick_conditions(self._machine, x, self._motor.torque(key, time, x))
        size = np.abs(left).max() + self._weight
        return (key,) if x[4] == 0.0 and min(left) >= -_EDGE * size else ()

    def _jam(self, piece: int, t: Any, y: State, outputs: Mapping[str, State]) -> Transition:  # noqa: ANN401
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
            "lost": self.lost_energy(y, hit.x) + outputs.get("lost", 0.0),
        }
        return self.choose(piece, t, np.append(hit.x, y[8:]), None, every)

    def lost_energy(self, y: State, after: State) -> Number:
        """Energy that an impact takes [J]."""
        return np.array(self._machine.kinetic_energy(y[:8]) - self._machine.kinetic_energy(after))


TORQUE_JUMPS, SATURATES, RETURNS = "torque jumps", "torque saturates", "torque returns"
VANISHES, STOPS, LANDS = "lambda_n vanishes", "sliding stops", "P lands"
EDGES = {JumpPhase.SLIP_BACKWARD: "edge backward", JumpPhase.SLIP_FORWARD: "edge forward"}
ENDS = {"Q lands": "height_Q", "R lands": "height_R"}
COMPONENTS = (*COMPONENT_NAMES, "work of the torque", "work of friction")

# How far guards are beyond zero when they fire, so that none is zero where its phase begins: a
# point that begins to slide or to fly has a velocity or a height of exactly 0.
_FORCE, _SPEED, _HEIGHT = 1e-12, 1e-12, 1e-16  # of the weight; m/s; m
_BLURRED = 1e-6  # s within which infinitely many impacts are taken together

_Value = Callable[[Any, State], Any]
_Reset = Callable[[Any, State], Transition]


def hopper_system(
    machine: Hopper, drive: TorqueLaw, impact_machine: Hopper | None = None
) -> HybridSystem:
    """The hopper under a drive; modes are named by `footfall.machines.hopper.modes.Key`.

    impact_machine: the hopper as P's landings have it, if that is another one.
    """
    return _Maker(machine, drive, impact_machine).system()


def begin(machine: Hopper, drive: TorqueLaw, x: Array) -> Transition:
    """Mode and state (10,) in which a hopper begins at x (8,), and what a choice there tells.

    With P on the ground its height has to be exactly 0. Raises ValueError for a point that moves
    into the ground.
    """
    motor, y = SaturatedMotor(drive, machine.parameters.tau_max), np.append(x, [0.0, 0.0])
    if x[1] > 0.0:
        return Transition(motor.on(JumpPhase.FLIGHT, 0, 0.0, x).name, y)
    return PhaseChoice(machine, motor).choose(0, 0.0, y)


class _Maker:
    """Makes the modes of a hopper, their guards and resets."""

    def __init__(
        self, machine: Hopper, drive: TorqueLaw, impact_machine: Hopper | None = None
    ) -> None:
        self._machine, self._motor = machine, SaturatedMotor(drive, machine.parameters.tau_max)
        self._impact_machine = impact_machine or machine
        self._force = _FORCE * machine.mass * machine.parameters.g
        self._choice = PhaseChoice(machine, self._motor)

    def system(self) -> HybridSystem:
        """All modes, and what follows where impacts accumulate."""
        pieces = range(len(self._motor.drive.breaks) + 1)
        keys = [Key(phase, k, side) for phase in JumpPhase for k in pieces for side in (-1, 0, 1)]
        modes = {key.name: self._mode(key) for key in keys} | {NO_WAY: ended(NO_WAY)}
        return HybridSystem(modes, COMPONENTS, self._after_bounces)

    # --- modes -------------------------------------------------------------------------------

    def _mode(self, key: Key) -> HybridMode:
        machine, motor, phase = self._machine, self._motor, key.phase

        def rates(t: Any, y: State) -> State:  # noqa: ANN401
            x = y[:8]
            torque = motor.torque(key, t, x)
            rubbed = friction_power(machine, phase, x, torque) if phase in SIGMA else 0.0 * x[0]
            return np.concatenate(
                [derivative(machine, phase, x, torque), [drive_power(x, torque), rubbed]]
            )

        own = {JumpPhase.STICK: self._stick, JumpPhase.FLIGHT: self._flight}.get(phase, self._slip)
        return HybridMode(
            key.name, rates, (*self._jumps(key), *own(key), *self._ends(), *self._bounds(key))
        )

    def _jumps(self, key: Key) -> tuple[Guard, ...]:
        """The end of a piece of the drive, if it has one."""
        breaks = self._motor.drive.breaks
        if key.piece == len(breaks):
            return ()
        time = breaks[key.piece]

        def onward(t: Any, y: State) -> Transition:  # noqa: ANN401
            if key.phase is JumpPhase.FLIGHT:
                return Transition(self._motor.on(key.phase, key.piece + 1, t, y[:8]).name, y)
            return self._choice.choose(key.piece + 1, t, y, key.phase)

        # a name of its own: by its name a guard knows that it has just fired
        name = f"{TORQUE_JUMPS} {key.piece + 1}"
        return (Guard(name, lambda t, _: t - time, RISING, onward),)

    def _bounds(self, key: Key) -> tuple[Guard, ...]:
        """Guards at which the motor reaches its bound and comes back."""
        motor = self._motor

        def within(t: Any, y: State) -> Any:  # noqa: ANN401
            command = motor.command(key, t, y[:8])
            return motor.reached * motor.reached - command * command

        def beyond(t: Any, y: State) -> Any:  # noqa: ANN401
            return key.side * motor.command(key, t, y[:8]) - motor.bound

        def turn(t: Any, y: State) -> Transition:  # noqa: ANN401
            command = np.real(motor.command(key, t, y[:8]))
            if key.side and abs(command) > 2.0 * motor.bound:  # a pole, where it changes its sign
                return Transition(NO_WAY, y)
            side = 0 if key.side else (1 if command > 0.0 else -1)
            return Transition(key._replace(side=side).name, y)

        if key.side:
            return (Guard(RETURNS, beyond, FALLING, turn),)
        return (Guard(SATURATES, within, FALLING, turn),)

    def _ends(self) -> tuple[Guard, ...]:
        """The landing of Q or R."""

        def height(name: str) -> _Value:
            return lambda _, y: getattr(margins(self._machine, y[:8]), name)

        return tuple(Guard(name, height(at), FALLING) for name, at in ENDS.items())

    # --- phases ------------------------------------------------------------------------------

    def _stick(self, key: Key) -> tuple[Guard, ...]:
        def holds(name: str) -> _Value:
            def value(t: Any, y: State) -> Any:  # noqa: ANN401
                torque = self._motor.torque(key, t, y[:8])
                found = stick_conditions(self._machine, y[:8], torque)
                return getattr(found, name) + self._force

            return value

        below, above = JumpPhase.SLIP_BACKWARD, JumpPhase.SLIP_FORWARD
        return (
            Guard(VANISHES, holds("pressing"), FALLING, self._to_flight(key)),
            Guard(EDGES[below], holds("below_cone"), FALLING, self._over_edge(key, below)),
            Guard(EDGES[above], holds("above_cone"), FALLING, self._over_edge(key, above)),
        )

    def _slip(self, key: Key) -> tuple[Guard, ...]:
        def pressing(t: Any, y: State) -> Any:  # noqa: ANN401
            torque = self._motor.torque(key, t, y[:8])
            return slip_conditions(self._machine, key.phase, y[:8], torque).pressing + self._force

        def stopped(t: Any, y: State) -> Transition:  # noqa: ANN401
            return self._choice.choose(key.piece, t, _set(y, {4: 0.0, 5: 0.0}))

        return (
            Guard(VANISHES, pressing, FALLING, self._to_flight(key)),
            Guard(STOPS, lambda _, y: SIGMA[key.phase] * y[4] + _SPEED, FALLING, stopped),
        )

    def _flight(self, key: Key) -> tuple[Guard, ...]:
        def landing(t: Any, y: State) -> Transition:  # noqa: ANN401
            landed = _set(y, {1: 0.0})
            hit = impact(self._impact_machine, landed[:8])
            outputs = {
                "impulse": hit.impulse,
                "kappa": np.array(hit.kappa),
                "inside": np.array(hit.inside),
                "lost": self._choice.lost_energy(landed, hit.x),
            }
            return self._choice.choose(key.piece, t, np.append(hit.x, y[8:]), None, outputs)

        return (Guard(LANDS, lambda _, y: y[1] + _HEIGHT, FALLING, landing),)

    def _to_flight(self, key: Key) -> _Reset:
        """P lets go of the ground."""
        return lambda t, y: Transition(
            self._motor.on(JumpPhase.FLIGHT, key.piece, t, y[:8]).name, y
        )

    def _over_edge(self, key: Key, phase: JumpPhase) -> _Reset:
        """P begins to slide: if sliding speeds it up that way, else (Painleve) it is let go."""

        def reset(t: Any, y: State) -> Transition:  # noqa: ANN401
            slip = self._motor.on(phase, key.piece, t, y[:8])
            time, state = np.real(t), np.real(y[:8])
            rates = derivative(
                self._machine, key.phase, state, self._motor.torque(key, time, state)
            )
            moved, later = state + 1j * STEP * rates, time + 1j * STEP
            speeding = derivative(
                self._machine, phase, moved, self._motor.torque(slip, later, moved)
            )[4]
            if SIGMA[phase] * np.imag(speeding) > 0.0:
                return Transition(slip.name, y)
            return self._to_flight(key)(t, y)

        return reset

    def _after_bounces(self, guard: str, t: float, y: Array) -> Transition:
        """Transition after infinitely many events: P rests on the ground, if it is there."""
        piece = int(np.searchsorted(self._motor.drive.breaks, t, side="right"))
        if guard != LANDS and y[1] > 0.0:
            return Transition(self._motor.on(JumpPhase.FLIGHT, piece, t, y[:8]).name, y)
        rest = {1: 0.0, 5: 0.0}
        if guard == STOPS or abs(y[4]) <= self._machine.parameters.g * _BLURRED:
            rest[4] = 0.0
        return self._choice.choose(piece, t, _set(y, rest))


def _set(y: State, values: Mapping[int, float]) -> State:
    """A state with some components set."""
    changed = np.array(y)
    for index, value in values.items():
        changed[index] = value
    return changed
