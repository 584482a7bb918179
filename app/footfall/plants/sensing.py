"""Sensors between a machine and its controller, actuators between the controller and the machine.

Encoders read joints with one degree of freedom, an inertial measurement unit a link. Actuators have
errors and a delay: torques as a controller commands them, and as they come out. Samples are taken
in a fixed rhythm and arrive after a delay; random numbers go by their place in a stream, whoever
asks for them first.

Frames: W world, B the link with the unit, I the place of its accelerometer; F and M of the joint
that leaves a link free in space, M = B.
Source: J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011), whose Philox is a
function of a key and a counter.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
import zlib
from abc import abstractmethod
from dataclasses import dataclass, field

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.math import RollPitchYaw, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, QuaternionFloatingJoint, RigidBody
from pydrake.systems.framework import BasicVector, Context, EventStatus, LeafSystem, State

from footfall.arrays import Array
from footfall.checked import Checked, finite, not_negative, one_of, positive
from footfall.errors import ScenarioError
from footfall.plants.coordinates import (
    floating_joints,
    full_name,
    normalise_quaternions,
    quaternion_places,
    simple_joints,
)
from footfall.plants.layout import units_by_name
from footfall.plants.names import fitting
from footfall.plants.pushes import links_named

DIFFERENCED, MEASURED = "differenced", "measured"
_VELOCITIES = (DIFFERENCED, MEASURED)
_MOST = 10_000  # samples on their way
_WHOLE = 1e-6  # of a step: how far a period may be from a whole number of them


def check_delay(where: str, delay: float, period: float) -> None:
    """Raise ScenarioError for a delay [s] that is none, or of too many periods [s]."""
    if not 0.0 <= delay < math.inf:
        raise ScenarioError(f"{where}.delay is {delay}: give a finite number of seconds from 0.")
    if delay > _MOST * period:
        raise ScenarioError(
            f"{where}.delay is {delay:g} s, more than {_MOST} samples of {period:g} s: shorten it."
        )


@dataclass
class Encoders(Checked, at="sensors.encoders."):
    """Encoders of joints with one degree of freedom; rad of joints that turn, m of others."""

    # Joints by name or pattern; absent: all that have one degree of freedom.
    joints: list[str] = field(default_factory=list)
    # Standard deviation of each reading [rad or m].
    noise: float = not_negative(0.0)
    # Standard deviation of the constant error of a joint, drawn from the seed [rad or m].
    bias: float = not_negative(0.0)
    # Readings are multiples of it [rad or m]; 0: not rounded.
    resolution: float = not_negative(0.0)
    # Velocities: measured, or differenced, the readings' differences over the time between them.
    velocity: str = one_of(MEASURED, _VELOCITIES)
    # Standard deviation of each measured velocity [rad/s or m/s].
    velocity_noise: float = not_negative(0.0)

    def __post_init__(self) -> None:
        """Refuse errors that are none."""
        super().__post_init__()
        if self.velocity == DIFFERENCED and self.velocity_noise > 0.0:
            raise self.refusal(
                f"velocity_noise is for velocity: {MEASURED}; differences have the noise of the "
                "readings: leave it out"
            )


@dataclass
class Imu(Checked, at="sensors.imu."):
    """Inertial measurement unit on a link: orientation, angular velocity, specific force."""

    # The link; absent: the one that is free in space.
    link: str = ""
    # Place of the accelerometer in the link's frame [m].
    at: list[float] = finite([0.0, 0.0, 0.0], size=3)
    # Standard deviation of the orientation about each axis of the link [rad].
    orientation_noise: float = not_negative(0.0)
    # Standard deviation of its constant error, drawn from the seed [rad].
    orientation_bias: float = not_negative(0.0)
    # Standard deviation of the angular velocity about each axis of the link [rad/s].
    gyro_noise: float = not_negative(0.0)
    # Standard deviation of its constant error, drawn from the seed [rad/s].
    gyro_bias: float = not_negative(0.0)
    # Standard deviation of the specific force along each axis of the link [m/s^2].
    accelerometer_noise: float = not_negative(0.0)
    # Standard deviation of its constant error, drawn from the seed [m/s^2].
    accelerometer_bias: float = not_negative(0.0)

    @property
    def turns(self) -> bool:
        """Return whether the orientation has an error."""
        return self.orientation_noise > 0.0 or self.orientation_bias > 0.0


@dataclass
class Sensors(Checked, at="sensors."):
    """Sensors between the machine and its controller, which sees nothing else of the machine."""

    # Samples a second [Hz], whose period is a whole number of time_steps; absent: every time_step.
    rate: float | None = positive(None, "give a positive number of Hz")
    # Time from a sample to the controller [s].
    delay: float = 0.0
    # Encoders of the joints; absent: positions and velocities as they are.
    encoders: Encoders | None = None
    # Inertial measurement unit; absent: the free link's state as it is, and no port imu.
    imu: Imu | None = None

    def check(self, time_step: float) -> None:
        """Raise ScenarioError for a rhythm that no engine with a time_step [s] can keep."""
        self.__post_init__()  # of what was set since
        every = self.every(time_step)
        if self.rate is not None:
            steps = 1.0 / (self.rate * time_step)
            if abs(steps - every) > _WHOLE * steps:
                near = {max(1, math.floor(steps)), math.ceil(steps)}
                rates = " or ".join(f"{1.0 / (k * time_step):.6g}" for k in sorted(near))
                raise ScenarioError(
                    f"sensors.rate is {self.rate:g} Hz, whose period is no whole number of "
                    f"time_steps of {time_step:g} s: choose {rates} Hz, or another time_step."
                )
        check_delay("sensors", self.delay, every * time_step)

    def every(self, time_step: float) -> int:
        """Steps from one sample to the next."""
        return 1 if self.rate is None else max(1, round(1.0 / (self.rate * time_step)))


_ROUNDING = 1e-6  # of a period: times are sums of steps
_IMU = 6  # angular velocity, specific force


@dataclass(frozen=True)
class Clock:
    """Times of samples: sample j is taken at j ``period`` and arrives ``delay`` later [s].

    time_step [s]: of the engine, which steps, or, where it is continuous, is looked at in that
    rhythm. every: steps from one sample to the next.
    """

    time_step: float
    every: int = 1
    delay: float = 0.0
    continuous: bool = False

    @property
    def period(self) -> float:
        """Time from one sample to the next [s]."""
        return self.every * self.time_step

    @property
    def kept(self) -> int:
        """Number of the last samples that may be asked for: those on their way, and one before."""
        return math.ceil(self.delay / self.period - _ROUNDING) + 2

    def arrived(self, time: float) -> int:
        """Last sample that has arrived at a time [s]; the first one before any has."""
        return max(0, math.floor((time - self.delay) / self.period + _ROUNDING))


class Sampled(LeafSystem):
    """A system that keeps its last samples, each of ``width`` numbers, and knows which has arrived.

    All state is in the context: the last step, then a row for each sample kept, its number + 1
    before its values. A sample is kept by an update at its time. Drake's plant has asked for its
    inputs by then or asks at the same time, Moreau's engine asks afterwards; so a sample whose time
    is now is taken from the inputs where it is not kept yet. An engine in continuous time gets what
    was there at its last step, so that nothing jumps while it integrates.
    """

    def __init__(self, width: int, clock: Clock) -> None:
        """Take the numbers of a sample and the times of samples."""
        super().__init__()
        self._clock, self._width = clock, width
        self._samples = self.DeclareDiscreteState(1 + clock.kept * (1 + width))
        self.DeclarePeriodicUnrestrictedUpdateEvent(clock.time_step, 0.0, self._step)

    @abstractmethod
    def sample(self, context: Context, number: int) -> Array:
        """Values of a sample at the inputs of a context, (width,)."""

    def _step(self, context: Context, state: State) -> EventStatus:
        """Keep the sample that is taken now, if one is."""
        step = round(context.get_time() / self._clock.time_step)
        number, rest = divmod(step, self._clock.every)
        samples = context.get_discrete_state(self._samples).get_value().copy()
        samples[0] = step + 1
        if rest == 0:
            samples[self._row(number)] = [number + 1, *self.sample(context, number)]
        state.get_mutable_discrete_state().set_value(self._samples, samples)
        return EventStatus.Succeeded()

    def _row(self, number: int) -> slice:
        start = 1 + number % self._clock.kept * (1 + self._width)
        return slice(start, start + 1 + self._width)

    def kept(self, context: Context, number: int) -> Array | None:
        """Values of a sample that was taken, (width,); None where it is not kept."""
        if number < 0:
            return None
        row = context.get_discrete_state(self._samples).get_value()[self._row(number)]
        values: Array = row[1:]
        return values if row[0] == number + 1 else None

    def time(self, context: Context) -> float:
        """Time [s] that arrivals are judged by."""
        if not self._clock.continuous:
            time: float = context.get_time()
            return time
        step: float = context.get_discrete_state(self._samples).get_value()[0]
        return max(0.0, step - 1) * self._clock.time_step

    def arrived(self, context: Context) -> Array:
        """Values of the last sample that has arrived, (width,)."""
        number = self._clock.arrived(self.time(context))
        values = self.kept(context, number)
        return values if values is not None else self.sample(context, number)


class SeededNoise:
    """Standard normal numbers, so many a sample, as a function of seed, stream and sample.

    In whatever order an engine asks for samples, and however often, they are the same.
    """

    def __init__(self, seed: int, stream: str, width: int) -> None:
        """Take the seed of a scenario and the name of a stream, which no other noise has."""
        self._key = np.array([seed % 2**64, zlib.crc32(stream.encode())], dtype=np.uint64)
        self._width = width
        self._last = -1, np.zeros(0)  # an engine asks twice for what it needs once

    def sample(self, number: int) -> Array:
        """Numbers of a sample, counted from 0, (width,)."""
        last, values = self._last
        if last != number:
            counter = np.array([0, 0, 0, number], dtype=np.uint64)
            generator = np.random.Generator(np.random.Philox(key=self._key, counter=counter))
            values = generator.standard_normal(self._width)
            values.flags.writeable = False
            self._last = number, values
        return values


class ImuReadings:
    """Readings of a unit, as a function of a plant's state and a sample's number.

    It tells orientation and angular velocity of a link that is free in space in the state itself.
    Place and velocity of the link are none of its readings and stay as they are.
    """

    def __init__(self, plant: MultibodyPlant, config: Imu, seed: int) -> None:
        """Take a finalized plant, which must outlive this; raises ScenarioError for its link."""
        self._plant, self._config = plant, config
        self._context = plant.CreateDefaultContext()
        self._quaternions = quaternion_places(plant)
        self._body, self._joint = _link(plant, config)
        if self._joint is None and config.turns:
            raise ScenarioError(
                f"sensors.imu: the link '{self._body.name()}' is not free in space, the state has "
                "no orientation of it: leave orientation_noise and orientation_bias out."
            )
        scale = np.repeat(
            [config.orientation_noise, config.gyro_noise, config.accelerometer_noise], 3
        )
        biases = np.repeat(
            [config.orientation_bias, config.gyro_bias, config.accelerometer_bias], 3
        )
        self._scale, self._noise = scale, SeededNoise(seed, "imu", 9)
        self._bias = biases * SeededNoise(seed, "imu bias", 9).sample(0)

    def velocity(self, state: Array) -> Array:
        """Velocity v_WI of the accelerometer at a state [q; v] as it is, in W, (3,)."""
        self._set(state)
        V_WB = self._body.EvalSpatialVelocityInWorld(self._context)
        p_BI_W = self._rotation() @ np.array(self._config.at)
        v_WI: Array = V_WB.translational() + np.cross(V_WB.rotational(), p_BI_W)
        return v_WI

    def readings(self, state: Array, number: int, acceleration: Array) -> Array:
        """Angular velocity and specific force in the axes of the link, (6,) [rad/s, m/s^2].

        acceleration: of the accelerometer in W [m/s^2].
        """
        self._set(state)
        R_BW = self._rotation().T
        V_WB = self._body.EvalSpatialVelocityInWorld(self._context)
        force = acceleration - self._plant.gravity_field().gravity_vector()
        readings = np.concatenate((R_BW @ V_WB.rotational(), R_BW @ force))
        return readings + self._errors(number)[3:]

    def measure(self, state: Array, number: int) -> None:
        """Put the readings of a link that is free in space into a state [q; v], in place."""
        joint, errors = self._joint, self._errors(number)
        if joint is None or not errors[:6].any():
            return
        start = joint.position_start()
        spin = slice(
            self._plant.num_positions() + joint.velocity_start(),
            self._plant.num_positions() + joint.velocity_start() + 3,
        )
        small = _small_rotation(errors[:3])
        if isinstance(joint, QuaternionFloatingJoint):
            wxyz = state[start : start + 4] / np.linalg.norm(state[start : start + 4])
            R_FM = RotationMatrix(Quaternion(wxyz))
            turned = Quaternion(wxyz).multiply(small)
            state[start : start + 4] = turned.wxyz()
            read = RotationMatrix(turned)
        else:
            R_FM = RotationMatrix(RollPitchYaw(state[start : start + 3]))
            read = R_FM @ RotationMatrix(small)
            state[start : start + 3] = RollPitchYaw(read).vector()
        state[spin] = read.matrix() @ (R_FM.matrix().T @ state[spin] + errors[3:6])

    def _errors(self, number: int) -> Array:
        """Errors of orientation [rad], angular velocity and specific force, each in B, (9,)."""
        if not self._scale.any():
            return self._bias
        return self._bias + self._scale * self._noise.sample(number)

    def _set(self, state: Array) -> None:
        unit = state.copy()
        normalise_quaternions(unit, self._quaternions)  # Drake's engine lets them grow
        self._plant.SetPositionsAndVelocities(self._context, unit)

    def _rotation(self) -> Array:
        R_WB: Array = self._body.EvalPoseInWorld(self._context).rotation().matrix()
        return R_WB


def _small_rotation(angles: Array) -> Quaternion:
    """Rotation by a vector [rad] about its direction."""
    angle = float(np.linalg.norm(angles))
    if angle == 0.0:
        return Quaternion()
    return Quaternion([np.cos(0.5 * angle), *(np.sin(0.5 * angle) / angle * angles)])


def _link(plant: MultibodyPlant, config: Imu) -> tuple[RigidBody, Joint | None]:
    """The link of the unit, and the joint that leaves it free in space, if one does."""
    free = floating_joints(plant)
    if not config.link and len(free) != 1:
        what = "several links" if free else "no link"
        raise ScenarioError(f"sensors.imu: {what} of the model is free in space: name the link.")
    bodies = links_named(plant, config.link or next(iter(free)), "sensors.imu")
    if len(bodies) > 1:
        raise ScenarioError(f"sensors.imu: '{config.link}' means several links: name one.")
    return bodies[0], free.get(full_name(plant, bodies[0].body_frame()))


@dataclass
class Actuators(Checked, at="actuators."):
    """Noise and delay of every actuator; limits are those of the files and of `motors`."""

    # Standard deviation of the torque in each time_step [N m or N].
    noise: float = not_negative(0.0)
    # Time from the controller to the joint [s].
    delay: float = 0.0

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
    single = simple_joints(plant)
    plain = {full: joint.name() for full, joint in single.items()}
    where, which = "sensors.encoders", " with one degree of freedom"
    named = {full for name in config.joints for full in fitting(name, plain, where, "joint", which)}
    return [joint for full, joint in single.items() if not config.joints or full in named]


def units_of_readings(plant: MultibodyPlant, sensors: Sensors) -> dict[str, str]:
    """Return the units of what a controller sees of sensors, by name: q.knee, imu.gyro.x."""
    units = {
        f"{letter}.{name}": unit
        for letter, group in (("q", "positions"), ("v", "velocities"))
        for name, unit in units_by_name(plant)[group].items()
    }
    if sensors.imu is not None:
        units |= {f"imu.gyro.{axis}": "rad/s" for axis in "xyz"}
        units |= {f"imu.force.{axis}": "m/s^2" for axis in "xyz"}
    return units


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
        readings = self._imu.readings(state, number, acceleration)
        return np.concatenate((read, readings, velocity))

    def readings(self, context: Context) -> Array:
        """Return what the controller sees now, in the order of `units_of_readings`."""
        ports = [self.GetOutputPort("state"), *([self.GetOutputPort("imu")] if self._imu else [])]
        return np.concatenate([port.Eval(context) for port in ports])

    def _calc_state(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.arrived(context)[: self._count])

    def _calc_imu(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.arrived(context)[self._count : self._count + _IMU])
