"""The guide to sweeps: its files are what runs."""

import json
import re

import pytest
from tests.analysis.legs import GUIDE, write_leg
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


@pytest.mark.usefixtures("blank")
def test_the_function_of_the_guide_is_swept(tmp_path, capsys):
    leg, out = write_leg(tmp_path), tmp_path / "out"
    own = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)[1]
    (tmp_path / "leg_function.py").write_text(own)
    sweep = f"analysis=!Sweep {{function: '{tmp_path}/leg_function.py:swing'}}"
    status, _, err = footfall(
        "sweep", leg, "--set", sweep, "--over", "parameters.stiffness=300:5000:5:log",
        "--workers", 1, "--out", out, capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    data = load_arrays(out / "findings.nc").isel(engine=0)
    # 5.5 kg of trunk and foot on 300 N/m
    assert float(data["rate"][0]) == pytest.approx((300.0 / 5.5) ** 0.5)
    assert float(data["force"].isel({"parameters.stiffness": 0}).max()) == pytest.approx(
        5.5 * 9.81 + 3.0, rel=1e-3
    )
