"""The scenario script of the biped, run as a reader runs it, with a short horizon."""

import subprocess
import sys
from pathlib import Path

import pytest

from footfall.trajectory import Trajectory

SCRIPT = Path(__file__).parents[2] / "scripts" / "biped.py"


def run_script(*arguments):
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False
    )


def test_one_friction_coefficient_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script("--friction", "0.4", "--duration", "0.1", "--out", str(out))
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    assert "mu = 0.4" in told.stdout
    for engine in ("moreau", "drake", "closed-form"):
        trajectory = Trajectory.load(out / "biped" / "climb" / engine / "trajectory.nc")
        impulse = trajectory.data["impulse"].to_numpy()
        # Coulomb's cone of 0.4 holds in every engine, up to Drake's regularisation
        assert (abs(impulse[..., 1]) <= 0.4 * impulse[..., 0] + 1e-6).all()
        assert impulse[..., 0].max() > 0.0
    assert (out / "report.html").stat().st_size > 1_000_000


@pytest.mark.parametrize(
    ("arguments", "names"),
    [(["--friction", "-1"], "friction"), (["--duration", "0"], "duration")],
    ids=["negative friction", "no time"],
)
def test_a_wrong_request_gets_one_line(arguments, names, tmp_path):
    told = run_script(*arguments, "--out", str(tmp_path / "out"))
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    assert names in told.stderr.splitlines()[-1]


def test_gears_are_told_in_a_row_each():
    script = SCRIPT.with_name("biped_gears.py")
    told = subprocess.run(
        [sys.executable, str(script), "--ratios", "0", "155", "--duration", "0.1"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in told.splitlines()]
    none, geared = [row for row in rows if row]
    assert none[0] == "0"
    assert none[1] == "0"
    assert geared[0] == "155"
    assert float(geared[1]) == pytest.approx(3.31e-6 * 155.0**2, rel=1e-3)
    joint, rotor = map(float, geared[7:9])
    assert rotor == pytest.approx(joint / 155.0, rel=1e-3)


@pytest.mark.parametrize("wrong", [["--ratios", "-3"], ["--duration", "0"]], ids=str)
def test_wrong_gears_get_one_line(wrong):
    script = SCRIPT.with_name("biped_gears.py")
    told = subprocess.run(
        [sys.executable, str(script), *wrong], capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    assert told.stderr.splitlines()[-1].startswith("biped_gears: ")


def test_a_controller_of_ones_own_brakes_the_fall_in_either_engine():
    script = SCRIPT.with_name("own_controller.py")
    told = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True
    ).stdout
    assert told.splitlines()[0].startswith("moreau [")
    assert "\ndrake [" in told
