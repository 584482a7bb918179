"""Environments of Gymnasium: as its own checker asks, what they observe, and batches on threads."""

import re
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from scipy.spatial.transform import Rotation

import footfall as ff
from footfall.api.envs import OBSERVATIONS, REWARDS
from footfall.errors import FootfallError

QUADRUPED = "scenes/quadruped"
FRICTION = {"friction": {"_tag": "!Uniform", "min": 0.2, "max": 0.9}}


def quadruped(**options: Any) -> ff.Env:
    return ff.Env(QUADRUPED, **({"pushes": []} | options))


@pytest.mark.parametrize("name", ["Quadruped", "Humanoid"])
def test_registered_environments_pass_gymnasiums_checker(name: str) -> None:
    """It warns of nothing but observations without bounds, which states of machines have not."""
    env = gymnasium.make(f"footfall.api.envs:footfall/{name}-v0")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        check_env(env.unwrapped, skip_render_check=True)
    assert all("infinity" in str(each.message) for each in told)


@pytest.mark.parametrize("options", [{"actions": "torques"}, {"engine": "drake-sap"}])
def test_other_actions_and_engines_pass_the_checker(options: dict[str, Any]) -> None:
    env = quadruped(observations=list(OBSERVATIONS)[:7], **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_observations_are_those_of_the_state() -> None:
    """Of a robot that is turned, moves and falls, by rotations of scipy."""
    env = quadruped(observations=[*OBSERVATIONS][:6], scale=0.0, kp=0.0, kd=0.0)
    env.reset(seed=0)
    state = env.simulation.state
    turn = Rotation.from_rotvec([0.4, -0.3, 1.2])
    state[:4], state[6] = turn.as_quat(scalar_first=True), 2.0
    spin, velocity = [0.3, -0.2, 0.5], [1.0, 2.0, -0.5]
    state[19:25] = [*spin, *velocity]
    seen, _ = env.reset(options={"state": state})
    told = np.concatenate(
        (
            turn.inv().apply([0.0, 0.0, -1.0]),
            turn.inv().apply(spin),
            turn.inv().apply(velocity),
            [0.0, 0.0, 2.0],
            np.zeros(12),
            np.zeros(12),
        )
    )
    np.testing.assert_allclose(seen, told, atol=1e-6)


def test_actions_are_followed_as_pd_control_in_python() -> None:
    """The same motion as torques that a program works out at every time step."""
    env = quadruped(kp=50.0, kd=1.0, scale=0.2)
    env.reset(seed=0)
    simulation = ff.load(QUADRUPED, controller=None, pushes=[]).simulation()
    rest = simulation.q[7:]
    for action in np.random.default_rng(0).uniform(-1.0, 1.0, (10, 12)):
        env.step(action)
        for _ in range(20):
            simulation.step(50.0 * (rest + 0.2 * action - simulation.q[7:]) - simulation.v[6:])
    np.testing.assert_allclose(env.simulation.state, simulation.state, atol=1e-9)
    assert env.simulation.time == pytest.approx(0.2)


def test_feet_that_stand_bear_the_weight() -> None:
    env = quadruped(observations=["foot_loads"], duration=1.0)
    env.reset(seed=0)
    for _ in range(50):
        seen, reward, ended, cut, info = env.step(np.zeros(12))
    assert seen.sum() == pytest.approx(1.0, abs=3e-2)
    assert (reward, ended, cut, info) == (1.0, False, True, {})


def test_episodes_end_by_falls_faults_and_functions() -> None:
    env = quadruped(actions="torques", scale=0.0, end=lambda env: env.simulation.time > 0.05)
    env.reset(seed=0)
    ends = [env.step(np.zeros(12))[2:] for _ in range(3)]
    assert [end[0] for end in ends] == [False, False, True]
    assert ends[-1][2] == {"end": "end"}
    env = quadruped(actions="torques", scale=0.0)
    env.reset(seed=0)
    while not (end := env.step(np.zeros(12)))[2]:
        pass
    assert "trunk is" in end[4]["end"]
    env.reset(options={"state": np.concatenate((env.simulation.q, np.full(18, 1e7)))})
    assert "diverges" in env.step(np.zeros(12))[4]["end"]
    env.reset()
    assert not env.step(np.zeros(12))[2]


def test_a_reset_draws_from_the_seed_of_the_environment() -> None:
    """Friction, pushes and starts: the same for the same seed, others in the next episode."""
    env = quadruped(
        randomise=FRICTION,
        random_pushes={"rate": 30.0, "force": 30.0},
        start=lambda rng, state: state + np.r_[np.zeros(7), 0.05 * rng.standard_normal(30)],
        duration=0.5,
    )
    found = []
    for seed in (1, None, 1):
        env.reset(seed=seed)
        seen = env.step(np.zeros(12))[0]
        pushes = env.simulation._interventions.pushes
        found.append((env.simulation.scenario.friction, *seen.tolist(), pushes))
    assert found[0] == found[2]
    assert found[0][0] != found[1][0]
    assert found[0][-1] != found[1][-1]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_is_its_environments_one_by_one(threads: int) -> None:
    """To the bit, ended ones beginning anew in the step after."""
    options = {"pushes": [], "randomise": FRICTION, "duration": 0.1, "reward": "walking"}
    envs = ff.VectorEnv(QUADRUPED, 3, threads=threads, **options)
    single = [ff.Env(QUADRUPED, **options) for _ in range(3)]
    seen, _ = envs.reset(seed=5)
    np.testing.assert_array_equal(seen, [env.reset(seed=5 + k)[0] for k, env in enumerate(single)])
    done = np.zeros(3, dtype=bool)
    for actions in np.random.default_rng(0).uniform(-1.0, 1.0, (8, 3, 12)).astype(np.float32):
        told = envs.step(actions)
        for k, env in enumerate(single):
            own = (env.reset()[0], 0.0, False, False) if done[k] else env.step(actions[k])[:4]
            for batch, one in zip(told[:4], own, strict=True):
                np.testing.assert_array_equal(batch[k], one)
        done = told[2] | told[3]
    envs.close()


def test_a_reward_that_fails_once_leaves_the_batch_in_step() -> None:
    """All have made the period by then, and make the next one."""
    failing = [True]

    def judge(env: ff.Env) -> float:
        if failing and env.simulation.time > 0.03:
            raise ZeroDivisionError(failing.pop())
        return env.simulation.time

    envs = ff.VectorEnv(QUADRUPED, 3, pushes=[], reward=judge)
    envs.reset(seed=0)
    envs.step(np.zeros((3, 12)))
    with pytest.raises(ZeroDivisionError):
        envs.step(np.zeros((3, 12)))
    np.testing.assert_allclose(envs.step(np.zeros((3, 12)))[1], 0.06)
    envs.close()


def test_an_episode_is_recorded_as_a_run() -> None:
    env = quadruped(record=True, duration=0.2)
    env.reset(seed=0)
    for _ in range(10):
        env.step(np.zeros(12))
    run = env.simulation.record()
    assert run.status == "done"
    assert run.data.sizes["time"] == 201


def rewarded(judge: Any) -> None:
    quadruped(reward=judge).step(np.zeros(12))


REFUSED = [
    ("no robot", lambda: ff.Env("scenes/push"), "has no actuators"),
    ("observation", lambda: quadruped(observations=["gravitas"]), "did you mean 'gravity'"),
    ("reward", lambda: quadruped(reward="walkin"), "walking"),
    ("actions", lambda: quadruped(actions="torque"), "torques"),
    ("scale", lambda: quadruped(scale=[1.0, 2.0]), "or 12 of them"),
    ("gains", lambda: quadruped(kp=[1.0, 2.0]).step(np.zeros(12)), "for each of FL_roll"),
    ("scale of text", lambda: quadruped(scale="a"), "scale has no numbers"),
    ("action", lambda: quadruped().step(np.zeros(11)), "shape (11,) or"),
    ("period", lambda: quadruped(period=0.0005).step(np.zeros(12)), "no whole number"),
    ("nan", lambda: quadruped().step(np.full(12, np.nan)), "or with NaN"),
    ("infinite gain", lambda: quadruped(kp=np.inf).step(np.zeros(12)), "finite number for each"),
    ("one name", lambda: quadruped(observations="gravity"), "give a list of names"),
    ("nothing seen", lambda: quadruped(observations=[]), "give a list of names"),
    ("no environment", lambda: ff.VectorEnv(QUADRUPED, 0), "num_envs is 0"),
    ("threads", lambda: ff.VectorEnv(QUADRUPED, 1, threads=-1), "threads is -1"),
    ("batch", lambda: ff.VectorEnv(QUADRUPED, 2).step(np.zeros(12)), "give (2, 12) numbers"),
    (
        "base",
        lambda: ff.Env("biped/climb", **{"initial.from_reference": False}),
        "no link of the robot is free",
    ),
    ("option", lambda: quadruped().reset(options={"stat": 0}), "no 'stat'; did you mean 'state'?"),
    ("no reward", lambda: rewarded(lambda _: None), "the reward is None: return one finite"),
    ("nan for a reward", lambda: rewarded(lambda _: np.nan), "the reward is nan"),
    ("imu", lambda: quadruped(observations=["imu"]), "the scenario has none"),
]


@pytest.mark.parametrize(("ask", "told"), [row[1:] for row in REFUSED], ids=[r[0] for r in REFUSED])
def test_refusals_are_one_line(ask: Any, told: str) -> None:
    with pytest.raises(FootfallError, match=re.escape(told)) as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_walking_pays_for_speed_ahead() -> None:
    """1 at rest, 3 at 0.5 m/s, less at 1 m/s."""
    env = quadruped(reward="walking")
    paid = []
    for speed in (0.0, 0.5, 1.0):
        state = env.simulation.state
        state[22] = speed
        env.reset(options={"state": state})
        paid.append(REWARDS["walking"](env))
    np.testing.assert_allclose(paid, [1.0, 3.0, 1.0])
