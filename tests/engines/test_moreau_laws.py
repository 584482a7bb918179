"""Contact laws on machines whose motion is known in one line: bouncing, sticking, sliding, rolling,
leaning.
"""

import numpy as np
import pytest
from tests.engines.tiny import BALL, BRICK, GRAVITY, POINT, RADIUS, STOPPED, columns, simulate, tiny

from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot

DT = 1e-3
TOUCH = -1e-12  # in contact from the first step on, whatever the rounding


def _ball(folder, **fields):
    return tiny(folder, BALL, time_step=DT, **fields)


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
