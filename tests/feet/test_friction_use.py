"""Friction utilisation where coefficients differ: by contact, at rest, along and across."""

import numpy as np
import pytest
from tests.engines.tiny import BRICK, simulate, tiny
from tests.feet.robots import TABLE

from footfall.plants.contacts import PairRule
from footfall.scenario.schema import InitialState


def _use(scenario):
    """Friction utilisations of the loaded steps of the only foot."""
    use = simulate(scenario).trajectory.data["foot_friction_utilisation"].to_numpy()[:, 0]
    assert np.isfinite(use).sum() > 5
    return use[np.isfinite(use)]


def test_a_foot_of_rough_and_smooth_points_that_slides_uses_all_friction(tmp_path):
    rule = PairRule(contact="*fl*", friction=0.1)
    table = tiny(
        tmp_path, TABLE, friction=0.6, duration=0.02, pairs=[rule], feet={"all": ["f?", "h?"]}
    )
    table.initial = InitialState(drop_along="trunk", velocities={"trunk_vx": 2.0})
    # it turns a little, so that the points slide not quite in parallel: 1 - cos
    assert _use(table) == pytest.approx(1.0, abs=1e-3)


def test_at_rest_static_friction_is_what_may_be_used(tmp_path):
    slope = np.arctan(0.5)
    box = tiny(
        tmp_path,
        BRICK,
        slope_deg=float(np.rad2deg(slope)),
        friction=0.4,
        static_friction=0.8,
        duration=0.05,
    )
    turned = {"brick_qw": np.cos(slope / 2), "brick_qy": -np.sin(slope / 2)}
    box.initial = InitialState(drop_along="brick", positions=turned)
    # the means of steps: load and no load may alternate, with friction alike
    assert np.mean(_use(box)) == pytest.approx(0.5 / 0.8, abs=1e-3)


@pytest.mark.parametrize("direction", ["x", "y"])
def test_along_and_across_a_sliding_box_uses_all_of_its_own_friction(tmp_path, direction):
    rule = PairRule(contact="*", friction=0.6, side_friction=0.2)
    box = tiny(tmp_path, BRICK, duration=0.03, pairs=[rule])
    box.initial = InitialState(drop_along="brick", velocities={f"brick_v{direction}": 1.0})
    run = simulate(box)
    use = run.trajectory.data["foot_friction_utilisation"].to_numpy()[:, 0]
    assert use[np.isfinite(use)] == pytest.approx(1.0, abs=1e-6)
    force = run.trajectory.data["foot_force"].sel(xyz=direction).to_numpy()[1:, 0].sum()
    normal = run.trajectory.data["foot_normal_force"].to_numpy()[1:, 0].sum()
    assert -force / normal == pytest.approx({"x": 0.6, "y": 0.2}[direction], abs=1e-3)
