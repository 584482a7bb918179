"""Files of an analysis besides its numbers: scenarios that can be run."""

import xarray as xr

from footfall.analysis.context import AnalysisResult
from footfall.run import run_scenario
from footfall.run_folder import RunFolder
from footfall.saved import save_result
from footfall.scenario.io import load_scenario


def test_what_an_analysis_found_can_be_run(tmp_path):
    scenario = load_scenario("compass/basin")
    settings = ("initial.velocities={q2: 0.5}", "duration=0.01", "time_step=0.005")
    result = AnalysisResult(xr.Dataset(), {}, scenarios={"pushed": settings})
    paths = save_result(RunFolder(tmp_path), "compass/basin", scenario, result, 0.0)
    assert [path.name for path in paths] == ["found_pushed.yaml"]
    found = load_scenario(str(paths[0]))
    assert found.name == "compass/basin_pushed"
    assert found.analysis is None
    assert found.initial.velocities == {"q2": 0.5}
    assert found.initial.on_gait  # what the settings do not name stays
    assert run_scenario(found, found.name).metrics["duration"] == 0.01
