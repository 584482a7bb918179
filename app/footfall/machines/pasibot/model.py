"""PASIBOT's parameters read off its plant, its coordinates, and what makes a model this machine.

The plant may be the machine on its feet, with x, z and tilt of foot 1, of which the second one need
not touch the ground; or the one whose foot 1 the ground holds, without these and without contacts.

The plant's tree has its root in foot 1, its other loops are closed by constraints. All its joints
are at 0 where both feet stand and foot 1 begins to support, th8 = pi/2; `crank` is th8 - pi/2 and
counts on from step to step. In steps of an odd number foot 2 supports, and foot 1 is the other one.
A plant whose ground holds foot 1 has no x, z and tilt.
"""

import itertools
import math
from dataclasses import replace
from typing import get_args

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RigidBody, UnitInertia

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.pasibot.closed_form.jets import Jet, constant
from footfall.machines.pasibot.closed_form.linkage import (
    LINK_INDEX,
    LINKS,
    OWN,
    Knee,
    PasibotParameters,
    SlotEnd,
    bodies,
    joint_index,
    leg,
)
from footfall.machines.pasibot.closed_form.motion import (
    STEP_BEGINS,
    exchange,
    fold,
    hip_angles,
    pose,
    soles,
)
from footfall.plants.constraints import Ball
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of, coordinate_names
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.terrain import FRAME_NAME, level_gravity
from footfall.registry.closed_form import require_nothing_besides
from footfall.trajectory import Trajectory

CRANK = "crank"
BASE = ("x", "z", "tilt")

# links before and after each joint that turns, as numbers of the document, 0 for the hip's frame
_STANDING = {"E": (1, 2), "G": (2, 4), "D": (4, 0)}
_OTHER = {"D": (0, 4), "G": (4, 2), "E": (2, 1)}
_BOTH = {
    "upper_D": (0, 6),
    "B": (0, 9),
    "P": (8, 7),
    "turn_S": (0, 10),
    "U": (10, 11),
    "K": (2, 3),
    "plate_K": (3, 5),
    "Y": (1, 12),
}


def th8_of(trajectory: Trajectory) -> Array:
    """Angle th8 [rad] of every row of a trajectory, (N,); it counts on from the first step."""
    crank: Array = trajectory.data["q"].sel(position=CRANK).to_numpy()
    return crank + STEP_BEGINS


def coordinates(
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    slide: float | Array = 0.0,
    slide_rate: float | Array = 0.0,
) -> dict[str, tuple[Array, Array]]:
    """Position and velocity of every joint of the plant by its name; with x, z and tilt.

    th8 [rad] and its rate [rad/s] count on from the first step, of foot 1; the feet's slides
    together [m] and the supporting foot's speed [m/s] ahead; numbers or arrays of one shape, which
    the answers have as well. All loops are closed but for rounding.
    """
    th8, rate, slide, slide_rate = np.broadcast_arrays(
        *(np.asarray(number, dtype=float) for number in (th8, rate, slide, slide_rate))
    )
    moving = {CRANK: (th8 - STEP_BEGINS, rate)}
    now, start = hip_angles(parameters, th8), hip_angles(parameters, STEP_BEGINS)
    for name, (before, after) in _turning_joints().items():
        angle, zero = (_between(angles, before, after) for angles in (now, start))
        moving[name] = (angle.value - zero.value, angle.first * rate)
    for number, phase in ((1, 0.0), (2, math.pi)):
        end, zero = (leg(parameters, angle + phase).S for angle in (th8, STEP_BEGINS))
        # x of the hip's frame is to the rear
        shift = parameters.l8 * np.real(zero.value - end.value)
        moving[f"S{number}"] = (shift, -parameters.l8 * rate * np.real(end.first))
    moving |= _foot_1(parameters, th8, rate, slide, slide_rate)
    # a sum of arrays without a shape is a number
    return {name: (0.0 + q, 0.0 + v) for name, (q, v) in moving.items()}


def state_of(
    plant: MultibodyPlant,
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    slide: float | Array = 0.0,
    slide_rate: float | Array = 0.0,
) -> Array:
    """`coordinates` as [q; v] in the plant's order, (..., nq + nv)."""
    moving = coordinates(parameters, th8, rate, slide, slide_rate)
    q, v = coordinate_names(plant)
    return np.stack([*(moving[name][0] for name in q), *(moving[name][1] for name in v)], axis=-1)


def _turning_joints() -> dict[str, tuple[str, str]]:
    """Links before and after each joint by its name; "0" stands for the hip's frame."""
    joints = {}
    for number, prime, chain in ((1, "", _STANDING), (2, "'", _OTHER)):
        for name, links in (chain | _BOTH).items():
            before, after = (f"{link}" if link in (0, 8) else f"{link}{prime}" for link in links)
            joints[f"{name}{number}"] = (before, after)
    return joints


def _between(angles: dict[str, Jet], before: str, after: str) -> Jet:
    """Angle from one link to another."""
    return angles.get(after, constant(0.0)) - angles.get(before, constant(0.0))


def _foot_1(
    parameters: PasibotParameters, th8: Array, rate: Array, slide: Array, slide_rate: Array
) -> dict[str, tuple[Array, Array]]:
    """Place of foot 1's ankle from where it stood at the start, and its tilt."""
    folded, steps = fold(th8)
    swings = steps % 2 != 0
    at = pose(parameters, folded)
    ankle = joint_index("E", leg=2)
    position, speed = at.joints.value[ankle], at.joints.first[ankle] * rate
    foot = LINK_INDEX["1'"]
    height = parameters.ankle_height * parameters.l8
    moving = {
        "x": (position.real, speed.real),
        "z": (position.imag - height, speed.imag),
        "tilt": (at.angles.value[foot], at.angles.first[foot] * rate),
    }
    moving = {
        name: (np.where(swings, q, 0.0), np.where(swings, v, 0.0))
        for name, (q, v) in moving.items()
    }
    x, along = moving["x"]
    moving["x"] = (slide + steps * exchange(parameters)["step"] + x, slide_rate + along)
    return moving


ACTUATOR = "motor"
POINTS = ("pasibot::heel_1", "pasibot::toe_1", "pasibot::heel_2", "pasibot::toe_2")
NAMES = {
    1: "foot",
    2: "tibia",
    3: "femur",
    4: "tendon",
    5: "knee_plate",
    6: "upper_tendon",
    7: "rod",
    9: "rocker",
    10: "stabiliser",
    11: "femur_bar",
    12: "tibia_bar",
}
BODIES = {
    **{f"{i}": f"{NAMES[i]}_1" for i in OWN},
    **{f"{i}'": f"{NAMES[i]}_2" for i in OWN},
    "8": "crank",
    "13": "hip",
}
"""Links of the closed form, of a step in which foot 1 supports, by the plant's names."""

# within a step, with nothing special about them [rad], and a rate that does not matter [rad/s]
_SOMEWHERE, _RATE = (1.8, 3.0, 4.4), 1.7
_SAME = 1e-9  # relative, of masses and inertias; m and m/s, of places and speeds
_DIGITS = 12  # of a parameter, the others are rounding of products


def parameters_of(model: Model, contacts: ContactSet) -> PasibotParameters:
    """Read the parameters off a model on its terrain; friction is that of heel 1.

    A machine whose foot the ground holds has no friction, and gets the default's. Raises ModelError
    for a model that is no PASIBOT on level ground.
    """
    plant = model.plant
    _require_names(plant, contacts)
    read = _numbers(model)
    if not is_held(plant):
        at = int(np.flatnonzero(contacts.reported_as == contacts.names.index(POINTS[0]))[0])
        read |= {"mu_s": float(contacts.mu_static[at]), "mu_k": float(contacts.mu[at])}
    read["g"] = level_gravity(
        plant, "PASIBOT walks on level ground", "PASIBOT stands on its feet by its weight"
    )
    rounded = {name: float(f"{value:.{_DIGITS}g}") for name, value in read.items()}
    assemblies = []
    try:
        straight = PasibotParameters(**rounded)  # type: ignore[arg-type] # two of them are words
        for knee, end in itertools.product(get_args(Knee), get_args(SlotEnd)):
            assemblies.append(replace(straight, knee=knee, slot_end=end))
    except ValueError as error:
        raise ModelError(f"the model is no PASIBOT that can walk: {error}.") from error
    dynamics, faults = Dynamics(model, contacts), []
    for parameters in assemblies:
        fault = _fault(model, dynamics, parameters)
        if not fault:
            return parameters
        faults.append(fault)
    raise ModelError(
        f"{faults[0]} of this model are not those of PASIBOT in closed form: uniform bars, a hip "
        "with its mass at one place, and all loops closed, see its README."
    )


def exact_parameters(model: Model, contacts: ContactSet) -> PasibotParameters:
    """As `parameters_of`, of a model with nothing besides that would move it otherwise."""
    parameters = parameters_of(model, contacts)
    points = contacts.names[: contacts.num_ground]
    require_nothing_besides(model, contacts, "PASIBOT", points, "heels and toes")
    return parameters


def is_held(plant: MultibodyPlant) -> bool:
    """Return whether the ground holds foot 1."""
    return BASE[0] not in coordinate_names(plant)[0]


def _require_names(plant: MultibodyPlant, contacts: ContactSet) -> None:
    """Raise ModelError where the machine's joints, links, motor or points are missing."""
    links = {name for name in BODIES.values() if not plant.HasBodyNamed(name)}
    if links:
        raise ModelError(f"PASIBOT has 24 links, this model has no {', '.join(sorted(links))}.")
    names = set(coordinate_names(plant)[0])
    wanted = set(coordinates(PasibotParameters(), 0.0, 0.0))
    if names not in (wanted, wanted - set(BASE)):
        other = ", ".join(sorted(names ^ (wanted if BASE[0] in names else wanted - set(BASE))))
        raise ModelError(f"the coordinates of PASIBOT and of this model differ in {other}.")
    motors = [(motor.name(), motor.joint().name()) for motor in actuators_of(plant)]
    if motors != [(ACTUATOR, CRANK)]:
        raise ModelError(
            f"PASIBOT has one motor, '{ACTUATOR}' on {CRANK}, this model has {motors}."
        )
    touching = contacts.names[: contacts.num_ground]
    if touching not in (((),) if is_held(plant) else (POINTS, POINTS[:2])):
        raise ModelError(
            f"PASIBOT touches the ground with {POINTS}, with the first two of these, or, if it is "
            f"held, with none; this model with {touching}."
        )


def _numbers(model: Model) -> dict[str, float]:
    """Scales, lengths, masses: as the file has them, each in one place of it."""
    plant = model.plant
    ends = _ends(model)
    l8 = float(_joint_at(plant, "P1")[0])
    femur, part = ends["rod_1", "femur_1"], ends["femur_1", "upper_tendon_1"]
    rod = plant.GetBodyByName("rod_1").default_mass()
    base, _, drop = _joint_at(plant, CRANK)
    slot = _joint_at(plant, "S1")[2]
    foot, hip = plant.GetBodyByName("foot_1"), plant.GetBodyByName("hip")
    ahead, _, down = foot.default_com()
    rear, _, up = hip.default_com()
    density = rod / femur[0]
    bare = 12.0 * _turning_inertia(hip) / drop**2
    links = sum(plant.GetBodyByName(name).default_mass() for name in BODIES.values())
    links -= hip.default_mass()
    lengths = {
        "base": base,
        "l7": femur[0],
        "l9": ends["rod_1", "rocker_1"][1],
        "l6": part[1],
        "femur_part": femur[1] - part[0],
        "drop": drop,
        "l10": -ends["rod_1", "stabiliser_1"][1],
        "slot": drop - slot,
        "femur_bar": ends["knee_plate_1", "femur_bar_1"][0],
        "tibia_bar": ends["knee_plate_1", "tibia_bar_1"][0],
        "foot_length": foot.default_mass() / density,
        "foot_ahead": ahead,
        "ankle_height": -2.0 * down,
        "hip_rear": base - rear,
        "hip_down": drop - up,
    }
    return {
        "l8": l8,
        "density": density,
        "hip_share": bare / (links + bare),
        # below rounding of the whole it is none
        "hip_load": _without_rounding(hip.default_mass() - bare, links),
        "amplification": part[0] / (femur[1] - part[0]),
        **{name: float(value) / l8 for name, value in lengths.items()},
    }


def _ends(model: Model) -> dict[tuple[str, str], tuple[float, float]]:
    """Along which lengths of two links the loops are closed, by their names."""
    lengths: dict[tuple[str, str], tuple[float, float]] = {}
    for ball in model.constraints:
        if isinstance(ball, Ball):
            pair = ball.a.rpartition("::")[2], ball.b.rpartition("::")[2]
            lengths[pair] = (ball.p_AP[0], ball.p_BQ[0])
    wanted = (
        *(("rod_1", other) for other in ("femur_1", "rocker_1", "stabiliser_1")),
        ("femur_1", "upper_tendon_1"),
        *(("knee_plate_1", other) for other in ("femur_bar_1", "tibia_bar_1")),
    )
    missing = [f"{a} with {b}" for a, b in wanted if (a, b) not in lengths]
    if missing:
        raise ModelError(f"PASIBOT's loops are closed; this model does not join {missing[0]}.")
    return lengths


def _fault(model: Model, dynamics: Dynamics, parameters: PasibotParameters) -> str:
    """Return what of a model is not as parameters have it, or nothing."""
    plant, of = model.plant, bodies(parameters)
    links = [plant.GetBodyByName(BODIES[name]) for name in LINKS]
    masses = np.array([(link.default_mass(), _turning_inertia(link)) for link in links])
    wanted = np.array([(of[name].mass, of[name].inertia) for name in LINKS])
    if (np.abs(masses - wanted) > _SAME * wanted.max(axis=0)).any():
        return "masses and inertias"
    X_TW = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(dynamics.context).inverse()
    for th8 in _SOMEWHERE:
        state = state_of(plant, parameters, th8, _RATE)
        dynamics.set_state(state)
        gap, jacobian = dynamics.bilateral_violation(state[: plant.num_positions()])
        context = dynamics.context
        drift = jacobian @ state[plant.num_positions() :]
        if max(np.abs(gap).max(), np.abs(drift).max()) > _SAME:
            return "closed loops"
        centres = [link.EvalPoseInWorld(context).multiply(link.default_com()) for link in links]
        centres_T = np.array([X_TW.multiply(centre)[[0, 2]] for centre in centres]) @ [1.0, 1j]
        if np.abs(centres_T - pose(parameters, th8).centres.value).max() > _SAME:
            return "mass centres"
        heights = np.imag(soles(parameters, th8).value).ravel()
        gaps = dynamics.gaps()[0][: dynamics.contacts.num_ground]
        if np.abs(gaps - heights[: gaps.size]).max(initial=0.0) > _SAME:
            return "heels and toes"
    return ""


def _turning_inertia(body: RigidBody) -> float:
    """Moment of inertia [kg m^2] about the mass centre, about the joints' direction."""
    inertia = body.default_spatial_inertia()
    mass, centre = inertia.get_mass(), inertia.get_com()
    unit: UnitInertia = inertia.get_unit_inertia().ShiftToCenterOfMass(centre)
    return float(mass * unit.CopyToFullMatrix3()[1, 1])


def _joint_at(plant: MultibodyPlant, name: str) -> Array:
    """Return where a joint is on the link before it [m]."""
    frame = plant.GetJointByName(name).frame_on_parent()
    position: Array = frame.GetFixedPoseInBodyFrame().translation()
    return position


def _without_rounding(value: float, scale: float) -> float:
    return value if abs(value) > _SAME * scale else 0.0
