"""Walks on ground that is not level: footholds, clearance, slopes and stairs in both engines."""

import numpy as np
import pytest

from footfall.errors import FootfallError
from footfall.feet.gait import slip_of_steps
from footfall.plants.grounds import HeightMap, Stairs
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall_controllers.walking.footholds import Footholds, FootholdSearch
from footfall_controllers.walking.footsteps import rotation
from footfall_controllers.walking.swing_foot import clearing_height, lift, towards, turn_between
from footfall_controllers.walking.walking_ground import WalkingGround
from footfall_controllers.whole_body.terms import cross_matrix

SOLE = np.array([[-0.12, -0.044], [-0.12, 0.044], [0.17, 0.044], [0.17, -0.044]])
STAIRS = Stairs(begin=0.5, rise=0.08, depth=0.45, steps=3, landing=0.9)
RAMP = np.radians(8.0)
RAMPS = HeightMap(heights=[[0.0, np.tan(RAMP)], [0.0, np.tan(RAMP)]], size=[1.0, 2.0])


def ground(terrain):
    return WalkingGround(terrain.X_WTerrain().rotation().matrix(), terrain.surface())


def footholds(terrain, **search):
    return Footholds(ground(terrain), {"foot": SOLE}, FootholdSearch(**search))


@pytest.mark.parametrize("slope", [0.0, 6.0])
def test_the_height_of_the_ground_is_that_of_its_surface_straight_below(slope):
    terrain = HeightMap(
        heights=[[0.0, 0.2, 0.1], [0.1, 0.0, 0.3]], size=[2.0, 1.0], slope_deg=slope
    )
    points = np.random.default_rng(2).uniform(-0.4, 0.4, (50, 2))
    found = np.column_stack([points, ground(terrain).heights(points)])
    in_terrain = found @ terrain.X_WTerrain().rotation().matrix()
    # following the vertical leaves a thousandth of a slope's share
    heights = terrain.surface().heights(in_terrain)
    assert in_terrain[:, 2] == pytest.approx(heights, abs=1e-3 if slope else 1e-12)


def test_stairs_go_up_to_their_landing_and_down_again():
    x = np.array([0.4, 0.6, 1.0, 1.5, 2.2, 2.4, 2.9, 3.3])
    heights = STAIRS.surface().heights(np.column_stack([x, np.zeros(len(x))]))
    assert heights == pytest.approx(0.08 * np.array([0, 1, 2, 3, 3, 2, 1, 0]))
    with pytest.raises(FootfallError, match=r"terrain.rise is 0"):
        Stairs(rise=0.0)


@pytest.mark.parametrize("heading", [0.0, 0.3])
@pytest.mark.parametrize("x", np.linspace(0.2, 3.6, 9))
def test_a_foothold_lies_on_one_step_with_its_whole_sole(x, heading):
    found = footholds(STAIRS, reach=0.2).near("foot", np.array([x, 0.1]), heading)
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(4), 100)
    below = found.place + shares @ SOLE @ rotation(heading).T
    assert ground(STAIRS).heights(below) == pytest.approx(np.full(100, found.height))
    assert found.normal == pytest.approx([0.0, 0.0, 1.0])
    assert np.linalg.norm(found.place - [x, 0.1]) <= 0.2 + 1e-9
    assert found.place[1] - 0.1 == pytest.approx(np.tan(heading) * (found.place[0] - x))


def test_a_foothold_on_a_ramp_is_inclined_with_it():
    found = footholds(RAMPS, reach=0.0).near("foot", np.zeros(2), 0.0)
    assert found.height == pytest.approx(0.5 * np.tan(RAMP))
    normal = [-np.sin(RAMP), 0.0, np.cos(RAMP)]
    assert found.normal == pytest.approx(normal)
    assert found.tilt @ [0.0, 0.0, 1.0] == pytest.approx(normal)
    assert found.tilt @ found.tilt.T == pytest.approx(np.eye(3))
    assert np.linalg.det(found.tilt) == pytest.approx(1.0)


def test_without_a_flat_place_within_reach_the_foot_goes_where_it_was_to_go():
    place = np.array([0.5, 0.0])  # over the edge of the first step
    assert footholds(STAIRS, reach=0.03).near("foot", place, 0.0).place == pytest.approx(place)


@pytest.mark.parametrize(("start", "end"), [(0.3, 0.75), (2.1, 2.5), (0.1, 0.3)])
def test_a_swing_clears_the_steps_between_its_ends(start, end):
    holds, early = footholds(STAIRS), 0.95
    ends = tuple(holds.near("foot", np.array([x, 0.0]), 0.0) for x in (start, end))
    height = clearing_height(holds.ground, SOLE, ends, 0.05, early)
    assert height >= 0.05
    assert height == 0.05 or ends[0].height != ends[1].height
    rest = np.zeros(2)
    for s in np.linspace(0.1, 0.9, 81):
        place = towards((ends[0].place, rest, rest), ends[1].place, early, min(s, early))[0]
        foot = lift(ends[0].height, ends[1].height, height, s, 1.0)[0][0]
        assert (foot > ground(STAIRS).heights(place + SOLE)).all()


@pytest.mark.parametrize("time", [0.05, 0.21, 0.38])
def test_a_sole_turns_from_the_ground_that_it_left_to_that_where_it_lands(time):
    holds, length, h = footholds(RAMPS, reach=0.0), 0.4, 1e-4
    start, end = (holds.near("foot", np.zeros(2), heading).axes for heading in (-0.1, 0.4))
    axes, rate, change = turn_between(start, end, length, time)
    assert axes @ axes.T == pytest.approx(np.eye(3))
    around = [turn_between(start, end, length, time + late) for late in (-h, h)]
    # R' = [w]x R; h^2 / 6 of a third derivative of some 1e3 rad/s^3
    slope = (around[1][0] - around[0][0]) / (2.0 * h) @ axes.T
    assert slope - slope.T == pytest.approx(2.0 * cross_matrix(rate), abs=1e-5)
    assert (around[1][1] - around[0][1]) / (2.0 * h) == pytest.approx(change, abs=1e-3)


def test_a_sole_begins_and_ends_its_turn_at_rest_on_the_ground():
    holds = footholds(RAMPS, reach=0.0)
    start, end = np.eye(3), holds.near("foot", np.zeros(2), 0.4).axes
    for there, time in ((start, 0.0), (end, 0.4 * (1.0 - 1e-9)), (end, 0.5)):
        axes, rate, change = turn_between(start, end, 0.4, time)
        assert axes == pytest.approx(there)
        assert [*rate, *change] == pytest.approx(np.zeros(6), abs=1e-5)
    assert end[:, 2] == pytest.approx([-np.sin(RAMP), 0.0, np.cos(RAMP)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ahead", "engine"),
    [
        ("humanoid/slope", 16 * 0.225, "moreau"),
        # the heavier one of both in the softer engine; `walks.py` has the other two
        pytest.param("humanoid/stairs", 15 * 0.225, "drake-sap", marks=pytest.mark.longest),
    ],
)
def test_the_humanoid_walks_over_ramps_and_stairs(name, ahead, engine):
    run = run_scenario(load_scenario(name, ["record_every=5"]), name, engine).trajectory
    assert run.status.value == "done", run.message
    data = run.data
    moved = data["base_position"].values[-1] - data["base_position"].values[0]
    assert moved[0] == pytest.approx(ahead - 0.1, abs=0.1)
    assert abs(moved[1]) < 0.05
    assert abs(moved[2]) < 0.01  # down again as far as up
    assert np.ptp(data["base_position"].values[:, 2]) > 0.12  # 0.13 m of ramp, 0.24 m of stairs
    upright = 1.0 - 2.0 * (data["q"][:, 1] ** 2 + data["q"][:, 2] ** 2)
    assert np.degrees(np.arccos(np.clip(upright, -1.0, 1.0))).max() < 2.0
    most = 1e-3 if engine == "moreau" else 8e-3  # of a step, and of all of a foot's
    slips = slip_of_steps(data) if engine == "moreau" else [data["foot_slip"].values[-1]]
    assert np.concatenate(slips).max() < most
    assert np.abs(data["actuation"]).max() < 150.0
