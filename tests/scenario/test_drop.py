"""The scenario that a model file alone makes: where the robot starts, and what is said about it."""

import numpy as np
import pytest
from tests.engines.tiny import BALL, BRICK, POINT, STOPPED
from tests.plants.test_repair import broken

from footfall.errors import ModelError, ScenarioError
from footfall.plants.dynamics import Dynamics
from footfall.plants.repair import repair_urdf
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.drop import drop_scenario
from footfall.scenario.io import dump_scenario, parse_scenario

_BODY = (
    "<inertial><mass value='1'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/>"
    "</inertial><collision><geometry><box size='0.2 0.1 0.1'/></geometry></collision>"
)

# a trunk, a hip without shape and a thigh that can only be bent; the thigh lies in the trunk
ROBOT = f"""<robot name="robot">
  <link name="trunk">{_BODY}</link>
  <joint name="hip" type="revolute"><parent link="trunk"/><child link="yoke"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="0"/><dynamics friction="0.2"/></joint>
  <link name="yoke"><inertial><mass value="0.1"/>
    <inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial></link>
  <joint name="knee" type="revolute"><origin xyz="{{reach}} 0 0"/><parent link="yoke"/>
    <child link="thigh"/><axis xyz="0 1 0"/><limit lower="0.5" upper="2" effort="0"/></joint>
  <link name="thigh">{_BODY}</link>
</robot>"""
NEAR, FAR = ROBOT.format(reach=0.1), ROBOT.format(reach=0.5)


def _written(tmp_path, text, name="robot.urdf"):
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def _gaps(scenario):
    machine = build_robot(scenario)
    dynamics = Dynamics(machine.model, machine.contacts)
    dynamics.set_state(machine.initial_state)
    return dynamics.gaps()[0]


@pytest.mark.parametrize("slope_deg", [0.0, 20.0, -35.0])
@pytest.mark.parametrize("turned", [{}, {"brick_qw": 0.7, "brick_qx": 0.5, "brick_qy": -0.3}])
def test_the_lowest_point_starts_at_the_height(tmp_path, slope_deg, turned):
    settings = [f"terrain.slope_deg={slope_deg}"]
    settings += [f"initial.positions.{name}={value}" for name, value in turned.items()]
    dropped = drop_scenario(_written(tmp_path, BRICK), height=0.3, settings=settings)
    # a few roundings of lengths of a metre
    assert _gaps(dropped.scenario).min() == pytest.approx(0.3, abs=1e-12)


def test_a_height_of_zero_puts_the_robot_on_the_ground(tmp_path):
    gap = _gaps(drop_scenario(_written(tmp_path, BALL), height=0.0).scenario)
    assert -2e-12 < gap[0] <= 0.0


def test_a_body_placed_in_the_frame_of_the_ground_is_lifted_along_its_normal(tmp_path):
    scenario = drop_scenario(_written(tmp_path, BALL), settings=["terrain.slope_deg=30"]).scenario
    directive = scenario.directives[0]
    model = directive.add_model
    text = "default_free_body_pose: {}"
    placed = "default_free_body_pose: {ball: {base_frame: terrain, translation: [1.0, 0.0, 0.0]}}"
    assert model is not None
    scenario = parse_scenario(dump_scenario(scenario).replace(text, placed))
    assert _gaps(scenario)[0] == pytest.approx(0.2, abs=1e-12)


def test_joints_start_on_the_limit_nearest_to_their_default(tmp_path):
    dropped = drop_scenario(_written(tmp_path, FAR))
    machine = build_robot(dropped.scenario)
    assert machine.plant.GetJointByName("knee").default_positions() == [0.5]
    assert dropped.notes[0] == (
        "knee at 0.5: on the nearest limit, because the default lies outside."
    )


def test_a_posture_that_is_given_is_kept(tmp_path):
    dropped = drop_scenario(_written(tmp_path, FAR), settings=["initial.positions.knee=1.25"])
    machine = build_robot(dropped.scenario)
    place = machine.plant.GetJointByName("knee").position_start()
    assert machine.initial_state[place] == 1.25
    assert not any("knee at" in note for note in dropped.notes)


def test_links_that_overlap_at_the_start_do_not_collide(tmp_path):
    dropped = drop_scenario(_written(tmp_path, NEAR))
    assert any("thigh and trunk" in note for note in dropped.notes)
    assert build_robot(dropped.scenario).contacts.pairs == ()
    apart = drop_scenario(_written(tmp_path, FAR))
    assert not any("pass through" in note for note in apart.notes)
    assert len(build_robot(apart.scenario).contacts.pairs) == 1


def test_what_the_file_says_of_joint_friction_is_told_and_acts(tmp_path):
    dropped = drop_scenario(_written(tmp_path, FAR))
    assert dropped.friction[-1].startswith("1 joints rub with 0.2 N m")
    frictions = build_robot(dropped.scenario).contacts.frictions
    assert [(dry.name, dry.effort) for dry in frictions] == [("hip:friction", 0.2)]


def test_joints_that_nothing_brakes_are_told_with_the_remedy(tmp_path):
    dropped = drop_scenario(_written(tmp_path, FAR), settings=["joint_friction.hip=0"])
    assert "2 joints have neither friction nor damping" in dropped.friction[-1]
    assert "joint_friction.*=0.5" in dropped.friction[-1]
    remedied = drop_scenario(_written(tmp_path, FAR), settings=["joint_friction.*=0.5"])
    assert remedied.friction[-1].startswith("2 joints rub with 0.5 N m")


def test_a_saved_drop_is_the_same_drop(tmp_path):
    scenario = drop_scenario(_written(tmp_path, NEAR)).scenario
    again = parse_scenario(dump_scenario(scenario))
    assert dump_scenario(again) == dump_scenario(scenario)
    assert np.array_equal(build_robot(again).initial_state, build_robot(scenario).initial_state)


WELDED = ROBOT.format(reach=0.5).replace(
    '<link name="trunk">',
    '<joint name="base" type="fixed"><parent link="world"/><child link="trunk"/></joint>'
    '<link name="trunk">',
)
ON_RAILS = (
    STOPPED.format(effort=0, damping=0)
    .replace('<link name="base"/>', "")
    .replace('"base"', '"world"')
)
TWO_BODIES = f'<robot name="two"><link name="a">{_BODY}</link><link name="b">{_BODY}</link></robot>'
SHAPELESS = (
    '<robot name="ghost"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" '
    'izz="1"/></inertial></link></robot>'
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (WELDED, ["attached to the world by its joint 'base'", "add_weld"]),
        (ON_RAILS, ["attached to the world by its joint 'swing'"]),
        (TWO_BODIES, ["2 free bodies", "robot::a, robot::b"]),
        (POINT, ["'robot::slope' has no mass"]),
        (SHAPELESS, ["no collision shape", "<collision>"]),
    ],
    ids=["welded", "on rails", "two bodies", "massless root", "no shape"],
)
def test_what_cannot_fall_is_refused_in_one_line(tmp_path, text, words):
    with pytest.raises((ModelError, ScenarioError)) as refusal:
        drop_scenario(_written(tmp_path, text))
    assert "\n" not in str(refusal.value)
    for word in words:
        assert word in str(refusal.value)


def test_a_machine_with_scenarios_of_its_own_is_sent_there():
    with pytest.raises(ModelError, match=r"run one of its own scenarios, biped/"):
        drop_scenario("biped")


def test_a_drop_needs_a_height():
    with pytest.raises(ScenarioError, match="--height is nan"):
        drop_scenario("ball", height=float("nan"))


@pytest.mark.parametrize("engine", ["moreau", pytest.param("drake-sap", marks=pytest.mark.slow)])
def test_a_repaired_robot_falls_on_uneven_ground_and_lies(tmp_path, engine):
    file = repair_urdf(broken(tmp_path), tmp_path / "copy").file
    ground = "terrain=!RoughGround {size: [0.6, 0.6], cell: 0.1, height: 0.03, flat_radius: 0.0}"
    scenario = drop_scenario(str(file), height=0.05, duration=0.4, settings=[ground]).scenario
    run = run_scenario(scenario, "drop", engine)
    assert run.trajectory.status.value == "done", run.trajectory.message
    data = run.trajectory.data
    touched = data["contact"].values[(data["mode"] > 0).any("time").to_numpy()]
    assert touched.tolist() == ["broken::hull|terrain::surface"]  # a box, not the plane below
    assert run.metrics["final_speed"] < 1e-3
    # from rest to rest: what is lost is what 2 kg have come down; 1 % is compliance of Drake's
    down = float(data["q"].sel(position="base_z")[0] - data["q"].sel(position="base_z")[-1])
    assert down > 0.05
    assert run.metrics["energy_lost"] == pytest.approx(2.0 * 9.81 * down, rel=1e-2)
