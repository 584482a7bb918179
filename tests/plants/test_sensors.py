"""Sensors and actuators with errors, on motions that are prescribed."""

import numpy as np
import pytest
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder, LeafSystem
from scipy.stats import chi2, kstest
from tests.engines.tiny import BALL, STOPPED
from tests.plants.files import loaded_text

from footfall.errors import ScenarioError
from footfall.plants.sensing import Actuators, ActuatorSystem, Encoders, Imu, Sensors, SensorSystem
from footfall.scenario.io import parse_scenario

DT = 1e-3


class Motion(LeafSystem):
    """Sends a function of time."""

    def __init__(self, size, function):
        super().__init__()
        self.DeclareVectorOutputPort(
            "out", size, lambda context, out: out.SetFromVector(function(context.get_time()))
        )


def told(system, motion, steps, port="state", into="state", dt=DT):
    """Values of a port at the start of every step, (steps, size)."""
    builder = DiagramBuilder()
    system = builder.AddSystem(system)
    source = builder.AddSystem(Motion(system.GetInputPort(into).size(), motion))
    builder.Connect(source.get_output_port(), system.GetInputPort(into))
    simulator = Simulator(builder.Build())
    context = system.GetMyContextFromRoot(simulator.get_context())
    rows = []
    for k in range(steps):
        simulator.AdvanceTo(k * dt)
        rows.append(system.GetOutputPort(port).Eval(context).copy())
    return np.array(rows)


@pytest.fixture(scope="module")
def pendulum(tmp_path_factory):
    text = STOPPED.format(effort=0, damping=0).replace('"base"', '"world"', 2)
    return loaded_text(
        tmp_path_factory.mktemp("pendulum"), text.replace('<link name="world"/>', "")
    )


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    return loaded_text(tmp_path_factory.mktemp("ball"), BALL)


def ramp(time):
    return [2.0 * time - 0.3, 2.0]


@pytest.mark.parametrize(
    ("sensors", "late"),
    [
        (Sensors(), lambda k: k),
        (Sensors(delay=0.007), lambda k: max(0, k - 7)),
        (Sensors(rate=250.0), lambda k: k - k % 4),
        # a sample every 4 steps that is 6 steps on its way
        (Sensors(rate=250.0, delay=0.006), lambda k: max(0, 4 * ((k - 6) // 4))),
        # one that arrives between two steps is there at the next
        (Sensors(delay=0.0065), lambda k: max(0, k - 7)),
    ],
)
def test_a_ramp_is_late_by_whole_samples(pendulum, sensors, late):
    read = told(SensorSystem(pendulum.plant, sensors, 0, DT), ramp, 60)
    assert read.tolist() == [ramp(late(k) * DT) for k in range(60)]


def test_commands_are_late_by_whole_steps():
    system = ActuatorSystem(2, Actuators(delay=0.003), 0, DT)
    acting = told(system, ramp, 20, "actuation", "command")
    assert acting.tolist() == [ramp(max(0, k - 3) * DT) for k in range(20)]


def test_rounding_errs_evenly_within_half_a_step_of_the_encoder(pendulum):
    step = 0.01
    sensors = Sensors(encoders=Encoders(resolution=step, velocity="differenced"))
    read = told(SensorSystem(pendulum.plant, sensors, 0, DT), ramp, 2000)
    q = np.array([ramp(k * DT)[0] for k in range(2000)])
    assert np.allclose(np.round(read[:, 0] / step) * step, read[:, 0], rtol=0.0, atol=1e-15)
    # 2 mm a sample: five of them in a step, so thin them out for Kolmogorov's test of independent
    # draws; 37 samples are 7.4 steps
    error = (read[:, 0] - q)[::37]
    assert kstest(error, "uniform", args=(-0.5 * step, step)).pvalue > 0.05
    # differences jump by whole steps and lose nothing: their sum is the way
    assert set(np.round(read[1:, 1] * DT / step).tolist()) == {0.0, 1.0}
    assert DT * read[1:, 1].sum() == pytest.approx(read[-1, 0] - read[0, 0], rel=1e-12)


def within(samples, deviation):
    """Return whether a variance about a mean of 0 is what it should be, to 1 in 1000 draws."""
    count = samples.size
    scaled = (samples**2).sum() / deviation**2
    return chi2.ppf(0.0005, count) < scaled < chi2.ppf(0.9995, count)


def test_noise_has_the_variance_that_is_asked_for(pendulum):
    sensors = Sensors(encoders=Encoders(noise=0.02, velocity_noise=0.3))
    error = told(SensorSystem(pendulum.plant, sensors, 4, DT), lambda _: [0.0, 0.0], 2000)
    assert within(error[:, 0], 0.02)
    assert within(error[:, 1], 0.3)
    # white: neighbours and the two channels know nothing of each other
    bound = 3.3 / np.sqrt(2000)
    assert abs(np.corrcoef(error[1:, 0], error[:-1, 0])[0, 1]) < bound
    assert abs(np.corrcoef(error[:, 0], error[:, 1])[0, 1]) < bound
    torque = told(
        ActuatorSystem(1, Actuators(noise=0.5), 4, DT),
        lambda _: [1.0],
        2000,
        "actuation",
        "command",
    )
    assert within(torque - 1.0, 0.5)


def test_a_bias_is_constant_and_of_the_size_that_is_asked_for(pendulum):
    def bias(seed):
        sensors = Sensors(encoders=Encoders(bias=0.05))
        read = told(SensorSystem(pendulum.plant, sensors, seed, DT), ramp, 3)
        errors = read[:, 0] - [ramp(k * DT)[0] for k in range(3)]
        assert np.ptp(errors) < 1e-15
        assert (read[:, 1] == 2.0).all()
        return errors[0]

    assert within(np.array([bias(seed) for seed in range(60)]), 0.05)


def test_noise_is_that_of_its_seed_whenever_it_is_asked_for(pendulum):
    sensors = Sensors(encoders=Encoders(noise=0.02))

    def read(seed, steps, sensors=sensors):
        return told(SensorSystem(pendulum.plant, sensors, seed, DT), ramp, steps)[:, 0]

    assert read(4, 40).tolist() == read(4, 40).tolist()
    assert (read(4, 40) != read(5, 40)).all()
    # every other sample is half as many of the same stream, whatever else is drawn
    q = np.array([ramp(k * DT)[0] for k in range(40)])
    slow = read(4, 40, Sensors(rate=500.0, encoders=Encoders(noise=0.02)))
    assert np.allclose((slow - q)[::2], (read(4, 40) - q)[:20], rtol=0.0, atol=1e-15)


W, V, G = np.array([0.0, 3.0, 0.0]), np.array([0.5, 0.0, 2.0]), 9.81


def thrown(time):
    """State of a ball that is thrown and spins about y, x forward and z up."""
    half = 0.5 * W[1] * time
    place = V * time - [0.0, 0.0, 0.5 * G * time**2]
    speed = V - [0.0, 0.0, G * time]
    return [np.cos(half), 0.0, np.sin(half), 0.0, *place, *W, *speed]


def test_an_accelerometer_in_free_fall_tells_nothing_but_the_spin(ball):
    at = [0.03, 0.0, 0.04]
    system = SensorSystem(ball.plant, Sensors(imu=Imu(at=at)), 0, DT)
    read = told(system, thrown, 200, "imu")
    assert np.allclose(read[:, :3], W, rtol=0.0, atol=1e-14)
    # w x (w x r), in the axes of the ball; its mean over a sample is half a sample old, (w T)/2
    expected = -(W[1] ** 2) * np.array(at)
    assert np.allclose(read[1:, 3:], expected, rtol=0.0, atol=W[1] ** 2 * 0.05 * 0.51 * W[1] * DT)
    # nothing but gravity is known of what was before the first sample
    assert read[0, 3:] == pytest.approx([0.0, 0.0, G], abs=1e-12)


def test_an_accelerometer_at_rest_tells_gravity_in_the_axes_of_the_link(ball):
    lying = [np.cos(0.3), 0.0, np.sin(0.3), 0.0, *np.zeros(9)]
    read = told(SensorSystem(ball.plant, Sensors(imu=Imu()), 0, DT), lambda _: lying, 3, "imu")
    up = np.array([-np.sin(0.6), 0.0, np.cos(0.6)])  # about y by 0.6 rad
    assert np.allclose(read, [0.0, 0.0, 0.0, *(G * up)], rtol=0.0, atol=1e-12)


def test_orientation_and_gyro_err_about_the_axes_of_the_link(ball):
    sensors = Sensors(imu=Imu(orientation_noise=1e-3, gyro_noise=0.2))
    read = told(SensorSystem(ball.plant, sensors, 2, DT), thrown, 700)
    exact = np.array([thrown(k * DT) for k in range(700)])
    assert np.array_equal(read[:, 4:7], exact[:, 4:7])  # no unit tells a place
    assert np.array_equal(read[:, 10:], exact[:, 10:])
    assert np.allclose(np.linalg.norm(read[:, :4], axis=1), 1.0, rtol=0.0, atol=1e-14)
    turn = np.array([between(*pair) for pair in zip(exact[:, :4], read[:, :4], strict=True)])
    assert within(turn, 1e-3)
    # the rate that it tells in the link's axes, by the orientation that it tells
    rate = np.array([turned_back(*pair) for pair in zip(read[:, :4], read[:, 7:10], strict=True)])
    assert within(rate - W, 0.2)


def between(a, b):
    """Rotation vector from a to b in the axes of a, for small ones: 2 vec(a* b)."""
    a0, a_v, b0, b_v = a[0], a[1:], b[0], b[1:]
    return 2.0 * (a0 * b_v - b0 * a_v - np.cross(a_v, b_v))


def turned_back(wxyz, vector):
    """R^T v of a unit quaternion: v - 2 w (u x v) + 2 u x (u x v)."""
    once = np.cross(wxyz[1:], vector)
    return vector - 2.0 * wxyz[0] * once + 2.0 * np.cross(wxyz[1:], once)


def test_sensors_without_errors_change_no_bit(ball):
    sensors = Sensors(encoders=Encoders(), imu=Imu())
    read = told(SensorSystem(ball.plant, sensors, 2, DT), thrown, 20)
    assert read.tolist() == [thrown(k * DT) for k in range(20)]


def test_unknown_joints_and_links_are_refused(pendulum, ball):
    def refused(plant, sensors):
        with pytest.raises(ScenarioError) as error:
            SensorSystem(plant, sensors, 0, DT)
        return str(error.value)

    named = Sensors(encoders=Encoders(joints=["swin"]))
    assert "no joint 'swin' with one degree of freedom" in refused(pendulum.plant, named)
    assert "no link of the model is free" in refused(pendulum.plant, Sensors(imu=Imu()))
    assert "there is no link 'bal'; did you" in refused(ball.plant, Sensors(imu=Imu(link="bal")))
    turns = Sensors(imu=Imu(link="rod", orientation_bias=0.1))
    assert "the link 'rod' is not free in space" in refused(pendulum.plant, turns)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ("sensors: {rate: -1}", "sensors.rate is -1.0: give a positive number"),
        ("sensors: {rate: 300}", "no whole number of time_steps of 0.001 s: choose 333.333 or 250"),
        ("sensors: {rate: 3000}", "choose 1000 Hz, or another time_step"),
        ("sensors: {delay: -1}", "sensors.delay is -1.0: give a finite number of seconds"),
        ("sensors: {delay: 11}", "more than 10000 samples of 0.001 s: shorten it"),
        ("sensors: {encoders: {noise: .inf}}", "sensors.encoders.noise is inf: give a finite"),
        ("sensors: {encoders: {velocity: guessed}}", "velocity is 'guessed': choose one of differ"),
        (
            "sensors: {encoders: {velocity: differenced, velocity_noise: 1}}",
            "is for velocity: meas",
        ),
        ("sensors: {imu: {gyro_bias: -0.1}}", "sensors.imu.gyro_bias is -0.1: give a finite"),
        ("sensors: {imu: {at: [0, 0]}}", "sensors.imu.at is .0.0, 0.0.: give 3"),
        ("actuators: {noise: -1}", "actuators.noise is -1.0: give a finite number that"),
        ("actuators: {delay: .inf}", "actuators.delay is inf: give a finite number of seconds"),
    ],
)
def test_bad_fields_of_sensors_and_actuators_are_refused(fields, what):
    with pytest.raises(ScenarioError, match=what) as refused:
        parse_scenario(fields)
    assert "\n" not in str(refused.value)
