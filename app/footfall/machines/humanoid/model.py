"""The humanoid walker read off its plant: parameters, supports by phase, points, postures."""

import math
from collections.abc import Set as AbstractSet

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, RigidBody

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters, Numbers
from footfall.machines.humanoid.closed_form.phases import (
    ANKLE_PITCH,
    ANKLE_ROLL,
    HIP_PITCH,
    HIP_ROLL,
    JOINTS,
    KNEE,
    NUM_ANGLES,
    SIDES,
    GaitPhase,
)
from footfall.machines.humanoid.closed_form.walker import Ground
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of, floating_joints, joints_of
from footfall.plants.loading.load import Model
from footfall.plants.support_motions import CUT
from footfall.plants.supports import Support
from footfall.plants.terrain import level_gravity
from footfall.registry.closed_form import require_nothing_besides
from footfall_controllers.swing_path import Sway
from footfall_controllers.tracked_points import TrackedPoint

TRUNK = "hat"
CORNERS = tuple(
    f"humanoid::{side}_{place}_{edge}"
    for side in SIDES
    for place in ("heel", "ball", "tip")
    for edge in ("left", "right")
)
"""Points of the soles and the toes that touch the ground."""

_HIP_YAWS = frozenset({"left_hip_yaw", "right_hip_yaw"})
_SAME = 1e-9  # relative, of masses, lengths and inertias
_DIGITS = 12  # of a parameter, the others are rounding of products


def parameters_of(model: Model, *, hip_yaw: bool = False) -> HumanoidParameters:
    """Read mass, height and the shares off a model; raises ModelError for another machine.

    hip_yaw: whether hips may turn about the vertical as well, which the thesis's do not.
    """
    plant = model.plant
    _require_names(plant, _HIP_YAWS if hip_yaw else frozenset())
    knee = plant.GetJointByName("left_knee").frame_on_parent()
    height = -float(knee.GetFixedPoseInBodyFrame().translation()[2]) / 0.245
    hat, toe = plant.GetBodyByName(TRUNK), plant.GetBodyByName("left_toe")
    mass = float(hat.default_mass()) / 0.678
    foot = 0.0145 * mass
    read = {
        "mass": mass,
        "height": height,
        "hat_centre": float(_spatial(plant, hat)[1][2]) / (0.191 * height),
        "toe_share": float(toe.default_mass()) / foot,
        "toe_length": 2.0 * float(_spatial(plant, toe)[1][0]) / height,
        "g": level_gravity(plant, "the humanoid walks on level ground", "the humanoid stands"),
    }
    rounded = {name: float(f"{value:.{_DIGITS}g}") for name, value in read.items()}
    try:
        parameters = HumanoidParameters(**rounded)
    except ValueError as error:
        raise ModelError(f"the model is no humanoid of the thesis: {error}.") from error
    _require_alike(plant, parameters.numbers())
    return parameters


def check_hinges(model: Model, _contacts: ContactSet) -> None:
    """Raise ModelError for a model without the thesis's hinges and free trunk; hips may turn.

    What asks for the bodies of the tables as well checks them itself, by `parameters_of`.
    """
    _require_names(model.plant, _HIP_YAWS)


def trunk_centre(plant: MultibodyPlant) -> float:
    """Height of the trunk's mass centre G1 above O1 [m]."""
    return float(_spatial(plant, plant.GetBodyByName(TRUNK))[1][2])


def exact_parameters(model: Model, contacts: ContactSet) -> HumanoidParameters:
    """As `parameters_of`, of a model with nothing besides that would move it otherwise."""
    parameters = parameters_of(model)
    points = CORNERS if contacts.num_ground else ()
    require_nothing_besides(model, contacts, "the humanoid", points, "corners of its soles")
    return parameters


def _require_names(plant: MultibodyPlant, besides: AbstractSet[str]) -> None:
    """Raise ModelError where joints, or their actuators, are missing or more than it has."""
    names = {joint.name() for joint in joints_of(plant) if joint.num_velocities() == 1} - besides
    if names != set(JOINTS):
        other = ", ".join(sorted(names ^ set(JOINTS)))
        message = (
            f"the humanoid of the thesis has twelve hinges; it and this model differ in {other}."
        )
        raise ModelError(message)
    driven = {actuator.joint().name() for actuator in actuators_of(plant)} - besides
    if driven != set(JOINTS):
        other = ", ".join(sorted(driven ^ set(JOINTS)))
        raise ModelError(f"all twelve hinges of the humanoid are driven; here {other} is not.")
    trunk_joint(plant)


def trunk_joint(plant: MultibodyPlant) -> Joint:
    """Return the joint that leaves the trunk free in the world; raises ModelError without one."""
    context = plant.CreateDefaultContext()
    for joint in floating_joints(plant).values():
        X_WF = joint.frame_on_parent().CalcPoseInWorld(context)
        if joint.child_body().name() == TRUNK and X_WF.IsNearlyEqualTo(RigidTransform(), _SAME):
            return joint
    raise ModelError(f"the trunk of the humanoid, '{TRUNK}', must be free in the world's frame.")


def _spatial(plant: MultibodyPlant, body: RigidBody) -> tuple[float, Array, Array]:
    """Mass, mass centre and inertia (xx, yy, zz, xy, xz, yz) about it, in the body's frame."""
    inertia = body.CalcSpatialInertiaInBodyFrame(plant.CreateDefaultContext())
    centre = np.asarray(inertia.get_com())
    about = inertia.Shift(centre).CalcRotationalInertia()
    return (
        float(inertia.get_mass()),
        centre,
        np.concatenate([about.get_moments(), about.get_products()]),
    )


def _require_alike(plant: MultibodyPlant, p: Numbers) -> None:
    """Raise ModelError for bodies that are not those of the tables."""
    zero = [0.0, 0.0, 0.0]
    toe = p.foot_m - p.sole_m
    thigh = (p.m4, [0.0, 0.0, -p.c4], [p.thigh_t, p.thigh_t, p.thigh_z, *zero])
    shank = (p.m6, [0.0, 0.0, -p.c6], [p.shank_t, p.shank_t, p.shank_z, *zero])
    sole = (
        p.sole_m,
        [p.sole_x, 0.0, p.sole_z],
        [p.sole_xx, p.sole_yy, p.sole_zz, 0.0, p.sole_xz, 0.0],
    )
    wanted = {TRUNK: (p.m1, [0.0, 0.0, p.c1], [p.hat_xx, p.hat_yy, p.hat_zz, *zero])}
    for side in SIDES:
        wanted |= {f"{side}_thigh": thigh, f"{side}_shank": shank, f"{side}_foot": sole}
    for name, (mass, centre, inertia) in wanted.items():
        own = _spatial(plant, plant.GetBodyByName(name))
        pairs = ((own[0], mass), (own[1], centre), (own[2], inertia))
        for kind, (one, other) in zip(("mass", "mass centre", "inertia"), pairs, strict=True):
            expected = np.array(other, dtype=np.float64)
            scale = max(float(np.abs(expected).max()), p.sole_xx)
            if np.abs(np.array(one) - expected).max() > _SAME * scale:
                message = (
                    f"the {kind} of '{name}' is not that of the thesis's tables for its height and "
                    "its mass."
                )
                raise ModelError(message)
    if not 0.0 <= toe < p.sole_m:
        raise ModelError("the toes of the model are heavier than its feet.")


_FOLDED = math.radians(150.0)  # a knee bends so far


def stride(
    p: Numbers, phase: int, height: float, ahead: float, behind: float, left: float = 0.0
) -> Array:
    """Angles (12,) of a walker with level trunk and feet, one ahead of it and one behind [m].

    phase: whose flat foot is ahead. height: of O1; left: of O1 to the left of the middle [m].
    Raises ScenarioError for legs that are too short.
    """
    if not height > p.a10:
        message = f"controller.height is {height:.4g} m: give more than the ankles' {p.a10:.4g} m."
        raise ScenarioError(message)
    angle = np.zeros(NUM_ANGLES)
    flat, below = phase // 2, height - p.a10
    roll = math.atan2(-left, below)
    for side, x in ((flat, ahead), (1 - flat, -behind)):
        pitches = [2 * joint + side for joint in (HIP_PITCH, KNEE, ANKLE_PITCH)]
        angle[pitches] = _leg(p, x, math.hypot(left, below))
        angle[[2 * HIP_ROLL + side, 2 * ANKLE_ROLL + side]] = roll, -roll
    return angle


def stride_ground(p: Numbers, phase: int, ahead: float, behind: float) -> Ground:
    """Ground of that walker, its trunk above the origin."""
    flat = phase // 2
    side = 0.5 * p.a1 * (1.0 - 2.0 * flat)
    return Ground(
        int(phase), np.array([ahead, side, p.a10]), np.array([p.d10 - behind, -side, 0.0])
    )


def require_lift(p: Numbers, height: float, lift: float) -> None:
    """Raise ScenarioError for a heel so high below the hip that its knee would have to fold."""
    shortest = math.sqrt(p.a4**2 + p.a6**2 + 2.0 * p.a4 * p.a6 * math.cos(_FOLDED))
    most = height - p.a10 - shortest
    if lift > most > 0.0:
        message = (
            f"controller.lift is {lift} m: with the hips at {height} m the knee would bend by more "
            f"than {math.degrees(_FOLDED):.0f} degrees: give at most {most:.3g} m."
        )
        raise ScenarioError(message)


def _leg(p: Numbers, ahead: float, below: float) -> tuple[float, float, float]:
    """Pitch of the hip, angle of the knee, pitch of the ankle of a leg to a level foot."""
    square = ahead**2 + below**2
    bend = (square - p.a4**2 - p.a6**2) / (2.0 * p.a4 * p.a6)
    if not -1.0 < bend < 1.0:
        message = (
            f"controller: legs of {p.a4 + p.a6:.4g} m do not reach a foot {abs(ahead):.4g} m "
            f"ahead or behind and {below:.4g} m below the hip: give a smaller height or step."
        )
        raise ScenarioError(message)
    knee = math.acos(bend)
    hip = math.atan2(-ahead, below) - math.atan2(p.a6 * math.sin(knee), p.a4 + p.a6 * bend)
    return hip, knee, -(hip + knee)


def support(phase: GaitPhase, cut: float = CUT) -> Support:
    """Bodies that the ground holds in a phase, and the toes that do not move."""
    flat, other = SIDES[phase.side], SIDES[1 - phase.side]
    if phase.is_double:
        return Support((f"{flat}_foot", f"{other}_toe"), (f"{flat}_toe",), cut)
    return Support((f"{flat}_foot",), ("left_toe", "right_toe"), cut)


def tracked_points(p: Numbers) -> tuple[TrackedPoint, ...]:
    """Points O1 and G1 of the trunk, and the heels of the left and the right foot."""
    return TrackedPoint(TRUNK), TrackedPoint(TRUNK, (0.0, 0.0, p.c1)), *heels(p)


def heels(p: Numbers) -> tuple[TrackedPoint, TrackedPoint]:
    """Points A10 and A11, below the ankles."""
    left, right = (TrackedPoint(f"{side}_foot", (0.0, 0.0, -p.a10)) for side in SIDES)
    return left, right


def ankles() -> tuple[TrackedPoint, TrackedPoint]:
    """Origins of the feet, above the heels."""
    left, right = (TrackedPoint(f"{side}_foot") for side in SIDES)
    return left, right


def pendulum(p: Numbers, height: float, pressure: float) -> Sway:
    """Pendulum of a walker whose legs lean with its trunk, straight enough for this."""
    legs = 2.0 * np.array([p.m4, p.m6, p.foot_m])
    heights = np.array([p.a10 + p.a6 + p.a4 - p.c4, p.a10 + p.a6 - p.c6, 0.0])
    mass = p.m1 + legs.sum()
    centre = (p.m1 * (height + p.c1) + legs @ heights) / mass
    lean = (p.m1 + legs @ heights / height) / mass
    return Sway(pressure, math.sqrt(p.g / centre), 1.0 / lean)
