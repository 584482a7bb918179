"""Shapes that stand for meshes: support functions say how far they are off, whatever fitted them.

The support function of a body, the farthest that it reaches along a direction, is used here alone;
the fits of whole parts know nothing of it.
"""

import numpy as np
import pytest
from pydrake.geometry import Mesh, Role
from pydrake.multibody.tree import JointActuatorIndex
from scipy.spatial import ConvexHull
from tests.plants.files import loaded
from tests.plants.test_repair import COLLADA, _stl

from footfall.plants.repair import repair_urdf
from footfall.plants.repair.shapes import (
    LEFT,
    REACH,
    Box,
    Capsule,
    Part,
    Sphere,
    directions_around,
    fit_box,
    fit_capsule,
    fit_primitive,
    fit_sole,
    fit_sphere,
)

DOWN = np.array([0.0, 0.0, -1.0])


def _directions(count=4000, seed=5):
    u = np.random.default_rng(seed).standard_normal((count, 3))
    return u / np.linalg.norm(u, axis=1)[:, None]


def _reach(shape, u):
    """Support function of a shape along directions (n, 3)."""
    if isinstance(shape, Sphere):
        return u @ shape.centre + shape.radius
    if isinstance(shape, Capsule):
        return (u @ shape.ends.T).max(axis=1) + shape.radius
    return u @ shape.centre + np.abs(u @ shape.R_MG) @ (0.5 * shape.size)


def _off(shape, points, u):
    return np.abs(_reach(shape, u) - (u @ points.T).max(axis=1))


def _lump(seed, stretch):
    """Points of a rough lump: an ellipsoid whose radius changes by 20 %."""
    u = _directions(300, seed)
    rough = 1.0 + 0.2 * np.random.default_rng(seed).random(300)
    return 0.1 * u * rough[:, None] * stretch


@pytest.mark.parametrize("fit", [fit_sphere, fit_capsule, fit_box])
@pytest.mark.parametrize("stretch", [(1.0, 1.0, 1.0), (1.0, 1.2, 3.0), (0.2, 1.0, 1.0)])
def test_the_stated_error_holds_in_every_direction_and_is_reached_in_some(fit, stretch):
    points = _lump(1, np.array(stretch))
    found = fit(Part.around(points))
    off = _off(found.shape, points, _directions())
    assert off.max() <= found.error + 1e-9
    # 4000 directions lie about 3 degrees apart, in which the distance falls by a few per cent
    assert off.max() >= 0.8 * found.error


def test_a_round_part_is_found_again():
    centre, radius = np.array([0.01, -0.02, 0.03]), 0.03
    part = Part.around(centre + radius * _directions(2000))
    fit = fit_primitive(part, within=1e-3)
    assert isinstance(fit.shape, Sphere)
    # the hull of 2000 random points is flat across holes of 7 degrees: r (1 - cos 7 degrees)
    assert fit.error < 2.2e-4
    assert fit.shape.radius == pytest.approx(radius, abs=2.2e-4)
    assert fit.shape.centre == pytest.approx(centre, abs=1e-4)


def test_a_rod_with_round_ends_is_found_again():
    ends = np.array([[0.0, 0.0, 0.0], [0.05, 0.1, 0.0]])
    ball = 0.02 * _directions(1000)
    fit = fit_primitive(Part.around(np.vstack((ends[0] + ball, ends[1] + ball))), within=1e-3)
    assert isinstance(fit.shape, Capsule)
    assert fit.error < 3e-4  # holes of 10 degrees between 1000 points
    assert fit.shape.radius == pytest.approx(0.02, abs=3e-4)
    found = fit.shape.ends[np.argsort(fit.shape.ends[:, 0])]
    assert found == pytest.approx(ends, abs=1e-3)


def test_a_turned_brick_is_found_again_and_small_ones_are_no_balls():
    corners = 0.5 * np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, 8).T
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((3, 3)))[0]
    for size in ([0.2, 0.1, 0.02], [0.004, 0.004, 0.004]):
        fit = fit_primitive(Part.around((corners * size) @ turn.T), within=3e-3)
        assert isinstance(fit.shape, Box)
        assert fit.error < 1e-6
        assert np.sort(fit.shape.size) == pytest.approx(np.sort(size), abs=1e-6)


def test_a_part_far_from_any_primitive_has_no_fit():
    assert fit_primitive(Part.around(_lump(4, np.array([1.0, 2.0, 3.0]))), within=3e-3) is None


def _toe(leg=0.0):
    """A ball of 2 cm cut off 1 cm above its middle, and a leg on it if it has a length [m]."""
    points = 0.02 * _directions(3000)
    points = points[points[:, 2] <= 0.01]
    corners = np.array([[x, y, leg] for x in (-0.01, 0.01) for y in (-0.01, 0.01)])
    return np.vstack((points, corners)) if leg > 0.0 else points


@pytest.mark.parametrize("leg", [0.0, 0.2])
def test_a_foot_is_fitted_to_what_stands_on_the_ground(leg):
    points = _toe(leg)
    part = Part.around(points)
    fit = fit_sole(part, DOWN, within=3e-3)
    assert isinstance(fit.shape, Sphere)
    assert fit.shape.radius == pytest.approx(0.02, rel=0.02)
    u = _directions(20_000)
    off = _off(fit.shape, points, u[u @ DOWN >= np.cos(REACH)])
    assert off.max() <= fit.error
    # the leg is known to be left over
    assert (fit.beyond > LEFT * part.size) == (leg > 0.0)
    outside = np.linalg.norm(points - fit.shape.centre, axis=1).max() - fit.shape.radius
    assert fit.beyond == pytest.approx(max(0.0, outside), abs=1e-6)


def test_directions_leave_no_gap_in_their_cone():
    axis = np.array([0.6, 0.0, -0.8])
    u, spacing = directions_around(axis, REACH, 2000)
    assert (u @ axis).min() >= np.cos(REACH) - 1e-12
    asked = _directions(5000)
    asked = asked[asked @ axis >= np.cos(REACH)]
    farthest = np.arccos(np.clip((asked @ u.T).max(axis=1), -1.0, 1.0)).max()
    assert 0.4 * spacing < farthest <= spacing


LEG = """<robot name="r"><link name="base">
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><origin xyz="0 0 1"/><geometry><mesh filename="tetra.dae"/></geometry></visual>
  <visual><geometry><mesh filename="tetra.STL" scale="1 -1 0.5"/></geometry>
    <material name="red"><color rgba="1 0 0 1"/></material></visual>
</link>
<joint name="knee" type="revolute"><parent link="base"/><child link="leg"/><origin xyz="0 0 -1"
  rpy="3.141592653589793 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="7"/></joint>
<link name="leg">
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision name="calf"><origin xyz="0 0.1 0" rpy="0 0 0.5"/>
    <geometry><mesh filename="toe.obj" scale="1 1 -1"/></geometry></collision>
</link>
<joint name="wrist" type="revolute"><parent link="base"/><child link="hand"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="1" effort="3"/></joint>
<joint name="copy" type="revolute"><parent link="base"/><child link="finger"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="1" effort="3"/><mimic joint="wrist"/></joint>
<link name="hand"><inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="finger"><inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<transmission name="strange"><type>transmission_interface/DifferentialTransmission</type>
  <joint name="wrist"/><actuator name="m"/></transmission>
</robot>"""


@pytest.fixture(scope="module")
def leg(tmp_path_factory):
    """A robot whose foot points down because its knee is turned over, and what repair made."""
    folder = tmp_path_factory.mktemp("leg")
    hull = ConvexHull(_toe(leg=0.2))
    lines = [f"v {x} {y} {z}" for x, y, z in hull.points]
    lines += [f"f {i} {j} {k}" for i, j, k in hull.simplices + 1]
    (folder / "toe.obj").write_text("\n".join(lines))
    (folder / "tetra.dae").write_text(COLLADA)
    (folder / "tetra.STL").write_bytes(_stl(text=False))
    (folder / "robot.urdf").write_text(LEG)
    repaired = repair_urdf(folder / "robot.urdf", folder / "copy")
    return repaired, loaded(repaired.file)


def test_a_foot_becomes_a_ball_where_it_stands_and_keeps_its_leg(leg):
    repaired, model = leg
    inspector = model.scene_graph.model_inspector()
    shapes = {inspector.GetName(g): g for g in inspector.GetAllGeometryIds(Role.kProximity)}
    ball, above = shapes["m::calf"], shapes["m::calf_above"]
    assert inspector.GetShape(ball).radius() == pytest.approx(0.02, rel=0.02)
    # the mesh is mirrored and its link turned over, so the toe is at the origin of the mesh
    assert inspector.GetPoseInFrame(ball).translation() == pytest.approx([0, 0.1, 0], abs=1e-3)
    hull = inspector.GetConvexHull(above)
    z = [hull.vertex(k)[2] for k in range(hull.num_vertices())]
    assert min(z) == pytest.approx(-0.2)
    assert max(z) <= 1e-3  # nothing of it beside the ball
    assert any("seen from below" in note for note in repaired.notes)


def test_visual_meshes_lie_where_they_did(leg):
    _, model = leg
    inspector = model.scene_graph.model_inspector()
    found = {}
    for geometry in inspector.GetAllGeometryIds(Role.kIllustration):
        shape = inspector.GetShape(geometry)
        if isinstance(shape, Mesh):
            hull = inspector.GetConvexHull(geometry)
            corners = np.array([hull.vertex(k) for k in range(hull.num_vertices())])
            found[shape.source().extension()] = np.unique(np.round(corners, 4) + 0.0, axis=0)
    # as the vertices of the files, which another test knows; glTF's own y points up
    assert found[".gltf"].tolist() == [
        [-2, 0.02, 0.5],
        [0, 0.02, 0.5],
        [0, 0.02, 2.5],
        [0, 2.02, 0.5],
    ]
    assert found[".obj"].tolist() == [[0, -1, 0], [0, 0, 0], [0, 0, 0.5], [1, 0, 0]]


def test_triangles_of_a_mirrored_mesh_look_outward(leg):
    repaired, _ = leg
    lines = [
        line.split()
        for line in (repaired.file.parent / "visuals/tetra.obj").read_text().splitlines()
    ]
    v = np.array([line[1:] for line in lines if line[0] == "v"], dtype=float)
    f = np.array([[int(c.split("/")[0]) - 1 for c in line[1:]] for line in lines if line[0] == "f"])
    volume = np.einsum("ij,ij->", v[f[:, 0]], np.cross(v[f[:, 1]], v[f[:, 2]])) / 6.0
    assert volume == pytest.approx(0.5 / 6.0)


def test_joints_of_strange_transmissions_get_an_actuator_and_those_that_mimic_none(leg):
    repaired, model = leg
    plant = model.plant
    driven = {
        plant.get_joint_actuator(JointActuatorIndex(k)).joint().name(): plant.get_joint_actuator(
            JointActuatorIndex(k)
        ).effort_limit()
        for k in range(plant.num_actuators())
    }
    assert driven == {"knee": 7.0, "wrist": 3.0}
    assert any("strange" in n or "wrist left out" in n for n in repaired.notes)


def test_one_line_sums_up_and_nothing_is_left_to_repair(leg, tmp_path):
    repaired, _ = leg
    assert "\n" not in repaired.summary
    for words in ("1 hull and 1 sphere", "2 visual meshes", "2 actuators"):
        assert words in repaired.summary
    again = repair_urdf(repaired.file, tmp_path / "again")
    assert again.notes == ()
    assert "nothing was at fault" in again.summary
