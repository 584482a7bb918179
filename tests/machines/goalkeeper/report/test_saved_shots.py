"""The page of saved shots, from arrays made by hand."""

import numpy as np
import pytest

from footfall.machines.goalkeeper.analyses.prediction import Prediction
from footfall.machines.goalkeeper.analyses.saved_shots_data import (
    CODES,
    Axes,
    Finer,
    codes_of,
    dataset,
    metrics_of,
)
from footfall.machines.goalkeeper.outcome import ShotOutcome
from footfall.machines.goalkeeper.report.saved_shots import saved_shots_contents
from footfall.report.wording import MINUS, NONE

TOLD = {
    "engine": "moreau",
    "goal_width": 2.6,
    "saturation": 0.7,
    "max_speed": 0.5,
    "max_acceleration": 2.0,
}


def made(outcomes, touched):
    """Shots from (0, 1.8) m at 2 and 3 m/s to two targets: outcomes, and who was to be touched."""
    shots = [
        {
            "outcome": outcome.value,
            "time": 1.5,
            "touch_time": 1.25,
            "ball": [0.5, 0.25],
            "keeper": 0.5,
            "post": False,
        }
        for outcome in outcomes
    ]
    foretold = Prediction(
        np.array(touched),
        np.full(4, 1.0),
        np.tile([0.5, 0.25], (4, 1)),
        np.full(4, 0.5),
    )
    axes = Axes(np.array([0.0]), np.array([1.8]), np.array([2.0, 3.0]), np.array([0.1, 0.9]))
    finer = Finer(
        np.array([2.0, 3.0]),
        np.array([-0.1, 0.1]),
        1.8,
        np.full((2, 2, 2), CODES[ShotOutcome.SAVED], dtype=np.int8),
        np.array([[3.0]]),
    )
    return dataset(axes, shots, foretold, finer, TOLD)


def test_shots_that_end_otherwise_than_foretold_are_listed():
    outcomes = (ShotOutcome.SAVED, ShotOutcome.SAVED, ShotOutcome.GOAL, ShotOutcome.MISSED)
    data = made(outcomes, [True, True, True, False])
    contents = saved_shots_contents(data, {})
    by_target, differences = contents.tables
    assert [row[2:5] for row in by_target.rows] == [("1", "1", "0"), ("1", "0", "1")]
    assert [row[1:5] for row in differences.rows] == [
        (f"{MINUS}1.04 m", "3", "saved", "goal"),
        ("1.04 m", "3", "goal", "missed"),
    ]
    assert [row[5] for row in differences.rows] == ["1.000", NONE]
    assert "2 shots" not in contents.notes[2]
    assert contents.notes[2].startswith("1 shot touches the keeper")
    metrics = metrics_of(data)
    assert (metrics["agreement"], metrics["differences"], metrics["turned_in"]) == (0.5, 2.0, 1.0)
    assert (metrics["mark_speed"], metrics["foretold_mark_speed"]) == (2.0, 3.0)
    assert metrics["touch_delay"] == pytest.approx(0.25)
    assert metrics["touch_distance"] == 0.0


def test_a_map_that_is_all_as_foretold_has_no_table_of_differences():
    contents = saved_shots_contents(made([ShotOutcome.SAVED] * 4, [True] * 4), {})
    assert [table.title for table in contents.tables] == ["Shots by their target"]
    assert contents.notes[0].startswith("100 % of the 4 shots")
    assert len(contents.notes) == 2


def test_a_map_without_a_save_is_drawn():
    contents = saved_shots_contents(made([ShotOutcome.ON_THE_WAY] * 4, [False] * 4), {})
    assert len(contents.figures) == 2


def test_what_is_foretold_has_the_codes_of_outcomes():
    foretold = Prediction(
        np.array([True, False, False, False]),
        np.array([1.0, 1.0, 1.0, np.nan]),
        np.array([[0.0, 0.2], [1.2, -0.1], [1.4, -0.1], [np.nan, np.nan]]),
        np.zeros(4),
    )
    expected = (ShotOutcome.SAVED, ShotOutcome.GOAL, ShotOutcome.MISSED, ShotOutcome.ON_THE_WAY)
    assert codes_of(foretold, 2.6).tolist() == [CODES[outcome] for outcome in expected]
