"""PASIBOT's parameters read off its plant, and what makes a model this machine.

The plant may be the machine on its feet, with x, z and tilt of foot 1, of which the second one need
not touch the ground; or the one whose foot 1 the ground holds, without these and without contacts.
"""

import itertools
from dataclasses import replace
from typing import get_args

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RigidBody, UnitInertia

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.pasibot.closed_form.bodies import LINKS, OWN, bodies
from footfall.machines.pasibot.closed_form.motion import pose, soles
from footfall.machines.pasibot.closed_form.parameters import Knee, PasibotParameters, SlotEnd
from footfall.machines.pasibot.coordinates import BASE, CRANK, coordinates, state_of
from footfall.plants.constraints import Ball
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of, coordinate_names
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.terrain import FRAME_NAME, level_gravity
from footfall.registry.closed_form import require_nothing_besides

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
