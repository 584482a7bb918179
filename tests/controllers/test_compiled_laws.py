"""Laws for compiled runs against the systems that the same scenarios connect to an engine."""

import typing
from dataclasses import replace

import numpy as np
import pytest
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

import footfall as ff
from footfall import simulation
from footfall.machines.biped.control import BipedGait
from footfall.plants.coordinates import normalise_quaternions, quaternion_places
from footfall.plants.flat.laws import InverseDynamicsLaw
from footfall.plants.motors import Motor
from footfall.plants.sensing import Actuators, Sensors
from footfall.scenario.assemble import add_robot, build_robot, compiled_law
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import ControllerField, InitialState
from footfall_controllers.controller import Controller
from footfall_controllers.inverse_dynamics import InverseDynamics
from footfall_controllers.log import Log
from footfall_controllers.posture import Posture, Wave
from footfall_controllers.torque_profile import TorqueProfile, TorqueSegment

STAND = load_scenario("biped/stand")
START = InitialState(positions={"z": 2.0})
WAVES = {"theta1": Wave(0.1, 0.3), "theta3": Wave(0.2, 1.3)}
AT_MIDDLE = Posture(positions={"theta1": 0.1}, feedforward=WAVES, period=0.02, at_midpoint=True)
GAINS = replace(AT_MIDDLE, kp=40.0, kd=3.0, gains_only=True)
GAIT = BipedGait(first_sample=1, last_sample=60, knots=10, sample_period=2e-3)
LEGS = [f"{side}_{joint}" for side in ("FL", "RR") for joint in ("pitch", "knee")]
CASES = {
    "none": (STAND, None),
    "inverse dynamics": (STAND, Posture(positions={"theta1": 0.1}, feedforward=WAVES)),
    "at the midpoint": (STAND, AT_MIDDLE),
    "gains": (STAND, replace(GAINS, at_midpoint=False)),
    "gains at the midpoint": (STAND, GAINS),
    "damping alone": (STAND, replace(GAINS, kp=0.0)),
    "no gains": (STAND, replace(GAINS, kp=0.0, kd=0.0)),
    "gait": (STAND, GAIT),
    "gait of torques that cancel": (STAND, replace(GAIT, internal_torques_only=True)),
    "torques": (load_scenario("hopper/report"), ...),
    "torques of rotors": (
        replace(STAND, motors={"tau1": Motor(gear_ratio=7.0)}),
        TorqueProfile({"tau1": [TorqueSegment(0.0, 0.0105, [0.1, 20.0])]}, at_rotor=True),
    ),
    "motors": (replace(STAND, motors={"tau*": Motor(stall_torque=9.0, no_load_speed=5.0)}), GAINS),
    "standing": (load_scenario("scenes/quadruped"), ...),
    "free in space": (
        load_scenario("scenes/quadruped"),
        Posture(positions=dict.fromkeys(LEGS, 0.4), kp=300.0, kd=9.0, at_midpoint=True),
    ),
    "free in space, gains": (
        load_scenario("scenes/quadruped"),
        Posture(positions=dict.fromkeys(LEGS, 0.4), kp=300.0, kd=9.0, gains_only=True),
    ),
}


def _made(case):
    scenario, controller = CASES[case]
    if controller is not ...:
        start = START if scenario.machine == "biped" else scenario.initial
        scenario = replace(scenario, controller=controller, initial=start)
    return scenario, build_robot(scenario)


@pytest.mark.parametrize(
    "case", [pytest.param(c, marks=pytest.mark.slow) if c == "standing" else c for c in CASES]
)
def test_a_law_gives_the_torques_of_its_system(case):
    scenario, robot = _made(case)
    builder = DiagramBuilder()
    engine = add_robot(builder, scenario, robot, "moreau")
    diagram = builder.Build()
    root = Simulator(diagram).get_mutable_context()
    context = engine.GetMyMutableContextFromRoot(root)
    plant, dt, rng = robot.plant, scenario.time_step, np.random.default_rng(5)
    times = dt * np.arange(40)
    law = compiled_law(scenario, robot, times, slowed=True)
    biggest = 0.0
    for step in (0, 1, 2, 9, 10, 11, 17, 39):
        q, v = np.split(robot.initial_state.copy(), [plant.num_positions()])
        q += rng.uniform(-0.5, 0.5, len(q))
        normalise_quaternions(q, quaternion_places(plant))
        v += rng.normal(size=len(v)) * 4.0 ** rng.integers(3)
        root.SetTime(times[step])
        engine.set_state(context, np.concatenate([q, v]))
        engine.law = None
        wanted = engine.efforts(context)
        engine.law = law
        found = engine.efforts(context)
        biggest = max(biggest, np.abs(wanted).max())
        np.testing.assert_allclose(found, wanted, rtol=0.0, atol=1e-12 * max(biggest, 1.0))
    assert (biggest > 0.0) == (case not in {"none", "no gains"})


def test_constant_tables_have_one_row():
    scenario, robot = _made("free in space")
    law = compiled_law(scenario, robot, np.arange(100) * 1e-3, slowed=True)
    assert isinstance(law, InverseDynamicsLaw)
    assert {len(table) for table in law[:3]} == {1}


def test_every_controller_that_declares_a_law_is_here():
    declaring = {
        kind
        for kind in typing.get_args(ControllerField)
        if issubclass(kind, Controller) and kind.compiled_law is not Controller.compiled_law
    }
    tested = {type(_made(case)[0].controller) for case in CASES}
    # inverse dynamics alone tracks what a file of the user's says, whose code no rollout runs; a
    # log is held against the run that it is of
    tested |= {type(load_scenario(name).controller) for name in WALKS}
    assert declaring - tested == {InverseDynamics, Log}


WALKS = {"biped/walk_internal": 1.3, "compass/goswami_shaped": 0.8}  # s: past a change of feet


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if "compass" in n else n for n in WALKS]
)
def test_a_walk_is_that_of_its_system_to_the_bit(name, monkeypatch):
    scenario = ff.load(name, duration=WALKS[name], engine="moreau")
    found = scenario.run().trajectory.data
    world = ff.rollout(scenario, every=1).isel(world=0)
    by_hand = scenario.simulation()
    half = 500 * scenario.scenario.time_step
    by_hand.step(duration=half)
    saved = by_hand.save()
    by_hand.step(duration=half)
    reached = by_hand.state
    by_hand.restore(saved)  # what the law remembers as well
    by_hand.step(duration=half)
    assert np.array_equal(by_hand.state, reached)
    monkeypatch.setattr(simulation, "law_of", lambda *_: None)
    wanted = scenario.run().trajectory.data
    for variable in ("q", "v", "actuation"):
        np.testing.assert_array_equal(found[variable], wanted[variable])
    for variable in ("q", "v"):
        np.testing.assert_array_equal(world[variable], wanted[variable])
    assert len(set(np.argmax(wanted["impulse"].to_numpy()[1:, :, 0], axis=1))) > 1


@pytest.mark.parametrize(
    ("scenario", "slowed"),
    [
        (replace(STAND, sensors=Sensors(delay=1e-3)), True),
        (replace(STAND, actuators=Actuators(delay=1e-3)), True),
        (replace(STAND, motors={"tau1": Motor(torque_limit=3.0)}), False),
        (load_scenario("scenes/balance"), True),
        (load_scenario("hopper/tracked"), True),
        (replace(load_scenario("scenes/quadruped"), controller=Posture()), False),
    ],
)
def test_what_stands_between_is_no_law(scenario, slowed):
    robot = build_robot(scenario)
    assert compiled_law(scenario, robot, np.zeros(1), slowed=slowed) is None
