"""Layout of what a whole-body controller tells of its ticks, as one vector of numbers."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Flags, Indices
from footfall.jit import njit
from footfall_controllers.whole_body.motion_kernels import Programme

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

    def unsolved(self, outcome: int, lost: Iterable[str]) -> Array:
        """Vector of a tick without a programme; lost: constraints that could not be kept."""
        vector = np.zeros(self.size)
        vector[0] = outcome
        for name in lost:
            vector[self.size - len(self.constraints) + self.constraints.index(name)] = 1.0
        return vector

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


@njit
def tell(
    p: Programme,
    x: Array,
    task_of: Indices,
    number: Indices,
    active: Flags,
    conflict: Array,
    counts: tuple[int, int],
    torques: Array,
    told: Array,
) -> None:
    """Fill the torques of a solution x, within their limits, and what a tick tells of it.

    Torques that are no numbers are 0. counts: of tasks and constraints. told: the vector of
    `Inspection`, to which are added costs, squares of what is missing of the rows of a task, and
    the largest shares of the constraints of each name.
    """
    costs = told[1 + counts[0] : 1 + 2 * counts[0]]
    holding = told[1 + 2 * counts[0] : 1 + 2 * counts[0] + counts[1]]
    conflicting = told[1 + 2 * counts[0] + counts[1] :]
    for k in range(p.t.size):
        torques[k] = p.t[k]
        for i in range(x.size):
            torques[k] += p.T[k, i] * x[i]
    if not np.isfinite(torques).all():
        torques[:] = 0.0
    for k in range(p.t.size):
        torques[k] = min(max(torques[k], p.bounds.least_torque[k]), p.bounds.most_torque[k])
    for k in range(p.wanted.size):
        missing = -p.wanted[k]
        for i in range(x.size):
            missing += p.tasks[k, i] * x[i]
        costs[task_of[k]] += missing * missing
    for k in range(number.size):
        name = number[k]
        holding[name] = max(holding[name], 1.0 if active[k] else 0.0)
        conflicting[name] = max(conflicting[name], conflict[k])
