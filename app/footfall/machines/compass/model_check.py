"""Check that a model is the compass of the closed form.

What it leaves out, such as damped joints, and what another file may have elsewhere, such as a mass
centre beside its leg, would make a walk of another machine, and nobody would see it.
"""

import numpy as np

from footfall.errors import ModelError
from footfall.machines.compass.closed_form.impact import free_inertia
from footfall.machines.compass.closed_form.model import Compass, CompassParameters
from footfall.machines.compass.model import FEET, POSITIONS, foot_points, parameters_of
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import coordinate_names
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.motors import leave_out_rotors
from footfall.registry.closed_form import require_nothing_besides
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.stance.phases import require_plastic

# x, z, q1, q2 with nothing special about them, and rates that do not matter
_SOMEWHERE = np.array([0.3, 0.9, 0.2, 2.5, 0.0, 0.0, 0.0, 0.0])
_SAME = 1e-9  # relative, of inertias and weights; m, of the feet


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
    leave_out_rotors(model.plant, dynamics.context)
    inertia = free_inertia(machine, _SOMEWHERE[2:4])
    weight = inertia[:, :2] @ (p.g * np.array([np.sin(p.theta), -np.cos(p.theta)]))
    places, _ = foot_points(machine, _SOMEWHERE)
    pairs = {
        "mass matrix": (dynamics.mass_matrix(), inertia),
        "weight": (model.plant.CalcGravityGeneralizedForces(dynamics.context), weight),
        "height of its feet": (dynamics.gaps()[0][: contacts.num_ground], places[:, 1]),
    }
    for what, (own, exact) in pairs.items():
        if not np.allclose(own, exact, rtol=_SAME, atol=_SAME * np.abs(exact).max()):
            raise ModelError(
                f"the {what} of this model is not that of the exact compass: foot and mass centre "
                "of a leg lie on one line through the hip, on one side, at z = -l and -s of leg_1 "
                "and at l and s of leg_2."
            )
