"""Start and end of a step, as the engine hands them to a scheme and gets them back.

At the end loops are closed, and contacts brought to gap zero where one asks for it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.engines.record import CONSTRAINT_GAP, is_pressed, rows_of
from footfall.plants.dynamics import Dynamics

Solve = Callable[[Array, Array, Array, Array], Array]
"""From M, the force, v_A and G to v_E, under the contacts of a step."""


class Start(NamedTuple):
    """Start of a step: q_A, q_M as foreseen, v_A; torques of the actuators, before their limits.

    applied: gives the generalized force of pushes at the state that the dynamics hold. active:
    indices of the contacts that take part.
    """

    q_a: Array
    q_m: Array
    v_a: Array
    torques: Array
    applied: Callable[[], Array]
    active: npt.NDArray[np.int64]


class Ends(NamedTuple):
    """End of a step: q_E before loops are closed to rounding, v_E, and M at q_M.

    converged: whether an iteration ended there.
    """

    q: Array
    v: Array
    mass: Array
    converged: bool = True


class Part(NamedTuple):
    """Contacts that took part in a step (k,), and their rows in its record (k,)."""

    active: Indices
    places: Indices


# m or rad: a recovery by less changes the kinetic energy by no more than such a share; the share
# that a larger one may give to it; and the part of a recovery that is not worth the while.
_SLIGHT_MOVE, _GIVEN, _LEAST_SHARE = 1e-4, 1e-3, 2.0**-6


class Recovery:
    """Moves the end of a step back onto the loops and, if so asked, contacts to gap zero."""

    def __init__(self, dynamics: Dynamics, *, recover_gaps: bool) -> None:
        """Take the provider of gaps and rows."""
        self._dynamics, self._recover_gaps = dynamics, recover_gaps

    def __call__(self, ends: Ends, record: Array, part: Part) -> Array:
        """Positions with loops closed and, where that is asked for, contacts at gap zero."""
        q_e, dynamics = ends.q, self._dynamics
        if self._recover_gaps:
            rows = rows_of(record)
            each = zip(part.active, part.places, strict=True)
            pressed = [c for c, row in each if is_pressed(rows[row])]
            closed = self._among_all(part.active)
            moved, left = dynamics.project_positions(
                q_e, ends.mass, closed, self._among_all(pressed)
            )
            if np.abs(moved - q_e).max(initial=0.0) > _SLIGHT_MOVE:
                moved, left = self._without_gain(ends, moved, left)
            q_e, record[CONSTRAINT_GAP] = moved, left
        elif dynamics.bilateral:
            q_e, record[CONSTRAINT_GAP] = dynamics.project_positions(q_e, ends.mass)
        return q_e

    def _without_gain(self, ends: Ends, moved: Array, left: float) -> tuple[Array, float]:
        """Go towards positions that were found only as far as they give no energy to the motion.

        M changes with them while v stays. Where a light link can turn far out of a small
        penetration, on a hinge that carries a heavy one, they would give all that there is. What is
        left is recovered in the steps that follow. left: at ``moved``; returned for what is.
        """
        dynamics = self._dynamics
        most = (1.0 + _GIVEN) * dynamics.kinetic_energy_at(ends.q, ends.v)
        share = 1.0
        while dynamics.kinetic_energy_at(moved, ends.v) > most:
            share *= 0.5
            way = dynamics.between(ends.q, moved, share) if share > _LEAST_SHARE else ends.q
            moved, left = dynamics.project_positions(way, ends.mass)
            if share <= _LEAST_SHARE:
                break
        return moved, left

    def _among_all(self, some: Sequence[int] | Indices) -> npt.NDArray[np.bool_]:
        """Some contacts marked among all of them."""
        marked = np.zeros(len(self._dynamics.contacts), dtype=np.bool_)
        marked[some] = True
        return marked
