"""Dry friction of joints: what files say of it, and what a scenario changes."""

import pytest
from tests.plants.files import INERTIAL, loaded_text

from footfall.errors import ModelError, ScenarioError
from footfall.plants.contacts.collect import dry_joints

_JOINT = (
    "<link name='{0}_link'>" + INERTIAL + "</link><joint name='{0}' type='revolute'>"
    "<parent link='base'/><child link='{0}_link'/><axis xyz='0 1 0'/>"
    "<limit lower='-1' upper='1' effort='0'/>{1}</joint>"
)
ROBOT = (
    f"<robot name='robot'><link name='base'>{INERTIAL}</link>"
    + _JOINT.format("left_knee", "<dynamics damping='0.1' friction='0.4'/>")
    + _JOINT.format("right_knee", "<dynamics friction='0.6'/>")
    + _JOINT.format("neck", "")
    + "</robot>"
)
NESTED = """<sdf version="1.9"><model name="outer">
  <link name="base"><inertial><mass>1</mass></inertial></link>
  <model name="arm">
    <link name="upper"><inertial><mass>1</mass></inertial></link>
    <link name="lower"><inertial><mass>1</mass></inertial></link>
    <joint name="elbow" type="revolute"><parent>upper</parent><child>lower</child>
      <axis><xyz>0 1 0</xyz><dynamics><friction>0.7</friction></dynamics></axis></joint>
  </model>
  <joint name="shoulder" type="revolute"><parent>base</parent><child>arm::upper</child>
    <axis><xyz>0 1 0</xyz><dynamics><friction>0.9</friction></dynamics></axis></joint>
</model></sdf>"""


def _efforts(model, **wanted):
    found = dry_joints(model.plant, model.joint_friction, wanted)
    return {dry.name.removesuffix(":friction"): dry.effort for dry in found}


def test_joints_have_the_friction_of_their_file(tmp_path, caplog):
    model = loaded_text(tmp_path, ROBOT, "r")
    assert model.joint_friction == {"r::left_knee": 0.4, "r::right_knee": 0.6}
    assert _efforts(model) == {"left_knee": 0.4, "right_knee": 0.6}
    assert "does not currently support" not in caplog.text  # Drake's remark does not concern us


def test_joints_of_nested_sdf_models_have_the_friction_of_their_file(tmp_path):
    model = loaded_text(tmp_path, NESTED, "r")
    assert model.joint_friction == {"r::arm::shoulder": 0.9, "r::arm::elbow": 0.7}
    assert _efforts(model) == {"shoulder": 0.9, "elbow": 0.7}


def test_a_scenario_changes_joint_friction_by_name_and_pattern(tmp_path):
    model = loaded_text(tmp_path, ROBOT, "r")
    assert _efforts(model, **{"*": 1.0}) == {"left_knee": 1.0, "right_knee": 1.0, "neck": 1.0}
    assert _efforts(model, **{"*_knee": 0.0}) == {}
    # a name beats a pattern and a longer pattern a shorter one, in whatever order they stand
    wanted = {"left_knee": 3.0, "*_knee": 2.0, "*": 1.0}
    for order in (wanted, dict(reversed(wanted.items()))):
        assert _efforts(model, **order) == {"left_knee": 3.0, "right_knee": 2.0, "neck": 1.0}


def test_joint_friction_of_two_robots_of_one_file(tmp_path):
    model = loaded_text(tmp_path, ROBOT, "a", "b")
    found = _efforts(model, **{"a::neck": 5.0})
    assert found == {
        "a::left_knee": 0.4, "a::right_knee": 0.6, "a::neck": 5.0,
        "b::left_knee": 0.4, "b::right_knee": 0.6,
    }  # fmt: skip
    with pytest.raises(ScenarioError, match="several models have a joint 'neck'"):
        _efforts(model, neck=1.0)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"left_kne": 1.0}, "did you mean 'left_knee'"),
        ({"*_hip": 1.0}, r"no joint '\*_hip'"),
        ({"neck": -1.0}, "not negative"),
        ({"*": float("inf")}, "finite"),
    ],
)
def test_bad_joint_friction_is_refused(tmp_path, wanted, words):
    with pytest.raises(ScenarioError, match=words):
        _efforts(loaded_text(tmp_path, ROBOT, "r"), **wanted)


@pytest.mark.parametrize("friction", ["-0.4", "inf", "much"])
def test_friction_of_a_file_is_judged_with_the_file(tmp_path, friction):
    with pytest.raises(ModelError, match=r"robot\.urdf:1: dry friction of joint 'left_knee'"):
        loaded_text(tmp_path, ROBOT.replace("0.4", friction), "r")
