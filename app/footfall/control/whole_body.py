"""Whole-body control, as scenarios describe it."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Diagram, System

from footfall.arrays import Array
from footfall.checked import Checked, checked, metadata, not_negative, positive
from footfall.control.walk import Walk
from footfall.errors import ScenarioError
from footfall.feet.ground_contacts import loads_by_link
from footfall.plants.actuators import actuators_of
from footfall.plants.contacts import ContactSet
from footfall.plants.drives import PdGains
from footfall.plants.gravity import ground_axes
from footfall.plants.load import Model, load_model
from footfall.plants.motors import Motor
from footfall.plants.patterns import broad_first, fitting
from footfall.trajectory.control import ControlTicks
from footfall.wording import did_you_mean
from footfall_controllers.controller import (
    Controller,
    Reference,
    Wiring,
    actuated_joints,
)
from footfall_controllers.foot_switch import FootSwitch
from footfall_controllers.walk_pattern import WalkPattern
from footfall_controllers.walking.walk_parameters import WalkParameters
from footfall_controllers.walking.walk_reach import WalkReach
from footfall_controllers.walking.walking_ground import WalkingGround
from footfall_controllers.whole_body.collisions import SelfCollision
from footfall_controllers.whole_body.contacts import Contact
from footfall_controllers.whole_body.fall import Fall
from footfall_controllers.whole_body.limits import JointLimits
from footfall_controllers.whole_body.prediction import PredictedPlace
from footfall_controllers.whole_body.rows import Gains
from footfall_controllers.whole_body.tasks import (
    AngularMomentum,
    AnyTask,
    CentreOfMass,
    CentreOfPressure,
    Frame,
    JointPosture,
    JointTorque,
    Orientation,
    Place,
)
from footfall_controllers.whole_body.weights import Weights
from footfall_controllers.whole_body_qp import WholeBodyParameters, WholeBodyQp

_LAW = "whole_body"  # the system in the diagram
_WHOLE = 1e-9  # of a number of steps
_DIRECTION = metadata(
    lambda n: len(n) == 3 and 0.0 < np.linalg.norm(n) < np.inf, "give a direction [x, y, z]"
)


@dataclass
class ContactSwitch(Checked, at="controller.contact_switch."):
    """Contacts that are closed while they are felt, as by switches in the soles."""

    # Normal force from which on a contact counts as closed [N].
    threshold: float = positive(5.0)
    # Time in which it takes its load then [s].
    ramp: float = positive(0.03)


@dataclass
class WholeBody(Controller):
    """Do tasks with the whole body, by forces that the ground can give and within all limits."""

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
    # Whether its model of the robot has the masses of the scenario's mass_scale; false: it believes
    # those of the files, as a controller that nobody told of a load.
    knows_mass_scale: bool = True
    # A walk, with tasks of its own for centre of mass, trunk and feet; absent: the robot stands.
    walk: Walk | None = None
    # Time between two ticks [s], in which torques are held; 0: a tick at every step.
    period: float = not_negative(0.0)
    # Capsules on links that keep their distance; absent: nothing does.
    self_collision: SelfCollision | None = None
    # Contacts that open and close as they are felt; absent: as the walk says, or always closed.
    contact_switch: ContactSwitch | None = None
    # When the robot counts as fallen: from then on its joints are only braked; null: never.
    fall: Fall | None = field(default_factory=Fall)

    def pd_gains(self, plant: MultibodyPlant) -> PdGains | None:
        """Return the damping of drives, if there is any."""
        damping = self._by_actuator(plant, self.drive_damping, "drive_damping", 0.0)
        return PdGains(np.zeros_like(damping), damping, by_drive=True) or None

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the machine's state -> the controller -> the machine's actuation."""
        plant = self._model(wiring.model).plant
        law = self.system(plant, wiring.time_step, wiring.motors)
        wiring.add_feedback(_LAW, law)
        builder = wiring.builder
        if self.walk is not None:
            known = self._walking(self.walk, wiring.model)
            reach = self._reach(plant, known) if self.walk.com_height == "auto" else None
            pattern = WalkPattern(plant, known, reach)
            builder.AddNamedSystem("walk_pattern", pattern)
            builder.Connect(wiring.state, pattern.GetInputPort("state"))
            builder.Connect(pattern.GetOutputPort("targets"), law.GetInputPort("targets"))
            if self.walk.by_contact is not None:
                feet = [list(foot.contacts) for foot in known.feet.values()]
                least = self.walk.by_contact.load * law.terms.weight * self._step(wiring)
                add_foot_switch(wiring, feet, least, "walk_switch", pattern)
        if self.contact_switch is not None:
            self._require_period("contact_switch")
            links = [[contact.link] for contact in self._bearing()]
            least = self.contact_switch.threshold * self._step(wiring)
            add_foot_switch(wiring, links, least, "foot_switch", law)

    def _step(self, wiring: Wiring) -> float:
        """Time of which an engine tells the impulses [s]."""
        return wiring.time_step or self.period

    def ticks(self, diagram: Diagram) -> ControlTicks | None:
        """Return what the ticks of a run tell, once it is over."""
        law = diagram.GetSubsystemByName(_LAW)
        if not isinstance(law, WholeBodyQp) or not law.log:
            return None
        told, look = np.array([each for _, each in law.log.values()]), law.inspection
        return ControlTicks(
            tasks=look.tasks,
            units=look.units,
            constraints=look.constraints,
            time=np.array(list(law.log)),
            outcome=look.outcome(told),
            error=look.errors(told),
            cost=look.costs(told),
            active=look.active(told),
            conflict=look.conflict(told),
            took=np.array([took for took, _ in law.log.values()]),
        )

    def adjustable(self, diagram: Diagram) -> Mapping[str, float]:
        """Return gains and weights of the tasks of motion as they are, ``task.kp`` and the like."""
        gains = self._law_in(diagram).gains()
        return {
            f"{task}.{name}": value
            for task, each in gains.items()
            for name, value in asdict(each).items()
        }

    def adjust(self, diagram: Diagram, name: str, value: float) -> None:
        """Change one of them between two steps; raises ScenarioError for another name."""
        known = self.adjustable(diagram)
        if name not in known:
            raise ScenarioError(f"controller: {did_you_mean(name, list(known))}")
        task, _, part = name.rpartition(".")
        self._law_in(diagram).retune(task, Gains(**{part: value}))

    def _law_in(self, diagram: Diagram) -> WholeBodyQp:
        law: WholeBodyQp = diagram.GetSubsystemByName(_LAW)
        return law

    def _require_period(self, field_name: str) -> None:
        if not self.period:
            raise ScenarioError(
                f"controller.period is 0: {field_name} needs a period, such as 0.005 s."
            )

    def _model(self, model: Model) -> Model:
        """Return the model of the robot that the controller has."""
        if self.knows_mass_scale or not model.spec.mass_scale:
            return model
        return load_model(replace(model.spec, mass_scale={}))

    def _bearing(self) -> list[Contact]:
        """Return the contacts that forces are worked out for."""
        return self.contacts if self.walk is None else self.walk.bearing(self.contacts)

    def _walking(self, walk: Walk, model: Model | None = None) -> WalkParameters:
        """Return the parameters of a walk, on the ground of a model that it knows."""
        self._require_period("a walk")
        found = walk.parameters(self.contacts, self.period)
        if model is None:
            return found
        axes = model.spec.terrain.X_WTerrain().rotation().matrix()
        surface = model.surface if walk.knows_ground else None
        return replace(found, ground=WalkingGround(axes, surface))

    def _reach(self, plant: MultibodyPlant, walk: WalkParameters) -> WalkReach:
        """Return the reach of a walk, with the largest torques of file and controller."""
        efforts = np.array([actuator.effort_limit() for actuator in actuators_of(plant)])
        limits = self._by_actuator(plant, self.torque_limits, "torque_limits", np.inf)
        return WalkReach(plant, walk, np.minimum(efforts, limits))

    def start_warning(self, model: Model, q: Array) -> str | None:
        """Return a line on a walk that is too fast for the posture in which it starts."""
        if self.walk is None:
            return None
        reach = self._reach(model.plant, self._walking(self.walk, model))
        return reach.warning(q, lowers=self.walk.com_height == "auto")

    def system(
        self,
        plant: MultibodyPlant,
        time_step: float = 0.0,
        motors: Mapping[str, Motor] | None = None,
    ) -> WholeBodyQp:
        """Return the controller of a plant, for steps of a length [s], 0: any; with its motors."""
        tasks: dict[str, AnyTask] = dict(self.tasks)
        if self.walk is not None:
            tasks |= self.walk.tasks(self._walking(self.walk))
        for group in ("contacts", "tasks"):
            if not getattr(self, group):
                message = f"controller.{group} is empty: a whole-body controller needs some."
                raise ScenarioError(message)
        require_whole_steps(self.period, time_step)
        limits = self._by_actuator(plant, self.torque_limits, "torque_limits", np.inf)
        damping = self._by_actuator(plant, self.drive_damping, "drive_damping", 0.0)
        x, y, z = self.normal or ground_axes(plant).matrix()[:, 2].tolist()
        return WholeBodyQp(
            plant,
            WholeBodyParameters(
                tasks=tasks,
                contacts=self._bearing(),
                friction=self.friction,
                normal=(x, y, z),
                joint_limits=self.joint_limits,
                torque_limits=limits,
                weights=self.weights,
                period=self.period,
                motors=motors or {},
                self_collision=self.self_collision,
                fall=self.fall,
                drive_inertia=time_step * (abs(plant.MakeActuationMatrix()) @ damping),
                ramp=switch.ramp if (switch := self.contact_switch) else WholeBodyParameters.ramp,
            ),
        )

    @staticmethod
    def _by_actuator(
        plant: MultibodyPlant, values: dict[str, float], group: str, other: float
    ) -> Array:
        """Return numbers of the actuators (nu,) out of those by joint or pattern."""
        joints = actuated_joints(plant)
        known = {name: name for name in joints}
        found = dict.fromkeys(joints, other)
        for pattern in broad_first(values):
            fits = fitting(pattern, known, f"controller.{group}", "driven joint")
            found |= dict.fromkeys(fits, values[pattern])
        return np.array([found[name] for name in joints])


def add_foot_switch(
    wiring: Wiring, feet: Sequence[Sequence[str]], least: float, name: str, system: System
) -> None:
    """Connect the loads of feet, the links of each, with the port ``contact`` of a system.

    least: impulse of a step from which on a foot is felt [N s]. Raises ScenarioError for an engine
    without impulses.
    """
    if wiring.impulses is None:
        raise ScenarioError(f"controller: {name} needs an engine that measures contact impulses.")
    switch = FootSwitch(foot_loads(wiring.model.plant, wiring.contacts, feet), least)
    builder = wiring.builder
    builder.AddNamedSystem(name, switch)
    builder.Connect(wiring.impulses, switch.GetInputPort("contact_impulses"))
    builder.Connect(switch.GetOutputPort("contact"), system.GetInputPort("contact"))


def foot_loads(plant: MultibodyPlant, contacts: ContactSet, feet: Sequence[Sequence[str]]) -> Array:
    """Return the rows (feet, 3 n) that sum normal impulses of feet, the links of each."""
    return np.array([loads_by_link(plant, contacts, links).sum(axis=0) for links in feet])


def require_whole_steps(period: float, time_step: float) -> None:
    """Raise ScenarioError for a period [s] that is no whole number of steps [s]; 0: any is."""
    if not (time_step and period):
        return
    steps = period / time_step
    if abs(steps - round(steps)) > _WHOLE * steps or round(steps) < 1:
        raise ScenarioError(
            f"controller.period is {period} s: give a whole number of time steps of {time_step} s."
        )
