"""The thesis's references on feet that nothing holds: the robot tips over the edge of its sole."""

import numpy as np
import pytest

from footfall.errors import ScenarioError
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status

HALF_SOLE = 0.044  # m


@pytest.mark.parametrize(
    "engine",
    ["moreau", *(pytest.param(e, marks=pytest.mark.slow) for e in ("drake-sap", "drake-lagged"))],
)
def test_the_thesis_walk_without_its_weld_tips_over_the_inner_edge_of_the_sole(engine):
    result = run_scenario(load_scenario("humanoid/straight_line"), "straight_line", engine)
    trajectory = result.trajectory
    assert trajectory.status is Status.FAILED
    assert "fallen" in trajectory.message
    data = trajectory.data
    time, left = data["time"].to_numpy(), data["foot_normal_force"].to_numpy()[:, 0]
    lifted = np.argmax(data["foot_contact"].to_numpy()[:, 1] == 0)
    single = np.arange(lifted, lifted + 250)  # the first step, all of it on the left foot
    assert (left[single] > 50.0).all()
    # on its inner edge: the ground cannot push from further inside
    place = data["foot_centre_of_pressure_link"].to_numpy()[single, 0, 1]
    assert np.mean(np.abs(place + HALF_SOLE) < 1e-3) > 0.9  # but for the step of the lift-off
    # which is 0.109 m aside of the centre of mass: that goes off, away from the foot
    across = data["com_velocity"].to_numpy()[:, 1]
    assert across[single[-1]] - across[lifted] < -0.15
    w, x = data["q"].to_numpy()[:, :2].T
    assert 2.0 * np.degrees(np.arctan2(x, w))[single[-1]] > 10.0  # rolled about +x
    assert time[-1] < 1.2  # s, before a second step
    (claim,) = result.claims
    assert (claim.verdict, claim.value) == ("differs", 0.0)


def test_a_walk_of_two_kinds_of_references_is_refused():
    with pytest.raises(ScenarioError, match="the gait has the references"):
        load_scenario("humanoid/straight_line", ["controller.body.walk={}"])
    weights = "controller.gait.position_weight.single=[1, 1, 1, 1, 1, 1, 1, 1, 1]"
    for setting in ("controller.gait.level_foot=true", weights):
        with pytest.raises(ScenarioError, match="leave them out"):
            load_scenario("humanoid/straight_line", [setting])
