"""Law of a goalkeeper: it follows the bisector with bounded speed and acceleration.

Frame and letters: `closed_form.bisector`.
"""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, between, positive
from footfall.machines.goalkeeper.closed_form.bisector import (
    GOAL_WIDTH,
    SATURATION,
    bisector,
    bisector_rate,
    saturated,
    saturated_rate,
)


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
