"""The map of saved shots: as single runs are, symmetric, taken up again, refused in one line."""

import functools
import math

import numpy as np
import pytest
import xarray as xr
from tests.machines.sweeps import over, swept
from tests.slow import some_slow

from footfall.errors import ScenarioError
from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH
from footfall.machines.goalkeeper.measures import ShotOutcome, observables_of, outcome_of
from footfall.machines.goalkeeper.saved_shots import CODES, oracle_of, safe_speed
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

# from two mirrored places, to both corners: saves and goals, also of a ball that the keeper touches
TINY = (
    over(
        parameters__x=[-1.0, 1.0],
        parameters__y=[1.8],
        parameters__speed=[2.8, 5.0],
        parameters__target=[0.1, 0.9],
    ),
    "duration=2.5",
)
LAW = "controller=!Goalkeeping {max_speed: 1.0, max_acceleration: 4.0}"
NAMES = [outcome.value for outcome in CODES]


def tiny(*settings):
    return load_scenario("goalkeeper/saved_shots", [*TINY, *settings])


def context(*settings):
    scenario = tiny(*settings)
    return context_of(scenario, build_robot(scenario))


@functools.cache
def map_of(engine):
    return swept("goalkeeper/saved_shots", *TINY, f"engine={engine}")


def data_of(engine):
    short = {f"parameters.{name}": name for name in ("x", "y", "speed", "target")}
    return map_of(engine).data.isel(engine=0).rename(short)


@pytest.fixture(scope="module", params=some_slow(["moreau", "drake"], "drake"))
def engine(request):
    return request.param


def single(engine, x, speed, share):
    """goalkeeper/shot_rolling from the start that the map has."""
    law = load_scenario("goalkeeper/shot_rolling", [LAW]).controller
    origin = np.array([x, 1.8])
    way = np.array([GOAL_WIDTH * (share - 0.5), 0.0]) - origin
    velocity = speed * (way / np.hypot(*way))
    keeper = float(law.target(origin, np.zeros(2))[0])
    places = (
        f"{{keeper_x: {keeper!r}, ball_ball_x: {x}, ball_ball_y: 1.8, ball_ball_z: 0.089999999999}}"
    )
    rates = f"{{ball_ball_vx: {float(velocity[0])!r}, ball_ball_vy: {float(velocity[1])!r}}}"
    start = f"initial={{positions: {places}, velocities: {rates}}}"
    scenario = load_scenario("goalkeeper/shot_rolling", [start, "duration=2.5", LAW])
    return run_scenario(scenario, "goalkeeper/shot_rolling", engine).trajectory


@pytest.mark.slow
@pytest.mark.parametrize(
    ("x", "speed", "share"), [(-1.0, 2.8, 0.9), (1.0, 5.0, 0.9), (1.0, 2.8, 0.9)]
)
def test_a_shot_of_the_map_ends_as_the_run_of_the_same_start(engine, x, speed, share):
    data = data_of(engine).sel(x=x, y=1.8, speed=speed, target=share)
    observed = observables_of(single(engine, x, speed, share))
    assert NAMES[int(data["outcome"])] == outcome_of(observed).value
    # a ball in the goal may come back to the keeper, after all is decided
    touching = observed.touching[observed.time <= float(data["decided_time"])]
    assert math.isfinite(data["touch_time"]) == touching.any()
    if touching.any():
        first = int(touching.argmax())
        assert float(data["touch_time"]) == observed.time[first]
        assert [float(data["touch_x"]), float(data["touch_y"])] == observed.ball[first].tolist()
        assert float(data["touch_keeper"]) == observed.keeper[first]


@pytest.mark.slow
def test_saves_and_goals_are_on_the_tiny_map(engine):
    outcomes = set(data_of(engine)["outcome"].to_numpy().ravel().tolist())
    assert {CODES[ShotOutcome.SAVED], CODES[ShotOutcome.GOAL]} <= outcomes


@pytest.mark.slow
def test_the_mirror_image_of_a_shot_ends_as_the_shot_does(engine):
    data = data_of(engine)
    mirrored = data.isel(x=slice(None, None, -1), target=slice(None, None, -1))
    for name in ("outcome", "foretold", "post"):
        assert np.array_equal(data[name], mirrored[name])
    # until they touch, ball and keeper mirror each other but for rounding, which Drake's iterations
    # of a contact problem leave at 1e-8 of its impulses
    tolerance = {"moreau": 1e-12, "drake": 1e-6}[engine]
    for name, sign in (("touch_time", 1), ("touch_x", -1), ("touch_y", 1), ("touch_keeper", -1)):
        one, other = data[name].to_numpy(), sign * mirrored[name].to_numpy()
        assert one == pytest.approx(other, abs=tolerance, nan_ok=True)


def test_where_a_ball_is_touched_is_foretold(engine):
    metrics = map_of(engine).metrics
    # Moreau's engine looks for contacts in the middle of a step, the prediction at its end: a step
    # between them, in which no ball is faster than at the kick. Drake's touches where it lies in
    # the keeper at the end of a step, after a way on grass that yields, which costs more time.
    steps = {"moreau": 1, "drake": 4}[engine]
    assert 0.0 < metrics["touch_delay"] <= (steps + 1e-9) * 1e-3
    assert 0.0 < metrics["touch_distance"] <= steps * 5.0 * 1e-3


def test_numbers_are_those_of_the_shots():
    result, data = map_of("moreau"), data_of("moreau")
    assert all("units" in data[name].attrs for name in ("outcome", "foretold", "safe_speed"))
    assert result.metrics["runs"] == 8.0
    outcome = data["outcome"]
    foretold = data["foretold"].transpose(*outcome.dims)
    assert result.metrics["agreement"] == np.mean(outcome == foretold)
    assert result.metrics["differences"] == 8.0 * (1.0 - result.metrics["agreement"])
    assert result.metrics["share_saved"] == np.mean(data["success"])
    assert "mark_speed" not in result.metrics  # no ball lies on the mark


def test_the_friction_of_the_ball_is_that_of_its_contact_with_the_grass():
    rule = "pairs=[{contact: 'ball::ball', friction: 0.3}]"
    assert oracle_of(context(rule)).grass.mu == 0.3


def test_a_speed_is_safe_up_to_the_first_shot_that_is_not_saved():
    saved, goal, on = (
        CODES[one] for one in (ShotOutcome.SAVED, ShotOutcome.GOAL, ShotOutcome.ON_THE_WAY)
    )
    codes = [
        [[saved, saved], [saved, goal], [saved, saved]],
        [[on, saved], [saved, saved], [saved, saved]],
        [[saved, saved], [saved, saved], [saved, saved]],
    ]
    dims = ("parameters.x", "parameters.speed", "parameters.target")
    outcome = xr.DataArray(codes, {"parameters.speed": [1.0, 2.0, 3.0]}, dims)
    assert safe_speed(outcome).to_numpy() == pytest.approx([1.0, math.nan, 3.0], nan_ok=True)


@pytest.mark.parametrize(
    ("axis", "value", "says"),
    [
        ("x", 2.5, "parameters.x is 2.5"),
        ("target", 1.1, "parameters.target is 1.1"),
        # 0.2 m of keeper and 0.18 m of ball in a step of 10 ms: 38 m/s
        ("speed", 38.1, "farther than ball and keeper are deep"),
    ],
)
def test_a_wrong_parameter_is_one_line(axis, value, says):
    axes = {"x": 0.0, "y": 1.8, "speed": 3.0, "target": 0.5, axis: value}
    one = over(**{f"parameters__{name}": [number] for name, number in axes.items()})
    with pytest.raises(ScenarioError, match=says) as refused:
        swept("goalkeeper/saved_shots", one, "duration=0.05", "time_step=0.01")
    assert "\n" not in str(refused.value)


def test_engines_that_tell_no_touch_are_one_line():
    with pytest.raises(ScenarioError, match="no engine closed-form") as refused:
        swept("goalkeeper/saved_shots", *TINY, "engine=closed-form")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        (("controller=null",), "ball that is free"),
        (("controller.path=!Line {}",), "ball that is free"),
        (("terrain.slope_deg=1.0",), "level grass"),
    ],
)
def test_other_scenes_are_refused(settings, match):
    with pytest.raises(ScenarioError, match=match) as refused:
        oracle_of(context(*settings))
    assert "\n" not in str(refused.value)
