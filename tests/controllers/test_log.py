"""A log as controller: the run it came from, to the bit, and what it must not lack."""

import numpy as np
import pytest

import footfall as ff
from footfall.errors import FootfallError
from footfall.trajectory.series import write_csv

STEPS = 60


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run of a robot in contact, and the files of its trajectory."""
    folder = tmp_path_factory.mktemp("log")
    scenario = ff.load("biped/stand_pd", duration=STEPS * 1e-3)
    run = scenario.run(engine="moreau")
    run.trajectory.save(folder / "log.nc")
    write_csv(run.data, folder / "log.csv")
    return scenario, run, folder


def with_log(played, **fields):
    scenario, _, folder = played
    file = str(folder / fields.pop("file", "log.nc"))
    values = {name: fields.pop(name) for name in ("duration",) if name in fields}
    return scenario.set(controller={"_tag": "!Log", "file": file, **fields}, **values)


@pytest.mark.parametrize("file", ["log.nc", "log.csv"])
@pytest.mark.parametrize("between", ["linear", "held"])
@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_torques_of_a_run_make_the_same_run(played, file, between, engine):
    run = played[1]
    again = with_log(played, file=file, between=between).run(engine=engine)
    if engine == "moreau":
        assert again.data["q"].equals(run.data["q"])
        assert again.data["impulse"].equals(run.data["impulse"])
    assert again.data["actuation"][:-1].equals(run.data["actuation"][:-1])
    assert again.data["time"].equals(run.data["time"])


def test_torques_alone_are_a_compiled_law_and_the_same_row_by_row(played):
    scenario, (_, run, _) = with_log(played), played
    by_system = scenario.run(engine="moreau", sensors={"rate": 1000.0})  # no law knows sensors
    assert by_system.data["q"].equals(run.data["q"])
    rolled = ff.rollout(scenario)
    assert np.array_equal(rolled["q"][0], run.data["q"])


def test_positions_are_tracked_by_pd_control(played):
    run = played[1]
    again = with_log(played, kp=900.0, kd=40.0).run(engine="moreau")
    joints = ["theta1", "theta2", "theta3", "theta4"]
    of_run, of_log = (
        (each.data["q"].sel(position=joints).values, each.data["v"].sel(velocity=joints).values)
        for each in (again, run)
    )
    torque = 900.0 * (of_log[0] - of_run[0]) + 40.0 * (of_log[1] - of_run[1])
    assert again.data["actuation"].values == pytest.approx(torque, rel=1e-9, abs=1e-9)


def test_a_coarse_log_is_held_or_interpolated(played, tmp_path):
    scenario = played[0]
    names = ["tau1", "tau2", "tau3", "tau4"]
    rows = [[t, *[100.0 * t] * 4] for t in (0.0, 0.02, 0.06)]
    text = "\n".join(",".join(map(str, row)) for row in [["t", *names], *rows])
    (tmp_path / "log.csv").write_text(text)
    for between, mid in (("linear", 100.0 * 0.03), ("held", 100.0 * 0.02)):
        controller = {"_tag": "!Log", "file": str(tmp_path / "log.csv"), "between": between}
        run = scenario.set(controller=controller).run(engine="moreau", initial={})
        assert run.data["actuation"][30].values == pytest.approx([mid] * 4)
        assert run.data["actuation"][20].values.tolist() == [2.0] * 4


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"duration": 0.2}, "log.nc ends after 0.06 s, and the run's last step begins at 0.199 s"),
        ({"start": 0.03}, "log.nc ends after 0.03 s"),
        ({"file": "none.nc"}, "none.nc' cannot be read: No such file"),
        ({"file": "log.txt"}, "give a .csv, .mcap or .nc file"),
        ({"efforts": {"tau1": "torque"}}, "efforts.tau1: there is no column of numbers 'torque'"),
        ({"efforts": {"tau9": "q.x"}}, "efforts.tau9: there is no 'tau9'"),
        ({"between": "spline"}, "controller.between is 'spline': choose one of linear, held"),
        ({"kp": -1.0}, "controller.kp is -1.0: give a finite number that is not negative"),
    ],
)
def test_what_a_log_lacks_is_told_before_the_run(played, fields, why):
    with pytest.raises(FootfallError, match=why) as refused:
        with_log(played, **fields).run(engine="moreau")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("gains", "what"), [({}, "efforts"), ({"kp": 1.0}, "positions")])
def test_a_log_without_an_actuator_is_refused(played, tmp_path, gains, what):
    (tmp_path / "log.csv").write_text("t,tau1,theta1\n0,0,0\n1,0,0\n")
    controller = {"_tag": "!Log", "file": str(tmp_path / "log.csv"), **gains}
    with pytest.raises(FootfallError, match=f"has no {what} of .*: name their columns in"):
        played[0].set(controller=controller).run(engine="moreau")


def test_the_folder_of_a_run_keeps_the_log_and_runs_again(played, tmp_path):
    scenario, run, folder = played
    copy = tmp_path / "mine.csv"
    copy.write_bytes((folder / "log.csv").read_bytes())
    scenario = scenario.set(controller={"_tag": "!Log", "file": str(copy)})
    scenario.run(engine="moreau", out=tmp_path / "run")
    copy.unlink()
    kept = tmp_path / "run" / "log" / "mine.csv"
    assert kept.read_bytes() == (folder / "log.csv").read_bytes()
    again = ff.load(tmp_path / "run" / "scenario.yaml").run(engine="moreau")
    assert again.data["q"].equals(run.data["q"])
    assert "sha256" in (tmp_path / "run" / "provenance.json").read_text()
