"""Prediction of kicks without any contact of bodies.

The ball goes straight on by the closed form of a thin shell that slides, then rolls
(`footfall.textbook.rolling`); the keeper moves by its law, sampled at time steps. A kick is saved
if the ball meets the keeper's outline, a prism that stands on the grass, before all of it is behind
the goal line. Neither posts nor how the ball goes on after that touch are known to a prediction.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.goalkeeper.keeper_law import KeeperLaw
from footfall.machines.goalkeeper.observables import RADIUS
from footfall.plants.contacts import ContactSet
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
