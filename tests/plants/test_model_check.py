from pathlib import Path

import numpy as np
import pytest
from pydrake.common.yaml import yaml_load_typed
from tests.plants.files import loaded
from tests.tracked import tracked

from footfall.errors import ModelError
from footfall.plants.loading.file_check import MOST_WORLD_SHAPES, XmlModel
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.loading.model_files import find_files
from footfall.plants.loading.plant_check import check_mass_matrix, check_plant
from footfall.plants.loading.uris import known_packages
from footfall.plants.names import require_frames, require_joints

BAD = Path(__file__).parent / "bad_models"

# File, line (None where the fault is of the plant, or Drake names none), words that the message
# must have: who is at fault, and how to mend it.
FAULTS = [
    ("broken.urdf", 3, ["close <link> of line 2"]),
    ("broken.sdf", 3, ["close <model> of line 2"]),
    ("unknown_tag.urdf", 7, ["<colision>", "did you mean 'collision'"]),
    ("unknown_tag.sdf", 9, ["<lnik>", "did you mean 'link'"]),
    ("unknown_drake_tag.urdf", 10, ["<drake:mu_dynamc>", "did you mean 'drake:mu_dynamic'"]),
    ("unknown_drake_tag.sdf", None, ["<drake:mu_dynamc>", "did you mean 'drake:mu_dynamic'"]),
    ("unknown_attribute.urdf", 18, ["lowr", "did you mean 'lower'"]),
    ("text_for_value.urdf", 4, ["<mass>", '<mass value="1"/>']),
    ("macro.urdf", 2, ["<xacro:include>", "run xacro"]),
    ("not_a_robot.urdf", 1, ["<sdf>", "name the file after its format"]),
    ("not_a_number.urdf", 3, ["link 'body'", "'heavy'", "write one number"]),
    ("negative_mass.urdf", 3, ["link 'body'", "-2 kg", "not negative"]),
    ("negative_mass.sdf", 4, ["link 'body'", "-2 kg", "not negative"]),
    ("inertia_without_mass.urdf", 3, ["link 'body'", "give it mass"]),
    ("inertia_without_mass.sdf", 4, ["link 'body'", "give it mass"]),
    ("massless_leg.urdf", None, ["joint 'm::hip'", "give mass", "leg"]),
    ("massless_middle.urdf", None, ["'m::hip', 'm::knee'", "give mass", "thigh"]),
    ("free_point.urdf", None, ["link 'm::ball'", "attach it"]),
    ("triangle.urdf", 3, ["link 'body'", "1, 1, 9", "correct its <inertia>"]),
    ("triangle.sdf", 4, ["link 'body'", "1, 1, 9", "correct its <inertia>"]),
    ("crossed_limits.urdf", 18, ["joint 'hip'", "exchange them"]),
    ("crossed_limits.sdf", 20, ["joint 'hip'", "exchange them"]),
    ("negative_velocity.urdf", 18, ["velocity", "correct the number"]),
    ("missing_link.urdf", 10, ["joint 'hip'", "link 'leg'", "known: base"]),
    ("missing_mesh.urdf", 8, ["nowhere.obj", "correct the path"]),
    ("missing_mesh.sdf", 9, ["nowhere.obj", "correct the path"]),
    ("unknown_package.urdf", 8, ["'nobody'", "known: ", "footfall"]),
    ("stl_collision.urdf", 8, ["foot.stl", "convert it to one of .obj"]),
    ("negative_radius.urdf", 8, ["radius", "correct the number"]),
    ("negative_friction.urdf", 10, ["drake:mu_dynamic", "correct the number"]),
    ("negative_friction.sdf", 11, ["drake:mu_dynamic", "correct the number"]),
    ("world_constraint.urdf", 10, ["<drake:ball_constraint>", "weld a link to the world"]),
    ("world_constraint.sdf", 11, ["<drake:ball_constraint>", "weld a link to the world"]),
    ("sdf_mimic.sdf", 11, ["<mimic>", "write <drake:mimic"]),
    ("half_ball.urdf", 4, ["<drake:ball_constraint_p_BQ>", "add it"]),
    ("flat_ball.sdf", 8, ["<drake:ball_constraint_p_AP>", "'0 0'", "write three numbers"]),
    ("endless_mimic.urdf", 8, ["multiplier of <mimic>", "write a finite number"]),
    ("missing_include.sdf", 3, ["nowhere.sdf", "correct the path"]),
    ("include_ring.sdf", None, ["includes itself", "break the ring"]),
    ("no_actuator.urdf", None, ["joint 'm::hip'", "<transmission>"]),
    ("no_actuator.sdf", None, ["joint 'm::hip'", "effort limit"]),
]
OF_THE_PLANT = {"massless_leg", "massless_middle", "free_point", "no_actuator"}

LEG = """<robot name="leg">
  <link name="hip">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  </link>
  <link name="thigh"/>
  <link name="foot"><inertial><origin xyz="0 0 -1"/><mass value="1"/></inertial></link>
  <joint name="hip" type="revolute">
    <parent link="hip"/><child link="thigh"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/>
  </joint>
  <joint name="knee" type="revolute">
    <origin xyz="0 0 -1"/><parent link="thigh"/><child link="foot"/><axis xyz="0 1 0"/>
  </joint>
  <gazebo reference="hip"><any><thing/></any></gazebo>
</robot>
"""

LEG_AS_A = "- add_model: {name: a, file: LEG}\n"
HANGING = """
- add_model: {name: m, file: LEG}
- add_weld: {parent: world, child: m::hip}
"""


def spec_from(directives):
    return yaml_load_typed(schema=ModelSpec, data=f"directives:\n{directives}")


def refusal(act, *args, **kwargs):
    """The message of a ModelError, which must be one line of a readable length."""
    with pytest.raises(ModelError) as refused:
        act(*args, **kwargs)
    message = str(refused.value)
    assert "\n" not in message
    assert 20 < len(message) < 700
    return message


@pytest.fixture
def leg(tmp_path):
    path = tmp_path / "leg.urdf"
    path.write_text(LEG)
    return path


@pytest.fixture
def hanging(leg):
    """A massless thigh with a point mass at the foot, hung from the world."""
    return load_model(spec_from(HANGING.replace("LEG", str(leg))))


@pytest.mark.parametrize(("name", "line", "words"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_bad_file_is_refused_in_one_line_that_says_what_where_and_how_to_mend(name, line, words):
    message = refusal(loaded, BAD / name, expected_actuators=["hip"] if "actuator" in name else ())
    for word in words:
        assert word in message
    if line is not None:
        assert message.startswith(f"{BAD / name}:{line}: ")
    elif Path(name).stem not in OF_THE_PLANT:
        assert message.startswith(str(BAD / name))


def test_no_bad_file_is_left_untried():
    assert {path.name for path in tracked(BAD)} == {name for name, _, _ in FAULTS}


@pytest.mark.parametrize(
    ("directives", "words"),
    [
        ("- add_model: {name: a, file: /nowhere/a.urdf}", ["[1] add_model", "/nowhere/a.urdf"]),
        ("- add_model: {name: a, file: package://nobody/a.urdf}", ["'nobody'", "footfall"]),
        ("- add_model: {name: a, file: package://footfll/a.urdf}", ["did you mean 'footfall'"]),
        ("- add_model: {name: a}", ["names no file"]),
        ("- add_model: {file: LEG}", ["has no name"]),
        ("- {}", ["[1] holds nothing", "add_model"]),
        ("- {add_model: {name: a, file: LEG}, add_weld: {parent: world, child: b}}", ["give one"]),
        (
            LEG_AS_A + "- add_model: {name: a, file: LEG}",
            ["[2] add_model", "two models named 'a'"],
        ),
        (
            LEG_AS_A + "- add_weld: {parent: terain, child: a::hip}",
            ["add_weld terain -> a::hip", "'terain'", "did you mean 'terrain'"],
        ),
        (
            LEG_AS_A + "- add_weld: {parent: terrain, child: a::hop}",
            ["frame 'hop'", "did you mean 'a::hip'"],
        ),
        (
            LEG_AS_A + "- add_frame: {name: toe, X_PF: {base_frame: a::fot}}",
            ["add_frame toe", "did you mean 'a::foot'"],
        ),
        (
            "- add_model: {name: a, file: LEG, default_joint_positions: {kne: [0.1]}}",
            ["add_model a", "joint 'kne'", "did you mean 'knee'"],
        ),
        (
            "- add_model: {name: a, file: LEG, default_joint_positions: {knee: [.nan]}}",
            ["joint 'a::knee'", "no position"],
        ),
        (
            "- add_model: {name: a, file: LEG, default_joint_positions: {hip: [0, 0]}}",
            ["leg.urdf", "hip"],
        ),
        (
            LEG_AS_A
            + "- add_weld: {parent: world, child: a::hip, X_PC: {translation: [0, 0, .nan]}}",
            ["link 'a::hip'", "no finite pose"],
        ),
        (
            LEG_AS_A
            + "- add_weld: {parent: world, child: a::hip}\n"
            + "- add_weld: {parent: world, child: a::foot}",
            ["leg.urdf", "loops"],
        ),
        ("- add_directives: {file: /nowhere/scene.dmd.yaml}", ["/nowhere/scene.dmd.yaml"]),
        ("- add_directives: {file: BROKEN}", ["scene.dmd.yaml", "add_modl"]),
        ("- add_directives: {file: RING}", ["includes itself"]),
        ("- add_model: {name: a, file: RING}", ["add_directives, not add_model"]),
        ("- add_model: {name: a, file: PICTURE}", ["picture.png", ".urdf"]),
    ],
)
def test_a_bad_directive_is_refused_in_one_line(leg, tmp_path, directives, words):
    ring, broken, picture = (
        tmp_path / name for name in ("ring.dmd.yaml", "scene.dmd.yaml", "picture.png")
    )
    ring.write_text(f"directives:\n- add_directives: {{file: 'file://{ring}'}}\n")
    broken.write_text("directives:\n- add_modl: {name: a}\n")
    picture.write_bytes(b"not a model")
    for name, path in (("LEG", leg), ("RING", ring), ("BROKEN", broken), ("PICTURE", picture)):
        directives = directives.replace(name, str(path))
    message = refusal(load_model, spec_from(directives))
    for word in words:
        assert word in message


def test_two_models_of_one_name_are_found_inside_namespaces(leg, tmp_path):
    scene = tmp_path / "scene.dmd.yaml"
    scene.write_text(f"directives:\n- add_model: {{name: a, file: 'file://{leg}'}}\n")
    twice = f"- add_directives: {{file: {scene}, model_namespace: NAME}}\n"
    apart = spec_from(
        "- add_model_instance: {name: x}\n- add_model_instance: {name: y}\n"
        + twice.replace("NAME", "x")
        + twice.replace("NAME", "y")
    )
    names = [file.name for file in find_files(apart.directives, known_packages({}))]
    assert names == ["x::a", "y::a"]
    together = spec_from("- add_model_instance: {name: x}\n" + 2 * twice.replace("NAME", "x"))
    assert "'x::a'" in refusal(find_files, together.directives, known_packages({}))


def test_a_missing_mesh_of_an_included_model_names_the_file_that_asks_for_it(tmp_path):
    (tmp_path / "outer.sdf").write_text(
        '<sdf version="1.9"><model name="outer">'
        "<include><uri>inner.sdf</uri></include></model></sdf>"
    )
    (tmp_path / "inner.sdf").write_text((BAD / "missing_mesh.sdf").read_text())
    assert refusal(loaded, tmp_path / "outer.sdf").startswith(f"{tmp_path / 'inner.sdf'}:9: ")


def test_what_drake_refuses_in_a_format_that_is_not_checked_is_one_line(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(
        '<mujoco model="m"><worldbody><body name="b">'
        '<inertial pos="0 0 0" mass="1" diaginertia="9 1 1"/><freejoint/>'
        '<geom type="sphere" size="1"/></body></worldbody></mujoco>'
    )
    message = refusal(loaded, path)
    assert "model.xml" in message
    assert "inertia" in message


@pytest.mark.parametrize("name", ["triangle.urdf", "triangle.sdf", "negative_mass.urdf"])
def test_drakes_guess_in_place_of_an_inertia_is_refused_if_the_check_missed_it(monkeypatch, name):
    monkeypatch.setattr(XmlModel, "_check_inertial", lambda _self, _link: None)
    message = refusal(loaded, BAD / name)
    assert message.startswith(f"{BAD / name}:")
    assert "the mass or the inertia is not that of a body" in message


def test_a_mesh_that_drake_cannot_read_is_refused_while_loading(tmp_path):
    (tmp_path / "nowhere.obj").write_text("this is no mesh\n")
    path = tmp_path / "model.sdf"
    path.write_text((BAD / "missing_mesh.sdf").read_text())
    assert "nowhere.obj" in refusal(loaded, path)


def test_tags_for_other_programs_are_no_fault(leg):
    assert loaded(leg).plant.num_velocities() == 8


# what robot makers' files have for other programs, and what the same files must not have
BALL = "<collision><geometry><sphere radius='1'/></geometry>{}</collision></link>"
FOREIGN = [
    ("<link name='hip'>", "<link name='hip'><self_filter name='x'/>", None),
    ("<link name='hip'>", "<link name='hip'><self_fliter name='x'/>", "self_fliter"),
    ("<limit ", "<limit command_effort='3' ", None),
    ("<limit ", "<limit comand_effort='3' ", "comand_effort"),
    ("</joint>", "<joint_properties damping='0' friction='0'/></joint>", None),
    ("</link>", BALL.format("<material name='m'/>"), None),
    ("</link>", BALL.format("<specular/>"), "specular"),
]


@pytest.mark.parametrize(("old", "new", "fault"), FOREIGN)
def test_what_robot_makers_write_for_other_programs_is_passed_over(tmp_path, old, new, fault):
    path = tmp_path / "leg.urdf"
    path.write_text(LEG.replace('"', "'").replace(old, new, 1))
    if fault is None:
        loaded(path)
        return
    with pytest.raises(ModelError, match=fault):
        loaded(path)


def test_a_package_is_found_among_the_folders_above(tmp_path):
    home = tmp_path / "my_robot" / "urdf"
    home.mkdir(parents=True)
    mesh = tmp_path / "my_robot" / "meshes" / "foot.obj"
    mesh.parent.mkdir()
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    text = LEG.replace(
        "</link>",
        "<collision><geometry><mesh filename='package://my_robot/meshes/foot.obj'/></geometry>"
        "</collision></link>",
        1,
    )
    path = home / "leg.urdf"
    path.write_text(text)
    assert loaded(path).plant.num_collision_geometries() == 2  # and the ground
    elsewhere = tmp_path / "leg.urdf"
    elsewhere.write_text(text)
    with pytest.raises(ModelError, match=r"packages: {my_robot: FOLDER}"):
        loaded(elsewhere)


def test_an_empty_texture_is_no_missing_file(tmp_path):
    path = tmp_path / "leg.urdf"
    texture = "<material name='red'><texture filename=''/><color rgba='1 0 0 1'/></material>"
    path.write_text(LEG.replace("<link", f"{texture}<link", 1))
    loaded(path)


def test_a_massless_link_is_fine_where_something_heavy_hangs_on_it(hanging):
    check_plant(hanging.plant)


def test_a_configuration_can_be_singular_where_the_model_is_not(hanging):
    # Both joints move the one point mass in the same direction as long as the leg is straight.
    check_mass_matrix(hanging.plant, np.array([0.2, 0.5]))
    message = refusal(check_mass_matrix, hanging.plant, np.array([0.2, 0.0]))
    assert "'m::hip', 'm::knee'" in message


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e3])
def test_the_judgement_of_mass_does_not_depend_on_the_size_of_the_machine(tmp_path, scale):
    # From 0.1 mm and 1e-12 kg to a kilometre; the hip, which is fixed, keeps its kilogram.
    foot = '<origin xyz="0 0 -1"/><mass value="1"/>'
    assert foot in LEG
    leg = LEG.replace(foot, foot.replace('value="1"', f'value="{scale**3}"'))
    path = tmp_path / "leg.urdf"
    path.write_text(leg.replace("0 0 -1", f"0 0 {-scale}"))
    load_model(spec_from(HANGING.replace("LEG", str(path))))


def test_names_are_found_plain_or_with_their_model(hanging):
    plain, scoped = require_joints(hanging.plant, ["knee", "m::knee"])
    assert plain.index() == scoped.index()
    frames = require_frames(hanging.plant, ["terrain", "m::foot", "foot"])
    assert [frame.name() for frame in frames] == ["terrain", "foot", "foot"]


def test_names_that_are_missing_or_doubtful_are_told(hanging, leg):
    assert "did you mean 'knee'" in refusal(require_joints, hanging.plant, ["kneee"])
    assert "did you mean 'terrain'" in refusal(require_frames, hanging.plant, ["terain"])
    two = load_model(
        spec_from(f"- add_model: {{name: a, file: {leg}}}\n- add_model: {{name: b, file: {leg}}}")
    )
    assert "a::knee, b::knee" in refusal(require_joints, two.plant, ["knee"])
    assert require_joints(two.plant, ["b::knee"])[0].name() == "knee"


WORLD_SHAPE = '<collision name="c{}"><geometry><box size=".1 .1 .1"/></geometry></collision>'
WORLD_SHAPES = '<robot name="w"><link name="world">{}</link>{}</robot>'
FIXED = """<joint name="j" type="fixed"><parent link="world"/><child link="base"/></joint>"""
WORLD_GEOMS = "<mujoco><worldbody>{}{}</worldbody></mujoco>"
GEOM = '<geom type="box" size=".1 .1 .1"/>'
SEEN_GEOM = '<geom type="box" size=".1 .1 .1" contype="0" conaffinity="0"/>'


def with_world_shapes(folder, ending, count):
    """Give a file whose world has shapes in one place, beside those that do not count."""
    path = folder / f"w{count}{ending}"
    if ending == ".urdf":
        base = f'<link name="base">{"".join(map(WORLD_SHAPE.format, range(30)))}</link>{FIXED}'
        path.write_text(WORLD_SHAPES.format("".join(map(WORLD_SHAPE.format, range(count))), base))
    else:
        others = 30 * SEEN_GEOM + f"<body>{30 * GEOM}</body>"
        path.write_text(WORLD_GEOMS.format(count * GEOM, others))
    return path


@pytest.mark.parametrize("ending", [".urdf", ".xml"])
def test_more_shapes_of_the_world_than_drake_bears_are_one_line(tmp_path, ending):
    # in one place, where Drake's tree of boxes is as deep as there are shapes: one more crashes it
    most = with_world_shapes(tmp_path, ending, MOST_WORLD_SHAPES)
    model = loaded(most)
    context = model.diagram.CreateDefaultContext()
    query = model.scene_graph.get_query_output_port().Eval(
        model.scene_graph.GetMyContextFromRoot(context)
    )
    assert query.HasCollisions() in (True, False)  # it lives
    message = refusal(loaded, with_world_shapes(tmp_path, ending, MOST_WORLD_SHAPES + 1))
    assert f"w14{ending}: the world itself gets 14 collision shapes" in message
    assert "fixed to the world" in message


def test_shapes_of_the_world_are_counted_over_all_models(tmp_path):
    paths = [with_world_shapes(tmp_path, ".urdf", count) for count in (6, 8)]
    parts = "".join(f"- add_model: {{name: m{k}, file: {p}}}\n" for k, p in enumerate(paths))
    assert "gets 14 collision shapes" in refusal(load_model, spec_from(parts))
