"""Bisector law of a goalkeeper: it halves the angle under which a ball sees the goal.

Frame of the field: x along the goal line, y into the field, origin at the middle of the goal. The
ball is A = (x, y), the posts are B = (-w/2, 0) and C = (w/2, 0), the keeper is D = (OP, 0), all in
metres. From angle BAD = angle CAD follows BD:DC = AB:AC, and from that

    OP = (w/2) (AB - AC) / (AB + AC) = w^2 x / (AB + AC)^2 ,

the second form with AB^2 - AC^2 = 2 w x. It is finite and keeps its digits everywhere, as
AB + AC >= w: on the line between the posts OP = x, on the line beyond them OP = w^2 / (4 x).

Source: J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), part I.i, and its
listing Goalkeeper_position.m.
"""

import numpy as np

from footfall.arrays import Array

GOAL_WIDTH = 2.6
"""w of the listing [m]."""

SATURATION = 0.7
"""Share of w/2 beyond which the listing's keeper does not go."""

_POST = 0.5 * GOAL_WIDTH


def bisector(ball: Array) -> Array:
    """OP of the keeper for balls (..., 2), shape (...) [m]; between -w/2 and w/2."""
    share = GOAL_WIDTH / (_away(ball, -_POST) + _away(ball, _POST))
    return share * (share * ball[..., 0])


def bisector_rate(ball: Array, velocity: Array) -> Array:
    """Rate of OP while balls (..., 2) move with velocities (..., 2) [m/s], shape (...).

    It is the derivative forwards in time, which there is also for a ball that leaves a post.
    """
    total = _away(ball, -_POST) + _away(ball, _POST)
    growth = _growth(ball, velocity, -_POST) + _growth(ball, velocity, _POST)
    return (GOAL_WIDTH / total) ** 2 * (velocity[..., 0] - 2.0 * ball[..., 0] * growth / total)


def saturated(position: Array, share: float = SATURATION) -> Array:
    """Positions held within +- share * w/2, as the listing does it [m]."""
    most = 0.5 * share * GOAL_WIDTH
    return np.clip(position, -most, most)


def saturated_rate(position: Array, rate: Array, share: float = SATURATION) -> Array:
    """Rates of the saturated positions for rates of the positions, forwards in time [m/s]."""
    most = 0.5 * share * GOAL_WIDTH
    held = (np.abs(position) > most) | ((np.abs(position) == most) & (position * rate > 0.0))
    return np.where(held, 0.0, rate)


def _away(ball: Array, post: float) -> Array:
    """Distance of balls from a post at (post, 0)."""
    return np.hypot(ball[..., 0] - post, ball[..., 1])


def _growth(ball: Array, velocity: Array, post: float) -> Array:
    """Rate of that distance; from the post itself it is the speed."""
    away = _away(ball, post)
    along = (ball[..., 0] - post) * velocity[..., 0] + ball[..., 1] * velocity[..., 1]
    speed = np.hypot(velocity[..., 0], velocity[..., 1])
    return np.where(away > 0.0, along / np.where(away > 0.0, away, 1.0), speed)
