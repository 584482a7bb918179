"""Pushes as scenarios name them: what is refused, and what random ones are."""

from itertools import pairwise

import numpy as np
import pytest
from tests.engines.tiny import BALL, POINT, simulate, tiny

from footfall.errors import ScenarioError
from footfall.plants.pushes import Push, RandomPushes
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario, parse_scenario
from footfall.trajectory.pushes import LinkPush

HEAD = """
directives:
- add_model: {name: ball, file: package://footfall/urdf/ball/ball.urdf}
"""


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ("{force: [1, 0, 0]}", "pushes.0 has no link"),
        ("{link: ball}", "pushes.0: the push on 'ball' has neither force nor torque"),
        ("{link: ball, force: [.nan, 0, 0]}", "force is .nan, 0.0, 0.0.: give 3 finite"),
        ("{link: ball, force: [1, 0]}", "force is .1.0, 0.0.: give 3 finite numbers"),
        ("{link: ball, at: [0, .inf, 0], force: [1, 0, 0]}", "at is .*give 3 finite"),
        ("{link: ball, force: [1, 0, 0], start: -1}", "start is -1.0: give seconds from 0"),
        ("{link: ball, force: [1, 0, 0], duration: 0}", "duration is 0.0: give seconds above"),
        ("{link: ball, force: [1, 0, 0], shape: bump}", "shape is 'bump': choose one of step"),
        ("{link: ball, force: [1, 0, 0], shape: half_sine}", "a half_sine needs a duration"),
        ("{link: ball, force: [1, 0, 0], frame: tool}", "frame is 'tool': choose one of world"),
    ],
)
def test_bad_fields_of_pushes_are_refused(fields, what):
    with pytest.raises(ScenarioError, match=what) as refused:
        parse_scenario(f"{HEAD}pushes: [{fields}]")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ("{}", "give count or rate, one of them"),
        ("{count: 2}", "give force or impulse, one of them"),
        ("{count: 2, rate: 1.0, force: 1.0}", "give count or rate, one of them"),
        ("{count: -1, force: 1.0}", "count is -1: give a number from 0"),
        ("{count: 2, force: .inf}", "force is inf: give a finite number"),
        ("{count: 2, force: 1.0, smallest: 2.0}", "smallest is 2, above the largest, 1"),
        ("{count: 2, force: 1.0, direction: up}", "direction is 'up': choose one of horizontal"),
        ("{count: 2, force: 1.0, start: 0.95}", "none of 0.1 s fits between 0.95 s and 1 s"),
        ("{rate: 1.0e+6, force: 1.0}", "rate is 1e.06: more than 10000 pushes"),
    ],
)
def test_bad_fields_of_random_pushes_are_refused(fields, what):
    with pytest.raises(ScenarioError, match=what):
        parse_scenario(f"{HEAD}random_pushes: {fields}")


def test_unknown_and_fixed_links_are_refused(tmp_path):
    push = Push("mas", force=[1.0, 0.0, 0.0])
    with pytest.raises(ScenarioError, match="there is no link 'mas'; did you mean 'mass'"):
        build_robot(tiny(tmp_path, POINT, welded="slope", pushes=[push]))
    push = Push("slope", force=[1.0, 0.0, 0.0])
    with pytest.raises(ScenarioError, match="'slope' is fixed to the world and takes no push"):
        build_robot(tiny(tmp_path, POINT, welded="slope", pushes=[push]))
    random = RandomPushes(count=1, force=1.0)
    with pytest.raises(ScenarioError, match="no link of the model is free in space"):
        build_robot(tiny(tmp_path, POINT, welded="slope", random_pushes=random))


def test_engines_without_ports_take_none():
    push = ["pushes=[{link: hip, force: [1, 0, 0]}]"]
    with pytest.raises(ScenarioError, match="engine closed-form: it knows no pushes") as refused:
        run_scenario(load_scenario("biped/climb", push), "biped/climb", "closed-form")
    assert "\n" not in str(refused.value)


def test_random_pushes_follow_from_the_seed(tmp_path):
    random = RandomPushes(rate=50.0, impulse=2.0, smallest=1.0, duration=0.1, start=1.0, end=9.0)
    ball = tiny(tmp_path, BALL, duration=10.0, random_pushes=random)
    plant = build_robot(ball).plant
    drawn = [random.draw(plant, seed, 10.0) for seed in (3, 3, 4)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
    pushes = drawn[0]
    # 50 a second over 7.9 s: 395, give or take four times the root of that
    assert len(pushes) == pytest.approx(395, abs=80)
    starts = np.array([push.start for push in pushes])
    assert starts.min() >= 1.0
    assert starts.max() <= 8.9
    assert (np.diff(starts) >= 0.0).all()
    force = np.array([push.force for push in pushes])
    assert not force[:, 2].any()
    size = 0.1 * np.linalg.norm(force, axis=1)
    assert 1.0 <= size.min() < 1.05
    assert 1.95 < size.max() <= 2.0
    # no direction is preferred: a mean of 395 unit vectors is about 0.05 long
    assert np.linalg.norm(force.mean(axis=0)) < 0.2 * np.linalg.norm(force, axis=1).mean()


def test_a_half_sine_has_the_impulse_that_was_drawn(tmp_path):
    random = RandomPushes(count=1, impulse=0.3, smallest=0.3, shape="half_sine", direction="any")
    run = simulate(tiny(tmp_path, BALL, duration=0.3, time_step=0.01, random_pushes=random))
    assert run.metrics["push_impulse"] == pytest.approx(0.3, rel=1e-12)


def test_means_over_steps_add_up_to_the_integral():
    push = LinkPush("ball", (0, 0, 0), 0.03, 0.17, (3.0, 0, 0), (0, 0, 0), "half_sine")
    edges = np.linspace(0.0, 0.3, 38)
    total = sum(push.impulse(a, b) for a, b in pairwise(edges.tolist()))
    assert total == pytest.approx(2.0 / np.pi * 3.0 * 0.14, rel=1e-14)
    # and to the values in between, by Gauss's rule of two points
    middle, half = 0.5 * (0.08 + 0.09), 0.005 / np.sqrt(3.0)
    values = 0.5 * (push.share(middle - half) + push.share(middle + half))
    assert push.mean_share(0.08, 0.09) == pytest.approx(values, rel=1e-5)


def test_a_push_of_size_zero_is_one_that_does_nothing():
    fallen, pushed = (
        run_scenario(parse_scenario(f"{HEAD}duration: 0.01\npushes: [{push}]"), "ball")
        for push in ("", "{link: ball, force: [0, 0, 0]}")
    )
    np.testing.assert_array_equal(pushed.trajectory.data["q"], fallen.trajectory.data["q"])
