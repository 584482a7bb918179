"""Kicks that are really simulated, each until it is decided what becomes of it."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from footfall.analysis.factory import Row, Simulation, SimulationFactory
from footfall.arrays import Array
from footfall.machines.goalkeeper.analyses.kicks import Kicks
from footfall.machines.goalkeeper.observables import KEEPER, FieldObservables
from footfall.machines.goalkeeper.outcome import RADIUS, outcome_of, touch_time
from footfall.plants.coordinates import coordinate_names
from footfall.textbook.rolling import SHELL

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
