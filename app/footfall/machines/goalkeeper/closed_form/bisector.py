"""Law of a goalkeeper: it halves the angle under which a ball sees the goal.

It follows that place, the bisector, with bounded speed and acceleration.

Frame of the field: x along the goal line, y into the field, origin at the middle of the goal. The
ball is A = (x, y), the posts are B = (-w/2, 0) and C = (w/2, 0), the keeper is D = (OP, 0), all in
metres. From angle BAD = angle CAD follows BD:DC = AB:AC, and from that

    OP = (w/2) (AB - AC) / (AB + AC) = w^2 x / (AB + AC)^2 ,

the second form with AB^2 - AC^2 = 2 w x. It is finite and keeps its digits everywhere, as
AB + AC >= w: on the line between the posts OP = x, on the line beyond them OP = w^2 / (4 x).

Source: J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), part I.i, and its
listing Goalkeeper_position.m.
"""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, between, positive

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


@dataclass
class KeeperLaw(Checked, at="controller."):
    """Law of a keeper that moves along the goal line; raises ScenarioError for what is none."""

    # Largest speed of the keeper along the goal line [m/s]. Assumed: a quick sidestep of a humanoid
    # of its size; the source's keeper is where it should be at once.
    max_speed: float = positive(0.5)
    # Largest acceleration [m/s^2]. Assumed: full speed within a quarter of a second, a short step.
    max_acceleration: float = positive(2.0)
    # Share of half the goal's width that the keeper does not leave.
    saturation: float = between(SATURATION, 0.0, 1.0, "give a share from 0 to 1")

    @property
    def reach(self) -> float:
        """Farthest place from the middle of the goal [m]."""
        return 0.5 * self.saturation * GOAL_WIDTH

    def target(self, ball: Array, velocity: Array) -> tuple[Array, Array]:
        """Return the target [m] for balls (..., 2) with velocities (..., 2), and its rate [m/s]."""
        target, rate = bisector(ball), bisector_rate(ball, velocity)
        return (
            saturated(target, self.saturation),
            saturated_rate(target, rate, self.saturation),
        )

    def acceleration(self, x: Array, v: Array, ball: Array, velocity: Array, dt: float) -> Array:
        """Acceleration for the next dt > 0 seconds [m/s^2], within +-max_acceleration.

        x, v (...): place and speed of the keeper [m], [m/s]; ball, velocity (..., 2) of the ball.
        It goes for the speed of the target and that of approach to it, but never faster than
        max_speed, nor than lets it stop within its reach.
        """
        target, rate = self.target(ball, velocity)
        wanted = rate + self._approach(target - x, v - rate, dt)
        low, high = (self._approach(edge - x, v, dt) for edge in (-self.reach, self.reach))
        wanted = np.clip(np.clip(wanted, low, high), -self.max_speed, self.max_speed)
        return np.clip((wanted - v) / dt, -self.max_acceleration, self.max_acceleration)

    def _approach(self, distance: Array, speed: Array, dt: float) -> Array:
        """Largest speed at the end of a step from which it still stops in a distance (...) [m/s].

        speed (...): at the start of the step [m/s]. Steps with the speeds u, u - a dt, u - 2 a dt,
        ... lead to the end of the distance in k of them, the fewest with which that can be:
        d = dt (k u - a dt k (k - 1) / 2). For k = 1, the last one, u = d / dt; many steps make it
        the continuous sqrt(2 a d). An engine that moves by the mean of the speeds before and
        after a step (Moreau's) leads farther, altogether by dt/2 times the speed at its start. One
        that moves by the speed after it (Drake's) does not: there the keeper brakes early by half a
        step.
        """
        further = 0.5 * dt * np.maximum(np.sign(distance) * speed, 0.0)
        left = np.maximum(np.abs(distance) - further, 0.0)
        kick = self.max_acceleration * dt
        steps = np.maximum(np.ceil(np.sqrt(0.25 + 2.0 * left / (kick * dt)) - 0.5), 1.0)
        return np.sign(distance) * (left / (steps * dt) + 0.5 * kick * (steps - 1.0))
