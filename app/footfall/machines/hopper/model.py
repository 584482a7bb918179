"""The hopper of the paper and the hopper of the plant: parameters, coordinates, points.

The plant's [q; v] = [x z theta1 theta2; rates] is the paper's x = (q, q') component for component.
"""

from dataclasses import replace

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.hopper.closed_form.model import (
    CONTACT_POINTS,
    Hopper,
    HopperParameters,
    position,
    velocity,
)
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of, coordinate_names
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.terrain import level_gravity
from footfall.registry.closed_form import require_nothing_besides

POSITIONS = ("x", "z", "theta1", "theta2")
POINTS = ("hopper::P", "hopper::Q", "hopper::R")  # in the order of CONTACT_POINTS
ACTUATOR = "hinge"
# x, z, theta1, theta2 with nothing special about them, and rates that do not matter
_SOMEWHERE = np.array([0.3, 0.9, 1.9, -1.1, 0.0, 0.0, 0.0, 0.0])
_SAME = 1e-9  # relative, of inertias and weights; m, of the points


def parameters_of(model: Model, contacts: ContactSet) -> HopperParameters:
    """Read the document's parameters off a model on its terrain; mu, e_n and e_t are those of P.

    What its joints do besides is left out: see `exact_parameters`. Raises ModelError for a model
    that is no hopper of two equal uniform links on level ground.
    """
    plant = model.plant
    _require_names(plant, contacts)
    hinge = plant.GetJointByName("theta2").frame_on_parent().GetFixedPoseInBodyFrame()
    limit = float(plant.GetJointActuatorByName(ACTUATOR).effort_limit())
    try:
        parameters = HopperParameters(
            m=float(plant.GetBodyByName("link_1").default_mass()),
            l=0.5 * float(np.linalg.norm(hinge.translation())),
            mu=0.0,
            tau_max=limit,
            g=level_gravity(
                plant, "the hopper stands on level ground", "the hopper falls back to the ground"
            ),
        )
    except ValueError as error:
        raise ModelError(f"the model is no hopper that can jump: {error}.") from error
    _require_alike(model, contacts, Hopper(parameters))
    return of_point(parameters, contacts, POINTS[0])


def of_point(parameters: HopperParameters, contacts: ContactSet, name: str) -> HopperParameters:
    """Parameters with mu, e_n and e_t of a contact; raises ModelError for static friction above."""
    at = int(np.flatnonzero(contacts.reported_as == contacts.names.index(name))[0])
    mu, static = float(contacts.mu[at]), float(contacts.mu_static[at])
    if static != mu:
        raise ModelError(
            f"the hopper in closed form has one coefficient of friction, but {name} has {mu:g} "
            f"sliding and {static:g} at rest: give it the same twice."
        )
    e_n, e_t = float(contacts.restitution[at]), float(contacts.tangential_restitution[at])
    return replace(parameters, mu=mu, e_n=e_n, e_t=e_t)


def exact_parameters(model: Model, contacts: ContactSet) -> HopperParameters:
    """As `parameters_of`, of a model with nothing besides that would move it otherwise."""
    parameters = parameters_of(model, contacts)
    require_nothing_besides(model, contacts, "the hopper", POINTS, "P, Q and R")
    return parameters


def points(machine: Hopper, x: Array) -> tuple[Array, Array]:
    """Places and velocities (x, z) of P, Q and R at x (8, ...), (3, 2, ...) each [m, m/s]."""
    places = np.array([position(machine, x, point) for point in CONTACT_POINTS])
    return places, np.array([velocity(machine, x, point) for point in CONTACT_POINTS])


def _require_names(plant: MultibodyPlant, contacts: ContactSet) -> None:
    """Raise ModelError where the hopper's coordinates, motor or points are missing."""
    names = tuple(coordinate_names(plant)[0])
    if names != POSITIONS:
        raise ModelError(f"the hopper has the coordinates {POSITIONS}, this model {names}.")
    motors = actuators_of(plant)
    if [(motor.name(), motor.joint().name()) for motor in motors] != [(ACTUATOR, "theta2")]:
        names_of_motors = [motor.name() for motor in motors]
        raise ModelError(
            f"the hopper has one motor, '{ACTUATOR}' on theta2, this model has {names_of_motors}."
        )
    missing = [name for name in POINTS if name not in contacts.names]
    if missing:
        raise ModelError(
            f"the hopper touches the ground with {POINTS}, this model lacks {missing}."
        )


def _require_alike(model: Model, contacts: ContactSet, machine: Hopper) -> None:
    """Raise ModelError where masses or points are not those of two equal uniform links."""
    dynamics = Dynamics(model, contacts)
    dynamics.set_state(_SOMEWHERE)
    links = dynamics.mass_matrix() - np.diag(dynamics.kinematics.tree.rotor)
    weight = -machine.gravity(_SOMEWHERE)
    heights = dict(zip(POINTS, points(machine, _SOMEWHERE)[0][:, 1], strict=True))
    gaps = dynamics.gaps()[0][: contacts.num_ground]
    reported = [contacts.names[i] for i in contacts.reported_as[: contacts.num_ground]]
    own = {name: gap for name, gap in zip(reported, gaps, strict=True) if name in heights}
    pairs = {
        "mass matrix": (links, machine.inertia(_SOMEWHERE)),
        "weight": (model.plant.CalcGravityGeneralizedForces(dynamics.context), weight),
        "height of P, Q and R": (
            np.array([own.get(name, np.nan) for name in POINTS]),
            np.array([heights[name] for name in POINTS]),
        ),
    }
    for what, (of_model, exact) in pairs.items():
        if not np.allclose(of_model, exact, rtol=_SAME, atol=_SAME * np.abs(exact).max()):
            raise ModelError(
                f"the {what} of this model is not that of the hopper in closed form: two equal "
                "uniform links of length 2 l and inertia m l^2/3, hinged end to end along their x."
            )
