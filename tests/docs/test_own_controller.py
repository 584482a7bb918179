"""The guide to controllers of one's own: its files are what runs."""

import json
import math
import re
import runpy
from pathlib import Path

import pytest
from tests.cli.command import footfall

from footfall.run import run_scenario
from footfall.scenario.io import load_scenario

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "own_controller.md"


@pytest.fixture
def files(tmp_path, monkeypatch):
    text = GUIDE.read_text()
    controller, reference, program = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (stand,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    squat = re.search(r"\n    (controller: !InverseDynamics.*?)\n\n", text, re.DOTALL)[1]
    head = stand[: stand.index("initial:")].replace("duration: 1.0", "duration: 0.2")
    (tmp_path / "stand.py").write_text(f"{controller}\n\n{reference}")
    (tmp_path / "stand.yaml").write_text(stand.replace("duration: 1.0", "duration: 0.2"))
    (tmp_path / "squat.yaml").write_text(head + squat.replace("\n    ", "\n"))
    (tmp_path / "program.py").write_text(program)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("blank")
def test_the_biped_stands(files, capsys):
    status, _, err = footfall(
        "compare", "stand.yaml", "--engines", "moreau,drake-sap", "--out", "out",
        capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    for engine in ("moreau", "drake-sap"):
        metrics = json.loads((files / "out" / engine / "metrics.json").read_text())["metrics"]
        # it starts at a height of 2 cos(0.267) + ... and sags by less than a millimetre
        assert metrics["hip_height_max"] - metrics["hip_height_min"] < 1e-3


@pytest.mark.usefixtures("files")
def test_the_biped_squats():
    run = run_scenario(load_scenario("squat.yaml"), "squat", "drake-sap")
    q = run.trajectory.data["q"].sel(position=["theta1", "theta2"]).to_numpy()
    bend = 0.1 * (1.0 - math.cos(6.0 * 0.2))
    # the law knows nothing of the ground, whose forces bend the joints by some mrad
    assert q[-1] == pytest.approx([-0.267 - bend, 0.301 + bend], abs=0.01)
    assert bend > 0.06


@pytest.mark.usefixtures("blank")
def test_the_program_runs(files):
    runpy.run_path(str(files / "program.py"))
    (told,) = files.rglob("stand/drake-sap/provenance.json")
    assert "upright" in json.loads(told.read_text())["code"]["controller"]["object"]
