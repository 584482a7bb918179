"""Drake's plant in steps whose error is controlled: CENIC, a convex implicit integrator.

V. Kurtz, A. Castro, CENIC: Convex Error-controlled Numerical Integration for Contact, 2025
(arXiv:2511.08771). Within a step, torques and pushes are held, and the integrator divides it until
its estimate of the error is below an accuracy. Every step begins anew, so that it follows from the
state alone. The integrator wants a diagram of its own in which the plant lies, which is that of
``drake-continuous``, so this engine keeps one beside the diagram that it is part of.
"""

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.systems.analysis import (
    ApplySimulatorConfig,
    GetIntegrationSchemes,
    Simulator,
    SimulatorConfig,
)
from pydrake.systems.framework import (
    BasicVector,
    Context,
    DiagramBuilder,
    EventStatus,
    LeafSystem,
    State,
)

from footfall.arrays import Array
from footfall.engine_names import CENIC
from footfall.engines.drake import DrakeConfig, DrakeEngine, make_drake_engine
from footfall.engines.ports import (
    ACTUATION,
    APPLIED_WRENCH,
    CONTACT_IMPULSES,
    CONTACT_REPORT,
    STATE,
    ContactReport,
)
from footfall.errors import ScenarioError
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import bodies_of
from footfall.plants.loading.load import Model
from footfall.plants.motors import OF_DRAKE, Drives, PdGains, feedback

SCHEME = "cenic"
"""Drake's name of the integrator."""

_Pushes = Value[list[ExternallyAppliedSpatialForce]]


def add_cenic_engine(
    builder: DiagramBuilder,
    oracle: Model,
    contacts: ContactSet,
    time_step: float,
    config: DrakeConfig,
    gains: PdGains | None,
) -> "CenicEngine":
    """Add the engine, as ``add_drake_engine`` does; raises ScenarioError for what it has not."""
    if SCHEME not in GetIntegrationSchemes():
        raise ScenarioError(
            f"engine {CENIC}: this Drake has no such integrator: choose drake or drake-continuous."
        )
    inner = make_drake_engine(
        oracle, contacts, time_step, config, continuous=True, held=gains, engine=CENIC
    )
    _require_mass(oracle.plant)
    parts = DiagramBuilder()
    stepper = parts.AddNamedSystem("stepper", CenicStepper(inner, config.accuracy, gains))
    for port in (ACTUATION, APPLIED_WRENCH):
        parts.ExportInput(stepper.GetInputPort(port), port)
    for port in (STATE, CONTACT_IMPULSES, CONTACT_REPORT):
        parts.ExportOutput(stepper.GetOutputPort(port), port)
    engine = CenicEngine()
    engine.adopt(parts, inner.plant, time_step)
    engine.stepper = stepper
    if gains is not None:
        engine.drives = Drives(oracle.plant, gains, time_step, OF_DRAKE)
    return builder.AddNamedSystem("drake", engine)


def _require_mass(plant: MultibodyPlant) -> None:
    """Raise ScenarioError for a link that has no mass, nor has what is welded to it."""
    context = plant.CreateDefaultContext()
    for body in bodies_of(plant)[1:]:
        welded = plant.GetBodiesWeldedTo(body)
        if not plant.IsAnchored(body) and not any(each.get_mass(context) for each in welded):
            raise ScenarioError(
                f"engine {CENIC}: link '{body.scoped_name()}' and what is welded to it have no "
                "mass, which its integrator does not take: give it some, or choose drake or moreau."
            )


class CenicStepper(LeafSystem):
    """Advances the plant of an engine in continuous time by steps, to a relative accuracy.

    All state is discrete: [q; v] of the plant, and what its contacts did in the last step, as
    ``ContactSums`` has it. inner: the engine. own: the context of it that is stepped.
    """

    def __init__(self, inner: DrakeEngine, accuracy: float, gains: PdGains | None) -> None:
        """Take the engine, and gains that its drives have in it."""
        super().__init__()
        plant, self.inner, self._time_step = inner.plant, inner, inner.time_step
        self._simulator = Simulator(inner)
        config = SimulatorConfig(
            integration_scheme=SCHEME,
            accuracy=accuracy,
            max_step_size=self._time_step,
            use_error_control=True,
        )
        ApplySimulatorConfig(config, self._simulator)
        self._simulator.get_mutable_integrator().request_initial_step_size_target(self._time_step)
        self.own = self._simulator.get_mutable_context()
        inner.watch(self._simulator)
        self._feedback = None if gains is None else feedback(plant, gains)
        self._actuation = self.DeclareVectorInputPort(ACTUATION, plant.num_actuators())
        self._wrench = self.DeclareAbstractInputPort(APPLIED_WRENCH, _Pushes())
        self._x = self.DeclareDiscreteState(plant.num_multibody_states())
        self._sums = self.DeclareDiscreteState(inner.num_sums)
        # as in Drake: at once with other such events, which so do not change the torque
        self.DeclarePeriodicUnrestrictedUpdateEvent(self._time_step, 0.0, self._step)
        self.DeclareStateOutputPort(STATE, self._x)
        impulses = inner.GetOutputPort(CONTACT_IMPULSES)
        self.DeclareVectorOutputPort(
            CONTACT_IMPULSES,
            impulses.size(),
            self._calc_impulses,
            prerequisites_of_calc={self.all_state_ticket()},
        )
        self.DeclareAbstractOutputPort(
            CONTACT_REPORT,
            lambda: Value(ContactReport()),
            self._calc_report,
            prerequisites_of_calc={self.all_state_ticket()},
        )

    def start(self, context: Context, state: Array) -> None:
        """Begin anew at [q; v], in a context of this system."""
        context.SetDiscreteState(self._sums, np.zeros(self.inner.num_sums))
        context.SetDiscreteState(self._x, state)

    def _step(self, context: Context, update: State) -> EventStatus:
        effort = self._actuation.Eval(context)
        pushes = self._wrench.Eval(context) if self._wrench.HasValue(context) else []
        state, inner, own = self._state(context), self.inner, self.own
        # the drives of the inner engine take off what the gains make of the state
        given = effort if self._feedback is None else effort + self._feedback @ state
        inner.GetInputPort(ACTUATION).FixValue(own, given)
        inner.GetInputPort(APPLIED_WRENCH).FixValue(own, _Pushes(pushes))
        inner.set_state(own, state)
        self._simulator.Initialize()
        self._simulator.AdvanceTo(own.get_time() + self._time_step)
        discrete = update.get_mutable_discrete_state()
        discrete.set_value(self._x, inner.GetOutputPort(STATE).Eval(own))
        discrete.set_value(self._sums, inner.sums(own))
        return EventStatus.Succeeded()

    def _state(self, context: Context) -> Array:
        """Return [q; v] of a context of this system, whose time the engine's gets."""
        self.own.SetTime(context.get_time())
        state: Array = context.get_discrete_state(self._x).CopyToVector()
        return state

    def _put(self, context: Context) -> None:
        """Put what the last step of a context of this system came to into the engine's."""
        inner, state = self.inner, self._state(context)
        plant = inner.GetMutableSubsystemContext(inner.plant, self.own)
        inner.plant.SetPositionsAndVelocities(plant, state)
        inner.set_sums(self.own, context.get_discrete_state(self._sums).CopyToVector())

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        self._put(context)
        output.SetFromVector(self.inner.GetOutputPort(CONTACT_IMPULSES).Eval(self.own))

    def _calc_report(self, context: Context, output: Value) -> None:
        self._put(context)
        output.set_value(self.inner.GetOutputPort(CONTACT_REPORT).Eval(self.own))


class CenicEngine(DrakeEngine):
    """A ``CenicStepper`` with the ports and methods of an engine; its plant is the inner one's."""

    stepper: CenicStepper

    def set_state(self, context: Context, state: Array) -> None:
        """Put [q; v] into a context of this diagram; sums begin anew."""
        self.stepper.start(self.GetMutableSubsystemContext(self.stepper, context), state)

    def change_friction(self, context: Context, contacts: ContactSet) -> None:  # noqa: ARG002
        """Give contacts other coefficients between two steps; they are kept by the inner engine."""
        self.stepper.inner.change_friction(self.stepper.own, contacts)

    def _forget(self, context: Context) -> None:
        """Do nothing: every step begins anew."""
