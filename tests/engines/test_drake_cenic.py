"""Drake's convex integrator as an engine: its accuracy, its friction, and what it refuses."""

import numpy as np
import pytest
from pydrake.systems.analysis import SimulatorConfig
from tests.engines.alone import alone
from tests.engines.test_drives import arm, exact, servo
from tests.engines.tiny import BRICK, GRAVITY, POINT, STOPPED, columns, simulate, tiny

from footfall.engine_names import CENIC
from footfall.errors import ScenarioError
from footfall.plants.pushes import Push
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario


def test_a_block_sticks_by_the_friction_of_rest_and_slides_by_that_of_motion(tmp_path):
    ends = []
    for share in (0.5, 0.63):  # of its weight
        push = Push(
            "brick", at=[0, 0, -0.02], start=0.05, duration=0.1, force=[share * 1.2 * GRAVITY, 0, 0]
        )
        scenario = tiny(
            tmp_path, BRICK, friction=0.3, static_friction=0.6, duration=0.15, time_step=1e-3,
            positions={"brick_z": 0.02}, pushes=[push],
        )  # fmt: skip
        _, speed = columns(simulate(scenario, CENIC), "v:brick_vx")
        ends.append(speed[-1])
    # what sticks creeps below Drake's stiction tolerance; friction falls from the one coefficient
    # to the other as it is passed
    assert ends[0] < 1e-3
    assert ends[1] == pytest.approx((0.63 - 0.3) * GRAVITY * 0.1, rel=0.02)


def test_a_stiff_drive_follows_its_law_to_the_accuracy(tmp_path):
    # dt kd / J = 0.08 and dt^2 kp / J = 0.01: one implicit step of 1 ms is off by 0.04
    kp, kd = 1.0, 0.008
    scenario = arm(tmp_path, servo(kp, kd), duration=0.1, time_step=1e-3)
    scenario.drake.accuracy = 1e-5
    t, place = columns(simulate(scenario, CENIC), "hinge")
    # of first order, with steps that are divided by eight
    assert np.abs(place - exact(t, kp, kd)).max() < 0.04 / 8
    # gains with which a torque that is held would diverge
    (_, place) = columns(simulate(arm(tmp_path, servo(1e3, 2.0), duration=0.05), CENIC), "hinge")
    assert place[-1] == pytest.approx(1.0, abs=1e-6)


def test_a_joint_stops_at_its_limit(tmp_path):
    text = STOPPED.format(effort=0, damping=0)
    scenario = tiny(
        tmp_path, text, welded="base", positions={"swing": 0.4}, velocities={"swing": 2.0},
        duration=0.2, time_step=1e-3,
    )  # fmt: skip
    _, swing = columns(simulate(scenario, CENIC), "swing")
    assert 0.49 < swing.max() < 0.505


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda folder: tiny(folder, POINT, welded="slope"), "link 'point::rail'.*have no mass"),
        (lambda _: load_scenario("smoke/OneOfEverything"), "it knows no feet that take turns"),
        (lambda _: load_scenario("verify/four_bar"), "it knows no closed loops and gears"),
        (
            lambda _: Scenario(simulator=SimulatorConfig(integration_scheme="cenic")),
            "choose --engine drake-cenic",
        ),
    ],
)
def test_what_it_does_not_take_is_refused_in_one_line(tmp_path, made, message):
    with pytest.raises(ScenarioError, match=message) as refused:
        alone(made(tmp_path), CENIC)
    assert "\n" not in str(refused.value)
