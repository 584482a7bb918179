"""Carry a ball along a path over the field, whatever stands in its way."""

from typing import Protocol

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall_controllers.slides import PERIOD, slide_of, unit_push

SLIDES = ("ball::ball_x", "ball::ball_y")
"""The joints that carry the ball, ``model::name``."""


class BallPath(Protocol):
    """Path of a ball over time on the field."""

    def position(self, time: Array) -> Array:
        """Return the points (..., 2) at times (...) [s], [m]."""


class GuidedBall(LeafSystem):
    """Forces that have a ball on its path p after each step.

    Input: ``state`` [q; v] of the machine. Output: ``actuation`` in Drake's order of actuators, the
    forces m ((p(t + dt) - x) / dt - v) / dt [N] on the two slides and 0 for all others.

    An engine that moves the ball on with its velocity at the end of the step, as Drake's do, has it
    on the path to rounding after every step. One that takes the mean velocity of the step, as
    Moreau's does, is off by -dt^2 p''/2 once the motion is smooth; what a start off the path or a
    kink in it leaves, dt/2 times the jump of the velocity, decays by 2^(-1/2) a step, as the error
    obeys e_(k+1) = (e_k - e_(k-1))/2 - dt^2 p''/2. time_step [s]: of the engine, dt; 0 for one that
    integrates in continuous time, where the law of PERIOD is followed without holding it.

    Raises ValueError, one line, for a plant without these joints.
    """

    def __init__(self, plant: MultibodyPlant, path: BallPath, time_step: float) -> None:
        """Take the plant to know its joints; it is not kept."""
        super().__init__()
        self._path, self._period = path, time_step or PERIOD
        joints = [slide_of(plant, name) for name in SLIDES]
        self._q = [joint.position_start() for joint in joints]
        self._v = [plant.num_positions() + joint.velocity_start() for joint in joints]
        self._push = np.array([unit_push(plant, joint) for joint in joints])
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        state, dt = self._state.Eval(context), self._period
        ahead = self._path.position(np.array(context.get_time() + dt))
        acceleration = ((ahead - state[self._q]) / dt - state[self._v]) / dt
        output.SetFromVector(acceleration @ self._push)
