"""MuJoCo as an engine: the plant's dynamics, its soft friction and stops, what it has not."""

import importlib.util

import numpy as np
import pytest
from tests.cli.command import done
from tests.engines.tiny import BRICK, GRAVITY, POINT, STOPPED, columns, simulate, tiny
from tests.extras import require

import footfall as ff
from footfall.engines import MujocoConfig
from footfall.errors import FootfallError
from footfall.plants.constraints import Ball, Coupler, Distance, Weld
from footfall.plants.contacts.material import PairRule
from footfall.plants.coordinates import joint_damping
from footfall.plants.dynamics import Dynamics
from footfall.scenario.io import load_scenario
from footfall.trajectory.events import LEFT_OUT

OPTIONS = MujocoConfig()
SLOPE = 15.0  # degrees

# two arms on one axis, one of which would fall faster
LINKS = ("twins::a", "twins::b")
TWINS = """<robot name="twins"><link name="base"/>
  <link name="a"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="b"><inertial><origin xyz="0.2 0 0.1"/><mass value="0.3"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="a" type="continuous">
    <axis xyz="0 1 0"/><parent link="base"/><child link="a"/></joint>
  <joint name="b" type="continuous">
    <axis xyz="0 1 0"/><parent link="base"/><child link="b"/></joint>
</robot>"""


@pytest.fixture(autouse=True)
def _needs_mujoco():
    require("mujoco", "mujoco")


@pytest.mark.parametrize("name", ["scenes/quadruped", "humanoid/stand"])
def test_accelerations_in_the_air_are_those_of_drake(name):
    # q, v and torques go in, q and v come out, by M and h of Drake's plant
    simulation = ff.load(name, controller=None, pushes=[]).simulation("mujoco")
    robot, plant, rng = simulation._robot, simulation.plant, np.random.default_rng(1)
    dynamics, nq, dt = Dynamics(robot.model, robot.contacts), plant.num_positions(), 1e-3
    for _ in range(2):
        state = robot.initial_state.copy()
        state[:4] = rng.standard_normal(4)
        state[:4] /= np.linalg.norm(state[:4])
        state[4:7] = [1.0, -2.0, 9.0]
        state[nq:] = 0.3 * rng.standard_normal(plant.num_velocities())
        tau = rng.uniform(-1.0, 1.0, plant.num_actuators())
        simulation.reset(state=state)
        simulation.step(tau)
        dynamics.set_state(state)
        damped = dynamics.mass_matrix() + dt * np.diag(joint_damping(plant))
        force = dynamics.h() + dynamics.actuation_matrix @ tau
        found = (simulation.v - state[nq:]) / dt
        assert found == pytest.approx(np.linalg.solve(damped, force), rel=1e-6, abs=1e-6)
        q = dynamics.advance_positions(state[:nq], simulation.v, dt)
        assert simulation.q == pytest.approx(q, abs=1e-5)  # a turn by w dt squared


@pytest.mark.parametrize(("integrator", "order"), [("implicitfast", 1), ("Euler", 1), ("RK4", 4)])
def test_momentum_and_energy_of_a_tumbling_brick_stay_as_its_integrator_has_it(
    tmp_path, integrator, order
):
    moments, spin = np.array([0.00116, 0.00416, 0.005]), [2.0, 5.0, 1.0]
    errors = []
    for time_step in (4e-3, 2e-3):
        scenario = tiny(
            tmp_path, BRICK, positions={"brick_qw": 1.0, "brick_z": 5.0}, gravity=0.0,
            velocities={"brick_wx": spin[0], "brick_wy": spin[1], "brick_wz": spin[2],
                        "brick_vx": 0.7}, duration=0.2, time_step=time_step,
            mujoco=MujocoConfig(integrator=integrator),
        )  # fmt: skip
        run = simulate(scenario, "mujoco")
        data = run.trajectory.data
        assert data["v"].sel(velocity="brick_vx").to_numpy() == pytest.approx(0.7, abs=1e-15)
        w, x, y, z = data["q"].to_numpy()[-1][:4]
        R = np.array(
            [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
             [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
             [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
        )  # fmt: skip
        momentum = R @ (moments * (R.T @ data["v"].to_numpy()[-1][:3]))
        kinetic = data["kinetic_energy"].to_numpy()
        errors.append([np.linalg.norm(momentum - moments * spin), abs(kinetic[-1] - kinetic[0])])
    halved = np.log2(np.array(errors[0]) / errors[1])
    assert halved == pytest.approx([order] * 2, abs=0.3)


@pytest.mark.parametrize("impratio", [1.0, 10.0])
def test_what_sticks_on_a_slope_creeps_as_the_softness_of_friction_says(tmp_path, impratio):
    positions = {"brick_qw": 1.0, "brick_z": 0.02}
    scenario = tiny(
        tmp_path, BRICK, slope_deg=SLOPE, friction=0.5, positions=positions, duration=0.6,
        mujoco=MujocoConfig(impratio=impratio),
    )  # fmt: skip
    scenario.initial.drop_along = "brick"
    data = simulate(scenario, "mujoco").trajectory.data
    # at rest the reference -b v of friction is R f at each of four corners, R = (1 - d) / d / m and
    # b = 2 / (d_1 T) in MuJoCo's documentation: v = (1 - d) / d g sin(a) / (4 b); d rises with the
    # depth, as a parabola at first
    share = -float(data["gap"][-1].min()) / OPTIONS.solimp[2]
    d = OPTIONS.solimp[0] + (OPTIONS.solimp[1] - OPTIONS.solimp[0]) * 2.0 * share**2
    b = 2.0 / (OPTIONS.solimp[1] * OPTIONS.solref[0])
    creep = (1.0 - d) / d * GRAVITY * np.sin(np.radians(SLOPE)) / (4.0 * b * impratio)
    assert np.linalg.norm(data["v"].to_numpy()[-1][3:]) == pytest.approx(creep, rel=1e-2)
    assert creep == pytest.approx(6.6e-4 / impratio, rel=1e-2)  # m/s, as the page says


def test_what_slides_has_coulombs_friction(tmp_path):
    scenario = tiny(tmp_path, POINT, welded="slope", slope_deg=SLOPE, friction=0.1, duration=0.4)
    time, speed = columns(simulate(scenario, "mujoco"), "v:x")
    slope = np.radians(SLOPE)
    gained = GRAVITY * (np.sin(slope) - 0.1 * np.cos(slope)) * (time[-1] - time[200])
    assert abs(speed[-1] - speed[200]) == pytest.approx(gained, rel=1e-2)  # it hops by 30 um


def test_a_pendulum_leans_on_its_stop_with_the_torque_of_its_weight(tmp_path):
    text = STOPPED.format(effort=0, damping=2.0)
    scenario = tiny(tmp_path, text, welded="base", slope_deg=60.0, duration=1.2, time_step=2e-3)
    data = simulate(scenario, "mujoco").trajectory.data
    torque = data["impulse"].to_numpy()[-1, :, 0].max() / scenario.time_step
    angle = abs(float(data["q"][-1, 0]))
    assert angle == pytest.approx(0.5, abs=2e-2)  # stops are soft as contacts are
    assert torque == pytest.approx(GRAVITY * np.sin(np.radians(60.0) - angle), rel=1e-6)
    work = data["kinetic_energy"] + data["potential_energy"] - data["damping_work"]
    left = (work - data["contact_work"]).to_numpy()
    assert left == pytest.approx(left[0], abs=2e-2)  # of 4 J: g^2 dt / 2 a second


def test_dry_friction_holds_a_joint_and_takes_energy(tmp_path):
    text = STOPPED.format(effort=0, damping=0.0)
    scenario = tiny(
        tmp_path, text, welded="base", duration=0.5, positions={"swing": 0.2},
        joint_friction={"swing": 4.0},
    )  # fmt: skip
    data = simulate(scenario, "mujoco").trajectory.data
    held = data["impulse"].to_numpy()[-1, :, 1].sum() / scenario.time_step
    assert abs(held) == pytest.approx(GRAVITY * np.sin(0.2), rel=5e-2)


def test_the_feet_of_a_robot_that_stands_bear_its_weight():
    simulation = ff.load("scenes/quadruped", pushes=[]).simulation("mujoco")
    simulation.step(duration=1.0)
    plant = simulation.plant
    weight = plant.CalcTotalMass(plant.CreateDefaultContext()) * GRAVITY
    forces = simulation.foot_forces
    assert forces.sum(axis=0) == pytest.approx([0.0, 0.0, weight], abs=1e-3 * weight)


@pytest.mark.parametrize(
    "constraint",
    [
        Ball(*LINKS, p_AP=[0.7, 0.0, 0.0], p_BQ=[0.7, 0.0, 0.0]),
        Distance(*LINKS, p_AP=[1.0, 0.0, 0.0], p_BQ=[0.0, 0.0, 1.0], distance=np.sqrt(2.0)),
        Weld(*LINKS),
        Coupler("twins::a", "twins::b", gear_ratio=-0.5, offset=0.0),
    ],
    ids=lambda constraint: type(constraint).__name__,
)
def test_a_loop_stays_closed(tmp_path, constraint):
    hard = MujocoConfig(solref=[2e-3, 1.0], solimp=[0.99, 0.999, 1e-3, 0.5, 2.0])
    scenario = tiny(tmp_path, TWINS, welded="base", constraints=[constraint], mujoco=hard)
    scenario.duration = 0.3
    run = simulate(scenario, "mujoco")
    dynamics = Dynamics(run.robot.model, run.robot.contacts)
    rows = run.trajectory.data["q"].to_numpy()
    assert np.abs(rows[-1]).min() > 0.1
    assert max(np.abs(dynamics.bilateral_violation(q)[0]).max() for q in rows) < 1e-3


def test_what_mujoco_leaves_out_is_named(tmp_path):
    scenario = tiny(
        tmp_path, BRICK, positions={"brick_qw": 1.0, "brick_z": 0.02}, duration=0.01,
        friction=0.3, static_friction=0.5, restitution=0.2,
        pairs=[PairRule("*", side_friction=0.1)],
    )  # fmt: skip
    told = [e.what for e in simulate(scenario, "mujoco").trajectory.events if e.kind == LEFT_OUT]
    words = ("no restitution", "no static friction above", "no friction that differs along s")
    for word, line in zip(words, told, strict=True):
        assert line.startswith(f"MuJoCo knows {word}")
        assert line.endswith("that of brick::box is left out")


def test_what_mujoco_has_not_is_refused_in_one_line(tmp_path, monkeypatch):
    rules = [PairRule("brick::box#0", friction=0.1)]
    refused = {
        "points of 'brick::box' that differ in mu; choose": tiny(tmp_path, BRICK, pairs=rules),
        "it knows no feet that take turns": load_scenario("smoke/OneOfEverything", []),
    }
    for message, scenario in refused.items():
        with pytest.raises(FootfallError, match=message) as told:
            simulate(scenario, "mujoco")
        assert str(told.value).startswith("engine mujoco: ")
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "mujoco" else find(name)
    )
    with pytest.raises(FootfallError, match=r"pip install 'footfall\[mujoco\]'"):
        ff.load("verify/four_bar").run("mujoco")


@pytest.mark.slow
def test_runs_are_compared_and_audited_beside_those_of_other_engines(tmp_path):
    one, other = tmp_path / "compared", tmp_path / "audited"
    done(
        "compare",
        "scenes/push",
        "--engines",
        "moreau,mujoco",
        "--set",
        "duration=0.2",
        "--out",
        one,
    )
    assert (one / "mujoco" / "trajectory.nc").is_file()
    told = done(
        "audit", "scenes/quadruped", "--engines", "moreau,mujoco", "--over", "friction=0.8",
        "--workers", "1", "--out", other,
    )  # fmt: skip
    assert told.count("creeps in mujoco") == 1
    assert "mujoco" in (other / "report.html").read_text()
