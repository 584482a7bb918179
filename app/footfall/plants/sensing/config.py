"""Sensors as a scenario describes them."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from dataclasses import dataclass, field

from footfall.checked import Checked, finite, not_negative, one_of, positive
from footfall.errors import ScenarioError

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
