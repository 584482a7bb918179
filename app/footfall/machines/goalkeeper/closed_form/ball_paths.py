"""The paths of the ball in the goalkeeper's listing, over time.

Frame: `closed_form.bisector`. The listing samples a path at ``linspace(0, end, N)`` of its
parameter tau; here tau grows evenly with time and reaches its end after the duration. Before time 0
a ball lies where its path begins, after the last pass where it ends.

Source: J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), listing
Global_Trajectory.m with the paths that are commented out there.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields

import numpy as np

from footfall.arrays import Array

Point = tuple[float, float]

DURATION = 2.0
"""Time of one pass, the listing's simulation_time [s]."""

_ROUNDING = 1e-12  # of the time k dt at which the last pass ends


@dataclass(frozen=True, kw_only=True)
class BallPath(ABC):
    """A way of the ball over the field.

    duration: time of one pass [s]. repeat: how often it is passed; where a path does not close, the
    ball jumps back to its start, as in the listing (N_repeat). Raises ValueError, one line, for a
    duration that is not positive, for no pass, and for numbers that are not finite.
    """

    duration: float = DURATION
    repeat: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no path."""
        if not (math.isfinite(self.duration) and self.duration > 0.0):
            raise ValueError(f"duration is {self.duration}: give a positive number of seconds")
        if self.repeat < 1:
            raise ValueError(f"repeat is {self.repeat}: give a whole number from 1 on")
        for item in fields(self):
            if not np.isfinite(getattr(self, item.name)).all():
                raise ValueError(f"{item.name} is {getattr(self, item.name)}: give finite numbers")

    @abstractmethod
    def _point(self, share: Array) -> Array:
        """Points (..., 2) at shares (...) of a pass, 0 to 1 [m]."""

    @abstractmethod
    def _slope(self, share: Array) -> Array:
        """Derivatives (..., 2) of the points by the share, forwards [m]."""

    @property
    def end(self) -> float:
        """Time when the last pass ends [s]."""
        return self.duration * self.repeat

    @property
    def closed(self) -> bool:
        """Return whether a pass ends where it begins, to rounding."""
        first, last = self._point(np.array([0.0, 1.0]))
        return bool(np.allclose(first, last, rtol=0.0, atol=1e-12))

    def position(self, time: Array) -> Array:
        """Places (..., 2) at times (...) [m]."""
        return self._point(self._share(np.asarray(time)))

    def velocity(self, time: Array) -> Array:
        """Velocities (..., 2) at times (...), forwards in time [m/s]; 0 outside of the passes.

        At the end of the last pass it is the velocity with which the ball arrives.
        """
        time = np.asarray(time)
        moving = ((time >= 0.0) & (time <= self.end * (1.0 + _ROUNDING)))[..., np.newaxis]
        return np.where(moving, self._slope(self._share(time)) / self.duration, 0.0)

    def _share(self, time: Array) -> Array:
        """Share of the pass that is under way, 0 to 1."""
        passes = np.clip(time / self.duration, 0.0, self.repeat)
        return passes - np.minimum(np.floor(passes), self.repeat - 1.0)


@dataclass(frozen=True)
class ArcPath(BallPath):
    """Arcs from post to post: (a cos tau, b |sin tau|), tau from 0 to turn [rad]; a, b [m].

    Where sin tau changes its sign the ball meets the goal line and turns back in a kink.
    """

    a: float = 2.0
    b: float = 1.5
    turn: float = 1.7 * math.pi

    def _point(self, share: Array) -> Array:
        tau = self.turn * share
        return np.stack([self.a * np.cos(tau), self.b * np.abs(np.sin(tau))], axis=-1)

    def _slope(self, share: Array) -> Array:
        tau = self.turn * share
        side = np.where(np.sin(tau) >= 0.0, 1.0, -1.0)
        along = np.stack([-self.a * np.sin(tau), self.b * side * np.cos(tau)], axis=-1)
        return self.turn * along


@dataclass(frozen=True)
class SinePath(BallPath):
    """To and fro before the goal: (a sin tau, y), tau from 0 to 2 pi; a, y [m]."""

    a: float = 2.0
    y: float = 1.0

    def _point(self, share: Array) -> Array:
        tau = 2.0 * math.pi * share
        return np.stack([self.a * np.sin(tau), np.full_like(tau, self.y)], axis=-1)

    def _slope(self, share: Array) -> Array:
        tau = 2.0 * math.pi * share
        return 2.0 * math.pi * np.stack([self.a * np.cos(tau), np.zeros_like(tau)], axis=-1)


@dataclass(frozen=True)
class LinePath(BallPath):
    """Straight from start to goal, by default from the centre spot to the blue goal [m]."""

    start: Point = (0.0, 3.0)
    goal: Point = (0.0, 0.0)

    def _point(self, share: Array) -> Array:
        start, goal = np.array(self.start), np.array(self.goal)
        return start + share[..., np.newaxis] * (goal - start)

    def _slope(self, share: Array) -> Array:
        whole = np.array(self.goal) - np.array(self.start)
        return np.broadcast_to(whole, (*share.shape, 2)).copy()


@dataclass(frozen=True)
class CurvedPath(BallPath):
    """A curved shot from start to goal, by default the first of the listing's two [m].

    MATLAB's spline through three points is the parabola through them. The middle one is the mean
    (x, y) of start and goal as (0.8 x, 1.2 y).
    """

    start: Point = (0.0, 1.8)
    goal: Point = (-1.0, 0.0)
    bend: Point = (0.8, 1.2)

    @property
    def middle(self) -> Point:
        """Return where the ball is after half the time."""
        x, y = (0.5 * (a + b) for a, b in zip(self.start, self.goal, strict=True))
        return self.bend[0] * x, self.bend[1] * y

    def _coefficients(self) -> tuple[Array, Array, Array]:
        """c0, c1, c2 of c0 + c1 s + c2 s^2."""
        start, middle, goal = (np.array(p) for p in (self.start, self.middle, self.goal))
        return start, 4.0 * middle - 3.0 * start - goal, 2.0 * (start + goal - 2.0 * middle)

    def _point(self, share: Array) -> Array:
        s = share[..., np.newaxis]
        c0, c1, c2 = self._coefficients()
        return c0 + s * (c1 + s * c2)

    def _slope(self, share: Array) -> Array:
        _, c1, c2 = self._coefficients()
        return c1 + 2.0 * c2 * share[..., np.newaxis]


TO_BLUE = LinePath()
TO_YELLOW = LinePath(goal=(0.0, 6.0))
