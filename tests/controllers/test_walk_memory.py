"""Results that a walk remembers: they follow what they depend on, and are bounded in number."""

import numpy as np
import pytest

from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall_controllers.walk_pattern import WalkPattern
from footfall_controllers.walking.gait_schedule import Phase
from footfall_controllers.walking.memory import Memory
from footfall_controllers.walking.touch_down import ALOFT
from footfall_controllers.walking.walk import WalkParameters
from footfall_controllers.walking.walk_state import WalkState


@pytest.fixture(scope="module")
def pattern():
    """The pattern of a walk, and positions in which the robot stands."""
    scenario = load_scenario("humanoid/walk")
    robot = build_robot(scenario)
    law = scenario.controller
    walking = WalkParameters(law.walk, law.walk.feet_on(law.contacts), 0.005)
    return WalkPattern(robot.plant, walking), robot.initial_state[: robot.plant.num_positions()]


@pytest.fixture
def swinging(pattern):
    """The pattern, a walk in its third swing, and the foot that swings."""
    system, q = pattern
    walk = WalkState(
        int(Phase.SWING), step=2, since=2.0, time=2.0, q=q, length=0.5, down=np.full(2, ALOFT),
        places=system.references.geometry.stance(q).places.copy(), swings=np.zeros((2, 9)),
    )  # fmt: skip
    (k,) = system.references.geometry.swinging(walk)
    return system, walk, k


def test_a_result_is_worked_out_once_for_what_it_depends_on():
    memory, asked = Memory(), []
    for of in (1, 2, 1, 2):
        assert memory.get(of, lambda of=of: asked.append(of) or 10 * of) == 10 * of
    assert asked == [1, 2]
    for of in range(5000):
        memory.get(of, lambda: 0.0)
    assert len(memory._found) <= 1000


def test_a_landing_follows_the_shift_of_its_step(swinging):
    system, walk, k = swinging
    geometry = system.references.geometry
    before = geometry.landing(walk, k, 2).place
    walk.shift[:] = 0.02, 0.01
    assert geometry.landing(walk, k, 2).place == pytest.approx(before + walk.shift)
    assert geometry.landing(walk, k, 2, shifted=False).place == pytest.approx(before)
    walk.shift[:] = 0.0
    assert geometry.landing(walk, k, 2).place == pytest.approx(before)


def test_polygon_and_level_follow_the_feet_that_stand(swinging):
    system, walk, k = swinging
    geometry, cycle = system.references.geometry, system.references.cycle
    standing = geometry.bearing(walk)
    polygon, level = geometry.polygon(walk, standing), cycle.lowest(walk)
    walk.places[standing, :3] += [0.1, 0.0, -0.05]
    assert geometry.polygon(walk, standing) == pytest.approx(polygon + np.array([0.1, 0.0]))
    assert cycle.lowest(walk) == pytest.approx(level - 0.05)
    corners = system.references.p.feet[geometry.names[standing[0]]].corners[:3]
    assert len(geometry.polygon(walk, standing, {standing[0]: corners})) == 3
    assert len(geometry.polygon(walk, [*standing, k])) > len(polygon)


def test_a_swing_follows_its_landing_and_the_tick_before(swinging):
    system, walk, k = swinging
    x = system.references.swing(walk, k, 2.1)[0][0]
    assert system.references.swing(walk, k, 2.2)[0][0] != x
    walk.shift[0] = 0.02
    shifted = system.references.swing(walk, k, 2.1)[0][0]
    assert shifted > x
    walk.swings[k, 0] = 1.0
    assert system.references.swing(walk, k, 2.1)[0][0] > shifted + 0.5
