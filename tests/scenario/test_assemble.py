"""From a scenario to a machine that can start."""

import typing
from contextlib import suppress

import numpy as np
import pytest
from tests.engines.tiny import BALL, tiny
from tests.scenario.runs import run

from footfall.errors import FootfallError, ScenarioError
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.schema import Scenario

# a hopping leg: a prismatic joint along the normal, and a knee with a stop
LEG = """<robot name="leg" xmlns:drake="http://drake.mit.edu"><link name="slope"/>
  <joint name="z" type="prismatic"><parent link="slope"/><child link="hip"/><axis xyz="0 0 1"/>
    <limit effort="0"/></joint>
  <link name="hip"><inertial><mass value="1"/>
    <inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial></link>
  <joint name="knee" type="revolute"><parent link="hip"/><child link="shank"/><axis xyz="0 -1 0"/>
    <limit lower="-1" upper="1" effort="0"/></joint>
  <link name="shank"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
    <inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>
    <collision name="foot"><origin xyz="0 0 -1"/><geometry><sphere radius="0"/></geometry>
    </collision></link></robot>"""


def test_a_machine_with_stops_can_be_put_on_the_ground(tmp_path):
    scenario = tiny(tmp_path, LEG, welded="slope", positions={"knee": 0.5})
    scenario.initial.drop_along = "z"
    machine = build_robot(scenario)
    # the foot hangs cos(0.5) below the hip
    assert machine.initial_state[0] == pytest.approx(np.cos(0.5), abs=1e-9)


def test_a_quaternion_is_brought_to_length_one_and_never_zero(tmp_path):
    scenario = tiny(tmp_path, BALL, positions={"ball_qw": 3.0, "ball_qx": 4.0})
    assert build_robot(scenario).initial_state[:4] == pytest.approx([0.6, 0.8, 0.0, 0.0])
    scenario = tiny(tmp_path, BALL, positions={"ball_qw": 0.0})
    with pytest.raises(ScenarioError, match="quaternion"):
        build_robot(scenario)


@pytest.mark.parametrize("gravity", [1.62, 10.0])
@pytest.mark.parametrize("engine", ["moreau", "drake", "closed-form"])
def test_every_engine_falls_under_the_gravity_that_is_said(engine, gravity):
    settings = (f"gravity={gravity}", "duration=0.1", "initial.gap=5.0")
    data = run("biped/drop", engine, *settings).trajectory.data
    potential = data["potential_energy"].to_numpy()
    mass = 3.0  # of the biped: 1 kg and four times 0.5 kg
    fallen = (potential[0] - potential[-1]) / (mass * gravity)
    # the mass centre in flight, whatever the joints do; Drake's positions move with the velocity at
    # the end of a step of 1 ms, which is half a step's fall too far
    assert fallen == pytest.approx(0.5 * gravity * 0.1**2, abs=gravity * 0.1 * 0.51e-3)


CONTROLLERS = [
    kind
    for kind in typing.get_args(typing.get_type_hints(Scenario)["controller"])
    if kind is not type(None)
]


@pytest.mark.parametrize("kind", CONTROLLERS, ids=lambda kind: kind.__name__)
def test_a_controller_on_a_robot_without_what_it_drives_is_driven_or_refused(tmp_path, kind):
    for model, welded in ((BALL, None), (LEG, "slope")):  # neither has an actuator
        scenario = tiny(tmp_path, model, welded=welded)
        scenario.duration = 3.0 * scenario.time_step
        with suppress(FootfallError):  # anything else would be a traceback
            scenario.controller = kind()
            run_scenario(scenario, "tiny")


def test_hip_shaping_names_the_leg_that_a_robot_lacks(tmp_path):
    (kind,) = (kind for kind in CONTROLLERS if kind.__name__ == "HipEnergyShaping")
    scenario = tiny(tmp_path, BALL)
    scenario.controller = kind()
    with pytest.raises(ScenarioError, match=r"!HipEnergyShaping does not fit.*'leg_1'"):
        run_scenario(scenario, "tiny")
