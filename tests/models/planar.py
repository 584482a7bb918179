"""Models made of xacro files: compiled, compared with a closed form, and shaken."""

from xml.etree import ElementTree as ET

import numpy as np
import xacro
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from pydrake.multibody.tree import BodyIndex, JacobianWrtVariable
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, Context, DiagramBuilder, LeafSystem

from footfall.engines import DrakeConfig, MoreauConfig, add_engine
from footfall.plants.contacts import collect_contacts
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.terrain import Terrain
from footfall.resources import share_root

STEP = 1e-3  # s


def compiled(machine, **arguments):
    """The URDF that a machine's xacro file gives for its arguments."""
    file = share_root() / "urdf" / machine / f"{machine}.urdf.xacro"
    mappings = {
        name: value if isinstance(value, str) else repr(value) for name, value in arguments.items()
    }
    return xacro.process_file(str(file), mappings=mappings).toprettyxml(indent="  ")


def plain(text):
    """The same without comments and white space."""
    return ET.canonicalize(text, strip_text=True)


class Planar:
    """The plant of a machine in the x-z plane of the terrain, of its xacro file's arguments."""

    def __init__(self, name, folder, gravity, slope_deg=0.0, **arguments):
        path = folder / f"{name}.urdf"
        path.write_text(compiled(name, **arguments))
        root = {"compass": "slope", "hopper": "ground"}[name]
        directives = [
            ModelDirective(add_model=AddModel(name=name, file=str(path))),
            ModelDirective(add_weld=AddWeld(parent="terrain", child=f"{name}::{root}")),
        ]
        self.model = load_model(ModelSpec(directives, Terrain(slope_deg=slope_deg), gravity))
        self.plant = self.model.plant
        self.context = self.plant.GetMyMutableContextFromRoot(
            self.model.diagram.CreateDefaultContext()
        )
        self.terrain = self.plant.GetFrameByName("terrain")

    def jacobian_of(self, link, place):
        """Jacobian (2, nv) of a point of a link along the ground and off it."""
        return self._of_point(self.plant.CalcJacobianTranslationalVelocity, link, place)[[0, 2]]

    def drift_of(self, link, place):
        """Acceleration of a point of a link at v' = 0, (2,)."""
        a = self._of_point(self.plant.CalcBiasTranslationalAcceleration, link, place)
        return a[[0, 2]].ravel()

    def _of_point(self, calc, link, place):
        frame, world = self.plant.GetFrameByName(link), self.plant.world_frame()
        return calc(self.context, JacobianWrtVariable.kV, frame, place, world, self.terrain)

    def masses(self):
        """Masses of the links that have one."""
        plant = self.plant
        bodies = [plant.get_body(BodyIndex(k)) for k in range(plant.num_bodies())]
        return {body.name(): body.default_mass() for body in bodies if body.default_mass() > 0.0}

    def central_inertia(self, link):
        """Centre of mass in the link's frame, and inertia about it."""
        inertia = self.plant.GetBodyByName(link).CalcSpatialInertiaInBodyFrame(self.context)
        central = inertia.Shift(inertia.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
        return inertia.get_com(), central


def close(value, expected, roundings=1e-12):
    """Return whether numbers agree to rounding.

    Sums of products of entries up to 100: tens of roundings; trigonometry of two libraries.
    """
    return np.abs(value - expected).max() <= roundings * max(np.abs(expected).max(), 1.0)


class _Noise(LeafSystem):
    """Normal torques of some joints, drawn anew every step [N m]."""

    def __init__(self, deviation: float | np.ndarray, joints: int) -> None:
        super().__init__()
        self._torques = deviation * np.random.default_rng(7).standard_normal((10_000, joints))
        self.DeclareVectorOutputPort("torque", joints, self._calc)

    def _calc(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._torques[round(context.get_time() / STEP)])


def shaken(model, engine, start, deviation, caplog):
    """State after a second of torque noise [N m] from a start [q; v]; it brings no warning."""
    builder = DiagramBuilder()
    laws = {"moreau": MoreauConfig(), "drake": DrakeConfig()}
    system = add_engine(builder, engine, model, collect_contacts(model), STEP, **laws)
    noise = builder.AddSystem(_Noise(deviation, model.plant.num_actuators()))
    builder.Connect(noise.get_output_port(), system.GetInputPort("actuation"))
    simulator = Simulator(builder.Build())
    context = system.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    system.set_state(context, np.array(start))
    simulator.AdvanceTo(1.0)
    state = system.GetOutputPort("state").Eval(context)
    assert np.isfinite(state).all()
    assert np.abs(state[:2]).max() < 10.0  # it did not fly away
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    return state
