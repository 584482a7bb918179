"""The drive of the vehicle's wheels and legs: its motion, its law, its ports."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from footfall.errors import ModelError
from footfall.machines.ugv.closed_form.position import UgvParameters
from footfall.machines.ugv.model import wheel_centres
from footfall.resources import share_root
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import dump_scenario, parse_scenario
from footfall_controllers.wheel_leg_drive import (
    JOINTS,
    LegPlan,
    Station,
    WheelLegDriveParameters,
    WheelLegDriveSystem,
)

VEHICLE = UgvParameters()
STATIONS = [
    Station(s, *np.degrees(angles))
    for s, angles in ((1.0, (1.6, 2.0)), (1.5, (2.0, 2.1)), (3.0, (2.2, 1.7)))
]
PLAN = LegPlan(STATIONS)
LAW = WheelLegDriveParameters(stations=STATIONS, speed=0.3, ramp=0.8)

TEXT = """
directives:
- add_model: {name: ugv, file: package://footfall/sdf/ugv/ugv.sdf}
- add_weld: {parent: terrain, child: "ugv::ground"}
"""


@pytest.fixture(scope="module")
def plant():
    return build_robot(parse_scenario(TEXT)).plant


@pytest.fixture(scope="module")
def system(plant):
    return WheelLegDriveSystem(plant, VEHICLE, LAW)


# --- the wanted motion -------------------------------------------------------------------------


@pytest.mark.parametrize("time", [0.0, 0.1, 0.5, 0.8, 2.0])
def test_the_way_is_the_integral_of_the_speed(time):
    way, speed = LAW.wanted(time)
    whole, _ = quad(lambda t: LAW.wanted(t)[1], 0.0, time, points=[0.8])
    assert way == pytest.approx(whole, abs=1e-12)
    assert 0.0 <= speed <= 0.3


def test_it_starts_and_arrives_without_a_jump_of_the_acceleration():
    small = 1e-6
    for time in (0.0, 0.8):
        before, after = (
            (LAW.wanted(t + small)[1] - LAW.wanted(t)[1]) / small for t in (time - small, time)
        )
        # of a parabola with the bend 6 speed/ramp^2
        assert before == pytest.approx(0.0, abs=1e-5)
        assert after == pytest.approx(0.0, abs=1e-5)


def test_angles_go_through_the_stations_and_never_beyond_them():
    for s, angles in zip(PLAN.s, PLAN.angles, strict=True):
        assert PLAN.at(s)[0] == pytest.approx(angles, abs=1e-14)
    s = np.linspace(0.0, 4.0, 801)
    angles = np.array([PLAN.at(place)[0] for place in s])
    assert angles.min(axis=0) == pytest.approx([1.6, 1.7], abs=1e-14)
    assert angles.max(axis=0) == pytest.approx([2.2, 2.1], abs=1e-14)
    assert (np.diff(angles[:, 0]) >= 0.0).all()


@pytest.mark.parametrize("s", [0.3, 1.0, 1.2, 1.5, 2.4, 3.0, 3.6])
def test_rates_are_those_of_the_angles(s):
    step = 1e-6
    ahead, behind = PLAN.at(s + step)[0], PLAN.at(s - step)[0]
    # a cubic with bends of some 1 rad/m^2
    assert PLAN.at(s)[1] == pytest.approx((ahead - behind) / (2.0 * step), abs=5e-6)


def test_one_station_is_angles_that_stay():
    plan = LegPlan([Station(2.0, *np.degrees((1.5, 1.8)))])
    for s in (-10.0, 2.0, 50.0):
        angles, rates = plan.at(s)
        assert (angles == [1.5, 1.8]).all()
        assert (rates == 0.0).all()


# --- the law -----------------------------------------------------------------------------------


def test_on_its_motion_it_asks_for_no_torque(system):
    # level ground, the wheels rolling as wanted and the legs as planned
    time, turn = 0.5, 1.0 / VEHICLE.r
    way, speed = LAW.wanted(time)
    front = 1.2  # s_f
    (phi_r, phi_f), (rate_r, rate_f) = PLAN.at(front)
    pitch, pitching = 0.07, -0.02
    q = np.array([0.0, 0.5, pitch, phi_r, 0.0, phi_f, 0.0])
    q[0] = front - wheel_centres(VEHICLE, q)[1].real
    q[4], q[6] = way * turn + pitch - phi_r, way * turn + pitch + phi_f
    v = np.array([0.4, 0.0, pitching, 0.0, 0.0, 0.0, 0.0])
    ahead = 0.0
    for _ in range(60):  # the legs' rates move the wheel that they are planned by
        v[3], v[5] = rate_r * ahead, rate_f * ahead
        step = 1e-6
        ends = [wheel_centres(VEHICLE, q + sign * step * v)[1].real for sign in (1.0, -1.0)]
        ahead = (ends[0] - ends[1]) / (2.0 * step)
    v[4], v[6] = speed * turn + pitching - v[3], speed * turn + pitching + v[5]
    found = np.array(system.torques(time, q.tolist(), v.tolist()))
    # of gains of 1e3 N m s times rates differenced to 1e-10
    assert found == pytest.approx(np.zeros(4), abs=1e-5)


def test_an_error_of_the_rolling_decays_as_the_gains_say():
    # the vehicle on level ground is an inertia J at each wheel: J e'' + kd e' + ki e = 0
    law = replace(LAW, speed=0.0)
    inertia = 22.05
    found = solve_ivp(
        lambda t, y: [y[1], law.wheel_torque(t, y[0], y[1], VEHICLE.r) / inertia],
        (0.0, 0.6),
        [0.05, 0.0],
        rtol=1e-10,
        atol=1e-13,
    )
    half = 0.5 * law.kd / inertia
    beat = np.sqrt(law.ki / inertia - half**2)
    t = found.t
    exact = 0.05 * np.exp(-half * t) * (np.cos(beat * t) + half / beat * np.sin(beat * t))
    assert found.y[0] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_wheels_that_were_held_back_do_not_race(sign):
    law = replace(LAW, limit=50.0)
    far = -sign * 10.0  # rad behind, which would ask for 22000 N m
    turn = law.wanted(5.0)[1] / VEHICLE.r
    assert law.wheel_torque(5.0, far, 0.0, VEHICLE.r) in (50.0, -50.0)
    # freed, they reach no more than limit/kd above the wanted rate: there the torque is 0
    fastest = turn + sign * 50.0 / law.kd
    behind = law.wanted(5.0)[0] / VEHICLE.r + far
    assert law.wheel_torque(5.0, behind, fastest, VEHICLE.r) == pytest.approx(0.0, abs=1e-9)


def test_a_leg_is_pushed_to_where_it_is_to_be(system):
    at = [0.0, 0.5, 0.0, 1.6, 0.0, 2.0, 0.0]
    still = [0.0] * 7
    rear, _, front, _ = system.torques(0.0, at, still)
    # before the first station, whose angles in degrees round: an eps of them times leg_kp
    assert (rear, front) == pytest.approx((0.0, 0.0), abs=1e-10)
    at[3], at[5] = 1.61, 1.98
    rear, _, front, _ = system.torques(0.0, at, still)
    assert rear == pytest.approx(-2e5 * 0.01)
    assert front == pytest.approx(2e5 * 0.02)


def test_its_ports_are_those_of_the_machine(plant, system):
    context = system.CreateDefaultContext()
    generator = np.random.default_rng(5)
    values = 0.3 * generator.standard_normal(14)
    system.GetInputPort("state").FixValue(context, values)
    context.SetTime(0.4)
    rows = [plant.GetJointByName(n).position_start() for n in ("x", "z", "pitch", *JOINTS)]
    wanted = system.torques(0.4, values[rows].tolist(), values[7:][rows].tolist())
    forces = plant.MakeActuationMatrix() @ system.GetOutputPort("actuation").Eval(context)
    assert forces[rows[3:]].tolist() == wanted
    assert wanted[1] == wanted[3]


# --- what is refused ---------------------------------------------------------------------------


def test_another_machine_is_refused():
    file = share_root() / "urdf" / "hopper" / "hopper.urdf"
    scenario = parse_scenario(
        f"directives:\n- add_model: {{name: hopper, file: {file}}}\n"
        '- add_weld: {parent: terrain, child: "hopper::ground"}\n'
        "controller: !WheelLegDrive {}\nduration: 0.01\n"
    )
    with pytest.raises(ModelError, match=r"controller WheelLegDrive: .*the UGV"):
        run_scenario(scenario, "other")


def test_a_scenario_says_it_in_degrees_and_keeps_it():
    stations = "[{position: 2.0, rear: 90.0, front: 120.0}]"
    text = f"{TEXT}controller: !WheelLegDrive {{speed: 0.1, stations: {stations}}}\n"
    scenario = parse_scenario(text)
    plan = scenario.controller.plan
    assert (*plan.s, *plan.angles[0]) == pytest.approx((2.0, np.pi / 2, np.pi / 1.5), abs=1e-15)
    assert dump_scenario(parse_scenario(dump_scenario(scenario))) == dump_scenario(scenario)
