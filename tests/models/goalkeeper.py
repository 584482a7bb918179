"""Field, keeper and ball for tests: the numbers of the report, and a simulation of them."""

import numpy as np
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, Context, DiagramBuilder, LeafSystem

from footfall.engines import DrakeConfig, MoreauConfig, add_engine
from footfall.plants.contacts import collect_contacts
from footfall.plants.loading.load import ModelSpec, load_model

BALLS = ("ball", "guided_ball")
STEP = 1e-3
# of the listing: cylinder(1,20) and how it is scaled; the ball
FACETS, SEMI_AXES, HEIGHT = 20, (0.2, 0.1), 1.2
R, MASS = 0.18 / 2.0, 0.294
# TUlip's segments [kg]: trunk, and a leg from the hip to the foot
TRUNK, LEG = 8.154, (0.61, 0.075, 2.14, 1.023, 0.075, 0.37)
KEEPER = TRUNK + 2.0 * sum(LEG)
# state of keeper and free ball: x; quaternion, x, y, z; x'; w, v
X, Y, Z, VX, VY, VZ = 5, 6, 7, 12, 13, 14


def spec(ball):
    """Field, keeper and one of the balls."""
    models = {
        "field": ("field/field", "grass"),
        "keeper": ("goalkeeper/keeper", "rail"),
        "ball": (f"goalkeeper/{ball}", "rail" if ball == "guided_ball" else None),
    }
    directives = []
    for name, (file, root) in models.items():
        model = AddModel(name=name, file=f"package://footfall/sdf/{file}.sdf")
        directives.append(ModelDirective(add_model=model))
        if root:
            weld = AddWeld(parent="terrain", child=f"{name}::{root}")
            directives.append(ModelDirective(add_weld=weld))
    return ModelSpec(directives)


class _Force(LeafSystem):
    """Forces of actuators, a row a step [N]; the last row stays."""

    def __init__(self, forces: np.ndarray) -> None:
        super().__init__()
        self._forces = forces
        self.DeclareVectorOutputPort("force", forces.shape[1], self._calc)

    def _calc(self, context: Context, output: BasicVector) -> None:
        row = min(round(context.get_time() / STEP), len(self._forces) - 1)
        output.SetFromVector(self._forces[row])


class Match:
    """A simulation of field, keeper and ball."""

    def __init__(self, engine, spec, start=None, forces=None, material=None):
        """start: values by place in the state, beside what the models say; forces: (steps, nu)."""
        model = load_model(spec)
        builder = DiagramBuilder()
        contacts = collect_contacts(model, material)
        options = {"moreau": MoreauConfig(), "drake": DrakeConfig()}
        self._system = add_engine(builder, engine, model, contacts, STEP, **options)
        force = np.zeros((1, model.plant.num_actuators())) if forces is None else forces
        source = builder.AddSystem(_Force(force))
        builder.Connect(source.get_output_port(), self._system.GetInputPort("actuation"))
        self._simulator = Simulator(builder.Build())
        self._context = self._system.GetMyMutableContextFromRoot(
            self._simulator.get_mutable_context()
        )
        q = model.plant.GetPositions(model.plant.CreateDefaultContext())
        state = np.concatenate((q, np.zeros(model.plant.num_velocities())))
        for place, value in (start or {}).items():
            state[place] = value
        self._system.set_state(self._context, state)

    def play(self, seconds):
        """States (n, size) after every step."""
        states = []
        start = self._context.get_time()
        for k in range(1, round(seconds / STEP) + 1):
            self._simulator.AdvanceTo(start + k * STEP)
            states.append(self._system.GetOutputPort("state").Eval(self._context))
        return np.array(states)
