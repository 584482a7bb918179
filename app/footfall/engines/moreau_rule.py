"""Moreau's midpoint rule: the step of first order, in one solution.

    q_M = q_A + dt/2 N(q_A) v_A
    M_M (v_E - v_A) = (h(q_M, v_A) + B tau + f) dt + J_M^T Lambda
    q_E = q_M + dt/2 N(q_M) v_E

with dampers, springs and drives beside M, and h of the mean velocity for what spins in free flight.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.engines.islands import accelerations_of
from footfall.engines.moreau_step import actuated_force
from footfall.engines.ports import DIVERGED
from footfall.engines.step_ends import Ends, Solve, Start
from footfall.plants.coordinates import joint_damping
from footfall.plants.dynamics import Dynamics
from footfall.plants.forces import ImplicitForces
from footfall.plants.motors import Drives

_FLIGHT_ITERATIONS, _SAME_VELOCITY = 10, 1e-12
_End = Callable[[Array, Array], Array]  # from M and the force of motors to v_E

_SWITCHES = 20  # times that drives may come to their limits or leave them in a step


class MoreauRule:
    """Steps of a machine by Moreau's midpoint rule; the dynamics hold q_M and v_A before."""

    def __init__(self, dynamics: Dynamics, dt: float, drives: Drives | None) -> None:
        """Take the provider of M and h, the step [s], and drives whose controller has gains."""
        self._dynamics, self._dt, self._drives = dynamics, dt, drives
        self._damping = joint_damping(dynamics.plant)
        self._implicit = ImplicitForces(dynamics.plant, dt)

    def step(self, start: Start, applied: Array, solve: Solve) -> Ends:
        """Step from q_A, v_A; applied: generalized force of pushes at q_M."""
        dynamics = self._dynamics
        mass = dynamics.mass_matrix()
        if self._implicit:
            mass = mass + self._implicit.added_mass(dynamics.context)
        constraints = dynamics.constraint_jacobian()

        def end(mass: Array, motors: Array) -> Array:
            force = motors + dynamics.h()
            force += applied
            flies = dynamics.flying(start.v_a, start.active)
            if flies is not None:
                force += self._in_flight(mass, force, start.v_a, flies, constraints)
            return solve(mass, force, start.v_a, constraints)

        if self._drives is None:
            limits = dynamics.effort_limits
            v_e = end(mass, actuated_force(dynamics.actuation_matrix, start.torques, limits))
        else:
            v_e = self._driven(self._drives, start, mass, end)
        return Ends(dynamics.advance_positions(start.q_m, v_e, 0.5 * self._dt), v_e, mass)

    def _driven(self, drives: Drives, start: Start, mass: Array, end: _End) -> Array:
        """Find the end velocity at which every drive follows its joint, or is at its limit."""
        base = drives.base(start.torques, start.v_a)
        following, held = np.ones(len(base), dtype=np.bool_), base
        for _ in range(_SWITCHES):
            motors = self._dynamics.actuation_matrix @ np.where(following, base, held)
            v_e = end(mass + drives.added_mass(self._dt, following), motors)
            linear = drives.linear(base, start.v_a, v_e)
            limited = drives.limited(linear)
            within = limited == linear
            settled = np.array_equal(within, following)
            if settled and np.array_equal(limited[~within], held[~within]):
                break
            following, held = within, limited
        return v_e

    def _in_flight(
        self,
        mass: Array,
        force: Array,
        v_a: Array,
        flies: npt.NDArray[np.bool_],
        constraints: Array,
    ) -> Array:
        """Gain of h [N m or N] where trees that spin and touch nothing take their mean velocity.

        force: all forces at v_A, which the dynamics hold before and after. flies (nv,): the
        velocities of these trees. constraints (m, nv): G, whose G v_E = 0 is known here as well.
        """
        dynamics, dt, trees = self._dynamics, self._dt, self._dynamics.trees
        gain, at_start, middle = np.zeros_like(force), dynamics.h(), v_a.copy()
        if len(constraints):
            by_loops = np.linalg.solve(mass, constraints.T)
            closing = by_loops @ np.linalg.pinv(constraints @ by_loops)
        for _ in range(_FLIGHT_ITERATIONS):
            end = v_a + dt * accelerations_of(mass, force + gain, trees)
            if len(constraints):
                end -= closing @ (constraints @ end)
            moved = 0.5 * (v_a + end)
            change = np.abs(moved - middle)[flies].max()
            if not change < DIVERGED:  # nor where it is NaN
                break
            middle[flies] = moved[flies]
            dynamics.set_velocities(middle)
            difference = dynamics.h() - at_start + self._damping * (middle - v_a)
            gain[flies] = difference[flies]
            if change <= _SAME_VELOCITY * np.abs(middle[flies]).max():
                break
        dynamics.set_velocities(v_a)
        return gain
