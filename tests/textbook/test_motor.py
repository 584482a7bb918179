"""The motor in closed form: against integration and its limits."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from footfall.textbook.motor import GearedMotor, SpeedResponse
from footfall.textbook.ode import integrate

PLAIN = GearedMotor(J_l=0.05, J_m=3.31e-6, n=155.0, B=4.69e-6)
FREE = replace(PLAIN, B=0.0)
LINE = replace(PLAIN, stall=1.0, no_load=900.0)
LIMITED = replace(LINE, limit=0.4)
CAPPED = replace(PLAIN, limit=0.4)

# torque that is asked for, speed at the start [rad/s]: driven, braked, and overrun beyond no load
COURSES = [(0.004, 0.0), (1.5, 0.0), (-1.5, 5.0), (0.2, -9.0), (0.2, 9.0), (0.0, 4.0), (-0.1, -2.0)]
MOTORS = [PLAIN, FREE, LINE, LIMITED, CAPPED]
_SPAN = 0.08  # s


@pytest.mark.parametrize("motor", MOTORS, ids=["plain", "free", "line", "limited", "capped"])
@pytest.mark.parametrize(("asked", "speed"), COURSES)
def test_the_response_obeys_the_equation_of_motion(motor, asked, speed):
    response = SpeedResponse(motor, asked, 0.3, speed)

    def rate(_time, y):
        push = motor.n * float(motor.torque(asked, y[1]))
        return [y[1], (push - motor.damping * y[1]) / motor.inertia]

    # piece by piece: an integrator errs where the torque bends
    ends = [phase.time for phase in response.phases if phase.time < _SPAN] + [_SPAN]
    state = np.array([0.3, speed])
    for start, end in pairwise(ends):
        state = integrate(rate, end - start, state).y[:, -1]
        exact = [response.angle_at(end), response.speed_at(end)]
        # 1e-12 a step of the integration, which looks beyond the corner at the end of a piece
        np.testing.assert_allclose(state, exact, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("motor", MOTORS, ids=["plain", "free", "line", "limited", "capped"])
@pytest.mark.parametrize(("asked", "speed"), COURSES)
def test_what_the_motor_does_is_stored_or_lost(motor, asked, speed):
    response, time = SpeedResponse(motor, asked, 0.3, speed), np.linspace(0.0, _SPAN, 33)
    stored = response.energy_at(time) - response.energy_at(0.0)
    # works are sums of their own, no differences of energies; these are of some joules
    np.testing.assert_allclose(
        response.work_at(time) - response.friction_at(time), stored, atol=1e-12
    )
    assert (np.diff(response.friction_at(time)) >= 0.0).all()


def test_a_step_without_limits_is_the_formula_of_the_text():
    T, time = 0.004, np.linspace(0.0, 6.0, 61)
    tau = PLAIN.inertia / PLAIN.damping
    exact = T / (PLAIN.B * PLAIN.n) * (1.0 - np.exp(-time / tau))
    np.testing.assert_allclose(
        SpeedResponse(PLAIN, T).speed_at(time), exact, rtol=1e-13, atol=1e-15
    )
    assert PLAIN.steady_speed(T) == pytest.approx(T / (PLAIN.B * PLAIN.n), rel=1e-15)
    assert PLAIN.inertia == PLAIN.J_l + PLAIN.J_m * 155.0**2


def test_less_and_less_friction_tends_to_none():
    free = SpeedResponse(FREE, 0.004)
    for friction in (1e-9, 1e-12, 1e-15, 1e-300):
        almost = SpeedResponse(replace(FREE, B=friction), 0.004)
        share = friction * FREE.n**2 / FREE.inertia  # of a time of 1 s in a time constant
        assert float(almost.speed_at(1.0)) == pytest.approx(float(free.speed_at(1.0)), rel=share)
        assert float(almost.angle_at(1.0)) == pytest.approx(float(free.angle_at(1.0)), rel=share)


def test_up_to_the_corner_the_torque_is_the_limit_and_then_the_line():
    response = SpeedResponse(LIMITED, 1.5)
    assert len(response.phases) == 2
    corner = response.phases[1].time
    # where the line has come down to the limit
    assert float(response.speed_at(corner)) == pytest.approx(0.6 * 900.0 / 155.0, rel=1e-14)
    before, after = np.linspace(0.0, corner, 11), np.linspace(corner, 0.1, 11)
    np.testing.assert_allclose(response.torque_at(before), 0.4, rtol=1e-14)
    w = 155.0 * response.speed_at(after)
    np.testing.assert_allclose(response.torque_at(after), 1.0 - w / 900.0, rtol=1e-13)
    # friction bends the first piece a little: the straight line is there a little earlier
    straight = 0.6 * 900.0 / 155.0 / float(LIMITED.acceleration(1.5, 0.0))
    assert straight < corner < 1.01 * straight


@pytest.mark.parametrize("motor", [PLAIN, LINE, LIMITED, CAPPED])
@pytest.mark.parametrize("asked", [0.003, 0.39, 1.5, -0.003, -1.5])
def test_at_the_steady_speed_nothing_accelerates(motor, asked):
    steady = motor.steady_speed(asked)
    # of a difference of two torques
    assert abs(float(motor.acceleration(asked, steady))) < 1e-11
    assert math.copysign(1.0, steady) == math.copysign(1.0, asked)
    for speed in (0.0, 2.0 * steady):
        end = SpeedResponse(motor, asked, 0.0, speed).speed_at(100.0)
        assert float(end) == pytest.approx(steady, rel=1e-12)


def test_without_friction_only_a_line_holds_the_motor_back():
    assert FREE.steady_speed(0.1) == math.inf
    assert FREE.steady_speed(0.0) == 0.0
    assert replace(FREE, stall=1.0, no_load=900.0).steady_speed(0.1) == 900.0 / 155.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"J_l": 0.0},
        {"J_m": -1e-6},
        {"n": 0.0},
        {"B": -1.0},
        {"B": math.nan},
        {"limit": 0.0},
        {"stall": 1.0},
        {"no_load": 900.0},
        {"stall": -1.0, "no_load": 900.0},
    ],
)
def test_what_is_no_motor_is_refused(wrong):
    with pytest.raises(ValueError, match=r"a (motor|line) needs"):
        replace(PLAIN, **wrong)
