"""Gravity as the terrain has it, against the slope and the pull that a plant was loaded with."""

import math

import pytest

from footfall.errors import ModelError
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.terrain import Terrain, level_gravity, slope_and_gravity


def ground(slope_deg=0.0, gravity=9.81):
    return load_model(ModelSpec(terrain=Terrain(slope_deg=slope_deg), gravity=gravity))


@pytest.mark.parametrize("slope_deg", [-5.0, 0.0, 12.0])
def test_slope_is_minus_the_angle_by_which_the_terrain_rises(slope_deg):
    slope, g = slope_and_gravity(ground(slope_deg, 3.7).plant)
    # rounding of a rotation
    assert slope == pytest.approx(-math.radians(slope_deg), abs=1e-15)
    assert g == pytest.approx(3.7, rel=1e-15)


def test_gravity_on_level_ground_is_that_of_the_scenario():
    assert level_gravity(ground(0.0, 1.62).plant, "it stands on level ground", "it falls") == 1.62


@pytest.mark.parametrize(
    ("slope_deg", "gravity", "message"),
    [
        (3.0, 9.81, r"it stands on level ground, this one slopes by 3 degrees\."),
        (0.0, 0.0, r"it falls: set gravity above 0\."),
    ],
)
def test_a_slope_and_no_gravity_are_refused(slope_deg, gravity, message):
    with pytest.raises(ModelError, match=message):
        level_gravity(ground(slope_deg, gravity).plant, "it stands on level ground", "it falls")
