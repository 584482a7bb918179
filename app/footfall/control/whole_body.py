"""Whole-body control, as scenarios describe it."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.control.controller import (
    Controller,
    Reference,
    Wiring,
    actuated_joints,
    require_finite,
)
from footfall.control.walk import Walk
from footfall.errors import ScenarioError
from footfall.plants.drives import PdGains
from footfall.plants.patterns import broad_first, fitting
from footfall_controllers.walk_pattern import WalkPattern
from footfall_controllers.walking.walk_parameters import WalkParameters
from footfall_controllers.whole_body.contacts import Contact
from footfall_controllers.whole_body.limits import JointLimits
from footfall_controllers.whole_body.prediction import PredictedPlace
from footfall_controllers.whole_body.tasks import (
    AngularMomentum,
    CentreOfMass,
    JointPosture,
    Orientation,
    Place,
    Task,
)
from footfall_controllers.whole_body.weights import Weights
from footfall_controllers.whole_body_qp import WholeBodyParameters, WholeBodyQp

_WHOLE = 1e-9  # of a number of steps


@dataclass
class WholeBody(Controller):
    """Do tasks with the whole body, by forces that the ground can give and within all limits."""

    # Tasks by name: !CentreOfMass, !AngularMomentum, !Orientation, !Place, !JointPosture,
    # !PredictedPlace.
    tasks: dict[
        str, CentreOfMass | AngularMomentum | Orientation | Place | JointPosture | PredictedPlace
    ] = field(default_factory=dict)
    # What the robot stands on: links with the corners that bear.
    contacts: list[Contact] = field(default_factory=list)
    # Friction coefficient that forces of the ground stay below.
    friction: float = 0.5
    # Normal of the ground in the world.
    normal: list[float] = field(default_factory=lambda: [0.0, 0.0, 1.0])
    # How joints stay within the limits of the file; null: they are not looked at.
    joint_limits: JointLimits | None = field(default_factory=JointLimits)
    # Largest torques by joint or pattern ("*_knee") [N m or N], beside the limits of the file.
    torque_limits: dict[str, float] = field(default_factory=dict)
    # Damping of drives by joint or pattern [N m s/rad]: gains of the velocity that act within a
    # step, for joints of little inertia.
    drive_damping: dict[str, float] = field(default_factory=dict)
    # Prices beside those of the tasks.
    weights: Weights = field(default_factory=Weights)
    # A walk, with tasks of its own for centre of mass, trunk and feet; absent: the robot stands.
    walk: Walk | None = None
    # Time between two ticks [s], in which torques are held; 0: a tick at every step.
    period: float = 0.0

    def __post_init__(self) -> None:
        """Refuse numbers that are none."""
        require_finite("controller", positive=("friction",), not_negative=("period",), of=self)
        length = math.hypot(*self.normal) if len(self.normal) == 3 else 0.0
        if not 0.0 < length < math.inf:
            raise ScenarioError(f"controller.normal is {self.normal}: give a direction [x, y, z].")
        for group in ("torque_limits", "drive_damping"):
            for name, value in getattr(self, group).items():
                if not (math.isfinite(value) and value >= 0.0):
                    raise ScenarioError(
                        f"controller.{group}.{name} is {value}: give a number that is not negative."
                    )

    def pd_gains(self, plant: MultibodyPlant) -> PdGains | None:
        """Return the damping of drives, if there is any."""
        damping = self._by_actuator(plant, self.drive_damping, "drive_damping", 0.0)
        return PdGains(np.zeros_like(damping), damping) or None

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the machine's state -> the controller -> the machine's actuation."""
        plant = wiring.model.plant
        law = self.system(plant, wiring.time_step)
        wiring.add_feedback("whole_body", law)
        if self.walk is not None:
            pattern = WalkPattern(plant, self._walking(self.walk))
            wiring.builder.AddNamedSystem("walk_pattern", pattern)
            wiring.builder.Connect(wiring.state, pattern.GetInputPort("state"))
            wiring.builder.Connect(pattern.GetOutputPort("targets"), law.GetInputPort("targets"))

    def _walking(self, walk: Walk) -> WalkParameters:
        if not self.period:
            raise ScenarioError("controller.period is 0: a walk needs a period, such as 0.005 s.")
        return walk.parameters(self.contacts, self.period)

    def system(self, plant: MultibodyPlant, time_step: float = 0.0) -> WholeBodyQp:
        """Return the controller of a plant, for steps of a length [s], 0: any."""
        tasks: dict[str, Task] = dict(self.tasks)
        if self.walk is not None:
            tasks |= self.walk.tasks(self._walking(self.walk))
        for group in ("contacts", "tasks"):
            if not getattr(self, group):
                message = f"controller.{group} is empty: a whole-body controller needs some."
                raise ScenarioError(message)
        if time_step and self.period:
            steps = self.period / time_step
            if abs(steps - round(steps)) > _WHOLE * steps or round(steps) < 1:
                raise ScenarioError(
                    f"controller.period is {self.period} s: give a whole number of time steps of "
                    f"{time_step} s."
                )
        limits = self._by_actuator(plant, self.torque_limits, "torque_limits", np.inf)
        x, y, z = self.normal
        return WholeBodyQp(
            plant,
            WholeBodyParameters(
                tasks=tasks,
                contacts=self.contacts,
                friction=self.friction,
                normal=(x, y, z),
                joint_limits=self.joint_limits,
                torque_limits=limits,
                weights=self.weights,
                period=self.period,
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
