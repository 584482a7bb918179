"""Models made of xacro files: compiled, compared with a closed form, and shaken."""

from xml.etree import ElementTree as ET

import numpy as np
import xacro
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, Context, DiagramBuilder, LeafSystem

from footfall.engines import DrakeConfig, MoreauConfig, add_engine
from footfall.plants.contacts import collect_contacts
from footfall.resources import share_root

STEP = 1e-3  # s


def compiled(machine, **arguments):
    """The URDF that a machine's xacro file gives for its arguments."""
    file = share_root() / "urdf" / machine / f"{machine}.urdf.xacro"
    mappings = {name: repr(value) for name, value in arguments.items()}
    return xacro.process_file(str(file), mappings=mappings).toprettyxml(indent="  ")


def plain(text):
    """The same without comments and white space."""
    return ET.canonicalize(text, strip_text=True)


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
