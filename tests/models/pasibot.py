"""PASIBOT's plant in several sets of parameters, with what tests ask of it."""

from dataclasses import fields, replace

import numpy as np
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from pydrake.multibody.tree import JacobianWrtVariable

from footfall.machines.pasibot.closed_form.linkage import TEXT, PasibotParameters
from footfall.machines.pasibot.model import state_of
from footfall.plants.contacts import collect_contacts
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.resources import share_root

FOLDER = share_root() / "urdf" / "pasibot"
# gravity is the scenario's
ARGUMENTS = [each.name for each in fields(PasibotParameters) if each.name != "g"]
# steps of an even number are made on foot 1
ANGLES = [1.8, 2.9, 4.3, 4.9, 6.1, 7.7, 9.2, -0.4]

SETS = {
    "default": TEXT,
    "loaded, slot ahead": replace(TEXT, slot_end="ahead", hip_load=15.0),
    "knee rearward": replace(TEXT, knee="rearward", femur_bar=1.2, tibia_bar=2.0),
    "other lengths": replace(
        TEXT,
        l8=0.05,
        density=3.0,
        hip_share=0.2,
        l7=5.04,
        base=2.02,
        slot=4.03,
        foot_length=10.0,
        foot_ahead=0.3,
        ankle_height=1.3,
        hip_rear=1.0,
        hip_down=5.0,
        hip_load=5.0,
    ),
}


def arguments_of(parameters):
    return {name: getattr(parameters, name) for name in ARGUMENTS}


class Machine:
    """The plant of a set of parameters."""

    def __init__(self, parameters, standing="both"):
        directives = [
            ModelDirective(
                add_model=AddModel(name="pasibot", file=str(FOLDER / "pasibot.urdf.xacro"))
            ),
            ModelDirective(add_weld=AddWeld(parent="terrain", child="pasibot::ground")),
        ]
        arguments = arguments_of(parameters) | {"standing": standing}
        self.parameters = parameters
        self.model = load_model(ModelSpec(directives, arguments={"pasibot": arguments}))
        self.plant = self.model.plant
        self.contacts = collect_contacts(self.model)
        self.dynamics = Dynamics(self.model, self.contacts)

    @property
    def context(self):
        return self.dynamics.context

    def loops(self):
        """Residuals (m,) of the loops and their Jacobian (m, nv)."""
        return self.dynamics.bilateral_violation(self.plant.GetPositions(self.context))

    def put(self, th8, rate, **slide):
        """Set the plant to a state of the closed form, and return it."""
        state = state_of(self.plant, self.parameters, th8, rate, **slide)
        self.dynamics.set_state(state)
        return state

    def drift(self):
        """Acceleration of the loops' gaps at v' = 0, (m,)."""
        world, parts = self.plant.world_frame(), []
        for ball in self.model.constraints:
            a, b = (
                self.plant.CalcBiasTranslationalAcceleration(
                    self.context,
                    JacobianWrtVariable.kV,
                    self.plant.GetFrameByName(name.rpartition("::")[2]),
                    place,
                    world,
                    world,
                ).ravel()
                for name, place in ((ball.a, ball.p_AP), (ball.b, ball.p_BQ))
            )
            parts.append(a - b)
        return np.concatenate(parts)
