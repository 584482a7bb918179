"""Samples of a long run, and the centre of mass of one robot among other bodies."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.engines.tiny import BALL, simulate, tiny
from tests.feet.robots import TABLE

from footfall.feet import gait as module
from footfall.feet.gait import sample_rows, spread
from footfall.scenario.schema import InitialState


def test_what_is_sampled_is_linear_between_the_samples():
    rows = sample_rows(1001, 34)
    assert len(rows) == 34
    assert (rows[0], rows[-1]) == (0, 1000)
    every = np.arange(1001.0)
    whole = np.stack((every, 3.0 - 2.0 * every), axis=-1)
    assert spread(whole[rows], rows, 1001) == pytest.approx(whole)
    assert sample_rows(10, 34).tolist() == list(range(10))


def test_no_feet_have_motion_between_samples_too():
    assert spread(np.zeros((3, 0, 3, 4)), np.array([0, 2, 4]), 5).shape == (5, 0, 3, 4)


def test_a_sampled_run_says_what_a_whole_one_does(tmp_path, monkeypatch):
    table = tiny(tmp_path, TABLE, friction=0.7, duration=0.1)
    table.initial = InitialState(drop_along="trunk", gap=0.01)
    whole = simulate(table).trajectory.data["com"].to_numpy()
    monkeypatch.setattr(module.sample_rows, "__defaults__", (26,))  # one row in four
    sampled = simulate(table).trajectory.data["com"].to_numpy()
    # a bend of the path, 0.44 m/s that end within a step, lies up to four steps beside a sample
    assert sampled == pytest.approx(whole, abs=0.44 * 2e-3)
    assert (sampled != whole).any()


def test_a_ball_beside_a_robot_is_no_part_of_it(tmp_path):
    ball = tmp_path / "ball.urdf"
    ball.write_text(BALL)
    table = tiny(tmp_path, TABLE, friction=0.7, duration=0.05)
    alone = simulate(table)
    table.directives.append(ModelDirective(add_model=AddModel(name="ball", file=str(ball))))
    table.initial.positions = {"ball_ball_x": 2.0, "ball_ball_z": 0.1 - 1e-12, "table_trunk_z": 0.5}
    table.initial.velocities = {"ball_ball_vx": -1.0}
    both = simulate(table)
    data = both.trajectory.data
    assert data["foot"].values.tolist() == ["fl", "fr", "hl", "hr"]
    assert data["com"][0].to_numpy() == pytest.approx([0.036, 0.018, 0.5 - 0.16])
    assert both.metrics["fallen"] == 0.0
    # it bears on the ground, and counts neither in the balance of the robot nor as its fall
    rolls = data["contact"].values == "ball::skin"
    assert float(data["impulse"].isel(contact=rolls, axis=0).sum()) > 0.0
    assert not data["ground_contact"].to_numpy()[rolls].any()
    assert alone.metrics["touch_downs"] == both.metrics["touch_downs"]


def test_a_sample_beside_one_that_is_not_known_is_kept():
    values = np.array([[1.0], [2.0], [np.nan], [4.0]])
    every = spread(values, np.array([0, 2, 4, 6]), 7)[:, 0]
    np.testing.assert_array_equal(every[[0, 1, 2, 6]], [1.0, 1.5, 2.0, 4.0])
    assert np.isnan(every[3:6]).all()
