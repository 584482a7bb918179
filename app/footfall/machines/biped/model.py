"""The biped of the report read off a model: slope, gravity, rotors; what it cannot express."""

from footfall.errors import ScenarioError
from footfall.machines.biped.closed_form.model import POINT_NAMES, BipedParameters
from footfall.plants.coordinates import joint_damping
from footfall.plants.loading.load import Model
from footfall.plants.motors import reflected_inertias
from footfall.registry.context import MachineContext

POINTS = tuple(f"biped::{name}" for name in POINT_NAMES)
"""Names of the contacts, in the order of the closed form's points."""
FEET = ("biped::foot_a", "biped::foot_b")
JOINTS = ("theta1", "theta2", "theta3", "theta4")
ACTUATORS = ("tau1", "tau2", "tau3", "tau4")


def parameters_of(context: MachineContext) -> BipedParameters:
    """The report's machine on the scenario's slope, with the rotors of the scenario's motors."""
    rotors = reflected_inertias(context.model.plant)
    tau1, tau2, tau3, tau4 = (rotors.get(name, 0.0) for name in ACTUATORS)
    return BipedParameters(
        alpha=context.slope, g=context.gravity, reflected=(tau1, tau2, tau3, tau4)
    )


def require_rotors_only(model: Model) -> None:
    """Raise ScenarioError for what the report's stepper has not: friction, limits of torque."""
    more = {
        "friction in its joints or motors": joint_damping(model.plant).any(),
        "motors whose torque is limited": any(m.is_limited for m in model.spec.motors.values()),
    }
    for what, there in more.items():
        if there:
            raise ScenarioError(
                f"engine closed-form: the report's stepper has no {what}, only rotors that turn: "
                "take them out of the scenario, or choose moreau or drake."
            )
