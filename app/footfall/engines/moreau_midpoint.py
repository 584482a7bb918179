"""The implicit midpoint rule with contact: a step of second order between impacts.

    q_M = q_A + dt/2 N(q_M) w,   q_E = q_A + dt N(q_M) w,   w = (v_A + v_E) / 2 + M^-1 G^T mu
    M (v_E - v_A) = (h(q_M, (v_A + v_E) / 2) + B tau + f) dt + J^T Lambda + G^T lambda

with M, G and J at q_M. The multipliers mu keep loops closed, g(q_E) = 0; lambda keeps G v = 0 at
the end of the step and not in its middle, and so do impulses of contacts that stay closed: what
begins in the tangent space ends in it. Without impact and friction the step read backwards is the
same step, so that energy has no trend. Velocities of free bodies are those of
``footfall.plants.advance``. Solved by iteration, with dampers and springs beside M.

Where the contacts have several answers, which take turns as the iteration goes on, the step ends
with one of them, as that of first order does.

A contact that closes in the step has its impact with J at q_A + dt/2 N(q_A) v_A, as in Moreau's
step. So have contacts between two bodies at any time.

Source: M. Jean, Computer Methods in Applied Mechanics and Engineering 177 (1999) 235-257, for
theta = 1/2; E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), section
VII.1, for constraints.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.engines.ports import DIVERGED
from footfall.engines.record import MODE, WHICH, is_pressed
from footfall.engines.rows import back_substitute, cholesky, hold
from footfall.engines.step_ends import Ends, Solve, Start
from footfall.jit import njit
from footfall.plants.advance import Midpoint
from footfall.plants.dynamics import Dynamics
from footfall.plants.forces import ImplicitForces
from footfall.plants.motors import Drives

_OPEN, _STICK = float(Mode.OPEN), float(Mode.STICK)
_ITERATIONS = 100
_PATIENCE = 20  # iterations, after which each goes half as far: so it settles what would circle
_SAME, _SLOW = 1e-10, 1e-11  # of the velocities, and m/s or rad/s: a change that counts as none
# of the velocities: what may be left of a free motion, where rounding is all that changes; and with
# contacts, whose problem may have several answers that take turns
_ALMOST, _ALMOST_TOUCHING = 1e-6, 0.05
_STALLED = 8  # iterations that come no nearer by so much
_NEARER = 0.7


class Steady(NamedTuple):
    """Contacts with the ground or in joints that were closed in the last step already.

    which (k,): their indices. rows (3 k,): which of their rows [n, t, s] they keep at rest: that of
    the normal, and all of a contact that stuck.
    """

    which: Indices
    rows: npt.NDArray[np.bool_]


def steady_contacts(last: Array, fixed: Indices) -> Steady:
    """Find the contacts that stay closed; last: rows of the record of the last step.

    fixed: indices of the active contacts with the ground or in joints.
    """
    some = last[last[:, MODE] != _OPEN]
    closed = {int(row[WHICH]): row[MODE] == _STICK for row in some if is_pressed(row)}
    which = [contact for contact in fixed.tolist() if contact in closed]
    rows = [row for contact in which for row in (True, closed[contact], closed[contact])]
    return Steady(np.array(which, dtype=np.int64), np.array(rows, dtype=np.bool_))


class MidpointRule:
    """Steps of a machine by the implicit midpoint rule."""

    def __init__(self, dynamics: Dynamics, dt: float, drives: Drives | None) -> None:
        """Take the provider of M, h and Jacobians, the step [s], and drives with gains."""
        self._dynamics, self._dt, self._drives = dynamics, dt, drives
        self._midpoint = Midpoint(dynamics.plant)
        self._implicit = ImplicitForces(dynamics.plant, dt, damping_until=0.5)
        whole = np.zeros(1, dtype=np.int64), np.array([dynamics.plant.num_velocities()])
        trees = dynamics.trees
        self._trees = whole if dynamics.bilateral else (trees.starts, trees.sizes)

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        plant, dynamics = self._dynamics.plant, self._dynamics
        q, v = plant.GetPositions(dynamics.context), np.zeros(plant.num_velocities())
        self._midpoint.positions(q, v, self._dt, q)
        self._midpoint.turning(q, self._midpoint.seen_from(q, q, v))
        nothing = np.zeros((0, len(v)))
        smallest_changes(np.eye(len(v)), nothing, np.zeros((0, 3)), *self._trees)

    def step(self, start: Start, last: Array, solve: Solve) -> Ends:
        """Step from q_A, v_A; last: rows of the record of the last step.

        The dynamics now hold the middle as it was foreseen, with its contacts measured.
        """
        dynamics, midpoint, dt = self._dynamics, self._midpoint, self._dt
        q_a, v_a = start.q_a, start.v_a
        steady = steady_contacts(last, start.active[dynamics.measure.is_fixed(start.active)])
        touching = self._rows(steady)
        almost = _ALMOST_TOUCHING if len(start.active) > 0 else _ALMOST
        least, stalled = np.inf, 0
        v_e, w, closing, q_m = v_a, v_a, np.zeros_like(v_a), q_a
        for count in range(_ITERATIONS):
            q_m, q_e = midpoint.positions(q_a, w + closing, dt, q_m)
            from_a = midpoint.seen_from(q_m, q_a, v_a)
            from_e = midpoint.seen_from(q_m, q_e, v_e)
            gap, held_e = dynamics.bilateral_violation(q_e)
            touching_e = self._rows_at(q_e, steady)
            dynamics.set_state(np.concatenate((q_m, 0.5 * (from_a + from_e))))
            mass, held = dynamics.mass_matrix(), dynamics.constraint_jacobian()
            motors, follows = self._motors(start, v_e)
            force = motors + dynamics.h() + start.applied()
            force -= mass @ midpoint.turning(q_m, 0.5 * (from_a + from_e))
            rows = np.vstack((held, touching))
            ends = np.concatenate((held_e @ v_e, touching_e @ v_e))
            opened = np.concatenate((-gap / dt, np.zeros(len(touching))))
            changes = np.array((-rows @ from_a, ends - rows @ from_e, opened)).T
            if self._implicit or self._drives is not None:
                added = self._implicit.added_mass(dynamics.context) + follows
                mass = mass + added
                force += added @ (from_e - from_a) / dt
            at_a, at_e, closes = smallest_changes(mass, rows, changes, *self._trees).T
            force += mass @ (at_e - at_a) / dt
            from_e = solve(mass, force, from_a + at_a, held) - at_e
            v_next = midpoint.seen_from(q_e, q_m, from_e)
            change = max(np.abs(v_next - v_e).max(), np.abs(closes).max())
            share, scale = 0.5 ** (count // _PATIENCE), np.abs(v_next).max()
            v_e, closing = v_e + share * (v_next - v_e), closing + share * closes
            w = 0.5 * (from_a + midpoint.seen_from(q_m, q_e, v_e))
            stalled = 0 if change <= _NEARER * least else stalled + 1
            least = min(least, change)
            enough = change <= almost * scale + _SLOW
            if change <= _SAME * scale + _SLOW or (stalled >= _STALLED and enough):
                break
            if not scale < DIVERGED:
                break
        # the contacts' laws hold for what was found, and not for a mean of it and what was before
        q_e = midpoint.positions(q_a, 0.5 * (from_a + from_e) + closing, dt, q_m)[1]
        return Ends(q_e, v_next, mass, bool(enough))

    def _motors(self, start: Start, v_e: Array) -> tuple[Array, Array | float]:
        """Generalized force of the actuators, and what stands beside M for those that follow."""
        dynamics, drives = self._dynamics, self._drives
        if drives is None:
            limits = dynamics.effort_limits
            within = np.clip(start.torques, -limits, limits)
            return dynamics.actuation_matrix @ within, 0.0
        linear = drives.linear(drives.base(start.torques, start.v_a), start.v_a, v_e)
        limited = drives.limited(linear)
        added = drives.added_mass(self._dt, limited == linear)
        return dynamics.actuation_matrix @ limited, added

    def _rows(self, steady: Steady) -> Array:
        """Rows of steady contacts (m, nv) in the middle as the contacts were measured."""
        jacobian = self._dynamics.measure.jacobian(steady.which)
        return jacobian.reshape(-1, jacobian.shape[2])[steady.rows]

    def _rows_at(self, q: Array, steady: Steady) -> Array:
        """Rows of steady contacts (m, nv) at positions that the dynamics hold."""
        jacobian = self._dynamics.measure.jacobian_at(q, steady.which)
        return jacobian.reshape(-1, jacobian.shape[2])[steady.rows]


@njit
def smallest_changes(
    mass: Array, rows: Array, changes: Array, starts: Indices, sizes: Indices
) -> Array:
    """Smallest velocities in the metric of M, (nv, k), that rows (m, nv) take to changes (m, k).

    starts, sizes: of trees of links that no row joins.
    """
    smallest = np.zeros((mass.shape[0], changes.shape[1]))
    for tree in range(starts.size):
        at = slice(starts[tree], starts[tree] + sizes[tree])
        own = np.flatnonzero(np.abs(rows[:, at]).sum(axis=1))
        if own.size == 0:
            continue
        lower = cholesky(np.ascontiguousarray(mass[at, at]))
        held = hold(lower, np.ascontiguousarray(rows[own][:, at]))
        spread = held.half.T @ held.inverse
        for k in range(changes.shape[1]):
            smallest[at, k] = back_substitute(lower, spread @ changes[own, k])
    return smallest
