"""Metrics of a run of the goalkeeper, from any engine's trajectory."""

import math

import numpy as np
from scipy.ndimage import maximum_filter1d

from footfall.arrays import Array
from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH, bisector
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.keeper_law import KeeperLaw
from footfall.machines.goalkeeper.observables import (
    RADIUS,
    FieldObservables,
    ShotOutcome,
    is_shot,
    line_speed,
    observables_of,
    outcome_of,
    touch_time,
)
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Trajectory

PENALTY_MARK = (0.0, 1.8)
"""Of the blue goal [m]; listing Field.m."""

_AT_MARK = 0.01  # m: a ball this near to the mark lies on it
_LEARNT = 5  # steps about one in which the speed of the target jumps

# unit and meaning of every metric of ``measures``
METRICS: dict[str, tuple[str, str]] = {
    "keeper_lag": (
        "m",
        "largest distance of the keeper from where its law wants it, the ball before the goal line",
    ),
    "keeper_speed": ("m/s", "largest speed of the keeper"),
    "keeper_acceleration": (
        "m/s^2",
        "largest acceleration of the keeper, mean of a step, steps in which the ball hits it aside",
    ),
    "keeper_reach": ("m", "largest distance of the keeper from the middle of the goal"),
    "wanted_speed": ("m/s", "largest speed of the place where the law wants the keeper"),
    "saturated_share": ("1", "share of time in which the bisector is beyond the keeper's bound"),
    "bisector_error": (
        "rad",
        "largest difference of the angles BAD and CAD while the bisector is within the bound",
    ),
    "bisector_step_error": (
        "rad",
        "the same of a keeper a step behind its target's changes of speed; the listing's has none",
    ),
    "mark_offset": (
        "m",
        "distance of the keeper from the middle of the goal while the ball is at the penalty mark",
    ),
    "path_error": ("m", "largest distance of a guided ball from its path"),
    "goal": ("1", "1 if the ball goes into the goal, else 0"),
    "saved": ("1", "1 if the ball touches the keeper and does not go into the goal, else 0"),
    "missed": ("1", "1 if the ball passes the goal or comes back from it without a save, else 0"),
    "touch_time": ("s", "when the ball first touches the keeper"),
    "line_speed": ("m/s", "speed with which the centre of a free ball comes to the goal line"),
}


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
