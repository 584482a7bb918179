"""Whole-body control: torques of a robot free in space by one quadratic programme a tick."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, DiscreteValues, LeafSystem

from footfall.arrays import Array
from footfall.errors import RunError
from footfall_controllers.whole_body.contacts import Contact
from footfall_controllers.whole_body.limits import JointLimits, ViableAccelerations
from footfall_controllers.whole_body.programme import Programme, ProgrammeBuilder
from footfall_controllers.whole_body.rows import TaskRows, links_of
from footfall_controllers.whole_body.solver import Outcome, Solver
from footfall_controllers.whole_body.targets import Targets
from footfall_controllers.whole_body.tasks import Task
from footfall_controllers.whole_body.terms import RobotTerms
from footfall_controllers.whole_body.weights import Weights

_MOST = 3.0  # weights of the robot that a corner may bear


@dataclass(frozen=True)
class WholeBodyParameters:
    """Tasks, contacts and limits of a whole-body controller.

    tasks: by name. friction: of contacts that have none of their own. normal: of the ground, (3,).
    joint_limits: None leaves the limits of the file alone. torque_limits: (num_actuators,) [N m],
    beside those of the file. period: between two ticks [s]; 0: torques are a function of the state,
    at every step of the engine.
    """

    tasks: Mapping[str, Task]
    contacts: Sequence[Contact]
    friction: float = 0.5
    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)
    joint_limits: JointLimits | None = field(default_factory=JointLimits)
    torque_limits: Array | None = None
    weights: Weights = field(default_factory=Weights)
    period: float = 0.0


@dataclass(frozen=True, eq=False)
class Tick:
    """One tick: the programme, its solution x and how that was found, and the torques [N m]."""

    programme: Programme
    x: Array
    outcome: Outcome
    torques: Array


class WholeBodyQp(LeafSystem):
    """Torques by which a robot does its tasks as well as ground, motors and joints allow.

    Input ``state`` ([q; v]); ``targets`` (abstract, `Targets`), which may be left alone: then every
    task holds where the robot is when the simulation begins, and all contacts are closed. Output
    ``actuation``; ``outcome``, (1,): an `Outcome`, 0 where the programme was solved as it is.

    Minimised are the squares of what is missing of the accelerations that tasks ask for and of the
    accelerations of contacts; the equations of motion hold, forces of contacts stay in pyramids
    inside their friction cones, torques within their limits, joints where brakes can still stop
    them before theirs. With a period, torques are held between ticks, and the first tick is at
    the start.
    """

    def __init__(self, plant: MultibodyPlant, parameters: WholeBodyParameters) -> None:
        """Look names up; raises ModelError or ScenarioError for what the plant does not have."""
        super().__init__()
        contacts, tasks = parameters.contacts, parameters.tasks
        self.terms = RobotTerms(plant, [*links_of(tasks), *(c.link for c in contacts)])
        limits = parameters.torque_limits
        if limits is not None:
            self.terms.effort_limits = np.minimum(self.terms.effort_limits, limits)
        self._tasks = TaskRows(tasks, self.terms)
        chosen = parameters.joint_limits
        self._joints = None if chosen is None else ViableAccelerations(plant, chosen)
        self._builder = ProgrammeBuilder(
            self.terms,
            contacts,
            parameters.friction,
            np.array(parameters.normal),
            _MOST * self.terms.mass * float(np.linalg.norm(self.terms.gravity)),
            parameters.weights,
        )
        self.solver = Solver(self._builder.unknowns, len(self.terms.driven))
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._targets = self.DeclareAbstractInputPort("targets", Value(Targets()))
        # positions at the start, NaN before it
        self._start = self.DeclareDiscreteState(np.full(plant.num_positions(), np.nan))
        self.DeclareInitializationDiscreteUpdateEvent(self._begin)
        self._held = None
        if parameters.period:
            # torques that are held, and the outcome of their tick
            self._held = self.DeclareDiscreteState(plant.num_actuators() + 1)
            self.DeclarePeriodicDiscreteUpdateEvent(
                parameters.period, parameters.period, self._hold
            )
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc_actuation)
        self.DeclareVectorOutputPort("outcome", 1, self._calc_outcome)

    def solve(self, state: Array, targets: Targets, start: Array | None = None) -> Tick:
        """Return the tick at a state; start: positions that tasks without a reference hold."""
        terms = self.terms
        if not np.isfinite(state).all():
            raise RunError("the whole-body controller gets a state that is no number")
        self._tasks.hold(state[: terms.plant.num_positions()] if start is None else start)
        terms.set_state(state)
        rows, wanted = self._tasks.rows(targets)
        free = np.full(len(terms.h), np.inf)
        bounds = (-free, free) if self._joints is None else self._joints.bounds(terms.q, terms.v)
        programme = self._builder.build(rows, wanted, targets.contacts, bounds)
        x, outcome = self.solver.solve(programme)
        torques = np.nan_to_num(programme.torques(x), posinf=0.0, neginf=0.0)
        return Tick(programme, x, outcome, np.clip(torques, -programme.limit, programme.limit))

    def _tick(self, context: Context, start: Array) -> Tick:
        given = self._targets.HasValue(context)
        targets = self._targets.Eval(context) if given else Targets()
        return self.solve(self._state.Eval(context), targets, start)

    def _begin(self, context: Context, discrete: DiscreteValues) -> None:
        q = self._state.Eval(context)[: self.terms.plant.num_positions()]
        discrete.set_value(self._start, q)
        if self._held is not None:
            tick = self._tick(context, q)
            discrete.set_value(self._held, [*tick.torques, tick.outcome])

    def _hold(self, context: Context, discrete: DiscreteValues) -> None:
        tick = self._tick(context, self._started(context))
        discrete.set_value(self._held, [*tick.torques, tick.outcome])

    def _started(self, context: Context) -> Array:
        q: Array = context.get_discrete_state(self._start).value()
        return self._state.Eval(context)[: len(q)] if np.isnan(q).any() else q

    def _now(self, context: Context) -> Array:
        """Torques and outcome, as they are held or of the state."""
        if self._held is not None:
            held: Array = context.get_discrete_state(self._held).value()
            return held
        tick = self._tick(context, self._started(context))
        return np.array([*tick.torques, tick.outcome])

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._now(context)[:-1])

    def _calc_outcome(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._now(context)[-1:])
