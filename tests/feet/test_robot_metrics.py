"""Metrics that every run of a robot has, in cases with an answer."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.engines.tiny import GRAVITY, simulate, tiny
from tests.feet.robots import HOPPER, TABLE

from footfall.scenario.schema import InitialState
from footfall_controllers.torque_profile import TorqueProfile, TorqueSegment

PLATFORM = """<sdf version="1.9"><model name="platform"><static>true</static><link name="top">
  <collision name="slab"><pose>0 0 0.25 0 0 0</pose>
    <geometry><box><size>2 2 0.1</size></box></geometry></collision>
</link></model></sdf>"""


def test_the_cost_of_transport_is_work_over_weight_and_way(tmp_path):
    push = [TorqueSegment(start=0.0, end=0.1, coefficients=[-150.0])]
    glider = tiny(
        tmp_path, HOPPER, friction=0.0, duration=0.2, controller=TorqueProfile({"trunk_sole": push})
    )
    glider.initial = InitialState(drop_along="trunk", velocities={"trunk_vx": 2.0})
    metrics = simulate(glider).metrics
    # without friction it glides at 2 m/s
    assert metrics["base_displacement"][:2] == pytest.approx([0.4, 0.0], abs=1e-9)
    # the trunk of 8 kg is pushed up for 0.1 s
    lift = 0.5 * (150.0 / 8.0 - GRAVITY) * 0.1**2
    assert metrics["positive_work"] == pytest.approx(150.0 * lift, rel=0.02)  # a step of a hundred
    cost = metrics["positive_work"] / (9.0 * GRAVITY * 0.4)
    assert metrics["cost_of_transport"] == pytest.approx(cost, rel=1e-9)
    # friction is zero at all times, and all of the way is slip
    assert metrics["slip_by_foot"]["sole"] == pytest.approx(0.4, rel=1e-6)


def test_the_end_of_the_base_is_where_it_turned_to(tmp_path):
    yaw = 0.7
    table = tiny(tmp_path, TABLE, friction=0.7, duration=0.01)
    turned = {"trunk_qw": np.cos(yaw / 2), "trunk_qz": np.sin(yaw / 2), "trunk_x": 1.5}
    table.initial = InitialState(drop_along="trunk", positions=turned)
    metrics = simulate(table).metrics
    assert metrics["final_base_rotation"] == pytest.approx([0.0, 0.0, yaw], abs=1e-6)
    # the trunk's origin is 0.42 m over the ground that its feet of 2 cm stand on
    assert metrics["final_base_position"] == pytest.approx([1.5, 0.0, 0.42], abs=1e-5)


def test_a_robot_falls_when_another_link_bears_on_the_ground(tmp_path):
    # on front feet alone, by name: what it stands on behind are no feet
    height = 0.01
    table = tiny(tmp_path, TABLE, friction=0.7, duration=0.1, feet={"front": ["f?"]})
    table.initial = InitialState(drop_along="trunk", gap=height)
    run = simulate(table)
    assert run.metrics["fallen"] == 1.0
    # it falls by 1 cm, and a step is 1 ms
    fall = np.sqrt(2.0 * height / GRAVITY)
    assert run.metrics["fall_time"] == pytest.approx(fall, abs=2e-3)
    assert run.metrics["touch_downs"] == {"front": 1.0}


def test_a_robot_falls_when_the_scenario_says_so(tmp_path):
    table = tiny(tmp_path, TABLE, duration=0.1, fallen_below={"trunk": 0.46})
    table.initial = InitialState(drop_along="trunk", gap=0.05)
    run = simulate(table)
    assert run.metrics["fallen"] == 1.0
    # it falls by 1 cm, and a step is 1 ms
    assert run.metrics["fall_time"] == pytest.approx(np.sqrt(2.0 * 0.01 / GRAVITY), abs=1e-3)


@pytest.mark.parametrize("first", [True, False])
def test_feet_stand_on_scenery_whatever_comes_first_in_the_scene(tmp_path, first):
    platform = tmp_path / "platform.sdf"
    platform.write_text(PLATFORM)
    table = tiny(tmp_path, TABLE, friction=0.7, duration=0.05)
    directive = ModelDirective(add_model=AddModel(name="platform", file=str(platform)))
    table.directives.insert(0 if first else 1, directive)
    table.initial = InitialState(positions={"trunk_z": 0.3 + 0.42 - 1e-9})
    run = simulate(table)
    data = run.trajectory.data
    assert data["foot"].values.tolist() == ["fl", "fr", "hl", "hr"]
    force = data["foot_force"].sum("foot").sel(time=slice(0.02, None)).mean("time").to_numpy()
    assert force == pytest.approx([0.0, 0.0, 10.0 * GRAVITY], abs=1e-3)  # the last steps' rocking
    assert run.metrics["fallen"] == 0.0
    place = data["foot_centre_of_pressure"].to_numpy()[-1]
    assert place[:, 2] == pytest.approx(0.3, abs=1e-6)
