"""Motors behind gears: what is refused, to which actuators they go, what joints feel of them."""

import math

import numpy as np
import pytest
from tests.engines.tiny import simulate, tiny

from footfall.errors import ScenarioError
from footfall.plants.coordinates import joint_damping
from footfall.plants.motors import (
    Motor,
    gear_ratios,
    line_times,
    motors_by_actuator,
    reflected_inertias,
)
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import parse_scenario
from footfall.trajectory.events import LONG_STEP

# two arms on one base, the first with a motor in the file: J_m n^2 = 2e-5 * 400
ARMS = """<robot name="arms" xmlns:drake="http://drake.mit.edu">
  <link name="base"/>
  {}
</robot>""".format(
    "".join(
        f"""<joint name="{name}" type="{kind}"><parent link="base"/><child link="{name}_arm"/>
    <axis xyz="0 0 1"/><limit effort="50"/><dynamics damping="0.3"/></joint>
  <transmission><type>transmission_interface/SimpleTransmission</type>
    <joint name="{name}"/><actuator name="{name}_motor">{inside}</actuator></transmission>
  <link name="{name}_arm"><inertial><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>"""
        for name, kind, inside in (
            (
                "left",
                "revolute",
                '<drake:rotor_inertia value="2e-5"/><drake:gear_ratio value="20"/>',
            ),
            ("right", "revolute", ""),
            ("rail", "prismatic", ""),
        )
    )
)


def machine(folder, **motors):
    return build_robot(tiny(folder, ARMS, welded="base", motors=motors))


def mass(plant):
    return plant.CalcMassMatrix(plant.CreateDefaultContext())


@pytest.mark.parametrize(
    ("motors", "gears", "masses", "dampings", "rotors"),
    [
        # of the file: an arm's own 0.1 kg m^2 and its rotor's; a rail's 2 kg
        ({}, [20.0, 1.0, 1.0], [0.108, 0.1, 2.0], [0.3, 0.3, 0.3], {"left_motor": 0.008}),
        # the scenario's; a rotor that turns 200 rad a metre weighs J n^2 there
        (
            {
                "left_motor": Motor(gear_ratio=10.0),
                "rail_motor": Motor(gear_ratio=200.0, rotor_inertia=1e-5, friction=1e-4),
            },
            [10.0, 1.0, 200.0],
            [0.102, 0.1, 2.4],
            [0.3, 0.3, 4.0],
            {"left_motor": 0.002, "rail_motor": 0.4},
        ),
        # friction takes the gear of the file; none of it is no damping
        (
            {"left_motor": Motor(friction=1e-3), "right_motor": Motor(friction=0.0)},
            [20.0, 1.0, 1.0],
            [0.108, 0.1, 2.0],
            [0.4, 0.0, 0.3],
            {"left_motor": 0.008},
        ),
    ],
)
def test_joints_feel_the_motors_of_file_and_scenario(
    tmp_path, motors, gears, masses, dampings, rotors
):
    plant = machine(tmp_path, **motors).plant
    assert gear_ratios(plant).tolist() == gears
    assert mass(plant) == pytest.approx(np.diag(masses), rel=1e-14)
    assert joint_damping(plant) == pytest.approx(dampings)
    assert reflected_inertias(plant) == pytest.approx(rotors, rel=1e-14)


def test_a_name_beats_a_pattern_and_a_longer_pattern_a_shorter_one(tmp_path):
    wide, near, own = (Motor(gear_ratio=ratio) for ratio in (2.0, 3.0, 4.0))
    motors = {"*": wide, "r*_motor": near, "right_motor": own}
    for order in (motors, dict(reversed(motors.items()))):
        plant = machine(tmp_path, **order).plant
        assert gear_ratios(plant).tolist() == [2.0, 4.0, 3.0]
    found = motors_by_actuator(plant, {"arms::left_motor": own, "*": wide})
    assert found == {0: own, 1: wide, 2: wide}
    # also a pattern that is longer than the name
    found = motors_by_actuator(plant, {"[l]eft_mot[o]r*": wide, "left_motor": own})
    assert found == {0: own}


def test_a_motor_that_beats_another_replaces_it_whole(tmp_path):
    geared = Motor(gear_ratio=50.0, rotor_inertia=1e-5)
    motors = {"r*": geared, "right_motor": Motor(torque_limit=1.0)}
    plant = machine(tmp_path, **motors).plant
    assert gear_ratios(plant).tolist() == [20.0, 1.0, 50.0]
    assert "right_motor" not in reflected_inertias(plant)


@pytest.mark.slow
def test_every_engine_feels_the_same_rotor(tmp_path):
    # nothing drives it: momentum is kept only if inertia and speed go together
    speeds = []
    for engine in ("moreau", "drake", "drake-continuous"):
        scenario = tiny(
            tmp_path,
            ARMS,
            welded="base",
            velocities={"left": 2.0},
            motors={"*": Motor(gear_ratio=50.0, rotor_inertia=2e-5, friction=4e-5)},
            duration=0.3,
            time_step=1e-4,
        )
        data = simulate(scenario, engine).trajectory.data
        speeds.append(float(data["v"].sel(velocity="left")[-1]))
        energy = float(data["kinetic_energy"][0])
        assert energy == pytest.approx(0.5 * 0.15 * 4.0, rel=1e-12)
    # (0.1 + 0.05) w' = -0.1 w; steps of 1e-4 s are of first order
    exact = 2.0 * math.exp(-0.3 * 0.1 / 0.15)
    assert speeds == pytest.approx([exact] * 3, rel=1e-4)


@pytest.mark.parametrize(
    ("motor", "parts"),
    [
        ("gear_ratio: 0.0", ["gear_ratio is 0.0", "positive"]),
        ("gear_ratio: .inf", ["gear_ratio is inf"]),
        ("rotor_inertia: -1.0e-6", ["rotor_inertia is -1e-06", "not negative"]),
        ("stall_torque: 1.0", ["stall_torque and no_load_speed"]),
        ("no_load_speed: 900.0", ["stall_torque and no_load_speed"]),
        ("inertia: 1.0", ["inertia", "rotor_inertia"]),
    ],
)
def test_bad_motor_parameters_are_refused_in_one_line(motor, parts):
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(f"motors: {{m: {{{motor}}}}}")
    message = str(refused.value)
    assert "\n" not in message
    assert "motors" in message
    for part in parts:
        assert part in message


def test_a_motor_that_fits_no_actuator_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match="left_moter") as refused:
        machine(tmp_path, left_moter=Motor(gear_ratio=2.0))
    assert "left_motor" in str(refused.value)
    with pytest.raises(ScenarioError, match="knee"):
        machine(tmp_path, **{"*knee": Motor(gear_ratio=2.0)})


def test_values_set_after_a_motor_was_made_are_checked(tmp_path):
    motor = Motor()
    motor.gear_ratio = -1.0
    with pytest.raises(ScenarioError, match="gear_ratio is -1"):
        machine(tmp_path, left_motor=motor)


LINE = Motor(gear_ratio=20.0, rotor_inertia=2e-5, stall_torque=0.5, no_load_speed=100.0)


def test_time_constant_of_a_motors_line_is_inertia_over_slope(tmp_path):
    made = machine(tmp_path, left_motor=LINE, right_motor=Motor(torque_limit=1.0))
    times = line_times(made.plant, made.model.spec.motors, made.plant.CreateDefaultContext())
    # 0.108 kg m^2, and n^2 T_s / w_0 = 2 N m s/rad; a limit alone has no slope
    assert times == {"left_motor": pytest.approx(0.054, rel=1e-12)}


@pytest.mark.parametrize(("time_step", "told"), [(0.05, False), (0.06, True)])
@pytest.mark.parametrize("engine", ["moreau", "drake", "drake-continuous"])
def test_a_time_step_too_long_for_a_motors_line_is_an_event(tmp_path, engine, time_step, told):
    scenario = tiny(
        tmp_path,
        ARMS,
        welded="base",
        motors={"left_motor": LINE},
        duration=3 * time_step,
        time_step=time_step,
    )
    events = simulate(scenario, engine).trajectory.events
    whats = [event.what for event in events if event.kind == LONG_STEP]
    assert len(whats) == (told and engine != "drake-continuous")  # which takes no steps
    assert all("'left_motor'" in what and "0.054 s" in what for what in whats)
