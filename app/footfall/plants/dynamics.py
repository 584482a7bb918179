"""Dynamics of a plant for a time stepper: M, h, gaps, contact Jacobians and energies at a state.

Sign: ``M v' = h + B u + J^T lambda``; h gathers gravity, Coriolis terms, springs and dampers.
Frames: W world; contact axes [n, t, s] as in ``footfall.plants.contacts.axes``.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.multibody.tree import MultibodyForces
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.constraints import BilateralRows
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.axes import ContactAxes
from footfall.plants.contacts.measure import ContactMeasure
from footfall.plants.coordinates import actuators_of
from footfall.plants.flat.dynamics import full_matrix, mass_and_force
from footfall.plants.forces import Wrench
from footfall.plants.kinematics import Kinematics, Trees
from footfall.plants.loading.load import Model


def mass_matrix(plant: MultibodyPlant, context: Context) -> Array:
    """M(q), shape (nv, nv), reflected rotor inertia included."""
    mass: Array = plant.CalcMassMatrix(context).T  # symmetric, and now in C order
    return mass


def knows_potential(plant: MultibodyPlant, context: Context) -> bool:
    """Return whether Drake knows the potential energy; it does not where a plant has a bushing."""
    try:
        plant.CalcPotentialEnergy(context)
    except RuntimeError:
        return False
    return True


def potential_energy(plant: MultibodyPlant, context: Context, *, known: bool) -> float:
    """V(q) [J]: gravity and springs; gravity alone where Drake says no more, which known tells."""
    if known:
        return float(plant.CalcPotentialEnergy(context))
    weight = plant.CalcTotalMass(context) * plant.gravity_field().gravity_vector()
    return float(-weight @ plant.CalcCenterOfMassPositionInWorld(context))


class Dynamics:
    """The plant of a model as provider of its equations of motion.

    All comes from the flat arrays of the plant, as far as they hold what it has. Gravity is that
    which the plant has at the time.
    """

    def __init__(self, model: Model, contacts: ContactSet) -> None:
        """Keep the model alive and set up the scratch memory."""
        plant = model.plant
        self.model = model
        self.plant = plant
        self.contacts = contacts
        root = model.diagram.CreateDefaultContext()
        self._context: Context = plant.GetMyMutableContextFromRoot(root)
        self.axes = ContactAxes(plant, self._context, planar=contacts.dim == 2)
        self.bilateral = BilateralRows(plant, model.constraints, self._context)
        self.kinematics = Kinematics(plant)
        self.actuation_matrix: Array = np.ascontiguousarray(plant.MakeActuationMatrix())
        self.effort_limits: Array = np.array([a.effort_limit() for a in actuators_of(plant)])
        self._nq = plant.num_positions()
        self._q: Array = plant.GetPositions(self._context)
        self._v: Array = plant.GetVelocities(self._context)
        # what is so at this state: contacts measured, links placed, M and h worked out, in Drake
        self._measured = self._placed = self._worked_out = self._in_drake = False
        self._gravity = self.kinematics.read_gravity()
        self._forces = MultibodyForces(plant)
        self.knows_potential = knows_potential(plant, self._context)
        self._still = np.zeros(plant.num_velocities())
        self._no_rows = np.zeros((0, plant.num_velocities()))

    @property
    def context(self) -> Context:
        """Context of the plant at the state that is set now, to be read before the next one is."""
        self._tell_drake()
        return self._context

    def _tell_drake(self) -> None:
        """Put the state into Drake's context, which most steps do without."""
        if not self._in_drake:
            self.plant.SetPositions(self._context, self._q)
            self.plant.SetVelocities(self._context, self._v)
            self._in_drake = True

    @cached_property
    def measure(self) -> ContactMeasure:
        """Measure of the contacts, set up for whoever asks for one of them."""
        return ContactMeasure(self.plant, self.contacts, self._context, self.axes)

    @property
    def trees(self) -> Trees:
        """The trees of links, whose velocities M does not couple; constraints may."""
        return self.measure.trees

    @property
    def why_not(self) -> str:
        """A line on what is asked of Drake at every step, and why; empty where nothing is."""
        return self.kinematics.links.why_not

    def set_state(self, state: Array) -> None:
        """Let [q; v] be the state at which all is asked for."""
        self._v = state[self._nq :].copy()
        self._set_positions(state[: self._nq])

    def _set_positions(self, q: Array) -> None:
        self._q = q.copy()
        self._measured = self._placed = self._worked_out = self._in_drake = False

    def advance_positions(self, q: Array, v: Array, dt: float) -> Array:
        """Return q + dt N(q) v, quaternions brought back to length one."""
        return self.kinematics.advanced(q, v, dt)

    def bilateral_violation(self, q: Array) -> tuple[Array, Array]:
        """Residual g (m,) [m or rad] of the loops and gears at positions q, Jacobian G (m, nv)."""
        self._set_positions(q)
        if not self.bilateral:
            return np.zeros(0), self._no_rows
        return self._constraints()

    def mass_matrix(self) -> Array:
        """M(q), shape (nv, nv), reflected rotor inertia included."""
        if not self.kinematics.links.holds_motion:
            return mass_matrix(self.plant, self.context)
        self._work_out()
        tree = self.kinematics.tree
        return full_matrix(tree.depth, tree.path, self.kinematics.scratch.H)

    def _work_out(self) -> None:
        """Fill M and h, and with them poses and twists, of the kinematics."""
        known, gravity = self.kinematics, self.kinematics.read_gravity()
        if not self._worked_out or gravity != self._gravity:
            mass_and_force(known.tree, known.scratch, self._q, self._v)
            self._gravity, self._placed, self._worked_out = gravity, True, True

    def h(self) -> Array:
        """Generalized force h(q, v), shape (nv,)."""
        if self.kinematics.links.holds_forces:
            self._work_out()
            return self.kinematics.scratch.h.copy()
        self.plant.CalcForceElementsContribution(self.context, self._forces)
        force: Array = self.plant.CalcInverseDynamics(self.context, self._still, self._forces)
        return -force

    def applied_force(self, applied: Iterable[ExternallyAppliedSpatialForce]) -> Array:
        """Generalized force (nv,) of forces on bodies."""
        return self.generalized(self.wrenches(applied))

    def wrenches(self, applied: Iterable[ExternallyAppliedSpatialForce]) -> list[Wrench]:
        """Forces as Drake's plants take them, at this posture."""
        wrenches, moved = [], self.links_placed()
        for each in applied:
            body, F_Bq_W = self.plant.get_body(each.body_index), each.F_Bq_W
            p_WQ = moved.point(body, each.p_BoBq_B)
            wrenches.append(Wrench(body, p_WQ, F_Bq_W.translational(), F_Bq_W.rotational()))
        return wrenches

    def generalized(self, wrenches: Iterable[Wrench]) -> Array:
        """Generalized force (nv,) of all of some wrenches, at this posture."""
        force, moved = np.zeros(self.plant.num_velocities()), self.links_placed()
        for each in wrenches:
            moved.add_wrench(each.body, each.p_W, each.force_W, each.torque_W, force)
        return force

    def links_placed(self) -> Kinematics:
        """Return the links as they are at these positions."""
        if not self._placed:
            self.kinematics.place(self._context, self._q)
            self._placed = True
        return self.kinematics

    def gaps(self) -> tuple[Array, Array]:
        """Gap of every contact, (n,) [m or rad], and its place in W, (n, 3); see ContactMeasure."""
        self._measured = True
        return self.measure.gaps(self._q)

    def contact_jacobian(self, active: npt.NDArray[np.bool_]) -> Array:
        """Jacobian of the active contacts' velocities, shape (k, 3, nv), rows [n, t, s].

        ``active`` is a boolean array (n,); the k active ones come in the order of the contact set.
        """
        if not self._measured:
            self.gaps()
        return self.measure.jacobian(np.flatnonzero(active))

    def constraint_jacobian(self) -> Array:
        """Jacobian G of the bilateral constraints, (m, nv)."""
        if not self.bilateral:
            return self._no_rows
        return np.ascontiguousarray(self._constraints()[1])

    def _constraints(self) -> tuple[Array, Array]:
        """Residual and Jacobian of the bilateral constraints."""
        self._tell_drake()
        return self.bilateral.evaluate()

    def kinetic_energy(self) -> float:
        """T = 1/2 v^T M v [J]; unlike Drake's own figure it counts reflected rotor inertia."""
        return float(0.5 * self._v @ self.mass_matrix() @ self._v)

    def potential_energy(self) -> float:
        """V(q) [J]: gravity and springs; gravity alone unless ``knows_potential``."""
        return potential_energy(self.plant, self.context, known=self.knows_potential)
