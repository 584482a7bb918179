"""Observables of a run of the goalkeeper: ball, keeper, their touches, and what becomes of a shot.

Frame of the field: `closed_form.bisector`; z up. A goal is scored when the whole ball has passed
the goal line between the posts and under the bar (Laws of the Game, law 10; the listing has no ball
that meets anything).
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from footfall.arrays import Array, Flags
from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH
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
