"""The quadruped's file: its masses, and legs that mirror each other."""

import numpy as np
import pytest

from footfall.plants.loading.load import load_model
from footfall.scenario.assemble import model_spec
from footfall.scenario.io import load_scenario

LEGS = ("FL", "FR", "RL", "RR")


@pytest.fixture(scope="module")
def plant():
    return load_model(model_spec(load_scenario("scenes/quadruped"))).plant


def test_masses_are_those_of_the_card(plant):
    context = plant.CreateDefaultContext()
    assert plant.CalcTotalMass(context) == pytest.approx(8.0 + 4.0 * (0.6 + 0.9 + 0.2 + 0.05))
    assert plant.num_actuators() == 12


def test_it_is_its_own_mirror_image(plant):
    context = plant.CreateDefaultContext()
    for leg, sign in zip(LEGS, (1, -1, 1, -1), strict=True):
        plant.GetJointByName(f"{leg}_roll").set_angle(context, 0.2 * sign)
        plant.GetJointByName(f"{leg}_pitch").set_angle(context, 0.5)
        plant.GetJointByName(f"{leg}_knee").set_angle(context, -1.1)
    bodies = [plant.GetBodyByName(f"{leg}_foot") for leg in LEGS]
    feet = [body.EvalPoseInWorld(context).translation() for body in bodies]
    mirror = np.array([1.0, -1.0, 1.0])
    assert feet[0] == pytest.approx(mirror * feet[1], abs=1e-12)
    assert feet[2] == pytest.approx(mirror * feet[3], abs=1e-12)
    centre = plant.CalcCenterOfMassPositionInWorld(context)
    assert centre[1] == pytest.approx(0.0, abs=1e-12)


def test_a_straight_leg_is_two_segments_long(plant):
    context = plant.CreateDefaultContext()
    foot = plant.GetBodyByName("FL_foot").EvalPoseInWorld(context).translation()
    assert foot == pytest.approx([0.19, 0.06 + 0.09, -0.4], abs=1e-12)
