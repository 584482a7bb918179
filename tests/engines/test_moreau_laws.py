"""Contact laws on machines whose motion is known in one line: bouncing, sticking, sliding, rolling,
leaning.
"""

import numpy as np
import pytest
from tests.engines.tiny import BALL, BRICK, GRAVITY, POINT, RADIUS, STOPPED, columns, simulate, tiny
from tests.slow import some_slow

from footfall.plants.contacts import PairRule
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot

DT = 1e-3
TOUCH = -1e-12  # in contact from the first step on, whatever the rounding


def _ball(folder, **fields):
    return tiny(folder, BALL, time_step=DT, **fields)


@pytest.mark.parametrize("e_n", [0.0, 0.5, 0.9])
def test_a_dropped_ball_bounces_when_it_should(tmp_path, e_n):
    height = 0.5
    fall = np.sqrt(2.0 * height / GRAVITY)
    scenario = _ball(tmp_path, restitution=e_n, duration=1.2, positions={"ball_z": RADIUS + height})
    data = simulate(scenario).trajectory.data
    impulse = data["impulse"].to_numpy()[:, 0, 0]
    impacts = data["time"].to_numpy()[np.flatnonzero(impulse > 1e-2 * 1.5 * GRAVITY * fall)]
    # flights of 2 e^k v / g; every impact is found up to a step late, and starts the next flight
    # late
    expected = fall * (1.0 + 2.0 * np.cumsum(np.r_[0.0, e_n ** np.arange(1, 4)]))
    expected = expected[: {0.0: 1, 0.5: 4, 0.9: 2}[e_n]]
    found = impacts[: len(expected)]
    assert np.abs(found - expected).max() <= 2.0 * DT * len(expected)
    # velocity after the first impact: -e of that before, exactly, as the law says at velocity level
    first = int(np.argmax(impulse > 0.0))
    before, after = data["v"].to_numpy()[[first - 1, first], 5]
    assert after == pytest.approx(-e_n * before, abs=1e-12)
    assert before == pytest.approx(-GRAVITY * fall, abs=2.0 * GRAVITY * DT)


def test_bouncing_comes_to_rest_after_infinitely_many_impacts(tmp_path):
    height, e_n = 0.5, 0.5
    fall = np.sqrt(2.0 * height / GRAVITY)
    zeno = fall * (1.0 + 2.0 * e_n / (1.0 - e_n))
    scenario = _ball(
        tmp_path, restitution=e_n, duration=1.2 * zeno, positions={"ball_z": RADIUS + height}
    )
    time, z, speed = columns(simulate(scenario), "ball_z", "v:ball_vz")
    moving = np.abs(z - RADIUS) > 2e-3
    # ten resolved bounces, each up to a step late
    assert time[moving].max() < zeno + 20.0 * DT
    late = time > zeno + 0.05
    assert np.abs(speed[late]).max() < GRAVITY * DT * (1.0 + e_n)
    # first contact comes within one step of approach at 3.1 m/s, and nothing lifts the ball out
    # again
    assert z.min() > RADIUS - GRAVITY * fall * DT


def _on_slope(folder, slope, mu, engine):
    scenario = tiny(
        folder,
        POINT,
        welded="slope",
        slope_deg=slope,
        friction=mu,
        time_step=DT,
        positions={"z": TOUCH},
    )
    return columns(simulate(scenario, engine), "x", "v:x")


@pytest.mark.parametrize("slope", [-20.0, 35.0])
@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_a_block_sticks_above_the_angle_of_friction(tmp_path, engine, slope):
    _, x, _ = _on_slope(tmp_path, slope, 1.01 * np.tan(np.deg2rad(abs(slope))), engine)
    # Moreau: rounding. Drake: friction creeps at 1e-6 m/s, and the normal force takes some ms to
    # build up
    assert np.abs(x).max() <= {"moreau": 1e-14, "drake-sap": 1e-4}[engine]


@pytest.mark.parametrize("slope", [-20.0, 35.0])
@pytest.mark.parametrize("engine", ["moreau", "drake-lagged"])
def test_a_block_slides_below_the_angle_of_friction(tmp_path, engine, slope):
    # sap is not asked: its sliding contact rides on a gap of mu v (dt + relaxation time) and hops
    alpha = np.deg2rad(slope)
    mu = 0.95 * np.tan(abs(alpha))
    time, x, v = _on_slope(tmp_path, slope, mu, engine)
    pull = -np.sign(alpha) * GRAVITY * (np.sin(abs(alpha)) - mu * np.cos(alpha))
    # under a constant force the midpoint rule is exact; Drake slides with less friction for the
    # some ms in which its normal force builds up: up to 6 mm/s, and so many mm in a second
    tolerance = {"moreau": 1e-12, "drake-lagged": 1e-2}[engine]
    assert x[-1] == pytest.approx(0.5 * pull * time[-1] ** 2, abs=tolerance)
    assert v[-1] == pytest.approx(pull * time[-1], abs=tolerance)
    assert abs(x[-1]) > 5.0 * tolerance


@pytest.mark.parametrize(
    "engine", some_slow(["moreau", "drake-sap", "drake-lagged"], "drake-lagged")
)
def test_a_sliding_mass_stops_after_v_squared_over_2_mu_g(tmp_path, engine):
    speed, mu = 2.0, 0.4
    scenario = tiny(
        tmp_path,
        POINT,
        welded="slope",
        friction=mu,
        time_step=DT,
        positions={"z": TOUCH},
        velocities={"x": speed},
    )
    time, x, v = columns(simulate(scenario, engine), "x", "v:x")
    distance = speed**2 / (2.0 * mu * GRAVITY)
    # Moreau: the step in which it stops, mu g dt^2 / 2. Drake: v dt / 2 of its end-of-step
    # velocity, and the few ms in which the normal force builds up, 2 m/s each
    tolerance = {"moreau": 0.5 * mu * GRAVITY * DT**2}.get(engine, 10.0 * DT)
    assert x[-1] == pytest.approx(distance, abs=tolerance + 1e-12)
    assert time[np.abs(v) > 1e-3].max() == pytest.approx(speed / (mu * GRAVITY), abs=10.0 * DT)


def test_friction_opposes_sliding_in_the_plane(tmp_path):
    # a brick that slides obliquely on its face: straight path, four corners share the weight
    mu, heading = 0.3, np.deg2rad(35.0)
    velocity = 1.5 * np.array([np.cos(heading), np.sin(heading)])
    scenario = tiny(
        tmp_path,
        BRICK,
        friction=mu,
        time_step=DT,
        duration=0.6,
        positions={"brick_z": 0.02 + TOUCH},
        velocities={"brick_vx": velocity[0], "brick_vy": velocity[1]},
    )
    result = simulate(scenario)
    _, x, y = columns(result, "brick_x", "brick_y")
    distance = 1.5**2 / (2.0 * mu * GRAVITY)
    # a step's uncertainty of stopping, and the solver's 1e-10 over 600 steps
    assert x[-1] == pytest.approx(distance * np.cos(heading), abs=5e-6)
    assert y[-1] == pytest.approx(distance * np.sin(heading), abs=5e-6)
    sliding = result.trajectory.data["impulse"].to_numpy()[1:200]
    assert sliding[:, :, 0].sum(axis=1) == pytest.approx(1.2 * GRAVITY * DT, rel=1e-9)
    assert result.metrics["max_residual"] <= 1e-10


@pytest.mark.parametrize("margin", [0.99, 1.01])
def test_a_brick_with_redundant_contacts_sticks_up_to_the_angle_of_friction(tmp_path, margin):
    alpha = np.deg2rad(15.0)
    mu = margin * np.tan(alpha)
    tilt = {"brick_qw": np.cos(-0.5 * alpha), "brick_qy": np.sin(-0.5 * alpha)}
    height = 0.02 + TOUCH
    scenario = tiny(
        tmp_path,
        BRICK,
        slope_deg=15.0,
        friction=mu,
        time_step=DT,
        duration=0.5,
        positions=tilt | {"brick_x": -height * np.sin(alpha), "brick_z": height * np.cos(alpha)},
    )
    time, x, vx = columns(simulate(scenario), "brick_x", "v:brick_vx")
    pull = GRAVITY * (np.sin(alpha) - mu * np.cos(alpha)) if margin < 1.0 else 0.0
    # the solver's 1e-10 a step on impulses of 12 mN s, over 500 steps
    assert vx[-1] == pytest.approx(-pull * np.cos(alpha) * time[-1], abs=1e-8)
    assert x[-1] - x[0] == pytest.approx(-0.5 * pull * np.cos(alpha) * time[-1] ** 2, abs=1e-8)


def test_a_sliding_ball_ends_rolling_at_five_sevenths(tmp_path):
    mu, heading = 0.2, np.deg2rad(-50.0)
    start = 2.0 * np.array([np.cos(heading), np.sin(heading)])
    scenario = _ball(
        tmp_path,
        friction=mu,
        duration=0.6,
        positions={"ball_z": RADIUS + TOUCH},
        velocities={"ball_vx": start[0], "ball_vy": start[1], "ball_wz": 3.0},
    )
    result = simulate(scenario)
    time, vx, vy, wx, wy, wz = columns(
        result, "v:ball_vx", "v:ball_vy", "v:ball_wx", "v:ball_wy", "v:ball_wz"
    )
    # sphere, 2/5 m r^2; when rolling begins it holds exactly, for angular momentum about the
    # contact line is kept
    assert np.hypot(vx, vy)[-1] == pytest.approx(2.0 * 5.0 / 7.0, rel=1e-9)
    assert np.arctan2(vy, vx)[-1] == pytest.approx(heading, abs=1e-9)
    assert (wx[-1], wy[-1]) == pytest.approx((-vy[-1] / RADIUS, vx[-1] / RADIUS), rel=1e-8)
    assert wz[-1] == pytest.approx(
        3.0, abs=1e-9
    )  # a point contact takes no torque about its normal
    mode = result.trajectory.data["mode"].to_numpy()[1:, 0]
    rolls_from = time[1:][np.argmax(mode == 1)]
    assert rolls_from == pytest.approx(2.0 * 2.0 / (7.0 * mu * GRAVITY), abs=2.0 * DT)
    slides_at = time[1:] < rolls_from - 2.0 * DT
    assert (mode[slides_at] == 2).all()


def test_a_ball_rolls_down_a_slope_with_five_sevenths_of_g_sin_alpha(tmp_path):
    alpha = np.deg2rad(-10.0)
    height = RADIUS + TOUCH
    place = {"ball_x": -height * np.sin(alpha), "ball_z": height * np.cos(alpha)}
    scenario = _ball(tmp_path, slope_deg=-10.0, friction=0.5, duration=1.0, positions=place)
    time, x, vx = columns(simulate(scenario), "ball_x", "v:ball_vx")
    pull = 5.0 / 7.0 * GRAVITY * np.sin(-alpha) * np.cos(alpha)
    assert vx[-1] == pytest.approx(pull * time[-1], rel=1e-8)
    assert x[-1] - x[0] == pytest.approx(0.5 * pull * time[-1] ** 2, rel=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("e_n", [0.0, 0.6])
def test_a_frictionless_impact_loses_what_carnot_says(tmp_path, e_n):
    # loss = (1 - e) / (1 + e) * 1/2 dv^T M dv, a theorem that the step does not use; a brick on one
    # corner
    tilt = np.array([0.9, 0.3, 0.25, 0.1])
    tilt /= np.linalg.norm(tilt)
    scenario = tiny(
        tmp_path,
        BRICK,
        friction=0.0,
        restitution=e_n,
        duration=0.3,
        time_step=1e-5,
        positions=dict(zip(["brick_qw", "brick_qx", "brick_qy", "brick_qz"], tilt, strict=True))
        | {"brick_z": 0.3},
        velocities={"brick_wx": 2.0, "brick_vz": -1.0},
    )
    data = simulate(scenario).trajectory.data
    hit = int(np.argmax(data["impulse"].to_numpy()[:, :, 0].max(axis=1) > 0.0))
    assert hit > 0
    state = np.concatenate((data["q"][hit - 1], data["v"][hit - 1]))
    machine = build_robot(scenario)
    dynamics = Dynamics(machine.model, machine.contacts)
    dynamics.set_state(state)
    mass = dynamics.mass_matrix()
    jump = data["v"].to_numpy()[hit] - data["v"].to_numpy()[hit - 1]
    kinetic = data["kinetic_energy"].to_numpy()
    loss = (1.0 - e_n) / (1.0 + e_n) * 0.5 * jump @ mass @ jump
    assert loss > 0.01
    # in the step gravity and Coriolis forces act besides, for 1e-5 s: some 1e-4 J of joules
    assert kinetic[hit - 1] - kinetic[hit] == pytest.approx(loss, abs=5e-4)


def test_a_stop_catches_a_pendulum_and_lets_it_go(tmp_path):
    speed = 3.0
    scenario = tiny(
        tmp_path,
        STOPPED.format(effort=0, damping=0),
        welded="base",
        velocities={"swing": speed},
        duration=1.0,
    )
    time, angle, rate = columns(simulate(scenario), "swing", "v:swing")
    hit = int(np.argmax(angle >= 0.499))
    # energy up to the stop: first order in the step
    arrival = np.sqrt(speed**2 - 2.0 * GRAVITY * (1.0 - np.cos(0.5)))
    assert np.max(rate[hit - 5 : hit]) == pytest.approx(arrival, abs=0.05)
    assert angle.max() <= 0.5 + arrival * DT  # found at the latest a step after
    # it stops there, and gravity takes it back: it passes the lowest point with the energy of 0.5
    # rad
    lowest = int(np.argmax((angle < 0.0) & (time > time[hit])))
    assert rate[lowest] == pytest.approx(-np.sqrt(2.0 * GRAVITY * (1.0 - np.cos(0.5))), abs=0.02)


def test_restitution_of_single_contacts(tmp_path):
    # pairs may say otherwise than the scenario
    scenario = _ball(
        tmp_path,
        restitution=0.2,
        pairs=[PairRule("ball::*", restitution=0.7)],
        duration=0.5,
        positions={"ball_z": RADIUS + 0.3},
    )
    data = simulate(scenario).trajectory.data
    first = int(np.argmax(data["impulse"].to_numpy()[:, 0, 0] > 0.0))
    before, after = data["v"].to_numpy()[[first - 1, first], 5]
    assert after / before == pytest.approx(-0.7, abs=1e-10)


@pytest.mark.parametrize("drop", [-0.05, -0.1, -0.3, -1.0])
def test_an_elastic_impact_keeps_energy_though_other_corners_separate(tmp_path, drop):
    # a brick lands flat while it turns: two corners come down, two go up, and are coupled by the
    # body
    scenario = tiny(
        tmp_path,
        BRICK,
        friction=0.0,
        restitution=1.0,
        duration=1e-3,
        time_step=1e-4,
        positions={"brick_z": 0.019},
        velocities={"brick_wy": 3.0, "brick_vz": drop},
    )
    data = simulate(scenario).trajectory.data
    before, after = data["v"].to_numpy()[:2]
    assert after[5] - before[5] > 0.1
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    # the solver's 1e-10 of impulses of 0.1 N s, times m/s
    assert np.abs(energy - energy[0]).max() <= 1e-9


def test_a_landing_leaves_no_penetration_where_gaps_are_recovered(tmp_path):
    start = {"ball_z": RADIUS + 0.2}
    plain = _ball(tmp_path, duration=0.5, positions=start)
    recovering = _ball(tmp_path, duration=0.5, positions=start)
    recovering.moreau.recover_gaps = True
    _, kept, _ = columns(simulate(plain), "ball_z", "v:ball_vz")
    _, recovered, speed = columns(simulate(recovering), "ball_z", "v:ball_vz")
    # it lands at 2 m/s somewhere within a step of 2 mm, and stays where it landed
    assert -2e-3 < kept[-1] - RADIUS < -1e-5
    # a landing is found at the next midpoint: half a step's way deep, for that one row; then
    # positions are brought back to rounding, without any bounce
    deep = recovered < RADIUS - 1e-12
    assert deep.sum() <= 1
    assert recovered.min() > RADIUS - 0.5e-3 * 2.0
    assert recovered[-100:] == pytest.approx(np.full(100, RADIUS), abs=1e-12)
    assert np.abs(speed[-100:]).max() < 1e-12
