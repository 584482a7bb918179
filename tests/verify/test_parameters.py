"""The models and starts of the suite against the parameters of their closed forms."""

import math

import numpy as np
import pytest
from pydrake.multibody.tree import SpatialInertia

from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.verify.cases import coin, cradle, rocking_block, rolling


def _inertia(machine, body):
    """Mass and moments of inertia of a body about its centre of mass, which is its origin."""
    plant = machine.plant
    link = plant.GetBodyByName(body)
    spatial: SpatialInertia = link.CalcSpatialInertiaInBodyFrame(plant.CreateDefaultContext())
    assert spatial.get_com() == pytest.approx(np.zeros(3), abs=1e-15)
    return spatial.get_mass(), spatial.CalcRotationalInertia().get_moments()


@pytest.mark.parametrize(
    ("scenario", "body", "start", "axis"),
    [
        ("rolling_sphere", "sphere", rolling.SPHERE_START, 1),
        ("rolling_cylinder", "cylinder", rolling.CYLINDER_START, 1),
        ("rolling_slope", "sphere", rolling.ON_SLOPE, 1),
    ],
)
def test_what_rolls_is_what_the_closed_form_says(scenario, body, start, axis):
    loaded = load_scenario(f"verify/{scenario}")
    machine = build_robot(loaded)
    mass, moments = _inertia(machine, body)
    assert mass == start.m
    assert moments[axis] == pytest.approx(start.beta * start.m * start.r**2, rel=1e-14)
    assert machine.contacts.mu == pytest.approx(start.mu, rel=1e-15)
    assert -math.radians(loaded.terrain.slope_deg) == pytest.approx(start.alpha, rel=1e-15)
    state = machine.initial_state
    assert state[6] == pytest.approx(start.r, abs=2e-12)
    assert state[7:].tolist() == [0.0, 0.0, 0.0, start.v0, 0.0, 0.0]


def test_the_balls_of_the_cradle_are_equal_and_the_last_two_touch():
    machine = build_robot(load_scenario("verify/cradle"))
    assert [_inertia(machine, f"ball{k}")[0] for k in (1, 2, 3)] == cradle.MASSES.tolist()
    state = machine.initial_state
    assert state[0] == -cradle.WAY
    assert state[3:].tolist() == cradle.ARRIVING.tolist()
    dynamics = Dynamics(machine.model, machine.contacts)
    dynamics.set_state(state)
    gaps = np.sort(dynamics.gaps()[0])
    # a hair of overlap, then the way of the first ball
    assert gaps[0] == pytest.approx(0.0, abs=2e-12)
    assert gaps[0] < 0.0


@pytest.mark.parametrize(
    ("scenario", "block", "released", "upright"),
    [
        ("rocking_block", rocking_block.SLENDER, rocking_block.RELEASED, 0.0),
        (
            "rocking_block_lying",
            rocking_block.LYING,
            rocking_block.RELEASED_LYING,
            rocking_block.QUARTER_TURN,
        ),
    ],
)
def test_the_block_is_that_of_the_closed_form(scenario, block, released, upright):
    machine = build_robot(load_scenario(f"verify/{scenario}"))
    mass, moments = _inertia(machine, "block")
    assert mass == block.m
    assert moments[1] == pytest.approx(block.m * block.R**2 / 3.0, rel=1e-14)
    x, z, theta = machine.initial_state[:3]
    assert theta - upright == pytest.approx(released, abs=1e-15)
    assert z == pytest.approx(block.R * math.cos(block.alpha - released), abs=2e-12)
    assert x == 0.0


@pytest.mark.parametrize(
    ("name", "steady", "across", "height", "radius"),
    [
        ("coin", coin.COIN, coin.COIN.rho, coin.COIN.height, coin.COIN.rho),
        (
            "top",
            coin.TOP,
            coin.TOP.l * math.sin(coin.TOP.theta),
            coin.TOP.l * math.cos(coin.TOP.theta),
            coin.TOP.l * math.sin(coin.TOP.theta),
        ),
    ],
)
def test_spinning_bodies_start_in_their_steady_motion(name, steady, across, height, radius):
    machine = build_robot(load_scenario(f"verify/{name}"))
    mass, moments = _inertia(machine, name)
    assert mass == steady.m
    assert moments == pytest.approx([steady.A, steady.A, steady.C], rel=1e-12)
    state = machine.initial_state
    half = 0.5 * steady.theta
    # numbers in the scenario have 16 digits, and the height is measured
    assert state[:4] == pytest.approx([math.cos(half), 0.0, math.sin(half), 0.0], abs=1e-14)
    assert state[4:7] == pytest.approx([across, 0.0, height], abs=2e-12)
    along = np.array([math.sin(steady.theta), 0.0, math.cos(steady.theta)])
    omega = steady.spin * along + steady.precession * np.array([0.0, 0.0, 1.0])
    assert state[7:10] == pytest.approx(omega, abs=1e-13)
    assert state[10:] == pytest.approx([0.0, steady.precession * radius, 0.0], abs=1e-13)
