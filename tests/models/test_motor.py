"""The motor's URDF against its card: what the joint feels of rotor and gear."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import BasicVector, Context, DiagramBuilder, LeafSystem

from footfall.engines import ENGINES, DrakeConfig, MoreauConfig, add_engine
from footfall.plants.contacts import collect_contacts
from footfall.plants.coordinates import joint_damping
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.motors import Motor, gear_ratios, reflected_inertias
from footfall.plants.terrain import Terrain
from footfall.resources import share_root
from footfall.scenario.io import load_scenario

FILE = share_root() / "urdf" / "motor" / "motor.urdf"
J_L, J_M, B, N = 0.05, 3.31e-6, 4.69e-6, 155.0


def load(**motors):
    directives = [
        ModelDirective(add_model=AddModel(name="motor", file=str(FILE))),
        ModelDirective(add_weld=AddWeld(parent="terrain", child="motor::housing")),
    ]
    return load_model(ModelSpec(directives, terrain=Terrain(), motors=motors))


def mass_and_damping(model):
    context = model.plant.CreateDefaultContext()
    return model.plant.CalcMassMatrix(context)[0, 0], joint_damping(model.plant)[0]


def test_the_joint_feels_the_rotor_times_the_square_of_the_gear():
    mass, damping = mass_and_damping(load())
    assert mass == pytest.approx(J_L + J_M * N**2, rel=1e-15)
    # written out in the file to eight digits, which it has
    assert damping == pytest.approx(B * N**2, rel=1e-15)
    assert reflected_inertias(load().plant) == {"motor": pytest.approx(J_M * N**2, rel=1e-15)}


def test_another_gear_from_the_scenario():
    mass, damping = mass_and_damping(load(motor=Motor(gear_ratio=60.0, friction=1e-5)))
    assert mass == pytest.approx(J_L + J_M * 60.0**2, rel=1e-15)
    assert damping == pytest.approx(1e-5 * 60.0**2, rel=1e-15)


def test_without_friction_of_its_own_a_gear_keeps_the_damping_of_the_file():
    _, damping = mass_and_damping(load(motor=Motor(gear_ratio=60.0)))
    assert damping == pytest.approx(B * N**2, rel=1e-15)


def test_the_scenarios_have_the_motor_of_the_file():
    for name in ("motor/step", "verify/motor_step"):
        motor = load_scenario(name).motors["motor"]
        assert (motor.gear_ratio, motor.rotor_inertia, motor.friction) == (N, J_M, B)


def test_a_homogeneous_disc_turns_about_its_axis():
    plant = load().plant
    context = plant.CreateDefaultContext()
    (joint,) = [plant.GetJointByName("load")]
    assert np.array_equal(joint.revolute_axis(), [0.0, -1.0, 0.0])
    assert np.isinf([*joint.position_lower_limits(), *joint.position_upper_limits()]).all()
    inertia = plant.GetBodyByName("disc").CalcSpatialInertiaInBodyFrame(context)
    m, r, d = 2.5, 0.2, 0.01
    across = m * (3.0 * r**2 + d**2) / 12.0
    expected = np.diag([across, 0.5 * m * r**2, across])
    # the file has fifteen digits
    assert inertia.CalcRotationalInertia().CopyToFullMatrix3() == pytest.approx(expected, rel=1e-12)
    for angle in (0.0, 0.7, 2.0):
        plant.SetPositions(context, [angle])
        assert not plant.CalcGravityGeneralizedForces(context).any()


def test_its_mark_turns_counter_clockwise_as_the_camera_sees_it():
    # the mark is on the x axis of the disc; x to the right, z up
    plant = load().plant
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, [np.pi / 2.0])
    pose = plant.GetFrameByName("disc").CalcPoseInWorld(context)
    assert pose.rotation().matrix()[:, 0] == pytest.approx([0.0, 0.0, 1.0], abs=1e-15)


def test_a_torque_is_that_of_the_joint_and_nothing_touches():
    model = load()
    plant = model.plant
    assert plant.MakeActuationMatrix().tolist() == [[1.0]]
    assert gear_ratios(plant).tolist() == [N]
    (index,) = plant.GetJointActuatorIndices()
    assert plant.get_joint_actuator(index).effort_limit() == np.inf
    assert len(collect_contacts(model)) == 0


class Noise(LeafSystem):
    """Seeded torques, a new one every hundredth of a second."""

    def __init__(self):
        super().__init__()
        self._torques = np.random.default_rng(5).normal(0.0, 3.0, 101)
        self.DeclareVectorOutputPort("torque", 1, self._calc, {self.time_ticket()})

    def _calc(self, context: Context, output: BasicVector) -> None:
        output.SetAtIndex(0, self._torques[int(100.0 * context.get_time() + 1e-6)])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_second_of_noise_brings_no_warning(engine, caplog):
    model = load()
    builder = DiagramBuilder()
    system = add_engine(
        builder,
        engine,
        model,
        collect_contacts(model),
        1e-3,
        moreau=MoreauConfig(),
        drake=DrakeConfig(),
    )
    noise = builder.AddSystem(Noise())
    builder.Connect(noise.get_output_port(), system.GetInputPort("actuation"))
    simulator = Simulator(builder.Build())
    simulator.AdvanceTo(1.0)
    context = system.GetMyContextFromRoot(simulator.get_context())
    angle, speed = system.GetOutputPort("state").Eval(context)
    assert np.isfinite([angle, speed]).all()
    assert speed != 0.0
    assert [record for record in caplog.records if record.levelname == "WARNING"] == []
