"""Response of a motor to a constant commanded torque, in closed form interval by interval.

Over the speed the torque of a motor is piecewise linear: the commanded torque, the limit, the line
of full voltage. In every interval the load relaxes (``footfall.textbook.relaxation``), and as its
speed only rises or only falls, it goes through the intervals one after another.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.textbook.motor import GearedMotor, best_ratio
from footfall.textbook.relaxation import Relaxation


@dataclass(frozen=True)
class SpeedPhase:
    """An interval of the response from a time on [s].

    The torque of the rotor is torque - slope * speed of the load [N m, N m s/rad], with a slope
    where full voltage bounds it. work: of the motor before this interval [J]; squared: integral of
    the squared speed before it [rad^2/s].
    """

    time: float
    motion: Relaxation
    torque: float
    slope: float
    work: float
    squared: float

    def work_at(self, span: Array, n: float) -> Array:
        """Work of the motor since the start [J], a span [s] into this interval."""
        turned = self.motion.angle_at(span) - self.motion.angle
        own = n * (self.torque * turned - self.slope * self.motion.squared_speed(span))
        total: Array = self.work + own
        return total

    def squared_at(self, span: Array) -> Array:
        """Integral of the squared speed since the start [rad^2/s], likewise."""
        total: Array = self.squared + self.motion.squared_speed(span)
        return total


Values = Callable[[SpeedPhase, Array], Array]


@dataclass(frozen=True)
class SpeedResponse:
    """The load from a start on, while one torque of the rotor is asked for [N m].

    angle [rad], speed [rad/s]: of the load at time 0.
    """

    motor: GearedMotor
    asked: float
    angle: float = 0.0
    speed: float = 0.0

    @cached_property
    def phases(self) -> tuple[SpeedPhase, ...]:
        """The pieces in their order; the last one lasts for ever."""
        motor, found = self.motor, list[SpeedPhase]()
        time, angle, speed, work, squared = 0.0, self.angle, self.speed, 0.0, 0.0
        while True:
            torque, slope, end = self._interval(speed)
            drag = motor.damping + motor.n * slope
            motion = Relaxation(motor.inertia, motor.n * torque, drag, angle, speed)
            found.append(SpeedPhase(time, motion, torque, slope, work, squared))
            span = motion.time_of(end)
            if math.isinf(span):
                return tuple(found)
            at = np.array(span)
            work, squared = (
                float(value) for value in (found[-1].work_at(at, motor.n), found[-1].squared_at(at))
            )
            time, angle, speed = time + span, float(motion.angle_at(at)), end

    def angle_at(self, time: npt.ArrayLike) -> Array:
        """Angles of the load [rad] at times of any shape [s], not before 0."""
        return self._over(time, lambda phase, t: phase.motion.angle_at(t))

    def speed_at(self, time: npt.ArrayLike) -> Array:
        """Speeds of the load [rad/s]."""
        return self._over(time, lambda phase, t: phase.motion.speed_at(t))

    def acceleration_at(self, time: npt.ArrayLike) -> Array:
        """Accelerations of the load [rad/s^2]."""
        return self._over(time, lambda phase, t: phase.motion.acceleration_at(t))

    def torque_at(self, time: npt.ArrayLike) -> Array:
        """Torques of the rotor [N m]."""
        return self.motor.torque(self.asked, self.speed_at(time))

    def work_at(self, time: npt.ArrayLike) -> Array:
        """Work of the motor since the start [J]."""
        return self._over(time, lambda phase, t: phase.work_at(t, self.motor.n))

    def friction_at(self, time: npt.ArrayLike) -> Array:
        """Energy that friction has taken since the start [J]."""
        return self.motor.damping * self._over(time, lambda phase, t: phase.squared_at(t))

    def energy_at(self, time: npt.ArrayLike) -> Array:
        """Kinetic energy of load and rotor [J]."""
        energy: Array = 0.5 * self.motor.inertia * self.speed_at(time) ** 2
        return energy

    def time_to(self, angle: float) -> float:
        """Time [s] at which the load reaches an angle beyond its start [rad]; infinite if never.

        Raises ValueError unless it is driven there, from rest or from a speed in that direction.
        """
        if not (angle - self.angle > 0.0 and self.asked > 0.0 and self.speed >= 0.0):
            raise ValueError(f"it is not driven to an angle of {angle}")
        late = 1e-3
        while float(self.angle_at(late)) < angle:
            late *= 2.0
            if late > 1e12:
                return math.inf
        # to rounding of the time: an answer near 0 would be one of the bracket alone
        return float(
            brentq(lambda t: float(self.angle_at(t)) - angle, 0.0, late, xtol=1e-16 * late)
        )

    def _over(self, time: npt.ArrayLike, values: Values) -> Array:
        times = np.asarray(time, dtype=np.float64)
        which = np.searchsorted([phase.time for phase in self.phases], times, side="right") - 1
        found = np.empty(times.shape)
        for index, phase in enumerate(self.phases):
            rows = which == index
            found[rows] = values(phase, times[rows] - phase.time)
        return found

    def _interval(self, speed: float) -> tuple[float, float, float]:
        """Torque [N m] and slope of the interval that begins at a speed, and its end speed."""
        motor = self.motor
        direction = float(np.sign(motor.acceleration(self.asked, speed)))
        ahead = [corner for corner in self._corners if direction * (corner - speed) > 0.0]
        end = min(ahead, key=lambda corner: direction * corner, default=math.inf)
        within = 0.5 * (speed + end) if math.isfinite(end) else speed + (direction or 1.0)
        torque, lost = float(motor.torque(self.asked, within)), motor.slope * motor.n
        on_line = lost > 0.0 and torque in (
            motor.stall - lost * within,
            -motor.stall - lost * within,
        )
        slope = lost if on_line else 0.0
        return torque + slope * within, slope, end

    @cached_property
    def _corners(self) -> tuple[float, ...]:
        """Speeds of the load at which one bound of the torque gives way to another, rising."""
        motor = self.motor
        if motor.slope == 0.0:
            return ()
        held = max(-motor.limit, min(self.asked, motor.limit))
        levels = {level for level in (held, motor.limit, -motor.limit) if math.isfinite(level)}
        drop = motor.slope * motor.n
        stalls = (motor.stall, -motor.stall)
        return tuple(sorted((stall - level) / drop for stall in stalls for level in levels))


def best_ratio_to_turn(motor: GearedMotor, asked: float, angle: float) -> float:
    """Gear ratio by which the load turns by an angle [rad] from rest in the shortest time.

    Without friction and lines it is sqrt(J_l / J_m), for the acceleration does not change then; a
    motor that runs out of speed wants less. Raises ValueError as `best_ratio`.
    """
    top = math.log(best_ratio(motor, asked))

    def slope(log: float) -> float:
        # by a difference of the logarithm of the time, whose error is of the order of 1e-8
        ends = [
            SpeedResponse(motor.with_ratio(math.exp(log + side)), asked) for side in (-1e-4, 1e-4)
        ]
        before, after = (math.log(one.time_to(angle)) for one in ends)
        return after - before

    # far below no motor comes near its speed, far above none has any acceleration
    return math.exp(float(brentq(slope, top - 8.0, top + 1.0, xtol=1e-12)))
