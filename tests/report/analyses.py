"""Folders of small analyses, each computed once."""

from pathlib import Path

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.run_folder import RunFolder, make_run_folder
from footfall.saved import save_result
from footfall.scenario.io import load_scenario

# name of the scenario and what makes it small; the first reaches across the first doubling
SMALL = {
    "Bifurcation": (
        "compass/bifurcation",
        "terrain.slope_deg=-4.37",
        "analysis.from_deg=4.36",
        "analysis.to_deg=4.42",
        "analysis.slopes=7",
        "analysis.settle=3",
        "analysis.keep=4",
        "analysis.doublings=1",
    ),
    "Sweep": (
        "compass/basin",
        "analysis.parameters={points: 7, sample: 30, most_steps: 12}",
    ),
    "InternalGait": (
        "biped/gait_internal",
        "analysis.intervals=8",
        "analysis.starts=1",
    ),
    "LegAngles": (
        "ugv/optimum",
        "analysis.stations=16",
        "analysis.angles=8",
    ),
}


def analysed(kind: str, parent: Path) -> RunFolder:
    """Carry a small analysis out and save it in a folder below ``parent``."""
    name, *settings = SMALL[kind]
    scenario = load_scenario(name, settings)
    done = analyse_scenario(scenario, Checkpoint(), lambda _what, _share: None)
    assert done.result is not None
    folder = make_run_folder(name, "hybrid", parent / kind)
    save_result(folder, name, scenario, done.result, done.wall_time)
    return folder
