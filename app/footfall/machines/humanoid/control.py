"""Controller of the walker as a scenario describes it: selector, paths, accelerations, torques."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import DiagramBuilder, LeafSystem

from footfall.errors import ScenarioError
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters, Numbers
from footfall.machines.humanoid.closed_form.phases import (
    NAMES,
    PHASE_NAMES,
    SIDES,
    GaitPhase,
)
from footfall.machines.humanoid.model import TRUNK, parameters_of
from footfall.machines.humanoid.posture import require_lift
from footfall.machines.humanoid.supports import ankles, heels, pendulum, support
from footfall.machines.humanoid.walk_settings import BySupport, Feedback, JointSpring, Weights
from footfall.plants.actuators import actuators_of
from footfall.plants.support_motions import CUT
from footfall.registry.context import MachineContext
from footfall_controllers.controller import Controller, Reference, Wiring
from footfall_controllers.optimal_predictive import (
    OptimalPredictive,
    PredictivePhase,
)
from footfall_controllers.parallel_springs import ParallelSpring, ParallelSprings
from footfall_controllers.phase_selector import NEAR, PhaseSelector, PhaseSelectorParameters
from footfall_controllers.redundant_torque import RedundantTorque, Sole, TorquePhase
from footfall_controllers.resolved_acceleration import ResolvedAcceleration
from footfall_controllers.swing_path import SwingPath, SwingPathParameters
from footfall_controllers.touchdown_kinematics import Landing, TouchdownKinematics
from footfall_controllers.tracked_points import TrackedPoint

SELECTOR, PATH, ACCELERATION, TORQUE, SPRINGS, TOUCHDOWN = (
    "phase_selector",
    "swing_path",
    "acceleration",
    "redundant_torque",
    "parallel_springs",
    "touchdown_kinematics",
)
"""Names of the systems in the diagram."""
WIRES = (
    (SELECTOR, "phase", PATH, "phase"),
    (SELECTOR, "phase", ACCELERATION, "phase"),
    (SELECTOR, "phase", TORQUE, "phase"),
    (SELECTOR, "start", PATH, "start"),
    (PATH, "reference", ACCELERATION, "reference"),
    (ACCELERATION, "acceleration", TORQUE, "acceleration"),
)
"""Connections of the thesis's controllers: from a system's output to another one's input."""

_LEG = NAMES[:5]
_STEPS = 3  # of time, fewest in a phase
_LARGEST_CUT = 0.1  # below what generic postures have
_SMALL = 1e-2  # singular values of tracked velocities below this, over the largest, are left out


@dataclass
class HumanoidWalk(Controller):
    """Let the walker of the thesis walk: optimal predictive control over computed torque."""

    # Phase that it begins with: left_double, left_single, right_double or right_single.
    first: str = "left_double"
    # Begin at the speed of the references, not at rest.
    moving: bool = False
    # Speed of the trunk [m/s].
    speed: BySupport = field(default_factory=lambda: BySupport(0.6, 0.2))
    # Height of the hips [m], distance of a foot ahead of the other [m], lift of the heel [m].
    height: float = 0.8
    step: float = 0.2
    lift: float = 0.06
    # Let the swinging heel go ahead by the printed (4.4), not on the smooth path that replaces it.
    printed_path: bool = False
    # Way of the trunk in single support [m]; height of the heel behind where that begins [m].
    progress: float = 0.0885
    toe_off: float = 0.03545
    # Absent: optimal predictive control. Given: resolved acceleration with these gains instead, the
    # classical loop around computed torque, whose references are of now.
    feedback: Feedback | None = None
    # How far the control predicts [s].
    horizon: BySupport = field(default_factory=lambda: BySupport(0.05, 0.02))
    # Weights h_i of places, r_i of velocities, s_i of accelerations, (3.136): one number for all,
    # or a list with one each. Places and velocities: x, y, z of O1 and G1 in double support, of O1,
    # the swinging heel and G1 in single support. Accelerations: up the flat leg from the roll of
    # its ankle, and in single support down the other one from its hip.
    position_weight: Weights = field(default_factory=Weights)
    velocity_weight: Weights = field(default_factory=Weights)
    acceleration_weight: Weights = field(default_factory=lambda: Weights(1e-3, 1e-4))
    # Track the angle of the toe behind in double support as a seventh output, and command its
    # acceleration as a sixth one, so that the heel rises to `toe_off`; the thesis has neither.
    track_toe: bool = False
    # Weight of the predicted power of all actuators [1/W^2].
    power_weight: float = 0.0
    # Weights W of torques by joint without its side, as in {knee: 2}; the others have 1; weight of
    # the square of a joint's rate beside them [s^2/rad^2].
    torque_weights: dict[str, float] = field(default_factory=dict)
    torque_power: float = 0.0
    # Largest torque of any joint [N m]; absent: none.
    torque_limit: float | None = None
    # Ask for reactions that the ground can give: it does not pull, soles do not slip or tip.
    push_only: bool = False
    # Friction coefficient and half the width of a sole [m] for that.
    friction: float = 0.8
    half_width: float = 0.044
    # How far from the edge of a sole the centre of pressure is to stay [m].
    margin: float = 0.0
    # Springs and dampers by joint without its side, as in
    # {knee: {stiffness: 50, rest: 0.8, damping: 1}}.
    springs: dict[str, JointSpring] = field(default_factory=dict)
    # How far beside the middle the zero-moment point of a pendulum is whose lateral motion the
    # trunk has [m]; 0: it stays in the middle.
    sway: float = 0.0
    # Lead the ankle of the swinging foot above its heel, so that the foot comes down level.
    level_foot: bool = False
    # The foot ahead carries alone when the trunk is this near behind its heel [m]; below 0: ahead.
    near: float = NEAR
    # Equations of supports with singular values below this are cut [1 and m]: two flat feet say one
    # thing twice, and where the trunk is aside and a heel a little up, nearly twice.
    cut: float = CUT
    # Longest phase [s].
    patience: float = 5.0

    def __post_init__(self) -> None:
        """Refuse what no law takes."""
        if self.first not in PHASE_NAMES:
            message = f"controller.first is '{self.first}': choose one of {', '.join(PHASE_NAMES)}."
            raise ScenarioError(message)
        for group in ("torque_weights", "springs"):
            unknown = set(getattr(self, group)) - set(NAMES)
            if unknown:
                message = (
                    f"controller.{group}: there is no joint {', '.join(sorted(unknown))}; "
                    f"joints are {', '.join(NAMES)}."
                )
                raise ScenarioError(message)
        for name in ("friction", "half_width", "patience", "cut"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise ScenarioError(f"controller.{name} is {value}: give a positive number.")
        if self.cut > _LARGEST_CUT:
            message = (
                f"controller.cut is {self.cut}: give at most {_LARGEST_CUT}, or legs come off."
            )
            raise ScenarioError(message)
        if not 0.0 <= self.margin < self.half_width:
            message = f"controller.margin is {self.margin} m: give from 0 to below half_width."
            raise ScenarioError(message)
        self._refuse_weights()
        limit = self.torque_limit
        if limit is not None and not (math.isfinite(limit) and limit > 0.0):
            raise ScenarioError(f"controller.torque_limit is {limit}: give a positive torque.")

    def _refuse_weights(self) -> None:
        for kind in ("double", "single"):
            outputs, commands = self._quantities(double=kind == "double")
            for name, each in (
                ("position_weight", outputs),
                ("velocity_weight", outputs),
                ("acceleration_weight", commands),
            ):
                weights: Weights = getattr(self, name)
                positive = name == "acceleration_weight"
                weights.require(f"controller.{name}", kind, each, positive=positive)

    def _quantities(self, *, double: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Words for the outputs that are tracked and the accelerations that are commanded."""
        points: tuple[str, ...] = ("O1", "G1") if double else ("O1", "heel", "G1")
        if self.level_foot and not double:
            points += ("ankle",)
        outputs = tuple(f"{axis} of {point}" for point in points for axis in "xyz")
        commands = tuple(f"flat {name}" for name in reversed(_LEG))
        if not double:
            return outputs, (*commands, *(f"swinging {name}" for name in _LEG))
        toe = ("toe behind",) if self.track_toe else ()
        return outputs + toe, commands + toe

    @property
    def first_phase(self) -> GaitPhase:
        """Phase that it begins with."""
        return GaitPhase(PHASE_NAMES.index(self.first))

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect selector, landing, paths, predictive control and torques."""
        plant = wiring.model.plant
        found = parameters_of(wiring.model, wiring.contacts)
        p = found.numbers()
        self._refuse_haste(wiring.time_step)
        systems = self.systems(plant, found)
        landings = [_landing(p, GaitPhase(k), self.cut) for k in range(4)]
        try:
            springs = ParallelSprings(plant, self._springs())
        except ValueError as error:
            raise ScenarioError(f"controller: {error}.") from error
        systems |= {TOUCHDOWN: TouchdownKinematics(plant, TRUNK, landings), SPRINGS: springs}
        builder = wiring.builder
        add_systems(
            builder,
            systems,
            (
                *WIRES,
                (SELECTOR, "next_phase", TOUCHDOWN, "next_phase"),
                (TOUCHDOWN, "landing", SELECTOR, "landing"),
                (SPRINGS, "springs", TORQUE, "passive"),
                (TORQUE, "actuation", SPRINGS, "motors"),
            ),
        )
        for name in (SELECTOR, TOUCHDOWN, ACCELERATION, TORQUE, SPRINGS):
            builder.Connect(wiring.state, systems[name].GetInputPort("state"))
        builder.Connect(systems[SPRINGS].GetOutputPort("actuation"), wiring.actuation)

    def systems(self, plant: MultibodyPlant, found: HumanoidParameters) -> dict[str, LeafSystem]:
        """Selector, paths, predictive control and torques, to be connected by `WIRES`.

        Raises ScenarioError for what none of them takes.
        """
        p = found.numbers()
        soles = self._soles(found) if self.push_only else ((), ())
        try:
            laws = [self.predictive(p, GaitPhase(k)) for k in range(4)]
            torques = [self._torques(plant, GaitPhase(k), soles) for k in range(4)]
            selector, path = self.references(plant, p)
            return {
                SELECTOR: selector,
                PATH: path,
                ACCELERATION: self._accelerations(plant, laws),
                TORQUE: RedundantTorque(plant, torques),
            }
        except ValueError as error:
            raise ScenarioError(f"controller: {error}.") from error

    def _refuse_haste(self, time_step: float) -> None:
        """Raise ScenarioError for a phase that is over within two steps of time."""
        speeds, ways = self.speed, (self.step - self.progress, self.progress)
        for kind, speed, way in zip(("double", "single"), speeds.pair, ways, strict=True):
            if way < _STEPS * time_step * speed:
                message = (
                    f"controller.speed.{kind} is {speed} m/s: {kind} support would take "
                    f"{1e3 * way / speed:.3g} ms, steps of time are {1e3 * time_step:g} ms: give "
                    f"at most {way / (_STEPS * time_step):.3g} m/s."
                )
                raise ScenarioError(message)

    def _accelerations(self, plant: MultibodyPlant, laws: list[PredictivePhase]) -> LeafSystem:
        if self.feedback is None:
            return OptimalPredictive(plant, laws)
        return ResolvedAcceleration(plant, laws, self.feedback.kp, self.feedback.kd)

    def _springs(self) -> list[ParallelSpring]:
        return [
            ParallelSpring(f"{side}_{name}", spring.stiffness, spring.rest, spring.damping)
            for name, spring in self.springs.items()
            for side in SIDES
        ]

    def references(self, plant: MultibodyPlant, p: Numbers) -> tuple[PhaseSelector, SwingPath]:
        """Return the systems that tell the phase, and where points should be in it."""
        return PhaseSelector(plant, self._selector(p)), SwingPath(plant, self.path(p))

    def path(self, p: Numbers) -> SwingPathParameters:
        """Return the gait; raises ScenarioError for one that legs cannot have."""
        require_lift(p, self.height, self.lift)
        try:
            return self._path(p)
        except ValueError as error:
            raise ScenarioError(f"controller: {error}.") from error

    def _path(self, p: Numbers) -> SwingPathParameters:
        return SwingPathParameters(
            trunk=TrackedPoint(TRUNK),
            above=p.c1,
            heels=heels(p),
            toes=("left_toe", "right_toe"),
            speed=self.speed.pair,
            height=self.height,
            step=self.step,
            lift=self.lift,
            progress=self.progress,
            toe_off=self.toe_off,
            foot=p.d10,
            horizon=self.horizon.pair if self.feedback is None else (0.0, 0.0),
            sway=pendulum(p, self.height, self.sway) if self.sway else None,
            ankles=ankles() if self.level_foot else None,
            grounded=self._selector(p).grounded,
            printed=self.printed_path,
        )

    def _selector(self, p: Numbers) -> PhaseSelectorParameters:
        return PhaseSelectorParameters(
            TrackedPoint(TRUNK),
            heels(p),
            near=self.near,
            patience=self.patience,
            first=self.first_phase,
        )

    def predictive(self, p: Numbers, phase: GaitPhase) -> PredictivePhase:
        """Return the law of a phase: of O1 and G1, and of the heel that swings, (3.150) to (3.156).

        Its outputs and commands are in the order of the thesis; in double support the toe behind
        comes after them where it is tracked.
        """
        flat, other = SIDES[phase.side], SIDES[1 - phase.side]
        free = [f"{flat}_{name}" for name in reversed(_LEG)]
        O1, G1 = TrackedPoint(TRUNK), TrackedPoint(TRUNK, (0.0, 0.0, p.c1))
        joints: tuple[str, ...] = ()
        if phase.is_double:
            points: tuple[TrackedPoint, ...] = (O1, G1)
            if self.track_toe:
                joints = (f"{other}_toe",)
                free += joints
        else:
            points = (O1, heels(p)[1 - phase.side], G1)
            if self.level_foot:
                points += (ankles()[1 - phase.side],)
            free += [f"{other}_{name}" for name in _LEG]
        rows, double = 3 * len(points) + len(joints), phase.is_double
        return PredictivePhase(
            support=support(phase, self.cut),
            points=points,
            joints=joints,
            free=tuple(free),
            h=self.position_weight.each(double=double, count=rows),
            r=self.velocity_weight.each(double=double, count=rows),
            s=self.acceleration_weight.each(double=double, count=len(free)),
            horizon=self.horizon.double if double else self.horizon.single,
            power=self.power_weight,
        )

    def _torques(
        self, plant: MultibodyPlant, phase: GaitPhase, soles: tuple[tuple[Sole, ...], ...]
    ) -> TorquePhase:
        joints = [actuator.joint().name().partition("_")[2] for actuator in actuators_of(plant)]
        weights = tuple(self.torque_weights.get(name, 1.0) for name in joints)
        limit = () if self.torque_limit is None else (self.torque_limit,) * len(joints)
        held = support(phase, self.cut)
        under = tuple(sole for each in soles for sole in each if sole.frame in held.held)
        return TorquePhase(held, weights, self.torque_power, limit, under)

    def _soles(self, found: HumanoidParameters) -> tuple[tuple[Sole, ...], ...]:
        """Soles of the feet, whose toes are held straight where a foot is flat, and of the toes."""
        p, margin, toe = found.numbers(), self.margin, found.toe_length * found.height
        across = (margin - self.half_width, self.half_width - margin)
        foot, tip = (margin, p.d10 + toe - margin), (margin, toe - margin)
        return (
            tuple(Sole(f"{side}_foot", foot, across, -p.a10, self.friction) for side in SIDES),
            tuple(Sole(f"{side}_toe", tip, across, 0.0, self.friction) for side in SIDES),
        )


def add_systems(
    builder: DiagramBuilder,
    systems: Mapping[str, LeafSystem],
    wires: Sequence[tuple[str, str, str, str]],
) -> None:
    """Add systems by their names, and connect outputs with inputs as `WIRES` has them."""
    for name, system in systems.items():
        builder.AddNamedSystem(name, system)
    for source, output, target, given in wires:
        builder.Connect(systems[source].GetOutputPort(output), systems[target].GetInputPort(given))


def without_power(context: MachineContext) -> dict[str, Controller]:
    """Return the control without the weight of power, for a walk that has one."""
    control = context.controller
    if not isinstance(control, HumanoidWalk) or not control.power_weight:
        return {}
    return {"controller": replace(control, power_weight=0.0)}


def _landing(p: Numbers, phase: GaitPhase, cut: float = CUT) -> Landing:
    if phase.is_double:
        return Landing(support(phase, cut), level=(heels(p)[phase.side],))
    return Landing(support(phase, cut), straight=("left_toe", "right_toe"))
