"""The motor's URDF against its card: what the joint feels of rotor and gear."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective

from footfall.plants.contacts import collect_contacts
from footfall.plants.coordinates import joint_damping
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.motors import gear_ratios, reflected_inertias
from footfall.resources import share_root
from footfall.scenario.io import load_scenario

FILE = share_root() / "urdf" / "motor" / "motor.urdf"
J_L, J_M, B, N = 0.05, 3.31e-6, 4.69e-6, 155.0


def load():
    directives = [
        ModelDirective(add_model=AddModel(name="motor", file=str(FILE))),
        ModelDirective(add_weld=AddWeld(parent="terrain", child="motor::housing")),
    ]
    return load_model(ModelSpec(directives))


def test_the_joint_feels_the_rotor_times_the_square_of_the_gear():
    plant = load().plant
    mass = plant.CalcMassMatrix(plant.CreateDefaultContext())[0, 0]
    assert mass == pytest.approx(J_L + J_M * N**2, rel=1e-15)
    # written out in the file to eight digits, which it has
    assert joint_damping(plant)[0] == pytest.approx(B * N**2, rel=1e-15)
    assert reflected_inertias(plant) == {"motor": pytest.approx(J_M * N**2, rel=1e-15)}


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
