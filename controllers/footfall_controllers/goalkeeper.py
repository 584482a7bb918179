"""Keep a goal: move along the goal line by a law that watches the ball.

Frame: the field's, x along the goal line.
"""

from typing import Protocol

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, RigidBody
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall_controllers.slides import PERIOD, slide_of, unit_push

BALL, RAIL = "ball::ball", "keeper::x"
"""The ball's body, and the joint along which the keeper slides, ``model::name``."""


class KeeperLaw(Protocol):
    """Law of a keeper on the goal line."""

    def acceleration(self, x: Array, v: Array, ball: Array, velocity: Array, dt: float) -> Array:
        """Return the acceleration for the next dt seconds [m/s^2].

        x, v: place and speed of the keeper [m], [m/s]; ball, velocity (2,): of the ball.
        """


class Goalkeeper(LeafSystem):
    """Force that moves a keeper on its rail along the goal line by a law.

    Input: ``state`` [q; v] of the machine. Output: ``actuation`` in Drake's order of actuators, the
    keeper's force m a [N] and 0 for all others; m is the mass that the rail's joint moves.

    The field's frame is the rail's: its joint is prismatic along x and is 0 in the middle of the
    goal. The ball may be free or guided, its place and velocity come from its pose. time_step [s]:
    of the engine; 0 for one that integrates in continuous time, where the law of PERIOD is followed
    without holding it. Raises ValueError, one line, for a plant without this body and this
    joint, and for a joint without an actuator.
    """

    def __init__(self, plant: MultibodyPlant, law: KeeperLaw, time_step: float) -> None:
        """Take a continuous-time plant as the controller's model of the machine; it is kept."""
        super().__init__()
        self._plant, self._law = plant, law
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
        position = plant.CalcRelativeTransform(own, frame, ball).translation()
        velocity = ball.CalcSpatialVelocity(own, frame, frame).translational()
        return position[:2], velocity[:2]

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        state = self._state.Eval(context)
        ball, velocity = self.ball(state)
        output.SetFromVector(
            self._push
            * self._law.acceleration(state[self._q], state[self._v], ball, velocity, self._period)
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
