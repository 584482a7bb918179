"""Scenario: the dataclasses that a YAML file fills in.

Drake's own configs are used as fields, so their documentation is Drake's.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Union

from pydrake.multibody.parsing import ModelDirective
from pydrake.systems.analysis import GetIntegrationSchemes, SimulatorConfig
from pydrake.visualization import VisualizationConfig

from footfall.analysis.context import Analysis, takes_any_scenario
from footfall.analysis.convergence import Convergence
from footfall.analysis.distributions import Gaussian, LogUniform, Uniform, UniformDiscrete
from footfall.analysis.optimisation import Optimisation
from footfall.analysis.sweep import Sweep
from footfall.checked import Checked, finite, one_of, positive
from footfall.control.as_controller import as_controller
from footfall.control.python_code import Python
from footfall.control.python_object import PythonObject
from footfall.control.stand import Stand
from footfall.control.whole_body import WholeBody
from footfall.engine_names import ENGINE_NAMES
from footfall.engines import DrakeConfig, MoreauConfig, MujocoConfig
from footfall.errors import ScenarioError
from footfall.plants.constraints import Ball, Coupler, Distance, Weld
from footfall.plants.contacts import ContactMaterial, PairRule, SwingFeet
from footfall.plants.fall_detection import check_heights
from footfall.plants.grounds import HeightMap, RoughGround, Stairs
from footfall.plants.loading.load import EARTH, check_gravity
from footfall.plants.loading.mending import check_mass_scale
from footfall.plants.loading.model_files import Argument
from footfall.plants.motors import Motor
from footfall.plants.pushes import Push, RandomPushes, check_pushes
from footfall.plants.sensing import Actuators, Sensors
from footfall.plants.terrain import Terrain
from footfall.registry.machines import analysis_types, controller_types
from footfall.scenario.cameras import Camera, check_camera
from footfall.scenario.changes import Change, check_changes
from footfall.scenario.page_panel import PagePanel, check_panels
from footfall_controllers.controller import Controller
from footfall_controllers.inverse_dynamics import InverseDynamics
from footfall_controllers.log import Log
from footfall_controllers.policy import Policy
from footfall_controllers.posture import Posture
from footfall_controllers.torque_profile import TorqueProfile
from footfall_controllers.virtual_constraints import VirtualConstraints

# a row takes about a kilobyte: more would not fit into memory
_MOST_STEPS = 5e6

if TYPE_CHECKING:
    ControllerField = Controller | None
    AnalysisField = Analysis | None
else:  # a group without a tag, as files of old have it, is read as the first of its union
    ControllerField = Union[
        Posture,
        TorqueProfile,
        *controller_types(),
        InverseDynamics,
        Python,
        PythonObject,
        Stand,
        VirtualConstraints,
        WholeBody,
        Log,
        Policy,
        None,
    ]
    AnalysisField = Union[*analysis_types(), Sweep, Convergence, Optimisation, None]


@dataclass
class InitialState(Checked, at="initial."):
    """Initial state; what is not named starts at the model's default, at rest."""

    # Positions by joint name [m or rad] (coordinate name for joints with several).
    positions: dict[str, float] = finite({})
    # Velocities by joint name [m/s or rad/s].
    velocities: dict[str, float] = finite({})
    # Take the actuated joints' positions from the controller's reference at time 0, at rest.
    from_reference: bool = False
    # Take their velocities from it, too; velocities given above change them.
    velocities_from_reference: bool = False
    # Start on the periodic gait of the machine, just after a touch-down; positions and
    # velocities given above change it. Under a controller of your own: on the gait without one.
    on_gait: bool = False
    # A prismatic joint along the normal of the ground, or the link that is free in space: it is
    # moved along that normal until the lowest contact point has the gap below.
    drop_along: str = ""
    # Gap of the lowest contact point after that [m].
    gap: float = finite(0.0, "give a finite number of metres")


@dataclass
class Scenario(Checked, at=""):
    """One machine on one ground, how it is driven, and how it is simulated."""

    # What it is called, as machine/name; filled in when it is loaded, and kept by a run.
    name: str = ""
    # One line for lists and reports.
    description: str = ""
    # The registered machine whose metrics and claims apply; empty for a machine of your own.
    machine: str = ""
    # Engine that runs it unless the command line names one: moreau, closed-form, hybrid,
    # drake[-sap|-lagged|-similar|-continuous], mujoco.
    engine: str = one_of("moreau", ENGINE_NAMES)
    # Simulated time [s], rounded to whole steps.
    duration: float = positive(1.0, "give a positive number of seconds")
    # Step of the engine, of the controller's samples and of the recording [s].
    time_step: float = positive(1e-3, "give a positive number of seconds")
    # Every so many steps one is recorded, the first and the last in any case. Impulses of the steps
    # between are summed up; events and the account of energy miss nothing.
    record_every: int = 1
    # Seed of everything random.
    seed: int = 0
    # Numbers of this scenario by their paths, as --set names them, that are drawn from the seed:
    # !Uniform, !Gaussian, !LogUniform, !UniformDiscrete. What was drawn takes their places.
    randomise: dict[str, Uniform | Gaussian | LogUniform | UniformDiscrete] = field(
        default_factory=dict
    )
    # The ground, a plane if no tag says otherwise; a frame "terrain" on it (z its normal, x up the
    # slope) is there for directives to weld to.
    terrain: Terrain | HeightMap | RoughGround | Stairs = field(default_factory=Terrain)
    # Gravity [m/s^2], straight down in the world whatever the slope.
    gravity: float = EARTH
    # Folders of packages by name, for package:// addresses (besides ROS_PACKAGE_PATH).
    packages: dict[str, str] = field(default_factory=dict)
    # Arguments of models whose file is a .xacro one, by the name of the model: numbers, texts,
    # true or false, as in {compass: {m_hip: 10}}; what is not named has the file's default.
    arguments: dict[str, dict[str, Argument]] = field(default_factory=dict)
    # Models and how they are placed: Drake model directives.
    directives: list[ModelDirective] = field(default_factory=list)
    # Coulomb coefficient of every contact pair; absent: files and terrain by Drake's rule
    # 2ab/(a+b).
    friction: float | None = None
    # Coulomb coefficient of every contact pair while it does not slide; absent: as friction if that
    # is given, else from the files. Drake's engine and MuJoCo have none and ignore it.
    static_friction: float | None = None
    # Coefficient of restitution e_n of every contact pair, for the law moreau.impact_law; absent:
    # the larger one that the files give the two, else 0. Drake's engine and MuJoCo have none.
    restitution: float | None = None
    # Coefficient of tangential restitution e_t of every contact pair; likewise.
    tangential_restitution: float = 0.0
    # Exceptions, contact by contact; later rules win.
    pairs: list[PairRule] = field(default_factory=list)
    # Two feet that take turns, for straight legs that would scuff at mid-swing: after the one ahead
    # has closed, the one behind has no contact until it is ahead and above the ground.
    alternating_feet: SwingFeet | None = None
    # Feet by name, each a list of links or patterns ("left_*"), for forces by foot. Empty: what the
    # robot stands on at the start; a machine's run then has no feet besides its own observables.
    feet: dict[str, list[str]] = field(default_factory=dict)
    # Dry friction of joints by name or pattern ("*_knee") [N m or N]; joints that are not named
    # have what the model's files say. Drake's engine has none and ignores it.
    joint_friction: dict[str, float] = field(default_factory=dict)
    # Motors by actuator or pattern ("tau*"): rotor inertia and friction, which the joints feel
    # through the gear, and what torque there is at which speed, whatever the controller asks for.
    # What fits best counts alone, a name before a pattern: nothing of the others is left.
    motors: dict[str, Motor] = field(default_factory=dict)
    # Factors of mass and inertia by link or pattern ("*", "*_foot"): as of a denser or lighter one.
    # What fits best counts alone, a name before a pattern.
    mass_scale: dict[str, float] = field(default_factory=dict)
    # Closed loops and gears: !Ball, !Weld, !Distance, !Coupler.
    constraints: list[Ball | Weld | Distance | Coupler] = field(default_factory=list)
    # Actuators that the model must have, by name.
    expected_actuators: list[str] = field(default_factory=list)
    # Where it starts.
    initial: InitialState = field(default_factory=InitialState)
    # Heights above the ground [m] by link: a machine whose link comes lower has fallen, which ends
    # the run.
    fallen_below: dict[str, float] = field(default_factory=dict)
    # Time [s] by which it is meant to have fallen so: a fall until then is the run's success, a
    # later one or none is its failure. Absent: every fall is a failure.
    expected_fall: float | None = None
    # What drives it; absent: no torque.
    controller: ControllerField = None
    # Noise, bias, rounding, rate and delay between the machine and its controller; absent: it sees
    # the state as it is.
    sensors: Sensors | None = None
    # A system of your own between the sensors and the controller, !Python {file: my_filter.py,
    # name: Filter}: inputs state and, where it wants it, imu; output state. Its code is run.
    estimator: Python | None = None
    # Noise and delay between the controller and the joints; absent: torques are as commanded.
    actuators: Actuators | None = None
    # Forces and torques on links for some time.
    pushes: list[Push] = field(default_factory=list)
    # More of them, drawn from the seed; absent: none.
    random_pushes: RandomPushes | None = None
    # Friction, gravity and parameters of the controller that change at some time of the run.
    changes: list[Change] = field(default_factory=list)
    # A reference of your own for controllers that track one, as !InverseDynamics and !Python do:
    # !Python {file: my_reference.py, name: Wave, parameters: {...}}, whose code is run.
    reference: Python | None = None
    # Functions of your own, by the name that metrics and plots get: "my_module.py:foot_height" or
    # "my_module.py:foot_height [m]", called as foot_height(plant, context) for every recorded
    # state. Their code is run.
    observables: dict[str, str] = field(default_factory=dict)
    # Figures besides those of every page: {title: Knees, series: [q.left_knee, q.right_knee]}.
    panels: list[PagePanel] = field(default_factory=list)
    # What to compute instead of one simulation, from many; absent: nothing.
    analysis: AnalysisField = None
    # Options of the Moreau engine.
    moreau: MoreauConfig = field(default_factory=MoreauConfig)
    # Options of Drake's engine.
    drake: DrakeConfig = field(default_factory=DrakeConfig)
    # Options of MuJoCo.
    mujoco: MujocoConfig = field(default_factory=MujocoConfig)
    # Drake's simulator; target_realtime_rate 1 slows a run that is watched to real time.
    simulator: SimulatorConfig = field(default_factory=SimulatorConfig)
    # Drake's visualization options for watching.
    visualization: VisualizationConfig = field(default_factory=VisualizationConfig)
    # Places to see the scene from, by name.
    cameras: dict[str, Camera] = field(default_factory=dict)
    # The one of them that animations are seen through. Left out: the first that the file names.
    # Null: none, the scene is framed by itself and a machine that goes far is followed.
    camera: str | None = None

    def __setattr__(self, name: str, value: object) -> None:
        """Describe a controller that a program gives as a LeafSystem, or as what makes one."""
        super().__setattr__(name, as_controller(value) if name == "controller" else value)

    def __post_init__(self) -> None:
        """Refuse numbers that Drake would let through."""
        super().__post_init__()
        if self.duration / self.time_step > _MOST_STEPS:
            raise ScenarioError(
                f"duration {self.duration:g} s at time_step {self.time_step:g} s are more than "
                f"{_MOST_STEPS:.0e} steps: shorten the one or lengthen the other."
            )
        if self.time_step > self.duration:
            raise ScenarioError(
                f"time_step {self.time_step} s is longer than duration {self.duration} s: "
                "shorten it."
            )
        self._check_recording()
        check_gravity(self.gravity)
        check_heights(self.fallen_below, self.expected_fall)
        check_mass_scale(self.mass_scale)
        check_pushes(self.pushes)
        check_changes(self.changes)
        check_panels(self.panels)
        self._check_parts()
        self._check_simulator()
        material = self.contact_material()
        if self.moreau.impact_law == "poisson" and material.rebounds_sideways:
            raise ScenarioError(
                "tangential_restitution is for the impact laws newton and chatterjee-ruina: set it "
                "to 0, or choose another moreau.impact_law."
            )

    @property
    def num_steps(self) -> int:
        """Count of the steps of time."""
        return round(self.duration / self.time_step)

    def _check_recording(self) -> None:
        """Refuse rows that are none, and to thin out what an analysis reads."""
        every = self.record_every
        if isinstance(every, bool) or not isinstance(every, int) or not every >= 1:
            message = f"record_every is {every}: give a whole number of steps, 1 or more."
            raise ScenarioError(message)
        if every > 1 and every > self.num_steps:
            raise ScenarioError(
                f"record_every is {every}, and the run has {self.num_steps} steps: give less."
            )
        if every > 1 and self.analysis is not None and not takes_any_scenario(self.analysis):
            raise ScenarioError(
                "record_every is for single runs, and analysis reads every step: take one of them "
                "out."
            )

    def _check_ground(self) -> None:
        """Refuse what knows a plane only on ground that is none."""
        if not isinstance(self.terrain, HeightMap | RoughGround | Stairs):
            return
        needing = {
            "alternating_feet": self.alternating_feet is not None,
            "initial.on_gait": self.initial.on_gait,
            "analysis": self.analysis is not None and not takes_any_scenario(self.analysis),
        }
        for name, asked in needing.items():
            if asked:
                raise ScenarioError(f"{name} knows a plane only: take it out, or terrain's tag.")

    def _check_parts(self) -> None:
        self._check_ground()
        if self.random_pushes is not None:
            self.random_pushes.check(self.duration)
        for part in (self.sensors, self.actuators):
            if part is not None:
                part.check(self.time_step)
        if self.camera is not None:
            check_camera(self.camera, self.cameras)

    def _check_simulator(self) -> None:
        if self.simulator.integration_scheme not in GetIntegrationSchemes():
            raise ScenarioError(
                f"simulator.integration_scheme is '{self.simulator.integration_scheme}': choose "
                f"one of {', '.join(GetIntegrationSchemes())}."
            )
        if self.simulator.integration_scheme == "cenic":
            raise ScenarioError(
                "simulator.integration_scheme is 'cenic': leave it out and choose --engine "
                "drake-cenic, which integrates with it to drake.accuracy."
            )
        if self.simulator.start_time != 0.0:
            message = f"simulator.start_time is {self.simulator.start_time}: runs begin at 0."
            raise ScenarioError(message)
        if not self.simulator.max_step_size > 0.0:
            message = f"simulator.max_step_size is {self.simulator.max_step_size}: give a step > 0."
            raise ScenarioError(message)

    def contact_material(self) -> ContactMaterial:
        """Return friction and restitution of the contacts; raises ScenarioError for nonsense."""
        return ContactMaterial(
            self.friction,
            self.static_friction,
            self.restitution,
            self.tangential_restitution,
            self.pairs,
        )
