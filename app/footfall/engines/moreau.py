"""Moreau's time stepping as a LeafSystem: any Drake plant with set-valued contact laws.

One step of length dt from t_A to t_E, with the plant as provider of M, h, gaps and Jacobians:

    q_M = q_A + dt/2 N(q_A) v_A
    M_M (v_E - v_A) = (h(q_M, v_A) + B tau + f) dt + J_M^T Lambda    (contacts with gap(q_M) <= 0)
    q_E = q_M + dt/2 N(q_M) v_E

This is ``footfall.engines.moreau_rule``; ``footfall.engines.moreau_midpoint`` is the step of second
order that ``moreau.scheme`` may ask for.

A tree of links that spins and touches nothing has h of its mean velocity, (v_A + v_E) / 2, so that
its energy does not grow. M_M holds dampers and springs as well (``plants.implicit_forces``), so
that none makes a step diverge. f is the generalized force of ``applied_wrench``, which is read at
the start of the step and acts on the links as they are at q_M.

Source: Moreau (1988); Leine & Glocker (2003); document "TUlip", part II, section v. First order in
dt, because h takes v_A. Penetration: a contact acts once its gap at the midpoint is not positive,
at velocity level only; the gap is neither projected nor stabilised, so a landing leaves a
penetration of at most one step's approach.

Feet that take turns (``alternating_feet``): one that is off takes no part in a step, and has no
impulse, but its gap is reported. Which foot is off in the next step follows from the gaps and
places at the midpoint of this one and from its impulses.
"""

import math
from collections.abc import Callable

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import ExternallyAppliedSpatialForce
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, Context, DiscreteValues, EventStatus, LeafSystem

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.engines.few_points import FewPoints
from footfall.engines.impacts import IMPACT_LAWS, NEWTON, SolverOptions
from footfall.engines.islands import MANY_OF_A_TREE, IslandsStep, recorded_islands
from footfall.engines.moreau_config import MIDPOINT, MoreauConfig
from footfall.engines.moreau_midpoint import MidpointRule
from footfall.engines.moreau_report import impulses_of, report_of, unsolved
from footfall.engines.moreau_rule import MoreauRule
from footfall.engines.moreau_step import ContactStep, free_step, recorded_step
from footfall.engines.ports import (
    ACTUATION,
    APPLIED_WRENCH,
    CONTACT_IMPULSES,
    CONTACT_REPORT,
    STATE,
    ContactReport,
)
from footfall.engines.record import (
    CONSTRAINT_WORK,
    MODE,
    BegunRecord,
    begin_record,
    empty_record,
    rows_for,
    rows_of,
)
from footfall.engines.step_ends import Ends, Recovery, Start, is_near
from footfall.errors import RunError
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.measure import JacobianBlocks
from footfall.plants.dynamics import Dynamics
from footfall.plants.forces import springs_join_bodies
from footfall.plants.loading.load import Model
from footfall.plants.motors import OF_MIDPOINT, OF_MOREAU, Drives, PdGains
from footfall.solvers import METHODS, method_name

OnStep = Callable[[Array, Array, Array, Array], None]

_OPEN = float(Mode.OPEN)
# m or rad: what takes part in a step, and what was pressed in the last one and still does.
# In steps of second order the law alone lets go what was pressed: by the middle of the step it may
# have drifted apart a little.
_TOUCHING_HELD = (0.0, np.inf)
# Where they are recovered they end at zero as well.
_TOUCHING_RECOVERED = (1e-9, np.inf)


class MoreauEngine(LeafSystem):
    """A machine in rigid contact; ports as in ``footfall.engines.ports``.

    All state is in the context: [q; v]; the record of the last step, which also warm-starts the
    next one; and where feet take turns, which of the two are off. Raises ModelError for a plant
    with constraints that this engine does not know; while stepping, ContactNotSolved, and RunError
    for a NaN at the actuation port or a state that diverges. drives: whose torque follows their
    joints within a step, None where no gains were given. note: a line for who runs it. on_step:
    called at the end of every step with the actuation, the generalized force of
    ``applied_wrench``, [q; v] at its end and its record, which whoever records them has to copy.
    """

    def __init__(
        self,
        model: Model,
        contacts: ContactSet,
        time_step: float,
        config: MoreauConfig | None = None,
        gains: PdGains | None = None,
    ) -> None:
        """Take a continuous-time model, its contacts, the step [s], and gains of its controller."""
        super().__init__()
        self.config = config if config is not None else MoreauConfig()
        self.model = model
        self.contacts = contacts
        self.time_step = time_step
        self.on_step: OnStep | None = None
        self.note = ""
        plant = model.plant
        model.require_all_read()
        self._dynamics = Dynamics(model, contacts)
        self._laws = contacts.coefficients()
        self._touching = _TOUCHING_HELD if self.is_midpoint else (0.0, self.config.release_gap)
        if self.config.recover_gaps:
            self._touching = _TOUCHING_RECOVERED
        self._impact_law = IMPACT_LAWS[self.config.impact_law]
        self._options = SolverOptions(
            METHODS[method_name(self.config.solver)],
            self.config.tolerance,
            self.config.prox_parameter,
            self.config.max_iterations,
        )
        self._nq, self._nv = plant.num_positions(), plant.num_velocities()
        self.drives: Drives | None = None
        if gains is not None:
            within = OF_MIDPOINT if self.is_midpoint else OF_MOREAU
            self.drives = Drives(plant, gains, time_step, within)
        self._rule = self._rule_of(time_step)
        self._recovery = Recovery(self._dynamics, recover_gaps=self.config.recover_gaps)
        # constraints and springs may join any trees: with them, all is one dense problem
        held = bool(self._dynamics.bilateral) or springs_join_bodies(plant)
        self._one_tree = held or len(self._dynamics.trees.sizes) == 1
        self._most_rows = np.inf if held else MANY_OF_A_TREE
        # a point that a step leaves out must not approach: that says enough in Newton's law alone
        self._few_points = self._points_of(contacts)
        self._no_force = np.zeros(self._nv)
        self._no_jacobian = np.zeros((0, 3, self._nv))

        self._actuation = self.DeclareVectorInputPort(ACTUATION, plant.num_actuators())
        self._applied_wrench = self.DeclareAbstractInputPort(
            APPLIED_WRENCH, Value[list[ExternallyAppliedSpatialForce]]()
        )
        default = plant.GetPositionsAndVelocities(plant.CreateDefaultContext())
        state = self.DeclareDiscreteState(default)
        self._no_record = empty_record(rows_for(contacts))
        self._no_record.flags.writeable = False  # as those are that Drake hands out
        record = self.DeclareDiscreteState(self._no_record)
        self._swing_foot_filter = contacts.swing_foot_filter
        if self._swing_foot_filter is not None:
            self._dynamics.set_state(default)
            off = self._swing_foot_filter.off_at_start(*self._dynamics.gaps())
            self.DeclareDiscreteState(np.array(off, dtype=np.float64))
        self.DeclarePeriodicDiscreteUpdateEvent(time_step, 0.0, self._step)
        self.DeclareStateOutputPort(STATE, state)
        tickets = {self.discrete_state_ticket(record)}
        self.DeclareVectorOutputPort(
            CONTACT_IMPULSES, 3 * len(contacts.names), self._calc_impulses, tickets
        )
        self.DeclareAbstractOutputPort(
            CONTACT_REPORT, lambda: Value(ContactReport()), self._calc_report, tickets
        )

    def set_state(self, context: Context, state: Array) -> None:
        """Put [q; v] into a context with the gaps there, and forget the last step's impulses.

        Of feet that take turns the lower one stands, of two at one height the one ahead; the other
        is on only if it is ahead and above the ground.
        """
        self._dynamics.set_state(state)
        gap, p_WC = self._dynamics.gaps()
        record = self._begun(gap, p_WC, self._no_record, *self._touching).record
        context.SetDiscreteState(0, state)
        context.SetDiscreteState(1, record if len(record) > 0 else self._no_record)
        if self._swing_foot_filter is not None:
            off = self._swing_foot_filter.off_at_start(gap, p_WC)
            context.SetDiscreteState(2, np.array(off, dtype=np.float64))

    def record_in(self, context: Context) -> Array:
        """Record of the last step in a context, as ``footfall.engines.record`` lays it out."""
        record: Array = context.get_discrete_state(1).get_value()
        return record

    def change_friction(self, _context: Context, contacts: ContactSet) -> None:
        """Give contacts other coefficients from the next step on; the engine keeps them."""
        self.contacts, self._laws = contacts, contacts.coefficients()
        self._few_points = self._points_of(contacts)

    def change_gravity(self, _context: Context, gravity: float) -> None:
        """Let gravity [m/s^2] be another one; the plant of the model keeps it for all its users."""
        self.model.plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -gravity])

    def _points_of(self, contacts: ContactSet) -> FewPoints | None:
        """Return what chooses points of faces, in the law of impact that allows for it."""
        if self._impact_law != NEWTON:
            return None
        return FewPoints(contacts, self._laws, self._dynamics.trees)

    def watch(self, simulator: Simulator) -> None:
        """Do as Drake's engine does, which needs a simulator's monitor; this one needs nothing."""

    @property
    def is_midpoint(self) -> bool:
        """Say whether dampers and all other forces take the mean velocity of a step."""
        return self.config.scheme == MIDPOINT

    def _rule_of(self, time_step: float) -> MoreauRule | MidpointRule:
        if self.is_midpoint:
            return MidpointRule(self._dynamics, time_step, self.drives)
        return MoreauRule(self._dynamics, time_step, self.drives)

    def warm_up(self) -> None:
        """Compile or load the kernels, so that the first step takes no longer than others."""
        nv, count = self._nv, len(self.contacts)
        mass, force = np.eye(nv), np.zeros(nv)
        none = np.zeros((0, nv))
        free_step(mass, force, force, self.time_step, none)
        if isinstance(self._rule, MidpointRule):
            self._rule.warm_up()
        if count > 0:
            gap, p_WC = np.full(count, np.inf), np.full((count, 3), np.nan)
            gap[0] = 0.0
            begun = self._begun(gap, p_WC, self._no_record, 0.0, 0.0)
            jacobian: Array | JacobianBlocks = np.zeros((1, 3, nv))
            if not self._one_tree:
                widest = int(self._dynamics.trees.sizes.max())
                jacobian = JacobianBlocks(np.zeros((1, 2, 3, widest)), np.array([[0, -1]]))
            self._resolve(mass, force, force, none, begun, jacobian)

    def _begun(
        self, gap: Array, p_WC: Array, last: Array, touching: float, still_touching: float
    ) -> BegunRecord:
        """Return the result of ``begin_record``, with the normals as measured last."""
        normals = self._dynamics.measure.normals
        return begin_record(gap, p_WC, normals, last, touching, still_touching)

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        record = context.get_discrete_state(1).get_value()
        output.SetFromVector(impulses_of(record, self.contacts, self._dynamics.axes).ravel())

    def _calc_report(self, context: Context, output: Value) -> None:
        record = context.get_discrete_state(1).get_value()
        output.set_value(report_of(record, self.contacts, self._dynamics.axes))

    def _step(self, context: Context, discrete: DiscreteValues) -> EventStatus:
        dynamics = self._dynamics
        state = context.get_discrete_state(0).get_value().copy()
        q_a, v_a = state[: self._nq], state[self._nq :]
        q_m = dynamics.advance_positions(q_a, v_a, 0.5 * self.time_step)
        dynamics.set_state(np.concatenate((q_m, v_a)))
        torques, applied = self._torques(context), self._applied(context)
        gap, p_WC = dynamics.gaps()
        begun, off = self._begun_at(context, gap, p_WC)
        jacobian = self._jacobian_of(begun)

        def applied_now() -> Array:
            return self._applied(context)

        def solve(mass: Array, force: Array, v: Array, constraints: Array) -> Array:
            return self._solved(mass, force, v, constraints, begun, jacobian)

        start = Start(q_a, q_m, v_a, torques, applied_now, begun.active)
        if isinstance(self._rule, MidpointRule):
            last = rows_of(context.get_discrete_state(1).get_value())
            ends = self._rule.step(start, last, solve)
        else:
            ends = self._rule.step(start, applied, solve)
        self._require_end(context, v_a, ends)
        q_e, v_e = self._recovery(ends, begun), ends.v
        state, record = np.concatenate((q_e, v_e)), begun.record
        discrete.set_value(0, state)
        discrete.set_value(1, record)
        if self._swing_foot_filter is not None:
            closed = begun.active[rows_of(record)[begun.places, MODE] != _OPEN]
            after = self._swing_foot_filter.off_after_step(off, gap, p_WC, closed)
            if after != off:
                discrete.set_value(2, np.array(after, dtype=np.float64))
        if self.on_step is not None:
            self.on_step(torques, applied, state, record)
        return EventStatus.Succeeded()

    def _begun_at(
        self, context: Context, gap: Array, p_WC: Array
    ) -> tuple[BegunRecord, tuple[bool, bool]]:
        """Begin the record of a step from gaps and places; and say which feet are off."""
        last = context.get_discrete_state(1).get_value()
        begun = self._begun(gap, p_WC, last, *self._touching)
        record, off = begun.record, (False, False)
        if len(record) == 0:
            raise RunError(
                f"more points between bodies touch at t = {context.get_time():.4f} s than the "
                f"{len(rows_of(last))} that fit: filter the collisions of links that overlap."
            )
        if self._swing_foot_filter is not None:
            first, second = context.get_discrete_state(2).get_value().tolist()
            off = bool(first), bool(second)
            if any(off) and len(begun.active) > 0:
                on = self._swing_foot_filter.points_on(begun.active, off)
                begun = begun.only(on)
        return begun, off

    def _solved(
        self,
        mass: Array,
        force: Array,
        v_a: Array,
        constraints: Array,
        begun: BegunRecord,
        jacobian: Array | JacobianBlocks,
    ) -> Array:
        """End velocity under the contacts of a step; fills its record."""

        def solve(some: BegunRecord, rows: Array | JacobianBlocks) -> Array:
            return self._resolve(mass, force, v_a, constraints, some, rows)

        if self._few_points is not None and self._few_points.are_more(begun.active):
            return self._few_points.solve(begun, jacobian, v_a, solve)
        if len(begun.active) > 0:
            return solve(begun, jacobian)
        v_e, begun.record[CONSTRAINT_WORK:] = free_step(
            mass, force, v_a, self.time_step, constraints
        )
        return v_e

    def _require_end(self, context: Context, v_a: Array, ends: Ends) -> None:
        """Raise RunError for a step without an end, and for velocities too large or no numbers."""
        if not is_near(ends.v):
            raise RunError(
                f"the state diverges at t = {context.get_time():.4f} s from a velocity of "
                f"{np.abs(v_a).max():.3g}: use a smaller time_step or softer gains."
            )
        if not ends.converged:
            raise RunError(
                f"the implicit midpoint rule finds no end of the step at t = "
                f"{context.get_time():.4f} s: use a smaller time_step, or moreau.scheme=moreau."
            )

    def _torques(self, context: Context) -> Array:
        tau: Array = self._actuation.Eval(context)
        if not math.isfinite(sum(tau.tolist())):
            index = self.model.plant.GetJointActuatorIndices()[int(np.argmin(np.isfinite(tau)))]
            name = self.model.plant.get_joint_actuator(index).name()
            raise RunError(
                f"the controller sends no number or too large a one to actuator '{name}' at "
                f"t = {context.get_time():.4f} s: check its inputs and gains; if the run "
                "diverges, use a smaller time_step."
            )
        return tau

    def _applied(self, context: Context) -> Array:
        """Generalized force of what is applied to the links, at the state of the dynamics."""
        if not self._applied_wrench.HasValue(context):
            return self._no_force
        force = self._dynamics.applied_force(self._applied_wrench.Eval(context))
        if not np.isfinite(force).all():
            raise RunError(
                f"applied_wrench is no number at t = {context.get_time():.4f} s: check its source."
            )
        return force

    def _jacobian_of(self, begun: BegunRecord) -> Array | JacobianBlocks:
        """Jacobian of the active contacts; by trees of links where islands are solved apart."""
        if len(begun.active) == 0:
            return self._no_jacobian
        measure, rows = self._dynamics.measure, self.contacts.dim * len(begun.active)
        if rows > self._most_rows:  # joints have one each
            joints = int((begun.active >= self.contacts.num_touching).sum())
            rows -= (self.contacts.dim - 1) * joints
        if self._one_tree and rows <= self._most_rows:
            return measure.jacobian(begun.active)
        return measure.blocks(begun.active)

    def _resolve(
        self,
        mass: Array,
        force: Array,
        v_a: Array,
        constraints: Array,
        begun: BegunRecord,
        jacobian: Array | JacobianBlocks,
    ) -> Array:
        """Solve the problem of the active contacts; fills their rows in the record, returns v_E."""
        if not isinstance(jacobian, JacobianBlocks):
            step = self._contact_step(mass, force, v_a, constraints, jacobian, begun)
            v_e, failure = recorded_step(begun.record, step)
        else:
            step = self._contact_step(mass, force, v_a, constraints, self._no_jacobian, begun)
            islands = IslandsStep(step, jacobian, self._dynamics.trees)
            v_e, failure = recorded_islands(begun.record, islands)
        if len(failure) > 0:
            raise unsolved(failure, step)
        return v_e

    def _contact_step(
        self,
        mass: Array,
        force: Array,
        v_a: Array,
        constraints: Array,
        jacobian: Array,
        begun: BegunRecord,
    ) -> ContactStep:
        return ContactStep(
            mass,
            force,
            v_a,
            self.time_step,
            constraints,
            jacobian,
            begun.active,
            self._laws,
            begun.guess,
            begun.before,
            rows_of(begun.record),
            begun.places,
            self.contacts.dim,
            self._impact_law,
            self._options,
        )
