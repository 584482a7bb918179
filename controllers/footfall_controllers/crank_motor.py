"""The motor of PASIBOT's crank as a drive whose speed is prescribed.

The speed is a polygon of time, so that a start and a stop are ramps. The law is

    T8 = I (a_d + kd (w_d - w) + kp (th_d - th)) + I' w^2 / 2 + V'

with I, I' and V' of the machine in closed form at the crank's angle: while no foot slips, the error
of the angle e = th_d - th obeys e'' + kd e' + kp e = 0. Without the feed-forward the motor knows
nothing of the machine but the mean of I over a step, which scales its gains.
"""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.plants.coordinates import actuators_of


@dataclass(frozen=True)
class CrankMotorParameters:
    """Speed of the crank over time, and the gains that hold it.

    times [s], rising, and speeds [rad/s] there: straight between, constant before and after. kp
    [1/s^2] and kd [1/s]: of the error of the angle. angle [rad]: of the crank at time 0, from where
    foot 1 begins to support. feedforward: whether the torque of the motion itself is added. Raises
    ValueError, one line, for numbers that make no law.
    """

    times: tuple[float, ...] = (0.0,)
    speeds: tuple[float, ...] = (0.0,)
    kp: float = 400.0
    kd: float = 40.0
    angle: float = 0.0
    feedforward: bool = True

    def __post_init__(self) -> None:
        """Refuse what is no function of time, and gains of the wrong sign."""
        if len(self.times) != len(self.speeds) or not self.times:
            raise ValueError(
                f"there are {len(self.times)} times and {len(self.speeds)} speeds: give as many of "
                "the one as of the other, at least one"
            )
        if not all(math.isfinite(x) for x in (*self.times, *self.speeds, self.angle)):
            raise ValueError("a time, a speed or the angle is no finite number")
        if any(
            later <= earlier for earlier, later in zip(self.times, self.times[1:], strict=False)
        ):
            raise ValueError(f"the times {list(self.times)} do not rise")
        if not (math.isfinite(self.kp) and math.isfinite(self.kd) and min(self.kp, self.kd) >= 0.0):
            raise ValueError(f"kp = {self.kp}, kd = {self.kd}: give finite gains from 0 on")

    def motion(self, time: float) -> tuple[float, float, float]:
        """Angle [rad], speed [rad/s] and acceleration [rad/s^2] of the crank at a time [s].

        The angle is the integral of the speed from time 0 on; the acceleration is that after a
        knot.
        """
        ramp = self._ramp(time)
        speed = float(np.interp(time, self.times, self.speeds))
        knots = [0.0, *(knot for knot in self.times if 0.0 < knot < time), time]
        speeds = np.interp(knots, self.times, self.speeds)
        return self.angle + float(np.trapezoid(speeds, knots)), speed, ramp

    def _ramp(self, time: float) -> float:
        """Slope of the polygon."""
        after = int(np.searchsorted(self.times, time, side="right"))
        if after in (0, len(self.times)):
            return 0.0
        (t0, t1), (w0, w1) = self.times[after - 1 : after + 1], self.speeds[after - 1 : after + 1]
        return (w1 - w0) / (t1 - t0)


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
        parameters: CrankMotorParameters,
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
