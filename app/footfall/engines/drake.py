"""Drake's own discrete contact behind the ports that every engine has.

Drake regularises contact: a pair is a stiff spring with dissipation, friction creeps, and there is
no restitution. The approximations and what their materials mean are Drake's
(``MultibodyPlantConfig``); the values chosen here are those with which each approximation comes
nearest to rigid contact on machines of some kilograms, and Drake's own on request.

Frames: W world, T terrain; contact axes [n, t, s] are T's [z, x, y].
"""

import copy
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from pydrake.geometry import GeometryId, ProximityProperties, Role, RoleAssign, SceneGraph
from pydrake.multibody.plant import (
    CoulombFriction,
    MultibodyPlant,
    MultibodyPlantConfig,
)
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import Context, Diagram, DiagramBuilder, EventStatus, LeafSystem

from footfall.engines.drake_feet import FootSwitch, add_foot_switch
from footfall.engines.drake_report import ContactReporter
from footfall.engines.ports import (
    ACTUATION,
    CONTACT_IMPULSES,
    CONTACT_REPORT,
    STATE,
    ContactReport,
)
from footfall.errors import ModelError, ScenarioError
from footfall.plants.contacts import ContactSet, terrain_of
from footfall.plants.load import Model, add_model

Array = npt.NDArray[np.float64]

APPROXIMATIONS = ("sap", "lagged", "similar")
_POINT_MODELS = ("point", "hydroelastic_with_fallback")


@dataclass(frozen=True)
class Material:
    """Stiffness of a pair over mass [1/s^2], dissipation [s/m], relaxation time [s]."""

    stiffness_over_mass: float
    dissipation: float
    relaxation_time: float


# sap reads k and the relaxation time, lagged and similar k and the dissipation
NEAR_RIGID = {
    "sap": Material(stiffness_over_mass=3e6, dissipation=50.0, relaxation_time=2e-3),
    "lagged": Material(stiffness_over_mass=1e5, dissipation=20.0, relaxation_time=0.1),
    "similar": Material(stiffness_over_mass=1e5, dissipation=20.0, relaxation_time=0.1),
}


@dataclass
class DrakeConfig:
    """How Drake's discrete contact is set up."""

    # Drake's own plant options; time_step is the scenario's: leave it at 0.
    plant: MultibodyPlantConfig = field(
        default_factory=lambda: MultibodyPlantConfig(
            time_step=0.0, contact_model="point", discrete_contact_approximation="sap"
        )
    )
    # "near_rigid" (this project's choice for the approximation) or "drake" (what files and Drake's
    # defaults say).
    material: str = "near_rigid"
    # Stiffness of a pair [N/m], dissipation [s/m], relaxation time [s]; absent: as the material
    # says.
    stiffness: float | None = None
    dissipation: float | None = None
    relaxation_time: float | None = None
    # A touching contact counts as sticking below this slip speed [m/s].
    stick_speed: float = 1e-3

    def __post_init__(self) -> None:
        """Refuse what Drake would accept and then stumble over."""
        approximation = self.plant.discrete_contact_approximation
        if approximation not in APPROXIMATIONS:
            message = (
                f"drake.plant.discrete_contact_approximation is '{approximation}': choose "
                f"one of {', '.join(APPROXIMATIONS)}."
            )
            raise ScenarioError(message)
        if self.plant.contact_model not in _POINT_MODELS:
            message = (
                f"drake.plant.contact_model is '{self.plant.contact_model}': choose one of "
                f"{', '.join(_POINT_MODELS)}, for reports tell of points."
            )
            raise ScenarioError(message)
        if self.material not in ("near_rigid", "drake"):
            message = f"drake.material is '{self.material}': choose near_rigid or drake."
            raise ScenarioError(message)
        if not 0.0 <= self.plant.time_step < np.inf:
            message = (
                f"drake.plant.time_step is {self.plant.time_step}: leave it at 0, which means "
                "the scenario's."
            )
            raise ScenarioError(message)
        for name in ("stiffness", "dissipation", "relaxation_time", "stick_speed"):
            value = getattr(self, name)
            if value is not None and not 0.0 < value < np.inf:
                message = f"drake.{name} is {value}: give a positive number."
                raise ScenarioError(message)


def add_drake_engine(
    builder: DiagramBuilder,
    oracle: Model,
    contacts: ContactSet,
    time_step: float,
    config: DrakeConfig | None = None,
) -> Diagram:
    """Add Drake's plant with the given step [s] as one system with the ports of an engine.

    ``oracle`` is the continuous model of the same spec, from which ``contacts`` were collected: it
    names and measures the contacts, so that both engines report the same ones.
    """
    config = config if config is not None else DrakeConfig()
    if config.plant.time_step not in (0.0, time_step):
        # a row of the record would miss the impulses of all inner steps but the last
        message = (
            f"drake.plant.time_step is {config.plant.time_step:g} s, the scenario's time_step "
            f"{time_step:g} s: leave Drake's at 0 and set time_step."
        )
        raise ScenarioError(message)
    inner = DiagramBuilder()
    plant, scene_graph = add_model(
        inner, oracle.spec, config=_plant_config(config.plant, time_step)
    )
    match = _matching_geometries(oracle.scene_graph, scene_graph)
    _set_friction(plant, scene_graph, contacts, match)
    _set_material(plant, scene_graph, config)
    to_oracle = {other: own for own, other in match.items()}
    reporter = inner.AddNamedSystem(
        "contact_reporter",
        ContactReporter(oracle, contacts, to_oracle, time_step, config.stick_speed),
    )
    inner.Connect(plant.get_contact_results_output_port(), reporter.GetInputPort("contact_results"))
    inner.Connect(plant.get_state_output_port(), reporter.GetInputPort("state"))
    inner.Connect(
        plant.get_generalized_acceleration_output_port(), reporter.GetInputPort("acceleration")
    )
    if plant.num_actuators() > 0:
        inner.ExportInput(plant.get_actuation_input_port(), ACTUATION)
    else:
        idle = inner.AddNamedSystem("idle", _Idle())
        inner.ExportInput(idle.GetInputPort(ACTUATION), ACTUATION)
    inner.ExportOutput(plant.get_state_output_port(), STATE)
    inner.ExportOutput(reporter.GetOutputPort(CONTACT_IMPULSES), CONTACT_IMPULSES)
    inner.ExportOutput(reporter.GetOutputPort(CONTACT_REPORT), CONTACT_REPORT)
    switch = add_foot_switch(inner, scene_graph, oracle, contacts, match, time_step)
    diagram = DrakeEngine()
    diagram.adopt(inner, plant, switch)
    return builder.AddNamedSystem("drake", diagram)


class DrakeEngine(Diagram):
    """Drake's plant, its SceneGraph and a contact reporter as one system.

    Feet that take turns (``alternating_feet``) are switched between two steps, by the monitor of
    the simulator: who has a Simulator of their own calls ``watch`` with it, once. Stepping raises
    RunError where that was forgotten. Which feet are off is in the context, as all state is.
    """

    def adopt(
        self, inner: DiagramBuilder, plant: MultibodyPlant, switch: FootSwitch | None
    ) -> None:
        """Build this diagram from its parts."""
        inner.BuildInto(self)
        self.plant = plant
        self._switch = switch

    def set_state(self, context: Context, state: Array) -> None:
        """Put [q; v] into a context of this diagram; feet that take turns begin anew."""
        self.plant.SetPositionsAndVelocities(
            self.GetMutableSubsystemContext(self.plant, context), state
        )
        if self._switch is not None:
            self._switch.start(self, context, state)

    def watch(self, simulator: Simulator) -> None:
        """Let a simulator switch the feet that take turns; does nothing where none do.

        It becomes the simulator's monitor, and calls the one that was there before.
        """
        if self._switch is None:
            return
        former = simulator.get_monitor()

        def monitor(root: Context) -> EventStatus | None:
            self.between_steps(self.GetMyMutableContextFromRoot(root))
            return former(root) if former is not None else None

        simulator.set_monitor(monitor)

    def between_steps(self, context: Context) -> None:
        """Switch the feet that take turns by the report in a context of this diagram.

        For who does not simulate with a Simulator, after every step; ``watch`` serves the others.
        """
        if self._switch is not None:
            report: ContactReport = self.GetOutputPort(CONTACT_REPORT).Eval(context)
            self._switch.after_step(self, context, report)


def _plant_config(config: MultibodyPlantConfig, time_step: float) -> MultibodyPlantConfig:
    copied = copy.deepcopy(config)
    copied.time_step = time_step
    return copied


def _matching_geometries(oracle: SceneGraph, other: SceneGraph) -> dict[GeometryId, GeometryId]:
    """Match the collision geometries of two copies of one model by their order of registration."""
    ids = [
        sorted(
            graph.model_inspector().GetAllGeometryIds(Role.kProximity), key=lambda g: g.get_value()
        )
        for graph in (oracle, other)
    ]
    return dict(zip(*ids, strict=True))


def _set_friction(
    plant: MultibodyPlant,
    scene_graph: SceneGraph,
    contacts: ContactSet,
    match: dict[GeometryId, GeometryId],
) -> None:
    """Choose the geometries' coefficients so that Drake's rule gives them their mu on the ground.

    Pairs of moving bodies then get what the rule makes of these, which is their mu where all are
    the same.
    """
    mu_ground = contacts.mu[: contacts.num_ground]
    ground = float(mu_ground.max(initial=0.0))
    wanted: dict[GeometryId, float] = {}
    for shape in contacts.ground:
        mu_of_points = set(mu_ground[shape.first : shape.first + len(shape.points)].tolist())
        if len(mu_of_points) > 1:
            message = (
                "Drake has one friction coefficient a geometry: give all points of one "
                "shape the same in pairs."
            )
            raise ModelError(message)
        wanted[shape.geometry] = mu_of_points.pop()
    for geometry, mu in wanted.items():
        own = mu * ground / (2.0 * ground - mu) if ground > 0.0 else 0.0
        _replace(
            plant, scene_graph, match[geometry], {"coulomb_friction": CoulombFriction(own, own)}
        )
    terrain = terrain_of(scene_graph.model_inspector())
    _replace(plant, scene_graph, terrain, {"coulomb_friction": CoulombFriction(ground, ground)})


def _set_material(plant: MultibodyPlant, scene_graph: SceneGraph, config: DrakeConfig) -> None:
    """Give both sides of every pair what makes the pair's material."""
    stiffness, dissipation, relaxation = (
        config.stiffness,
        config.dissipation,
        config.relaxation_time,
    )
    if config.material == "near_rigid":
        good = NEAR_RIGID[config.plant.discrete_contact_approximation]
        mass = plant.CalcTotalMass(plant.CreateDefaultContext())
        stiffness = stiffness or good.stiffness_over_mass * mass
        dissipation = dissipation or good.dissipation
        relaxation = relaxation or good.relaxation_time
    values: dict[str, object] = {}
    if stiffness is not None:
        values["point_contact_stiffness"] = 2.0 * stiffness  # two springs in series
    if dissipation is not None:
        values["hunt_crossley_dissipation"] = dissipation
    if relaxation is not None:
        values["relaxation_time"] = 0.5 * relaxation  # Drake adds the two
    for geometry in scene_graph.model_inspector().GetAllGeometryIds(Role.kProximity):
        _replace(plant, scene_graph, geometry, values)


def _replace(
    plant: MultibodyPlant, scene_graph: SceneGraph, geometry: GeometryId, values: dict[str, object]
) -> None:
    properties = ProximityProperties(scene_graph.model_inspector().GetProximityProperties(geometry))
    for name, value in values.items():
        properties.UpdateProperty("material", name, value)
    scene_graph.AssignRole(plant.get_source_id(), geometry, properties, RoleAssign.kReplace)


class _Idle(LeafSystem):
    """Takes the actuation of a machine that has none."""

    def __init__(self) -> None:
        super().__init__()
        self.DeclareVectorInputPort(ACTUATION, 0)
