"""Roll of feet: the edge that bears stays where it is, and nothing jumps."""

from functools import cache

import numpy as np
import pytest

from footfall.errors import FootfallError
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall_controllers.walk_pattern import WalkPattern
from footfall_controllers.walking.foot_roll import edges, pitch_of
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.walk import WalkParameters
from footfall_controllers.walking.walk_state import WalkState

NAME = "humanoid/walk_heel_toe"


@cache
def pattern():
    """The walk's pattern, its parameters, and a state in which both feet stand."""
    scenario = load_scenario(NAME)
    robot = build_robot(scenario)
    law = scenario.controller
    walking = WalkParameters(law.walk, law.walk.feet_on(law.contacts), 0.005)
    system = WalkPattern(robot.plant, walking)
    q = robot.initial_state[: robot.plant.num_positions()]
    start = system.references.geometry.stance(q)
    walk = WalkState(
        int(Phase.OVERLAP), step=4, since=2.0, time=2.0, places=start.places, q=q,
        swings=np.zeros((2, 9)), length=walking.gait.overlap, down=np.full(2, 2.0),
    )  # fmt: skip
    return system, walking, walk


def sole(k, time):
    """Corners (n, 3) of a sole where the references put it, and which of them are ahead."""
    system, walking, walk = pattern()
    rolling, geometry = system.references.rolling, system.references.geometry
    foot = list(walking.feet.values())[k]
    flat = geometry.below(walk, k).axes, np.zeros(3), np.zeros(3)
    middle = walk.places[k, :3] + rolling.offset(walk, k, flat[0], walk.since + time)[0]
    R = rolling.turn(walk, k, flat, walk.since + time)[0]
    return middle + (foot.corners - foot.centre) @ R.T, foot.corners[:, 0] > foot.centre[0]


@pytest.mark.parametrize(("k", "times"), [(1, (0.0, 0.05, 0.09)), (0, (0.07, 0.15, 0.199))])
def test_a_foot_turns_about_the_edge_that_bears(k, times):
    # after the fifth swing the right foot has landed, and the left one is about to leave
    _, walking, walk = pattern()
    assert "right" in walking.gait.group(walk.step)
    flat = sole(k, 0.13 if k == 1 else 0.0)[0]
    for time in times:
        corners, ahead = sole(k, time)
        bears = ~ahead if k == 1 else ahead
        assert corners[bears] == pytest.approx(flat[bears], abs=1e-12)
        assert (corners[~bears, 2] > flat[~bears, 2] + 1e-5).all()


@pytest.mark.parametrize("k", [0, 1])
def test_rates_of_the_roll_are_those_of_its_places(k):
    system, _, walk = pattern()
    rolling, axes, h = (
        system.references.rolling,
        system.references.geometry.below(walk, k).axes,
        1e-3,
    )
    for now in walk.since + np.linspace(0.015, 0.185, 8):
        before, here, after = (rolling.offset(walk, k, axes, now + late) for late in (-h, 0.0, h))
        # h^2 / 6 of a third derivative of some hundred m/s^3
        assert here[1] == pytest.approx((after[0] - before[0]) / (2.0 * h), abs=2e-4)
        _, rate, _ = rolling.turn(walk, k, (axes, np.zeros(3), np.zeros(3)), now)
        angles = [rolling.pitch(walk, k, now + late) for late in (-h, h)]
        assert rate == pytest.approx([0.0, np.diff(angles)[0] / (2.0 * h), 0.0], abs=5e-3)


def test_a_pitch_goes_on_from_phase_to_phase():
    _, walking, _ = pattern()
    roll, schedule = walking.gait.roll, walking.gait
    swing, overlap = schedule.swing, schedule.overlap

    def of(phase, step, time):
        length = schedule.length(phase, step)
        return pitch_of(roll, schedule, phase, step, "right", time, length)[0]

    # the right foot swings in even steps
    assert of(Phase.OVERLAP, 5, overlap) == pytest.approx(np.radians(roll.lift))
    assert of(Phase.SWING, 6, 0.0) == pytest.approx(np.radians(roll.lift))
    assert of(Phase.SWING, 6, swing) == pytest.approx(-np.radians(roll.strike))
    assert of(Phase.OVERLAP, 6, 0.0) == pytest.approx(-np.radians(roll.strike))
    assert of(Phase.OVERLAP, 6, roll.settle) == 0.0
    # while it bears alone it is flat
    assert [of(Phase.SWING, 7, time) for time in np.linspace(0.0, swing, 9)] == [0.0] * 9
    # the walk begins and ends on flat feet
    last = schedule.steps - 1
    assert of(Phase.SWING, 0, 0.0) == 0.0
    ended = pitch_of(roll, schedule, Phase.SWING, last, "left", swing, swing)[0]
    assert ended == pytest.approx(0.0)


def test_halves_of_a_sole_bear_by_turns():
    system, walking, walk = pattern()
    rolling = system.references.rolling
    found = {}
    for time in (0.02, 0.05, 0.15, 0.199):
        flat = system.references.contacts(walk, walk.since + time)
        found[time] = rolling.shares(walk, walk.since + time, flat)
    assert found[0.05]["right_foot (heel)"] == 1.0
    assert found[0.05]["right_foot (ball)"] == found[0.05]["right_toe"] == 0.0
    assert found[0.15]["right_foot (ball)"] == found[0.15]["right_toe"] == 1.0
    # the heel rises 0.06 s after the other foot has landed
    assert found[0.02]["left_foot (heel)"] == 1.0
    assert found[0.15]["left_foot (heel)"] == 0.0
    assert found[0.15]["left_foot (ball)"] == found[0.15]["left_toe"] == 1.0
    assert found[0.199]["left_toe"] < 0.1
    rear, front = edges(walking.feet["left"].corners)
    assert (rear[:, 0].max(), front[:, 0].min()) == pytest.approx((0.0, 0.2432))


def test_points_do_not_roll():
    settings = ["controller.walk.roll={settle: 0.05, rise: 0.05}", "controller.walk.overlap=0.1"]
    scenario = load_scenario("scenes/trot", settings)
    with pytest.raises(FootfallError, match="has no length along x"):
        scenario.controller.system(build_robot(scenario).plant)
    with pytest.raises(FootfallError, match="do not roll"):
        load_scenario("humanoid/walk_opc", ["controller.walk.roll={settle: 0.1, rise: 0.1}"])
