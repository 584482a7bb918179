"""Marching a given hopper, and what a jump by `march` is worth."""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.march.equations import constants
from footfall.machines.hopper.march.march import (
    ANGLES,
    BY_TIME,
    JUMP,
    MARGINS,
    NODE,
    STAGES,
    Outcome,
    march,
)

MOST_TIME = 4.0  # s; what has not landed by then is no jump worth the wait
_LARGE = 1e9  # as `march` has it where nothing was noted
_NO_NODES = np.empty((0, NODE))
_ENDS_IT = (2, slice(0, 2))  # theta1 at 0 or pi: the end of the jump, no margin


@dataclass(frozen=True)
class Marched:
    """An outcome, and the least margins (3, 8) of its stages by MARGINS.

    What ends the jump and stages that were not reached have large ones.
    """

    outcome: Outcome
    margins: Array

    @property
    def jumps(self) -> bool:
        """Whether it is a jump, whatever its margins are."""
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
    def standing(self) -> float:
        """Friction that is left at a start in stick [1], large where P slides at once."""
        return float(self.margins[0, -1])

    @property
    def pressing(self) -> float:
        """Least force of the ground after landing [N], below which P leaves it again."""
        return float(self.margins[2, -1])


class Marcher:
    """Marches jumps of one machine by steps of one size [s]."""

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
        nodes: Array = _NO_NODES,
    ) -> Marched:
        """Jump from rest at (theta1, theta2) [rad]; rows, stages, nodes: see `march`."""
        margins = np.empty((len(STAGES), len(MARGINS)))
        outcome = march(
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
        return Marched(Outcome(*outcome), margins)
