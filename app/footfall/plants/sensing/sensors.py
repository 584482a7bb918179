"""Sensors and actuators of a machine as systems between an engine and a controller.

Encoders read joints with one degree of freedom. Actuators have errors and a delay: torques as a
controller commands them, and as they come out.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint
from pydrake.systems.framework import BasicVector, Context

from footfall.arrays import Array
from footfall.plants.joints import full_name, joints_of
from footfall.plants.names import fitting
from footfall.plants.sensing.config import DIFFERENCED, Encoders, Sensors, require_not_negative
from footfall.plants.sensing.imu import ImuReadings
from footfall.plants.sensing.noise import SeededNoise
from footfall.plants.sensing.samples import Clock, Sampled, check_delay


@dataclass
class Actuators:
    """Noise and delay of every actuator; limits are those of the files and of `motors`."""

    # Standard deviation of the torque in each time_step [N m or N].
    noise: float = 0.0
    # Time from the controller to the joint [s].
    delay: float = 0.0

    def __post_init__(self) -> None:
        """Refuse noise that is none."""
        require_not_negative("actuators", self, ("noise",))

    def check(self, time_step: float) -> None:
        """Raise ScenarioError for a delay that no engine with a time_step [s] can keep."""
        check_delay("actuators", self.delay, time_step)


class ActuatorSystem(Sampled):
    """Input ``command``, output ``actuation``, (num_actuators,) [N m or N] in Drake's order.

    Commands are taken every time_step [s] and hold until the next one has arrived.
    """

    def __init__(
        self,
        count: int,
        actuators: Actuators,
        seed: int,
        time_step: float,
        *,
        continuous: bool = False,
    ) -> None:
        """Take the number of actuators; continuous: the engine integrates in continuous time."""
        super().__init__(count, Clock(time_step, 1, actuators.delay, continuous))
        self._deviation = actuators.noise
        self._noise = SeededNoise(seed, "actuators", count)
        self._now = Clock(time_step)
        self._command = self.DeclareVectorInputPort("command", count)
        self.DeclareVectorOutputPort("actuation", count, self._calc_actuation)

    def sample(self, context: Context, _number: int) -> Array:
        """Return the command, (num_actuators,)."""
        command: Array = self._command.Eval(context)
        return command

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        torque = self.arrived(context)
        if self._deviation > 0.0:
            step = self._now.arrived(self.time(context))
            torque = torque + self._deviation * self._noise.sample(step)
        output.SetFromVector(torque)


class EncoderReadings:
    """Readings of all encoders of a plant, as a function of its state and a sample's number."""

    def __init__(self, plant: MultibodyPlant, config: Encoders, seed: int) -> None:
        """Take a finalized plant, which is not kept; raises ScenarioError for unknown joints."""
        joints = _joints(plant, config)
        self._config, count = config, len(joints)
        self._q = np.array([joint.position_start() for joint in joints], dtype=np.int64)
        starts = [plant.num_positions() + joint.velocity_start() for joint in joints]
        self._v = np.array(starts, dtype=np.int64)
        self._noise = SeededNoise(seed, "encoders", 2 * count)
        self._bias = config.bias * SeededNoise(seed, "encoders bias", count).sample(0)

    def measure(self, state: Array, number: int, before: Array | None, period: float) -> None:
        """Put readings into a state [q; v] in place.

        before: the state of the sample before, with its readings, a period [s] ago; None for the
        first sample, whose velocities are measured.
        """
        config, q = self._config, state[self._q]
        noise = self._noise.sample(number) if config.noise or config.velocity_noise else None
        if config.bias > 0.0:
            q += self._bias
        if noise is not None and config.noise > 0.0:
            q += config.noise * noise[: len(q)]
        if config.resolution > 0.0:
            q = config.resolution * np.round(q / config.resolution)
        state[self._q] = q
        if config.velocity == DIFFERENCED and before is not None:
            state[self._v] = (q - before[self._q]) / period
        elif noise is not None and config.velocity_noise > 0.0:
            state[self._v] += config.velocity_noise * noise[len(q) :]


def _joints(plant: MultibodyPlant, config: Encoders) -> list[Joint]:
    """Joints that have an encoder, in the order of the plant."""
    single = {
        full_name(plant, joint): joint
        for joint in joints_of(plant)
        if joint.num_positions() == 1 and joint.num_velocities() == 1
    }
    plain = {full: joint.name() for full, joint in single.items()}
    where, which = "sensors.encoders", " with one degree of freedom"
    named = {full for name in config.joints for full in fitting(name, plain, where, "joint", which)}
    return [joint for full, joint in single.items() if not config.joints or full in named]


_IMU = 6  # angular velocity, specific force


class SensorSystem(Sampled):
    """Input ``state``, as it is; outputs ``state``, as the controller sees it, and ``imu``.

    state: [q; v] of the plant. imu, if the sensors have one: angular velocity and specific force in
    the axes of its link, (6,) [rad/s, m/s^2]; the specific force is the mean from one sample to the
    next, as a unit tells it that integrates in between, impacts included.
    """

    def __init__(
        self,
        plant: MultibodyPlant,
        sensors: Sensors,
        seed: int,
        time_step: float,
        *,
        continuous: bool = False,
    ) -> None:
        """Take the plant, which must outlive this system, and the engine's step [s].

        continuous: the engine integrates in continuous time; time_step is then that of its reports.
        Raises ScenarioError for joints and links that are not there.
        """
        self._count = plant.num_multibody_states()
        unit = sensors.imu is not None
        clock = Clock(time_step, sensors.every(time_step), sensors.delay, continuous)
        super().__init__(self._count + unit * (_IMU + 3), clock)  # 3: where the unit moves
        self._encoders = (
            None if sensors.encoders is None else EncoderReadings(plant, sensors.encoders, seed)
        )
        self._imu = None if sensors.imu is None else ImuReadings(plant, sensors.imu, seed)
        self._state = self.DeclareVectorInputPort("state", self._count)
        self.DeclareVectorOutputPort("state", self._count, self._calc_state)
        if unit:
            self.DeclareVectorOutputPort("imu", _IMU, self._calc_imu)

    def sample(self, context: Context, number: int) -> Array:
        """Values of a sample: state, readings of the unit, its velocity as it is."""
        state = self._state.Eval(context)
        before = self.kept(context, number - 1)
        read = state.copy()
        if self._encoders is not None:
            earlier = None if before is None else before[: self._count]
            self._encoders.measure(read, number, earlier, self._clock.period)
        if self._imu is None:
            return read
        self._imu.measure(read, number)
        velocity = self._imu.velocity(state)
        # the first sample knows no velocity before it
        change = 0.0 if before is None else velocity - before[-3:]
        acceleration = change / self._clock.period + np.zeros(3)
        told = self._imu.readings(state, number, acceleration)
        return np.concatenate((read, told, velocity))

    def _calc_state(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.arrived(context)[: self._count])

    def _calc_imu(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.arrived(context)[self._count : self._count + _IMU])
