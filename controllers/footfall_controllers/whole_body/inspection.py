"""Layout of what a whole-body controller tells of its ticks, as one vector of numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array

NO_STATE = "a state that is a number"
"""Name of the constraint that a controller which gets NaN cannot keep."""


@dataclass(frozen=True, eq=False)
class Inspection:
    """Report of a tick: outcome; error and cost by task; constraints that hold it or conflict.

    tasks, constraints: names; units: of what the tasks lead to zero; number: place of the name of
    each constraint of the programme. The vector is [outcome, errors, costs, active, conflict]: 1
    for a constraint that holds the tick, and its share in a conflict.
    """

    tasks: tuple[str, ...]
    units: tuple[str, ...]
    constraints: tuple[str, ...]
    number: npt.NDArray[np.int64]

    @property
    def size(self) -> int:
        """Count of the numbers."""
        return 1 + 2 * len(self.tasks) + 2 * len(self.constraints)

    def vector(
        self,
        outcome: int,
        errors: Array,
        costs: Array,
        active: npt.NDArray[np.bool_],
        conflict: Array,
    ) -> Array:
        """Put a tick together; active, conflict: by constraint of the programme."""
        return np.concatenate(
            [[outcome], errors, costs, self._by_name(active), self._by_name(conflict)]
        )

    def unsolved(self, outcome: int, lost: Iterable[str]) -> Array:
        """Vector of a tick without a programme; lost: constraints that could not be kept."""
        vector = np.zeros(self.size)
        vector[0] = outcome
        for name in lost:
            vector[self.size - len(self.constraints) + self.constraints.index(name)] = 1.0
        return vector

    def _by_name(self, shares: npt.NDArray[Any]) -> Array:
        """Largest share of the constraints of each name."""
        flags = np.zeros(len(self.constraints))
        which = np.flatnonzero(shares)
        if len(which):
            np.maximum.at(flags, self.number[which], shares[which])
        return flags

    def outcome(self, told: Array) -> Array:
        """Outcomes of ticks (..., size)."""
        return told[..., 0]

    def errors(self, told: Array) -> Array:
        """Errors by task (..., tasks)."""
        return told[..., 1 : 1 + len(self.tasks)]

    def costs(self, told: Array) -> Array:
        """Costs by task (..., tasks)."""
        k = len(self.tasks)
        return told[..., 1 + k : 1 + 2 * k]

    def active(self, told: Array) -> Array:
        """Constraints that hold a tick (..., constraints)."""
        k, n = len(self.tasks), len(self.constraints)
        return told[..., 1 + 2 * k : 1 + 2 * k + n]

    def conflict(self, told: Array) -> Array:
        """Shares in which constraints contradicted each other (..., constraints)."""
        return told[..., 1 + 2 * len(self.tasks) + len(self.constraints) :]
