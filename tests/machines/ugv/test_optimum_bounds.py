"""Bounds that no angles of a grid beat, and where they stand to paths."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.machines.ugv.optimum_cases import UGV, best, curve_over, grid

from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.optimum.problem import (
    CRITERIA,
    ENERGY,
    GRIP,
    MORE_IS_BETTER,
    TORQUE_PEAK,
    TORQUE_RANGE,
)
from footfall.machines.ugv.optimum.search import Search
from footfall.machines.ugv.optimum.solver import bound


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("name", [pytest.param("bump", marks=pytest.mark.slow), "step"])
def test_no_path_of_the_grid_beats_the_bound(name, criterion):
    of = grid(name, criterion)
    _, path = best(of)
    sign = -1.0 if criterion in MORE_IS_BETTER else 1.0
    # the axles' clearance and the level ground's torque are met exactly, but for rounding
    assert sign * bound(of).value <= path.cost + 1e-9
    assert bound(of).reason


@pytest.mark.slow
@pytest.mark.parametrize("criterion", [TORQUE_PEAK, GRIP])
def test_legs_that_turn_at_once_come_to_the_bound(criterion):
    """The path takes the best angles of every station; the rear wheel asks more between them."""
    of = grid("bump", criterion, 15)
    free = replace(
        of, problem=replace(of.problem, limits=replace(of.problem.limits, rate=math.inf))
    )
    found = Search(free).best()
    assert bound(free).value == pytest.approx(found.cost, rel=0.05)


@pytest.mark.slow
def test_the_rear_wheel_asks_in_a_mirror_what_the_front_one_does():
    """The bump is its own mirror image about 4 m: so are the two ends of the torque."""
    of = grid("bump", TORQUE_RANGE, 15, 61)
    curve, phi = curve_over("bump"), of.phi
    torque = [forces(UGV, pose(UGV, curve, float(s), *phi)).torque for s in of.problem.stations]
    # places are 5 cm apart, about a largest value
    assert bound(of).value == pytest.approx(2.0 * np.min(torque, axis=1).max(), rel=0.01)


def test_on_the_step_the_rear_wheel_at_its_edge_is_what_counts():
    of = grid("step", TORQUE_PEAK, 9)
    assert "rear wheel at 3.760 m" in bound(of).reason
    assert bound(of).value == pytest.approx(Search(of).best().cost, rel=2e-4)


def test_energy_is_bound_by_the_rise_that_no_angles_avoid():
    assert 0.0 < bound(grid("hill", ENERGY, 8)).value < UGV.weight
    assert bound(grid("bump", ENERGY, 8)).value == 0.0
