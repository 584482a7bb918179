"""Outcome of a shot, from where ball and keeper are."""

import numpy as np
import pytest

from footfall.machines.goalkeeper.measures import (
    FieldObservables,
    ShotOutcome,
    is_shot,
    line_speed,
    outcome_of,
    touch_time,
)


def _sight(start, velocity, touched=None, height=0.09, steps=11):
    """A ball that goes straight on for a second; touched: the row in which it meets the keeper."""
    time = np.linspace(0.0, 1.0, steps)
    ball = np.array(start) + time[:, None] * np.array(velocity)
    touching = np.zeros(steps, dtype=bool)
    if touched is not None:
        touching[touched] = True
    return FieldObservables(
        time=time,
        keeper=np.zeros(steps),
        keeper_speed=np.zeros(steps),
        ball=ball,
        ball_velocity=np.tile(velocity, (steps, 1)),
        height=np.full(steps, height),
        touching=touching,
        free=True,
    )


@pytest.mark.parametrize(
    ("observed", "became"),
    [
        (_sight((0.5, 1.0), (0.0, -1.2)), ShotOutcome.GOAL),
        (_sight((0.5, 1.0), (0.0, -1.08)), ShotOutcome.ON_THE_WAY),  # a part of it is on the line
        (_sight((1.35, 1.0), (0.0, -1.2)), ShotOutcome.MISSED),  # beside the post
        (_sight((0.5, 1.0), (0.0, -1.2), height=1.9), ShotOutcome.MISSED),  # over the bar
        (_sight((0.5, 1.0), (0.0, -0.5)), ShotOutcome.ON_THE_WAY),
        (_sight((0.5, 0.5), (0.3, 1.0)), ShotOutcome.MISSED),  # it comes back from somewhere
        (_sight((0.5, 0.5), (0.3, 1.0), touched=2), ShotOutcome.SAVED),
        (_sight((0.5, 1.0), (0.0, -1.2), touched=5), ShotOutcome.GOAL),  # touched, and in
        (
            _sight((0.5, 1.0), (0.0, -0.5), touched=5),
            ShotOutcome.ON_THE_WAY,
        ),  # it comes all the same
        (_sight((0.5, 0.2), (0.0, -1e-5), touched=5), ShotOutcome.SAVED),  # it rests at the keeper
        (
            _sight((0.5, 1.0), (1.0, -1.2), touched=5),
            ShotOutcome.SAVED,
        ),  # turned aside past the post
        # in at first, beside the posts only behind the line
        (_sight((0.8, 0.2), (1.0, -1.0)), ShotOutcome.GOAL),
    ],
)
def test_what_becomes_of_a_shot(observed, became):
    assert outcome_of(observed) is became


@pytest.mark.parametrize(
    ("observed", "shot"),
    [
        (_sight((0.5, 0.1), (0.0, -1.2)), True),
        (_sight((0.5, 0.1), (0.0, -1.2), touched=0), True),
        (_sight((0.5, 0.08), (0.0, -1.2)), False),  # it starts on the line
        (_sight((0.5, -0.2), (0.0, 1.2)), False),  # it comes out of the goal
        (_sight((0.5, 1.0), (0.3, 1.2)), False),  # it goes away
        (_sight((0.5, 1.0), (0.0, 0.0)), False),
    ],
)
def test_a_shot_comes_from_before_the_line(observed, shot):
    assert is_shot(observed) is shot


def test_a_ball_that_the_keeper_sets_in_motion_is_no_shot():
    observed = _sight((0.5, 0.15), (0.0, -1.2), touched=4)
    observed.ball_velocity[:4] = 0.0
    assert not is_shot(observed)


def test_when_it_is_touched_and_how_fast_it_comes_to_the_line():
    observed = _sight((0.5, 1.0), (0.9, -1.2), touched=4)
    assert touch_time(observed) == pytest.approx(0.4)
    assert line_speed(observed) == pytest.approx(1.5, rel=1e-15)
    away = _sight((0.5, 1.0), (0.0, 1.0))
    assert np.isnan(touch_time(away))
    assert np.isnan(line_speed(away))
