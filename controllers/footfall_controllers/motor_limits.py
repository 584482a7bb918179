"""Limits of motors, and of the speeds of joints, on the torque that a controller asks for."""

from collections.abc import Mapping

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.plants.flat.laws import limit_torques, limits_of
from footfall.plants.motors import Drives, Motor


class MotorLimits(LeafSystem):
    """Keeps torques within the limits of the motors: input ``command``, output ``actuation``.

    Both are those of the joints, (num_actuators,) [N m or N] in Drake's order; input ``state`` is
    [q; v]. With rotor speed w = n v and torque T = tau / n, T is kept between the lines
    T_s (-1 - w / w_0) and T_s (1 - w / w_0) of a direct-current motor at full voltage, then
    within its torque_limit. A motor that is driven beyond its no-load speed brakes: no voltage that
    there is lets it do less.

    Where a joint has a limit of its speed, a torque that drives it beyond falls to 0 over the last
    hundredth before the limit; one that brakes it stays. Of drives, whose torque goes on changing
    in a step, that is the torque at the speed with which the step begins.

    motors: as ``footfall.plants.motors`` reads them, whose errors it raises. The Moreau engine does
    the same itself.
    """

    def __init__(
        self, plant: MultibodyPlant, motors: Mapping[str, Motor], drives: Drives | None = None
    ) -> None:
        """Take the finalized plant to know its actuators; it is not kept."""
        super().__init__()
        self._limits, self._nq = limits_of(plant, motors, drives), plant.num_positions()
        self._command = self.DeclareVectorInputPort("command", plant.num_actuators())
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        torques = np.array(self._command.Eval(context))
        limit_torques(self._limits, self._state.Eval(context)[self._nq :], torques)
        output.SetFromVector(torques)
