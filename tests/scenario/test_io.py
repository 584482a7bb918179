"""Scenarios as YAML: reading, overriding, writing back, and every way to get them wrong."""

import math
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
import yaml

from footfall.errors import FootfallError, ScenarioError
from footfall.machines.biped.control import BipedGait
from footfall.plants.contacts import PairRule
from footfall.run import run_scenario
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario
from footfall.scenario.names import DATA
from footfall.scenario.schema import Scenario
from footfall_controllers.posture import Posture, Wave

BIPED = "directives: [{add_model: {name: biped, file: package://footfall/urdf/biped/biped.urdf}}]\n"


def _refused(call, *args):
    with pytest.raises(ScenarioError) as refused:
        call(*args)
    message = str(refused.value)
    assert "\n" not in message
    assert "Traceback" not in message
    return message


def test_fields_left_out_have_their_defaults():
    scenario = parse_scenario("duration: 2.0")
    assert dump_scenario(scenario) == dump_scenario(Scenario(duration=2.0))
    assert scenario.controller is None


class _Plain(yaml.SafeLoader):
    """Reads a tag such as !Posture as what stands behind it."""


_Plain.add_multi_constructor("!", lambda loader, _, node: loader.construct_mapping(node, deep=True))


def test_one_of_everything_says_every_field():
    # docs/guides/scenarios.md sends readers there; Drake documents its own configs
    text = (DATA / "smoke.yaml").read_text(encoding="utf-8")
    said = yaml.load(text, _Plain)["OneOfEverything"]  # noqa: S506 (a safe loader of its own)
    scenario = load_scenario("smoke/OneOfEverything")
    assert set(said) == {field.name for field in fields(Scenario)} - {"name"}
    for name, value in said.items():
        group = getattr(scenario, name)
        keys = value
        if name in ("pairs", "pushes"):
            group, keys = group[0], value[0]
        if isinstance(group, dict) and any(is_dataclass(part) for part in group.values()):
            group, keys = next(iter(group.values())), next(iter(value.values()))
        if is_dataclass(group) and type(group).__module__.startswith("footfall."):
            assert set(keys) == {field.name for field in fields(group)}, name


@pytest.mark.parametrize("text", ["1e-4", "1.0e-4", "1E-4", "0.0001", ".0001"])
def test_numbers_may_be_written_as_people_write_them(text):
    # YAML 1.1 takes 1e-4 for a text
    assert parse_scenario(f"time_step: {text}").time_step == 1e-4
    assert parse_scenario("drake: {stiffness: 1e5}").drake.stiffness == 1e5


def test_tags_choose_the_controller():
    scenario = parse_scenario("controller: !BipedGait {kp: 5.0}")
    assert isinstance(scenario.controller, BipedGait)
    assert scenario.controller.kp == 5.0
    assert isinstance(parse_scenario("controller: !Posture {kp: 5.0}").controller, Posture)
    # the first of the union needs no tag, and is written without one
    assert isinstance(parse_scenario("controller: {kp: 5.0}").controller, Posture)


@pytest.mark.parametrize("controller", ["null", "!Posture {}", "!BipedGait {knots: 30}"])
def test_what_is_written_is_read_back(controller):
    text = (
        BIPED
        + f"""
duration: 0.25
friction: 0.3
pairs: [{{contact: 'biped::foot_*', friction: 0.1}}, {{contact: '*', restitution: 0.2}}]
controller: {controller}
initial: {{positions: {{z: 2.5}}, velocities: {{x: -1.0}}}}
moreau: {{solver: newton}}
drake: {{stiffness: 1.0e5}}
"""
    )
    scenario = parse_scenario(text)
    written = dump_scenario(scenario)
    again = parse_scenario(written)
    assert dump_scenario(again) == written
    for name in ("duration", "friction", "pairs", "controller", "initial", "moreau", "seed"):
        assert getattr(again, name) == getattr(scenario, name)
    assert again.pairs[0] == PairRule("biped::foot_*", friction=0.1)
    assert again.drake.stiffness == 1e5


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("duration: 3.0\n")
    assert load_scenario(str(path)).duration == 3.0
    path.write_text("first: {duration: 3.0}\nsecond: {duration: 4.0}\n")
    assert load_scenario(f"{path}:second").duration == 4.0
    assert "did you mean 'second'" in _refused(load_scenario, f"{path}:secnd")
    _refused(load_scenario, str(path))


def test_overrides():
    scenario = load_scenario(
        "biped/climb",
        [
            "duration=2",
            "terrain.slope_deg=-3",
            "friction=null",
            "controller.kp=5e3",
            "seed=7",
            "pairs=[{contact: 'biped::hip', friction: 0.2}]",
            "pairs.0.friction=0.4",
            "controller.stage1.feedforward.theta1.amplitude=0.3",
            "initial.positions={x: 0.5}",
            "initial.velocities.x=1",
            "moreau.solver=newton",
            "drake.plant.time_step=0",
        ],
    )
    assert (scenario.duration, scenario.terrain.slope_deg, scenario.friction) == (2.0, -3.0, None)
    assert (scenario.controller.kp, scenario.seed) == (5000.0, 7)
    assert scenario.pairs[0].friction == 0.4
    assert scenario.controller.stage1.feedforward["theta1"].amplitude == 0.3
    assert scenario.initial.positions == {"x": 0.5}
    assert scenario.initial.velocities == {"x": 1.0}


@pytest.mark.parametrize(
    ("name", "group"),
    [("biped/stand", "controller"), ("biped/climb", "controller.stage1")],
)
def test_groups_by_joint_name_take_joints_that_the_scenario_leaves_out(name, group):
    scenario = load_scenario(
        name,
        [
            f"{group}.positions={{}}",
            f"{group}.positions.theta1=0.2",
            f"{group}.feedforward={{}}",
            f"{group}.feedforward.theta1={{amplitude: 0.1}}",
        ],
    )
    posture = getattr(scenario.controller, "stage1", scenario.controller)
    assert posture.positions == {"theta1": 0.2}
    assert posture.feedforward == {"theta1": Wave(amplitude=0.1)}


def test_a_joint_that_is_left_out_has_no_parts_to_set():
    message = _refused(load_scenario, "biped/stand", ["controller.feedforward.theta1.phase=0.5"])
    assert "controller.feedforward has no 'theta1'" in message


def test_a_controller_may_be_replaced_by_another():
    scenario = load_scenario("biped/climb", ["controller=!Posture {kp: 10.0}"])
    assert isinstance(scenario.controller, Posture)
    assert (
        load_scenario("biped/climb", ["controller=null", "initial.from_reference=false"]).controller
        is None
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("duraton: 1.0", ["duraton", "did you mean 'duration'?"]),
        ("terrain: {slope: 3.0}", ["terrain.slope", "slope_deg"]),
        ("moreau: {tolerence: 1e-9}", ["moreau.tolerence", "did you mean 'tolerance'?"]),
        ("drake: {plant: {time_stp: 0.0}}", ["drake.plant.time_stp", "did you mean 'time_step'?"]),
        ("controller: !BipedGit {}", ["controller", "!BipedGit", "did you mean 'BipedGait'?"]),
        ("controller: !Posture {knots: 3}", ["controller.knots"]),
        ("controller: 3", ["controller", "group"]),
        ("pairs: {contact: a}", ["pairs", "list"]),
        ("pairs: [{contact: 3}]", ["pairs.0.contact", "3"]),
        ("duration: long", ["duration", "'long'", "number"]),
        ("duration: true", ["duration", "number"]),
        ("duration: null", ["duration", "null", "number"]),
        ("duration: [1.0]", ["duration", "number"]),
        ("seed: 1.5", ["seed", "whole number"]),
        ("friction: rough", ["friction", "number"]),
        ("initial: {from_reference: 1}", ["initial.from_reference", "true or false"]),
        ("initial: {positions: {x: left}}", ["initial.positions.x", "number"]),
        ("expected_actuators: theta1", ["expected_actuators", "list"]),
        ("machine: 3", ["machine", "text"]),
        ("duration: .nan", ["duration", "nan"]),
        ("duration: -1.0", ["duration", "-1.0", "positive"]),
        ("duration: .inf", ["duration", "inf"]),
        ("time_step: 0.0", ["time_step", "positive"]),
        ("time_step: -1.0e-3", ["time_step", "-0.001", "positive"]),
        ("time_step: 2.0", ["time_step", "longer than duration"]),
        ("friction: -0.1", ["friction", "-0.1"]),
        ("friction: .nan", ["friction", "nan"]),
        ("restitution: 1.2", ["restitution", "from 0 to 1"]),
        ("restitution: .nan", ["restitution", "nan"]),
        ("engine: gazebo", ["engine", "'gazebo'", "moreau"]),
        ("terrain: {slope_deg: 95.0}", ["terrain.slope_deg", "95"]),
        ("terrain: {slope_deg: .nan}", ["slope_deg", "nan"]),
        ("terrain: {friction: -1.0}", ["terrain.friction", "-1"]),
        ("pairs: [{friction: -1.0}]", ["pairs", "-1"]),
        ("pairs: [{restitution: 2.0}]", ["pairs", "2.0"]),
        ("moreau: {solver: magic}", ["moreau.solver", "'magic'", "fallback-chain"]),
        ("moreau: {tolerance: 0.0}", ["moreau.tolerance", "positive"]),
        ("drake: {material: rubber}", ["drake.material", "'rubber'"]),
        ("drake: {stiffness: -5.0}", ["drake.stiffness", "positive"]),
        (
            "drake: {plant: {discrete_contact_approximation: soft}}",
            ["discrete_contact_approximation", "'soft'", "sap"],
        ),
        ("drake: {plant: {time_step: -1.0}}", ["drake.plant.time_step", "-1.0"]),
        ("controller: !Posture {kp: -1.0}", ["controller.kp", "-1.0"]),
        ("controller: !Posture {period: .nan}", ["controller.period", "nan"]),
        (
            "controller: !Posture {positions: {theta1: .nan}}",
            ["controller.positions.theta1", "NaN"],
        ),
        ("controller: !BipedGait {knots: 2}", ["controller.knots", "2"]),
        ("controller: !BipedGait {first_sample: 9000}", ["samples 9000 to 8075"]),
        ("initial: {gap: .nan}", ["initial.gap", "nan"]),
        ("initial: {positions: {x: .inf}}", ["initial.positions.x", "inf"]),
        ("simulator: {target_realtime_rate: .nan}", ["simulator.target_realtime_rate", "NaN"]),
        ("[1, 2]", ["group of keys"]),
        ("just words", ["group of keys"]),
        ("", ["group of keys"]),
        ("duration: [1.0", ["line", "not YAML"]),
        ("duration: 1.0\n duration: 2.0", ["line", "not YAML"]),
        ("directives: [{add_robot: {name: a}}]", ["directives.0.add_robot", "add_"]),
        ("directives: [{add_model: {name: a, file: 3}}]", ["directives.0.add_model.file", "3"]),
    ],
)
def test_wrong_scenarios_are_refused_with_what_where_and_how(text, parts):
    message = _refused(parse_scenario, text, "mine.yaml")
    assert message.startswith("mine.yaml")
    for part in parts:
        assert part in message


def test_a_key_that_occurs_twice_is_refused():
    # YAML would take the last one silently
    message = _refused(parse_scenario, "seed: 1\nduration: 1.0\nduration: 2.0", "mine.yaml")
    assert "line 3" in message
    assert "'duration' occurs twice" in message


def test_anchors_and_merges_are_no_repetition(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text("a: &a {duration: 3.0, seed: 1}\nb: {<<: *a, seed: 2}\n")
    scenario = load_scenario(f"{path}:b")
    assert (scenario.duration, scenario.seed) == (3.0, 2)


def test_settings_that_only_drake_knows_are_refused_when_it_is_asked():
    gooey = "drake.plant.contact_surface_representation=gooey"
    scenario = load_scenario("biped/stand", [gooey, "duration=0.01"])
    message = _refused(run_scenario, scenario, "biped/stand", "drake")
    assert "plant configuration" in message
    assert "gooey" in message


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("biped/clim", ["biped/clim", "did you mean 'biped/climb'?"]),
        ("bipde/climb", ["did you mean 'biped/climb'?"]),
        ("climb", ["did you mean 'biped/climb'?"]),
        ("", ["there is no scenario ''"]),
        ("no/such.yaml", ["no/such.yaml", "No such file"]),
        ("/etc", ["there is no scenario '/etc'"]),
    ],
)
def test_unknown_names_are_refused(name, parts):
    message = _refused(load_scenario, name)
    for part in parts:
        assert part in message


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "picture.yaml"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    assert "picture.yaml" in _refused(load_scenario, str(path))


@pytest.mark.parametrize(
    ("setting", "parts"),
    [
        ("duration=-2", ["--set", "duration", "positive"]),
        ("duration=nan", ["duration", "number"]),
        ("duration=.nan", ["duration", "nan"]),
        ("durration=2", ["durration", "did you mean 'duration'?"]),
        ("controller.knot=2", ["knot", "did you mean 'knots'?"]),
        ("friction", ["key=value"]),
        ("pairs.0.friction=1", ["pairs", "is empty"]),
        ("terrain=3", ["terrain", "group"]),
        ("controller.kp=stiff", ["controller.kp", "number"]),
        ("engine=bullet", ["engine", "'bullet'"]),
    ],
)
def test_wrong_overrides_are_refused(setting, parts):
    message = _refused(load_scenario, "biped/climb", [setting])
    for part in parts:
        assert part in message


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0, 0.0])
def test_scenarios_made_in_code_are_checked_as_well(value):
    with pytest.raises(FootfallError):
        Scenario(duration=value)
    with pytest.raises(FootfallError):
        Scenario(time_step=value)


def test_a_loaded_scenario_shares_nothing_with_the_next():
    first = load_scenario("biped/climb")
    first.controller.stage1.positions["theta1"] = 9.0
    first.initial.positions["x"] = 9.0
    second = load_scenario("biped/climb")
    assert second.controller.stage1.positions["theta1"] == -0.267
    assert second.initial.positions == {}
    assert np.isfinite(second.duration)
