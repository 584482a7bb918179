"""Pushes give every engine the same momentum, and the account of energy has their work."""

from dataclasses import replace

import numpy as np
import pytest
from pydrake.multibody.math import SpatialForce
from pydrake.multibody.plant import ExternallyAppliedSpatialForce
from pydrake.systems.analysis import SimulatorConfig
from tests.engines.alone import alone
from tests.engines.tiny import BALL, columns, simulate, tiny

from footfall.comparison import compare
from footfall.engines import CONTINUOUS, ENGINES
from footfall.errors import RunError
from footfall.plants.pushes import Push, RandomPushes
from footfall.scenario.assemble import build_robot
from footfall.trajectory.events import NEVER_ACTS
from footfall.trajectory.pushes import pushes_of

MASS, INERTIA = 1.5, 0.006  # of the ball


def floating(folder, pushes=(), **fields):
    """A ball without weight, far from the ground."""
    given = {"duration": 0.4, "time_step": 0.01, "gravity": 0.0, "pushes": list(pushes)}
    tight = SimulatorConfig(integration_scheme="runge_kutta3", accuracy=1e-8)
    start = {"ball_qw": 1.0, "ball_z": 5.0}
    return tiny(folder, BALL, positions=start, simulator=tight, **(given | fields))


def momentum(run):
    """Linear and angular momentum of the ball at the end, about its centre."""
    v = run.trajectory.data["v"].to_numpy()[-1]
    return MASS * v[3:], INERTIA * v[:3]


@pytest.mark.parametrize("engine", ENGINES)
def test_momentum_and_work_are_those_of_the_pushes(tmp_path, engine):
    # they begin and end between two rows, and overlap
    pushes = [
        Push("ball", start=0.1234, duration=0.0777, force=[30.0, 0, 0], torque=[0, 0.01, 0]),
        Push("ball", start=0.15, duration=0.1111, force=[0, 20.0, 5.0], shape="half_sine"),
        Push("ball", start=0.2003, duration=0.001, torque=[0.2, 0, 0], shape="half_sine"),
    ]
    run = simulate(floating(tmp_path, pushes), engine)
    linear, angular = momentum(run)
    half_sine = 2.0 / np.pi * 0.1111
    # steps: rounding; the integrator has 1e-8 a step
    tolerance = 1e-9 if engine == CONTINUOUS else 1e-14
    np.testing.assert_allclose(
        linear, [30.0 * 0.0777, 20.0 * half_sine, 5.0 * half_sine], rtol=tolerance
    )
    np.testing.assert_allclose(
        angular, [0.2 * 2.0 / np.pi * 0.001, 0.01 * 0.0777, 0.0], rtol=tolerance, atol=1e-16
    )
    kinetic = 0.5 * (linear @ linear / MASS + angular @ angular / INERTIA)
    assert run.metrics["push_work"] == pytest.approx(kinetic, rel=1e-8)
    assert run.metrics["energy_drift"] < 1e-7 * kinetic
    length = np.hypot(20.0, 5.0)
    assert run.metrics["push_impulse"] == pytest.approx(30.0 * 0.0777 + length * half_sine)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap", CONTINUOUS])
def test_a_force_in_the_axes_of_the_link_turns_with_it(tmp_path, engine):
    # m v' = F (cos wt, sin wt, 0): v = F / (m w) (sin wt, 1 - cos wt, 0)
    rate, time_step = 5.0, 1e-3
    push = Push("ball", force=[3.0, 0.0, 0.0], frame="link")
    scenario = floating(tmp_path, [push], time_step=time_step, velocities={"ball_wz": rate})
    time, vx, vy = columns(simulate(scenario, engine), "v:ball_vx", "v:ball_vy")
    size = 3.0 / MASS / rate
    # the direction is that at the start of a step: half a step late, an angle of w dt / 2
    late = 1e-6 if engine == CONTINUOUS else 0.51 * rate * time_step * 3.0 / MASS * time[-1]
    np.testing.assert_allclose(vx, size * np.sin(rate * time), atol=late)
    np.testing.assert_allclose(vy, size * (1.0 - np.cos(rate * time)), atol=late)


@pytest.mark.parametrize("engine", ["moreau", "drake-sap", CONTINUOUS])
def test_a_push_beside_the_centre_turns_the_link(tmp_path, engine):
    # F stays along x and acts h above the centre: its work is F times the way of that point
    force, height = 2.0, 0.08
    push = Push("ball", at=[0.0, 0.0, height], force=[force, 0.0, 0.0], duration=0.25)
    run = simulate(floating(tmp_path, [push], duration=0.25, time_step=1e-3), engine)
    _, x, qw, qy = columns(run, "ball_x", "ball_qw", "ball_qy")
    turned = 2.0 * np.arctan2(qy[-1], qw[-1])
    assert 0.5 < turned < 1.0
    work = force * (x[-1] + height * np.sin(turned))
    linear, angular = momentum(run)
    # the centre knows nothing of where the push acts
    np.testing.assert_allclose(linear, [force * 0.25, 0.0, 0.0], atol=1e-9)
    kinetic = 0.5 * (linear @ linear / MASS + angular @ angular / INERTIA)
    # of first order: a step of 1e-3 s in 0.25 s
    tolerance = 1e-6 if engine == CONTINUOUS else 4e-3
    assert kinetic == pytest.approx(work, rel=tolerance)
    assert run.metrics["push_work"] == pytest.approx(kinetic, rel=1e-7)


def driven(folder, engine, force):
    """A simulator of the ball in an engine with a force [N] and a torque about z from outside."""
    scenario = floating(folder)
    wrench = ExternallyAppliedSpatialForce()
    wrench.body_index = build_robot(scenario).plant.GetBodyByName("ball").index()
    wrench.F_Bq_W = SpatialForce(tau=[0.0, 0.0, INERTIA], f=force)
    ball = alone(scenario, engine, [], wrench)
    ball.system.watch(ball.simulator)
    return ball.simulator, lambda: ball.output()[-6:]


# two bars of 2 and 1 kg, hinged askew, that fall freely and fold
HINGED = """<robot name="pair">
  <link name="long"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>
    <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
  <joint name="hinge" type="continuous"><origin xyz="0.3 0 0" rpy="0.4 0 0"/>
    <parent link="long"/><child link="short"/><axis xyz="0 1 0"/></joint>
  <link name="short"><inertial><origin xyz="0.15 0 0.02"/><mass value="1"/>
    <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.008" iyz="0" izz="0.008"/></inertial></link>
</robot>"""


def gained(scenario, engine, kind):
    """Momentum that a floating robot gains in a run: linear, or angular about its mass centre."""
    plant = build_robot(scenario).plant
    context = plant.CreateDefaultContext()
    data = simulate(scenario, engine).trajectory.data
    found = []
    for row in (0, -1):
        state = np.hstack((data["q"].to_numpy()[row], data["v"].to_numpy()[row]))
        plant.SetPositionsAndVelocities(context, state)
        centre = plant.CalcCenterOfMassPositionInWorld(context)
        momentum = plant.CalcSpatialMomentumInWorldAboutPoint(context, centre)
        found.append(momentum.translational() if kind == "force" else momentum.rotational())
    return found[1] - found[0]


@pytest.mark.parametrize(("kind", "size"), [("force", [1.5, -5.0, 3.5]), ("torque", [0.3, -1, 2])])
def test_a_robot_of_several_links_has_their_momentum_in_every_engine(tmp_path, kind, size):
    # whichever link is pushed and however the robot folds: m c' = F T; of a torque, L_c = tau T
    push = Push("short", [0.3, 0.0, 0.0], 0.0105, 0.0333, **{kind: size})
    tight = SimulatorConfig(integration_scheme="runge_kutta3", accuracy=1e-8)
    start = {"long_qw": 1.0, "long_z": 5.0, "hinge": 0.7}
    spin = {"hinge": 2.0, "long_wz": 1.0}
    scenario = tiny(tmp_path, HINGED, positions=start, velocities=spin, simulator=tight)
    scenario = replace(scenario, gravity=0.0, duration=0.064, time_step=1e-3, pushes=[push])
    given = 0.0333 * np.array(size)
    np.testing.assert_allclose(gained(scenario, CONTINUOUS, kind), given, atol=1e-6)
    for engine in ("moreau", "drake-sap"):
        errors = [
            np.linalg.norm(gained(replace(scenario, time_step=step), engine, kind) - given)
            for step in (1e-3, 5e-4)
        ]
        # M and, in Drake, Coriolis terms are those of one moment of a step: of first order there
        assert errors[0] < 0.03 * np.linalg.norm(given)
        assert errors[1] < 0.55 * errors[0]


@pytest.mark.parametrize("engine", ENGINES)
def test_anybody_can_apply_a_wrench_to_an_engine(tmp_path, engine):
    simulator, velocity = driven(tmp_path, engine, [3.0, 0.0, 0.0])
    simulator.AdvanceTo(0.2)
    np.testing.assert_allclose(velocity(), [0, 0, 0.2, 0.4, 0, 0], atol=1e-9)


def test_a_wrench_that_is_no_number_is_told(tmp_path):
    simulator, _ = driven(tmp_path, "moreau", [np.nan, 0.0, 0.0])
    with pytest.raises(RunError, match="applied_wrench is no number at t = 0"):
        simulator.AdvanceTo(0.1)


def test_random_pushes_are_the_same_in_every_engine(tmp_path):
    random = RandomPushes(count=3, force=4.0, smallest=1.0, duration=0.05, direction="any")
    found = {}
    for engine in ("moreau", "drake-sap", CONTINUOUS):
        run = simulate(floating(tmp_path, random_pushes=random, seed=7), engine)
        found[engine] = pushes_of(run.trajectory.data)
        linear, _ = momentum(run)
        given = sum(0.05 * np.array(push.force) for push in found[engine])
        np.testing.assert_allclose(linear, given, atol=1e-8)
    assert len(found["moreau"]) == 3
    assert found["moreau"] == found["drake-sap"] == found[CONTINUOUS]


def test_the_work_of_pushes_is_compared_where_there_is_some(tmp_path):
    push = Push("ball", start=0.01, duration=0.0777, force=[30.0, 0.0, 0.0])
    pushed, free = (
        simulate(floating(tmp_path, these, duration=0.1)).trajectory for these in ([push], [])
    )
    (row,) = [row for row in compare(pushed, free).rows if row.quantity == "push work"]
    assert row.final == pytest.approx(-0.5 * (30.0 * 0.0777) ** 2 / MASS, rel=1e-9)
    assert all(row.quantity != "push work" for row in compare(free, free).rows)


def test_a_push_after_the_end_is_told(tmp_path):
    late = Push("ball", start=3.0, duration=0.1, force=[1.0, 0.0, 0.0])
    run = simulate(floating(tmp_path, [late]))
    (event,) = [event for event in run.trajectory.events if event.kind == NEVER_ACTS]
    assert event.what.startswith("a push on ball::ball would begin at 3 s")
    assert run.metrics["push_impulse"] == 0.0


def test_pushes_are_kept_with_the_trajectory(tmp_path):
    wind = Push("ball", at=[0.0, 0.0, 0.1], force=[1.0, 0.0, 0.0], frame="link")
    trajectory = simulate(floating(tmp_path, [wind], duration=0.02)).trajectory
    trajectory.save(tmp_path / "trajectory.nc")
    loaded = type(trajectory).load(tmp_path / "trajectory.nc")
    assert loaded.identical(trajectory)
    (push,) = pushes_of(loaded.data)
    assert (push.link, push.p_BQ, push.frame) == ("ball::ball", (0.0, 0.0, 0.1), "link")
    assert push.end == np.inf
