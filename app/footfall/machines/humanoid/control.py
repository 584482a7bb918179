"""Controller of the walker as a scenario describes it: selector, paths, accelerations, torques."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import LeafSystem

from footfall.checked import between, not_negative, one_of, positive
from footfall.errors import ScenarioError
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters, Numbers
from footfall.machines.humanoid.closed_form.phases import (
    NAMES,
    PHASE_NAMES,
    SIDES,
    GaitPhase,
)
from footfall.machines.humanoid.model import (
    TRUNK,
    ankles,
    heels,
    parameters_of,
    pendulum,
    require_lift,
    support,
    tracked_points,
)
from footfall.plants.coordinates import actuators_of
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
from footfall_controllers.resolved_acceleration import Feedback, ResolvedAcceleration
from footfall_controllers.swing_path import SwingPath, SwingPathParameters
from footfall_controllers.touchdown_kinematics import Landing, TouchdownKinematics
from footfall_controllers.tracked_points import TrackedPoint

Weight: TypeAlias = list[float] | float | int  # Drake's reader takes 1 as an int
"""One number for all, or a list of one for each."""


@dataclass
class BySupport:
    """A value for double and one for single support."""

    double: float = 0.0
    single: float = 0.0

    @property
    def pair(self) -> tuple[float, float]:
        """Both, double support first."""
        return self.double, self.single


@dataclass
class Weights:
    """Weights for double and single support: one number for all of them, or a list of each."""

    double: Weight = 1.0
    single: Weight = 1.0

    def each(self, *, double: bool, count: int) -> tuple[float, ...]:
        """Return the weights (count,) of a support."""
        given = self.double if double else self.single
        return tuple(given) if isinstance(given, list) else (float(given),) * count

    def scaled(self, factor: float) -> "Weights":
        """Return all weights times a factor."""
        pair = (
            [factor * each for each in given] if isinstance(given, list) else factor * given
            for given in (self.double, self.single)
        )
        return Weights(*pair)

    def require(self, name: str, kind: str, each: tuple[str, ...], *, positive: bool) -> None:
        """Raise ScenarioError, one line, unless they are weights of each of some quantities.

        name, kind: of the field and the support in it; each: words for the quantities; positive:
        none may be 0.
        """
        weights = self.each(double=kind == "double", count=len(each))
        if len(weights) != len(each):
            raise ScenarioError(
                f"{name}.{kind} has {len(weights)} weights: give one number for all, or "
                f"{len(each)}: {', '.join(each)}."
            )
        listed = isinstance(getattr(self, kind), list)
        for k, weight in enumerate(weights):
            where = f"{name}.{kind}.{k}" if listed else f"{name}.{kind}"
            if not (math.isfinite(weight) and weight >= 0.0):
                raise ScenarioError(f"{where} is {weight}: give a weight, not below 0.")
            if weight == 0.0 and positive:
                raise ScenarioError(
                    f"{where} is 0: give a positive weight, or motions that no point shows have no "
                    "acceleration."
                )


SELECTOR, PATH, ACCELERATION, TORQUE, SPRINGS, TOUCHDOWN = (
    "phase_selector",
    "swing_path",
    "acceleration",
    "redundant_torque",
    "parallel_springs",
    "touchdown_kinematics",
)
"""Names of the systems in the diagram."""
PLANT = "plant"
"""Stands for the walker in connections: its ports `state` and `actuation`."""
Wire: TypeAlias = tuple[str, str, str, str]
"""Connection from a system's output to another one's input: names of system and port, twice."""
GUIDED = ((SELECTOR, "phase", PATH, "phase"), (SELECTOR, "start", PATH, "start"))
"""Connections that lead the references."""
WIRES = (
    *GUIDED,
    (SELECTOR, "phase", ACCELERATION, "phase"),
    (SELECTOR, "phase", TORQUE, "phase"),
    (PATH, "reference", ACCELERATION, "reference"),
    (ACCELERATION, "acceleration", TORQUE, "acceleration"),
)
"""Connections of the thesis's controllers with each other."""

_LEG = NAMES[:5]
_STEPS = 3  # of time, fewest in a phase
_LARGEST_CUT = 0.1  # below what generic postures have


@dataclass
class HumanoidWalk(Controller):
    """Let the walker of the thesis walk: optimal predictive control over computed torque."""

    # Phase that it begins with: left_double, left_single, right_double or right_single.
    first: str = one_of("left_double", PHASE_NAMES)
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
    power_weight: float = not_negative(0.0)
    # Weights W of torques by joint without its side, as in {knee: 2}; the others have 1.
    torque_weights: dict[str, float] = positive({})
    # Largest torque of any joint [N m]; absent: none.
    torque_limit: float | None = positive(None, "give a positive torque")
    # Ask for reactions that the ground can give: it does not pull, soles do not slip or tip.
    push_only: bool = False
    # Friction coefficient and half the width of a sole [m] for that.
    friction: float = positive(0.8)
    half_width: float = positive(0.044)
    # How far from the edge of a sole the centre of pressure is to stay [m].
    margin: float = 0.0
    # Springs and dampers by joint without its side, as in
    # {knee: {stiffness: 50, rest: 0.8, damping: 1}}.
    springs: dict[str, ParallelSpring] = field(default_factory=dict)
    # How far beside the middle the zero-moment point of a pendulum is whose lateral motion the
    # trunk has [m]; 0: it stays in the middle.
    sway: float = 0.0
    # Lead the ankle of the swinging foot above its heel, so that the foot comes down level.
    level_foot: bool = False
    # The foot ahead carries alone when the trunk is this near behind its heel [m]; below 0: ahead.
    near: float = NEAR
    # Equations of supports with singular values below this are cut [1 and m]: two flat feet say one
    # thing twice, and where the trunk is aside and a heel a little up, nearly twice.
    cut: float = between(
        CUT, 0.0, _LARGEST_CUT, f"give at most {_LARGEST_CUT}, or legs come off", open_low=True
    )
    # Longest phase [s].
    patience: float = positive(5.0)

    def __post_init__(self) -> None:
        """Refuse what no law takes."""
        super().__post_init__()
        for group in ("torque_weights", "springs"):
            unknown = set(getattr(self, group)) - set(NAMES)
            if unknown:
                raise self.refusal(
                    f"{group}: there is no joint {', '.join(sorted(unknown))}; "
                    f"joints are {', '.join(NAMES)}"
                )
        if not 0.0 <= self.margin < self.half_width:
            raise self.refusal(f"margin is {self.margin} m: give from 0 to below half_width")
        self._refuse_weights()

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
        parameters = parameters_of(wiring.model)
        p = parameters.numbers()
        self._refuse_haste(wiring.time_step)
        systems = self.systems(plant, parameters)
        landings = [_landing(p, phase, self.cut) for phase in GaitPhase]
        springs = {
            f"{side}_{name}": spring for name, spring in self.springs.items() for side in SIDES
        }
        systems |= {
            TOUCHDOWN: TouchdownKinematics(plant, TRUNK, landings),
            SPRINGS: ParallelSprings(plant, springs),
        }
        connect_systems(
            wiring,
            systems,
            (
                *WIRES,
                (SELECTOR, "next_phase", TOUCHDOWN, "next_phase"),
                (TOUCHDOWN, "landing", SELECTOR, "landing"),
                (SPRINGS, "springs", TORQUE, "passive"),
                (TORQUE, "actuation", SPRINGS, "motors"),
                *state_to(SELECTOR, TOUCHDOWN, ACCELERATION, TORQUE, SPRINGS),
                (SPRINGS, "actuation", PLANT, "actuation"),
            ),
        )

    def systems(
        self, plant: MultibodyPlant, parameters: HumanoidParameters
    ) -> dict[str, LeafSystem]:
        """Selector, paths, predictive control and torques, to be connected by `WIRES`.

        Raises ScenarioError for what none of them takes.
        """
        p = parameters.numbers()
        soles = self._soles(parameters) if self.push_only else ((), ())
        laws = [self.predictive(p, phase) for phase in GaitPhase]
        torques = [self._torques(plant, phase, soles) for phase in GaitPhase]
        selector, path = self.references(plant, p)
        return {
            SELECTOR: selector,
            PATH: path,
            ACCELERATION: OptimalPredictive(plant, laws)
            if self.feedback is None
            else ResolvedAcceleration(plant, laws, self.feedback),
            TORQUE: RedundantTorque(plant, torques),
        }

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

    def references(self, plant: MultibodyPlant, p: Numbers) -> tuple[PhaseSelector, SwingPath]:
        """Return the systems that tell the phase, and where points should be in it."""
        return PhaseSelector(plant, self._selector(p)), SwingPath(plant, self.path(p))

    def path(self, p: Numbers) -> SwingPathParameters:
        """Return the gait; raises ScenarioError for one that legs cannot have."""
        require_lift(p, self.height, self.lift)
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
        O1, G1, *both = tracked_points(p)
        joints: tuple[str, ...] = ()
        if phase.is_double:
            points: tuple[TrackedPoint, ...] = (O1, G1)
            if self.track_toe:
                joints = (f"{other}_toe",)
                free += joints
        else:
            points = (O1, both[1 - phase.side], G1)
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
        return TorquePhase(held, weights, limit, under)

    def _soles(self, parameters: HumanoidParameters) -> tuple[tuple[Sole, ...], ...]:
        """Soles of the feet, whose toes are held straight where a foot is flat, and of the toes."""
        p, margin, toe = (
            parameters.numbers(),
            self.margin,
            parameters.toe_length * parameters.height,
        )
        across = (margin - self.half_width, self.half_width - margin)
        foot, tip = (margin, p.d10 + toe - margin), (margin, toe - margin)
        return (
            tuple(Sole(f"{side}_foot", foot, across, -p.a10, self.friction) for side in SIDES),
            tuple(Sole(f"{side}_toe", tip, across, 0.0, self.friction) for side in SIDES),
        )


def state_to(*names: str) -> tuple[Wire, ...]:
    """Return the connections of the walker's state with systems."""
    return tuple((PLANT, "state", name, "state") for name in names)


def connect_systems(
    wiring: Wiring, systems: Mapping[str, LeafSystem], wires: Sequence[Wire]
) -> None:
    """Add systems by their names, and connect them; `PLANT` is what the wiring is of."""
    for name, system in systems.items():
        wiring.builder.AddNamedSystem(name, system)
    for source, output, target, given in wires:
        wiring.builder.Connect(
            wiring.state if source == PLANT else systems[source].GetOutputPort(output),
            wiring.actuation if target == PLANT else systems[target].GetInputPort(given),
        )


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
