"""The motor of PASIBOT's crank as a drive whose speed is prescribed.

The speed is a polygon of time, so that a start and a stop are ramps. The law is

    T8 = I (a_d + kd (w_d - w) + kp (th_d - th)) + I' w^2 / 2 + V'

with I, I' and V' of the machine in closed form at the crank's angle: while no foot slips, the error
of the angle e = th_d - th obeys e'' + kd e' + kp e = 0. Without the feed-forward the motor knows
nothing of the machine but the mean of I over a step, which scales its gains.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.checked import Checked, checked, finite, metadata, not_negative
from footfall.plants.actuators import actuators_of

_RISING = metadata(
    lambda knots: knots and all(a.time < b.time for a, b in pairwise(knots)),
    "give at least one, at times that rise",
)


@dataclass
class CrankSpeed(Checked, at="controller.speeds: "):
    """A speed of the crank at a time."""

    # Time [s].
    time: float = finite(0.0)
    # Speed th8' [rad/s]; positive ahead.
    speed: float = finite(0.0)


@dataclass
class CrankSpeeds(Checked, at="controller."):
    """Speed of the crank over time, and the gains that hold it."""

    # Speeds in the order of time: straight between them, the first one before, the last one after.
    speeds: list[CrankSpeed] = checked([CrankSpeed()], _RISING)
    # Gains of the angle's error e, e'' + kd e' + kp e = 0 [1/s^2] and [1/s]. Drake's constraints
    # give way a little within a step, and kd times the step has to stay below 0.15 with them.
    kp: float = not_negative(400.0)
    kd: float = not_negative(40.0)
    # Crank at time 0, from where the first step begins [rad].
    angle: float = finite(0.0)
    # Add the torque that the motion itself takes where no foot slips. Without it the gains are
    # those of the mean inertia over a step, and the speed varies.
    feedforward: bool = True

    @property
    def knots(self) -> tuple[list[float], list[float]]:
        """Times [s] and speeds there [rad/s]."""
        return [knot.time for knot in self.speeds], [knot.speed for knot in self.speeds]

    def motion(self, time: float) -> tuple[float, float, float]:
        """Angle [rad], speed [rad/s] and acceleration [rad/s^2] of the crank at a time [s].

        The angle is the integral of the speed from time 0 on; the acceleration is that after a
        knot.
        """
        times, speeds = self.knots
        speed = float(np.interp(time, times, speeds))
        knots = [0.0, *(knot for knot in times if 0.0 < knot < time), time]
        way = float(np.trapezoid(np.interp(knots, times, speeds), knots))
        after, ramp = int(np.searchsorted(times, time, side="right")), 0.0
        if 0 < after < len(times):
            (t0, t1), (w0, w1) = times[after - 1 : after + 1], speeds[after - 1 : after + 1]
            ramp = (w1 - w0) / (t1 - t0)
        return self.angle + way, speed, ramp


class CrankModel(Protocol):
    """Machine of one degree of freedom as its crank feels it."""

    @property
    def mean_inertia(self) -> float:
        """Mean of the inertia I over a step [kg m^2]."""

    def torque(self, angle: float, rate: float, acceleration: float) -> float:
        """Return I a + I' w^2 / 2 + V' [N m] at an angle [rad] from where the step begins."""


class CrankMotorSystem(LeafSystem):
    """Torque of the hip on the crank; the motor's reaction acts on the hip, as the joint has it.

    Input: ``state`` [q; v] of the machine. Output: ``actuation`` (1,) [N m], of its one actuator.
    time_step [s]: of the engine that is driven, which holds the torque for a step; the torque is
    that of the middle of the step, to which crank and reference go on at their speeds. 0 in
    continuous time. Raises ValueError, one line, unless the plant has one actuator, on a joint of
    one degree of freedom.
    """

    def __init__(
        self,
        plant: MultibodyPlant,
        machine: CrankModel,
        parameters: CrankSpeeds,
        time_step: float = 0.0,
    ) -> None:
        """Take the plant to know where the crank's angle is; it is not kept."""
        super().__init__()
        if plant.num_actuators() != 1 or plant.num_actuated_dofs() != 1:
            raise ValueError(
                f"a crank motor drives one joint; the machine has {plant.num_actuators()} actuators"
            )
        joint = actuators_of(plant)[0].joint()
        self._places = joint.position_start(), plant.num_positions() + joint.velocity_start()
        self._machine = machine
        self._parameters = parameters
        self._ahead = 0.5 * time_step
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", 1, self._calc_actuation)

    def torque(self, time: float, angle: float, rate: float) -> float:
        """Torque T8 [N m] at a time [s], of the crank's angle [rad] from the start and its rate.

        Beyond a step the feet are taken to have changed their parts.
        """
        given = self._parameters
        wanted, speed, change = given.motion(time + self._ahead)
        angle += rate * self._ahead
        asked = given.kd * (speed - rate) + given.kp * (wanted - angle)
        if not given.feedforward:
            return self._machine.mean_inertia * asked
        return self._machine.torque(angle, rate, change + asked)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        state: Array = self._state.Eval(context)
        angle, rate = (float(state[index]) for index in self._places)
        output.SetFromVector([self.torque(context.get_time(), angle, rate)])
