"""Shots with a ball that is free: it slides, rolls, and meets keeper, post or net."""

import functools
import math

import numpy as np
import pytest
from tests.scenario.runs import run
from tests.slow import some_slow

from footfall.machines.goalkeeper.measures import (
    ShotOutcome,
    observables_of,
    outcome_of,
    touch_time,
)
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.textbook.rolling import SHELL, Rolling

RADIUS, MASS, MU = 0.09, 0.294, 0.5
MARK = np.array([0.0, 1.8])
engines = pytest.mark.parametrize("engine", ["moreau", "drake"])


@functools.cache
def _shot(engine, speed, target, *settings):
    """The shipped shot from the penalty mark at another speed towards (target, 0), run once."""
    way = np.array([target, 0.0]) - MARK
    vx, vy = speed * way / np.linalg.norm(way)
    name = "goalkeeper/shot_rolling"
    velocities = [
        f"initial.velocities.ball_ball_vx={float(vx)!r}",
        f"initial.velocities.ball_ball_vy={float(vy)!r}",
    ]
    return run_scenario(load_scenario(name, [*velocities, *settings]), name, engine)


def _closed(speed):
    return Rolling(m=MASS, r=RADIUS, beta=SHELL, mu=MU, v0=speed)


def _motion(run):
    """Time, way from the mark, speed, spin about the axis of rolling, before the ball arrives."""
    data = run.trajectory.data
    observed = observables_of(run.trajectory)
    before = observed.ball[:, 1] > 0.3  # from the keeper, which stands 0.1 m before the line
    way = np.linalg.norm(observed.ball - MARK, axis=1)
    spin = np.linalg.norm(data["v"].sel(velocity=["ball_ball_wx", "ball_ball_wy"]), axis=1)
    speed = np.linalg.norm(observed.ball_velocity, axis=1)
    return (part[before] for part in (observed.time, way, speed, spin))


def test_before_it_arrives_the_ball_moves_as_the_closed_form_does():
    # so that sliding ends with a step: else that step's friction is a mean, and the way is off by
    # the square of the step
    speed = 0.24 * MU * 9.81 * (1.0 + SHELL) / SHELL
    closed = _closed(speed)
    assert closed.sliding_time == pytest.approx(0.24, rel=1e-14)
    time, way, v, spin = _motion(_shot("moreau", speed, -1.0))
    assert time[-1] > 2.0 * closed.sliding_time
    # impulses are solved to 1e-10 of themselves, a few hundred steps of them
    assert v == pytest.approx(closed.speed(time), abs=1e-9)
    assert spin == pytest.approx(closed.spin(time), abs=1e-7)
    assert way == pytest.approx(closed.distance(time), abs=1e-9)
    assert v[-1] == pytest.approx(speed / (1.0 + SHELL), rel=1e-9)


def test_at_any_speed_the_way_is_off_by_less_than_the_step_in_which_it_begins_to_roll():
    closed = _closed(3.0)
    time, way, v, _ = _motion(_shot("moreau", 3.0, -1.0))
    assert v[-1] == pytest.approx(closed.speed(time)[-1], abs=1e-9)
    # a quarter of a step, at most, at what friction changes in it
    assert np.abs(way - closed.distance(time)).max() <= 0.25 * 1e-6 * MU * 9.81


@pytest.mark.slow
def test_drakes_ball_does_so_too_on_ground_that_yields():
    closed = _closed(3.0)
    time, way, v, spin = _motion(_shot("drake", 3.0, -1.0))
    # it has to sink in before the ground carries it, which takes sqrt(m/k) = 3.2 ms whatever it
    # weighs: friction of 1e-3 s is 5e-3 m/s, and 1e-3 m after a fifth of a second
    assert v == pytest.approx(closed.speed(time), abs=0.02)
    assert spin * RADIUS == pytest.approx(closed.spin(time) * RADIUS, abs=0.03)
    assert way == pytest.approx(closed.distance(time), abs=4e-3)
    # it rolls 0.1 mm deep, g over k/m, which shortens its radius of 9 cm by a thousandth
    assert v[-1] == pytest.approx(3.0 / (1.0 + SHELL), abs=2e-3)


# --- what becomes of it ----------------------------------------------------------------------


SHOTS = [
    (4.0, 0.0, ShotOutcome.SAVED),  # at the keeper
    (4.0, -0.25, ShotOutcome.SAVED),
    (6.0, -1.1, ShotOutcome.GOAL),  # into the corner, sooner than the keeper
    (5.0, -1.6, ShotOutcome.MISSED),  # beside the goal
    (5.0, -1.3, ShotOutcome.MISSED),  # on the post
]


@pytest.mark.parametrize(
    ("engine", "speed", "target", "became"),
    [
        *(("moreau", *shot) for shot in SHOTS),
        *(("drake", *shot) for shot in (SHOTS[2], SHOTS[4])),
        *(pytest.param("drake", *SHOTS[k], marks=pytest.mark.slow) for k in (0, 1, 3)),
    ],
)
def test_what_becomes_of_shots(engine, speed, target, became):
    shot = _shot(engine, speed, target, "duration=0.8")
    observed = observables_of(shot.trajectory)
    assert outcome_of(observed) is became
    for one in (ShotOutcome.GOAL, ShotOutcome.SAVED, ShotOutcome.MISSED):
        assert shot.metrics[one.value] == float(one is became)
    assert math.isfinite(touch_time(observed)) == (became is ShotOutcome.SAVED)
    assert ("touch_time" in shot.metrics) == (became is ShotOutcome.SAVED)


@engines
def test_nothing_becomes_of_a_ball_that_is_no_shot(engine):
    name = "goalkeeper/shot_rolling"
    behind = load_scenario(name, ["initial.positions.ball_ball_y=-0.3", "duration=0.02"])
    metrics = run_scenario(behind, name, engine).metrics
    assert not {"goal", "saved", "missed"} & set(metrics)


@engines
def test_the_post_sends_the_ball_back(engine):
    shot = _shot(engine, 5.0, -1.3, "duration=0.8")
    data, observed = shot.trajectory.data, observables_of(shot.trajectory)
    post = "field::blue_post_left|ball::ball"
    assert (data["mode"].sel(contact=post) > 0).any()
    nearest = int(observed.ball[:, 1].argmin())
    # ball and post touch before the ball is on the line: 0.14 m between their centres
    assert np.linalg.norm(observed.ball[nearest] - [-1.3, 0.0]) == pytest.approx(0.14, abs=5e-3)
    assert observed.ball_velocity[-1, 1] > 0.0
    # Drake has no restitution: little more than the ball's spin brings it back there
    assert observed.ball[-1, 1] > observed.ball[nearest, 1] + 1e-3


@pytest.mark.parametrize("engine", some_slow(["moreau", "drake"], "drake"))
def test_a_goal_ends_in_the_net(engine):
    observed = observables_of(_shot(engine, 6.0, -1.1).trajectory)
    assert observed.ball[-1, 1] < -RADIUS
    # back wall at y = -0.6, side wall at x = -1.3
    assert observed.ball[:, 1].min() > -0.6 + RADIUS - 0.02
    assert observed.ball[:, 0].min() > -1.3 + RADIUS - 0.02


@pytest.mark.parametrize("engine", some_slow(["moreau", "drake"], "drake"))
def test_a_keeper_that_is_quick_enough_saves_the_shipped_shot(engine):
    name = "goalkeeper/shot_rolling"
    assert run(name, engine).metrics["goal"] == 1.0
    quick = run(name, engine, "controller.max_speed=2.0", "controller.max_acceleration=10.0")
    assert quick.metrics["saved"] == 1.0
    # the ball is on the line when the closed form has it there
    closed = _closed(3.0)
    assert quick.metrics["touch_time"] < 1.2
    way = np.linalg.norm(MARK - [-1.0, 0.0])
    assert closed.distance(np.array(quick.metrics["touch_time"])) < way


def test_momentum_goes_from_the_ball_to_the_keeper_at_the_save():
    shot = _shot("moreau", 4.0, 0.0, "controller.max_acceleration=1e-6", "duration=0.7")
    observed, data = observables_of(shot.trajectory), shot.trajectory.data
    row = int(observed.touching.argmax())
    before, after = observed.ball_velocity[row - 1, 1], observed.ball_velocity[row, 1]
    # e = 0.6 against a keeper on a rail, which does not give way across the line
    assert after == pytest.approx(-0.6 * before, rel=1e-9)
    impulse = data["impulse"].sel(contact="keeper::keeper|ball::ball").to_numpy()[row, 0]
    assert impulse == pytest.approx(1.6 * MASS * abs(before), rel=1e-6)
