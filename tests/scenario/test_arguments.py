"""Arguments of xacro files in scenarios: said, set, saved, and refused."""

import pytest
from tests.engines.tiny import BALL

from footfall.errors import ModelError, ScenarioError
from footfall.scenario.assemble import build_robot
from footfall.scenario.drop import drop_scenario
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario

XACRO = """<robot name="stone" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="mass" default="2"/>
  <xacro:arg name="heavy" default="false"/>
  <xacro:arg name="link" default="core"/>
  <link name="$(arg link)">
    <inertial>
      <mass value="${$(arg mass) * (10 if '$(arg heavy)' == 'true' else 1)}"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
</robot>
"""
SCENARIO = """
directives:
- add_model: {name: stone, file: stone.urdf.xacro}
"""


@pytest.fixture
def scenario(tmp_path):
    """Path of a scenario whose model is a xacro file beside it."""
    (tmp_path / "stone.urdf.xacro").write_text(XACRO)
    (tmp_path / "fall.yaml").write_text(SCENARIO)
    return tmp_path / "fall.yaml"


def mass_of(scenario):
    plant = build_robot(scenario).plant
    return plant.CalcTotalMass(plant.CreateDefaultContext())


@pytest.mark.parametrize(
    ("settings", "mass"),
    [
        ([], 2.0),
        (["arguments.stone.mass=5"], 5.0),
        (["arguments.stone.mass=5e-1"], 0.5),
        (["arguments.stone.heavy=true"], 20.0),
        (["arguments.stone={mass: 3, heavy: true}"], 30.0),
        (["arguments={stone: {mass: '7', link: shell}}"], 7.0),
        (["arguments.stone.mass=5", "arguments.stone.mass=6"], 6.0),
        (["seed=1"], 2.0),
    ],
)
def test_arguments_are_set_and_survive_being_written_out(scenario, settings, mass):
    loaded = load_scenario(str(scenario), settings)
    assert mass_of(loaded) == mass
    again = parse_scenario(dump_scenario(loaded))
    assert dump_scenario(again) == dump_scenario(loaded)
    assert repr(again.arguments) == repr(loaded.arguments)  # true is not 1, nor '7' a number
    assert mass_of(again) == mass


def test_groups_that_nobody_filled_are_not_kept(scenario):
    assert load_scenario(str(scenario), ["seed=1"]).arguments == {}


def test_what_the_file_says_is_changed_by_a_setting(scenario):
    scenario.write_text(SCENARIO + "arguments: {stone: {mass: 4, heavy: true}}\n")
    assert mass_of(load_scenario(str(scenario))) == 40.0
    assert mass_of(load_scenario(str(scenario), ["arguments.stone.heavy=false"])) == 4.0


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("arguments.stne.mass=1", "did you mean 'stone'?"),
        ("arguments.stone.mass=[1]", "give a number or true or false or a text"),
        ("arguments.stone.mass=null", "give"),
        ("arguments.stone.mass=.nan", "arguments.stone.mass is NaN"),
        ("arguments.stone=3", "group"),
        ("arguments=null", "give a group"),
        ("arguments={stne: {mass: 1}}", "did you mean 'stone'?"),
        ("arguments.stone.mas=1", "did you mean 'mass'?"),
        ("arguments.stone.mass=much", "no property 'much'"),
    ],
)
def test_what_is_no_argument_is_refused_in_one_line(scenario, setting, said):
    with pytest.raises((ScenarioError, ModelError)) as refused:
        build_robot(load_scenario(str(scenario), [setting]))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_model_that_is_no_xacro_file_takes_no_arguments(scenario, tmp_path):
    (tmp_path / "ball.urdf").write_text(BALL)
    scenario.write_text(SCENARIO.replace("stone.urdf.xacro", "ball.urdf"))
    with pytest.raises(ScenarioError, match=r"ball\.urdf is no \.xacro file"):
        build_robot(load_scenario(str(scenario), ["arguments.stone.mass=1"]))


def test_a_robot_in_xacro_falls_with_its_arguments(scenario):
    file = str(scenario.parent / "stone.urdf.xacro")
    dropped = drop_scenario(file, height=0.5, arguments={"mass": 3, "link": "shell"}).scenario
    assert dropped.name == "drop/stone"
    assert dropped.arguments == {"stone": {"mass": 3, "link": "shell"}}
    assert mass_of(dropped) == 3.0
    assert dropped.initial.drop_along == "stone::shell"
    assert drop_scenario(file).scenario.arguments == {}
