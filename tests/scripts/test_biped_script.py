"""The scenario script of the biped, run as a reader runs it, with a short horizon."""

import pytest
from tests.scripts.script import output, run_script

from footfall.trajectory import Trajectory

pytestmark = pytest.mark.slow


def test_one_friction_coefficient_in_every_engine(tmp_path):
    out = tmp_path / "out"
    told = run_script("biped", "--friction", "0.4", "--duration", "0.1", "--out", str(out))
    assert told.returncode == 0, told.stderr
    assert f"report: {out / 'report.html'}" in told.stdout
    assert "mu = 0.4" in told.stdout
    for engine in ("moreau", "drake", "closed-form"):
        trajectory = Trajectory.load(out / "biped" / "climb" / engine / "trajectory.nc")
        impulse = trajectory.data["impulse"].to_numpy()
        # Coulomb's cone of 0.4 holds in every engine, up to Drake's regularisation
        assert (abs(impulse[..., 1]) <= 0.4 * impulse[..., 0] + 1e-6).all()
        assert impulse[..., 0].max() > 0.0
    assert (out / "report.html").stat().st_size > 400_000


def test_gears_are_told_in_a_row_each():
    told = output("biped_gears", "--ratios", "0", "155", "--duration", "0.1")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in told.splitlines()]
    none, geared = [row for row in rows if row]
    assert none[0] == "0"
    assert none[1] == "0"
    assert geared[0] == "155"
    assert float(geared[1]) == pytest.approx(3.31e-6 * 155.0**2, rel=1e-3)
    joint, rotor = map(float, geared[7:9])
    assert rotor == pytest.approx(joint / 155.0, rel=1e-3)


def test_a_controller_of_ones_own_brakes_the_fall_in_either_engine():
    told = output("own_controller")
    assert told.splitlines()[0].startswith("moreau [")
    assert "\ndrake [" in told
