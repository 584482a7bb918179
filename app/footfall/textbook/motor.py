"""Closed form of a motor that turns a load through a gear.

    (J_l + J_m n^2) theta'' + B n^2 theta' = T n

theta: angle of the load [rad]; n: turns of the rotor for one of the load; J_l, J_m: inertias of
load and rotor about their axes [kg m^2]; B: viscous friction of the rotor [N m s/rad]; T: torque of
the rotor [N m]. A motor of direct current cannot have any T: at the rotor's speed w it lies between
the lines T_s (-1 - w / w_0) and T_s (1 - w / w_0) of full voltage, and within a limit of its
current.

Source: J. Kanehara, report on project TUlip (Dutch Robotics, TU Eindhoven, 2009), part I.ii, whose
formula of the acceleration leaves the friction out; for the lines any text on electric drives.
"""

import math
from dataclasses import dataclass, replace

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

    def with_ratio(self, n: float) -> "GearedMotor":
        """The same with another gear."""
        return replace(self, n=n)


def best_ratio(motor: GearedMotor, asked: float, speed: float = 0.0) -> float:
    """Gear ratio of the largest acceleration at a speed of the load [rad/s], both not negative.

    From rest, whatever the friction, it is sqrt(J_l / J_m), where the rotor takes half of the
    torque. At a speed friction counts: with torque F and drag D of the rotor, (F n - D n^2 speed) /
    (J_l + J_m n^2) is largest where F J_m n^2 + 2 D J_l speed n = F J_l. With a line there are two
    such hills, one of the torque that is asked for and one of the line, and the lower of the two
    counts at each n: the best is one of their tops or where they cross.

    Raises ValueError for a rotor without inertia, for which every larger ratio is better.
    """
    if motor.J_m == 0.0:
        raise ValueError("a rotor without inertia has no best ratio")
    held = min(asked, motor.limit)
    found = [_top(motor, held, motor.B, speed)]
    if motor.slope > 0.0:
        found.append(_top(motor, motor.stall, motor.B + motor.slope, speed))
        if motor.slope * speed * found[0] > motor.stall - held > 0.0:  # the hill is cut off before
            found.append((motor.stall - held) / (motor.slope * speed))
    gained = [float(motor.with_ratio(n).acceleration(asked, speed)) for n in found]
    return found[int(np.argmax(gained))]


def _top(motor: GearedMotor, force: float, drag: float, speed: float) -> float:
    """Positive root of force J_m n^2 + 2 drag J_l speed n = force J_l, without cancellation."""
    half = drag * motor.J_l * speed
    return force * motor.J_l / (half + math.hypot(half, force * math.sqrt(motor.J_l * motor.J_m)))
