"""The script that writes tracks, run as a reader runs it."""

import numpy as np
import pytest
from tests.machines.ugv.shipped import FOLDER
from tests.scripts.script import refusal, run_script

from footfall.run import run_scenario
from footfall.scenario.io import parse_scenario


@pytest.mark.slow
def test_points_of_ones_own_become_a_track_to_drive_on(tmp_path):
    x = np.linspace(1.0, 4.0, 61)
    points = tmp_path / "my_points.csv"
    rows = [f"{place:.3f},{height:.6f}" for place, height in zip(x, 0.05 * (x - 1.0), strict=True)]
    points.write_text("\n".join(["x,z", *rows, ""]))
    out = tmp_path / "my_track.sdf"
    told = run_script("tracks", points, "--out", out, "--friction", 0.9)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith(f"{out}: my_points, ")
    scenario = parse_scenario(
        f"""machine: ugv
duration: 0.1
time_step: 2.0e-3
directives:
- add_model: {{name: ugv, file: package://footfall/sdf/ugv/ugv.sdf}}
- add_weld: {{parent: terrain, child: "ugv::ground"}}
- add_model: {{name: track, file: {out}}}
initial: {{on_gait: true}}
moreau: {{recover_gaps: true}}
controller: !WheelLegDrive {{speed: 0.0, stations: [{{position: 3.0, rear: 110.0, front: 110.0}}]}}
"""
    )
    data = run_scenario(scenario, "own").trajectory.data
    # it stands still on the slope: both wheels' torque is half of what the weight takes, over r
    torque = data["actuation"].sel(actuator="rear_axle").to_numpy()[-2]
    slope = np.arctan(0.05)
    assert torque == pytest.approx(0.5 * 0.3 * 440.0 * 9.81 * np.sin(slope), rel=1e-3)
    assert np.abs(data["v"].to_numpy()).max() < 1e-6


@pytest.mark.slow
def test_a_file_of_parameters_is_written_as_it_is_made_at_load(tmp_path):
    told = run_script("tracks", FOLDER / "step.track", "--out", tmp_path / "step.sdf")
    assert told.returncode == 0, told.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"step.sdf", "step.obj"}
    assert "<size>16 1.2 0.12</size>" in (tmp_path / "step.sdf").read_text()


@pytest.mark.parametrize(
    ("rows", "options", "fault"),
    [
        ("0,0\n1,0.1\n", (), "needs 4 points"),
        ("0,0\n0.1,0\n0.2,-0.1\n0.3,0\n", (), "below the ground"),
        ("0,0\n0.1,0.1\n0.2,0.2\n0.3,0\n", ("--turn", "0"), "turn is 0"),
        ("0,0\n0.1,0.1\n0.2,0.2\n0.3,0\n", ("--out", "track.urdf"), "end in .sdf"),
        ("0,0\n0.1,0.1\n2,0.2\n2.3,0\n", (), "a gap of"),
    ],
)
def test_what_is_no_track_is_told_in_one_line(tmp_path, rows, options, fault):
    points = tmp_path / "points.csv"
    points.write_text(rows)
    told = refusal("tracks", points, *options)
    assert told.startswith("tracks: ")
    assert fault in told
    assert told.count("\n") == 1


def test_a_missing_file_is_told_in_one_line(tmp_path):
    assert refusal("tracks", tmp_path / "nowhere.csv").count("\n") == 1
