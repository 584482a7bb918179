"""Keep a goal: follow the bisector position on the goal line with bounded speed and acceleration.

Frame and letters: `footfall.machines.goalkeeper.closed_form.bisector`.
"""

import math
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, RigidBody
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.machines.goalkeeper.closed_form.bisector import (
    GOAL_WIDTH,
    SATURATION,
    bisector,
    bisector_rate,
    saturated,
    saturated_rate,
)
from footfall_controllers.slides import PERIOD, slide_of, unit_push

BALL, RAIL = "ball::ball", "keeper::x"
"""The ball's body, and the joint along which the keeper slides, ``model::name``."""


@dataclass(frozen=True)
class GoalkeeperParameters:
    """The law of a keeper that moves along the goal line.

    goal_width w [m]; saturation: share of w/2 within which it stays, 0 to 1; max_speed [m/s] and
    max_acceleration [m/s^2]: what it never exceeds. The source has the first two only: its keeper
    is where it should be at once. Raises ValueError, one line, for numbers that are none.
    """

    goal_width: float = GOAL_WIDTH
    saturation: float = SATURATION
    max_speed: float = 0.5
    max_acceleration: float = 2.0

    def __post_init__(self) -> None:
        """Refuse what is no law."""
        for name in ("goal_width", "max_speed", "max_acceleration"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise ValueError(f"{name} is {value}: give a finite number that is positive")
        if not 0.0 <= self.saturation <= 1.0:
            raise ValueError(f"saturation is {self.saturation}: give a share from 0 to 1")

    @property
    def reach(self) -> float:
        """Farthest place from the middle of the goal [m]."""
        return 0.5 * self.saturation * self.goal_width

    def target(self, ball: Array, velocity: Array) -> tuple[Array, Array]:
        """Return the target [m] for balls (..., 2) with velocities (..., 2), and its rate [m/s]."""
        place = bisector(ball, self.goal_width)
        rate = bisector_rate(ball, velocity, self.goal_width)
        return (
            saturated(place, self.goal_width, self.saturation),
            saturated_rate(place, rate, self.goal_width, self.saturation),
        )

    def acceleration(self, x: Array, v: Array, ball: Array, velocity: Array, dt: float) -> Array:
        """Acceleration for the next dt > 0 seconds [m/s^2], within +-max_acceleration.

        x, v (...): place and speed of the keeper [m], [m/s]; ball, velocity (..., 2) of the ball.
        It goes for the speed of the target and that of approach to it, but never faster than
        max_speed, nor than lets it stop within its reach.
        """
        place, rate = self.target(ball, velocity)
        wanted = rate + self._approach(place - x, v - rate, dt)
        low, high = (self._approach(edge - x, v, dt) for edge in (-self.reach, self.reach))
        wanted = np.clip(np.clip(wanted, low, high), -self.max_speed, self.max_speed)
        return np.clip((wanted - v) / dt, -self.max_acceleration, self.max_acceleration)

    def _approach(self, way: Array, speed: Array, dt: float) -> Array:
        """Largest speed at the end of a step with which it still stops after a way (...) [m/s].

        speed (...): at the start of the step [m/s]. Steps with the speeds u, u - a dt, u - 2 a dt,
        ... lead to the end of the way in k of them, the fewest with which that can be:
        way = dt (k u - a dt k (k - 1) / 2). For k = 1, the last one, u = way / dt; many steps make
        it the continuous sqrt(2 a way). An engine that moves by the mean of the speeds before and
        after a step (Moreau's) leads farther, altogether by dt/2 times the speed at its start. One
        that moves by the speed after it (Drake's) does not: there the keeper brakes early by half a
        step.
        """
        further = 0.5 * dt * np.maximum(np.sign(way) * speed, 0.0)
        left = np.maximum(np.abs(way) - further, 0.0)
        kick = self.max_acceleration * dt
        steps = np.maximum(np.ceil(np.sqrt(0.25 + 2.0 * left / (kick * dt)) - 0.5), 1.0)
        return np.sign(way) * (left / (steps * dt) + 0.5 * kick * (steps - 1.0))


class Goalkeeper(LeafSystem):
    """Force that moves a keeper on its rail along the goal line by `GoalkeeperParameters`.

    Input: ``state`` [q; v] of the machine. Output: ``actuation`` in Drake's order of actuators, the
    keeper's force m a [N] and 0 for all others; m is the mass that the rail's joint moves.

    The field's frame is the rail's: its joint is prismatic along x and is 0 in the middle of the
    goal. The ball may be free or guided, its place and velocity come from its pose. time_step [s]:
    of the engine; 0 for one that integrates in continuous time, where the law of PERIOD is followed
    without holding it. Raises ValueError, one line, for a plant without this body and this
    joint, and for a joint without an actuator.
    """

    def __init__(
        self, plant: MultibodyPlant, parameters: GoalkeeperParameters, time_step: float
    ) -> None:
        """Take a continuous-time plant as the controller's model of the machine; it is kept."""
        super().__init__()
        self._plant, self._parameters = plant, parameters
        self._period = time_step or PERIOD
        self._context = plant.CreateDefaultContext()
        self._ball = _ball(plant)
        joint = _rail(plant)
        self._frame = joint.frame_on_parent()
        self._q, self._v = joint.position_start(), plant.num_positions() + joint.velocity_start()
        self._push = unit_push(plant, joint)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc_actuation)

    def ball(self, state: Array) -> tuple[Array, Array]:
        """Place and velocity of the ball on the field, (2,) each [m], [m/s], at a state [q; v]."""
        plant, own = self._plant, self._context
        plant.SetPositionsAndVelocities(own, state)
        ball, frame = self._ball.body_frame(), self._frame
        place = plant.CalcRelativeTransform(own, frame, ball).translation()
        velocity = ball.CalcSpatialVelocity(own, frame, frame).translational()
        return place[:2], velocity[:2]

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        state = self._state.Eval(context)
        ball, velocity = self.ball(state)
        output.SetFromVector(
            self._push
            * self._parameters.acceleration(
                state[self._q], state[self._v], ball, velocity, self._period
            )
        )


def _rail(plant: MultibodyPlant) -> Joint:
    """The joint that carries the keeper."""
    joint = slide_of(plant, RAIL)
    if not np.allclose(joint.translation_axis(), [1.0, 0.0, 0.0], rtol=0.0, atol=1e-12):
        raise ValueError(f"joint {RAIL} is not along x, as a goal line is")
    return joint


def _ball(plant: MultibodyPlant) -> RigidBody:
    """The ball; raises ValueError where there is none."""
    model, _, link = BALL.partition("::")
    try:
        return plant.GetBodyByName(link, plant.GetModelInstanceByName(model))
    except RuntimeError as error:
        raise ValueError(f"the machine has no body {BALL} for a goalkeeper to watch") from error
