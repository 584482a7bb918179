"""The climb over friction: it fails below a border, which statics bounds from below."""

import math

import pytest

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.scenario.io import load_scenario
from footfall.workers import Workers

FRICTION = "friction: !Range {begin: 0.02, end: 0.3, count: 3}"
FEW = (
    "duration=2.5",
    f"analysis.over={{{FRICTION}, terrain.slope_deg: !Values {{values: [-8.0, -4.0]}}}}",
    "analysis.borders=[{over: friction, tolerance: 0.1}]",
    "analysis.figures=[]",
)


@pytest.mark.slow
def test_it_climbs_no_more_where_the_ground_holds_nobody():
    scenario = load_scenario("biped/friction_map", FEW)
    done = analyse_scenario(scenario, Checkpoint(), lambda _what, _share: None, Workers(1))
    data = done.result.data.sel(engine="closed-form")
    for slope in (8.0, 4.0):
        one = data.sel({"terrain.slope_deg": -slope})
        border, error = one["border_friction"].item(), one["border_friction_error"].item()
        # on a slope steeper than the friction nothing stays, let alone climbs; the walk's own
        # forces need a little more
        least = math.tan(math.radians(slope))
        assert least - error < border < 1.5 * least
        assert one["success"].to_numpy().tolist() == [0, *one["success"].to_numpy()[1:]]
        assert one["success"].to_numpy()[-1] == 1
        # the less it slips the farther it gets
        assert (one["foot_slip"].diff("friction") < 0.0).all()
