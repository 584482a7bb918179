"""Springs and dampers beside the motors of joints: torques that cost nothing to hold."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, ContinuousState, LeafSystem

from footfall.arrays import Array
from footfall.checked import Checked, finite, not_negative
from footfall.errors import ModelError
from footfall.plants.coordinates import actuators_of
from footfall.plants.names import require_joints


@dataclass
class ParallelSpring(Checked, at="controller.springs: "):
    """Spring and damper beside the motor of a joint."""

    # Stiffness [N m/rad or N/m].
    stiffness: float = not_negative(0.0)
    # Where it is at rest [rad or m].
    rest: float = finite(0.0)
    # Damping [N m s/rad or N s/m].
    damping: float = not_negative(0.0)


class ParallelSprings(LeafSystem):
    """Efforts of motors and of springs and dampers beside them, -k (q - rest) - d q' a joint.

    With dampers it has a continuous state, the energy that these have taken [J].

    Inputs: ``state`` [q; v], ``motors`` (nu,). Outputs: ``actuation`` (nu,), both together;
    ``springs`` (nu,), theirs alone. Raises ModelError for a joint that is unknown or not driven.
    """

    def __init__(self, plant: MultibodyPlant, springs: Mapping[str, ParallelSpring]) -> None:
        """Take a plant that names the joints, and the springs by joint."""
        super().__init__()
        driven = [actuator.joint().index() for actuator in actuators_of(plant)]
        count = plant.num_actuators()
        self._stiffness, self._rest, self._damping = np.zeros((3, count))
        of_motors = [plant.get_joint(index) for index in driven]
        self._position = np.array([joint.position_start() for joint in of_motors])
        first = plant.num_positions()  # of the velocities in a state
        self._velocity = np.array([first + joint.velocity_start() for joint in of_motors])
        joints = require_joints(plant, list(springs))
        for spring, joint in zip(springs.values(), joints, strict=True):
            if joint.index() not in driven:
                raise ModelError(f"{joint.name()} has a spring beside a motor, but no motor.")
            at = driven.index(joint.index())
            self._stiffness[at], self._rest[at] = spring.stiffness, spring.rest
            self._damping[at] = spring.damping
        if self._damping.any():
            self.DeclareContinuousState(1)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._motors = self.DeclareVectorInputPort("motors", count)
        self.DeclareVectorOutputPort("actuation", count, self._calc_actuation)
        # of the state alone, so that who shares the work among motors may ask for it
        state = {self._state.ticket()}
        self._springs = self.DeclareVectorOutputPort("springs", count, self._calc_springs, state)

    def efforts(self, state: Array) -> Array:
        """Efforts of the springs and dampers (nu,) at a state."""
        stretch, rate = state[self._position] - self._rest, state[self._velocity]
        return -self._stiffness * stretch - self._damping * rate

    def energy(self, state: Array) -> float:
        """Energy that the springs store at a state [J]."""
        stretch = state[self._position] - self._rest
        return 0.5 * float(self._stiffness @ stretch**2)

    def dissipated(self, context: Context) -> float:
        """Energy that the dampers have taken since the start [J]."""
        return float(context.get_continuous_state_vector().CopyToVector().sum())

    def DoCalcTimeDerivatives(self, context: Context, derivatives: ContinuousState) -> None:
        """Give the power of the dampers."""
        if derivatives.size():
            rate = self._state.Eval(context)[self._velocity]
            derivatives.SetFromVector([self._damping @ rate**2])

    def _calc_springs(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.efforts(self._state.Eval(context)))

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._motors.Eval(context) + self._springs.Eval(context))
