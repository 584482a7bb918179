"""The biped's URDF against the table of its document (part II, section ii and the main script)."""

import numpy as np
import pytest
from pydrake.geometry import Role, Sphere
from pydrake.multibody.tree import BodyIndex, JacobianWrtVariable

from footfall.scenario.assemble import Robot, build_robot
from footfall.scenario.io import load_scenario

# the document's five masses [kg], where they sit (link, z in its frame [m]), and the links of 1 m
POINTS = {
    "hip": ("hip", 0.0, 1.0),
    "knee_a": ("thigh_a", -1.0, 0.5),
    "foot_a": ("shank_a", -1.0, 0.5),
    "knee_b": ("thigh_b", -1.0, 0.5),
    "foot_b": ("shank_b", -1.0, 0.5),
}


@pytest.fixture(scope="module")
def machine() -> Robot:
    return build_robot(load_scenario("biped/stand"))


def test_five_point_masses_and_nothing_else(machine):
    plant = machine.plant
    bodies = [plant.get_body(BodyIndex(i)) for i in range(plant.num_bodies())]
    masses = {body.name(): body.default_mass() for body in bodies if body.default_mass() > 0.0}
    assert masses == {link: mass for link, _, mass in POINTS.values()}
    context = plant.CreateDefaultContext()
    for link, height, mass in POINTS.values():
        inertia = plant.GetBodyByName(link).CalcSpatialInertiaInBodyFrame(context)
        assert np.array_equal(inertia.get_com(), [0.0, 0.0, height])
        # a point mass has no inertia about itself: what is left is rounding of m l^2
        central = inertia.Shift(inertia.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
        assert np.abs(central).max() <= 1e-15 * mass


def test_joints_are_those_of_the_document(machine):
    plant = machine.plant
    assert plant.num_positions() == plant.num_velocities() == 6
    names = ["x", "z", "theta1", "theta2", "theta3", "theta4"]
    starts = [plant.GetJointByName(name).position_start() for name in names]
    assert starts == list(range(6))
    actuators = [plant.get_joint_actuator(i) for i in plant.GetJointActuatorIndices()]
    assert [actuator.name() for actuator in actuators] == ["tau1", "tau2", "tau3", "tau4"]
    assert [actuator.joint().name() for actuator in actuators] == names[2:]
    assert np.isinf(
        [actuator.effort_limit() for actuator in actuators]
    ).all()  # the document has none


def test_thigh_angles_are_absolute_and_knee_angles_relative(machine):
    # the hip never turns; a shank turns by its knee angle and by that of its own thigh, no other
    plant = machine.plant
    context = plant.CreateDefaultContext()
    turns = {
        "hip": [0, 0, 0, 0],
        "thigh_a": [1, 0, 0, 0],
        "shank_a": [1, 1, 0, 0],
        "thigh_b": [0, 0, 1, 0],
        "shank_b": [0, 0, 1, 1],
    }
    terrain = plant.GetFrameByName("terrain")
    for link, expected in turns.items():
        spin = plant.CalcJacobianAngularVelocity(
            context,
            JacobianWrtVariable.kV,
            plant.GetFrameByName(link),
            plant.world_frame(),
            terrain,
        )
        # counter-clockwise seen with x to the right and z up: about -y
        assert np.allclose(-spin[1, 2:], expected, atol=1e-15)
        assert np.allclose(spin[[0, 2]], 0.0, atol=1e-15)


def test_links_are_one_metre_long(machine):
    plant = machine.plant
    context = plant.CreateDefaultContext()
    rng = np.random.default_rng(1)
    for _ in range(5):
        plant.SetPositions(context, rng.uniform(-3.0, 3.0, 6))
        at = {
            name: plant.CalcPointsPositions(
                context, plant.GetFrameByName(link), [0.0, 0.0, height], plant.world_frame()
            ).ravel()
            for name, (link, height, _) in POINTS.items()
        }
        for upper, lower in [
            ("hip", "knee_a"),
            ("knee_a", "foot_a"),
            ("hip", "knee_b"),
            ("knee_b", "foot_b"),
        ]:
            # a few roundings of numbers of size 5
            assert np.linalg.norm(at[upper] - at[lower]) == pytest.approx(1.0, abs=1e-14)


def test_every_mass_touches_the_ground_and_nothing_else(machine):
    assert machine.contacts.names == tuple(f"biped::{name}" for name in POINTS)
    assert machine.contacts.dim == 2
    assert [shape.points.radius for shape in machine.contacts.ground] == [0.0] * 5
    inspector = machine.model.scene_graph.model_inspector()
    geometries = inspector.GetAllGeometryIds(Role.kProximity)
    spheres = [g for g in geometries if isinstance(inspector.GetShape(g), Sphere)]
    assert len(spheres) == 5
    assert len(inspector.GetCollisionCandidates()) == 5  # each with the ground
