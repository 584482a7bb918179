"""Prescribed torques: polynomials of time, their bounds and faults, and what engines make of it."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from tests.engines.tiny import POINT, simulate, tiny

from footfall.errors import ScenarioError
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario, parse_scenario
from footfall_controllers.torque_profile import (
    Segment,
    TorqueProfile,
    TorqueProfileParameters,
    TorqueProfileSystem,
    TorqueSegment,
    actuator_names,
)

# the hopper's of Oh and Huang
PUBLISHED = TorqueProfileParameters((
    Segment(0.0, 0.06, (3.2 - 1500.0 * 0.04**2, 120.0, -1500.0)),
    Segment(0.06, 0.25, (-0.6, 3.0)),
    Segment(0.25, 0.35, (0.9, -15.0)),
))  # fmt: skip

lengths = st.floats(1e-3, 10.0)
# of single precision, whose smallest ones do not underflow in what is done with them
polynomials = st.lists(st.floats(-100.0, 100.0, width=32), min_size=1, max_size=7)


@st.composite
def profiles(draw):
    count = draw(st.integers(1, 5))
    ends = list(itertools.accumulate(draw(lengths) for _ in range(count)))
    starts = [0.0, *ends[:-1]]
    return TorqueProfileParameters(
        tuple(Segment(a, b, tuple(draw(polynomials))) for a, b in zip(starts, ends, strict=True))
    )


def _size(segment, s):
    """Size that roundings of a polynomial are relative to."""
    return sum(abs(a) * abs(s) ** k for k, a in enumerate(segment.coefficients))


# --- the function ----------------------------------------------------------------------------


@given(profiles(), st.floats(0.0, 1.0), st.integers(0, 4))
def test_a_piece_is_its_polynomial_of_local_time(profile, share, which):
    k = which % len(profile.segments)
    segment = profile.segments[k]
    time = segment.start + share * (segment.end - segment.start)
    wanted = Polynomial(segment.coefficients)(time - segment.start)
    # a rounding of each of up to 7 terms
    assert abs(profile.torque(k, time) - wanted) <= 1e-14 * _size(segment, time - segment.start)
    if segment.start <= time < segment.end:
        assert profile.piece(time) == k


@given(profiles())
def test_breaks_belong_to_what_follows_and_after_the_last_there_is_nothing(profile):
    for k, end in enumerate(profile.breaks):
        assert profile.piece(np.nextafter(end, -np.inf)) == k
        assert profile.piece(end) == k + 1
    for k, segment in enumerate(profile.segments):
        assert (
            profile.torque(profile.piece(segment.start), segment.start)
            == (profile.segments[k].coefficients[0])
        )
    last = profile.breaks[-1]
    assert profile.torque(profile.piece(last), last) == 0.0
    assert profile.torque(profile.piece(1e9), 1e9) == 0.0


@given(profiles(), st.floats(0.0, 1.0))
def test_a_complex_step_is_the_derivative(profile, share):
    for k, segment in enumerate(profile.segments):
        s = share * (segment.end - segment.start)
        slope = np.imag(profile.torque(k, segment.start + s + 1e-30j)) / 1e-30
        local = (segment.start + s) - segment.start
        slopes = [power * a for power, a in enumerate(segment.coefficients)][1:]
        size = sum(abs(a) * local**power for power, a in enumerate(slopes))
        # roundings, and of third derivatives the square of the step
        found = segment.derivative().value(segment.start + s)
        assert abs(slope - found) <= 1e-13 * size + 1e-50


def test_many_times_at_once_are_each_alone():
    times = np.linspace(0.0, 0.06, 7)
    together = PUBLISHED.torque(0, times)
    assert np.array_equal(together, [PUBLISHED.torque(0, t) for t in times.tolist()])
    assert np.array_equal(PUBLISHED.torque(3, times), np.zeros(7))


# --- means and bounds ------------------------------------------------------------------------


def _integral(profile, begin, end):
    """The integral in rational numbers, without rounding."""
    total = Fraction(0)
    for segment in profile.segments:
        a, b = max(begin, segment.start), min(end, segment.end)
        if a >= b:
            continue
        p, q = (Fraction(t) - Fraction(segment.start) for t in (a, b))
        for k, coefficient in enumerate(segment.coefficients):
            total += Fraction(coefficient) * (q ** (k + 1) - p ** (k + 1)) / (k + 1)
    return total


@given(profiles(), st.floats(0.0, 60.0), st.floats(1e-6, 20.0))
def test_the_mean_is_the_exact_integral_over_the_time(profile, begin, length):
    end = begin + length
    exact = _integral(profile, begin, end) / (Fraction(end) - Fraction(begin))
    size = max(_size(s, min(max(end - s.start, 0.0), s.end - s.start)) for s in profile.segments)
    # a time of a microsecond at 60 s has itself a rounding of 1e-8 of its length, in each bound
    slack = 1e-14 + 1e-15 * end / length
    assert abs(profile.mean(begin, end) - float(exact)) <= 20.0 * slack * size


def test_a_short_mean_loses_no_digits():
    segment = Segment(0.0, 2.0, (1.0, -3.0, 5.0, 7.0))
    begin = 1.0
    end = begin + 2.0**-30  # exact
    # the mean is the value at the middle, but for the curvature times length^2 / 24, 1e-18
    assert segment.mean(begin, end) == pytest.approx(segment.value(begin + 2.0**-31), rel=2e-16)


@given(profiles())
def test_extremes_bound_a_dense_sampling_and_are_taken(profile):
    for segment in profile.segments:
        times = np.linspace(segment.start, segment.end, 2001)
        sampled = segment.value(times)
        (at_low, low), (at_high, high) = segment.extremes()
        for at, value in ((at_low, low), (at_high, high)):
            assert segment.start <= at <= segment.end
            assert segment.value(at) == value
        # roundings of the values, in both
        slack = 1e-13 * _size(segment, segment.end - segment.start)
        assert low <= sampled.min() + slack
        assert high >= sampled.max() - slack
        # and no further beyond than the curvature allows between two samples
        bend = np.abs(segment.derivative().derivative().value(times)).max()
        spacing = times[1] - times[0]
        assert low >= sampled.min() - bend * spacing**2 - 2.0 * slack
        assert high <= sampled.max() + bend * spacing**2 + 2.0 * slack


def test_a_peak_between_any_samples_is_found():
    # 3 - 10^6 (t - a)^2 with its top at the irrational 1/pi, above 2.9999 for 20 microseconds
    a = 1.0 / np.pi
    b = a - 0.317
    top = Segment(0.317, 0.3195, (3.0 - 1e6 * b * b, 2e6 * b, -1e6))
    (_, lowest), (at, highest) = top.extremes()
    # roundings, and their roots in the place of a top as flat as this
    assert highest == pytest.approx(3.0, abs=1e-13)
    assert at == pytest.approx(a, abs=1e-9)
    assert lowest > -2.0
    profile = TorqueProfileParameters((Segment(0.0, 0.317, (0.0,)), top))
    profile.require_within(3.0)
    with pytest.raises(ValueError, match=r"segment 1 reaches 3 at t = 0\.3183\d* s, .* 2\.9999"):
        profile.require_within(2.9999)


@pytest.mark.parametrize(
    ("coefficients", "time", "value"),
    [
        ((-4.0, 1.0), "0", "-4"),  # at the start
        ((0.0, 2.0, 1.0), "1.5", "5.25"),  # towards the end, which the segment does not contain
        ((4.0,), "0", "4"),
        ((0.0, 9.0, -9.0), "0.5", "2.25"),
    ],
)
def test_the_place_beyond_the_limit_is_told(coefficients, time, value):
    profile = TorqueProfileParameters((Segment(0.0, 1.5, coefficients),))
    told = {"2.25": 2.0}.get(value, 3.0)
    if value == "2.25":  # its end is at -6.75
        profile = TorqueProfileParameters((Segment(0.0, 1.0, coefficients),))
    with pytest.raises(ValueError, match=f"reaches {value} at t = {time} s, .* limit of {told:g}"):
        profile.require_within(told)


def test_a_torque_at_its_limit_is_within():
    TorqueProfileParameters((Segment(0.0, 1.0, (10.0,)), Segment(1.0, 2.0, (-10.0, 20.0)))
    ).require_within(10.0)  # fmt: skip
    PUBLISHED.require_within(3.2)
    PUBLISHED.require_within(np.inf)


# --- what is refused -------------------------------------------------------------------------


YAML = """
name: hopper/mine
duration: 0.01
directives:
- add_model: {{name: hopper, file: package://footfall/urdf/hopper/hopper.urdf}}
- add_weld: {{parent: terrain, child: hopper::ground}}
initial: {{positions: {{theta1: 1.9, theta2: -1.9}}}}
controller: !TorqueProfile {{torques: {{{name}: {segments}}}}}
"""


@pytest.mark.parametrize(
    ("segments", "parts"),
    [
        ("[]", ["controller.torques.hinge: give at least one segment, or leave"]),
        ("[{end: 1.0}]", ["controller.torques.hinge.0: it has no coefficients"]),
        ("[{end: 1.0, coefficients: [1.0, .inf]}]", ["hinge.0: coefficients is (1.0, inf)"]),
        ("[{end: 1.0, coefficients: [a]}]", ["hinge.0.coefficients.0 is 'a': give a number"]),
        (
            "[{end: 1.0, coefficients: [1.0]}, {start: 1.5, end: 2.0, coefficients: [1.0]}]",
            ["controller.torques.hinge: segment 1", "leaves a gap"],
        ),
    ],
)
def test_wrong_profiles_are_refused_when_they_are_read(segments, parts):
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(YAML.format(name="hinge", segments=segments), "mine.yaml")
    message = str(refused.value)
    assert message.startswith("mine.yaml: ")
    assert "\n" not in message
    assert all(part in message for part in parts), message


@pytest.mark.parametrize("engine", ["moreau", "drake"])
@pytest.mark.parametrize(
    ("name", "peak", "parts"),
    [
        ("hing", 1.0, ["controller.torques.hing: there is no such actuator; did you mean 'hinge'"]),
        (
            "hinge",
            10.5,
            ["controller.torques.hinge: segment 0 reaches 10.5 at t = 0.5 s", "limit of 10:"],
        ),
    ],
)
def test_torques_that_the_machine_cannot_have_are_refused(engine, name, peak, parts):
    segments = f"[{{end: 1.0, coefficients: [0.0, {4.0 * peak}, {-4.0 * peak}]}}]"
    scenario = parse_scenario(YAML.format(name=name, segments=segments))
    with pytest.raises(ScenarioError) as refused:
        run_scenario(scenario, "hopper/mine", engine)
    assert "\n" not in str(refused.value)
    assert all(part in str(refused.value) for part in parts), str(refused.value)


# --- in the engines --------------------------------------------------------------------------


def _biped_source(time_step, **torques):
    return TorqueProfileSystem(build_robot(load_scenario("biped/stand")).plant, torques, time_step)


def test_breaks_on_the_grid_of_steps_are_exact_in_spite_of_rounding():
    profile = TorqueProfileParameters(
        (Segment(0.0, 0.06, (1.0,)), Segment(0.06, 0.25, (-2.0,)), Segment(0.25, 0.35, (3.0,)))
    )
    for count in (100, 300, 700, 1000, 3000, 7000, 10000):
        dt = 1.0 / count
        source = _biped_source(dt, tau1=profile)
        for k in range(int(0.4 * count)):
            if any(abs(k * dt - t) < 1e-12 for t in (0.06, 0.25, 0.35)):
                shift = next(t for t in (0.06, 0.25, 0.35) if abs(k * dt - t) < 1e-12)
                wanted = {0.06: -2.0, 0.25: 3.0, 0.35: 0.0}[shift]
                # the share of the step that rounding puts before the break, a few ulp of the time
                slack = 10.0 * np.spacing(k * dt) / dt
                for time in (k * dt, np.nextafter(k * dt, 0.0), np.nextafter(k * dt, 1.0)):
                    assert source.sample(time)[0] == pytest.approx(wanted, abs=5.0 * slack)


def test_a_source_for_continuous_time_gives_the_value():
    source = _biped_source(0.0, tau2=PUBLISHED)
    for time in (0.0, 0.03, 0.06, 0.2, 0.35, 1.0):
        wanted = PUBLISHED.torque(PUBLISHED.piece(time), time)
        assert np.array_equal(source.sample(time), [0.0, wanted, 0.0, 0.0])


# 2 kg that float along x, with a motor there
CART = POINT.replace('<limit effort="0"/></joint>\n  <joint name="z"', (
    '<limit effort="50"/></joint><transmission><type>transmission_interface/SimpleTransmission'
    '</type><joint name="x"/><actuator name="motor"/></transmission>\n  <joint name="z"'
))  # fmt: skip
PUSH = [TorqueSegment(0.0, 0.0617, [1.0, 30.0, -200.0]), TorqueSegment(0.0617, 0.19, [-0.7, 4.0])]


def _cart(tmp_path, time_step, engine):
    scenario = tiny(
        tmp_path,
        CART,
        welded="slope",
        positions={"z": 5.0},
        duration=0.2,
        time_step=time_step,
        controller=TorqueProfile(torques={"motor": PUSH}),
    )
    return simulate(scenario, engine).trajectory.data


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
@pytest.mark.parametrize("time_step", [0.01, 0.001])
def test_the_impulse_of_a_force_is_exact_wherever_its_breaks_lie(tmp_path, engine, time_step):
    data = _cart(tmp_path, time_step, engine)
    profile = TorqueProfile(torques={"motor": PUSH}).profiles()["motor"]
    times, speed = data["time"].to_numpy(), data["v"].sel(velocity="x").to_numpy()
    exact = np.array([float(_integral(profile, 0.0, float(t))) for t in times]) / 2.0
    # roundings of the sum of 200 steps; Drake solves its free motion as exactly
    assert np.abs(speed - exact).max() <= 1e-13
    held = data["actuation"].to_numpy()[:, 0]
    wanted = [profile.mean(float(t), float(t) + time_step) for t in times]
    assert np.abs(held - wanted).max() <= 1e-12


def test_the_place_is_of_second_order_in_the_step(tmp_path):
    # Moreau's place is the trapezoidal rule of the velocity, which here is exact at every step: its
    # error is -dt^2/12 times the change of the acceleration over all pieces, but for the jumps,
    # each of which adds its size times dt^2/8 at most, wherever in a step it lies
    profile = TorqueProfile(torques={"motor": PUSH}).profiles()["motor"]
    exact = sum(
        Fraction(a) * (Fraction(s.end) - Fraction(s.start)) ** (k + 1) / (k + 1)
        * (Fraction(0.2) - Fraction(s.end) + (Fraction(s.end) - Fraction(s.start)) / (k + 2))
        for s in profile.segments
        for k, a in enumerate(s.coefficients)
    )  # fmt: skip
    for dt in (0.02, 0.01, 0.005):
        place = float(_cart(tmp_path, dt, "moreau")["q"].sel(position="x")[-1])
        # the accelerations change by 1.1 m/s^2 within the pieces and jump by 3.5 in all
        assert abs(place - float(exact / 2)) <= dt**2 * (2.0 / 12.0 + 3.5 / 8.0)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_another_machine_plays_two_torques_at_once(engine):
    text = """
    {tau3: [{end: 0.01, coefficients: [0.5, 20.0]}],
     tau1: [{end: 0.004, coefficients: [1.0]},
            {start: 0.004, end: 0.02, coefficients: [-1.0, 9.0]}]}
    """
    scenario = load_scenario(
        "biped/stand",
        [
            f"controller=!TorqueProfile {{torques: {' '.join(text.split())}}}",
            "initial.from_reference=false",
            "duration=0.02",
            "time_step=0.001",
        ],
    )
    run = run_scenario(scenario, "biped/stand", engine)
    assert run.trajectory.status.value == "done"
    data = run.trajectory.data
    profiles_of = scenario.controller.profiles()
    for name in data["actuator"].to_numpy().tolist():
        profile = profiles_of.get(name, TorqueProfileParameters(()))
        wanted = [profile.mean(t, t + 1e-3) for t in data["time"].to_numpy().tolist()]
        assert data["actuation"].sel(actuator=name).to_numpy() == pytest.approx(wanted, abs=1e-12)


def test_actuators_are_called_as_in_trajectories():
    machine = build_robot(load_scenario("biped/stand"))
    assert actuator_names(machine.plant) == ["tau1", "tau2", "tau3", "tau4"]
    two = build_robot(load_scenario("scenes/two_robots"))
    names = actuator_names(two.plant)
    assert len(set(names)) == len(names)
