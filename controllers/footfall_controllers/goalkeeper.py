"""Keep a goal, and carry a ball: masses on slides, driven by acceleration.

The keeper moves along the goal line by a law that watches the ball; the ball goes along a path over
the field, whatever stands in its way. Frame: the field's, x along the goal line.
"""

from typing import Protocol

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, RigidBody
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.plants.coordinates import actuators_of

PERIOD = 1e-3
"""Sampling time of laws that need one where the engine has no steps [s]."""


def slide_of(plant: MultibodyPlant, name: str) -> Joint:
    """Prismatic joint by ``model::name``; raises ValueError, one line, where there is none."""
    model, _, plain = name.partition("::")
    try:
        joint = plant.GetJointByName(plain, plant.GetModelInstanceByName(model))
    except RuntimeError as error:
        raise ValueError(f"the machine has no joint {name}") from error
    if joint.type_name() != "prismatic":
        raise ValueError(f"joint {name} is {joint.type_name()}, where a prismatic one is needed")
    return joint


def unit_push(plant: MultibodyPlant, joint: Joint) -> Array:
    """Actuation (num_actuators,) that gives a joint the acceleration 1 m/s^2: its mass [kg].

    For a joint whose mass depends on nothing and moves with no other. Raises ValueError, one line,
    for a joint without an actuator.
    """
    joints = [actuator.joint().index() for actuator in actuators_of(plant)]
    if joint.index() not in joints:
        raise ValueError(f"joint '{joint.name()}' has no actuator: give it one")
    mass = plant.CalcMassMatrix(plant.CreateDefaultContext())
    push = np.zeros(len(joints))
    push[joints.index(joint.index())] = mass[joint.velocity_start(), joint.velocity_start()]
    return push


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
