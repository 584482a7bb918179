"""The keeper's law: within its bounds, as quick as can be, still at rest; and its system."""

import math

import numpy as np
import pytest
from pydrake.multibody.plant import MultibodyPlant

from footfall.errors import ModelError, ScenarioError
from footfall.machines.goalkeeper.closed_form.bisector import KeeperLaw, bisector, saturated
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario, parse_scenario
from footfall_controllers.goalkeeper import Goalkeeper

DT = 1e-3
LAW = KeeperLaw(max_speed=0.8, max_acceleration=3.0)
# how far a step leads: Moreau's engine by the mean velocity, Drake's by the one at its end
STEPS = {"moreau": 0.5, "drake": 1.0}
every_step = pytest.mark.parametrize("share", STEPS.values(), ids=STEPS)


def _play(law, balls, velocities, share, x=0.0, v=0.0, dt=DT):
    """Places, speeds and accelerations (steps, ...) of keepers over the rows of their balls."""
    rows = []
    for ball, velocity in zip(balls, velocities, strict=True):
        a = law.acceleration(np.array(x), np.array(v), ball, velocity, dt)
        rows.append((x, v, a))
        after = v + a * dt
        x, v = x + dt * (share * after + (1.0 - share) * v), after
    return np.swapaxes(np.array(rows), 0, 1)


def _held(place, steps):
    """A ball that lies on the goal line, where the keeper wants to be at its place."""
    return np.tile([place, 0.0], (steps, 1)), np.zeros((steps, 2))


@every_step
@pytest.mark.parametrize("way", [0.9, 0.3, 0.05, -0.6])
def test_no_keeper_within_the_bounds_would_be_there_sooner(way, share):
    law, d = LAW, abs(way)
    plateau = law.max_speed**2 / law.max_acceleration  # way of speeding up and braking
    quickest = (
        2.0 * math.sqrt(d / law.max_acceleration)
        if d <= plateau
        else d / law.max_speed + law.max_speed / law.max_acceleration
    )
    x, v, _ = _play(law, *_held(way, 2000), share)
    kick = law.max_acceleration * DT
    arrived = (np.abs(x - way) <= 2.0 * kick * DT) & (np.abs(v) <= 2.0 * kick)
    first = int(arrived.argmax()) * DT
    # it counts as there up to two steps early; whole steps cost it up to one at each change between
    # speeding up, running and braking
    assert quickest - 2.0 * DT <= first <= quickest + 3.0 * DT
    assert arrived[int(arrived.argmax()) :].all()  # and there it stays


@every_step
def test_it_does_not_run_past_its_goal(share):
    ways = np.random.default_rng(7).uniform(-0.91, 0.91, 20)
    balls = np.tile(np.stack([ways, 0.0 * ways], axis=-1), (1500, 1, 1))
    x, _, _ = _play(LAW, balls, 0.0 * balls, share, x=np.zeros(20), v=np.zeros(20))
    assert (np.sign(ways) * (x - ways)).max() <= 1e-14  # rounding of a metre


@every_step
def test_at_rest_it_is_still(share):
    x, v, a = _play(LAW, *_held(0.4, 100), share, x=0.4)
    assert not (x - 0.4).any()
    assert not v.any()
    assert not a.any()
    # and after it has arrived, too: the way left at least halves in every step or two
    _, v, a = _play(LAW, *_held(0.4, 1500), share)
    assert np.abs(v[-100:]).max() < 1e-13
    assert np.abs(a[-100:]).max() < 1e-10


def _walk(steps, seed):
    """A ball that darts about the field, as fast as none is kicked."""
    rng = np.random.default_rng(seed)
    velocity = np.repeat(rng.uniform(-8.0, 8.0, (steps // 100, 2)), 100, axis=0)
    ball = np.array([0.0, 1.0]) + DT * np.cumsum(velocity, axis=0)
    outside = np.abs(ball[:, 0]) > 2.0
    velocity[outside, 0] = 0.0
    return np.clip(ball, [-2.0, -0.5], [2.0, 6.0]), velocity


@every_step
@pytest.mark.parametrize("seed", range(5))
def test_it_is_never_faster_than_it_can(seed, share):
    law = KeeperLaw(max_speed=1.1, max_acceleration=4.0)
    x, v, a = _play(law, *_walk(3000, seed), share)
    assert np.abs(v).max() <= law.max_speed * (1.0 + 1e-12)
    assert np.abs(a).max() == law.max_acceleration
    assert np.abs(x).max() <= law.reach + 1e-14  # it can always stop within it


@every_step
def test_it_keeps_up_with_a_slow_ball_to_second_order(share):
    law = KeeperLaw(max_speed=5.0, max_acceleration=100.0)
    errors = []
    for dt in (2e-3, 1e-3):
        t = np.arange(0.0, 2.0, dt)
        balls = np.stack([np.sin(3.0 * t), 1.5 + 0.0 * t], axis=-1)
        velocities = np.stack([3.0 * np.cos(3.0 * t), 0.0 * t], axis=-1)
        start, rate = law.target(balls[0], velocities[0])
        x, _, _ = _play(law, balls, velocities, share, x=float(start), v=float(rate), dt=dt)
        errors.append(np.abs(x - saturated(bisector(balls))).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)  # third order is left


def test_a_keeper_outside_of_its_reach_comes_back():
    x, v, _ = _play(LAW, *_held(1.3, 2000), 0.5, x=1.3)
    assert np.abs(v).max() <= LAW.max_speed * (1.0 + 1e-12)
    assert x[-1] == pytest.approx(LAW.reach, abs=1e-12)


def test_many_keepers_at_once_are_each_alone():
    rng = np.random.default_rng(3)
    x, v = rng.uniform(-1.0, 1.0, (2, 50))
    balls, velocities = rng.uniform(-2.0, 2.0, (2, 50, 2))
    together = LAW.acceleration(x, v, balls, velocities, DT)
    alone = [LAW.acceleration(x[k], v[k], balls[k], velocities[k], DT) for k in range(50)]
    assert np.array_equal(together, alone)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"max_speed": -1.0}, "max_speed is -1.0"),
        ({"max_acceleration": math.inf}, "max_acceleration is inf"),
        ({"saturation": 1.1}, "saturation is 1.1: give a share from 0 to 1"),
        ({"saturation": math.nan}, "saturation is nan"),
    ],
)
def test_what_is_no_law_is_refused(wrong, told):
    with pytest.raises(ScenarioError, match=told):
        KeeperLaw(**wrong)


# --- the system ------------------------------------------------------------------------------


def _force(machine, state, time_step=DT):
    system = Goalkeeper(machine.plant, LAW, time_step)
    context = system.CreateDefaultContext()
    system.GetInputPort("state").FixValue(context, state)
    return system, system.GetOutputPort("actuation").Eval(context)


@pytest.mark.parametrize("name", ["goalkeeper/sine", "goalkeeper/shot_rolling"])
def test_the_force_is_mass_times_the_law_whether_the_ball_is_free_or_guided(name):
    machine = build_robot(load_scenario(name))
    plant, state = machine.plant, machine.initial_state.copy()
    keeper = plant.GetJointByName("x")
    state[keeper.position_start()] = 0.2
    state[plant.num_positions() + keeper.velocity_start()] = -0.3
    system, force = _force(machine, state)
    ball, velocity = system.ball(state)
    start = {"goalkeeper/sine": [0.0, 1.0], "goalkeeper/shot_rolling": [0.0, 1.8]}[name]
    assert ball == pytest.approx(start, abs=1e-15)
    going = {"goalkeeper/sine": [2.0 * math.pi, 0.0]}.get(name, [-1.0, -1.8])
    assert velocity[0] * going[1] == pytest.approx(velocity[1] * going[0], abs=1e-12)
    wanted = LAW.acceleration(np.array(0.2), np.array(-0.3), ball, velocity, DT)
    mass = plant.GetBodyByName("keeper").default_mass()
    index = int(plant.GetJointActuatorByName("x").index())
    assert force[index] == pytest.approx(mass * wanted, rel=1e-14)
    assert not np.delete(force, index).any()


def test_the_field_goes_with_the_rail():
    turned = """
name: goalkeeper/turned
directives:
- add_model: {name: keeper, file: package://footfall/sdf/goalkeeper/keeper.sdf}
- add_weld:
    parent: terrain
    child: keeper::rail
    X_PC: {translation: [3.0, 1.0, 0.0], rotation: !Rpy {deg: [0.0, 0.0, 90.0]}}
- add_model: {name: ball, file: package://footfall/sdf/goalkeeper/ball.sdf}
initial:
  positions: {ball_ball_x: 1.0, ball_ball_y: 1.5}
  velocities: {ball_ball_vx: 2.0, ball_ball_vy: 0.5, ball_ball_wx: 4.0}
"""
    machine = build_robot(parse_scenario(turned))
    system, _ = _force(machine, machine.initial_state)
    ball, velocity = system.ball(machine.initial_state)
    # the rail's x is the world's y, its y the world's -x
    assert ball == pytest.approx([0.5, 2.0], abs=1e-15)
    assert velocity == pytest.approx([0.5, -2.0], abs=1e-15)


@pytest.mark.parametrize(
    ("models", "told"),
    [
        ("ball", "the machine has no joint keeper::x"),
        ("keeper", "the machine has no body ball::ball for a goalkeeper to watch"),
    ],
)
def test_a_plant_without_keeper_or_ball_is_refused(models, told):
    weld = "- add_weld: {parent: terrain, child: keeper::rail}" if models == "keeper" else ""
    scenario = parse_scenario(f"""
name: goalkeeper/half
directives:
- add_model: {{name: {models}, file: package://footfall/sdf/goalkeeper/{models}.sdf}}
{weld}
controller: !Goalkeeping {{}}
""")
    with pytest.raises(ModelError, match=f"controller Goalkeeping: {told}") as caught:
        run_scenario(scenario, "goalkeeper/half")
    assert "\n" not in str(caught.value)


def test_an_empty_plant_is_refused():
    plant = MultibodyPlant(0.0)
    plant.Finalize()
    with pytest.raises(ValueError, match="has no"):
        Goalkeeper(plant, LAW, DT)


@pytest.mark.parametrize("engine", ["moreau", "drake"])
def test_in_the_engines_it_keeps_its_bounds_at_every_step(engine):
    scenario = load_scenario("goalkeeper/sine", ["duration=0.8"])
    data = run_scenario(scenario, "goalkeeper/sine", engine).trajectory.data
    v = data["v"].sel(velocity="keeper_x").to_numpy()
    rate = np.diff(v) / scenario.time_step
    # rounding of the mass that the force is divided by, and of the speed over the step
    assert np.abs(v).max() == pytest.approx(scenario.controller.max_speed, rel=1e-12)
    assert np.abs(rate).max() == pytest.approx(scenario.controller.max_acceleration, rel=1e-9)
    assert (np.diff(data["time"]) > 0.0).all()


def test_in_continuous_time_the_law_has_a_period_of_its_own():
    machine = build_robot(load_scenario("goalkeeper/shot_rolling"))
    state = machine.initial_state.copy()
    state[machine.plant.GetJointByName("x").position_start()] = 1e-7  # less than a dt^2
    at_rest = _force(machine, state, 0.0)[1], _force(machine, state, 1e-3)[1]
    assert np.array_equal(*at_rest)
