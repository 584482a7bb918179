"""Choice of the phase in which the event-driven hopper goes on where P is on the ground."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from footfall.hybrid import Transition
from footfall.hybrid.component_first import Number, State
from footfall.machines.hopper.closed_form.impact import impact
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase, stick_conditions
from footfall.machines.hopper.modes import NO_WAY, Key, SaturatedMotor, consistent_modes

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
