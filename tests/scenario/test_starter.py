"""A folder to start from: written for any robot, it stands as it is."""

import pytest
import yaml
from tests.robots.real import robot
from tests.slow import some_longest

from footfall.errors import FootfallError
from footfall.metrics import scalar
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.scenario.starter import write_starter

NO_FEET = """
<robot name="r">
  <link name="trunk"><inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="revolute"><parent link="trunk"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="1"/></joint>
</robot>
"""


def with_push(file, start):
    """Let the push of the example be one, at a time."""
    text = file.read_text().replace("# pushes:", "pushes:").replace("# - {link", "- {link")
    file.write_text(text.replace("start: 1.0", f"start: {start}"))


def stands(folder, engine, **changes):
    """Metrics of a run of the folder's scenario."""
    scenario = load_scenario(str(folder / "stand.yaml"), [f"{k}={v}" for k, v in changes.items()])
    run = run_scenario(scenario, "stand", engine)
    assert run.trajectory.status.value == "done", run.trajectory.message
    assert scalar(run.metrics, "fallen") == 0.0
    return run


def test_a_shipped_robot_stands_in_the_posture_of_its_maker(tmp_path):
    starter = write_starter("quadruped", tmp_path / "here")
    assert {path.name for path in starter.folder.iterdir()} == {
        "stand.yaml",
        "stand.py",
        "README.md",
    }
    assert all(path.read_text().endswith("\n") for path in starter.folder.iterdir())
    assert "The posture standing of quadruped.srdf." in starter.notes
    written = yaml.safe_load(starter.scenario.read_text().replace("!Python", ""))
    assert written["initial"]["positions"]["FL_knee"] == -1.4
    assert list(written["feet"]) == ["FL_foot", "FR_foot", "RL_foot", "RR_foot"]
    run = stands(starter.folder, "moreau", duration=0.2)
    force = run.trajectory.data["foot_force"].to_numpy()[-1]
    assert force[:, 2].sum() == pytest.approx(15.0 * 9.81, rel=1e-3)


def test_a_push_of_the_example_is_one(tmp_path):
    folder = write_starter("quadruped", tmp_path / "here").folder
    text = (folder / "stand.yaml").read_text()
    assert "# pushes:" in text
    (folder / "stand.yaml").write_text(
        text.replace("# pushes:", "pushes:").replace("# - {link", "- {link")
    )
    (push,) = load_scenario(str(folder / "stand.yaml")).pushes
    # 0.1 m/s of the whole robot
    assert push.force[0] * push.duration == pytest.approx(15.0 * 0.1)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("ball", "ball: none of its joints has an actuator or an effort limit: add some"),
        ("biped", "biped: its root link .* has no mass, so it is made to be attached"),
        ("nothing", "there is no model 'nothing'"),
        ("missing.urdf", "missing.urdf"),
        (NO_FEET, "no link of it stands on the ground|no collision shape that can meet the ground"),
    ],
)
def test_what_cannot_stand_is_one_line(tmp_path, model, says):
    file = model
    if model == NO_FEET:
        file = str(tmp_path / "r.urdf")
        (tmp_path / "r.urdf").write_text(model)
    with pytest.raises(FootfallError, match=says) as caught:
        write_starter(file, tmp_path / "here")
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
@pytest.mark.parametrize(
    "name",
    some_longest(
        ["solo12", "talos_reduced", "g1_29dof_rev_1_0", "go2"], "talos_reduced", "g1_29dof_rev_1_0"
    ),
)
def test_a_robot_of_a_maker_stands_and_takes_a_push(tmp_path, name, engine):
    folder = write_starter(robot(name), tmp_path / "here").folder
    with_push(folder / "stand.yaml", 0.2)
    run = stands(folder, engine, duration=1.0)
    moved = run.metrics["base_displacement"]
    assert max(abs(value) for value in moved) < 0.02
