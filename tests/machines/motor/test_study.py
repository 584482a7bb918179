"""The motor as a study: its parameters off the model, its measures and claims, what it refuses."""

import math

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.errors import ModelError, ScenarioError
from footfall.machines.motor.measures import start_acceleration
from footfall.machines.motor.model import motor_of, response_of, torque_of
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario
from footfall.textbook.motor import GearedMotor

FILE = GearedMotor(J_l=0.05, J_m=3.31e-6, n=155.0, B=4.69e-6)


def context(name, *settings):
    scenario = load_scenario(name, settings)
    return context_of(scenario, build_robot(scenario))


def motor(*settings, name="motor/step"):
    one = context(name, *settings)
    return motor_of(one.model, one.contacts)


def same(one, other):
    for field in ("J_l", "J_m", "n", "B", "stall", "no_load", "limit"):
        assert getattr(one, field) == pytest.approx(getattr(other, field), rel=1e-14), field


def test_the_motor_is_that_of_the_file_or_of_the_scenario():
    same(motor("motors={}"), FILE)
    same(motor(), FILE)
    changed = motor("motors.motor.gear_ratio=60", "motors.motor.torque_limit=0.2")
    same(changed, GearedMotor(0.05, 3.31e-6, 60.0, 4.69e-6, limit=0.2))
    line = GearedMotor(0.05, 3.31e-6, 155.0, 4.69e-6, 1.00196, 904.523, 0.398)
    same(motor(name="motor/dc_line"), line)


def test_the_line_of_the_scenario_is_that_of_the_winding():
    # model card: K = 39.8 mN m/A, R = 1.43 Ohm at 36 V, 10 A
    line = load_scenario("motor/dc_line").motors["motor"]
    assert line.stall_torque == pytest.approx(0.0398 * 36.0 / 1.43, rel=5e-6)  # six digits
    assert line.no_load_speed == pytest.approx(36.0 / 0.0398, rel=5e-6)
    assert line.torque_limit == pytest.approx(0.0398 * 10.0, rel=1e-12)
    # with its friction it is as fast as the catalogue says to a thousandth: 8590 rpm
    free = motor(name="motor/dc_line").steady_speed(2.0) * line.gear_ratio * 30.0 / math.pi
    assert free == pytest.approx(8590.0, rel=2e-3)


def test_a_torque_of_the_rotor_or_of_the_joint():
    assert torque_of(context("motor/step")) == pytest.approx(0.004, rel=1e-15)
    at_joint = torque_of(context("motor/step", "controller.at_rotor=false"))
    assert at_joint == pytest.approx(0.004 / 155.0, rel=1e-15)
    assert torque_of(context("motor/step", "controller=null")) == 0.0


@pytest.mark.parametrize("engine", ["closed-form", "moreau", "drake", "drake-continuous"])
def test_another_gear_gets_its_own_torque_and_friction(engine):
    result = run("motor/step", engine, "motors.motor.gear_ratio=100", "duration=1.0")
    data = result.trajectory.data
    np.testing.assert_allclose(data["actuation"], 0.004 * 100.0, rtol=1e-14)
    J, D = 0.05 + 3.31e-6 * 1e4, 4.69e-6 * 1e4
    exact = 0.4 / D * (1.0 - math.exp(-D / J))
    # of first order in the step of a millisecond, over a time constant of 1.8 s
    assert float(data["v"][-1, 0]) == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("name", ["step", "step_frictionless", "dc_line"])
@pytest.mark.parametrize("engine", ["closed-form", "moreau", "drake", "drake-continuous"])
def test_every_engine_bears_the_reports_formulas_out(name, engine):
    result = run(f"motor/{name}", engine)
    claims = {claim.name.partition(" ")[0]: claim for claim in result.claims}
    assert set(claims) == {"acceleration"} | ({"time"} if name == "step" else set())
    assert {claim.verdict for claim in result.claims} == {"check"}
    torque = 0.398 if name == "dc_line" else 0.004
    exact = torque * 155.0 / (0.05 + 3.31e-6 * 155.0**2)
    assert claims["acceleration"].bound == pytest.approx(exact, rel=1e-12)


def test_instants_of_a_run():
    step, line = (run(f"motor/{name}", "closed-form").metrics for name in ("step", "dc_line"))
    response = response_of(context("motor/dc_line"))
    tau = FILE.inertia / FILE.damping
    # between rows in proportion: dt^2 over eight times the time constant
    assert step["time_constant"] == pytest.approx(tau, abs=1e-6 / 8.0 / tau * 1.1)
    assert "corner_time" not in step
    assert "time_constant" not in line
    # likewise, in rows of 0.1 ms and with the line's 4.8 ms
    assert line["corner_time"] == pytest.approx(response.phases[1].time, abs=3e-7)
    assert step["steady_share"] == pytest.approx(1.0 - math.exp(-6.0 / tau), rel=1e-12)
    assert "steady_speed" not in run("motor/step_frictionless", "closed-form").metrics


def test_a_run_that_is_too_short_says_what_it_knows():
    metrics = run("motor/step", "closed-form", "duration=0.5").metrics
    assert "time_constant" not in metrics
    short = run("motor/step", "closed-form", "duration=0.001")
    assert math.isnan(short.metrics["start_acceleration"])
    assert not short.claims  # what is not known is not judged


def test_a_load_that_turns_at_the_start_is_followed():
    settings = ("initial.velocities={load: 3.0}", "initial.positions={load: 0.5}", "duration=1.0")
    result = run("motor/step", "moreau", *settings)
    assert result.metrics["speed_error"] < 1e-3
    assert result.metrics["angle_error"] < 3e-3
    assert [claim.name for claim in result.claims if "from rest" in claim.name] == []


def test_another_course_of_the_torque_is_simulated_and_not_compared():
    course = (
        "controller.torques.motor="
        "[{start: 0.0, end: 0.1, coefficients: [0.004]}, "
        "{start: 0.1, end: 0.2, coefficients: [0.0, 0.01]}]"
    )
    result = run("motor/step", "moreau", course, "duration=0.3")
    assert result.trajectory.status.value == "done"
    assert {"end_speed", "motor_work"} <= set(result.metrics)
    assert "speed_error" not in result.metrics
    assert list(result.claims) == []
    with pytest.raises(ScenarioError, match="one constant torque") as refused:
        run("motor/step", "closed-form", course, "duration=0.3")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "change",
    [
        "controller.torques.motor=[{start: 0.0, end: 0.5, coefficients: [0.004]}]",
        "controller.torques.motor=[{start: 0.0, end: 100.0, coefficients: [0.004, 1.0e-3]}]",
        "controller=!Posture {kp: 10.0, kd: 1.0}",
    ],
    ids=["too short", "a ramp", "a posture"],
)
def test_the_closed_form_refuses_what_it_does_not_know(change):
    scenario = load_scenario("motor/step", [change, "duration=1.0"])
    with pytest.raises(ScenarioError, match="engine closed-form: the motor in closed form has one"):
        run_scenario(scenario, "motor/step", "closed-form")


ARM = """<robot name="motor"><link name="housing"/>
  <joint name="load" type="{kind}"><parent link="housing"/><child link="arm"/>
    <axis xyz="0 -1 0"/>{limit}</joint>
  <transmission><type>transmission_interface/SimpleTransmission</type>
    <joint name="load"/><actuator name="motor"/></transmission>
  <link name="arm"><inertial><origin xyz="{arm} 0 0"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link></robot>"""


@pytest.mark.parametrize(
    ("file", "extra", "what"),
    [
        ({"arm": 0.3, "kind": "continuous", "limit": ""}, [], "a moment of its weight"),
        (
            {"arm": 0.0, "kind": "revolute", "limit": '<limit lower="-1" upper="1" effort="9"/>'},
            [],
            "joint limits",
        ),
        (
            {"arm": 0.0, "kind": "continuous", "limit": ""},
            ["joint_friction={load: 0.1}"],
            "dry friction",
        ),
        ({"arm": 0.0, "kind": "prismatic", "limit": ""}, [], "one joint that turns"),
    ],
    ids=["weight", "stops", "dry", "slides"],
)
def test_a_machine_with_more_is_another_machine(tmp_path, file, extra, what):
    path = tmp_path / "motor.urdf"
    path.write_text(ARM.format(**file))
    directives = (
        f"directives=[{{add_model: {{name: motor, file: '{path}'}}}}, "
        "{add_weld: {parent: terrain, child: 'motor::housing'}}]"
    )
    scenario = load_scenario("motor/step", [directives, *extra, "duration=0.01"])
    for engine in ("closed-form", "moreau"):
        with pytest.raises(ModelError, match=what):
            run_scenario(scenario, "motor/step", engine)


def test_the_effort_limit_of_a_joint_bounds_the_motor(tmp_path):
    path = tmp_path / "motor.urdf"
    path.write_text(ARM.format(arm=0.0, kind="continuous", limit='<limit effort="9"/>'))
    one = context(
        "motor/step",
        f"directives=[{{add_model: {{name: motor, file: '{path}'}}}}, "
        "{add_weld: {parent: terrain, child: 'motor::housing'}}]",
        "controller=null",
    )
    assert motor_of(one.model, one.contacts).limit == pytest.approx(9.0 / 155.0, rel=1e-15)


def test_an_acceleration_is_the_slope_of_the_parabola_through_three_speeds():
    time = np.array([0.0, 0.1, 0.2, 0.3])
    speed = 2.0 + 3.0 * time - 4.0 * time**2
    assert start_acceleration(time, speed) == pytest.approx(3.0, rel=1e-13)
    assert math.isnan(start_acceleration(time[:2], speed[:2]))


def test_a_huge_rotor_hides_no_digit_of_the_load():
    machine = build_robot(load_scenario("motor/step", ["motors.motor.rotor_inertia=1e11"]))
    motor = motor_of(machine.model, machine.contacts)
    assert motor.J_l == pytest.approx(0.05, rel=1e-12)
