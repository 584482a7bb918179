"""Readings of a run of the goalkeeper: ball, keeper, touches, outcome, metrics and claims.

Frame of the field: `closed_form.bisector`; z up. A goal is scored when the whole ball has passed
the goal line between the posts and under the bar (Laws of the Game, law 10; the listing has no ball
that meets anything).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from scipy.ndimage import maximum_filter1d

from footfall.arrays import Array, Flags
from footfall.machines.goalkeeper.closed_form.bisector import (
    GOAL_WIDTH,
    SATURATION,
    KeeperLaw,
    bisector,
)
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, read_statements
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Trajectory

KEEPER = "keeper_x"
POSITIONS = (KEEPER, "ball_ball_x", "ball_ball_y")
"""Positions that keeper and ball have in a model, whether the ball is free or guided."""

RADIUS = 0.09
"""Radius of the ball [m]; listing Global_Trajectory.m."""

BAR = 1.8
"""Height of the bar [m]; listing Field.m."""

_STILL = 1e-3  # m/s: a ball that comes no faster rests, at the keeper for one

_HEIGHT = "ball_ball_z"  # of a free ball


@dataclass(frozen=True, eq=False)
class FieldObservables:
    """A run, row by row (N): time [s]; keeper: x of the keeper [m] and keeper_speed [m/s].

    ball, ball_velocity (N, 2): over the field [m], [m/s]; height (N,): of its centre [m]; touching
    (N,): whether it touches the keeper. free: whether the ball is free, else it is guided.
    """

    time: Array
    keeper: Array
    keeper_speed: Array
    ball: Array
    ball_velocity: Array
    height: Array
    touching: Flags
    free: bool


def observables_of(trajectory: Trajectory) -> FieldObservables:
    """Read a trajectory of any engine."""
    data = trajectory.data
    names = data["position"].to_numpy().tolist()
    free = _HEIGHT in names
    rates = ["ball_ball_vx", "ball_ball_vy"] if free else list(POSITIONS[1:])
    time = data["time"].to_numpy()
    return FieldObservables(
        time=time,
        keeper=data["q"].sel(position=KEEPER).to_numpy(),
        keeper_speed=data["v"].sel(velocity=KEEPER).to_numpy(),
        ball=data["q"].sel(position=list(POSITIONS[1:])).to_numpy(),
        ball_velocity=data["v"].sel(velocity=rates).to_numpy(),
        height=data["q"].sel(position=_HEIGHT).to_numpy() if free else np.zeros_like(time),
        touching=_touching(trajectory),
        free=free,
    )


def _touching(trajectory: Trajectory) -> Flags:
    """Return whether ball and keeper have touched in the step that ends at each row, (N,)."""
    data = trajectory.data
    pairs = [
        name
        for name in data["contact"].to_numpy().tolist()
        if "|" in name and "keeper::" in name and "ball::" in name
    ]
    closed: Flags = (data["mode"].sel(contact=pairs) > 0).any("contact").to_numpy()
    return closed


class ShotOutcome(Enum):
    """Outcome of a shot at the goal at y = 0."""

    GOAL = "goal"
    SAVED = "saved"
    MISSED = "missed"
    ON_THE_WAY = "on the way"


def is_shot(observed: FieldObservables) -> bool:
    """Return True for a run with a shot: a ball before the goal line that comes towards it.

    One that starts on or behind the line is none, nor one that first moves when the keeper hits it.
    """
    touched = int(observed.touching.argmax()) if observed.touching.any() else len(observed.time)
    coming = observed.ball_velocity[: max(touched, 1), 1] < -_STILL
    return bool(observed.ball[0, 1] > RADIUS and coming.any())


def outcome_of(observed: FieldObservables) -> ShotOutcome:
    """Return what has become of a shot by the end of a run.

    Saved is what the keeper has touched and is no goal; missed what has passed the line elsewhere,
    or does not come nearer any more, as a ball that comes back from a post. A ball that still comes
    nearer is on the way, also after a touch: its spin may turn it towards the goal again.
    """
    behind = observed.ball[:, 1] < -RADIUS
    inside = (np.abs(observed.ball[:, 0]) < 0.5 * GOAL_WIDTH) & (observed.height < BAR)
    if behind.any():
        first = int(behind.argmax())
        if inside[first]:
            return ShotOutcome.GOAL
    if not behind.any() and observed.ball_velocity[-1, 1] < -_STILL:
        return ShotOutcome.ON_THE_WAY
    return ShotOutcome.SAVED if observed.touching.any() else ShotOutcome.MISSED


def touch_time(observed: FieldObservables) -> float:
    """Return when the ball first touches the keeper [s]; NaN if it never does."""
    if not observed.touching.any():
        return float("nan")
    return float(observed.time[int(observed.touching.argmax())])


def line_speed(observed: FieldObservables) -> float:
    """Speed of the ball in the row before its centre comes to the goal line [m/s].

    NaN if it never does.
    """
    there = observed.ball[:, 1] <= 0.0
    if not there.any():
        return float("nan")
    before = max(int(there.argmax()) - 1, 0)
    return float(np.linalg.norm(observed.ball_velocity[before]))


PENALTY_MARK = (0.0, 1.8)
"""Of the blue goal [m]; listing Field.m."""

_AT_MARK = 0.01  # m: a ball this near to the mark lies on it
_LEARNT = 5  # steps about one in which the speed of the target jumps

# unit and meaning of every metric of ``measures``
METRICS = read_metrics(__package__)


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The goalkeeper's own metrics, in SI; METRICS says what they are.

    Those of what a run does not come to, or has not, are left out.
    """
    observed = observables_of(trajectory)
    metrics: dict[str, float] = {
        "keeper_speed": float(np.abs(observed.keeper_speed).max()),
        "keeper_acceleration": acceleration(observed),
        "keeper_reach": float(np.abs(observed.keeper).max()),
    }
    control = context.controller
    if isinstance(control, Goalkeeping):
        exact = trajectory.data.attrs.get("engine") == CLOSED_FORM
        metrics |= _of_the_law(observed, control, exact=exact)
        if control.path is not None and not observed.free:
            off = observed.ball - control.path.position(observed.time)
            metrics["path_error"] = float(np.linalg.norm(off, axis=1).max())
    if observed.free:
        metrics |= _of_a_shot(observed)
    return {name: value for name, value in metrics.items() if math.isfinite(value)}


def acceleration(observed: FieldObservables) -> float:
    """Largest acceleration of the keeper between two rows in which the ball does not touch it."""
    untouched = ~(observed.touching[1:] | observed.touching[:-1])
    steps = np.diff(observed.time)[untouched]
    change = np.abs(np.diff(observed.keeper_speed))[untouched]
    return float((change / steps).max(initial=0.0))


def angles(ball: Array, keeper: Array) -> tuple[Array, Array]:
    """Angles BAD and DAC (N,) that a ball at A (N, 2) sees, D at keeper (N,) [rad]."""
    to_b, to_d, to_c = (
        np.stack([x - ball[:, 0], -ball[:, 1]], axis=-1)
        for x in (np.array(-0.5 * GOAL_WIDTH), keeper, np.array(0.5 * GOAL_WIDTH))
    )
    return _turn(to_b, to_d), _turn(to_d, to_c)


def _of_a_shot(observed: FieldObservables) -> dict[str, float]:
    """Return what becomes of a ball that is free."""
    metrics = {}
    if is_shot(observed):
        became = outcome_of(observed)
        for one in (ShotOutcome.GOAL, ShotOutcome.SAVED, ShotOutcome.MISSED):
            metrics[one.value] = float(became is one)
    return metrics | {"touch_time": touch_time(observed), "line_speed": line_speed(observed)}


def _of_the_law(observed: FieldObservables, law: KeeperLaw, *, exact: bool) -> dict[str, float]:
    """Return how the keeper keeps to its law until the ball is behind the goal line.

    exact: whether it is put there, and takes no step to learn of the ball.
    """
    behind = observed.ball[:, 1] < -RADIUS
    last = int(behind.argmax()) if behind.any() else len(behind)
    if last == 0:
        return {}
    ball, keeper = observed.ball[:last], observed.keeper[:last]
    places, rates = law.target(ball, observed.ball_velocity[:last])
    bound = np.abs(bisector(ball)) > law.reach
    step = np.zeros_like(places)
    if not exact:  # where the target's speed jumps, some steps pass until the keeper has it
        change = np.abs(np.diff(rates, prepend=rates[0])) * np.gradient(observed.time)[:last]
        step = maximum_filter1d(change, _LEARNT)

    def uneven(at: Array) -> float:
        left, right = angles(ball[~bound], at[~bound])
        return float(np.abs(left - right).max(initial=0.0))

    away = np.linalg.norm(ball - PENALTY_MARK, axis=1)
    nearest = int(away.argmin())
    return {
        "keeper_lag": float(np.abs(keeper - places).max()),
        "wanted_speed": float(np.abs(rates).max()),
        "saturated_share": float(bound.mean()),
        "bisector_error": uneven(keeper),
        "bisector_step_error": max(uneven(places - step), uneven(places + step)),
        "mark_offset": abs(float(keeper[nearest])) if away[nearest] < _AT_MARK else math.nan,
    }


def _turn(a: Array, b: Array) -> Array:
    """Angle from a to b, (N,) each of (N, 2) [rad]."""
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    turn: Array = np.arctan2(cross, (a * b).sum(axis=1))
    return turn


_ITSELF = 1e-9  # m: a keeper that is nowhere farther from where its law wants it is the law
STATEMENTS = read_statements(__package__)


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The report's statements, for runs with its goal and bound and a ball on a path."""
    control = context.controller
    if not isinstance(control, Goalkeeping) or control.path is None:
        return []
    if control.saturation != SATURATION:
        return []
    judged = []
    if scalar(metrics, "wanted_speed") > 0.0:  # else the bisector stays in the middle of the goal
        error, own_error = (scalar(metrics, f"bisector_{e}") for e in ("error", "step_error"))
        judged.append(STATEMENTS["halves"].of(error, own_error=own_error))
    offset = scalar(metrics, "mark_offset")
    if math.isfinite(offset):
        judged.append(STATEMENTS["centre"].of(offset))
    # the listing's own keeper is put where its bound holds it: that is not judged by itself
    if scalar(metrics, "saturated_share") > 0.0 and scalar(metrics, "keeper_lag") > _ITSELF:
        reach = scalar(metrics, "keeper_reach")
        judged.append(STATEMENTS["bound"].of(reach, bound=0.5 * SATURATION * GOAL_WIDTH))
    return judged
