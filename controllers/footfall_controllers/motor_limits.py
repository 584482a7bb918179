"""Limits of motors, and of the speeds of joints, on the torque that a controller asks for."""

from collections.abc import Mapping

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.plants.coordinates import actuators_of
from footfall.plants.flat.laws import SPEED_TAPER, slow_down
from footfall.plants.motors import Drives, Motor, gear_ratios, motors_by_actuator, speed_limits


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

    motors: as ``footfall.plants.motors`` reads them, whose errors it raises.
    """

    def __init__(
        self, plant: MultibodyPlant, motors: Mapping[str, Motor], drives: Drives | None = None
    ) -> None:
        """Take the finalized plant to know its actuators; it is not kept."""
        super().__init__()
        count = plant.num_actuators()
        self._ratio = gear_ratios(plant)
        self._limit, self._stall = np.full(count, np.inf), np.full(count, np.inf)
        self._slope = np.zeros(count)  # of the lines [N m s/rad]
        for index, motor in motors_by_actuator(plant, motors).items():
            if motor.torque_limit is not None:
                self._limit[index] = motor.torque_limit
            if motor.stall_torque is not None and motor.no_load_speed is not None:
                self._stall[index] = motor.stall_torque
                self._slope[index] = motor.stall_torque / motor.no_load_speed
        joints = [actuator.joint() for actuator in actuators_of(plant)]
        self._places = [plant.num_positions() + joint.velocity_start() for joint in joints]
        self._drives, self._nq, self._is_limited = drives, plant.num_positions(), bool(motors)
        self._slowest, self._fastest = speed_limits(plant)
        self._slow = (1.0 - SPEED_TAPER) * np.minimum(self._fastest, -self._slowest)
        self._effort = np.array([actuator.effort_limit() for actuator in actuators_of(plant)])
        self._command = self.DeclareVectorInputPort("command", count)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", count, self._calc_actuation)

    def limited(self, command: Array, speed: Array) -> Array:
        """Torques of the joints at speeds of the joints, all (num_actuators,)."""
        least, most = self._bounds(speed)
        return np.clip(command, least, most)

    def bounds(self, state: Array) -> tuple[Array, Array]:
        """Least and largest torques of the joints at a state [q; v], (num_actuators,) each."""
        return self._bounds(state[self._places])

    def _bounds(self, speed: Array) -> tuple[Array, Array]:
        lost = self._slope * self._ratio * speed
        least = np.clip(-self._stall - lost, -self._limit, self._limit)
        most = np.clip(self._stall - lost, -self._limit, self._limit)
        return self._ratio * least, self._ratio * most

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        state = self._state.Eval(context)
        asked, speed = self._command.Eval(context), state[self._places]
        if self._is_limited:
            asked = self.limited(asked, speed)
        if (np.abs(speed) > self._slow).any():
            drives = self._drives
            within = asked if drives is None else drives.base(asked, state[self._nq :])
            slowed = np.array(within)
            slow_down(self._slowest, self._fastest, self._effort, speed, slowed)
            asked = asked + (slowed - within)
        output.SetFromVector(asked)
