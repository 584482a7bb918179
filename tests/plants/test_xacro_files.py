"""Models written in xacro: the same machine as in URDF, and faults that name the user's file."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from pydrake.common.yaml import yaml_load_typed
from pydrake.multibody.parsing import AddDirectives, AddModel, ModelDirective

from footfall.errors import ModelError, ScenarioError
from footfall.plants.loading.load import ModelSpec, load_model, read_file
from footfall.plants.loading.model_files import stem_of
from footfall.plants.loading.uris import known_packages

# A pendulum: a point mass on a rod, hanging from the world. BODY stands in line 18.
PENDULUM = """<?xml version="1.0"?>
<robot name="pendulum" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="mass" default="2"/>
  <xacro:arg name="length" default="0.5"/>
  <xacro:arg name="driven" default="true"/>
  <xacro:property name="l" value="$(arg length)"/>
  <xacro:macro name="bob" params="name mass:=1">
    <link name="${name}">
      <inertial><origin xyz="0 0 ${-l}"/><mass value="${mass}"/></inertial>
    </link>
  </xacro:macro>
  <xacro:bob name="arm" mass="$(arg mass)"/>
  <joint name="swing" type="continuous">
    <parent link="world"/><child link="arm"/><axis xyz="0 1 0"/>
  </joint>
  <xacro:if value="$(arg driven)">
    <transmission><type>transmission_interface/SimpleTransmission</type>
      <joint name="swing"/><actuator name="motor"/></transmission></xacro:if>
  BODY
</robot>
"""
BODY_LINE = 19
CUBE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
DRAWN = '<link name="skin"><visual><geometry><mesh filename="{}"/></geometry></visual></link>'
FIXED = '<joint name="glue" type="fixed"><parent link="arm"/><child link="skin"/></joint>'


@pytest.fixture(autouse=True)
def _temporary(tmp_path, monkeypatch):
    """Folder of compiled files, so that a test can see that none is left."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    yield
    assert not list((tmp_path / "temporary").iterdir())


def written(tmp_path, body="", text=PENDULUM, name="pendulum.urdf.xacro"):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace("BODY", body))
    return path


def spec_of(path, packages=None, **arguments):
    directive = ModelDirective(add_model=AddModel(name="m", file=str(path)))
    given = {"m": arguments} if arguments else {}
    return ModelSpec([directive], packages=packages or {}, arguments=given)


def refusal(path, packages=None, **arguments):
    with pytest.raises((ModelError, ScenarioError)) as refused:
        load_model(spec_of(path, packages, **arguments))
    message = str(refused.value)
    assert "\n" not in message
    assert "temporary" not in message
    return message


def stiffness_and_inertia(path, **arguments):
    """Of the pendulum about its hanging position: m g l [N m] and m l^2 [kg m^2]."""
    plant = load_model(spec_of(path, **arguments)).plant
    context = plant.CreateDefaultContext()
    inertia = plant.CalcMassMatrix(context)[0, 0]
    plant.SetPositions(context, [np.pi / 2])
    return abs(plant.CalcGravityGeneralizedForces(context)[0]), inertia


@pytest.mark.parametrize(
    ("arguments", "mass", "length"),
    [
        ({}, 2.0, 0.5),
        ({"mass": 3.5}, 3.5, 0.5),
        ({"mass": 3, "length": 2.0}, 3.0, 2.0),
        ({"mass": "1e-3", "length": "0.75"}, 1e-3, 0.75),
        ({"mass": 1 / 3}, 1 / 3, 0.5),
    ],
)
def test_arguments_are_those_of_the_machine(tmp_path, arguments, mass, length):
    stiffness, inertia = stiffness_and_inertia(written(tmp_path), **arguments)
    # products of three numbers that went through text with all their digits: a few eps
    assert stiffness == pytest.approx(mass * 9.81 * length, rel=1e-14)
    assert inertia == pytest.approx(mass * length**2, rel=1e-14)


@pytest.mark.parametrize(("driven", "actuators"), [(True, 1), (False, 0), (0.0, 0), ("true", 1)])
def test_a_truth_value_chooses_parts_of_the_model(tmp_path, driven, actuators):
    model = load_model(spec_of(written(tmp_path), driven=driven))
    assert model.plant.num_actuators() == actuators


def test_a_whole_number_as_xacro_argument_counts_links(tmp_path):
    links = (
        '<xacro:arg name="count" default="1"/><xacro:macro name="more" params="n">'
        '<xacro:if value="${n > 0}"><xacro:bob name="b${n}"/><xacro:more n="${n - 1}"/></xacro:if>'
        '</xacro:macro><xacro:more n="${len(range($(arg count)))}"/>'
    )
    plant = load_model(spec_of(written(tmp_path, links), count=3.0), judged=False).plant
    assert plant.num_bodies() == 1 + 1 + 3  # the world, the arm, and what was counted


def test_two_models_of_one_file_have_arguments_of_their_own(tmp_path):
    path = written(tmp_path)
    spec = yaml_load_typed(
        schema=ModelSpec,
        data=f"directives:\n- add_model: {{name: a, file: {path}}}\n"
        f"- add_model: {{name: b, file: {path}}}\narguments: {{b: {{mass: 5, driven: false}}}}",
    )
    plant = load_model(spec).plant
    assert plant.CalcTotalMass(plant.CreateDefaultContext()) == 7.0
    assert plant.num_actuators() == 1


@pytest.mark.parametrize(
    "mesh",
    [
        "skin.obj",
        "meshes/skin.obj",
        "package://robots/meshes/skin.obj",
        "package://own/meshes/skin.obj",
        "$(find robots)/meshes/skin.obj",
        "file://$(find own)/meshes/skin.obj",
    ],
)
def test_meshes_are_found_beside_the_file_and_in_packages(tmp_path, monkeypatch, mesh):
    """The folder is a package by its name, another by package.xml, and neither is where we are."""
    folder = tmp_path / "robots"
    path = written(folder, DRAWN.format(mesh) + FIXED)
    (folder / "package.xml").write_text("<package><name>own</name></package>")
    (folder / "meshes").mkdir()
    for place in (folder, folder / "meshes"):
        (place / "skin.obj").write_text(CUBE)
    monkeypatch.chdir("/")
    model = load_model(spec_of(path))
    inspector = model.scene_graph.model_inspector()
    shapes = [inspector.GetShape(geometry) for geometry in inspector.GetAllGeometryIds()]
    sources = [shape.source().path() for shape in shapes if hasattr(shape, "source")]
    assert [source.name for source in sources] == ["skin.obj"]
    assert sources[0].is_relative_to(folder)


@pytest.mark.parametrize(
    "include",
    ["parts/bob.xacro", "$(find parts)/bob.xacro", "package://parts/bob.xacro", "parts/b*.xacro"],
)
def test_includes_are_found_beside_the_file_and_in_packages(tmp_path, include):
    """The included file includes one more, which is beside it and not beside the first."""
    parts = tmp_path / "parts"
    robot = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro">'
    written(parts, text=f'{robot}<xacro:include filename="name.xacro"/></robot>', name="bob.xacro")
    written(parts, text=f'{robot}<xacro:property name="who" value="z"/></robot>', name="name.xacro")
    body = f'<xacro:include filename="{include}"/><xacro:bob name="${{who}}"/>'
    model = load_model(spec_of(written(tmp_path, body), {"parts": str(parts)}), judged=False)
    assert model.plant.HasBodyNamed("z")


def test_our_own_package_is_found_without_ros(tmp_path):
    path = written(tmp_path, '<xacro:include filename="$(find footfall)/urdf/ball/ball.urdf"/>')
    assert load_model(spec_of(path), judged=False).plant.HasBodyNamed("ball")


# What is wrong, and the words of the line that says so; PLACE stands for the file and its line.
FAULTS = {
    "unknown macro": ('<xacro:bop name="a"/>', ["PLACE", "<xacro:bop>", "did you mean 'bob'?"]),
    "unknown property": ('<link name="${ll}"/>', ["PLACE", "'ll'", "did you mean 'l'?"]),
    "missing argument": ('<link name="$(arg who)"/>', ["PLACE", "'who'", "--arg who=VALUE"]),
    "missing argument in an expression": (
        "<link name=\"${xacro.arg('who')}\"/>",
        ["PLACE", "'who'", "--arg who=VALUE"],
    ),
    "argument without default": ('<xacro:arg name="who"/>', ["PLACE", "'default'"]),
    "missing include": (
        '<xacro:include filename="no.xacro"/>',
        ["PLACE", "no.xacro' is not there"],
    ),
    "missing include in a package": (
        '<xacro:include filename="package://footfall/no.xacro"/>',
        ["PLACE: 'package://footfall/no.xacro' is not there"],
    ),
    "unknown package": (
        '<xacro:include filename="$(find nobody)/no.xacro"/>',
        ["PLACE: $(find nobody)", "packages: {nobody: FOLDER}"],
    ),
    "package that would be downloaded": ('<link name="$(find drake_models)"/>', ["PLACE"]),
    "broken XML": ("<link", [":20: ", "close <robot> of line 2"]),
    "broken expression": ('<link name="${1 +}"/>', ["PLACE: ${1 +}: no expression"]),
    "division by zero": ('<link name="${1 / 0}"/>', ["PLACE: ${1 / 0}: division by zero"]),
    "unknown key": ("<link name=\"${dict()['a']}\"/>", ["PLACE", "there is no 'a'"]),
    "missing YAML": ("<link name=\"${xacro.load_yaml('n.yaml')}\"/>", ["PLACE", "n.yaml"]),
    "unset variable": ('<link name="$(env FOOTFALL_NO)"/>', ["PLACE", "FOOTFALL_NO"]),
    "unknown command": ('<link name="$(look up)"/>', ["PLACE", "look up"]),
    "endless macro": (
        '<xacro:macro name="r"><xacro:r/></xacro:macro><xacro:r/>',
        ["PLACE", "break the ring"],
    ),
    "endless include": ('<xacro:include filename="pendulum.urdf.xacro"/>', ["break the ring"]),
    "properties in a ring": (
        '<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a + a}"/>${a}',
        ["a -> b -> a"],
    ),
    "no truth value": ('<xacro:if value="perhaps"/>', ["PLACE", "perhaps"]),
    "missing parameter": ("<xacro:bob/>", ["PLACE", "[name]"]),
    "unknown parameter": ('<xacro:bob name="a" masss="1"/>', ["PLACE", "masss"]),
    "file's own fault": (
        "<link name=\"${xacro.fatal('too heavy')}\"/>",
        ["PLACE", "too heavy"],
    ),
    "missing mesh": (DRAWN.format("no.obj"), ["PLACE", "no.obj"]),
    "mesh of no package": (DRAWN.format("package://no/a.obj"), ["PLACE", "packages: {no: FOLDER}"]),
    "unphysical body": ('<xacro:bob name="a" mass="-1"/>', [".xacro:9: ", "mass -1 kg"]),
    "tag of nobody": ('<link name="a"><colision/></link>', ["PLACE", "did you mean 'collision'?"]),
    "unknown link": (
        '<joint name="j" type="fixed"><parent link="arm"/><child link="amr"/></joint>',
        ["PLACE", "did you mean 'arm'?"],
    ),
    "what only Drake finds": ('<link name="arm"/>', ["pendulum.urdf.xacro", "'arm'"]),
}


@pytest.mark.parametrize(("body", "said"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_one_line_with_the_place_in_the_users_file(tmp_path, capfd, body, said):
    path = written(tmp_path, body)
    message = refusal(path)
    for words in said:
        assert words.replace("PLACE", f"{path}:{BODY_LINE}") in message
    assert capfd.readouterr() == ("", "")


def test_a_fault_of_an_included_file_names_that_file(tmp_path):
    text = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro">\n<link name="{}"/>\n</robot>'
    path = written(tmp_path, '<xacro:include filename="part.xacro"/>')
    part = written(tmp_path, text=text.format("${who}"), name="part.xacro")
    assert f"{part}:2: ${{who}}" in refusal(path)
    part.write_text("<robot>\n<link></robot>")
    assert f"{part}:2: the XML is broken here" in refusal(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no element found"),
        ("<sdf/>", "URDF alone"),
        ('<robot name="macros"><xacro:macro name="a"/></robot>', "makes no <link>"),
    ],
)
def test_xacro_files_that_make_no_robot_are_refused(tmp_path, text, said):
    path = written(tmp_path, text=text)
    message = refusal(path)
    assert message.startswith(str(path))
    assert said in message


def test_an_argument_that_the_file_does_not_take_is_refused(tmp_path):
    path = written(tmp_path)
    assert f"{path}: there is no argument 'mas'; did you mean 'mass'?" in refusal(path, mas=3)
    path.write_text('<robot name="a"><link name="a"/></robot>')
    assert "there is no argument 'mass'; the file takes none." in refusal(path, mass=3)


def test_an_argument_of_a_part_that_is_left_out_is_known(tmp_path):
    body = '<xacro:if value="0"><xacro:arg name="grip" default="1"/></xacro:if>'
    assert load_model(spec_of(written(tmp_path, body), grip=2)).plant.num_positions() == 1


def test_arguments_need_a_model_that_takes_them(tmp_path):
    spec = spec_of(written(tmp_path), mass=3)
    spec.arguments["n"] = spec.arguments.pop("m")
    with pytest.raises(ScenarioError, match=r"arguments\.n: the directives have no model 'n'"):
        load_model(spec)
    plain = written(tmp_path, text='<robot name="a"><link name="a"/></robot>', name="a.urdf")
    assert "a.urdf is no .xacro file and takes no arguments" in refusal(plain, mass=3)


def test_a_xacro_file_that_other_files_name_is_refused(tmp_path):
    path = written(tmp_path)
    directives = tmp_path / "all.dmd.yaml"
    directives.write_text(f"directives:\n- add_model: {{name: a, file: file://{path}}}\n")
    scene = tmp_path / "scene.sdf"
    scene.write_text(
        '<sdf version="1.9"><model name="s"><link name="l"/>'
        f"<include><uri>file://{path}</uri></include></model></sdf>"
    )
    nested = ModelDirective(add_directives=AddDirectives(file=str(directives)))
    for spec in (ModelSpec([nested]), spec_of(scene)):
        with pytest.raises(ModelError) as refused:
            load_model(spec)
        assert "pendulum.urdf.xacro" in str(refused.value)
        assert "scenario's own directives" in str(refused.value)


def test_constraints_that_only_drake_knows_are_told_by_their_place(tmp_path):
    tendon = (
        '<drake:tendon_constraint xmlns:drake="http://drake.mit.edu">'
        '<drake:tendon_constraint_joint name="swing" a="1"/>'
    )
    values = {"offset": 0, "lower_limit": -1, "upper_limit": 1, "stiffness": 1e5, "damping": 10}
    for tag, value in values.items():
        tendon += f'<drake:tendon_constraint_{tag} value="{value}"/>'
    tendon += "</drake:tendon_constraint>"
    path = written(tmp_path, tendon)
    assert load_model(spec_of(path)).unread.startswith(f"{path}:{BODY_LINE}: <drake:tendon")


def test_what_drake_warns_of_names_the_users_file(tmp_path):
    body = (
        "<transmission><type>own/Belt</type>"
        '<joint name="swing"/><actuator name="belt"/></transmission>'
    )
    path = written(tmp_path, body)
    (warning,) = load_model(spec_of(path)).warnings.raw
    assert f"{path}:{BODY_LINE}" in warning
    assert "temporary" not in warning


def test_what_xacro_warns_of_is_not_printed(tmp_path, capfd):
    body = (
        '<xacro:property name="pi" value="3"/><xacro:include filename="none*.xacro"/>'
        '<link name="a${xacro.warning(\'ware\')}"/><xacro:property name="x" value="1" y="2"/>'
        '<link name="b${xacro.message(1 is 1)}"/>'
    )
    load_model(spec_of(written(tmp_path, body)), judged=False)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["trusting", "data"])
def test_xacro_changes_nothing_of_this_process_and_is_imported_when_it_is_needed(tmp_path, way):
    """Only a file that is trusted is expanded in this process."""
    path = written(tmp_path)
    program = (
        "import sys; from xml.dom import minidom; write = minidom.Element.writexml\n"
        "import contextlib, footfall.cli, footfall.trust as t\n"
        "import footfall.plants.loading.load as p\n"
        "from footfall.plants.loading.uris import known_packages\n"
        "assert 'xacro' not in sys.modules\n"
        f"with t.trusting_all() if {way == 'trusting'} else contextlib.nullcontext():\n"
        f"  with p.read_file({str(path)!r}, {{}}, known_packages({{}})): pass\n"
        f"assert ('xacro' in sys.modules) is {way == 'trusting'}\n"
        "assert minidom.Element.writexml is write\n"
        "import xacro; assert xacro.parse.__module__ == 'xacro'"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)  # noqa: PLW1510 (asserted)
    assert (done.returncode, done.stderr) == (0, "")


def test_prepared_files_are_there_for_the_length_of_a_block(tmp_path):
    path = written(tmp_path)
    with read_file(str(path), {"mass": 3}, known_packages({})) as files:
        (directive,) = files.directives
        compiled = directive.add_model.file.removeprefix("file://")
        assert '<mass value="3"/>' in Path(compiled).read_text()
        assert files.with_sources(f"see {compiled}:4") == f"see {path}:9"
        assert files.with_sources(f"see {compiled}") == f"see {path}"


@pytest.mark.parametrize(
    ("file", "stem"),
    [("a/b.urdf.xacro", "b"), ("b.xacro", "b"), ("package://p/b.urdf", "b"), ("c.d.sdf", "c.d")],
)
def test_a_file_has_the_name_before_its_endings(file, stem):
    assert stem_of(file) == stem
