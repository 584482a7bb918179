"""Starts: lines before the first step, and robots on sloping ground."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.cli.command import footfall
from tests.engines.tiny import BALL, TWO_POINTS, simulate, tiny

from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import dump_scenario, load_scenario
from footfall.trajectory.events import MOVED_START, PENETRATION

SLOPE = 20.0
# two balls of one robot, 0.15 m apart, of 0.1 m each
PAIR = """<robot name="pair">
  <link name="one"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <collision name="one"><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="between"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  </link>
  <link name="two"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <collision name="two"><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="a" type="revolute"><parent link="one"/><child link="between"/><axis xyz="1 0 0"/>
    </joint>
  <joint name="b" type="revolute"><parent link="between"/><child link="two"/>
    <origin xyz="0.15 0 0"/><axis xyz="1 0 0"/></joint></robot>"""


def _told(run, kind):
    return [event.what for event in run.trajectory.events if event.kind == kind]


def _two_balls(folder):
    """Two balls as models of their own, 0.15 m apart."""
    scenario = tiny(folder, BALL, duration=1e-3)
    file = scenario.directives[0].add_model.file
    scenario.directives.append(ModelDirective(add_model=AddModel(name="other", file=file)))
    scenario.initial.positions = {"ball_ball_z": 1.0, "other_ball_z": 1.0, "other_ball_x": 0.15}
    return scenario


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
@pytest.mark.parametrize(
    ("made", "says"),
    [
        (
            lambda folder: tiny(folder, BALL, duration=1e-3, positions={"ball_z": 0.07}),
            "in the ground (ball::skin by 0.03 m): raise the machine by 0.03 m, or let",
        ),
        (
            lambda folder: tiny(folder, PAIR, duration=1e-3, positions={"one_z": 1.0}),
            "links of one robot overlap at the start (pair::one|pair::two by 0.05 m): where",
        ),
        (_two_balls, "overlap at the start (ball::skin|other::skin by 0.05 m): move them apart"),
    ],
)
def test_depth_at_the_start_is_told_before_the_run_with_its_remedy(tmp_path, made, says, engine):
    heard = []
    run = simulate(made(tmp_path), engine, report=heard.append)
    (told,) = _told(run, PENETRATION)
    assert says in told
    assert heard[0].time == 0.0
    assert heard[0].told == (told,)
    assert not any(progress.told for progress in heard[1:])


def test_a_start_that_is_told_before_the_run_is_not_told_again_behind_it(tmp_path, capsys):
    path = tmp_path / "deep.yaml"
    path.write_text(dump_scenario(tiny(tmp_path, BALL, duration=2e-3, positions={"ball_z": 0.07})))
    command = "compare", path, "--engines", "moreau,drake-sap", "--no-report"
    status, _, err = footfall(*command, "--out", tmp_path / "out", capsys=capsys)
    assert status == 0
    assert err.count("too deep in the ground") == 1


def test_shapes_that_only_touch_are_not_told(tmp_path):
    run = simulate(tiny(tmp_path, TWO_POINTS, welded="slope", duration=1e-3))
    assert _told(run, PENETRATION) == []


SLOPING = f"terrain.slope_deg={SLOPE}"


def _placed(frame):
    pose = f"{{base_frame: {frame}, translation: [0, 0, 0.5]}}"
    return f"directives.0.add_model.default_free_body_pose={{trunk: {pose}}}"


@pytest.mark.parametrize(
    ("settings", "lean", "says"),
    [
        ([], 0.0, "trunk was turned with it"),
        ([_placed("terrain")], 0.0, ""),
        ([_placed("world")], SLOPE, "trunk starts upright in the world, as its pose says"),
        (["initial.positions.trunk_x=2"], 0.0, "trunk was turned with it"),
        # a lean that the user names
        (["initial.positions.trunk_qw=1", "initial.positions.trunk_qy=-1"], 90.0 - SLOPE, ""),
    ],
)
def test_a_slope_turns_a_robot_whose_pose_is_not_named(settings, lean, says):
    robot = build_robot(load_scenario("scenes/quadruped", [SLOPING, *settings]))
    plant = robot.plant
    context = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(context, robot.initial_state)
    trunk, ground = plant.GetFrameByName("trunk"), plant.GetFrameByName("terrain")
    upright = trunk.CalcPose(context, ground).rotation().matrix()[2, 2]
    assert upright == pytest.approx(np.cos(np.radians(lean)), abs=1e-12)
    assert [says in note for note in robot.start_notes] == [True] * bool(says)


@pytest.mark.parametrize("scene", ["scenes/quadruped", "scenes/balance"])
def test_a_robot_placed_in_the_frame_of_level_ground_stands_as_in_the_worlds(scene):
    runs = [
        run_scenario(load_scenario(scene, ["duration=0.05", "pushes=[]", *settings]), scene)
        for settings in ([], [_placed("terrain")])
    ]
    first, second = (run.trajectory.data["q"].to_numpy() for run in runs)
    assert second == pytest.approx(first, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
@pytest.mark.parametrize("scene", ["scenes/quadruped", "scenes/balance"])
@pytest.mark.parametrize("settings", [[], [_placed("terrain")]])
def test_a_robot_stands_on_a_slope(scene, engine, settings):
    plain = ["duration=2.0", "pushes=[]", "friction=0.6", "terrain.slope_deg=10", *settings]
    run = run_scenario(load_scenario(scene, plain), scene, engine)
    data = run.trajectory.data
    assert run.metrics["fallen"] == 0.0
    base = data["base_position"].to_numpy()
    half = len(base) // 2
    # sap creeps by 4e-5 m/s
    assert np.linalg.norm(base[-1] - base[half]) < (1e-6 if engine == "moreau" else 1e-4)
    force = data["foot_force"].isel(time=-1).sum("foot").to_numpy()
    mass = build_robot(load_scenario(scene)).plant
    weight = 9.81 * mass.CalcTotalMass(mass.CreateDefaultContext())
    assert force == pytest.approx([0.0, 0.0, weight], abs=1e-2 * weight)
    assert len(_told(run, MOVED_START)) == (not settings)
