"""A shot as a function for sweeps: simulated until it is decided what becomes of it."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import xarray as xr

from footfall.analysis.functions import Case, Row, Simulation, SimulationFactory, labelled
from footfall.arrays import Array
from footfall.engines import CONTINUOUS, ENGINES
from footfall.errors import ScenarioError
from footfall.machines.goalkeeper.analyses.kicks import Kicks
from footfall.machines.goalkeeper.analyses.prediction import SEMI_AXES, Grass, Oracle
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.observables import KEEPER, FieldObservables
from footfall.machines.goalkeeper.outcome import RADIUS, ShotOutcome, outcome_of, touch_time
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import coordinate_names
from footfall.registry.context import MachineContext
from footfall.textbook.rolling import SHELL
from footfall_controllers.goalkeeper import BALL

PLACES = ("ball_ball_x", "ball_ball_y", "ball_ball_z")
_RATES = ("ball_ball_vx", "ball_ball_vy", "ball_ball_wx", "ball_ball_wy")
_NEAR = 0.25  # m from the goal line: farther away a ball meets neither keeper nor post
_STILL = 1e-3  # m/s: a ball that goes and spins no faster stays where it is


class Shot(TypedDict):
    """Outcome of a kick, as its value, and the time when it was decided [s].

    touch_time [s], ball [m], keeper [m]: when the ball first touches the keeper, where its centre
    is then on the field, and the keeper's x; NaN where they do not touch. post: whether the ball
    touches a post.
    """

    outcome: str
    time: float
    touch_time: float
    ball: list[float]
    keeper: float
    post: bool


@dataclass(frozen=True, eq=False)
class _Seen:
    """Observables of a row: state [q; v], touches of the ball with keeper and posts."""

    time: float
    state: Array
    keeper: bool
    post: bool


class Pitch:
    """Indices of ball and keeper in a state, and the contacts between them."""

    def __init__(self, simulation: Simulation) -> None:
        """Take a machine with a ball that is free."""
        context = simulation.context
        positions, velocities = coordinate_names(context.model.plant)
        self._nq = len(positions)
        self._x = positions.index(KEEPER)
        self._places = [positions.index(name) for name in PLACES]
        self._rates = [self._nq + velocities.index(name) for name in _RATES]
        self._keeper_rate = self._nq + velocities.index(KEEPER)
        met = [
            (k, name)
            for k, name in enumerate(context.contacts.names)
            if "|" in name and "ball::" in name
        ]
        self._with_keeper = [k for k, name in met if "keeper::" in name]
        self._with_posts = [k for k, name in met if "_post_" in name]
        self._initial = context.initial_state

    def start(self, origin: Array, velocity: Array, keeper: float) -> Array:
        """State [q; v] at a kick: the scenario's, but for ball and keeper [m], which is at rest."""
        state = self._initial.copy()
        state[self._nq :] = 0.0
        state[self._x] = keeper
        state[self._places[:2]], state[self._rates[:2]] = origin, velocity
        return state

    def seen(self, row: Row) -> _Seen:
        """Look at a row."""
        if row.state[self._places[1]] > _NEAR:
            return _Seen(row.time, row.state, keeper=False, post=False)
        closed = row.contacts().mode > 0
        keeper, post = (
            bool(closed[which].any()) for which in (self._with_keeper, self._with_posts)
        )
        return _Seen(row.time, row.state, keeper, post)

    def is_decided(self, seen: _Seen) -> bool:
        """Return whether all of the ball is behind the line, lies still, or goes away for good.

        Friction turns v_y [m/s] into that of rolling, (v_y - beta r omega_x) / (1 + beta), and all
        the way between the two: if neither is towards the goal, the ball never goes there.
        """
        vx, vy, wx, wy = seen.state[self._rates].tolist()
        if seen.state[self._places[1]] < -RADIUS:
            return True
        goes_away = min(vy, vy - SHELL * RADIUS * wx) >= 0.0
        is_still = max(math.hypot(vx, vy), RADIUS * math.hypot(wx, wy)) < _STILL
        return is_still or (goes_away and not (seen.keeper or seen.post))

    def observed(self, rows: Sequence[_Seen]) -> FieldObservables:
        """Rows as outcomes are judged by."""
        state = np.array([row.state for row in rows])
        ball = state[:, self._places]
        return FieldObservables(
            time=np.array([row.time for row in rows]),
            keeper=state[:, self._x],
            keeper_speed=state[:, self._keeper_rate],
            ball=ball[:, :2],
            ball_velocity=state[:, self._rates[:2]],
            height=ball[:, 2],
            touching=np.array([row.keeper for row in rows]),
            free=True,
        )


def shoot(
    factory: SimulationFactory, engine: str, kicks: Kicks, keepers: Sequence[float]
) -> list[Shot]:
    """Simulate kicks one after another; the keeper is at rest at keepers [m].

    Raises as the engines do.
    """
    simulation, pitch = _prepared(factory, engine)
    velocity = kicks.speed[:, None] * kicks.direction
    return [
        _shot(simulation, pitch, pitch.start(*start))
        for start in zip(kicks.origin, velocity, keepers, strict=True)
    ]


@functools.lru_cache(maxsize=1)
def _prepared(factory: SimulationFactory, engine: str) -> tuple[Simulation, Pitch]:
    """One diagram for all kicks of a process: to build it takes longer than a kick."""
    simulation = factory.simulation(engine)
    return simulation, Pitch(simulation)


def _shot(simulation: Simulation, pitch: Pitch, start: Array) -> Shot:
    rows = []
    for row in simulation.rows(start):
        rows.append(pitch.seen(row))
        if pitch.is_decided(rows[-1]):
            break
    observed = pitch.observed(rows)
    touched = observed.touching.any()
    first = int(observed.touching.argmax())
    return {
        "outcome": outcome_of(observed).value,
        "time": rows[-1].time,
        "touch_time": touch_time(observed),
        "ball": observed.ball[first].tolist() if touched else [math.nan, math.nan],
        "keeper": float(observed.keeper[first]) if touched else math.nan,
        "post": any(row.post for row in rows),
    }


# the one that integrates in continuous time tells contacts at the ends of steps only, and a ball
# may touch the keeper for less than a step
_ENGINES = tuple(engine for engine in ENGINES if engine != CONTINUOUS)
_FIELD = 2.0  # m: half the width of the field
_NEAREST, _FARTHEST = 0.3, 6.0  # m from the goal line: clear of the keeper, the other goal
_FASTEST = 50.0  # m/s: nobody kicks a ball so fast
_SLOWEST = 0.1  # m/s: one that is slower does not arrive

CODES = {outcome: code for code, outcome in enumerate(ShotOutcome)}
"""Spelling of the outcomes in a dataset."""

OUTCOME = ("1", ", ".join(f"{code}: {outcome.value}" for outcome, code in CODES.items()))


def shot(
    case: Case, *, x: float, y: float, speed: float, target: float, ready: bool = True
) -> xr.Dataset:
    """Outcome of a kick of a ball that lies on the grass, with keeper, posts and grass in contact.

    x along the goal line and y from it [m]; speed [m/s]; target: place on the goal line that the
    ball is sent to, as the share of the way from the post at negative x to the other. ready:
    whether the keeper stands where its law wants it for the ball that lies there; else it stands
    where the scenario starts it. Raises ScenarioError for another scene, or a ball that would pass
    the keeper between two steps.
    """
    _require("x", x, -_FIELD, _FIELD, "metres on the field")
    _require("y", y, _NEAREST, _FARTHEST, "metres from the goal line")
    _require("speed", speed, _SLOWEST, _FASTEST, "metres per second")
    _require("target", target, 0.0, 1.0, "a share of the goal's width")
    if case.engine not in _ENGINES:
        raise ScenarioError(f"shots have no engine {case.engine}: choose {', '.join(_ENGINES)}.")
    oracle = oracle_of(case.context, ready=ready)
    depth, distance = 2.0 * (RADIUS + SEMI_AXES[1]), speed * case.context.time_step
    if distance > depth:
        raise ScenarioError(
            f"a ball of {speed:g} m/s goes {distance:g} m in a step, farther than ball and keeper "
            f"are deep, {depth:g} m: give a shorter time_step or slower kicks."
        )
    kicks = kicks_of(oracle, np.array([[x, y, speed, target]]))
    (found,) = shoot(case.factory, case.engine, kicks, oracle.keepers(kicks).tolist())
    outcome = ShotOutcome(found["outcome"])
    values = {
        "outcome": (CODES[outcome], *OUTCOME),
        "saved": (float(outcome is ShotOutcome.SAVED), "1", "1 where the keeper saves it"),
        "decided_time": (found["time"], "s", "when the outcome is decided"),
        "touch_time": (found["touch_time"], "s", "when the ball touches the keeper"),
        "touch_x": (found["ball"][0], "m", "x of the ball then"),
        "touch_y": (found["ball"][1], "m", "y of the ball then"),
        "touch_keeper": (found["keeper"], "m", "x of the keeper then"),
        "post": (float(found["post"]), "1", "1 where the ball touches a post"),
    }
    return labelled(values)


def kicks_of(oracle: Oracle, rows: Array) -> Kicks:
    """Kicks of rows (n, 4) of x, y, speed and target."""
    return Kicks(rows[:, :2], rows[:, 2], oracle.law.goal_width * (rows[:, 3] - 0.5))


def oracle_of(context: MachineContext, *, ready: bool) -> Oracle:
    """Return the predictor of a scenario's shots; raises ScenarioError for one of other shots."""
    positions, control = coordinate_names(context.model.plant)[0], context.controller
    free = set(PLACES) <= set(positions)
    if not isinstance(control, Goalkeeping) or control.path is not None or not free:
        raise ScenarioError(
            "shots need a keeper and a ball that is free: give the controller !Goalkeeping without "
            "a path, and the model ball.sdf."
        )
    if context.slope != 0.0:
        raise ScenarioError("shots are on level grass: set terrain.slope_deg to 0.")
    keeper = None if ready else float(context.initial_state[positions.index(KEEPER)])
    grass = Grass(friction_of(context.contacts), context.gravity)
    return Oracle(control.law(), grass, keeper, context.time_step, context.duration)


def friction_of(contacts: ContactSet) -> float:
    """Coefficient of friction of ball and grass."""
    return float(contacts.mu[contacts.reported_as == contacts.names.index(BALL)][0])


def _require(name: str, value: float, least: float, most: float, what: str) -> None:
    """Raise ScenarioError unless a parameter is within its range."""
    if not least <= value <= most:
        raise ScenarioError(f"parameters.{name} is {value}: give {what}, {least:g} to {most:g}.")
