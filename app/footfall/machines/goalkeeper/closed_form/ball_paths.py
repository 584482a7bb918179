"""The paths of the ball in the goalkeeper's listing, over time, as a scenario names them.

Frame: `closed_form.bisector`. The listing samples a path at ``linspace(0, end, N)`` of its
parameter tau; here tau grows evenly with time and reaches its end after the duration. Before time 0
a ball lies where its path begins, after the last pass where it ends.

Source: J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), listing
Global_Trajectory.m with the paths that are commented out there.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, between, finite, positive

DURATION = 2.0
"""Time of one pass, the listing's simulation_time [s]."""

_SECONDS = "give a positive number of seconds"
_ROUNDING = 1e-12  # of the time k dt at which the last pass ends


class BallPath(Checked, ABC, at="controller.path."):
    """A way of the ball over the field.

    duration: time of one pass [s]. repeat: how often it is passed, N_repeat in the listing: more
    than once only where it ends at its start, as a ball that is carried cannot jump back.
    """

    duration: float
    repeat: int = 1

    @abstractmethod
    def _point(self, share: Array) -> Array:
        """Points (..., 2) at shares (...) of a pass, 0 to 1 [m]."""

    @abstractmethod
    def _slope(self, share: Array) -> Array:
        """Derivatives (..., 2) of the points by the share, forwards [m]."""

    def position(self, time: Array) -> Array:
        """Places (..., 2) at times (...) [m]."""
        return self._point(self._share(np.asarray(time)))

    def velocity(self, time: Array) -> Array:
        """Velocities (..., 2) at times (...), forwards in time [m/s]; 0 outside of the passes.

        At the end of the last pass it is the velocity with which the ball arrives.
        """
        time, end = np.asarray(time), self.duration * self.repeat
        moving = ((time >= 0.0) & (time <= end * (1.0 + _ROUNDING)))[..., np.newaxis]
        return np.where(moving, self._slope(self._share(time)) / self.duration, 0.0)

    def _share(self, time: Array) -> Array:
        """Share of the pass that is under way, 0 to 1."""
        passes = np.clip(time / self.duration, 0.0, self.repeat)
        return passes - np.minimum(np.floor(passes), self.repeat - 1.0)


@dataclass
class Arc(BallPath):
    """Arcs before the goal, (a cos tau, b |sin tau|): the path that the listing runs.

    Where sin tau changes its sign the ball meets the goal line and turns back in a kink.
    """

    # Semi-axes of the ellipse [m].
    a: float = finite(2.0)
    b: float = finite(1.5)
    # Last value of tau, which starts at 0 [rad]: 1.7 pi.
    turn: float = finite(1.7 * math.pi)
    # Time of a pass [s].
    duration: float = positive(DURATION, _SECONDS)

    def _point(self, share: Array) -> Array:
        tau = self.turn * share
        return np.stack([self.a * np.cos(tau), self.b * np.abs(np.sin(tau))], axis=-1)

    def _slope(self, share: Array) -> Array:
        tau = self.turn * share
        side = np.where(np.sin(tau) >= 0.0, 1.0, -1.0)
        along = np.stack([-self.a * np.sin(tau), self.b * side * np.cos(tau)], axis=-1)
        return self.turn * along


@dataclass
class Sine(BallPath):
    """To and fro before the goal, (a sin tau, y) with tau from 0 to 2 pi."""

    # Amplitude and distance from the goal line [m].
    a: float = finite(2.0)
    y: float = finite(1.0)
    # Time of a pass [s].
    duration: float = positive(DURATION, _SECONDS)
    # Passes one after another.
    repeat: int = between(1, 1, math.inf, "give a whole number from 1 on")

    def _point(self, share: Array) -> Array:
        tau = 2.0 * math.pi * share
        return np.stack([self.a * np.sin(tau), np.full_like(tau, self.y)], axis=-1)

    def _slope(self, share: Array) -> Array:
        tau = 2.0 * math.pi * share
        return 2.0 * math.pi * np.stack([self.a * np.cos(tau), np.zeros_like(tau)], axis=-1)


@dataclass
class Line(BallPath):
    """Straight from start to goal, by default from the centre spot to the blue goal."""

    # From where to where, x and y [m].
    start: list[float] = finite([0.0, 3.0], size=2)
    goal: list[float] = finite([0.0, 0.0], size=2)
    # Time that it takes [s].
    duration: float = positive(DURATION, _SECONDS)

    def _point(self, share: Array) -> Array:
        start, goal = np.array(self.start), np.array(self.goal)
        return start + share[..., np.newaxis] * (goal - start)

    def _slope(self, share: Array) -> Array:
        whole = np.array(self.goal) - np.array(self.start)
        return np.broadcast_to(whole, (*share.shape, 2)).copy()


@dataclass
class Curve(BallPath):
    """A curved shot: the parabola through start, goal and a point between them at half the time.

    MATLAB's spline through three points is that parabola.
    """

    # From where to where, x and y [m].
    start: list[float] = finite([0.0, 1.8], size=2)
    goal: list[float] = finite([-1.0, 0.0], size=2)
    # Factors on x and y of the middle between start and goal, which give the point between them.
    bend: list[float] = finite([0.8, 1.2], size=2)
    # Time that it takes [s].
    duration: float = positive(DURATION, _SECONDS)

    def _coefficients(self) -> tuple[Array, Array, Array]:
        """c0, c1, c2 of c0 + c1 s + c2 s^2."""
        start, goal = np.array(self.start), np.array(self.goal)
        middle = np.array(self.bend) * (0.5 * (start + goal))
        return start, 4.0 * middle - 3.0 * start - goal, 2.0 * (start + goal - 2.0 * middle)

    def _point(self, share: Array) -> Array:
        s = share[..., np.newaxis]
        c0, c1, c2 = self._coefficients()
        return c0 + s * (c1 + s * c2)

    def _slope(self, share: Array) -> Array:
        _, c1, c2 = self._coefficients()
        return c1 + 2.0 * c2 * share[..., np.newaxis]
