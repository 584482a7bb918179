"""Swings that end with the touch-down of their feet, not with their time."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from tests.slow import some_longest

from footfall.errors import ScenarioError
from footfall.feet.steps import slip_of_steps
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall_controllers.walk_pattern import WalkPattern
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.touch_down import ALOFT, TouchDown

BY_CONTACT = "controller.walk.by_contact={}"
BOXES = (
    "!RoughGround {kind: steps, height: 0.04, cell: 0.4, size: [12.0, 2.0], centre: [5.5, 0.0], "
    "flat_radius: 0.6}"
)
LAW = TouchDown(confirmed=0.01, earliest=0.6, latest=1.1, probe=0.3, stance=0.5)


def test_a_foot_that_is_felt_long_enough_is_down():
    felt = np.zeros(3)
    for contact in ([1, 1, 0], [1, 0, 0], [1, 1, 0]):
        felt = LAW.felt_for(felt, np.array(contact, dtype=bool), 0.005)
    assert felt == pytest.approx([0.015, 0.005, 0.0])
    assert LAW.down(felt, 0.3, 0.5).tolist() == [True, False, False]
    assert not LAW.down(felt, 0.29, 0.5).any()  # it may still scuff the ground
    assert LAW.down(felt, 0.55, 0.5).all()  # ground or not


def test_an_overlap_makes_up_for_what_a_foot_was_early_or_late_by():
    # a swing of 0.5 s from 2 s on, and all feet on the ground for 0.1 s after it
    beat = 2.6
    assert LAW.overlap(0.1, 2.47, beat) == pytest.approx(0.13)
    assert LAW.overlap(0.1, 2.52, beat) == pytest.approx(0.08)
    assert LAW.overlap(0.1, 2.58, beat) == pytest.approx(0.05)  # half of it at least


def test_a_foot_comes_down_smoothly_to_the_speed_of_its_search():
    times = np.linspace(-0.1, 0.2, 601)
    depth, speed, rate = np.array([LAW.below(time) for time in times]).T
    assert depth[times < -0.05].max() == 0.0
    assert speed[-1] == 0.3
    # derivatives of one another, but for the two jumps of the acceleration
    assert np.gradient(depth, times) == pytest.approx(speed, abs=0.3 / 0.05 * 5e-4)
    inner = np.abs(np.abs(times + 0.025) - 0.025) > 1e-3
    assert np.gradient(speed, times)[inner] == pytest.approx(rate[inner], abs=1e-9)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("load: 0.0", "load is 0"),
        ("confirmed: -0.1", "confirmed is -0.1"),
        ("earliest: 1.2", "earliest is 1.2"),
        ("latest: 0.9", "from 1 on"),
        ("stance: 0.0", "stance is 0.0"),
        ("probe: -1.0", "probe is -1"),
    ],
)
def test_touch_downs_that_are_none_are_refused_in_one_line(setting, says):
    changes = [f"controller.walk.by_contact={{{setting}}}", "duration=0.01"]
    with pytest.raises(ScenarioError, match=says) as refused:
        run_scenario(load_scenario("humanoid/walk", changes), "walk")
    assert "\n" not in str(refused.value)


@cache
def robot():
    return build_robot(load_scenario("humanoid/walk", [BY_CONTACT]))


def pattern():
    """Pattern of the humanoid's walk on its own, its context, and the state of the walk in it."""
    scenario = load_scenario("humanoid/walk", [BY_CONTACT])
    plant = robot().plant
    controller = scenario.controller
    parameters = controller.walk.parameters(controller.contacts, controller.period)
    system = WalkPattern(plant, parameters)
    context = system.CreateDefaultContext()
    system.GetInputPort("state").FixValue(context, robot().initial_state)
    return system, context, parameters


def ticked(system, context, time, contact):
    """State of the walk after a tick at a time, while feet are felt, left and right."""
    system.GetInputPort("contact").FixValue(context, contact)
    context.SetTime(time)
    found = system.AllocateDiscreteVariables()
    found.SetFrom(context.get_discrete_state())
    system._tick(context, found)
    context.SetDiscreteState(found)
    return system.walk(context)


def until_swing(system, context, parameters):
    """Let a walk begin its first swing, of the right foot; return when."""
    time, walk = 0.0, system.walk(context)
    while walk.phase != Phase.SWING:
        walk = ticked(system, context, time, [1.0, 1.0])
        time += parameters.period
    return walk.since


def targets(system, context):
    return system.GetOutputPort("targets").Eval(context)


def test_a_foot_that_lands_early_bears_and_the_walk_keeps_its_beat():
    system, context, parameters = pattern()
    schedule, began = parameters.schedule, until_swing(system, context, parameters)
    assert ticked(system, context, began + 0.5 * schedule.swing, [1.0, 1.0]).phase == Phase.SWING
    early = began + 0.8 * schedule.swing
    assert ticked(system, context, early - 0.01, [1.0, 0.0]).down[1] == ALOFT
    walk = ticked(system, context, early, [1.0, 1.0])
    assert walk.phase == Phase.OVERLAP
    assert walk.down[1] == early
    assert walk.since + walk.length == pytest.approx(began + schedule.period)
    # its contact takes its load in a ramp from the touch-down on
    shares = []
    for late in (0.0, 0.5 * parameters.ramp, parameters.ramp):
        context.SetTime(early + late)
        link = next(iter(parameters.feet["right"].contacts))
        shares.append(targets(system, context).contacts[link])
    assert shares == pytest.approx([0.02, 0.5, 1.0])
    # and the next swing begins with the beat
    walk = ticked(system, context, began + schedule.period, [1.0, 1.0])
    assert (walk.phase, walk.step) == (Phase.SWING, 1)


def test_a_foot_that_meets_no_ground_looks_for_it_further_down():
    system, context, parameters = pattern()
    schedule, began = parameters.schedule, until_swing(system, context, parameters)
    heights = []
    for late in (0.0, 0.02, 0.04):
        walk = ticked(system, context, began + schedule.swing + late, [1.0, 0.0])
        assert walk.phase == Phase.SWING
        reference = targets(system, context).tasks["place/right"]
        heights.append(reference.value[2])
        assert reference.rate[2] == pytest.approx(-0.3)
    assert np.diff(heights) == pytest.approx([-0.006, -0.006])
    assert ticked(system, context, began + 1.1 * schedule.swing, [1.0, 0.0]).phase == Phase.OVERLAP


def walked(name, engine, *changes):
    run = run_scenario(load_scenario(name, changes), name, engine).trajectory
    assert run.status.value == "done", run.message
    return run.data


@pytest.mark.slow
@pytest.mark.parametrize("engine", some_longest(["moreau", "drake-sap"], "drake-sap"))
def test_a_walk_by_contact_steps_in_time_without_slipping(engine):
    steps = 20
    data = walked(
        "humanoid/walk", engine, "record_every=5", BY_CONTACT, "controller.walk.swing=0.45",
        "controller.walk.overlap=0.1", f"controller.walk.steps={steps}", "duration=12.5",
    )  # fmt: skip
    changes = [np.flatnonzero(np.diff(foot)) for foot in data["foot_contact"].values.T]
    assert [len(each) for each in changes] == [steps, steps]  # no contact flickers
    landings = np.sort(np.concatenate([data["time"].values[each[1::2]] for each in changes]))
    assert np.diff(landings)[:-1] == pytest.approx(np.full(steps - 2, 0.55), abs=0.03)
    assert all(b > a for a, b in pairwise(landings))
    assert np.concatenate(slip_of_steps(data)).max() < 1e-3
    moved = data["base_position"].values[-1] - data["base_position"].values[0]
    assert moved[0] == pytest.approx((steps - 1.5) * 0.165, abs=0.1)


@pytest.mark.slow
@pytest.mark.longest
def test_feet_that_feel_the_ground_slip_less_where_it_is_not_known():
    unknown = (
        "record_every=1", "duration=5.5", "pushes=[]", "controller.walk.height=0.07",
        "controller.walk.knows_ground=false",
        f"terrain={BOXES}",
    )  # fmt: skip
    slips = {}
    for name, change in (("time", ()), ("contact", (BY_CONTACT,))):
        data = walked("scenes/trot", "moreau", *unknown, *change)
        moved = data["base_position"].values[-1] - data["base_position"].values[0]
        assert moved[0] == pytest.approx(14.5 * 0.15, abs=0.15)
        slips[name] = np.concatenate(slip_of_steps(data)).max()
    # a foot on a box of 4 cm that it takes for the plane presses on for a fifth of a swing
    assert slips["contact"] < 0.015
    assert slips["time"] > 2.0 * slips["contact"]
