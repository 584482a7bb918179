"""A shot as a function for sweeps, and what follows from a sweep of shots.

Each is simulated until it is decided what becomes of it. Shots over x, y, speed and target are
foretold all together besides, without any contact of bodies: the ball goes straight on by the
closed form of a thin shell that slides, then rolls (`footfall.textbook.rolling`); the keeper moves
by its law, sampled at time steps. A kick is saved if the ball meets the keeper's outline, a prism
that stands on the grass, before all of it is behind the goal line. Neither posts nor how the ball
goes on after that touch are known to a prediction.
"""

import functools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.functions import (
    PARAMETERS,
    Case,
    CaseSimulation,
    Row,
    SimulationFactory,
    labelled,
)
from footfall.arrays import Array
from footfall.engine_names import STEPPING
from footfall.errors import ScenarioError
from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH, KeeperLaw
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.measures import (
    KEEPER,
    PENALTY_MARK,
    RADIUS,
    FieldObservables,
    ShotOutcome,
    outcome_of,
    touch_time,
)
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import coordinate_names
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext
from footfall.textbook.rolling import SHELL, Rolling
from footfall_controllers.goalkeeper import BALL

SEMI_AXES = (0.2, 0.1)
"""Of the ellipse around the keeper, along and across the goal line [m]; the same listing."""

FACETS = 20
"""Facets of the keeper, whose edges stand on the ellipse; the same listing."""


@dataclass(frozen=True, eq=False)
class Kicks:
    """n kicks of a ball that lies on the grass and gets no spin; frame of the field.

    origin (n, 2) [m]; speed (n,) [m/s]; target (n,): x of the place on the goal line y = 0 that the
    ball is sent to [m].
    """

    origin: Array
    speed: Array
    target: Array

    def __len__(self) -> int:
        """Count the kicks."""
        return len(self.speed)

    @property
    def direction(self) -> Array:
        """Unit vectors (n, 2) from the origins to the targets."""
        offset = np.column_stack((self.target, np.zeros(len(self)))) - self.origin
        length: Array = np.hypot(offset[:, 0], offset[:, 1])
        return offset / length[:, None]


@dataclass(frozen=True)
class Grass:
    """Grass under the ball: mu of sliding, gravity [m/s^2]; the ball rolls without loss."""

    mu: float
    gravity: float

    def distance_and_speed(self, speed: Array, time: float) -> tuple[Array, Array]:
        """Ways [m] and speeds [m/s] of balls some time [s] after kicks at speeds (n,) > 0.

        All kicks are alike: times scale with the speed, ways with its square.
        """
        unit = Rolling(m=1.0, r=RADIUS, beta=SHELL, mu=self.mu, v0=1.0, g=self.gravity)
        at = time / speed
        return speed**2 * unit.distance(at), speed * unit.speed(at)


def friction_of(contacts: ContactSet) -> float:
    """Coefficient of friction of ball and grass."""
    return float(contacts.mu[contacts.reported_as == contacts.names.index(BALL)][0])


@dataclass(frozen=True, eq=False)
class Prediction:
    """n kicks foretold.

    touched (n,): whether the ball meets the keeper before it is behind the line. time (n,): when it
    does or is [s]; NaN where neither comes in time. ball (n, 2), keeper (n,): where they are then
    [m].
    """

    touched: npt.NDArray[np.bool_]
    time: Array
    ball: Array
    keeper: Array


@dataclass(frozen=True)
class Oracle:
    """Foretells kicks: law of the keeper, grass, time step and longest time [s]."""

    law: KeeperLaw
    grass: Grass
    time_step: float
    duration: float

    def keepers(self, kicks: Kicks) -> Array:
        """Return where the keeper stands at each kick (n,), at rest [m]: where its law wants it."""
        return self.law.target(kicks.origin, np.zeros_like(kicks.origin))[0]

    def predict(self, kicks: Kicks) -> Prediction:
        """Foretell kicks, step by step, each until it is decided."""
        x, v = self.keepers(kicks), np.zeros(len(kicks))
        direction = kicks.direction
        prediction = Prediction(
            np.zeros(len(kicks), dtype=np.bool_),
            *(np.full(shape, np.nan) for shape in (len(kicks), (len(kicks), 2), len(kicks))),
        )
        going, dt = np.arange(len(kicks)), self.time_step
        for step in range(round(self.duration / dt) + 1):
            covered, speed = self.grass.distance_and_speed(kicks.speed[going], step * dt)
            ball = kicks.origin[going] + covered[:, None] * direction[going]
            touches = meets(ball, x[going])
            ended = touches | (ball[:, 1] < -RADIUS)
            which = going[ended]
            prediction.touched[which] = touches[ended]
            prediction.time[which] = step * dt
            prediction.ball[which], prediction.keeper[which] = ball[ended], x[which]
            going, ball, speed = going[~ended], ball[~ended], speed[~ended]
            if len(going) == 0:
                break
            velocity = speed[:, None] * direction[going]
            push = self.law.acceleration(x[going], v[going], ball, velocity, dt)
            x[going] += dt * (v[going] + 0.5 * dt * push)
            v[going] += dt * push
        return prediction


def meets(ball: Array, keeper: Array) -> npt.NDArray[np.bool_]:
    """Return whether balls (n, 2) touch keepers at (n,), seen from above [m]."""
    away = ball.copy()
    away[:, 0] -= keeper
    near = (np.abs(away) <= np.array(SEMI_AXES) + RADIUS).all(axis=1)
    touches = np.zeros(len(ball), dtype=np.bool_)
    touches[near] = distance(away[near]) <= RADIUS
    return touches


def distance(positions: Array) -> Array:
    """Distances (n,) of places (n, 2) from the outline of a keeper at the origin, 0 inside [m]."""
    corner = outline()
    edge = np.roll(corner, -1, axis=0) - corner
    from_corner = positions[:, None, :] - corner
    share = (from_corner * edge).sum(axis=2) / (edge**2).sum(axis=1)
    nearest = np.clip(share, 0.0, 1.0)[:, :, None] * edge
    outside = edge[:, 0] * from_corner[:, :, 1] - edge[:, 1] * from_corner[:, :, 0] < 0.0
    gap: Array = np.hypot(*np.moveaxis(from_corner - nearest, 2, 0)).min(axis=1)
    return np.where(outside.any(axis=1), gap, 0.0)


def outline() -> Array:
    """Corners of the keeper seen from above, (FACETS, 2), counter-clockwise [m]."""
    angle = 2.0 * np.pi * np.arange(FACETS) / FACETS
    return np.array(SEMI_AXES) * np.column_stack((np.cos(angle), np.sin(angle)))


PLACES = ("ball_ball_x", "ball_ball_y", "ball_ball_z")
_RATES = ("ball_ball_vx", "ball_ball_vy", "ball_ball_wx", "ball_ball_wy")
_NEAR = 0.25  # m from the goal line: farther away a ball meets neither keeper nor post
_STILL = 1e-3  # m/s: a ball that goes and spins no faster stays where it is


class _Observed(NamedTuple):
    """Observables of a row: state [q; v], touches of the ball with keeper and posts."""

    time: float
    state: Array
    keeper: bool
    post: bool


class Pitch:
    """Indices of ball and keeper in a state, and the contacts between them."""

    def __init__(self, simulation: CaseSimulation) -> None:
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

    def look_at(self, row: Row) -> _Observed:
        """Look at a row."""
        if row.state[self._places[1]] > _NEAR:
            return _Observed(row.time, row.state, keeper=False, post=False)
        closed = row.contacts().mode > 0
        keeper, post = (
            bool(closed[which].any()) for which in (self._with_keeper, self._with_posts)
        )
        return _Observed(row.time, row.state, keeper, post)

    def is_decided(self, row: _Observed) -> bool:
        """Return whether all of the ball is behind the line, lies still, or goes away for good.

        Friction turns v_y [m/s] into that of rolling, (v_y - beta r omega_x) / (1 + beta), and all
        the way between the two: if neither is towards the goal, the ball never goes there.
        """
        vx, vy, wx, wy = row.state[self._rates].tolist()
        if row.state[self._places[1]] < -RADIUS:
            return True
        goes_away = min(vy, vy - SHELL * RADIUS * wx) >= 0.0
        is_still = max(math.hypot(vx, vy), RADIUS * math.hypot(wx, wy)) < _STILL
        return is_still or (goes_away and not (row.keeper or row.post))

    def observed(self, rows: Sequence[_Observed]) -> FieldObservables:
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


@functools.lru_cache(maxsize=1)
def _prepared(factory: SimulationFactory, engine: str) -> tuple[CaseSimulation, Pitch]:
    """One diagram for all kicks of a process: to build it takes longer than a kick."""
    simulation = factory.simulation(engine)
    return simulation, Pitch(simulation)


# those that integrate in continuous time tell contacts at the ends of steps only, and a ball may
# touch the keeper for less than a step
_ENGINES = STEPPING
_FIELD = 2.0  # m: half the width of the field
_NEAREST, _FARTHEST = 0.3, 6.0  # m from the goal line: clear of the keeper, the other goal
_FASTEST = 50.0  # m/s: nobody kicks a ball so fast
_SLOWEST = 0.1  # m/s: one that is slower does not arrive

CODES = {outcome: code for code, outcome in enumerate(ShotOutcome)}
"""Spelling of the outcomes in a dataset."""

OUTCOME = ("1", ", ".join(f"{code}: {outcome.value}" for outcome, code in CODES.items()))


def shot(case: Case, *, x: float, y: float, speed: float, target: float) -> xr.Dataset:
    """Outcome of a kick of a ball that lies on the grass, with keeper, posts and grass in contact.

    x along the goal line and y from it [m]; speed [m/s]; target: place on the goal line that the
    ball is sent to, as the share of the way from the post at negative x to the other. The keeper
    stands where its law wants it for the ball that lies there. Raises ScenarioError for another
    scene, or a ball that would pass the keeper between two steps.
    """
    _require("x", x, -_FIELD, _FIELD, "metres on the field")
    _require("y", y, _NEAREST, _FARTHEST, "metres from the goal line")
    _require("speed", speed, _SLOWEST, _FASTEST, "metres per second")
    _require("target", target, 0.0, 1.0, "a share of the goal's width")
    if case.engine not in _ENGINES:
        raise ScenarioError(f"shots have no engine {case.engine}: choose {', '.join(_ENGINES)}.")
    oracle = oracle_of(case.context)
    depth, distance = 2.0 * (RADIUS + SEMI_AXES[1]), speed * case.context.time_step
    if distance > depth:
        raise ScenarioError(
            f"a ball of {speed:g} m/s goes {distance:g} m in a step, farther than ball and keeper "
            f"are deep, {depth:g} m: give a shorter time_step or slower kicks."
        )
    kick = kicks_of(np.array([[x, y, speed, target]]))
    simulation, pitch = _prepared(case.factory, case.engine)
    (velocity,), (keeper,) = kick.speed[:, None] * kick.direction, oracle.keepers(kick)
    rows = []
    for row in simulation.rows(pitch.start(kick.origin[0], velocity, keeper)):
        rows.append(pitch.look_at(row))
        if pitch.is_decided(rows[-1]):
            break
    observed = pitch.observed(rows)
    outcome, first = outcome_of(observed), int(observed.touching.argmax())
    at = 1.0 if observed.touching.any() else math.nan
    values: dict[str, tuple[Any, str, str]] = {
        "outcome": (CODES[outcome], *OUTCOME),
        "saved": (float(outcome is ShotOutcome.SAVED), "1", "1 where the keeper saves it"),
        "decided_time": (rows[-1].time, "s", "when the outcome is decided"),
        "touch_time": (touch_time(observed), "s", "when the ball touches the keeper"),
        "touch_x": (at * observed.ball[first, 0], "m", "x of the ball then"),
        "touch_y": (at * observed.ball[first, 1], "m", "y of the ball then"),
        "touch_keeper": (at * observed.keeper[first], "m", "x of the keeper then"),
        "post": (float(any(row.post for row in rows)), "1", "1 where the ball touches a post"),
    }
    return labelled(values)


def kicks_of(rows: Array) -> Kicks:
    """Kicks of rows (n, 4) of x, y, speed and target."""
    return Kicks(rows[:, :2], rows[:, 2], GOAL_WIDTH * (rows[:, 3] - 0.5))


def oracle_of(context: MachineContext) -> Oracle:
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
    grass = Grass(friction_of(context.contacts), context.gravity)
    return Oracle(control, grass, context.time_step, context.duration)


def _require(name: str, value: float, least: float, most: float, what: str) -> None:
    """Raise ScenarioError unless a parameter is within its range."""
    if not least <= value <= most:
        raise ScenarioError(f"parameters.{name} is {value}: give {what}, {least:g} to {most:g}.")


# --- a sweep of shots ----------------------------------------------------------------------------

_X, _Y, _SPEED, _TARGET = _AXES = tuple(f"{PARAMETERS}{n}" for n in ("x", "y", "speed", "target"))
_GOAL, _SAVED, _ON_THE_WAY = (
    CODES[one] for one in (ShotOutcome.GOAL, ShotOutcome.SAVED, ShotOutcome.ON_THE_WAY)
)


def summary(data: xr.Dataset, context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Outcomes that are foretold, shares, and the greatest speeds up to which all is saved.

    Nothing for a sweep of which the scene differs from shot to shot.
    """
    own = ("engine", *_AXES)
    if data.attrs["function"] != "shot" or not set(data["outcome"].dims) <= set(own):
        return xr.Dataset(), ()
    foretold = _foretold(data, context)
    numbers = foretold[["foretold"]].merge(_numbers(data, foretold))
    if _SPEED in data.dims:
        numbers["safe_speed"] = safe_speed(data["outcome"])
        numbers["foretold_safe_speed"] = safe_speed(foretold["foretold"])
        at = {_X: PENALTY_MARK[0], _Y: PENALTY_MARK[1]}
        if all(name in data.dims and np.isclose(data[name], at[name]).any() for name in at):
            mark = numbers["safe_speed"].isel(engine=0).sel(at, method="nearest", drop=True)
            about = "greatest speed of the sweep up to which all from the penalty mark are saved"
            numbers["mark_speed"] = mark.reset_coords(drop=True).assign_attrs(long_name=about)
    return numbers, ()


def _foretold(data: xr.Dataset, context: MachineContext) -> xr.Dataset:
    """Prediction of all shots: outcomes, and when and where the ball is touched."""
    given = json.loads(str(data.attrs["parameters"]))
    oracle = oracle_of(context)
    axes = xr.broadcast(
        *(data[name] if name in data.dims else xr.DataArray(given[name[11:]]) for name in _AXES)
    )
    rows = np.stack([one.to_numpy().ravel() for one in axes], axis=1)
    prediction = oracle.predict(kicks_of(rows))
    at = np.where(prediction.touched, 1.0, np.nan)
    columns = {
        "foretold": codes_of(prediction),
        "touch_time": at * prediction.time,
        "touch_x": at * prediction.ball[:, 0],
        "touch_y": at * prediction.ball[:, 1],
    }
    arrays = xr.Dataset(
        {
            name: axes[0].copy(data=np.asarray(row).reshape(axes[0].shape))
            for name, row in columns.items()
        }
    )
    arrays["foretold"].attrs = {"units": OUTCOME[0], "long_name": f"foretold: {OUTCOME[1]}"}
    return arrays


def _numbers(data: xr.Dataset, foretold: xr.Dataset) -> xr.Dataset:
    outcome, expected = data["outcome"], foretold["foretold"]
    known, goals = outcome.notnull(), outcome == _GOAL
    away = data[["touch_time", "touch_x", "touch_y"]] - foretold
    touched = data["touch_time"].notnull()
    numbers: dict[str, tuple[Any, str, str]] = {
        "share_saved": ((outcome == _SAVED).sum() / known.sum(), "1", "share that is saved"),
        "share_goals": (goals.sum() / known.sum(), "1", "share of goals"),
        "undecided": ((outcome == _ON_THE_WAY).sum(), "1", "shots on their way at their end"),
        "agreement": ((outcome == expected).sum() / known.sum(), "1", "share as it is foretold"),
        "differences": (((outcome != expected) & known).sum(), "1", "shots that end otherwise"),
        "turned_in": ((goals & touched).sum(), "1", "shots that are touched, and goals"),
        "off_post": (data["post"].sum(), "1", "shots that touch a post"),
        "touch_distance": (
            _largest((away["touch_x"] ** 2 + away["touch_y"] ** 2) ** 0.5),
            "m",
            "largest distance of the ball at the first touch from the foretold place",
        ),
        "touch_delay": (
            _largest(abs(away["touch_time"])),
            "s",
            "largest time between the first touch and the foretold one",
        ),
    }
    return labelled(
        {name: (float(value), unit, words) for name, (value, unit, words) in numbers.items()}
    )


def codes_of(foretold: Prediction) -> npt.NDArray[np.int8]:
    """Return what is foretold, as codes (n,)."""
    inside = np.abs(foretold.ball[:, 0]) < 0.5 * GOAL_WIDTH
    arrives = np.isfinite(foretold.time)
    conditions = [foretold.touched, arrives & inside, arrives]
    choices = [CODES[one] for one in (ShotOutcome.SAVED, ShotOutcome.GOAL, ShotOutcome.MISSED)]
    return np.select(conditions, choices, CODES[ShotOutcome.ON_THE_WAY]).astype(np.int8)


def safe_speed(outcome: xr.DataArray) -> xr.DataArray:
    """Greatest of rising speeds up to which all targets are saved; NaN for none."""
    saved = outcome == _SAVED
    saved = saved.all(_TARGET) if _TARGET in saved.dims else saved
    saved = saved.transpose(..., _SPEED)
    count = np.logical_and.accumulate(saved.to_numpy(), axis=-1).sum(axis=-1)
    speed = saved[_SPEED].to_numpy()
    values = np.where(count > 0, speed[np.maximum(count - 1, 0)], np.nan)
    meaning = "greatest speed of the sweep up to which all targets are saved"
    attrs = {"units": "m/s", "long_name": meaning}
    return saved.isel({_SPEED: 0}, drop=True).copy(data=values).assign_attrs(attrs)


def _largest(values: xr.DataArray) -> float:
    return float(values.max()) if bool(values.notnull().any()) else math.nan
