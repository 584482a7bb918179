"""Closed form of a motor that turns a load through a gear.

    (J_l + J_m n^2) theta'' + B n^2 theta' = T n

theta: angle of the load [rad]; n: turns of the rotor for one of the load; J_l, J_m: inertias of
load and rotor about their axes [kg m^2]; B: viscous friction of the rotor [N m s/rad]; T: torque of
the rotor [N m]. A motor of direct current cannot have any T: at the rotor's speed w it lies between
the lines T_s (-1 - w / w_0) and T_s (1 - w / w_0) of full voltage, and within a limit of its
current.

Source: J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), part I.ii, whose
formula of the acceleration leaves the friction out; for the lines any text on electric drives.

Response of a motor to a constant commanded torque, in closed form interval by interval.

Over the speed the torque of a motor is piecewise linear: the commanded torque, the limit, the line
of full voltage. In every interval the load relaxes and, as its speed only rises or only falls, it
goes through the intervals one after another. Each is motion under a constant force and linear drag,
J w' = F - D w.

With the first acceleration a = (F - D w_0) / J, the time constant tau = J / D and x = t / tau:

    w = w_0 + a t phi_1(x),   angle = angle_0 + w_0 t + a t^2 phi_2(x),   w' = a exp(-x)
    phi_1 = (1 - exp(-x)) / x,   phi_2 = (1 - phi_1) / x

Written so, it holds without drag as well, where phi_1 = 1 and phi_2 = 1/2, and loses no digits
near it: phi_2 and what the integral of w^2 needs are series where x is small.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array


@dataclass(frozen=True)
class GearedMotor:
    """A motor, its gear and its load, as the module has them.

    stall, no_load: T_s [N m] and w_0 [rad/s], infinite for a torque that does not depend on the
    speed; limit: of the torque whichever way [N m]. Raises ValueError for what is no motor.
    """

    J_l: float
    J_m: float
    n: float
    B: float = 0.0
    stall: float = math.inf
    no_load: float = math.inf
    limit: float = math.inf

    def __post_init__(self) -> None:
        """Refuse what does not turn, or turns by itself."""
        positive = (self.J_l, self.n, self.stall, self.no_load, self.limit)
        if not (all(value > 0.0 for value in positive) and self.J_m >= 0.0 and self.B >= 0.0):
            raise ValueError(f"a motor needs positive numbers, and J_m and B not below 0: {self}")
        if math.isinf(self.stall) != math.isinf(self.no_load):
            raise ValueError(f"a line needs both stall and no_load: {self}")

    @property
    def inertia(self) -> float:
        """Inertia about the load's joint, J_l + J_m n^2 [kg m^2]."""
        return self.J_l + self.J_m * self.n**2

    @property
    def damping(self) -> float:
        """Viscous friction at the load's joint, B n^2 [N m s/rad]."""
        return self.B * self.n**2

    @property
    def slope(self) -> float:
        """Slope of the torque-speed line, T_s / w_0 [N m s/rad]; 0 without lines."""
        return 0.0 if math.isinf(self.stall) else self.stall / self.no_load

    def torque(self, asked: float, speed: npt.ArrayLike) -> Array:
        """Torque of the rotor [N m] for what is asked of it, at speeds of the load [rad/s]."""
        lost = self.slope * self.n * np.asarray(speed, dtype=np.float64)
        between = np.clip(asked, -self.stall - lost, self.stall - lost)
        return np.clip(between, -self.limit, self.limit)

    def acceleration(self, asked: float, speed: npt.ArrayLike) -> Array:
        """Acceleration of the load [rad/s^2] at its speeds [rad/s]."""
        push = self.n * self.torque(asked, speed)
        turning: Array = (push - self.damping * np.asarray(speed)) / self.inertia
        return turning

    def steady_speed(self, asked: float) -> float:
        """Speed of the load that lasts [rad/s], where torque and friction balance.

        Infinite where nothing holds it back; 0 for no torque, even where friction is 0.
        """
        if asked < 0.0:
            return -self.steady_speed(-asked)
        held = min(asked, self.limit)
        free = held / (self.n * self.B) if self.B > 0.0 else (math.inf if held > 0.0 else 0.0)
        if self.slope == 0.0:
            return free
        return min(free, self.stall / (self.slope + self.B) / self.n)


_SMALL = 1.0  # from here on the formulas lose less than a digit
_TERMS = 24  # of a series at x = 1: the next is 2^26 / 26! of the first
_TWO = np.array([(-1.0) ** k / math.factorial(k + 2) for k in range(_TERMS)])
_SQUARE = np.array(
    [(-1.0) ** k * (2.0**k - 2.0) / (math.factorial(k) * (k + 1)) for k in range(2, _TERMS + 2)]
)


@dataclass(frozen=True)
class Relaxation:
    """Inertia J > 0, force F, drag D >= 0, and where it starts: angle and speed.

    In kg m^2, N m, N m s/rad, rad and rad/s, or in the units of a body that slides.
    """

    J: float
    F: float
    D: float
    angle: float = 0.0
    speed: float = 0.0

    @property
    def start(self) -> float:
        """Acceleration at the start [rad/s^2]."""
        return (self.F - self.D * self.speed) / self.J

    def angle_at(self, time: Array) -> Array:
        """Angles [rad] at times of any shape."""
        x = self.D / self.J * time
        angle: Array = self.angle + self.speed * time + self.start * time**2 * _phi_2(x)
        return angle

    def speed_at(self, time: Array) -> Array:
        """Speeds [rad/s] at times of any shape."""
        speed: Array = self.speed + self.start * time * _phi_1(self.D / self.J * time)
        return speed

    def squared_speed(self, time: Array) -> Array:
        """Integral of the squared speed over the time since the start [rad^2/s]."""
        x = self.D / self.J * time
        mixed = 2.0 * self.speed * self.start * time**2 * _phi_2(x)
        total: Array = self.speed**2 * time + mixed + self.start**2 * time**3 * _square(x)
        return total

    def time_of(self, speed: float) -> float:
        """Return when it has a speed [rad/s]; infinite where it never has."""
        away = speed - self.speed
        if away == 0.0:
            return 0.0
        if self.start == 0.0 or away / self.start < 0.0:
            return math.inf
        straight = away / self.start
        if self.D == 0.0:
            return straight
        share = straight * self.D / self.J  # of what there is up to the steady speed
        return -math.log1p(-share) * self.J / self.D if share < 1.0 else math.inf


def _phi_1(x: Array) -> Array:
    """(1 - exp(-x)) / x, 1 at x = 0."""
    x = np.asarray(x, dtype=np.float64)
    safe = np.where(x == 0.0, 1.0, x)
    return np.where(x == 0.0, 1.0, -np.expm1(-safe) / safe)


def _phi_2(x: Array) -> Array:
    """(exp(-x) - 1 + x) / x^2, 1/2 at x = 0."""
    x = np.asarray(x, dtype=np.float64)
    large = np.maximum(x, _SMALL)
    series = np.polynomial.polynomial.polyval(np.minimum(x, _SMALL), _TWO)
    return np.where(x < _SMALL, series, (1.0 - _phi_1(large)) / large)


def _square(x: Array) -> Array:
    """Integral of (1 - exp(-s))^2 from 0 to x, over x^3; 1/3 at x = 0."""
    x = np.asarray(x, dtype=np.float64)
    large = np.maximum(x, _SMALL)
    integral = large + 2.0 * np.expm1(-large) - 0.5 * np.expm1(-2.0 * large)
    series = np.polynomial.polynomial.polyval(np.minimum(x, _SMALL), _SQUARE)
    return np.where(x < _SMALL, series, integral / large**3)


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
        motor, phases = self.motor, list[SpeedPhase]()
        time, angle, speed, work, squared = 0.0, self.angle, self.speed, 0.0, 0.0
        while True:
            torque, slope, end = self._interval(speed)
            drag = motor.damping + motor.n * slope
            motion = Relaxation(motor.inertia, motor.n * torque, drag, angle, speed)
            phases.append(SpeedPhase(time, motion, torque, slope, work, squared))
            span = motion.time_of(end)
            if math.isinf(span):
                return tuple(phases)
            at = np.array(span)
            work, squared = (
                float(value)
                for value in (phases[-1].work_at(at, motor.n), phases[-1].squared_at(at))
            )
            time, angle, speed = time + span, float(motion.angle_at(at)), end

    def angle_at(self, time: npt.ArrayLike) -> Array:
        """Angles of the load [rad] at times of any shape [s], not before 0."""
        return self._over(time, lambda phase, t: phase.motion.angle_at(t))

    def speed_at(self, time: npt.ArrayLike) -> Array:
        """Speeds of the load [rad/s]."""
        return self._over(time, lambda phase, t: phase.motion.speed_at(t))

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

    def _over(self, time: npt.ArrayLike, values: Values) -> Array:
        times = np.asarray(time, dtype=np.float64)
        which = np.searchsorted([phase.time for phase in self.phases], times, side="right") - 1
        result = np.empty(times.shape)
        for index, phase in enumerate(self.phases):
            rows = which == index
            result[rows] = values(phase, times[rows] - phase.time)
        return result

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
