"""Feet against statics and dynamics that the code does not use."""

import numpy as np
import pytest
from tests.engines.tiny import BRICK, GRAVITY, simulate, tiny
from tests.feet.robots import HOPPER, TABLE

from footfall.plants.grounds import Stairs
from footfall.scenario.schema import InitialState
from footfall_controllers.torque_profile import TorqueProfile, TorqueSegment

ENGINES = ("moreau", "drake-sap")


@pytest.fixture(scope="module")
def standing(tmp_path_factory):
    """A table that stands on four feet, by engine."""
    folder = tmp_path_factory.mktemp("table")
    scenario = tiny(folder, TABLE, friction=0.7, duration=0.3)
    scenario.initial = InitialState(drop_along="trunk")
    return {engine: simulate(scenario, engine) for engine in ENGINES}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_feet_of_a_robot_at_rest_bear_its_weight(standing, engine):
    data = standing[engine].trajectory.data
    assert data["foot"].values.tolist() == ["fl", "fr", "hl", "hr"]
    late = data.sel(time=slice(0.2, None))
    # means over steps: an unloaded step may alternate with one of twice the load. What is left are
    # Drake's springs, which still swing
    force = late["foot_force"].sum("foot").mean("time").to_numpy()
    assert force == pytest.approx(
        [0.0, 0.0, 10.0 * GRAVITY], abs={"moreau": 1e-6, "drake-sap": 0.5}[engine]
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_the_weight_lies_on_the_feet_as_the_lever_says(standing, engine):
    data = standing[engine].trajectory.data
    force = data["foot_normal_force"].sel(time=slice(0.2, None)).mean("time").to_numpy()
    # moments about the middle: 6 kg of 10 lie 0.06 m ahead and 0.03 m to the left
    share = 6.0 / 10.0 * np.array([0.06 / 0.25, 0.03 / 0.15])
    ahead, left = force @ [1, 1, -1, -1], force @ [1, -1, 1, -1]
    assert np.array([ahead, left]) / force.sum() == pytest.approx(share, abs=5e-3)


@pytest.mark.parametrize("engine", ENGINES)
def test_at_rest_the_zero_moment_point_lies_below_the_centre_of_mass(standing, engine):
    data = standing[engine].trajectory.data.sel(time=slice(0.2, None))
    zmp, com, capture = (data[name] for name in ("zero_moment_point", "com", "capture_point"))
    loaded = np.isfinite(zmp[:, 0].to_numpy())
    # what is left of the landing: height over gravity times accelerations of a few mm/s^2
    assert np.abs((zmp - com)[loaded, :2]).max() < 1e-3
    assert np.abs((capture - com)[:, :2]).max() < 1e-3
    assert np.abs(zmp[loaded, 2]).max() < 1e-12
    # the feet's places: 0.25 - 0.036 to the front edge, 0.15 - 0.018 to the left one
    margin = data["support_margin"].to_numpy()[loaded]
    assert margin == pytest.approx(np.full(margin.shape, 0.15 - 0.018), abs=1e-3)


def test_about_its_centre_of_pressure_a_foot_has_no_tilting_moment(tmp_path):
    # a brick on its broad side: four corners, of which the run keeps force and place
    brick = tiny(tmp_path, BRICK, duration=0.05, friction=0.5)
    brick.initial = InitialState(drop_along="brick", velocities={"brick_vx": 1.0})
    data = simulate(brick).trajectory.data
    row = int(np.flatnonzero(data["foot_normal_force"].to_numpy()[:, 0] > 0.0)[-1])
    impulse, place = data["impulse"][row].to_numpy(), data["contact_point"][row].to_numpy()
    arm = place - data["foot_centre_of_pressure"].to_numpy()[row, 0]
    tilting = np.cross(arm, impulse[:, [1, 2, 0]]).sum(axis=0)[:2]
    assert np.abs(tilting).max() < 1e-12
    # it slides to the right: friction to the left at half the height needs the pressure ahead
    link = data["foot_centre_of_pressure_link"].to_numpy()[row, 0]
    assert link == pytest.approx([0.5 * 0.02, 0.0, -0.02], abs=1e-4)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("slope_deg", [0.0, -10.0])
def test_a_sliding_box_uses_all_friction_and_slides_as_far_as_it_must(tmp_path, engine, slope_deg):
    mu, v = 0.4, 0.6
    slope = np.deg2rad(slope_deg)
    box = tiny(tmp_path, BRICK, duration=0.5, friction=mu, slope_deg=slope_deg)
    box.initial = InitialState(
        drop_along="brick",
        positions={"brick_qw": np.cos(slope / 2), "brick_qy": -np.sin(slope / 2)},
        velocities={"brick_vx": v * np.cos(slope), "brick_vz": v * np.sin(slope)},
    )
    run = simulate(box, engine)
    slowing = GRAVITY * (mu * np.cos(slope) + np.sin(slope))
    way = v**2 / (2.0 * slowing)
    if engine == "moreau":  # Drake's box tilts and leaves the ground for part of its way
        # speeds are known at the ends of steps, not at the start of the first: v g dt / v^2
        assert run.metrics["slip_by_foot"]["brick"] == pytest.approx(way, rel=0.01)
    data = run.trajectory.data
    slides = data.sel(time=slice(0.02, 0.8 * v / slowing))
    use = slides["foot_friction_utilisation"].to_numpy()
    assert use[np.isfinite(use)] == pytest.approx(
        1.0, abs={"moreau": 1e-6, "drake-sap": 0.02}[engine]
    )
    if slope_deg and engine == "moreau":  # at rest it uses tan(slope) of mu; Drake's still rocks
        rests = np.nanmean(data["foot_friction_utilisation"].sel(time=slice(0.45, None)).to_numpy())
        assert rests == pytest.approx(np.tan(-slope) / mu, abs=0.01)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_foot_touches_down_when_its_fall_is_over(tmp_path, engine):
    height = 0.03
    fall = tiny(tmp_path, BRICK, duration=0.2)
    fall.initial = InitialState(drop_along="brick", gap=height)
    run = simulate(fall, engine)
    touch = [event for event in run.trajectory.events if event.kind == "touch-down"]
    assert [event.what for event in touch] == ["brick"]
    # a step of Moreau's, whose active set is that of its middle; Drake's box meets springs
    assert touch[0].time == pytest.approx(np.sqrt(2.0 * height / GRAVITY), abs=2e-3)
    clearance = run.trajectory.data["foot_clearance"].to_numpy()[:, 0]
    time = run.trajectory.data["time"].to_numpy()
    aloft = (time > 0.0) & (time < touch[0].time - 3e-3)
    # recorded half a step earlier (moreau) or at its end
    exact = height - 0.5 * GRAVITY * time**2
    assert clearance[aloft] == pytest.approx(exact[aloft], abs=1e-3)


@pytest.fixture(scope="module")
def hop(tmp_path_factory):
    """A hopper that pushes itself off and lands, by engine."""
    folder = tmp_path_factory.mktemp("hopper")
    push = [
        TorqueSegment(start=0.0, end=0.06, coefficients=[-78.48]),
        TorqueSegment(start=0.06, end=0.12, coefficients=[-300.0]),
    ]
    scenario = tiny(
        folder,
        HOPPER,
        friction=0.7,
        duration=0.5,
        controller=TorqueProfile(torques={"trunk_sole": push}),
    )
    scenario.initial = InitialState(drop_along="trunk")
    return {engine: simulate(scenario, engine) for engine in ENGINES}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_hop_keeps_the_balance_of_momentum(hop, engine):
    data = hop[engine].trajectory.data
    time = data["time"].to_numpy()
    force = np.nan_to_num(data["foot_force"].to_numpy()[:, 0])[1:]
    impulse = np.cumsum(force * np.diff(time)[:, None], axis=0)
    impulse[:, 2] -= 9.0 * GRAVITY * time[1:]
    momentum = 9.0 * (data["com_velocity"].to_numpy()[1:] - data["com_velocity"].to_numpy()[0])
    # both are sums over steps: rounding, and Drake's tolerance of its solver
    assert impulse == pytest.approx(momentum, abs={"moreau": 1e-9, "drake-sap": 1e-3}[engine])
    kinds = [event.kind for event in hop[engine].trajectory.events if event.what == "sole"]
    assert kinds == ["lift-off", "touch-down"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_hop_costs_what_its_motor_did(hop, engine):
    run = hop[engine]
    data = run.trajectory.data
    assert run.metrics["peak_effort"] == {"trunk_sole": 300.0}
    # root mean square of 78.48 N for 60 ms and 300 N for 60 ms, in 500 ms
    rms = np.sqrt((78.48**2 * 0.06 + 300.0**2 * 0.06) / 0.5)
    assert run.metrics["rms_effort"]["trunk_sole"] == pytest.approx(rms, rel=2e-2)
    # the account of energy, which is the recorder's: the motor only drives here
    work = float(data["actuator_work"][-1])
    assert run.metrics["positive_work"] == pytest.approx(work, rel=1e-6)
    assert "cost_of_transport" not in run.metrics  # it went nowhere
    assert run.metrics["fallen"] == 0.0


def test_over_a_step_the_pressure_is_where_sliding_feet_of_two_heights_press(tmp_path):
    mu, rise, v = 0.3, 0.05, 0.5
    table = TABLE.replace('"0.25 0.15 -0.4"', '"0.25 0.15 -0.35"')
    table = table.replace('"0.25 -0.15 -0.4"', '"0.25 -0.15 -0.35"')
    scenario = tiny(tmp_path, table, friction=mu, duration=0.1)
    scenario.terrain = Stairs(begin=0.0, rise=rise, depth=1.0, steps=1, landing=1.0)
    scenario.initial = InitialState(drop_along="trunk", velocities={"trunk_vx": v})
    data = simulate(scenario).trajectory.data.sel(time=slice(0.02, None))
    com, point = data["com"].to_numpy(), data["zero_moment_point"].to_numpy()
    front, rear = 0.25, -0.25
    base = data["base_position"].to_numpy()[:, 0]
    # all feet slide, nothing turns: moments about the centre of mass give the front feet's share
    share = mu * com[:, 2] + com[:, 0] - base - rear
    share /= front - rear + mu * rise
    expected = base + share * front + (1.0 - share) * rear
    # contacts are measured amid a step of 1 ms
    assert point[:, 0] == pytest.approx(expected, abs=0.5e-3 * v + 1e-4)
    # about the plane below it would be 15 mm off at the front feet
    assert np.abs(point[:, 2] - share * rise).max() < 1e-3


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("friction", [0.1, 0.6])
def test_feet_creep_where_friction_is_below_its_limit(tmp_path, engine, friction):
    """Of a slope whose tangent is 0.27: at 0.1 all sliding is slip, at 0.6 what Drake gives way."""
    table = tiny(tmp_path, TABLE, slope_deg=15.0, friction=friction, duration=0.2)
    table.initial = InitialState(drop_along="trunk")
    metrics = simulate(table, engine).metrics
    slid, crept = (sum(metrics[name].values()) for name in ("slip_by_foot", "creep_by_foot"))
    if friction == 0.1:
        assert crept < 0.01 * slid
    elif engine == "moreau":
        assert crept < 1e-12
    else:
        assert slid > 1e-7
        assert crept > 0.8 * slid
