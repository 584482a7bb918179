"""Environments of Gymnasium: a scenario whose robot learns, alone or as a batch on threads."""

import os
import reprlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.api.loading import LoadedScenario, load
from footfall.api.simulation import Simulation
from footfall.arrays import Array
from footfall.checked import numbers
from footfall.errors import FootfallError, RunError, ScenarioError
from footfall.wording import did_you_mean
from footfall_controllers.observations import (
    ACTIONS,
    OBSERVATIONS,
    OBSERVED,
    POSITIONS,
    Places,
    Seen,
    observed,
)

try:
    import gymnasium
    from gymnasium.vector import SyncVectorEnv
except ImportError as missing:
    raise RunError("Env needs gymnasium: pip install 'footfall[gym]'.") from missing

Single = npt.NDArray[np.float32]
Observe = Callable[["Env"], npt.ArrayLike]
"""Observation of one's own; those by name are in ``footfall_controllers.observations``."""
Judge = Callable[["Env"], float]
"""Reward of a control period, of the environment at its end."""


def alive(_env: "Env") -> float:
    """Return 1 for every control period."""
    return 1.0


def walking(env: "Env") -> float:
    """Return 1, and up to 2 near 0.5 m/s along x, less prices of the base's spin and of actions."""
    spin, velocity = env.seen.velocities
    ahead = max(0.0, 1.0 - 2.0 * float(np.hypot(velocity[0] - 0.5, velocity[1])))
    return 1.0 + 2.0 * ahead - 0.05 * float(spin @ spin) - 0.02 * float(env.action @ env.action)


REWARDS: Mapping[str, Judge] = {"alive": alive, "walking": walking}


class Env(gymnasium.Env[Single, Single]):
    """A scenario with a robot, whose actuators follow actions (nu,) from -1 to 1.

    simulation: which is led; scenario and engine are its own. places: of actuated joints in its
    state, and where they start. weight [N]. action: the last one. acted: whether ``act`` has made
    the control period of the next ``step``.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (as of Gymnasium)
    simulation: Simulation
    places: Places
    weight: float
    action: Array
    acted: bool

    def __init__(
        self,
        scenario: LoadedScenario | str | Path,
        engine: str | None = None,
        *,
        observations: Sequence[str | Observe] | Mapping[str, str | Observe] = OBSERVED,
        actions: str = POSITIONS,
        scale: npt.ArrayLike | None = None,
        kp: npt.ArrayLike = 60.0,
        kd: npt.ArrayLike = 1.5,
        period: float = 0.02,
        command: Sequence[float] = (),
        clock: float = 1.0,
        reward: str | Judge = "alive",
        end: Callable[["Env"], bool] | None = None,
        start: Callable[[np.random.Generator, Array], npt.ArrayLike] | None = None,
        record: bool = False,
        render_mode: None = None,
        **values: Any,  # noqa: ANN401 (of any field)
    ) -> None:
        """Take a scenario, whose controller is left out; values: changes of it by their paths.

        observations: names of OBSERVATIONS and functions of this environment in their order, or
        a mapping of names of your own to them. actions: ``positions``, of actuated joints about
        their start, which PD control with gains kp, kd follows at every time step, or ``torques``.
        scale: of an action of 1, a number or (nu,); 0.3 rad or m, or the limits of effort. period
        [s]: of control. command, clock [Hz]: of the observations of these names. reward: a name of
        REWARDS, or a function of the environment behind a period. end: of an episode, likewise,
        besides a fall (``fallen_below``) and a step that fails; the scenario's duration cuts it
        off. start: makes the state [q; v] of a start out of a random generator and the scenario's.
        record: keep every step, for ``simulation.record``.

        A reset draws what the scenario draws (``randomise``, ``random_pushes``, noise) from the
        seed of the environment. Raises FootfallError, one line, for what is wrong.
        """
        loaded = scenario if isinstance(scenario, LoadedScenario) else load(scenario)
        loaded = loaded.set(**{"controller": None, "analysis": None, **values})
        self.render_mode, self.simulation = render_mode, loaded.simulation(engine, record=record)
        plant, names = self.simulation.plant, self.simulation.layout.actuator
        if not names:
            raise ScenarioError(f"Env: the robot of {loaded.name} has no actuators.")
        self.places = Places(plant, self.simulation.state)
        gravity = np.linalg.norm(plant.gravity_field().gravity_vector())
        self.weight = float(gravity) * plant.CalcTotalMass(plant.CreateDefaultContext())
        self._gains, self._period, self._end, self._start = (kp, kd), period, end, start
        self._follows = _chosen("actions", actions, ACTIONS) == POSITIONS
        self._asked = numbers("Env: command has", command), clock
        self._judge = reward if callable(reward) else REWARDS[_chosen("reward", reward, REWARDS)]
        scale = self.places.usual_scale(actions) if scale is None else scale
        self._scale = numbers("Env: scale has", scale)
        if self._scale.shape not in ((), (len(names),)) or not np.isfinite(self._scale).all():
            raise ScenarioError(f"Env: scale: give a finite number, or {len(names)} of them.")
        if isinstance(observations, Mapping):
            observations = [*observations.values()]
        if isinstance(observations, str) or not observations:
            raise ScenarioError(f"Env: observations is {observations!r}: give a list of names.")
        for given in observations:
            if not callable(given):
                _chosen("observations", given, OBSERVATIONS)
        self._observations = [*observations]
        self.action, self._fault, self.acted = np.zeros(len(names)), "", False
        size = len(self._observed())
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(names),), np.float32)

    @property
    def seen(self) -> Seen:
        """The robot as observations see it now."""
        simulation, asked = self.simulation, self._asked
        return Seen(
            self.places, simulation.state, self.action, simulation.time, *asked, self._reading
        )

    def _reading(self, name: str) -> Array:
        """Return forces on feet over the weight, or what a sensor of the scenario tells."""
        if name == "foot_loads":
            return self.simulation.foot_forces[:, 2] / self.weight
        return self.simulation.sensors["state" if name == "measured" else name]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Single, dict[str, Any]]:
        """Begin an episode; options: ``state``, the [q; v] that it starts from, and no other."""
        for name in options or ():
            _chosen("reset: options", name, ("state",))
        super().reset(seed=seed)
        state = (options or {}).get("state")
        if state is None and self._start is not None:
            state = partial(self._start, self.np_random)
        self.simulation.reset(seed=int(self.np_random.integers(2**31)), state=state)
        self.action, self._fault, self.acted = np.zeros_like(self.action), "", False
        return self._observed(), {}

    def step(self, action: npt.ArrayLike) -> tuple[Single, float, bool, bool, dict[str, Any]]:
        """Go on by a control period under an action (nu,), which is kept from -1 to 1.

        Returns the observation, the reward, whether the episode has ended, whether it is cut off,
        and why it has ended, as ``info["end"]``.
        """
        self.act(action)
        self.acted, simulation = False, self.simulation
        why = self._fault or simulation.fallen
        if not why and self._end is not None and self._end(self):
            why = "end"
        cut = simulation.time > simulation.scenario.duration - 0.5 * self._period
        reward = self._reward()
        return self._observed(), reward, bool(why), cut, {"end": why} if why else {}

    def _reward(self) -> float:
        """Return the reward; raises RunError for no number, which behind a failed step is 0."""
        given, reward = self._judge(self), np.nan
        with suppress(TypeError, ValueError):
            reward = float(given)
        if np.isfinite(reward):
            return reward
        if self._fault:
            return 0.0
        raise RunError(f"Env: the reward is {reprlib.repr(given)}: return one finite number.")

    def act(self, action: npt.ArrayLike) -> None:
        """Go on by a control period; ``step`` then has but to look. For batches on threads."""
        if self.acted:
            return
        given = _actions(action, self.action_space)
        self.action = np.clip(given, -1.0, 1.0)
        asked = self._scale * self.action
        try:
            if self._follows:
                self.simulation.follow(self.places.rest + asked, *self._gains, self._period)
            else:
                self.simulation.step(asked, self._period)
        except ScenarioError:
            raise
        except FootfallError as error:
            self._fault = str(error)
        self.acted = True

    def _observed(self) -> Single:
        seen = self.seen
        return observed(
            [of(self) if callable(of) else OBSERVATIONS[of](seen) for of in self._observations]
        )


def _actions(given: npt.ArrayLike, space: gymnasium.Space[Any]) -> Array:
    """Return actions in the shape of their space; raises ScenarioError for others and for NaN."""
    actions = numbers("Env: actions are", given)
    if actions.shape != space.shape or np.isnan(actions).any():
        told = f"actions of the shape {actions.shape} or with NaN: give {space.shape} numbers"
        raise ScenarioError(f"Env: {told}, in the order of simulation.layout.actuator.")
    return actions


def _chosen(what: str, name: str, known: Sequence[str] | Mapping[str, object]) -> str:
    """Return a name that is known; raises ScenarioError for another one."""
    if name not in known:
        raise ScenarioError(f"Env: {what}: there is no {name!r}; {did_you_mean(name, [*known])}")
    return name


class VectorEnv(SyncVectorEnv):
    """Several environments of a scenario, whose steps are made on threads; options: as of `Env`.

    An environment computes nothing that depends on another one, or on how many threads there are.
    """

    def __init__(
        self,
        scenario: LoadedScenario | str | Path,
        num_envs: int = 1,
        *,
        threads: int = 0,
        **options: Any,  # noqa: ANN401 (of Env)
    ) -> None:
        """Take a scenario, and how many; threads: 0 for one a core."""
        for name, given, least in (("num_envs", num_envs, 1), ("threads", threads, 0)):
            if not isinstance(given, int | np.integer) or given < least:
                told = f"{name} is {given!r}: give a whole number from {least} on"
                raise ScenarioError(f"VectorEnv: {told}.")
        super().__init__([partial(Env, scenario, **options)] * num_envs)
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)

    def step(self, actions: npt.NDArray[Any]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Go on by a control period under actions (envs, nu); those that have ended begin anew."""
        actions = _actions(actions, self.action_space)
        going = [
            (env, action)
            for env, action, ended in zip(self.envs, actions, self._autoreset_envs, strict=True)
            if not ended
        ]
        try:
            list(self._pool.map(lambda each: each[0].act(each[1]), going))
            return super().step(actions)
        finally:  # also where a function of the user raises
            self.set_attr("acted", values=False)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ANN401 (of Gymnasium)
        """End the threads."""
        super().close_extras(**kwargs)
        self._pool.shutdown()


# of hip yaw, roll and pitch, knee, ankle pitch and roll, toe, of either leg: as much damping as a
# step of 1 ms bears at these inertias
_KP, _KD = (500.0, 800.0, 800.0, 800.0, 800.0, 300.0, 5.0), (5.0, 10.0, 10.0, 10.0, 5.0, 1.0, 0.03)
_TASKS: Mapping[str, dict[str, Any]] = {
    "footfall/Quadruped-v0": {"scenario": "scenes/quadruped"},
    "footfall/Humanoid-v0": {
        "scenario": "humanoid/stand",
        "kp": 2 * _KP,
        "kd": 2 * _KD,
        "scale": 0.2,
    },
}
for _name, _task in _TASKS.items():
    gymnasium.register(
        _name,
        entry_point="footfall.api.envs:Env",
        vector_entry_point="footfall.api.envs:VectorEnv",
        kwargs=_task | {"reward": "walking", "pushes": [], "duration": 10.0},
    )
