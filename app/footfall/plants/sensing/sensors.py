"""Sensors of a machine as a system between an engine and a controller."""

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context

from footfall.arrays import Array
from footfall.plants.sensing.config import Sensors
from footfall.plants.sensing.encoders import EncoderReadings
from footfall.plants.sensing.imu import ImuReadings
from footfall.plants.sensing.samples import Clock, Sampled

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
