"""Sound copies of files that are refused: nothing but what is at fault changes."""

import struct

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pydrake.geometry import Role
from scipy.spatial import ConvexHull
from tests.plants.files import INERTIAL, loaded

from footfall.errors import ModelError
from footfall.plants.contacts import collect_contacts
from footfall.plants.loading.meshes import read_vertices
from footfall.plants.loading.uris import known_packages, resolve
from footfall.plants.repair import repair_urdf
from footfall.plants.repair.shapes import small_hull
from footfall.plants.repair.urdf import nearest_inertia

CUBE = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, 8).T

symmetric = hnp.arrays(np.float64, (3, 3), elements=st.floats(-2.0, 2.0)).map(
    lambda a: 0.5 * (a + a.T)
)


def _bodily(inertia, slack=1e-12):
    a, b, c = np.linalg.eigvalsh(inertia)
    return a >= -slack and c <= a + b + slack


@given(symmetric, symmetric)
@example(np.array([[0.0, -1, -1], [-1, -1, -1], [-1, -1, -1]]), np.zeros((3, 3)))
def test_a_repaired_inertia_is_one_that_a_body_has_and_none_is_nearer(given_, other):
    repaired = nearest_inertia(given_)
    assert _bodily(repaired)
    if _bodily(given_, slack=-1e-9):
        assert (repaired == given_).all()
    if _bodily(other, slack=0.0):
        # to within the margin by which the answer lies inside the bounds, and rounding
        apart = np.linalg.norm(other - given_)
        assert np.linalg.norm(repaired - given_) <= apart + 1e-7


def _ball(count=2000, radius=0.05):
    points = np.random.default_rng(3).standard_normal((count, 3))
    return radius * points / np.linalg.norm(points, axis=1)[:, None]


def test_a_small_hull_says_how_much_it_leaves_outside():
    points = _ball()
    hull = small_hull(points, within=2e-3, most=200)
    assert len(hull.corners) < 200
    assert hull.error <= 2e-3
    planes = ConvexHull(hull.corners).equations
    assert (points @ planes[:, :3].T + planes[:, 3]).max() == pytest.approx(hull.error, abs=1e-12)


def test_a_hull_never_has_more_corners_than_allowed():
    hull = small_hull(_ball(), within=0.0, most=20)
    assert len(hull.corners) == 20
    assert hull.error > 0.0


def test_triangles_of_a_hull_look_outward():
    hull = small_hull(CUBE, within=0.0, most=50)
    a, b, c = (hull.corners[hull.triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
    assert volume == pytest.approx(8.0)


def test_a_flat_mesh_becomes_a_thin_plate():
    flat = CUBE * [1.0, 1.0, 0.0]
    hull = small_hull(flat, within=0.0, most=50)
    thickness = np.ptp(hull.corners[:, 2])
    assert 0.0 < thickness < 1e-3


def test_points_on_a_line_have_no_hull():
    with pytest.raises(ModelError, match="line"):
        small_hull(CUBE * [1.0, 0.0, 0.0], within=0.0, most=50)


def _stl(text):
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    if text:
        loops = "".join(
            "facet normal 0 0 0\n outer loop\n"
            + "".join(f"  vertex {x} {y} {z}e0\n" for x, y, z in (corners[k] for k in face))
            + " endloop\nendfacet\n"
            for face in faces
        )
        return f"solid tetra\n{loops}endsolid tetra\n".encode()
    facets = b"".join(
        struct.pack("<12fH", 0, 0, 0, *(x for k in face for x in corners[k]), 0) for face in faces
    )
    return b"solid but binary".ljust(80) + struct.pack("<I", len(faces)) + facets


COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.001" name="millimeter"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
  <source id="p"><float_array id="f" count="12">0 0 0 1000 0 0 0 1000 0 0 0 1000</float_array>
    <technique_common><accessor source="#f" count="4" stride="3"><param name="X" type="float"/>
      <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
  </source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
    <p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node>
  <translate>0 0 500</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>
  <node><matrix>1 0 0 10 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


@pytest.mark.parametrize("text", [True, False])
def test_vertices_of_both_kinds_of_stl(tmp_path, text):
    path = tmp_path / "tetra.STL"
    path.write_bytes(_stl(text))
    found = np.unique(read_vertices(path), axis=0)
    assert found.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]


def test_vertices_of_collada_are_placed_by_the_scene_and_in_metres(tmp_path):
    path = tmp_path / "tetra.dae"
    path.write_text(COLLADA)
    found = np.unique(np.round(read_vertices(path), 6) + 0.0, axis=0)
    # x' = 2 x + 20 mm, turned by 90 degrees about z, raised by 500 mm, in single precision
    assert found.tolist() == [[-2, 0.02, 0.5], [0, 0.02, 0.5], [0, 0.02, 2.5], [0, 2.02, 0.5]]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("mesh.ply", b"ply", "convert it to one of"),
        ("mesh.stl", b"solid nothing", "no vertices"),
        ("mesh.obj", b"v 1 2 three\n", "cannot be read"),
        ("mesh.dae", b"<COLLADA>", "cannot be read"),
    ],
)
def test_a_mesh_that_cannot_be_read_is_one_line(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ModelError, match=words) as refusal:
        read_vertices(path)
    assert "\n" not in str(refusal.value)


BROKEN = """<?xml version="1.0"?>
<robot name="broken">
  <!-- what a CAD program wrote -->
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base" origin="nowhere">
    <inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.3"/>
    </inertial>
    <visual><geometry><mesh filename="gone.stl"/></geometry>
      <material name="grey"><color rgba="0.4 0.5 0.5 1"/></material></visual>
    <collision name="hull"><geometry><mesh filename="meshes/tetra.STL" scale="0.1 0.1 0.1"/>
      </geometry><drake:proximity_properties><drake:mu_dynamic value="0.3"/>
      </drake:proximity_properties></collision>
    <colour/>
  </link>
  <link name="tool"><inertial><mass value="0"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="grip" type="fixed"><parent link="base"/><child link="tool"/>
    <mimic joint="other"/></joint>
</robot>
"""


def broken(tmp_path, text=BROKEN):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "tetra.STL").write_bytes(_stl(text=False))
    path = tmp_path / "broken.urdf"
    path.write_text(text)
    return path


LAX = """<robot name="lax">
  <link name="base">
    <visual><geometry><mesh filename="gone.obj"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material></visual>
    <visual><geometry><sphere radius="0.1"/></geometry><material name="blue"/></visual>
    <collision><geometry><mesh filename="package:///parts/tetra.STL"/></geometry></collision>
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="tool">
    <visual><geometry><sphere radius="0.1"/></geometry><material name="red"/></visual>
    <visual><geometry><sphere radius="0.1"/></geometry>
      <material name="blue"><color rgba="0 0 1 1"/></material></visual>
  </link>
  <joint name="grip" type="fixed"><parent link="base"/><child link="tool"/></joint>
</robot>
"""


def test_repair_of_missing_package_names_and_late_colours(tmp_path):
    # a package without its name, a colour that is said below its use, and one of a visual that goes
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "tetra.STL").write_bytes(_stl(text=False))
    path = folder / "lax.urdf"
    path.write_text(LAX)
    uri = "package:///parts/tetra.STL"
    with pytest.raises(ModelError, match=r"names no package; write package://parts/tetra\.STL, or"):
        resolve(uri, known_packages({}), folder, "here")
    model = loaded(repair_urdf(path, tmp_path / "copy").file)
    inspector = model.scene_graph.model_inspector()
    shown = inspector.GetAllGeometryIds(Role.kIllustration)
    colours = [
        inspector.GetIllustrationProperties(g).GetProperty("phong", "diffuse") for g in shown
    ]
    found = [(c.r(), c.g(), c.b()) for c in colours]
    assert (found.count((0, 0, 1)), found.count((1, 0, 0))) == (2, 1)


def test_a_repaired_robot_loads_and_reports_every_change(tmp_path):
    path = broken(tmp_path)
    with pytest.raises(ModelError):
        loaded(path)
    repaired = repair_urdf(path, tmp_path / "copy")
    model = loaded(repaired.file)
    contacts = collect_contacts(model)
    assert len(contacts) == 4
    assert contacts.mu[0] == pytest.approx(2 * 0.3 / 1.3)  # what is not at fault stays
    shape = contacts.ground[0].points.fixed
    assert np.ptp(shape, axis=0) == pytest.approx([0.1, 0.1, 0.1])
    told = " ".join(repaired.notes)
    for word in ("inertia changed", "tetra.STL", "gone.stl", "<colour>", "origin of", "<mimic>"):
        assert word in told
    assert path.read_text() == BROKEN
    assert repair_urdf(repaired.file, tmp_path / "again").notes == ()
    assert "what a CAD program wrote" in repaired.file.read_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BROKEN.replace("tetra.STL", "gone.STL"), "is not there"),
        (BROKEN.replace("</robot>", ""), "close <robot>"),
        (BROKEN.replace('ixx="0.1"', 'ixx="much"'), "'much'; write finite numbers"),
    ],
    ids=["missing mesh", "broken XML", "no number"],
)
def test_files_that_cannot_be_repaired_are_refused_in_one_line(tmp_path, text, words):
    with pytest.raises(ModelError, match=words) as refusal:
        repair_urdf(broken(tmp_path, text), tmp_path / "copy")
    assert "\n" not in str(refusal.value)


def test_only_urdf_is_repaired(tmp_path):
    with pytest.raises(ModelError, match="only URDF"):
        repair_urdf(tmp_path / "robot.sdf", tmp_path / "copy")


def test_joints_with_an_effort_limit_get_the_actuators_that_no_transmission_gives(tmp_path):
    link = f"<link name='{{}}'>{INERTIAL}</link>"
    joint = (
        "<joint name='{0}' type='revolute'><parent link='base'/><child link='{0}_link'/>"
        "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='{1}'/></joint>"
    )
    text = f"<robot name='r'>{link.format('base')}"
    for name, effort in (("driven", 5), ("free", 0)):
        text += link.format(f"{name}_link") + joint.format(name, effort)
    path = tmp_path / "robot.urdf"
    path.write_text(text + "</robot>")
    repaired = repair_urdf(path, tmp_path / "copy")
    plant = loaded(repaired.file).plant
    (actuator,) = (plant.get_joint_actuator(i) for i in plant.GetJointActuatorIndices())
    assert actuator.joint().name() == "driven"
    assert actuator.effort_limit() == 5.0
    assert repair_urdf(repaired.file, tmp_path / "again").notes == ()
