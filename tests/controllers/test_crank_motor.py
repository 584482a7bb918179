"""The drive of PASIBOT's crank: its motion, its law, and what a machine does under it."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from tests.machines.pasibot.machine import motor, scenario

from footfall.errors import ScenarioError
from footfall.machines.pasibot.closed_form.linkage import TEXT
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, fold
from footfall.machines.pasibot.closed_form.newton_euler import inverse
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.control import CrankMotor, ReducedCrank
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import dump_scenario, parse_scenario
from footfall_controllers.crank_motor import CrankMotorSystem, CrankSpeed, CrankSpeeds

TRAPEZOID = CrankSpeeds(
    [CrankSpeed(0.2, 0.0), CrankSpeed(0.5, 3.0), CrankSpeed(1.4, 3.0), CrankSpeed(1.6, 0.5)],
    angle=0.3,
)


@pytest.fixture(scope="module")
def plant():
    return build_robot(scenario("held", motor(0.0), 0.1)).plant


def system(plant, law, time_step=0.0):
    return CrankMotorSystem(plant, ReducedCrank(TEXT), law, time_step)


# --- the motion --------------------------------------------------------------------------------


@pytest.mark.parametrize("time", [0.0, 0.1, 0.35, 0.9, 1.5, 3.0])
def test_the_angle_is_the_integral_of_the_speed(time):
    angle, speed, _ = TRAPEZOID.motion(time)
    turned, _ = quad(lambda t: TRAPEZOID.motion(t)[1], 0.0, time, points=TRAPEZOID.knots[0])
    assert angle == pytest.approx(0.3 + turned, abs=1e-9)
    assert speed == pytest.approx(np.interp(time, *TRAPEZOID.knots))


@pytest.mark.parametrize(
    ("time", "change"), [(0.1, 0.0), (0.2, 10.0), (0.3, 10.0), (0.5, 0.0), (1.5, -12.5), (1.6, 0.0)]
)
def test_the_acceleration_is_the_slope_after_a_knot(time, change):
    assert TRAPEZOID.motion(time)[2] == pytest.approx(change)


def test_what_lasts_before_time_zero_has_no_part_in_the_angle():
    law = CrankSpeeds([CrankSpeed(-1.0, 0.0), CrankSpeed(1.0, 2.0)])
    assert law.motion(0.0) == (0.0, 1.0, 1.0)
    assert law.motion(1.0)[0] == pytest.approx(1.5)


# --- the law -----------------------------------------------------------------------------------


@pytest.mark.parametrize("time", [0.1, 0.3, 0.9, 1.55])
def test_on_its_motion_the_torque_is_that_of_inverse_dynamics(plant, time):
    angle, speed, change = TRAPEZOID.motion(time)
    th8, _ = fold(np.array(angle + STEP_BEGINS))
    exact = inverse(TEXT, th8, np.array(speed), np.array(change))
    found = system(plant, TRAPEZOID).torque(time, angle, speed)
    assert found == pytest.approx(float(exact.torque), abs=1e-11)


def test_an_error_decays_as_the_gains_say(plant):
    # the closed form moves under the law, over an exchange of the feet
    law = replace(TRAPEZOID, speeds=[CrankSpeed(0.0, 3.0)], kp=100.0, kd=12.0)
    motor_torque = system(plant, law).torque

    def motion(time, state):
        angle, rate = state
        th8, _ = fold(np.array(angle + STEP_BEGINS))
        torque = motor_torque(time, angle, rate)
        return [rate, float(two_freedoms(TEXT, th8).forward(rate, torque).acceleration)]

    start = np.array([0.3 + 0.05, 3.0 - 0.4])
    end = 1.2  # the first exchange is at 0.95 s
    found = solve_ivp(motion, (0.0, end), start, rtol=1e-10, atol=1e-12, max_step=0.01)
    # e'' + 12 e' + 100 e = 0 with e = (wanted - angle)
    beat = np.sqrt(100.0 - 36.0)
    e, de = -0.05, 0.4
    left = np.exp(-6.0 * found.t) * (
        e * np.cos(beat * found.t) + (de + 6.0 * e) / beat * np.sin(beat * found.t)
    )
    assert found.y[0, -1] > np.pi
    # I' jumps at the exchange, which costs the integrator some digits
    assert 0.3 + 3.0 * found.t - found.y[0] == pytest.approx(left, abs=1e-7)


def test_without_feedforward_it_knows_but_the_mean_inertia(plant):
    law = replace(TRAPEZOID, feedforward=False)
    torque = system(plant, law).torque
    angle, speed, _ = law.motion(0.9)
    assert torque(0.9, angle, speed) == 0.0
    step = STEP_BEGINS + np.linspace(0.0, np.pi, 4001)
    mean = np.trapezoid(two_freedoms(TEXT, step).inertia, step) / np.pi
    # the mean is of 64 angles, and I has a kink where the feet change
    assert torque(0.9, angle, speed - 1.0) == pytest.approx(mean * law.kd, rel=1e-3)
    assert torque(0.9, angle - 1.0, speed) == pytest.approx(mean * law.kp, rel=1e-3)


def test_a_step_is_looked_at_in_its_middle(plant):
    at_once, held = system(plant, TRAPEZOID), system(plant, TRAPEZOID, time_step=0.01)
    assert held.torque(0.3, 0.4, 2.0) == at_once.torque(0.305, 0.4 + 2.0 * 0.005, 2.0)


def test_its_ports_are_those_of_the_machine(plant):
    own = system(plant, TRAPEZOID)
    context = own.CreateDefaultContext()
    state = np.zeros(plant.num_multibody_states())
    joint = plant.GetJointByName("crank")
    state[joint.position_start()] = 0.4
    state[plant.num_positions() + joint.velocity_start()] = 2.0
    own.GetInputPort("state").FixValue(context, state)
    context.SetTime(0.3)
    found = own.GetOutputPort("actuation").Eval(context)
    assert found == pytest.approx([own.torque(0.3, 0.4, 2.0)], rel=1e-15)


# --- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"speeds": []}, "at least one"),
        ({"speeds": [CrankSpeed(0.0, 1.0), CrankSpeed(0.0, 2.0)]}, "times that rise"),
        ({"angle": np.inf}, "angle is inf"),
        ({"kp": -1.0}, "kp is"),
        ({"kd": np.inf}, "kd is"),
    ],
)
def test_what_is_no_law_is_refused_in_one_line(fields, told):
    with pytest.raises(ScenarioError, match=told) as caught:
        CrankMotor(**fields)
    assert str(caught.value).startswith("controller.")
    assert "\n" not in str(caught.value)
    with pytest.raises(ScenarioError, match=r"controller\.speeds: speed is inf"):
        CrankSpeed(0.0, np.inf)


def test_a_scenario_keeps_it():
    chosen = scenario("held", motor(3.0, kp=100.0), 0.1)
    again = parse_scenario(dump_scenario(chosen))
    assert again.controller == chosen.controller
