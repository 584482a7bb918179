"""A foot with many corners costs what four cost, and moves as if all of them were looked at."""

import numpy as np
import pytest
from tests.engines.scenery import at, mesh, scene, write_obj
from tests.engines.tiny import GRAVITY

from footfall.engines import machine
from footfall.engines.few_points import FEW, begin_with
from footfall.engines.record import COLUMNS, POINT
from footfall.run import run_scenario

CORNERS, RADIUS, HALF, MASS = 20, 0.1, 0.05, 2.0
MOMENTS = (MASS * (RADIUS**2 / 4 + HALF**2 / 3),) * 2 + (MASS * RADIUS**2 / 2,)


@pytest.fixture
def disc(tmp_path):
    """Makes scenarios of a prism with 20 corners below, at a height and tilted."""
    angles = 2.0 * np.pi * np.arange(CORNERS) / CORNERS
    ring = RADIUS * np.column_stack((np.cos(angles), np.sin(angles), np.zeros(CORNERS)))
    up = np.array([0.0, 0.0, HALF])
    corners = np.vstack([ring - up, ring + up])
    body = mesh(write_obj(tmp_path / "disc.obj", corners), MASS, MOMENTS)

    def make(height=0.0, speeds=None, roll=0.0, **fields):
        place = at((0.0, 0.0, HALF + height), roll=roll)
        return scene(tmp_path, {"disc": body}, {"disc": place}, {"disc": speeds or {}}, **fields)

    return make


def _run(scenario):
    return run_scenario(scenario, "disc", "moreau").trajectory.data


@pytest.mark.slow
def test_at_rest_a_few_points_bear_the_weight(disc):
    data = _run(disc(duration=0.1, friction=0.5))
    impulse = data["impulse"].sel(axis="n").to_numpy()[1:]
    np.testing.assert_allclose(impulse.sum(axis=1) / 1e-3, MASS * GRAVITY, rtol=1e-9)
    assert ((impulse > 0.0).sum(axis=1) <= FEW).all()
    assert float(np.abs(data["v"]).max()) < 1e-12


@pytest.mark.slow
def test_it_slides_as_far_as_coulomb_says(disc):
    """v^2 / (2 mu g); it tips a little as it begins, so that other corners have to help."""
    data = _run(disc(duration=0.4, friction=0.4, speeds={"vx": 1.0}))
    way = data["q"].to_numpy()[:, 4]
    assert way[-1] - way[0] == pytest.approx(1.0 / (2 * 0.4 * GRAVITY), rel=2e-3)
    assert np.abs(data["q"].to_numpy()[-1, 1:4]).max() < 1e-6  # nor has it turned


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_landing_without_friction_is_that_of_all_points(disc, restitution, monkeypatch):
    """Without friction velocities are unique: nothing else may come of fewer points."""
    scenario = disc(0.02, roll=7.0, duration=0.3, friction=0.0, restitution=restitution)
    few = _run(scenario)["q"].to_numpy()
    monkeypatch.setattr(machine, "face_of_points", lambda contacts: np.full(len(contacts), -1))
    everything = _run(scenario)["q"].to_numpy()
    np.testing.assert_allclose(few, everything, rtol=0.0, atol=1e-7)


def test_what_bore_a_load_begins_and_else_wide_corners():
    face = np.array([-1, 0, 0, 0, 0, 0, 0, 1, 1])
    each, rows, chosen = np.arange(9), np.zeros((9, COLUMNS)), np.zeros(9, dtype=bool)
    rows[1:7, POINT], rows[1:7, POINT + 1] = [0, 1, 2, 2, 1, 0], [0, 0, 0, 1, 1, 1]
    guess = np.zeros((9, 3))
    begin_with(face, 9, each, each, guess, rows, chosen)
    np.testing.assert_array_equal(np.flatnonzero(chosen), [0, 1, 3, 4, 6, 7, 8])
    guess[[2, 5], 0] = 1.0
    begin_with(face, 9, each, each, guess, rows, chosen)
    np.testing.assert_array_equal(np.flatnonzero(chosen), [0, 2, 5, 7, 8])
