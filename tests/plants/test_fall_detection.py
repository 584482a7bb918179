"""Falls: heights of links above an inclined ground, and runs that end with one."""

import math

import numpy as np
import pytest
from tests.engines.tiny import BALL, POINT, RADIUS, simulate, tiny

from footfall.errors import ModelError, ScenarioError
from footfall.plants.fall_detection import FallDetector, check_heights
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status

SLOPES = (0.0, 10.0, -25.0)
BAD_HEIGHTS = (math.nan, math.inf, -math.inf)


def placed(folder, slope_deg, height, along):
    """A point on a slope and its watch's context, at a height above the ground."""
    scenario = tiny(folder, POINT, welded="slope", slope_deg=slope_deg)
    plant = build_robot(scenario).plant
    context = plant.CreateDefaultContext()
    plant.GetJointByName("z").set_translation(context, height)
    plant.GetJointByName("x").set_translation(context, along)
    return plant, context


@pytest.mark.parametrize("slope_deg", SLOPES)
def test_a_height_is_along_the_normal_of_the_ground(tmp_path, slope_deg):
    # wherever along the slope: in the world it may be metres above or below
    for along in (-30.0, 0.0, 30.0):
        plant, context = placed(tmp_path, slope_deg, 0.5, along)
        # roundings of 30 m
        assert FallDetector(plant, {"mass": 0.5 - 1e-12}).fallen(context) == ""
        reason = FallDetector(plant, {"mass": 0.5 + 1e-12}).fallen(context)
        assert reason == "point::mass is 0.5 m above the ground"


def test_heights_below_the_ground_and_no_heights_at_all(tmp_path):
    plant, context = placed(tmp_path, 0.0, -0.2, 0.0)
    assert FallDetector(plant, {}).fallen(context) == ""
    assert FallDetector(plant, {"mass": -0.3}).fallen(context) == ""
    assert "is -0.2 m above" in FallDetector(plant, {"mass": -0.1}).fallen(context)


def test_one_fallen_link_of_several_is_a_fall():
    machine = build_robot(load_scenario("compass/goswami"))
    context = machine.plant.CreateDefaultContext()
    machine.plant.SetPositionsAndVelocities(context, machine.initial_state)
    height = float(machine.initial_state[1])
    watch = FallDetector(machine.plant, {"compass::hip": height - 0.01, "leg_2": height + 0.01})
    # the origin of a leg is at the hip
    assert watch.fallen(context) == f"compass::leg_2 is {height:.3g} m above the ground"


@pytest.mark.parametrize("name", ["hop", "compass::hop", "robot::hip"])
def test_links_that_are_not_there_are_refused_in_one_line(name):
    machine = build_robot(load_scenario("compass/goswami"))
    with pytest.raises(ModelError, match=name.rpartition("::")[2]) as refused:
        FallDetector(machine.plant, {name: 0.3})
    assert "\n" not in str(refused.value)
    scenario = load_scenario("compass/goswami", ["duration=0.01", "fallen_below.compass::hip=0.3"])
    scenario.fallen_below = {name: 0.3}
    with pytest.raises(ModelError):
        run_scenario(scenario, "compass/goswami", "moreau")


@pytest.mark.parametrize(
    ("heights", "by", "says"),
    [
        *(({"hip": x}, None, f"fallen_below.hip is {x}: give a finite") for x in BAD_HEIGHTS),
        ({"hip": 0.3}, 0.0, "expected_fall is 0.0: give a positive number"),
        ({"hip": 0.3}, math.nan, "expected_fall is nan: give a positive number"),
        ({}, 1.0, "expected_fall: say below which height"),
    ],
)
def test_heights_that_are_no_numbers_and_falls_that_nothing_tells_are_refused(heights, by, says):
    with pytest.raises(ScenarioError, match=says):
        check_heights(heights, by)
    check_heights({"hip": -3.0})


# below 0.6 m after 0.286 s
@pytest.mark.parametrize(
    ("by", "duration", "ends"),
    [
        (0.4, 1.0, (Status.DONE, "as expected by 0.4 s: ")),
        (0.2, 1.0, (Status.FAILED, "expected by 0.2 s: ")),
        (0.2, 0.25, (Status.FAILED, "no fall by t = 0.2 s")),
        (0.4, 0.25, (Status.DONE, "")),  # is over before it could tell
    ],
)
def test_a_run_that_is_meant_to_fall_is_judged_by_that(tmp_path, by, duration, ends):
    scenario = tiny(
        tmp_path,
        BALL,
        duration=duration,
        positions={"ball_z": RADIUS + 1.0},
        fallen_below={"ball": RADIUS + 0.6},
        expected_fall=by,
    )
    trajectory = simulate(scenario, "moreau").trajectory
    assert trajectory.status is ends[0]
    assert ends[1] in trajectory.message
    lines = [event.what for event in trajectory.events]
    assert lines == ([trajectory.message] if ends[1] else [])
    kinds = {Status.DONE: "fallen", Status.FAILED: "failed"}
    assert all(event.kind == kinds[ends[0]] for event in trajectory.events)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_a_fall_ends_a_run_at_its_first_row(tmp_path, engine):
    # a ball falls from 1 m: below 0.6 m after sqrt(2 * 0.4 / g)
    scenario = tiny(
        tmp_path,
        BALL,
        duration=1.0,
        positions={"ball_z": RADIUS + 1.0},
        fallen_below={"ball": RADIUS + 0.6},
    )
    result = simulate(scenario, engine)
    trajectory = result.trajectory
    assert trajectory.status is Status.FAILED
    time = trajectory.data["time"].to_numpy()
    # Drake's velocity is that at the end of a step: g t dt / 2 farther
    assert time[-1] == pytest.approx(math.sqrt(0.8 / 9.81), abs=2e-3)
    assert trajectory.message.startswith(f"fallen at t = {time[-1]:.4f} s: ")
    assert trajectory.message.endswith("m above the ground")
    assert [event.kind for event in trajectory.events] == ["failed"]
    z = trajectory.data["q"].sel(position="ball_z").to_numpy()
    assert z[-1] < RADIUS + 0.6 <= z[-2]
    assert np.isfinite(trajectory.data["v"]).all()
    assert result.error is None  # it is no fault of the program
