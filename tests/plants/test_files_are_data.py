"""Files that are made to hurt: each is refused in one line, at once, without the network."""

import json
import time

import pytest
import yaml
from pydrake.multibody.parsing import PackageMap
from tests.plants.files import INERTIAL, loaded, loaded_text, spec_of

from footfall.errors import FootfallError, ModelError, ScenarioError
from footfall.overrides import read_yaml
from footfall.plants.loading.load import load_model
from footfall.resources import package_map
from footfall.scenario.io import load_scenario

ROBOT = f'<robot name="r">\n<link name="a">{INERTIAL}{{}}</link>\n</robot>'
DRAWN = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
COLOUR = (
    '<visual><geometry><sphere radius="1"/></geometry><material name="m"><color rgba="{}"/>'
    "</material></visual>"
)


def entities(text):
    """A model with entities of ten entities of ten ..., of which it holds the largest."""
    made = "".join(f'<!ENTITY e{k + 1} "{f"&e{k};" * 10}">\n' for k in range(12))
    return f'<!DOCTYPE r [<!ENTITY e0 "x">\n{made}]>\n{text}'


MODELS = {
    "entities in text": (entities(ROBOT.format("&e12;")), ":1: ", "declares an entity 'e0'"),
    "entities in a name": (
        entities(ROBOT.replace('"r"', '"&e12;"').format("")),
        ":1: ",
        "declares an entity",
    ),
    "a file as an entity": (
        '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/hostname">]>\n' + ROBOT.format("&e;"),
        ":1: ",
        "declares an entity",
    ),
    "a name with colons": (ROBOT.replace('"a"', '"a::b"').format(""), ":2: ", "such as 'a_b'"),
    "a colour of blanks": (ROBOT.format(COLOUR.format(" ")), "", "4 values"),
    "a colour of words": (ROBOT.format(COLOUR.format("red")), "", "4 values"),
    "an infinite size": (
        ROBOT.format('<collision><geometry><sphere radius="inf"/></geometry></collision>'),
        ":2: ",
        "radius is inf; write finite numbers",
    ),
    "a long name": (ROBOT.format(DRAWN.format("a" * 5000)), ":2: ", "is not there"),
    "an empty mesh": (ROBOT.format(DRAWN.format("empty.gltf")), ":2: ", "is empty"),
    "a mesh that is none": (ROBOT.format(DRAWN.format("bad.gltf")), ":2: ", "is no glTF"),
    "a mesh to download": (
        ROBOT.format(DRAWN.format("package://drake_models/ycb/a.gltf")),
        ":2: ",
        "packages: {drake_models: FOLDER}",
    ),
}


@pytest.mark.parametrize("case", MODELS)
def test_a_model_is_refused_in_one_line(case, tmp_path, capfd):
    text, place, said = MODELS[case]
    path = tmp_path / "r.urdf"
    path.write_text(text)
    (tmp_path / "empty.gltf").touch()
    (tmp_path / "bad.gltf").write_text("[1, 2]")
    started = time.process_time()
    with pytest.raises(FootfallError) as refused:
        loaded(path)
    assert time.process_time() - started < 5
    message = str(refused.value)
    assert f"{path}{place}" in message
    assert said in message
    assert "\n" not in message
    assert len(message) < 600
    assert capfd.readouterr() == ("", "")


def test_the_package_that_drake_downloads_may_be_there(tmp_path):
    (tmp_path / "empty.gltf").write_text(json.dumps({"asset": {"version": "2.0"}}))
    path = tmp_path / "r.urdf"
    path.write_text(ROBOT.format(DRAWN.format("package://drake_models/empty.gltf")))
    load_model(spec_of(path, packages={"drake_models": str(tmp_path)}))
    assert PackageMap().Contains("drake_models")  # as Drake has it; ours has not
    assert not package_map().Contains("drake_models")


ALIASES = "a0: &a0 [1]\n" + "".join(f"a{k + 1}: &a{k + 1} [*a{k}, *a{k}]\n" for k in range(40))
MERGES = "a0: &a0 {x: 1}\n" + "".join(
    f"a{k + 1}: &a{k + 1} {{<<: [*a{k}, *a{k}]}}\n" for k in range(40)
)
YAML = {
    "[" * 100_000: "nested deeper",
    "\n".join(" " * k + "a:" for k in range(2000)): "nested deeper",
    "- " * 5000 + "1": "nested deeper",
    "a: 2020-13-45": "'2020-13-45' is no timestamp",
    "a: !!int abc": "'abc' is no int",
    "a: !!bool maybe": "'maybe' is no bool",
    "a: !!float {b: 1}": "expected a scalar",
    "a: " + "9" * 5000: "is no int",
    "a: &a [*a]": "an alias stands within",
    ALIASES: "aliases stand for",
    MERGES: "aliases stand for",
    "? [1]\n: 2": "unhashable",
    "a: \x00": "not allowed",
}


@pytest.mark.parametrize("text", YAML, ids=range(len(YAML)))
def test_yaml_is_refused_in_one_line(text, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=YAML[text]) as refused:
        load_scenario(str(path))
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(f"{path}: ")
    with pytest.raises(yaml.YAMLError):
        read_yaml(text)


def test_yaml_of_many_aliases_and_brackets_is_read():
    text = "a: &a [1, 2]\n" + "".join(f"b{k}: [*a, {{c: [{k}]}}]\n" for k in range(100))
    assert read_yaml(text)["b99"] == [[1, 2], {"c": [99]}]


def test_a_run_that_would_begin_late_is_refused():
    with pytest.raises(ScenarioError, match=r"simulator\.start_time is 1\.0: runs begin at 0"):
        load_scenario("smoke/Defaults", ["simulator.start_time=1"])


def test_drakes_own_words_on_arguments_stay_inside(tmp_path):
    path = tmp_path / "mine.yaml"
    pose = "{ball: {translation: [0.0, 0.0]}}"
    file = "package://footfall/urdf/ball/ball.urdf"
    path.write_text(
        f"directives:\n- add_model: {{name: b, file: {file}, default_free_body_pose: {pose}}}"
    )
    with pytest.raises(ScenarioError, match="a value of Transform has the wrong type") as refused:
        load_scenario(str(path))
    assert "pydrake" not in str(refused.value)


def test_a_name_with_colons_of_a_mjcf_file_is_refused(tmp_path):
    body = '<body name="a::b"><freejoint/><geom size="0.1"/></body>'
    with pytest.raises(ModelError, match=r"link 'a::b' of model 'm': .* such as 'a_b'"):
        loaded_text(tmp_path, f'<mujoco model="r"><worldbody>{body}</worldbody></mujoco>')
