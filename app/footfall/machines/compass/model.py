"""The compass of the paper and the compass of the plant: parameters, check, stances, states.

The paper's state x = (q1, q2, q1', q2') belongs to the standing leg, whichever it is; the plant's
[q; v] = [x z q1 q2; rates] belongs to legs 1 and 2 and to the hip's place in the slope frame.
"""

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RigidBody

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.compass.closed_form.model import (
    Compass,
    CompassParameters,
    free_inertia,
    swap,
)
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import coordinate_names
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.terrain import slope_and_gravity
from footfall.registry.closed_form import require_nothing_besides
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.stance.walk import Stance, require_plastic
from footfall_controllers.energy_shaping import FootPoint

POSITIONS = ("x", "z", "q1", "q2")
FEET = ("compass::foot_1", "compass::foot_2")
_LEGS = ("leg_1", "leg_2")
_SAME = 1e-9  # of a length, mass or inertia: two legs that differ by less are alike
# x, z, q1, q2 with nothing special about them, and rates that do not matter
_SOMEWHERE = np.array([0.3, 0.9, 0.2, 2.5, 0.0, 0.0, 0.0, 0.0])
_ALIKE = 1e-9  # relative, of inertias and weights; m, of the feet


def parameters_of(model: Model, contacts: ContactSet) -> CompassParameters:
    """Read the paper's parameters off a model on its terrain.

    Raises ModelError for a model whose legs differ or are not as the paper has them.
    """
    plant = model.plant
    legs = [_leg(plant, contacts, body, foot) for body, foot in zip(_LEGS, FEET, strict=True)]
    if not np.allclose(legs[0], legs[1], rtol=_SAME, atol=0.0):
        raise ModelError(
            "the legs of this compass differ in [l, m, I, s] = "
            f"{np.array(legs[0]).tolist()} and {np.array(legs[1]).tolist()}: give both the same."
        )
    l, m, inertia, s = legs[0]
    theta, g = slope_and_gravity(plant)
    try:
        return CompassParameters(
            l=l,
            m=m,
            I=inertia,
            s=s,
            m_hip=plant.GetBodyByName("hip").default_mass(),
            theta=theta,
            g=g,
        )
    except ValueError as error:
        raise ModelError(f"the model is no compass that can walk: {error}.") from error


def _leg(
    plant: MultibodyPlant, contacts: ContactSet, name: str, foot: str
) -> tuple[float, float, float, float]:
    """Length, mass, inertia about the mass centre and its distance from the hip."""
    body: RigidBody = plant.GetBodyByName(name)
    inertia = body.default_spatial_inertia()
    centre = inertia.CalcComMoment() / inertia.get_mass()
    about_centre = inertia.CalcRotationalInertia().ShiftToCenterOfMass(inertia.get_mass(), centre)
    length = float(np.linalg.norm(FootPoint.of_contact(contacts, foot).p_BC))
    turning = float(about_centre.CopyToFullMatrix3()[1, 1])
    return length, float(inertia.get_mass()), turning, float(np.linalg.norm(centre))


def state_of(machine: Compass, foot: int, position: float, x: Array) -> Array:
    """The plant's [q; v], (8, ...), of a walker x (4, ...) on a foot at a place [m]."""
    l = machine.parameters.l
    q1, q2, w1, w2 = x if foot == 0 else swap(x)
    lean, rate = x[0], x[2]
    hip = position - l * np.sin(lean), l * np.cos(lean)
    v_hip = -l * rate * np.cos(lean), -l * rate * np.sin(lean)
    return np.array([*hip, q1, q2, *v_hip, w1, w2])


def stance_of(machine: Compass, state: Array, foot: int) -> Stance:
    """The walker x (4,) on one of its FEET, leg 1 of x, whether or not it is on the ground."""
    x_hip, _, q1, q2, _, _, w1, w2 = state
    x = np.array([q1, q2, w1, w2])
    x = x if foot == 0 else swap(x)
    return Stance(foot, float(x_hip + machine.parameters.l * np.sin(x[0])), x)


def foot_points(machine: Compass, state: Array) -> tuple[Array, Array]:
    """Places and velocities (x, z) of both feet in the slope frame, (2, 2, ...) each [m, m/s].

    state: the plant's [q; v], (8, ...). The first axis is the foot, the second x and z.
    """
    l = machine.parameters.l
    x, z, q1, q2, v_x, v_z, w1, w2 = state
    positions, velocities = [], []
    for angle, turn, side in ((q1, w1, -l), (q1 + q2, w1 + w2, l)):
        sin, cos = np.sin(angle), np.cos(angle)
        positions.append([x - side * sin, z + side * cos])
        velocities.append([v_x - side * turn * cos, v_z - side * turn * sin])
    return np.array(positions), np.array(velocities)


# --- check ---------------------------------------------------------------------------------------
# What the closed form leaves out, such as damped joints, and what another file may have elsewhere,
# such as a mass centre beside its leg, would make a walk of another machine, unseen.


def exact_walker(context: MachineContext) -> CompassParameters:
    """Parameters of a walker whose motion is that of the closed form.

    Raises ScenarioError for feet that rebound, ModelError for another machine.
    """
    require_plastic(context, HYBRID)
    parameters = exact_parameters(context.model, context.contacts)
    require_nothing_besides(context.model, context.contacts, "the compass", FEET, "its feet")
    return parameters


def exact_parameters(model: Model, contacts: ContactSet) -> CompassParameters:
    """As `parameters_of`, of a model with masses and feet where the closed form has them.

    What its joints do besides is left out. Raises ModelError for a model that is built otherwise.
    """
    parameters = parameters_of(model, contacts)
    names = coordinate_names(model.plant)[0]
    if tuple(names) != POSITIONS:
        raise ModelError(f"the exact compass has the coordinates {POSITIONS}, this model {names}.")
    _require_alike(model, contacts, Compass(parameters))
    return parameters


def _require_alike(model: Model, contacts: ContactSet, machine: Compass) -> None:
    """Raise ModelError where masses or feet are not where the paper has them."""
    dynamics, p = Dynamics(model, contacts), machine.parameters
    dynamics.set_state(_SOMEWHERE)
    links = dynamics.mass_matrix() - np.diag(dynamics.kinematics.tree.rotor)
    inertia = free_inertia(machine, _SOMEWHERE[2:4])
    weight = inertia[:, :2] @ (p.g * np.array([np.sin(p.theta), -np.cos(p.theta)]))
    places, _ = foot_points(machine, _SOMEWHERE)
    pairs = {
        "mass matrix": (links, inertia),
        "weight": (model.plant.CalcGravityGeneralizedForces(dynamics.context), weight),
        "height of its feet": (dynamics.gaps()[0][: contacts.num_ground], places[:, 1]),
    }
    for what, (own, exact) in pairs.items():
        if not np.allclose(own, exact, rtol=_ALIKE, atol=_ALIKE * np.abs(exact).max()):
            raise ModelError(
                f"the {what} of this model is not that of the exact compass: foot and mass centre "
                "of a leg lie on one line through the hip, on one side, at z = -l and -s of leg_1 "
                "and at l and s of leg_2."
            )
