"""Start and end of a step, as the engine hands them to a scheme and gets them back.

At the end loops are closed, and contacts brought to gap zero where one asks for it.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.engines.record import CONSTRAINT_GAP, is_pressed, rows_of
from footfall.jit import njit
from footfall.plants.dynamics import Dynamics
from footfall.plants.projection import GIVEN, LEAST_SHARE, SLIGHT_MOVE

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


@njit
def _pressed(rows: Array, places: Indices) -> npt.NDArray[np.bool_]:
    """Say which contacts bore a load and do not part; places (k,) of their rows."""
    pressed = np.zeros(places.size, dtype=np.bool_)
    for k in range(places.size):
        pressed[k] = is_pressed(rows[places[k]])
    return pressed


class Recovery:
    """Moves the end of a step back onto the loops and, if so asked, contacts to gap zero."""

    def __init__(self, dynamics: Dynamics, *, recover_gaps: bool) -> None:
        """Take the provider of gaps and rows."""
        self._dynamics, self._recover_gaps = dynamics, recover_gaps

    def __call__(self, ends: Ends, record: Array, part: Part) -> Array:
        """Positions with loops closed and, where that is asked for, contacts at gap zero."""
        q_e, dynamics = ends.q, self._dynamics
        if self._recover_gaps:
            active, pressed = part.active, _pressed(rows_of(record), part.places)
            known = dynamics.projection
            if known is not None and known.knows(active):
                q_e, left = known.recover(q_e, ends.v, ends.mass, active, pressed)
            else:
                q_e, left = self._in_python(ends, active, pressed)
            record[CONSTRAINT_GAP] = left
        elif dynamics.bilateral:
            q_e, record[CONSTRAINT_GAP] = dynamics.project_positions(q_e, ends.mass)
        return q_e

    def _in_python(
        self, ends: Ends, active: Indices, pressed: npt.NDArray[np.bool_]
    ) -> tuple[Array, float]:
        """Recover where the kernel does not know all: a plant that is not flat, or pairs."""
        closed, pressing = self._among_all(active), self._among_all(active[pressed])
        moved, left = self._dynamics.project_positions(ends.q, ends.mass, closed, pressing)
        if np.abs(moved - ends.q).max(initial=0.0) > SLIGHT_MOVE:
            return self._without_gain(ends, moved, left)
        return moved, left

    def _without_gain(self, ends: Ends, moved: Array, left: float) -> tuple[Array, float]:
        """Go towards positions that were found only as far as they give no energy to the motion.

        As ``footfall.plants.projection.recover`` does. left: at ``moved``; returned for what is.
        """
        dynamics = self._dynamics
        most = (1.0 + GIVEN) * dynamics.kinetic_energy_at(ends.q, ends.v)
        share = 1.0
        while dynamics.kinetic_energy_at(moved, ends.v) > most:
            share *= 0.5
            way = dynamics.between(ends.q, moved, share) if share > LEAST_SHARE else ends.q
            moved, left = dynamics.project_positions(way, ends.mass)
            if share <= LEAST_SHARE:
                break
        return moved, left

    def _among_all(self, some: Indices) -> npt.NDArray[np.bool_]:
        """Some contacts marked among all of them."""
        marked = np.zeros(len(self._dynamics.contacts), dtype=np.bool_)
        marked[some] = True
        return marked
