"""Fixed-step simulations of a given hopper, and what one of its jumps is worth."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.rollout.equations import constants
from footfall.machines.hopper.rollout.kernel import (
    ANGLES,
    BY_TIME,
    JUMP,
    MARGINS,
    NODE,
    STAGES,
    RolloutOutcome,
    rollout,
)

MOST_TIME = 4.0  # s; what has not landed by then is no jump worth the wait
_LARGE = 1e9  # as `rollout` has it where nothing was noted
_ENDS_IT = (2, slice(0, 2))  # theta1 at 0 or pi: the end of the jump, no margin


class Record(NamedTuple):
    """The recorded steps of a jump, (n,) each.

    time [s], torque [N m], phase (a number of `PHASES`), piece of the torque, force of the ground
    on P [N], states (n, 8).
    """

    time: Array
    torque: Array
    phase: Array
    piece: Array
    lambda_t: Array
    lambda_n: Array
    states: Array

    def spans(self, key: Array, joins: Callable[[int, int, float], bool]) -> list[tuple[int, int]]:
        """Rows, first and one after the last, between changes of a key (n,).

        joins(first row of the span before, first row, time of the end [s]): whether a span is part
        of the one before it.
        """
        cuts = [0, *(np.flatnonzero(np.diff(key)) + 1).tolist(), len(self.time)]
        found: list[tuple[int, int]] = []
        for first, last in pairwise(cuts):
            if found and joins(found[-1][0], first, self.end(last)):
                found[-1] = (found[-1][0], last)
            else:
                found.append((first, last))
        return found

    def end(self, last: int) -> float:
        """Time of the row after a span, or of the last one [s]."""
        return float(self.time[min(last, len(self.time) - 1)])


@dataclass(frozen=True)
class Rollout:
    """An outcome, the least margins (3, 8) of its stages by MARGINS, and the recorded steps.

    What ends the jump and stages that were not reached have large margins.
    """

    outcome: RolloutOutcome
    margins: Array
    record: Record

    @property
    def jumps(self) -> bool:
        """Return whether it is a jump, whatever its margins are."""
        return self.outcome.kind == JUMP

    @property
    def distance(self) -> float:
        """X_end - X_start [m]."""
        return self.outcome.X_end - self.outcome.X_start

    @property
    def angle_margins(self) -> Array:
        """The 18 least margins of the angles [rad]."""
        return self.margins[:, :ANGLES].ravel()

    @property
    def friction_margin(self) -> float:
        """Friction that is left at a start in stick [1], large where P slides at once."""
        return float(self.margins[0, -1])

    @property
    def least_force(self) -> float:
        """Least force of the ground after landing [N], below which P leaves it again."""
        return float(self.margins[2, -1])


class RolloutSimulator:
    """Simulates jumps of one machine by steps of one size [s]."""

    def __init__(self, machine: Hopper, step: float) -> None:
        self._constants = constants(machine)
        self._bound = float(machine.parameters.tau_max)
        self.step = step

    def jump(
        self,
        angles: tuple[float, float],
        rows: Array,
        stages: tuple[int, int] = BY_TIME,
        *,
        to_take_off: bool = False,
        most_recorded: int = 0,
    ) -> Rollout:
        """Jump from rest at (theta1, theta2) [rad]; rows, stages: see `rollout`.

        most_recorded: how many steps are recorded at most.
        """
        margins = np.empty((len(STAGES), len(MARGINS)))
        nodes = np.empty((most_recorded, NODE))
        outcome = rollout(
            angles[0],
            angles[1],
            rows,
            stages,
            self._constants,
            self._bound,
            self.step,
            MOST_TIME,
            to_take_off,
            margins,
            nodes,
        )
        margins[_ENDS_IT] = _LARGE
        nodes = nodes[: outcome.nodes]
        time, torque, phase, piece, along, up = nodes[:, :6].T
        record = Record(time, torque, phase, piece, along, up, nodes[:, 6:])
        return Rollout(outcome, margins, record)
