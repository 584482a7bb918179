"""The guide to sweeps: its files are what runs."""

import json

import pytest
from tests.analysis.legs import write_leg
from tests.cli.command import footfall

from footfall.analysis.context import load_arrays


@pytest.mark.usefixtures("blank")
def test_the_sweep_of_the_guide_runs(tmp_path, capsys):
    leg, out = write_leg(tmp_path), tmp_path / "out"
    # steps of 5 ms instead of 1 ms: the border moves by a few per cent
    status, _, err = footfall(
        "run", leg, "--workers", 1, "--set", "time_step=0.005", "--out", out, capsys=capsys
    )
    assert status == 0, err
    border = load_arrays(out / "findings.nc")["border_controller.parameters.k"]
    assert float(border.sel({"engine": "moreau", "controller.parameters.d": 20.0})) > 300.0
    assert json.loads((out / "metrics.json").read_text())["metrics"]["runs"] == 10.0
