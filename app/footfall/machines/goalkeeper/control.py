"""The goalkeeper in a scenario: its law, and the path along which the ball is carried, if any."""

from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem
from pydrake.systems.primitives import Adder

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.goalkeeper.closed_form.ball_paths import Arc, BallPath, Curve, Line, Sine
from footfall.machines.goalkeeper.closed_form.bisector import KeeperLaw
from footfall_controllers.controller import Controller, Wiring, actuated_joints
from footfall_controllers.goalkeeper import Goalkeeper, GuidedBall

_JOINTS = ("x", "ball_x", "ball_y")


class StartingPlaces(LeafSystem):
    """Reference of keeper and guided ball, [q_d, v_d, a_d] in the order of the actuators.

    The ball goes along its path, the keeper stands where its law wants it at once; accelerations
    are left at 0. It says where a scenario starts (``initial.from_reference``).
    """

    def __init__(self, joints: list[str], path: BallPath, law: KeeperLaw) -> None:
        """Take the actuated joints, keeper and ball among them."""
        super().__init__()
        self._given = joints, path, law
        self.DeclareVectorOutputPort("reference", 3 * len(joints), self._calc_reference)

    def copy(self) -> "StartingPlaces":
        """Another source of the same reference: a system belongs to one diagram only."""
        return StartingPlaces(*self._given)

    def sample(self, time: float) -> Array:
        """Rows q_d, v_d, a_d at a time [s], shape (3, n)."""
        joints, path, law = self._given
        ball, velocity = path.position(np.array(time)), path.velocity(np.array(time))
        places, rates = law.target(ball, velocity)
        rows = np.zeros((3, len(joints)))
        where = [joints.index(name) for name in _JOINTS]
        rows[0, where], rows[1, where] = [places, *ball], [rates, *velocity]
        return rows

    def _calc_reference(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.sample(context.get_time()).ravel())


@dataclass
class Goalkeeping(KeeperLaw, Controller):
    """Keep the goal by the bisector position, with bounded speed and acceleration."""

    # Path along which the ball is carried, for a model with a guided ball: !Arc, !Sine, !Line,
    # !Curve; absent: the ball is free.
    path: Arc | Sine | Line | Curve | None = None

    def reference(self, plant: MultibodyPlant) -> StartingPlaces | None:
        """Return where keeper and ball start, for a model whose ball is carried along a path."""
        joints = actuated_joints(plant)
        if self.path is None or not set(_JOINTS) <= set(joints):
            return None
        return StartingPlaces(joints, self.path, self)

    def connect(self, wiring: Wiring, _reference: object) -> None:
        """Connect the state to keeper and ball, and their forces to the machine."""
        plant, builder = wiring.model.plant, wiring.builder
        try:
            keeper = Goalkeeper(plant, self, wiring.time_step)
            systems: dict[str, Goalkeeper | GuidedBall] = {"goalkeeper": keeper}
            if self.path is not None:
                systems["guided_ball"] = GuidedBall(plant, self.path, wiring.time_step)
        except ValueError as error:
            raise ModelError(f"controller Goalkeeping: {error}.") from error
        forces = builder.AddNamedSystem("forces", Adder(len(systems), plant.num_actuators()))
        for k, (name, system) in enumerate(systems.items()):
            builder.AddNamedSystem(name, system)
            builder.Connect(wiring.state, system.GetInputPort("state"))
            builder.Connect(system.GetOutputPort("actuation"), forces.get_input_port(k))
        builder.Connect(forces.get_output_port(), wiring.actuation)
