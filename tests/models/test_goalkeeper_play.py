"""Play of the ball that the goalkeeper's models describe, in both engines."""

import numpy as np
import pytest
from tests.models.goalkeeper import (
    BALLS,
    KEEPER,
    MASS,
    STEP,
    VX,
    VY,
    VZ,
    Match,
    R,
    X,
    Y,
    Z,
    spec,
)
from tests.slow import some_slow

from footfall.plants.contacts import ContactMaterial

ENGINES = ("moreau", "drake-sap")


@pytest.mark.parametrize("engine", some_slow(ENGINES, "drake-sap"))
@pytest.mark.parametrize("ball", BALLS)
def test_a_second_of_noise_on_the_actuators_brings_no_warning(engine, ball, caplog):
    count = 1 if ball == "ball" else 3
    # by each step 16.74 kg change their speed by some cm/s, the ball by some dm/s
    scale = np.array([300.0, 30.0, 30.0])[:count]
    forces = scale * np.random.default_rng(7).standard_normal((1000, count))
    states = Match(engine, spec(ball), forces=forces).play(1.0)
    assert np.isfinite(states).all()
    assert np.abs(states).max() < 20.0  # nothing flew away
    assert np.ptp(states[:, 0]) > 0.01  # it did move
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]


# where from and how fast (x, y, z; vx, vy, vz), and the axis that it must not cross there; of what
# the field has on both sides, one
TARGETS = {
    "post": ((1.3, 0.8, R), (0.0, -4.0, 0.0), Y, 0.05 + R),
    "post from the side": ((1.0, 0.0, R), (4.0, 0.0, 0.0), X, 1.3 - 0.05 - R),
    "crossbar": ((0.5, 0.5, 1.8), (0.0, -6.0, 0.5), Y, 0.05 + R),
    "back wall": ((0.6, 0.4, R), (0.0, -5.0, 0.0), Y, -0.6 + R),
    "side wall": ((0.9, -0.3, R), (5.0, 0.0, 0.0), X, 1.3 - R),
    "pole": ((1.9, 3.0, R), (4.0, 0.0, 0.0), X, 2.4 - 0.1 - R),
    "keeper": ((0.0, 0.8, R), (0.0, -4.0, 0.0), Y, 0.1 * np.cos(np.pi / 20.0) + R),
}


@pytest.mark.parametrize("engine", some_slow(ENGINES, "drake-sap"))
@pytest.mark.parametrize("target", TARGETS)
def test_a_ball_meets_what_stands_up(engine, target):
    (x, y, z), (vx, vy, vz), axis, surface = TARGETS[target]
    start = {X: x, Y: y, Z: z, VX: vx, VY: vy, VZ: vz}
    match = Match(engine, spec("ball"), start)
    path = match.play(0.4)[:, axis]
    away = np.sign((y if axis == Y else x) - surface)
    depth = -away * (path - surface)
    # an engine sees the contact a step late at worst; sap is soft by some 1e-5 m besides
    assert -1e-3 < depth.max() < np.linalg.norm([vx, vy, vz]) * STEP + 1e-4


@pytest.mark.parametrize("engine", ENGINES)
def test_a_hit_beside_the_middle_keeps_the_momentum_along_the_rail(engine):
    # without friction nothing else pushes along x; the keeper is hit on a facet that leans
    match = Match(
        engine, spec("ball"), {X: 0.12, Y: 0.6, VY: -4.0}, material=ContactMaterial(friction=0.0)
    )
    states = match.play(0.3)
    keeper, ball = KEEPER * states[:, 8], MASS * states[:, VX]
    assert states[-1, VX] > 0.1  # it was deflected
    # sap stops at a relative error of 1e-6 of the momenta, some 1 N s here
    assert keeper + ball == pytest.approx(np.zeros(len(states)), abs=1e-5)


@pytest.mark.parametrize("engine", some_slow(ENGINES, "drake-sap"))
def test_a_guided_ball_goes_through_the_keeper(engine):
    forces = np.array([[0.0, 0.0, -MASS * 20.0]])
    states = Match(engine, spec("guided_ball"), forces=forces).play(0.3)
    # y = -a t^2 / 2 from the goal line; one step of its speed either way
    assert states[-1, 2] == pytest.approx(-0.5 * 20.0 * 0.3**2, abs=20.0 * 0.3 * STEP)
    assert np.array_equal(states[:, 0], np.zeros(len(states)))
