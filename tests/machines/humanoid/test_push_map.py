"""The map of pushes, made small: every run has its own push, ground and load, and is counted."""

import numpy as np
import pytest

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.report.sweep.contents import sweep_contents
from footfall.scenario.io import load_scenario
from footfall.workers import Workers

SMALL = (
    "duration=0.1",
    "pushes.0.start=0.02",
    "pushes.0.duration=0.05",
    "analysis.samples=3",
    "analysis.engines=[moreau]",
)


@pytest.mark.slow
def test_a_small_map_counts_its_runs():
    # a path with dots is one name: the group of draws is given as a whole
    draw = (
        "analysis.draw={friction: !Uniform {min: 0.3, max: 0.9}, "
        '"pushes.0.start": !Uniform {min: 0.0, max: 0.05}, '
        '"mass_scale.humanoid::hat": !Uniform {min: 0.9, max: 1.2}, '
        '"pushes.0.force.0": !Uniform {min: -250.0, max: 250.0}, '
        '"pushes.0.force.1": !Uniform {min: -200.0, max: 200.0}}'
    )
    scenario = load_scenario("humanoid/push_map", [*SMALL, draw])
    done = analyse_scenario(scenario, Checkpoint(), lambda _what, _share: None, Workers(1))
    data = done.result.data
    assert data.sizes["sample"] == 3
    # in a tenth of a second nobody falls
    assert data["success"].to_numpy().tolist() == [[1, 1, 1]]
    assert np.isfinite(data["zmp_margin"]).all()
    assert len(np.unique(data["friction"])) == 3
    pushes, grounds = sweep_contents(data, {}).figures
    assert "all 3 of 3" in pushes.alt
    assert "mass of the trunk" in grounds.alt
