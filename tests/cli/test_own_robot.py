"""Drop and repair as a user with a robot of their own meets them."""

import json

import pytest
from tests.cli.command import footfall
from tests.engines.tiny import BRICK
from tests.plants.test_repair import BROKEN, broken
from tests.scenario.test_drop import NEAR

from footfall.trajectory import Trajectory


@pytest.fixture
def _robot(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.urdf").write_text(NEAR)


@pytest.mark.usefixtures("_robot")
def test_a_robot_falls_in_all_engines_and_is_compared(tmp_path, capsys):
    out = tmp_path / "out"
    status, said, err = footfall(
        "drop", "robot.urdf", "--height", "0.02", "--duration", "0.1", "--out", str(out),
        "--set", "joint_friction.*=0.5", "--engines", "moreau,drake-sap,drake-lagged,drake-similar",
        capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    for engine in ("moreau", "drake-sap", "drake-lagged", "drake-similar"):
        assert f" {engine} " in said  # whole, in a terminal of the usual width
        metrics = json.loads((out / engine / "metrics.json").read_text())
        assert metrics["scenario"] == "drop/robot"
        assert {"rest_time", "final_speed", "final_penetration", "energy_lost"} <= set(
            metrics["metrics"]
        )
    assert "[m/s, rad/s]" in said
    # what was chosen for the user is said before anything runs
    assert said.index("pass through each other") < said.index("moreau")
    assert str(out / "report.html") in said
    assert (out / "report.html").stat().st_size > 100_000


@pytest.mark.slow
@pytest.mark.usefixtures("_robot")
def test_the_scenario_of_a_drop_runs_again_from_anywhere(tmp_path, monkeypatch, capsys):
    out, again = tmp_path / "out", tmp_path / "again"
    footfall(
        "drop", "robot.urdf", "--duration", "0.05", "--engines", "moreau", "--out", str(out),
        capsys=capsys,
    )  # fmt: skip
    monkeypatch.chdir("/")
    status, _, err = footfall(
        "run", str(out / "moreau" / "scenario.yaml"), "--out", str(again), capsys=capsys
    )
    assert status == 0, err
    first, second = (Trajectory.load(f / "trajectory.nc") for f in (out / "moreau", again))
    # the same arithmetic in the same order: not a bit may differ
    assert (first.data["q"].to_numpy() == second.data["q"].to_numpy()).all()


def test_a_brick_rests_and_the_table_says_since_when(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "brick.urdf").write_text(BRICK)
    status, said, _ = footfall(
        "drop", "brick.urdf", "--height", "0.05", "--duration", "0.2", "--engines", "moreau",
        capsys=capsys,
    )  # fmt: skip
    assert status == 0
    (folder,) = (tmp_path / "runs" / "drop" / "brick" / "compare").iterdir()
    metrics = json.loads((folder / "moreau" / "metrics.json").read_text())["metrics"]
    # sqrt(2 h / g) = 0.101 s, found at the end of the step in which it touches
    assert metrics["rest_time"] == pytest.approx((2 * 0.05 / 9.81) ** 0.5, abs=2e-3)
    assert f"{metrics['rest_time']:.3g}" in said
    # m g h, and what half the last step of the fall adds
    assert metrics["energy_lost"] == pytest.approx(1.2 * 9.81 * 0.05, rel=0.03)


BAD = {
    "no model": (["drop"], "model"),
    "no such file": (["drop", "nowhere.urdf"], "nowhere.urdf"),
    "no such machine": (["drop", "bal"], "did you mean 'ball'"),
    "a machine that stands on something": (["drop", "biped"], "biped/climb"),
    "negative height": (["drop", "ball", "--height", "-1"], "--height"),
    "endless duration": (["drop", "ball", "--duration", "inf"], "duration"),
    "unknown engine": (["drop", "ball", "--engines", "morau"], "did you mean 'moreau'"),
    "no engine": (["drop", "ball", "--engines", ","], "--engines"),
    "no closed form": (["drop", "ball", "--engines", "closed-form"], "closed form"),
    "unknown key": (["drop", "ball", "--set", "frictoin=1"], "friction"),
    "repair an SDF": (["repair", "robot.sdf"], "robot.sdf"),
    "repair nothing": (["repair", "nowhere.urdf"], "nowhere.urdf"),
}


@pytest.mark.parametrize(("arguments", "names"), BAD.values(), ids=BAD.keys())
def test_a_wrong_request_gets_one_line_and_status_2(
    arguments, names, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.sdf").write_text("<sdf version='1.9'/>")
    status, _, err = footfall(*arguments, capsys=capsys)
    assert status == 2
    lines = [line for line in err.splitlines() if line.startswith("footfall:")]
    assert len(lines) == 1
    assert names in lines[0]
    assert not (tmp_path / "runs").exists()  # nothing is written for a request that was wrong


def test_a_refusal_names_the_command_that_repairs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    broken(tmp_path, BROKEN.replace(' origin="nowhere"', "").replace("<colour/>", ""))
    status, _, err = footfall("drop", "broken.urdf", capsys=capsys)
    assert status == 2
    assert "`footfall repair`" in err
    status, said, err = footfall("repair", "broken.urdf", capsys=capsys)
    assert status == 0, err
    assert "written: broken_repaired/broken.urdf" in said
    status, said, err = footfall(
        "drop", "broken_repaired/broken.urdf", "--duration", "0.05", "--engines", "moreau",
        capsys=capsys,
    )  # fmt: skip
    assert status == 0, err


def test_repair_writes_over_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    broken(tmp_path)
    (tmp_path / "broken_repaired").mkdir()
    (tmp_path / "broken_repaired" / "mine.txt").write_text("mine")
    status, _, err = footfall("repair", "broken.urdf", capsys=capsys)
    assert status == 2
    assert "broken_repaired" in err
