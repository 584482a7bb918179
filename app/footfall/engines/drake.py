"""Drake's own discrete contact behind the ports that every engine has.

Drake regularises contact: a pair is a stiff spring with dissipation, friction creeps, and there is
no restitution. The approximations and what their materials mean are Drake's
(``MultibodyPlantConfig``); the values chosen here are those with which each approximation comes
nearest to rigid contact on machines of some kilograms, and Drake's own on request.

Frames: W world, T terrain; contact axes [n, t, s] are T's [z, x, y].
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.geometry import GeometryId, Role, SceneGraph
from pydrake.multibody.plant import (
    MultibodyPlant,
    MultibodyPlantConfig,
)
from pydrake.multibody.tree import ModelInstanceIndex, PdControllerGains
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import (
    Context,
    Diagram,
    DiagramBuilder,
    EventStatus,
    InputPort,
    LeafSystem,
)
from pydrake.systems.primitives import Adder, MatrixGain

from footfall.arrays import Array
from footfall.checked import Checked, one_of, positive
from footfall.engine_names import CONTINUOUS, require_abilities
from footfall.engines.drake_continuous import WORKS, AppliedWork, ContactSums
from footfall.engines.drake_corners import Corners
from footfall.engines.drake_feet import FootSwitch, add_foot_switch
from footfall.engines.drake_material import (
    near_rigid,
    set_friction,
    set_friction_now,
    set_material,
    set_stiffness_by_mass,
)
from footfall.engines.drake_report import ContactReporter
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
from footfall.plants.coordinates import actuators_of
from footfall.plants.loading.load import Model, add_model
from footfall.plants.motors import OF_DRAKE, Drives, PdGains, feedback

APPROXIMATIONS = ("sap", "lagged", "similar")
_MOST_FIXED = 100  # shapes of the ground in continuous time
_POINT_MODELS = ("point", "hydroelastic_with_fallback")


@dataclass
class DrakeConfig(Checked, at="drake."):
    """Options of Drake's discrete contact."""

    # Drake's own plant options; time_step is the scenario's: leave it at 0.
    plant: MultibodyPlantConfig = field(
        default_factory=lambda: MultibodyPlantConfig(
            time_step=0.0, contact_model="point", discrete_contact_approximation="sap"
        )
    )
    # "near_rigid" (this project's choice for the approximation) or "drake" (what files and Drake's
    # defaults say).
    material: str = one_of("near_rigid", ("near_rigid", "drake"))
    # Stiffness of a pair, or of each point of a shape that has several, [N/m], dissipation [s/m],
    # relaxation time [s]; absent: as the material says.
    stiffness: float | None = positive(None)
    dissipation: float | None = positive(None)
    relaxation_time: float | None = positive(None)
    # Where boxes, hulls, cylinders and capsules meet the ground and what is fixed to the world, but
    # for pieces of uneven ground: "corners" in the points of the rigid engine, "file" in Drake's
    # one point a pair.
    contact_points: str = one_of("corners", ("corners", "file"))
    # Relative accuracy of a step of drake-cenic.
    accuracy: float = positive(1e-3)
    # A touching contact counts as sticking below this slip speed [m/s].
    stick_speed: float = positive(1e-3)

    def __post_init__(self) -> None:
        """Refuse what Drake would accept and then stumble over."""
        super().__post_init__()
        approximation = self.plant.discrete_contact_approximation
        if approximation not in APPROXIMATIONS:
            raise ScenarioError(
                f"drake.plant.discrete_contact_approximation is '{approximation}': choose "
                f"one of {', '.join(APPROXIMATIONS)}."
            )
        if self.plant.contact_model not in _POINT_MODELS:
            raise ScenarioError(
                f"drake.plant.contact_model is '{self.plant.contact_model}': choose one of "
                f"{', '.join(_POINT_MODELS)}, for reports tell of points."
            )
        if not self.plant.use_sampled_output_ports:
            # contacts and efforts at the ports would be those of a step that has not been taken
            raise ScenarioError(
                "drake.plant.use_sampled_output_ports is false: leave it true, for reports tell of "
                "the step that ended."
            )
        if not 0.0 <= self.plant.time_step < np.inf:
            raise ScenarioError(
                f"drake.plant.time_step is {self.plant.time_step}: leave it at 0, which means "
                "the scenario's."
            )

    @property
    def has_corners(self) -> bool:
        """True where shapes have points of their own; hydroelastic patches need none."""
        return self.contact_points == "corners" and self.plant.contact_model == "point"

    def give_material(self, plant: MultibodyPlant, scene_graph: SceneGraph) -> None:
        """Give the geometries of a plant their stiffness and dissipation."""
        dissipation, relaxation = self.dissipation, self.relaxation_time
        if self.material == "near_rigid":
            good = near_rigid(plant, self.plant.discrete_contact_approximation)
            dissipation = dissipation or good.dissipation
            relaxation = relaxation or good.relaxation_time
            if self.stiffness is None:
                set_stiffness_by_mass(plant, scene_graph, good.stiffness_over_mass)
        set_material(plant, scene_graph, self.stiffness, dissipation, relaxation)


def add_drake_engine(
    builder: DiagramBuilder,
    oracle: Model,
    contacts: ContactSet,
    time_step: float,
    config: DrakeConfig | None = None,
    *,
    continuous: bool = False,
    gains: PdGains | None = None,
) -> "DrakeEngine":
    """Add what ``make_drake_engine`` makes to a builder."""
    engine = make_drake_engine(
        oracle, contacts, time_step, config, continuous=continuous, gains=gains
    )
    return builder.AddNamedSystem("drake", engine)


def make_drake_engine(
    oracle: Model,
    contacts: ContactSet,
    time_step: float,
    config: DrakeConfig | None = None,
    *,
    continuous: bool = False,
    gains: PdGains | None = None,
    held: PdGains | None = None,
    engine: str = CONTINUOUS,
) -> "DrakeEngine":
    """Make a system with the ports of an engine of Drake's plant with the given step [s].

    continuous: the plant has no step of its own but a state in continuous time, which the
    simulator's integrator advances; time_step is then that between two reports. ``oracle`` is the
    continuous model of the same spec, from which ``contacts`` were collected: it names and measures
    the contacts, so that both engines report the same ones. gains: that a controller declares; a
    plant with a step has them in PD-controlled actuators of its own. held: gains by which a plant
    without steps takes ``feedback`` off its actuation. engine: by whose name a plant without steps
    is asked for. Raises ScenarioError for what it cannot do.
    """
    config = config if config is not None else DrakeConfig()
    if config.plant.time_step not in (0.0, time_step):
        # a row of the record would miss the impulses of all inner steps but the last
        raise ScenarioError(
            f"drake.plant.time_step is {config.plant.time_step:g} s, the scenario's time_step "
            f"{time_step:g} s: leave Drake's at 0 and set time_step."
        )
    if continuous:
        _require_no_steps(engine, oracle, contacts)
    inner = DiagramBuilder()
    plant_config = _plant_config(config.plant, 0.0 if continuous else time_step)
    plant, scene_graph, match = _add_plant(inner, oracle, contacts, plant_config, config)
    to_oracle = {
        other: (own, place - 1)
        for own, others in match.items()
        for place, other in enumerate(others)
    }
    reporter = inner.AddNamedSystem(
        "contact_reporter",
        ContactReporter(
            oracle, contacts, to_oracle, time_step, config.stick_speed, continuous=continuous
        ),
    )
    sums = None
    if continuous:
        sums = inner.AddNamedSystem("contact_sums", ContactSums(len(contacts), time_step))
        inner.Connect(sums.GetOutputPort("sums"), reporter.GetInputPort("sums"))
    inner.Connect(plant.get_contact_results_output_port(), reporter.GetInputPort("contact_results"))
    inner.Connect(plant.get_state_output_port(), reporter.GetInputPort("state"))
    inner.Connect(
        plant.get_generalized_acceleration_output_port(), reporter.GetInputPort("acceleration")
    )
    drives = None
    if gains is not None and not continuous:
        add_drives(inner, plant, gains)
        drives = Drives(oracle.plant, gains, time_step, OF_DRAKE)
    torques = plant.get_actuation_input_port()
    if held is not None:
        torques = _less_feedback(inner, plant, feedback(plant, held))
    if plant.num_actuators() > 0:
        driven = inner.ExportInput(torques, ACTUATION)
    else:
        idle = inner.AddNamedSystem("idle", _Idle())
        driven = inner.ExportInput(idle.GetInputPort(ACTUATION), ACTUATION)
    applied_work = None
    pushed = inner.ExportInput(plant.get_applied_spatial_force_input_port(), APPLIED_WRENCH)
    if continuous and engine == CONTINUOUS:
        applied_work = inner.AddNamedSystem("applied_work", AppliedWork(oracle.plant))
        inner.Connect(plant.get_state_output_port(), applied_work.GetInputPort("state"))
        inner.ConnectInput(driven, applied_work.GetInputPort(ACTUATION))
        inner.ConnectInput(pushed, applied_work.GetInputPort(APPLIED_WRENCH))
    inner.ExportOutput(plant.get_state_output_port(), STATE)
    inner.ExportOutput(reporter.GetOutputPort(CONTACT_IMPULSES), CONTACT_IMPULSES)
    inner.ExportOutput(reporter.GetOutputPort(CONTACT_REPORT), CONTACT_REPORT)
    switch = add_foot_switch(inner, scene_graph, oracle, contacts, match, time_step)
    diagram = DrakeEngine()
    summing = (reporter, sums) if sums else None
    diagram.adopt(inner, plant, time_step, switch, summing, applied_work)
    diagram.drives, diagram.geometries = drives, Geometries(scene_graph, match)
    return diagram


@dataclass(frozen=True, eq=False)
class Geometries:
    """SceneGraph of Drake's plant, and its geometries by those that contacts are known by."""

    scene_graph: SceneGraph
    match: Mapping[GeometryId, Sequence[GeometryId]]


class DrakeEngine(Diagram):
    """Drake's plant, its SceneGraph and a contact reporter as one system.

    Feet that take turns (``alternating_feet``) are switched, and the contact impulses of a plant in
    continuous time summed up, between two steps of the simulator, by its monitor: who has a
    Simulator of their own calls ``watch`` with it, once. RunError is raised where that was
    forgotten. Which feet are off, and the sums, are in the context, as all state is. time_step [s]:
    of the impulses that are reported. drives: whose torque follows their joints within a step, None
    where no gains were given. note: a line for who runs it. geometries: of the plant.
    """

    drives: Drives | None = None
    geometries: Geometries
    note = ""
    law = None  # of torques, which only compiled steps know

    def adopt(
        self,
        inner: DiagramBuilder,
        plant: MultibodyPlant,
        time_step: float,
        switch: FootSwitch | None = None,
        summing: tuple[ContactReporter, ContactSums] | None = None,
        applied_work: AppliedWork | None = None,
    ) -> None:
        """Build this diagram from its parts."""
        inner.BuildInto(self)
        self.plant = plant
        self.time_step = time_step
        self._switch, self._summing, self._applied_work = switch, summing, applied_work

    def set_state(self, context: Context, state: Array) -> None:
        """Put [q; v] into a context of this diagram; feet that take turns and sums begin anew."""
        self.plant.SetPositionsAndVelocities(
            self.GetMutableSubsystemContext(self.plant, context), state
        )
        if self._switch is not None:
            self._switch.start(self, context, state)
        if self._summing is not None:
            reporter, sums = self._summing
            rates = reporter.rates(self.GetMutableSubsystemContext(reporter, context))
            sums.start(self.GetMutableSubsystemContext(sums, context), rates)
        if self._applied_work is not None:
            self._applied_work.start(self.GetMutableSubsystemContext(self._applied_work, context))

    def efforts(self, context: Context) -> Array:
        """Torques of the actuators at a context (nu,), as its port has them."""
        torques: Array = self.GetInputPort(ACTUATION).Eval(context)
        return torques

    def change_friction(self, context: Context, contacts: ContactSet) -> None:
        """Give contacts other coefficients between two steps; raises ModelError as at the start."""
        graph, match = self.geometries.scene_graph, self.geometries.match
        seen = self.GetMutableSubsystemContext(graph, context)
        set_friction_now(self.plant, graph, contacts, match, seen)
        self._forget(context)

    def change_gravity(self, context: Context, gravity: float) -> None:
        """Let gravity [m/s^2] be another one from the next step on; it is kept by the plant."""
        self.plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -gravity])
        self._forget(context)

    def _forget(self, context: Context) -> None:
        """Let what Drake computed at the state of now be computed anew."""
        own = self.GetMutableSubsystemContext(self.plant, context)
        state = self.plant.GetPositionsAndVelocities(own)
        self.plant.SetPositionsAndVelocities(own, state)

    @property
    def knows_works(self) -> bool:
        """True where ``take_works`` tells works: a plant without steps integrates them."""
        return self._applied_work is not None

    def take_works(self, context: Context) -> tuple[Array, Array]:
        """Efforts (num_actuators,) from the last call on, and works as ``WORKS`` names them [J].

        Works are those since the start. NaN for a plant that takes steps.
        """
        if self._applied_work is None:
            return np.full(self.plant.num_actuators(), np.nan), np.full(len(WORKS), np.nan)
        own = self.GetSubsystemContext(self._applied_work, context)
        effort = self._applied_work.effort
        self._applied_work.begin_step(own)
        return effort, self._applied_work.sums(own)

    @property
    def num_sums(self) -> int:
        """Count the numbers of ``sums``."""
        return self._summing[1].size if self._summing else 0

    def sums(self, context: Context) -> Array:
        """Return what the contacts did since the last row, as ``ContactSums`` has it."""
        _, sums = self._summing or (None, None)
        none: Array = np.zeros(0)
        return none if sums is None else sums.read(self.GetSubsystemContext(sums, context))

    def set_sums(self, context: Context, values: Array) -> None:
        """Let these be what the contacts did."""
        if self._summing is not None:
            sums = self._summing[1]
            sums.write(self.GetMutableSubsystemContext(sums, context), values)

    def watch(self, simulator: Simulator) -> None:
        """Let a simulator do what is done between two steps; nothing where there is nothing to do.

        Its monitor becomes the one that does it, and calls the one that was there before.
        """
        if self._switch is None and self._summing is None:
            return
        former = simulator.get_monitor()

        def monitor(root: Context) -> EventStatus | None:
            self.between_steps(self.GetMyMutableContextFromRoot(root))
            return former(root) if former is not None else None

        simulator.set_monitor(monitor)

    def between_steps(self, context: Context) -> None:
        """Switch feet that take turns and sum contact impulses up, in a context of this diagram.

        For who does not simulate with a Simulator, after every step; ``watch`` serves the others.
        """
        if self._summing is not None:
            reporter, sums = self._summing
            rates = reporter.rates(self.GetMutableSubsystemContext(reporter, context))
            sums.look(self.GetMutableSubsystemContext(sums, context), rates)
        if self._switch is not None:
            report: ContactReport = self.GetOutputPort(CONTACT_REPORT).Eval(context)
            self._switch.after_step(self, context, report)


def _require_no_steps(engine: str, oracle: Model, contacts: ContactSet) -> None:
    """Raise ScenarioError for what a plant in continuous time has no use for."""
    asked = {
        "feet that take turns": contacts.swing_foot_filter is not None,
        "closed loops and gears": bool(oracle.constraints) or bool(oracle.unread),
        "stops at joint limits": len(contacts.limits) > 0,  # Drake ignores them there
    }
    require_abilities(engine, asked)
    if engine != CONTINUOUS:
        return
    plant = oracle.plant
    fixed = plant.GetBodiesWeldedTo(plant.world_body())
    shapes = sum(len(plant.GetCollisionGeometriesForBody(body)) for body in fixed)
    if shapes > _MOST_FIXED:
        raise ScenarioError(
            f"engine drake-continuous: the ground has {shapes} shapes, and on more than "
            f"{_MOST_FIXED} an integrator in continuous time takes a minute for some hundredths of "
            "a second: choose drake or moreau, which take steps."
        )


def _plant_config(config: MultibodyPlantConfig, time_step: float) -> MultibodyPlantConfig:
    copied = copy.deepcopy(config)
    copied.time_step = time_step
    return copied


def _add_plant(
    builder: DiagramBuilder,
    oracle: Model,
    contacts: ContactSet,
    plant_config: MultibodyPlantConfig,
    config: DrakeConfig,
) -> tuple[MultibodyPlant, SceneGraph, dict[GeometryId, tuple[GeometryId, ...]]]:
    """Add a plant with the materials of a config; returns its geometries by the oracle's as well.

    The first of these is the shape itself, behind it come its corners.
    """
    corners = Corners(oracle, contacts)
    complete = corners.register if config.has_corners else None
    plant, scene_graph = add_model(builder, oracle.spec, config=plant_config, complete=complete)
    match = _matching_geometries(oracle.scene_graph, scene_graph, corners)
    corners.filter(scene_graph, {own: others[0] for own, others in match.items()})
    set_friction(plant, scene_graph, contacts, match)
    config.give_material(plant, scene_graph)
    return plant, scene_graph, match


def _matching_geometries(
    oracle: SceneGraph, other: SceneGraph, corners: Corners
) -> dict[GeometryId, tuple[GeometryId, ...]]:
    """Match collision geometries of two copies of one model by their order of registration.

    Each of the oracle's has its copy in the other, and behind it its corners there, if it has some.
    """
    added = {geometry for own in corners.of_shape.values() for geometry in own}
    ids = [
        sorted(
            set(graph.model_inspector().GetAllGeometryIds(Role.kProximity)) - added,
            key=lambda g: g.get_value(),
        )
        for graph in (oracle, other)
    ]
    return {own: (copied, *corners.of_shape.get(own, ())) for own, copied in zip(*ids, strict=True)}


class _Idle(LeafSystem):
    """Takes the actuation of a machine that has none."""

    def __init__(self) -> None:
        super().__init__()
        self.DeclareVectorInputPort(ACTUATION, 0)


def _less_feedback(builder: DiagramBuilder, plant: MultibodyPlant, gains: Array) -> InputPort:
    """Let a plant have actuation less a matrix times its state; returns the port of the former."""
    drives = builder.AddSystem(Adder(2, plant.num_actuators()))
    fed_back = builder.AddSystem(MatrixGain(-gains))
    builder.Connect(plant.get_state_output_port(), fed_back.get_input_port())
    builder.Connect(fed_back.get_output_port(), drives.get_input_port(1))
    builder.Connect(drives.get_output_port(), plant.get_actuation_input_port())
    return drives.get_input_port(0)


def add_drives(builder: DiagramBuilder, plant: MultibodyPlant, gains: PdGains) -> None:
    """Give the actuators of a finalized plant with a step their gains, and the state to go from.

    Drake's torque is clamp(-kp (q - q_d) - kd (v - v_d) + u_ff). With the state at the start of a
    step as desired state and the controller's torque as feed-forward, that is the law of
    ``footfall.plants.drives`` with q and v at the end of the step, in which Drake's solver takes
    them.
    """
    actuators = actuators_of(plant)
    for actuator, kp, kd in zip(actuators, gains.stiffness, gains.damping, strict=True):
        if kp > 0.0 or kd > 0.0:
            actuator.set_controller_gains(PdControllerGains(p=kp, d=kd))
    for number in range(plant.num_model_instances()):
        instance = ModelInstanceIndex(number)
        own = [each.joint() for each in actuators if each.model_instance() == instance]
        if not own:
            continue
        columns = [joint.position_start() for joint in own]
        columns += [plant.num_positions() + joint.velocity_start() for joint in own]
        some = np.zeros((len(columns), plant.num_multibody_states()))
        some[np.arange(len(columns)), columns] = 1.0
        held = builder.AddNamedSystem(f"start_of_drives_{number}", MatrixGain(some))
        builder.Connect(plant.get_state_output_port(), held.get_input_port())
        builder.Connect(held.get_output_port(), plant.get_desired_state_input_port(instance))
