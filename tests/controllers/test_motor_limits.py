"""Limits of motors: that of the torque, the lines of full voltage, both through gears."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.tiny import simulate, tiny

from footfall.errors import ScenarioError
from footfall.plants.flat.laws import limit_torques, limits_of
from footfall.plants.motors import Motor
from footfall.scenario.assemble import build_robot
from footfall_controllers.torque_profile import TorqueProfile, TorqueSegment

# two wheels of 0.1 kg m^2 that turn freely
WHEELS = """<robot name="wheels" xmlns:drake="http://drake.mit.edu">
  <link name="base"/>
  {}
</robot>""".format(
    "".join(
        f"""<joint name="{name}" type="continuous"><parent link="base"/><child link="{name}_wheel"/>
    <axis xyz="0 0 1"/></joint>
  <transmission><type>transmission_interface/SimpleTransmission</type>
    <joint name="{name}"/><actuator name="{name}"/></transmission>
  <link name="{name}_wheel"><inertial><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>"""
        for name in ("a", "b")
    )
)
# N m and rad/s of the rotor; at the joint 20 N m and 5 rad/s
LINE = Motor(gear_ratio=10.0, stall_torque=2.0, no_load_speed=50.0)
BOTH = Motor(gear_ratio=10.0, stall_torque=2.0, no_load_speed=50.0, torque_limit=0.5)
CAP = Motor(gear_ratio=10.0, torque_limit=0.5)


@pytest.fixture(scope="module")
def plant(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    motors = {"a": Motor(gear_ratio=10.0)}
    return build_robot(tiny(folder, WHEELS, welded="base", motors=motors)).plant


def limited(plant, motor, command, speed):
    """Torque of joint a, while b has none of the limits."""
    torques = np.array([command, 1e6])
    limit_torques(limits_of(plant, {"a": motor}), np.array([speed, 3.0]), torques)
    assert torques[1] == 1e6
    return torques[0]


@pytest.mark.parametrize(
    ("command", "speed", "expected"),
    [
        (1e3, 0.0, 20.0),  # stalls
        (1e3, 2.5, 10.0),  # drives at half of its speed
        (1e3, 5.0, 0.0),  # runs as fast as it can
        (1e3, 7.5, -10.0),  # is overrun, and brakes whatever is asked
        (0.0, 7.5, -10.0),
        (-5.0, 7.5, -10.0),
        (-15.0, 7.5, -15.0),  # brakes more
        (-1e3, 2.5, -30.0),  # full voltage against the motion
        (-1e3, 0.0, -20.0),
        (-1e3, -2.5, -10.0),
        (-1e3, -7.5, 10.0),
        (0.0, -7.5, 10.0),
        (1e3, -2.5, 30.0),
        (3.0, 2.5, 3.0),  # asks for less than there is
        (-3.0, 2.5, -3.0),
        (0.0, 2.5, 0.0),
    ],
)
def test_the_lines_of_full_voltage_in_four_quadrants(plant, command, speed, expected):
    assert limited(plant, LINE, command, speed) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize(
    ("command", "speed", "expected"),
    [
        (1e3, 0.0, 5.0),
        (1e3, 3.75, 5.0),  # the corner: 2 (1 - 37.5/50) = 0.5
        (1e3, 4.0, 4.0),
        (-1e3, 4.0, -5.0),
        (1e3, -4.0, 5.0),
        (0.0, 5.5, -2.0),  # overrun
        (0.0, 9.0, -5.0),  # overrun by so much that the limit would be passed: it is kept
        (4.0, 1.0, 4.0),
    ],
)
def test_line_and_limit_together(plant, command, speed, expected):
    assert limited(plant, BOTH, command, speed) == pytest.approx(expected, abs=1e-13)


@given(st.floats(-100.0, 100.0), st.floats(-20.0, 20.0))
def test_a_limit_alone_does_not_look_at_the_speed(plant, command, speed):
    assert limited(plant, CAP, command, speed) == pytest.approx(np.clip(command, -5.0, 5.0))


@given(st.floats(-100.0, 100.0), st.floats(-20.0, 20.0))
def test_turned_round_it_is_the_same(plant, command, speed):
    one, other = limited(plant, BOTH, command, speed), limited(plant, BOTH, -command, -speed)
    assert one == pytest.approx(-other, abs=1e-12)


@given(st.floats(-100.0, 100.0), st.floats(-20.0, 20.0))
def test_a_motor_never_gives_more_power_than_half_its_speed_has(plant, command, speed):
    # T_s (1 - w/w_0) w is largest at w_0/2: T_s w_0/4, which the code does not use
    assert limited(plant, LINE, command, speed) * speed <= 2.0 * 50.0 / 4.0 + 1e-9


def segments(torque):
    return {"a": [TorqueSegment(0.0, 100.0, [torque])]}


@pytest.mark.parametrize("engine", ["moreau", "drake", "drake-continuous"])
def test_a_controller_gets_no_more_than_the_motor_has(tmp_path, engine):
    scenario = tiny(
        tmp_path,
        WHEELS,
        welded="base",
        motors={"a": BOTH},
        controller=TorqueProfile(torques=segments(1e3)),
        duration=0.2,
        time_step=1e-4,
    )
    data = simulate(scenario, engine).trajectory.data
    torque, speed = data["actuation"].to_numpy()[:, 0], data["v"].to_numpy()[:, 0]
    w = 10.0 * speed
    exact = 10.0 * np.clip(2.0 * (1.0 - w / 50.0), -0.5, 0.5)
    np.testing.assert_allclose(torque, exact, atol=1e-12)
    # up to the corner 5 N m on 0.1 kg m^2: 3.75 rad/s after 75 ms; then the line with 25 ms
    at_end = 5.0 - 1.25 * np.exp(-0.125 / 0.025)
    assert speed[-1] == pytest.approx(at_end, rel=1e-4)  # steps of 25 ms / 250 are of first order
    assert not data["actuation"].to_numpy()[:, 1].any()


@pytest.mark.parametrize("ratio", [1.0, 10.0, 40.0])
def test_torques_of_the_rotor_come_to_the_joint_times_the_gear(tmp_path, ratio):
    scenario = tiny(
        tmp_path,
        WHEELS,
        welded="base",
        motors={"a": Motor(gear_ratio=ratio)},
        controller=TorqueProfile(torques=segments(0.02), at_rotor=True),
        duration=0.01,
    )
    data = simulate(scenario).trajectory.data
    np.testing.assert_allclose(data["actuation"].to_numpy()[:, 0], 0.02 * ratio, rtol=1e-15)
    assert not data["actuation"].to_numpy()[:, 1].any()


def test_torques_of_rotors_are_refused_by_their_names_and_by_what_joints_bear(tmp_path):
    def wheels(**torques):
        scenario = tiny(
            tmp_path,
            WHEELS.replace('<axis xyz="0 0 1"/>', '<axis xyz="0 0 1"/><limit effort="5"/>'),
            welded="base",
            motors={"a": Motor(gear_ratio=100.0)},
            controller=TorqueProfile(
                torques={name: [TorqueSegment(0.0, 1.0, [t])] for name, t in torques.items()},
                at_rotor=True,
            ),
            duration=0.01,
        )
        simulate(scenario)

    wheels(a=0.049)
    with pytest.raises(
        ScenarioError, match=r"reaches 5\.1 at t = 0 s, beyond the actuator's limit"
    ):
        wheels(a=0.051)
    with pytest.raises(ScenarioError, match=r"controller\.torques\.c: there is no such actuator"):
        wheels(c=0.01)
