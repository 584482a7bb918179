"""The numbers of the ball's and the blocks' closed forms are those of their scenarios and files."""

import numpy as np
import pytest

from footfall.plants.coordinates import coordinate_names
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.verify.cases import bouncing_ball, incline


def _machine(name):
    scenario = load_scenario(f"verify/{name}")
    return scenario, build_robot(scenario)


def test_the_ball_falls_from_its_height_with_its_restitution():
    _, machine = _machine("bouncing_ball")
    plant, ball = machine.plant, bouncing_ball.BALL
    names, _ = coordinate_names(plant)
    height = machine.initial_state[names.index("ball_z")]
    assert height - bouncing_ball.RADIUS == pytest.approx(ball.h, abs=1e-15)
    assert machine.contacts.restitution.tolist() == [ball.e]
    assert -plant.gravity_field().gravity_vector()[2] == ball.g


def test_the_threshold_is_a_millionth_away_on_either_side():
    scenario, machine = _machine("incline_threshold")
    assert np.deg2rad(-scenario.terrain.slope_deg) == incline.ALPHA
    assert machine.contacts.mu.tolist() == [incline.ABOVE] * 4 + [incline.BELOW] * 4
    assert incline.HANGS.mu == incline.BELOW < np.tan(incline.ALPHA) < incline.ABOVE


@pytest.mark.parametrize(
    ("name", "closed_form", "velocity"),
    [
        ("incline_stop", incline.STOPS, {"box_vx": 1}),
        ("incline_return", incline.RETURNS, {"block_vx": -1}),
        ("incline_across", incline.ACROSS, {"block_vy": 1}),
        ("incline_hold", incline.GOES, {"goes_block_vx": 1}),
        ("incline_hold", incline.CLIMBS, {"climbs_block_vx": -1}),
    ],
)
def test_slope_friction_and_push_are_those_of_the_scenario(name, closed_form, velocity):
    scenario, machine = _machine(name)
    assert np.deg2rad(-scenario.terrain.slope_deg) == closed_form.alpha
    # Drake's rule for a pair rounds
    assert machine.contacts.mu == pytest.approx(closed_form.mu, rel=1e-15)
    for coordinate, sign in velocity.items():
        assert scenario.initial.velocities[coordinate] == sign * closed_form.v0
    assert -machine.plant.gravity_field().gravity_vector()[2] == closed_form.g


@pytest.mark.parametrize(
    ("name", "friction"), [("incline_stop", 0.6), ("incline_hold", 0.45), ("incline_across", 0.55)]
)
def test_no_block_can_tip(name, friction):
    # friction at the feet tips a block of height 2 h over feet at +-b where mu > b/h
    _, machine = _machine(name)
    feet = np.concatenate([shape.points.fixed for shape in machine.contacts.ground])
    lowest = feet[:, 2].min()
    reach = np.abs(feet[feet[:, 2] < lowest + 1e-9, :2]).min()
    assert friction < reach / 0.05
