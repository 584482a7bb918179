"""Whole-body control: torques of a robot free in space by one quadratic programme a tick."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, DiscreteValues, LeafSystem

from footfall.arrays import Array
from footfall.checked import Checked, checked, metadata, not_negative, positive
from footfall.errors import RunError, ScenarioError
from footfall.plants.motors import Motor
from footfall.plants.terrain import ground_axes
from footfall.solvers.dual_active_set import SOLVED
from footfall.wording import did_you_mean
from footfall_controllers.controller import declare_ticks
from footfall_controllers.whole_body.collisions import KeptDistances, SelfCollision
from footfall_controllers.whole_body.contacts import Contact, ContactSwitch
from footfall_controllers.whole_body.fall import Fall, FallDetection, braking_torques
from footfall_controllers.whole_body.force_rows import ForceRows
from footfall_controllers.whole_body.inspection import NO_STATE, Inspection, tell
from footfall_controllers.whole_body.limits import JointLimits, TorqueLimits, by_actuator, stops_of
from footfall_controllers.whole_body.motion_kernels import Programme, hold
from footfall_controllers.whole_body.prediction import PredictedPlace
from footfall_controllers.whole_body.programme import ProgrammeBuilder, Weights, axes_of
from footfall_controllers.whole_body.rows import Gains, TaskRows, links_of
from footfall_controllers.whole_body.solver import Outcome, Solver
from footfall_controllers.whole_body.tasks import (
    AngularMomentum,
    CentreOfMass,
    CentreOfPressure,
    Frame,
    Frames,
    JointPosture,
    JointTorque,
    Orientation,
    Place,
    Targets,
)
from footfall_controllers.whole_body.terms import RobotTerms
from footfall_controllers.whole_body.tick import solve_tick

_DIRECTION = metadata(
    lambda n: len(n) == 3 and 0.0 < np.linalg.norm(n) < np.inf, "give a direction [x, y, z]"
)
_MOST = 3.0  # weights of the robot that a contact may bear
_FELT = 0.5  # of the port of contacts
_TAKEN = 0.5  # of the speeds of joints, that a brake may take within a tick


@dataclass
class WholeBodyParameters(Checked, at="controller."):
    """Tasks, contacts and limits of a whole-body controller."""

    # Tasks by name: !CentreOfMass, !AngularMomentum, !Orientation, !Place, !JointPosture,
    # !PredictedPlace, !CentreOfPressure, !JointTorque, !Frame.
    tasks: dict[
        str,
        CentreOfMass
        | AngularMomentum
        | Orientation
        | Place
        | JointPosture
        | PredictedPlace
        | CentreOfPressure
        | JointTorque
        | Frame,
    ] = field(default_factory=dict)
    # What the robot stands on: links with the corners that bear.
    contacts: list[Contact] = field(default_factory=list)
    # Friction coefficient that forces of the ground stay below.
    friction: float = positive(0.5)
    # Normal of the ground in the world; absent: that of the terrain.
    normal: list[float] | None = checked(None, _DIRECTION)
    # How joints stay within the limits of the file; null: they are not looked at.
    joint_limits: JointLimits | None = field(default_factory=JointLimits)
    # Largest torques by joint or pattern ("*_knee") [N m or N], beside the limits of the file.
    torque_limits: dict[str, float] = not_negative({})
    # Damping of drives by joint or pattern [N m s/rad]: gains of the velocity that act within a
    # step, for joints of little inertia.
    drive_damping: dict[str, float] = not_negative({})
    # Prices beside those of the tasks.
    weights: Weights = field(default_factory=Weights)
    # Time between two ticks [s], in which torques are held; 0: a tick at every step.
    period: float = not_negative(0.0)
    # Capsules on links that keep their distance; absent: nothing does.
    self_collision: SelfCollision | None = None
    # Contacts that open and close as they are felt; absent: as the walk says, or always closed.
    contact_switch: ContactSwitch | None = None
    # When the robot counts as fallen: from then on its joints are only braked; null: never.
    fall: Fall | None = field(default_factory=Fall)


@dataclass(frozen=True, eq=False)
class Tick:
    """One tick: the programme, its solution, the torques [N m], and what it tells of itself.

    Programme and solution are those of the last tick of the controller.
    """

    programme: Programme
    x: Array
    outcome: Outcome
    torques: Array
    told: Array


class WholeBodyQp(LeafSystem):
    """Torques by which a robot does its tasks as well as ground, motors and joints allow.

    Input ``state`` ([q; v]); ``targets`` (abstract, `Targets`), which may be left alone: then every
    task holds where the robot is when the simulation begins, and all contacts are closed;
    ``contact``, (contacts,), which may be left alone too: above 0.5 for a contact that is felt; one
    that is not bears nothing whatever the targets say, and one that is takes its load in a ramp.
    Output ``actuation``; ``outcome``, (1,): an `Outcome`, 0 where the programme was solved as it
    is; ``inspection``: the vector of `Inspection`.

    Minimised are the squares of what is missing of the accelerations that tasks ask for and of the
    accelerations of contacts; the equations of motion hold, forces of contacts stay in pyramids
    inside their friction cones, torques within their limits, joints where brakes can still stop
    them before theirs, capsules apart. With a period, torques are held between ticks, and the first
    tick is at the start. A state that is no number gets the torques of the tick before, or none.
    """

    def __init__(
        self,
        plant: MultibodyPlant,
        parameters: WholeBodyParameters,
        time_step: float = 0.0,
        motors: Mapping[str, Motor] | None = None,
    ) -> None:
        """Look names up; raises ModelError or ScenarioError for what the plant does not have.

        time_step: of the engine [s], 0: any. motors: as ``footfall.plants.motors`` reads them,
        whose lines of torque over speed are kept.
        """
        super().__init__()
        self._frames = Frames(parameters.tasks)
        contacts, tasks = parameters.contacts, self._frames.tasks
        chosen = parameters.self_collision
        capsules = [] if chosen is None else [capsule.link for capsule in chosen.capsules]
        links = [*links_of(tasks), *(contact.link for contact in contacts), *capsules]
        damping = by_actuator(plant, parameters.drive_damping, "drive_damping", 0.0)
        inertia = time_step * (abs(plant.MakeActuationMatrix()) @ damping)
        terms = self.terms = RobotTerms(plant, links, inertia)
        normal = np.array(parameters.normal or ground_axes(plant).matrix()[:, 2].tolist())
        self.tasks = tasks
        self._rows = TaskRows(tasks, terms)
        self._forces = ForceRows(tasks, terms, axes_of(normal))
        distances = KeptDistances(chosen, terms)
        most = by_actuator(plant, parameters.torque_limits, "torque_limits", np.inf)
        # (num_actuators,) [N m], of joints at any speed
        self.torque_limits = np.minimum(terms.effort_limits, most)
        self._torques = TorqueLimits(plant, self.torque_limits, motors or {})
        self._builder = ProgrammeBuilder(
            terms, contacts, parameters.friction, normal, _MOST * terms.weight, parameters.weights
        )
        hard = [self._rows.labels[k] for k in self._rows.hard]
        constraints = self._builder.names(hard, distances.names)
        fall = parameters.fall
        self._fall = None if fall is None else FallDetection(fall, terms, self._builder.table)
        of_fall = () if self._fall is None else self._fall.names
        names = (*constraints.names, *of_fall, NO_STATE)
        named = (*self._rows.names, *self._forces.names)
        units = tuple(tasks[name].unit for name in named)
        self.inspection = Inspection(named, units, names, constraints.number)
        self.solver = Solver(constraints.kind)
        self._tables = self._builder.tables(
            *(self._rows, self._forces, distances),
            *(stops_of(plant, parameters.joint_limits), self.inspection),
        )
        self._in_numba = hold(self._tables)
        # [s] of the processor, and the vector of the inspection, by time; no part of the state
        self.log: dict[float, tuple[float, Array]] = {}
        switch = parameters.contact_switch or ContactSwitch()
        self._rate = parameters.period / switch.ramp
        self._fastest_brake = _TAKEN / parameters.period if parameters.period else np.inf
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._targets = self.DeclareAbstractInputPort("targets", Value(Targets()))
        self._contact = self.DeclareVectorInputPort("contact", len(contacts))
        # positions at the start, NaN before it
        self._start = self.DeclareDiscreteState(np.full(plant.num_positions(), np.nan))
        self.DeclareInitializationDiscreteUpdateEvent(self._begin)
        self._actuators = plant.num_actuators()
        self._nothing = np.zeros(self._actuators + self.inspection.size)  # before the first tick
        self._held = None
        if parameters.period:
            # torques that are held, what their tick tells, and shares of load of the contacts
            self._held = self.DeclareDiscreteState(len(self._nothing) + len(contacts))
            declare_ticks(self, parameters.period, self._hold)
        # what is held does not follow from the inputs of now
        of = {self.all_sources_ticket() if self._held is None else self.xd_ticket()}
        self.DeclareVectorOutputPort("actuation", self._actuators, self._calc_actuation, of)
        self.DeclareVectorOutputPort("outcome", 1, self._calc_outcome, of)
        self.DeclareVectorOutputPort("inspection", self.inspection.size, self._calc_inspection, of)

    def solve(
        self,
        state: Array,
        targets: Targets,
        start: Array | None = None,
        shares: Array | None = None,
    ) -> Tick:
        """Return the tick at a state; raises RunError for one that is no number.

        start: positions that tasks without a reference hold. shares: largest activation by contact.
        """
        if not np.isfinite(state).all():
            raise RunError("the whole-body controller gets a state that is no number")
        self._rows.hold(state[: self.terms.plant.num_positions()] if start is None else start)
        self.terms.set_state(state)
        activation = self._builder.activation(targets)
        if shares is not None:
            activation = np.minimum(activation, shares)
        return self._solved(state, targets, activation)

    def _solved(self, state: Array, targets: Targets, activation: Array) -> Tick:
        """Return the tick at the state of the terms; activation: of the contacts, from 0 to 1."""
        terms, tables, links = self.terms, self._tables, self.terms.stack()
        targets = self._frames.split(targets)
        self._rows.ask(targets)
        self._builder.tilt(targets)
        of_forces = tables.corners, links, activation, targets
        self._forces.fill(tables.forces, *of_forces)
        look, torques, limits = self.inspection, np.empty(self._actuators), self._torques
        outcome, told = Outcome.SOLVED, np.zeros(look.size)
        status = solve_tick(
            *(self._in_numba, links, terms.whole, terms.M, terms.h, terms.q, terms.v, activation),
            *(limits.bounds(state), self.solver.cap, torques, told),
        )
        if status != SOLVED:
            found = self.solver.solve(tables.programme)
            tables.x[:], outcome, told[0] = found.x, found.outcome, found.outcome
            tell(
                *(tables.programme, found.x, tables.task_of, tables.number, found.active),
                *(found.conflict, tables.told, torques, told),
            )
        if self._forces.size:
            first, nd = len(self._rows.names), len(terms.driven)
            multipliers = tables.x[nd : nd + self._builder.multipliers]
            look.errors(told)[first:], look.costs(told)[first:] = self._forces.errors(
                *of_forces, multipliers, torques
            )
        return Tick(tables.programme, tables.x, outcome, torques, told)

    def retune(self, name: str, gains: Gains) -> None:
        """Change gains and weight of a task of motion, while a simulation runs if need be.

        Raises ScenarioError for a task that there is not. Whoever repeats the run has to do it
        again: gains are no part of the state.
        """
        for part, arm in self._frames.arms(name):
            if part not in self._rows.names:
                hint = did_you_mean(part, self._rows.names)
                raise ScenarioError(f"there is no task of motion '{part}': {hint}")
            weight = None if gains.weight is None else arm**2 * gains.weight
            self._rows.retune(part, replace(gains, weight=weight))

    def gains(self) -> dict[str, Gains]:
        """Return gains and weights of all tasks of motion as they are."""
        return {name: self._rows.gains(name) for name in self._rows.names}

    def _tick(self, context: Context, start: Array, shares: Array, before: Array) -> Array:
        """Return torques and what their tick tells; before: the same of the tick before."""
        state = self._state.Eval(context)
        targets = self._targets.Eval(context) if self._targets.HasValue(context) else Targets()
        began = time.process_time_ns()
        if not np.isfinite(state).all():
            told = self.inspection.unsolved(Outcome.FALLBACK, [NO_STATE])
            results = np.concatenate([before[: self._actuators], told])
        else:
            self._rows.hold(start)
            if self._fall is not None:
                self._fall.stand(start)
            self.terms.set_state(state)
            activation = np.minimum(self._builder.activation(targets), shares)
            braked = self._fallen(state, activation, before)
            if braked is None:
                tick = self._solved(state, targets, activation)
                braked = np.concatenate([tick.torques, tick.told])
            results = braked
        took = 1e-9 * (time.process_time_ns() - began)
        self.log[context.get_time()] = took, results[self._actuators :]
        return results

    def _fallen(self, state: Array, activation: Array, before: Array) -> Array | None:
        """Return the same of a robot that has fallen, now or before; None for one that stands."""
        if self._fall is None:
            return None
        lost = self._fall.lost(activation)
        if not lost and before[self._actuators] != Outcome.FALLEN:
            return None
        rate = min(self._fall.fall.rate, self._fastest_brake)
        torques = braking_torques(self.terms, rate, *self._torques.bounds(state))
        return np.concatenate([torques, self.inspection.unsolved(Outcome.FALLEN, lost)])

    def _begin(self, context: Context, discrete: DiscreteValues) -> None:
        q = self._state.Eval(context)[: self.terms.plant.num_positions()]
        discrete.set_value(self._start, q)
        self.log.clear()
        if self._held is not None:
            shares = self._shares(context, np.ones(self._contact.size()))
            tick = self._tick(context, q, shares, self._nothing)
            discrete.set_value(self._held, np.concatenate([tick, shares]))

    def _hold(self, context: Context, discrete: DiscreteValues) -> None:
        held = context.get_discrete_state(self._held).value()
        shares = self._shares(context, held[-self._contact.size() :])
        before = held[: len(self._nothing)]
        tick = self._tick(context, self._started(context), shares, before)
        discrete.set_value(self._held, np.concatenate([tick, shares]))

    def _shares(self, context: Context, before: Array) -> Array:
        """Largest activation of contacts: a ramp since they are felt, where that is told."""
        if not self._contact.HasValue(context):
            return np.ones(self._contact.size())
        felt = self._contact.Eval(context) > _FELT
        return np.where(felt, np.minimum(before + self._rate, 1.0), 0.0)

    def _started(self, context: Context) -> Array:
        q: Array = context.get_discrete_state(self._start).value()
        return self._state.Eval(context)[: len(q)] if np.isnan(q).any() else q

    def _now(self, context: Context) -> Array:
        """Torques and what their tick tells, as they are held or of the state."""
        if self._held is not None:
            held: Array = context.get_discrete_state(self._held).value()
            return held[: len(self._nothing)]
        shares = self._shares(context, np.ones(self._contact.size()))
        return self._tick(context, self._started(context), shares, self._nothing)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._now(context)[: self._actuators])

    def _calc_outcome(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._now(context)[self._actuators : self._actuators + 1])

    def _calc_inspection(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._now(context)[self._actuators :])
