"""Runs as MCAP: what a reader of ROS 2 messages finds, and the run that comes back."""

import numpy as np
import pytest
from pydrake.common.eigen_geometry import Quaternion
from tests.cli.command import footfall

import footfall as ff
from footfall.plants.loading.load import load_model
from footfall.report.mcap_file import definition, write_mcap
from footfall.scenario.assemble import model_spec

reader = pytest.importorskip("mcap_ros2.reader")


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    """A run in contact, its model and the file of it."""
    path = tmp_path_factory.mktemp("mcap") / "run.mcap"
    sensors = {"encoders": {"noise": 1e-3}}
    run = ff.load("biped/stand", duration=0.2, sensors=sensors).run(engine="moreau")
    model = load_model(model_spec(run.scenario))
    count = write_mcap(path, model, run.trajectory)
    messages = list(reader.read_ros2_messages(str(path)))
    assert len(messages) == count
    return run, model, path, messages


def on(topic, messages):
    return [each for each in messages if each.channel.topic == topic]


def seconds(stamp):
    return stamp.sec + 1e-9 * stamp.nanosec


def test_joint_states_are_those_of_every_row(pushed):
    run, _, _, messages = pushed
    states = [each.ros_msg for each in on("/joint_states", messages)]
    assert [seconds(each.header.stamp) for each in states] == pytest.approx(run.data["time"].values)
    knee = states[0].name.index("theta2")
    angles = run.data["q"].sel(position="theta2").values
    assert [each.position[knee] for each in states] == angles.tolist()
    assert [each.effort[knee] for each in states] == (
        run.data["actuation"].sel(actuator="tau2").values.tolist()
    )


def test_transforms_are_the_poses_of_the_links(pushed):
    run, model, _, messages = pushed
    last = on("/tf", messages)[-1].ros_msg
    context = model.plant.CreateDefaultContext()
    model.plant.SetPositions(context, run.data["q"].values[-1])
    assert last.transforms[0].header.frame_id == "world"
    named = {each.child_frame_id: each.transform for each in last.transforms}
    body = model.plant.GetBodyByName("shank_a")
    X_WB = body.EvalPoseInWorld(context)
    (found,) = [each for name, each in named.items() if name.endswith("shank_a")]
    p, r = found.translation, found.rotation
    assert [p.x, p.y, p.z] == pytest.approx(X_WB.translation())
    turned = Quaternion(wxyz=[r.w, r.x, r.y, r.z]).rotation()
    assert turned == pytest.approx(X_WB.rotation().matrix())


def test_arrows_bear_the_weight(pushed):
    messages = pushed[3]
    arrows = on("/forces", messages)[-1].ros_msg.markers
    shown = [each for each in arrows if each.action == 0]
    lengths = [np.subtract(*[[p.x, p.y, p.z] for p in each.points[::-1]]) for each in shown]
    upwards = sum(lengths)
    assert len(shown) >= 1
    # arrows are proportional to forces, which bear a robot that hardly moves
    assert upwards[2] > 0.0
    assert abs(upwards[0]) < 0.2 * upwards[2]
    scene = on("/scene", messages)[0].ros_msg.markers
    assert {each.type for each in scene} <= {1, 2, 3, 11}
    assert any(each.header.frame_id.endswith("shank_a") for each in scene)


def test_readings_and_energies_are_names_and_values(pushed):
    run, _, _, messages = pushed
    first = on("/reading", messages)[0].ros_msg
    assert first.name == run.data["sensor"].values.tolist()
    assert first.value == run.data["reading"].values[0].tolist()
    energy = [each.ros_msg.value[0] for each in on("/kinetic_energy", messages)]
    assert energy == run.data["kinetic_energy"].values.tolist()


def test_a_run_comes_back_to_the_bit(pushed):
    run, _, path, _ = pushed
    again = ff.read_log(path, "biped/stand")
    assert np.array_equal(again.data["q"], run.data["q"])
    assert np.array_equal(again.data["v"], run.data["v"])
    assert np.array_equal(again.data["actuation"], run.data["actuation"])
    assert again.events == ()
    played = ff.load("biped/stand", duration=0.2).run(
        engine="moreau", controller={"_tag": "!Log", "file": str(path), "between": "held"}
    )
    assert np.array_equal(played.data["actuation"][:-1], run.data["actuation"][:-1])


def test_a_definition_has_those_of_its_parts_once():
    text = definition("sensor_msgs/JointState")
    assert text.startswith("std_msgs/Header header\nstring[] name\n")
    assert text.count("MSG: builtin_interfaces/Time\n") == 1


def test_the_command_writes_it_beside_the_run_and_wants_one_format(pushed, tmp_path, capsys):
    pushed[0].save(tmp_path / "run")
    status, out, _ = footfall("export", tmp_path / "run", "--mcap", capsys=capsys)
    assert status == 0
    assert (tmp_path / "run" / "trajectory.mcap").stat().st_size > 10_000
    assert f"{len(pushed[3])} messages" in out
    for options in ([], ["--csv", "--mcap"], ["--mcap", "--series", "q"]):
        status, _, err = footfall("export", tmp_path / "run", *options, capsys=capsys)
        assert status == 2
        assert "say which format: footfall export RUN --csv" in err
