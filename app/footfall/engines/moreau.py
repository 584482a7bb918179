"""Moreau's time stepping as a LeafSystem: any Drake plant with set-valued contact laws.

One step of length dt from t_A to t_E, with the plant as provider of M, h, gaps and Jacobians:

    q_M = q_A + dt/2 N(q_A) v_A
    M_M (v_E - v_A) = (h(q_M, v_A) + B tau + f) dt + J_M^T Lambda    (contacts with gap(q_M) <= 0)
    q_E = q_M + dt/2 N(q_M) v_E

This is ``footfall.engines.moreau_step``, compiled as a whole, of which
``footfall.engines.moreau_midpoint`` is the step of second order that ``moreau.scheme`` may ask for.

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
from collections.abc import Callable, Sequence

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import ExternallyAppliedSpatialForce
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, Context, DiscreteValues, EventStatus, LeafSystem

from footfall.arrays import Array
from footfall.contact.coefficients import MU, MU_STATIC, SIDE
from footfall.engines.answers import handle_of
from footfall.engines.driven import NO_NUMBER, Driving, Rows, address_of_roll, drive, foreseen
from footfall.engines.impacts import IMPACT_LAWS, OWN_LAW, SolverOptions
from footfall.engines.machine import machine_of, memory_of, most_rows
from footfall.engines.moreau_config import MIDPOINT, MoreauConfig
from footfall.engines.moreau_report import (
    failed_problem,
    impulses_of,
    problem_of,
    report_of,
    unsolved,
)
from footfall.engines.moreau_step import KNOWS_DYNAMICS, failed_network, roll
from footfall.engines.own import Own, OwnScheme, Python, require_projection
from footfall.engines.ports import (
    ACTUATION,
    APPLIED_WRENCH,
    CONTACT_IMPULSES,
    CONTACT_REPORT,
    STATE,
    ContactReport,
)
from footfall.engines.record import (
    GAP,
    IMPULSE,
    MODE,
    NORMAL,
    POINT,
    VELOCITY,
    WHICH,
    empty_record,
    known_rows,
    rows_for,
    rows_of,
)
from footfall.engines.tables import (
    COINCIDENT,
    DONE,
    NO_END,
    NO_ROOM,
    TOO_MANY,
    UNSOLVED,
    Rules,
)
from footfall.errors import FootfallError, ModelError, RunError
from footfall.plants.constraints import COINCIDE
from footfall.plants.contacts import ContactSet
from footfall.plants.dynamics import Dynamics
from footfall.plants.flat.laws import (
    NO_LIMITS,
    Law,
    Limits,
    PdLaw,
    actuated_places,
    limit_torques,
    limits_act,
    prescribed,
)
from footfall.plants.flat.pushed import add_pushes, mean_shares, push_table, turned
from footfall.plants.forces import ImplicitForces, springs_join_bodies
from footfall.plants.kinematics import Kinematics
from footfall.plants.loading.load import Model
from footfall.plants.motors import OF_MIDPOINT, OF_MOREAU, Drives, PdGains
from footfall.solvers import METHODS, StepProblem, method_name
from footfall.solvers.problem import OWN
from footfall.trajectory.contact_table import ContactTable
from footfall.trajectory.pushes import LinkPush

_MOST_AHEAD, _MOST_NUMBERS = 64, 200_000  # steps that are made at once, numbers of their records

OnStep = Callable[[Array, Array, Array, Array], None]

# m or rad: what takes part in a step, and what was pressed in the last one and still does.
# In steps of second order the law alone lets go what was pressed: by the middle of the step it may
# have drifted apart a little.
_TOUCHING_HELD = (0.0, np.inf)
# Where they are recovered they end at zero as well.
_TOUCHING_RECOVERED = (1e-9, np.inf)


class _Ahead:
    """Steps that were made at once under held torques; no part of the state.

    first: number of the first; end: how many there are; row: that comes next. held: how many steps
    the torques have been held.
    """

    def __init__(self, rows: Rows) -> None:
        self.rows, self.torques = rows, np.full(rows.efforts.shape[1], np.nan)
        self.first = self.row = self.end = self.held = 0

    def forget(self) -> None:
        """Drop them."""
        self.row = self.end = 0

    def is_there(self, step: int) -> bool:
        """Say whether the next row is of a step of this number."""
        return self.row < self.end and step == self.first + self.row


class MoreauEngine(LeafSystem):
    """A machine in rigid contact; ports as in ``footfall.engines.ports``.

    All state is in the context: [q; v]; the record of the last step, which also warm-starts the
    next one; and where feet take turns, which of the two are off. Raises ModelError for a plant
    with constraints that this engine does not know, or with forces that the midpoint rule does not
    know; while stepping, ContactNotSolved, and RunError for a NaN at the actuation port or a state
    that diverges. drives: whose torque follows their joints within a step, None where no gains were
    given. note: a line for who runs it. on_step: called at the end of every step that an event
    asked for, with the actuation, the generalized force of ``applied_wrench``, [q; v] at its end
    and its record, which whoever records them has to copy. rolls: steps need nothing of Python but
    torques, as long as no port has pushes. law: of the torques in place of what the port asks for,
    where a run has one.
    """

    law: Law | None = None
    _driving: Driving | None

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
        self._dynamics = dynamics = Dynamics(model, contacts)
        self._touching = _TOUCHING_HELD if self.is_midpoint else (0.0, self.config.release_gap)
        if self.config.recover_gaps:
            self._touching = _TOUCHING_RECOVERED
        self._nq, self._nv = plant.num_positions(), plant.num_velocities()
        self.drives: Drives | None = None
        if gains is not None:
            within = OF_MIDPOINT if self.is_midpoint else OF_MOREAU
            self.drives = Drives(plant, gains, time_step, within)
        links = dynamics.kinematics.links
        if self.is_midpoint and not links.holds_forces:
            raise ModelError(
                f"moreau.scheme: {MIDPOINT} cannot be used where "
                f"{links.why_not.partition(': ')[2]}: leave it out."
            )
        self._load_own()
        self.rolls = links.holds_forces and self._scheme is None
        self._implicit = ImplicitForces(plant, time_step, 0.5 if self.is_midpoint else 1.0)
        self._in_drake = springs_join_bodies(plant)
        self._start = Kinematics(plant)  # of a step, for pushes that turn with links
        self._held = prescribed(np.zeros((1, plant.num_actuators())))
        self._ahead = _Ahead(self.room_for(_MOST_AHEAD))
        self.limit(NO_LIMITS)
        self.put(())
        rows = self._ahead.rows  # of which the first are those of a step by itself
        self._states, self._efforts, self._off = rows.states[:2], rows.efforts[:1], rows.offs[1]
        self._applied_force, self._records = rows.applied[:1], rows.records[:2]
        self._take_contacts(contacts)

        self._actuation = self.DeclareVectorInputPort(ACTUATION, plant.num_actuators())
        self._applied_wrench = self.DeclareAbstractInputPort(
            APPLIED_WRENCH, Value[list[ExternallyAppliedSpatialForce]]()
        )
        default = self._states[0].copy()
        state = self.DeclareDiscreteState(default)
        record = self.DeclareDiscreteState(empty_record(rows_for(contacts)))
        self._swing_foot_filter = contacts.swing_foot_filter
        if self._swing_foot_filter is not None:
            dynamics.set_state(default)
            off = self._swing_foot_filter.off_at_start(*dynamics.gaps())
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

    def _load_own(self) -> None:
        """Load the functions of one's own that the options name."""
        own = {name: part.load(f"moreau.{name}") for name, part in self.config.own.items()}
        self._own = Own(own.get("solver"), own.get("impact_law"), own.get("friction_law"))
        self._scheme: OwnScheme | None = None
        if "scheme" in own:
            self._scheme = OwnScheme(own["scheme"], self._dynamics, self.time_step)
            if self._dynamics.bilateral or self.config.recover_gaps:
                raise ModelError(
                    "moreau.scheme: one of your own closes no loops and recovers no gaps: take "
                    "them out, or choose a scheme by its name."
                )

    def set_state(self, context: Context, state: Array) -> None:
        """Put [q; v] into a context with the gaps there, and forget the last step's impulses.

        Of feet that take turns the lower one stands, of two at one height the one ahead; the other
        is on only if it is ahead and above the ground.
        """
        self._dynamics.set_state(state)
        gap, p_WC = self._dynamics.gaps()
        record = self._record_at(gap, p_WC)
        context.SetDiscreteState(0, state)
        context.SetDiscreteState(1, record)
        if self._swing_foot_filter is not None:
            off = self._swing_foot_filter.off_at_start(gap, p_WC)
            context.SetDiscreteState(2, np.array(off, dtype=np.float64))

    def remember(self, context: Context, table: ContactTable) -> None:
        """Put what the last step left at contacts into a context, beside the state that it has.

        table: of that row of a trajectory. Of contacts that stand for several points it does not
        tell which of them bore what: all that are closed count as pressed.
        """
        record, points = context.get_discrete_state(1).get_value().copy(), self.contacts.reported_as
        columns, single = table.columns, np.bincount(points) == 1
        _, known = known_rows(record)
        for row, name in zip(rows_of(record), points[known], strict=False):
            entry = np.flatnonzero(table.contact == name)
            if not entry.size or not (single[name] or row[GAP] <= self.config.release_gap):
                continue
            row[MODE] = columns["mode"][entry[0]]
            if single[name]:
                row[IMPULSE : IMPULSE + 3] = columns["impulse"][entry[0]]
                row[VELOCITY : VELOCITY + 3] = columns["contact_velocity"][entry[0]]
        context.SetDiscreteState(1, record)

    def arrays_for(self, steps: int) -> tuple[Array, Array, Array, Array, Array]:
        """Return what ``roll`` takes behind a handle, for so many steps from the default state."""
        plant = self.model.plant
        states = np.zeros((steps + 1, plant.num_multibody_states()))
        states[0] = plant.GetPositionsAndVelocities(plant.CreateDefaultContext())
        records = np.tile(empty_record(rows_for(self.contacts)), (steps + 1, 1))
        efforts = np.zeros((steps, plant.num_actuators()))
        return states, efforts, np.zeros((steps, plant.num_velocities())), np.zeros(0), records

    def room_for(self, steps: int) -> Rows:
        """Return rows for so many steps, or for fewer where records are long."""
        most = max(2, _MOST_NUMBERS // len(empty_record(rows_for(self.contacts))))
        states, efforts, applied, _, records = self.arrays_for(min(steps, most))
        feet = 0 if self.contacts.swing_foot_filter is None else 2
        efforts, offs = np.zeros((len(states), efforts.shape[1])), np.zeros((len(states), feet))
        return Rows(states, efforts, applied, offs, records)

    def limit(self, limits: Limits) -> None:
        """Keep the torques that the port of actuators has within limits."""
        self.limits, self._driving = limits, None
        self._ahead.forget()

    def put(self, pushes: Sequence[LinkPush]) -> None:
        """Replace the pushes that act beside ``applied_wrench``: from the next step on."""
        self._pushes, self._table = tuple(pushes), push_table(self.model.plant, pushes)
        self._driving = None
        self._ahead.forget()

    def efforts(self, context: Context) -> Array:
        """Torques of the actuators in a step from a context on (nu,), within limits."""
        if self.law is not None:
            rows = self.room_for(0)
            self._drive(context, self.law, rows)
            return rows.efforts[0]
        tau: Array = self._actuation.Eval(context).copy()
        if self.limits.velocity.size:
            state = context.get_discrete_state(0).get_value()
            limit_torques(self.limits, state[self._nq :], tau)
        return tau

    def roll(
        self, context: Context, states: Array, efforts: Array, applied: Array, records: Array
    ) -> tuple[int, FootfallError | None]:
        """Make steps in compiled code, under the law if there is one.

        Without it, torques are what the port of actuators asks for now. The arrays are those of
        `Rows`: filled from the state and record of the context, which gets the last ones. Returns
        how many steps came to their end, and what ended the next one.
        """
        law, offs = self.law, np.zeros((len(states), self._off.size))
        rows = Rows(states, efforts, applied, offs, records)
        if law is None:
            law = self._held._replace(ff=self._actuation.Eval(context).reshape(1, -1))
        begun = context.get_time()
        done, status = self._drive(context, law, rows)
        self.take_row(context, rows, done)
        if status == DONE:
            return done, None
        return done, self.end_of(status, begun + done * self.time_step, rows.part(done, done + 1))

    def _drive(self, context: Context, law: Law, rows: Rows) -> tuple[int, int]:
        """Fill rows from those of a context; returns how many steps ended, and how the next did."""
        self.begin_rows(context, rows)
        self.read_gravity()
        return self.make_steps(law, round(context.get_time() / self.time_step), rows)

    def make_steps(self, law: Law, begun: int, rows: Rows) -> tuple[int, int]:
        """Fill rows from the first of them, of a step of a number, under a law.

        Returns how many steps ended, and how the next one did, which ``end_of`` explains.
        """
        steps, done = len(rows.applied), 0
        shares = mean_shares(self._pushes, begun, steps, self.time_step)
        alone = not (rows.offs.size or (self._pushes and shares.any()))
        plain = law if alone and isinstance(law, PdLaw) else None
        if plain is not None and not (plain.kp is self._held.kp or plain.is_prescribed):
            plain = None
        while True:
            left, first, count = rows.part(done, steps) if done else rows, begun + done, -1
            if plain is not None:
                count, status = self._roll_plainly(plain, first, left)
            if count < 0:
                count, status = drive(self.handle, self._driven(), law, first, shares[done:], left)
            done += count
            if status != NO_ROOM:
                return done, status
            self._make_room()

    @property
    def is_plain(self) -> bool:
        """Say whether steps under torques that no limit changes are those of ``roll``."""
        alone = not self._pushes and self._swing_foot_filter is None and self.drives is None
        return self.rolls and alone

    def _roll_plainly(self, law: PdLaw, first: int, rows: Rows) -> tuple[int, int]:
        """Make steps as ``drive`` does under a law that has no gains, but -1 of them if limits act.

        No feet take turns.
        """
        states, efforts, applied, offs, _ = rows
        applied[:], efforts[:] = 0.0, law.ff[0]
        if len(law.ff) > 1:
            efforts[:] = law.ff[np.minimum(first + np.arange(len(states)), len(law.ff) - 1)]
        steps = len(applied)
        if not math.isfinite(efforts.sum()):
            bad = ~np.isfinite(efforts[:-1]).all(axis=1)
            steps = int(np.argmax(bad)) if bad.any() else steps
        part = rows if steps == len(applied) else rows.part(0, steps)
        count, status = roll(
            self.handle, 0, part.states, efforts[:steps], part.applied, offs[0], part.records
        )
        limited = self.limits.velocity.size > 0
        if limited and limits_act(self.limits, states[: count + 1], self._nq, efforts[: count + 1]):
            return -1, status
        return count, NO_NUMBER if status == DONE and steps < len(applied) else status

    def _driven(self) -> Driving:
        """Return what is between laws and steps."""
        if self._driving is None:
            address = address_of_roll(self.handle, self._ahead.rows)
            places = actuated_places(self.model.plant)
            self._driving = Driving(address, *places, self.limits, self._table)
        return self._driving

    def begin_rows(self, context: Context, rows: Rows) -> None:
        """Let rows begin with what a context holds."""
        rows.states[0] = context.get_discrete_state(0).get_value()
        rows.records[0] = context.get_discrete_state(1).get_value()
        if self._swing_foot_filter is not None:
            rows.offs[0] = context.get_discrete_state(2).get_value()

    def take_row(self, context: Context, rows: Rows, row: int) -> None:
        """Put one of some rows into a context."""
        context.SetDiscreteState(0, rows.states[row])
        context.SetDiscreteState(1, rows.records[row])
        if self._swing_foot_filter is not None:
            context.SetDiscreteState(2, rows.offs[row])

    def read_gravity(self) -> None:
        """Let steps have the gravity that the plant of the model has now."""
        self._dynamics.kinematics.read_gravity()

    def record_in(self, context: Context) -> Array:
        """Record of the last step in a context, as ``footfall.engines.record`` lays it out."""
        record: Array = context.get_discrete_state(1).get_value()
        return record

    def change_friction(self, _context: Context, contacts: ContactSet) -> None:
        """Give contacts other coefficients from the next step on; the engine keeps them."""
        self._take_contacts(contacts)

    def change_gravity(self, _context: Context, gravity: float) -> None:
        """Let gravity [m/s^2] be another one; the plant of the model keeps it for all its users."""
        vector = [0.0, 0.0, -gravity]
        self.model.plant.mutable_gravity_field().set_gravity_vector(vector)
        self.read_gravity()
        self._ahead.forget()

    def _take_contacts(self, contacts: ContactSet) -> None:
        """Put the tables of the compiled step together."""
        self.contacts = contacts
        self._ahead.forget()
        config, dynamics, dt = self.config, self._dynamics, self.time_step
        # constraints and springs may join any trees: with them, all is one dense problem
        held = bool(dynamics.bilateral) or self._in_drake
        rules = Rules(
            dt,
            *self._touching,
            OWN_LAW if isinstance(config.impact_law, Python) else IMPACT_LAWS[config.impact_law],
            SolverOptions(
                self._method(),
                config.tolerance,
                config.prox_parameter,
                config.max_iterations,
            ),
            held or len(dynamics.trees.sizes) == 1,
            most_rows(held),
            self.is_midpoint,
            config.recover_gaps,
        )
        machine = machine_of(dynamics, contacts, rules, self._implicit.in_joints, self.drives)
        if self._scheme is not None:  # whose force is what it says, in free flight as well
            machine = machine._replace(spins=machine.spins[:0])
        if self._own.friction is not None:
            laws = machine.surfaces.laws
            if (laws[:, SIDE] != 1.0).any() or (laws[:, MU_STATIC] > laws[:, MU]).any():
                raise ModelError(
                    "moreau.friction_law: one of your own knows no static_friction and no friction "
                    "that differs along s: say so in your law, and leave them out."
                )
            require_projection(self._own.friction, laws[:, MU], machine.surfaces.dim - 1)
            # each point has the law by itself: none may bear the load of others
            machine = machine._replace(face=np.full_like(machine.face, -1))
        self._machine = machine
        self._memory = memory_of(machine, contacts, self._nq)
        self.handle = handle_of(machine, self._memory, self._own)

    def _method(self) -> int:
        """Return the number of the solver, of which compiled code knows the fallback chain."""
        solver = self.config.solver
        method = OWN if isinstance(solver, Python) else METHODS[method_name(solver)]
        return method or (OWN if self._own.solves else method)

    def watch(self, simulator: Simulator) -> None:
        """Do as Drake's engine does, which needs a simulator's monitor; this one needs nothing."""

    @property
    def is_midpoint(self) -> bool:
        """Say whether dampers and all other forces take the mean velocity of a step."""
        return self.config.scheme == MIDPOINT

    def warm_up(self) -> None:
        """Compile or load the kernels, so that the first step takes no longer than others."""
        no_steps = self._states[:1]
        roll(
            self.handle,
            0,
            no_steps,
            self._efforts[:0],
            self._applied_force[:0],
            self._off,
            self._records[:1],
        )

    def _record_at(self, gap: Array, p_WC: Array) -> Array:
        """Record of a machine that has made no step, with the gaps of its contacts."""
        record = empty_record(len(rows_of(self._records[0])))
        rows, normals = rows_of(record), self._dynamics.measure.normals
        known = np.flatnonzero(gap < np.inf)[: len(rows)]
        rows = rows[: len(known)]
        rows[:, WHICH], rows[:, GAP], rows[:, POINT : POINT + 3] = known, gap[known], p_WC[known]
        pair = normals.pair_of[known[known < len(normals.pair_of)]]
        along, apart = rows[: len(pair), NORMAL : NORMAL + 3], pair >= 0
        along[:] = normals.ground
        along[apart] = normals.of_pairs[pair[apart]]
        return record

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        record = context.get_discrete_state(1).get_value()
        output.SetFromVector(impulses_of(record, self.contacts, self._dynamics.axes).ravel())

    def _calc_report(self, context: Context, output: Value) -> None:
        record = context.get_discrete_state(1).get_value()
        output.set_value(report_of(record, self.contacts, self._dynamics.axes))

    def _step(self, context: Context, discrete: DiscreteValues) -> EventStatus:
        ahead = self._ahead
        if self.rolls and not self._applied_wrench.HasValue(context):
            self._foresee_steps(context)
        else:
            ahead.forget()
            self._step_alone(context)
        rows, row = ahead.rows, ahead.row
        ahead.row += 1
        discrete.set_value(0, rows.states[row + 1])
        discrete.set_value(1, rows.records[row + 1])
        if self._swing_foot_filter is not None:
            discrete.set_value(2, rows.offs[row + 1])
        if self.on_step is not None:
            self.on_step(
                rows.efforts[row], rows.applied[row], rows.states[row + 1], rows.records[row + 1]
            )
        return EventStatus.Succeeded()

    def _foresee_steps(self, context: Context) -> None:
        """Let the next row be that of the step from a context on.

        Torques that are held, as those of a controller with a period, are held for as many steps as
        they were before. These are made at once, and each is taken where its state and torques come
        to be what they were taken for.
        """
        ahead, torques = self._ahead, self._actuation.Eval(context)
        state, record = (context.get_discrete_state(group).get_value() for group in (0, 1))
        step = round(context.get_time() / self.time_step)
        held, begins = foreseen(torques, state, record, ahead.torques, ahead.rows, ahead.row)
        if not (held and begins and ahead.is_there(step) and self._feet_are(context)):
            steps = max(1, min(ahead.held if begins else 0, len(ahead.rows.applied)))
            if not (held and begins):  # nor where somebody set the state
                ahead.held = 0
            ahead.forget()
            rows, law = ahead.rows.part(0, steps), self._held._replace(ff=torques.reshape(1, -1))
            done, status = self._drive(context, law, rows)
            if done == 0:
                raise self.end_of(status, context.get_time(), rows)
            ahead.torques, ahead.first, ahead.end = torques.copy(), step, done
        ahead.held += 1

    def _feet_are(self, context: Context) -> bool:
        """Say whether those feet are off in a context that the next row begins with."""
        if self._swing_foot_filter is None:
            return True
        off = context.get_discrete_state(2).get_value()
        return bool((off == self._ahead.rows.offs[self._ahead.row]).all())

    def commands(self, states: Array, efforts: Array) -> Array:
        """Return torques (n, nu) of a controller under which drives gave some efforts (n, nu).

        states (n + 1, nq + nv): at the ends of the steps.
        """
        if self.drives is None:
            return efforts
        v = states[:, self._nq + self._machine.motors.velocity]
        return efforts + self.drives.of_start * v[:-1] + self.drives.slope * np.diff(v, axis=0)

    def repeat(self, context: Context, efforts: Array) -> StepProblem:
        """Make the step from a context on under some torques (nu,); returns its contact problem.

        The context gets its end, but for the time; nobody is told of it. Raises what ends a run,
        and RunError for a step with an impact before the forces.
        """
        self._ahead.forget()
        self._step_alone(context, efforts)
        rows, machine, memory = self._ahead.rows, self._machine, self._memory
        start, record = rows.states[0], rows.records[1]
        problem = problem_of(machine, memory, self._dynamics, self.contacts, start, record)
        context.SetDiscreteState(0, rows.states[1])
        context.SetDiscreteState(1, record)
        if self._swing_foot_filter is not None:
            context.SetDiscreteState(2, self._off)
        return problem

    def _step_alone(self, context: Context, efforts: Array | None = None) -> None:
        """Make a step of which Python does a part, into the first rows."""
        self.begin_rows(context, self._ahead.rows)
        self._off[:] = self._ahead.rows.offs[0]
        self._efforts[0] = self._torques(context) if efforts is None else efforts
        self._roll(context, self._begin(context))
        if self._scheme is not None:
            end = self._states[1]
            end[: self._nq] = self._scheme.end(end[self._nq :], self._nq)

    def _begin(self, context: Context) -> int:
        """Do what of a step compiled code cannot; returns what that is."""
        pushed = bool(self._pushes) or self._applied_wrench.HasValue(context)
        known, force = 0, None
        if self._scheme is not None:
            state = self._states[0]
            q_m, force = self._scheme.begin(state[: self._nq], state[self._nq :])
            self._dynamics.set_state(np.concatenate((q_m, state[self._nq :])))
        elif pushed or not self.rolls:
            q_m = self._foresee()
        if not self.rolls:
            self._ask_dynamics(q_m, force)
            known = KNOWS_DYNAMICS
        if pushed:
            self._applied_force[0] = self._applied(context)
        return known

    def _foresee(self) -> Array:
        """Let the dynamics be at the middle of the step, as the velocity at its start has it."""
        q_a, v_a = self._states[0, : self._nq], self._states[0, self._nq :]
        q_m = self._dynamics.advance_positions(q_a, v_a, 0.5 * self.time_step)
        self._dynamics.set_state(np.concatenate((q_m, v_a)))
        return q_m

    def _ask_dynamics(self, q_m: Array, force: Array | None) -> None:
        """Fill the memory with what the dynamics know; force: in place of their h."""
        dynamics, memory = self._dynamics, self._memory
        mass, placed = dynamics.mass_matrix(), dynamics.links_placed()
        force = dynamics.h() if force is None else force
        memory.work.pose[:], memory.work.twist[:] = placed.poses, placed.twists
        memory.work.H[:] = np.take_along_axis(mass, placed.tree.path, axis=1)
        memory.work.h[:], memory.q_m[:] = force, q_m
        if self._in_drake:
            self._machine.added[:] = self._implicit.added_mass(dynamics.context)

    def _roll(self, context: Context, known: int) -> None:
        """Make a step in compiled code; raises what ends the run."""
        ports = self._states, self._efforts, self._applied_force, self._off, self._records
        _, status = roll(self.handle, known, *ports)
        if status == NO_ROOM:
            self._make_room()
            _, status = roll(self.handle, known, *ports)
        if status != DONE:
            raise self.end_of(status, context.get_time(), self._ahead.rows)

    def _make_room(self) -> None:
        """Give the memory room for a contact problem that is larger than those before."""
        rows, points = (int(size) for size in self._memory.counts[2:4])
        former = self._memory
        larger = memory_of(self._machine, self.contacts, self._nq, 2 * rows, 2 * points)
        self._memory = former._replace(group=larger.group, held=larger.held, later=larger.later)
        self.handle = handle_of(self._machine, self._memory, self._own)

    def end_of(self, status: int, time: float, rows: Rows) -> FootfallError:
        """Error of the first step of some rows, which has no end; raises what was raised in it."""
        if status == NO_NUMBER:
            return self._no_torque(rows.efforts[0], time)
        self.handle.answers.raise_fault()
        if status == UNSOLVED:
            record, memory = rows.records[1], self._memory
            if memory.counts[5] < 0:
                failed = failed_problem(self._machine, memory, record)
            else:
                failed = failed_network(self.handle, record)
            return unsolved(failed, self.contacts.dim, self.config.tolerance)
        if status == COINCIDENT:
            return ModelError(COINCIDE)
        if status == TOO_MANY:
            return RunError(
                f"more points between bodies touch at t = {time:.4f} s than the "
                f"{rows_for(self.contacts)} that fit: filter the collisions of links that overlap."
            )
        if status == NO_END:
            return RunError(
                f"the implicit midpoint rule finds no end of the step at t = {time:.4f} s: use a "
                "smaller time_step, or moreau.scheme=moreau."
            )
        fastest = np.abs(rows.states[0, self._nq :]).max()
        return RunError(
            f"the state diverges at t = {time:.4f} s from a velocity of {fastest:.3g}: use a "
            "smaller time_step or softer gains."
        )

    def _torques(self, context: Context) -> Array:
        tau = self.efforts(context)
        if not math.isfinite(sum(tau.tolist())):
            raise self._no_torque(tau, context.get_time())
        return tau

    def _no_torque(self, tau: Array, time: float) -> RunError:
        index = self.model.plant.GetJointActuatorIndices()[int(np.argmin(np.isfinite(tau)))]
        name = self.model.plant.get_joint_actuator(index).name()
        return RunError(
            f"the controller sends no number or too large a one to actuator '{name}' at "
            f"t = {time:.4f} s: check its inputs and gains; if the run diverges, use a smaller "
            "time_step."
        )

    def _applied(self, context: Context) -> Array:
        """Generalized force of what is applied to the links, at the state of the dynamics."""
        force = np.zeros(self._nv)
        if self._applied_wrench.HasValue(context):
            force = self._dynamics.applied_force(self._applied_wrench.Eval(context))
        if self._pushes:
            self._add_pushes(context, force)
        if not np.isfinite(force).all():
            raise RunError(
                f"applied_wrench is no number at t = {context.get_time():.4f} s: check its source."
            )
        return force

    def _add_pushes(self, context: Context, force: Array) -> None:
        step, table = round(context.get_time() / self.time_step), self._table
        shares = mean_shares(self._pushes, step, 1, self.time_step)[0]
        if not shares.any():
            return
        acting, placed = np.empty((len(shares), 2, 3)), self._dynamics.links_placed()
        if table.turns.any():
            self._start.place(self.model.plant.CreateDefaultContext(), self._states[0, : self._nq])
        turned(table, shares, self._start.poses, acting)
        add_pushes(placed.tree, table, acting, placed.poses, placed.twists, force)
