"""Drake's plant in continuous time: integrated to an accuracy, compliant where it touches."""

import numpy as np
import pytest
from pydrake.systems.analysis import SimulatorConfig
from scipy.special import ellipk
from tests.engines.alone import alone
from tests.engines.tiny import BALL, GRAVITY, POINT, RADIUS, STOPPED, columns, simulate, tiny
from tests.slow import some_slow

from footfall.engines import CONTINUOUS
from footfall.engines.drake_material import NEAR_RIGID
from footfall.errors import RunError, ScenarioError
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario

# a point of 1 kg on a rod of 1 m, with a motor of 5 N m
PENDULUM = """<robot name="pendulum" xmlns:drake="http://drake.mit.edu">
  <link name="base"/>
  <joint name="swing" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 -1 0"/>
    <limit effort="5"/></joint>
  <transmission><type>transmission_interface/SimpleTransmission</type>
    <joint name="swing"/><actuator name="swing"/></transmission>
  <link name="rod">
    <inertial><origin xyz="0 0 -1"/><mass value="1"/>
      <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
  </link>
</robot>"""
STIFFNESS = NEAR_RIGID["lagged"].stiffness_over_mass


def tight(accuracy):
    return SimulatorConfig(integration_scheme="runge_kutta3", accuracy=accuracy)


def pendulum(folder, accuracy, **fields):
    fields = {"duration": 2.0, "time_step": 0.01, "positions": {"swing": 1.2}} | fields
    return tiny(folder, PENDULUM, welded="base", simulator=tight(accuracy), **fields)


@pytest.mark.parametrize(
    ("accuracy", "drift"), [(1e-6, 1e-4), pytest.param(1e-10, 1e-8, marks=pytest.mark.slow)]
)
def test_a_pendulum_keeps_its_energy_to_the_accuracy(tmp_path, accuracy, drift):
    result = simulate(pendulum(tmp_path, accuracy), CONTINUOUS)
    # the accuracy is that of a step; some hundred of them, on 9.81 J a radian
    assert result.metrics["energy_drift"] < drift


def test_works_are_as_accurate_as_the_motion_however_far_apart_rows_are():
    # motor against damper: their powers bend between rows of 20 ms
    scenario = load_scenario("motor/step", ("time_step=0.02", "simulator.accuracy=1e-10"))
    result = run_scenario(scenario, "motor/step", CONTINUOUS)
    data = result.trajectory.data
    assert -data["damping_work"][-1] > 0.5 * data["actuator_work"][-1] > 0.0
    assert result.metrics["energy_drift"] < 1e-8


@pytest.mark.slow
def test_a_pendulum_swings_with_its_period_whatever_the_rows(tmp_path):
    # quarter of the period: K(sin(1.2/2)) sqrt(l/g), an elliptic integral
    quarter = ellipk(np.sin(0.6) ** 2) / np.sqrt(GRAVITY)
    for time_step in (0.05, 0.01):
        scenario = pendulum(tmp_path, 1e-10, duration=0.8, time_step=time_step)
        time, swing, speed = columns(simulate(scenario, CONTINUOUS), "swing", "v:swing")
        k = int(np.flatnonzero(swing < 0.0)[0]) - 1
        # at the bottom nothing accelerates: from the row before, along a cubic at its middle
        h = time[k + 1] - time[k]
        a = -GRAVITY * np.sin(swing[k])
        wait = np.roots([-GRAVITY * speed[k] / 6.0, 0.5 * a, speed[k], swing[k]])
        wait = wait.real[(np.abs(wait.imag) < 1e-12) & (wait.real >= 0.0) & (wait.real <= h)]
        # what the cubic leaves out grows with the fifth power of the rows
        assert time[k] + wait[0] == pytest.approx(quarter, abs=max(1e-9, 3.0 * h**5 * GRAVITY**2.5))


def test_a_ball_comes_to_rest_where_the_ground_carries_it(tmp_path):
    scenario = tiny(
        tmp_path,
        BALL,
        positions={"ball_qw": 1.0, "ball_z": RADIUS + 0.02},
        friction=0.5,
        duration=0.6,
        time_step=2e-3,
    )
    result = simulate(scenario, CONTINUOUS)
    time, height, speed = columns(result, "ball_z", "v:ball_vz")
    assert height.max() == RADIUS + 0.02
    # it fell first: 0.02 m take 0.064 s
    falling = time < 0.06
    np.testing.assert_allclose(
        height[falling], RADIUS + 0.02 - 0.5 * GRAVITY * time[falling] ** 2, atol=1e-6
    )
    assert abs(speed[-1]) < 1e-4
    # a spring of k carries m g; the rest is what is left of the bounce
    assert RADIUS - height[-1] == pytest.approx(GRAVITY / STIFFNESS, rel=0.02)
    impulse = result.trajectory.data["impulse"].sel(axis="n").to_numpy()[-1].sum()
    assert impulse == pytest.approx(1.5 * GRAVITY * 2e-3, rel=0.02)


@pytest.mark.parametrize("friction", some_slow([0.2, 0.6], 0.6))
def test_a_block_slides_or_holds_as_in_the_other_engines(tmp_path, friction):
    ends = {}
    for engine in ("moreau", CONTINUOUS):
        scenario = tiny(
            tmp_path,
            POINT,
            welded="slope",
            slope_deg=-20.0,
            friction=friction,
            duration=0.4,
            time_step=1e-3,
        )
        ends[engine] = columns(simulate(scenario, engine), "x")[1][-1]
    slope = np.radians(20.0)
    pull = max(0.0, np.sin(slope) - friction * np.cos(slope))
    assert ends["moreau"] == pytest.approx(0.5 * GRAVITY * pull * 0.16, rel=1e-9, abs=1e-12)
    # the ground gives way for some milliseconds first, and regularised friction creeps by up to a
    # millimetre a second
    assert ends[CONTINUOUS] == pytest.approx(ends["moreau"], rel=0.01, abs=4e-4)


@pytest.mark.parametrize("time_step", [1e-3, 1e-2])
def test_a_touch_between_two_rows_is_not_lost(tmp_path, time_step):
    scenario = tiny(
        tmp_path,
        BALL,
        positions={"ball_qw": 1.0, "ball_z": RADIUS + 0.05},
        friction=0.5,
        duration=0.5,
        time_step=time_step,
        simulator=tight(1e-8),
    )
    result = simulate(scenario, CONTINUOUS)
    data = result.trajectory.data
    impulse = data["impulse"].sel(axis="n").to_numpy()[:, 0]
    speed = columns(result, "v:ball_vz")[1]
    # momentum: what the ground gives is what gravity takes and the ball gains; the rest is the
    # trapezoidal rule over the integrator's steps
    gained = 1.5 * (np.diff(speed) + GRAVITY * time_step)
    np.testing.assert_allclose(impulse[1:], gained, atol=2e-3 * gained.max())
    # a ball of 1.5 kg falls with 0.74 J, some of which the ground swallows
    assert data["contact_work"].to_numpy()[-1] < -0.1
    assert result.metrics["energy_drift"] < 2e-3


def test_the_torque_of_a_joint_is_limited_by_its_effort(tmp_path):
    # 100 N m asked of a motor of 5, straight up against gravity from the lowest place: the energy
    # that 5 N m give
    swung = alone(pendulum(tmp_path, 1e-10, positions={"swing": 0.0}), CONTINUOUS, [100.0])
    swung.simulator.get_mutable_integrator().set_target_accuracy(1e-10)
    swung.simulator.AdvanceTo(0.4)
    swing, speed = swung.output()
    assert swing > 0.2
    gained = 0.5 * speed**2 + GRAVITY * (1.0 - np.cos(swing))
    assert gained == pytest.approx(5.0 * swing, rel=1e-8)


def test_who_does_not_watch_is_told(tmp_path):
    scenario = tiny(tmp_path, BALL, positions={"ball_qw": 1.0, "ball_z": RADIUS})
    ball = alone(scenario, CONTINUOUS)
    ball.simulator.AdvanceTo(0.01)
    with pytest.raises(RunError, match=r"engine.watch\(simulator\)"):
        ball.output("contact_report")


def shipped(name, *settings):
    return lambda _: load_scenario(name, ["duration=0.01", *settings])


def stopped(folder):
    """Drake would let its stops be passed."""
    return tiny(folder, STOPPED.format(effort=0, damping=0), welded="base", duration=0.01)


def tied(folder):
    """A pendulum with a constraint that only Drake reads."""
    values = {"offset": 0, "lower_limit": -1, "upper_limit": 1, "stiffness": 1e5, "damping": 10}
    tendon = "".join(
        f'<drake:tendon_constraint_{tag} value="{value}"/>' for tag, value in values.items()
    )
    text = PENDULUM.replace(
        "</robot>",
        '<drake:tendon_constraint><drake:tendon_constraint_joint name="swing" a="1"/>'
        f"{tendon}</drake:tendon_constraint></robot>",
    )
    return tiny(folder, text, welded="base", duration=0.01)


def step_of_drakes_own(_):
    scenario = load_scenario("biped/stand", ["duration=0.1"])
    scenario.drake.plant.time_step = 2.5e-4
    return scenario


@pytest.mark.parametrize(
    ("made", "engine", "message"),
    [
        (shipped("smoke/OneOfEverything"), CONTINUOUS, "it knows no feet that take turns"),
        (shipped("verify/four_bar"), CONTINUOUS, "it knows no closed loops and gears"),
        (shipped("ugv/drive"), CONTINUOUS, "the ground has 370 shapes"),
        (tied, CONTINUOUS, "it knows no closed loops and gears"),
        (stopped, CONTINUOUS, "it knows no stops at joint limits"),
        # an inner step of its own would leave most impulses of a recorded row out
        (step_of_drakes_own, "drake", r"drake\.plant\.time_step is 0\.00025 s.*leave Drake's at 0"),
        (shipped("biped/stand"), "bullet", "there is no engine 'bullet'; known: moreau, drake"),
    ],
)
def test_what_an_engine_has_not_is_refused_in_one_line(tmp_path, made, engine, message):
    with pytest.raises(ScenarioError, match=message) as refused:
        alone(made(tmp_path), engine)
    told = str(refused.value)
    assert told.startswith("engine drake-continuous: ") == (engine == CONTINUOUS)
    assert engine != CONTINUOUS or "choose " in told
    assert "\n" not in told
