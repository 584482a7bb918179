"""Springs beside the motors of joints: torques that cost nothing to hold."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.plants.actuators import actuators_of
from footfall.plants.plant_check import require_joints


@dataclass(frozen=True)
class ParallelSpring:
    """Spring of a driven joint: stiffness [N m/rad or N/m], and where it is at rest [rad or m]."""

    joint: str
    stiffness: float
    rest: float

    def __post_init__(self) -> None:
        """Refuse a spring that pushes away; raises ValueError, one line."""
        if not (np.isfinite(self.stiffness) and self.stiffness >= 0.0 and np.isfinite(self.rest)):
            message = f"the spring of {self.joint} has stiffness {self.stiffness}: give one >= 0"
            raise ValueError(message)


class ParallelSprings(LeafSystem):
    """Efforts of motors and of springs beside them, -k (q - rest) a joint.

    Inputs: ``state`` [q; v], ``motors`` (nu,). Outputs: ``actuation`` (nu,), both together;
    ``springs`` (nu,), theirs alone. Raises ModelError for unknown joints, ValueError for a joint
    that is not driven.
    """

    def __init__(self, plant: MultibodyPlant, springs: Sequence[ParallelSpring]) -> None:
        """Take a plant that names the joints, and the springs."""
        super().__init__()
        driven = [actuator.joint().index() for actuator in actuators_of(plant)]
        count = plant.num_actuators()
        self._stiffness, self._rest = np.zeros(count), np.zeros(count)
        self._position = np.array([plant.get_joint(index).position_start() for index in driven])
        joints = require_joints(plant, [spring.joint for spring in springs])
        for spring, joint in zip(springs, joints, strict=True):
            if joint.index() not in driven:
                raise ValueError(f"{spring.joint} has a spring beside a motor, but no motor")
            at = driven.index(joint.index())
            self._stiffness[at], self._rest[at] = spring.stiffness, spring.rest
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._motors = self.DeclareVectorInputPort("motors", count)
        self.DeclareVectorOutputPort("actuation", count, self._calc_actuation)
        # of the state alone, so that who shares the work among motors may ask for it
        state = {self._state.ticket()}
        self._springs = self.DeclareVectorOutputPort("springs", count, self._calc_springs, state)

    def efforts(self, state: Array) -> Array:
        """Efforts of the springs (nu,) at a state."""
        return -self._stiffness * (state[self._position] - self._rest)

    def energy(self, state: Array) -> float:
        """Energy that the springs store at a state [J]."""
        stretch = state[self._position] - self._rest
        return 0.5 * float(self._stiffness @ stretch**2)

    def _calc_springs(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.efforts(self._state.Eval(context)))

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self._motors.Eval(context) + self._springs.Eval(context))
