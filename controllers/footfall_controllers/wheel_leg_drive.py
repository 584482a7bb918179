"""A vehicle on two driven wheels at legs that move: speed of the wheels, angles of the legs.

The motors turn both wheels by the same torque,

    M = kd (w_d - w) + ki (integral of w_d - a),   w_d = v(t)/r,

w [rad/s] and a [rad] the means over both wheels of how fast they roll and how far they have rolled:
a wheel's turning relative to its leg less the leg's own rotation. Nothing is integrated: the way
that is wanted is known in closed form, and the coordinates tell the way that is made. In a slow
passage the torque that the track asks for changes by d(t): the rolling errs by d'/ki, whose rate
costs no more than the inertia times d''/ki.

The legs follow angles phi(s_f) over the abscissa s_f of the front wheel's centre,

    tau = leg_kp (phi_d - phi) + leg_kd (phi_d' s_f' - phi').

Coordinates: x ahead, z up, pitch counter-clockwise as seen with x to the right and z up (nose up);
`rear_hip` and `front_hip` are the angles between the body and its legs, see sdf/ugv.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem
from scipy.interpolate import PchipInterpolator

from footfall.arrays import Array
from footfall.plants.coordinates import actuators_of

JOINTS = ("rear_hip", "rear_axle", "front_hip", "front_axle")
BASE = ("x", "z", "pitch")


class VehicleLengths(Protocol):
    """Lengths of a vehicle on legs [m]."""

    @property
    def L(self) -> float:
        """Length of the body, from hip to hip."""

    @property
    def l(self) -> float:  # noqa: E743 (as in the paper)
        """Length of a leg, from its hip to the centre of its wheel."""

    @property
    def r(self) -> float:
        """Radius of a wheel."""


@dataclass(frozen=True)
class LegStation:
    """Angles [rad] of the rear and of the front leg where the front wheel's centre is at s [m]."""

    s: float
    rear: float
    front: float


class LegPlan:
    """Angles of the legs along the way: monotone cubics between stations, constant beyond them.

    The cubics leave the first station and reach the last one without a rate. Raises ValueError, one
    line, for no stations, for such as do not go ahead, and for numbers that are not finite.
    """

    def __init__(self, stations: Sequence[LegStation]) -> None:
        """Refuse what is no plan, and fit the cubics."""
        if not stations:
            raise ValueError("there are no stations: give at least one")
        rows = np.array([(at.s, at.rear, at.front) for at in stations], dtype=float)
        if not np.isfinite(rows).all():
            raise ValueError("a station's position or angle is no finite number")
        if not (np.diff(rows[:, 0]) > 0.0).all():
            raise ValueError(f"the stations' positions {rows[:, 0].tolist()} do not rise")
        self.stations = tuple(stations)
        # a flat metre at either end, beyond which the cubics are not asked
        ends = rows[[0, -1]] + [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
        rows = np.vstack((ends[:1], rows, ends[1:]))
        self._begin, self._end = float(rows[1, 0]), float(rows[-2, 0])
        self._knots: list[float] = rows[:, 0].tolist()
        self._cubics: Array = PchipInterpolator(rows[:, 0], rows[:, 1:]).c.swapaxes(0, 1)

    def at(self, s: float) -> tuple[Array, Array]:
        """Angles [rad] of the rear and of the front leg at s [m], (2,), and their rates [rad/m]."""
        s = min(max(s, self._begin), self._end)
        k = min(bisect_right(self._knots, s), len(self._knots) - 1) - 1
        u, (a, b, c, d) = s - self._knots[k], self._cubics[k]
        return ((a * u + b) * u + c) * u + d, (3.0 * a * u + 2.0 * b) * u + c


@dataclass(frozen=True)
class WheelLegDriveParameters:
    """The wanted motion, and the gains that hold it.

    speed [m/s]: at which the wheels roll, negative back; ramp [s]: in which it is reached, without
    a jump of the acceleration. kd [N m s], ki [N m]: of a wheel's torque, by the rate and by the
    angle of rolling. limit [N m]: of a wheel's torque, both ways. leg_kp [N m], leg_kd [N m s]: of
    the legs. Raises ValueError, one line, for numbers that make no law.
    """

    plan: LegPlan
    speed: float = 0.2
    ramp: float = 1.0
    kd: float = 440.0
    ki: float = 2200.0
    limit: float = 1000.0
    leg_kp: float = 2e5
    leg_kd: float = 1e3

    def __post_init__(self) -> None:
        """Refuse what is no law."""
        if not math.isfinite(self.speed):
            raise ValueError(f"speed is {self.speed}: give a finite number")
        for name in ("ramp", "ki", "limit"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise ValueError(f"{name} is {value}: give a finite number above 0")
        for name in ("kd", "leg_kp", "leg_kd"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0.0):
                raise ValueError(f"{name} is {value}: give a finite number from 0 on")

    def wanted(self, time: float) -> tuple[float, float]:
        """Way [m] since time 0 and speed [m/s] at a time [s] at which the wheels are to roll."""
        u = min(max(time / self.ramp, 0.0), 1.0)
        distance = self.ramp * (u**3 - 0.5 * u**4) + max(time - self.ramp, 0.0)
        return self.speed * distance, self.speed * u * u * (3.0 - 2.0 * u)

    def wheel_torque(self, time: float, rolled: float, rate: float, radius: float) -> float:
        """Torque [N m] of each wheel that has rolled so far [rad], at so much [rad/s].

        The part by the angle stays within the limit as well: wheels that were held back by it do
        not race once they are free, but leave the limit as soon as they roll faster than they are
        to.
        """
        distance, speed = self.wanted(time)
        spring = _bounded(self.ki * (distance / radius - rolled), self.limit)
        return _bounded(spring + self.kd * (speed / radius - rate), self.limit)


class WheelLegDriveSystem(LeafSystem):
    """Torques of the wheels and of the legs of a vehicle on a track.

    Input: ``state`` [q; v]. Output: ``actuation`` (4,) [N m], in the plant's order. What the wheels
    have rolled counts from where the turning of each is the rotation of its leg. Raises ValueError,
    one line, unless the plant has the joints and actuators of sdf/ugv and no others.
    """

    def __init__(
        self, plant: MultibodyPlant, machine: VehicleLengths, parameters: WheelLegDriveParameters
    ) -> None:
        """Take the plant to know where the coordinates are; it is not kept."""
        super().__init__()
        names = [actuator.joint().name() for actuator in actuators_of(plant)]
        if sorted(names) != sorted(JOINTS):
            raise ValueError(f"it drives the joints {', '.join(JOINTS)}; this model has {names}")
        missing = [name for name in (*BASE, *JOINTS) if not plant.HasJointNamed(name)]
        if missing:
            raise ValueError(f"the model has no joint {missing[0]}")
        joints = [plant.GetJointByName(name) for name in (*BASE, *JOINTS)]
        nq = plant.num_positions()
        self._places = [joint.position_start() for joint in joints]
        self._rates = [nq + joint.velocity_start() for joint in joints]
        self._order = [JOINTS.index(name) for name in names]
        self._machine, self._parameters = machine, parameters
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", len(JOINTS), self._calc_actuation)

    def torques(self, time: float, q: Sequence[float], v: Sequence[float]) -> list[float]:
        """Torques [N m] of rear leg, rear wheel, front leg and front wheel.

        q, v: of x, z, pitch, rear hip, rear axle, front hip, front axle [m, rad, m/s, rad/s].
        """
        law = self._parameters
        rolled, rate = _rolling(*q[2:]), _rolling(*v[2:])
        wheel = law.wheel_torque(time, rolled, rate, self._machine.r)
        s, ahead = self._front_wheel(q, v)
        (rear, front), (rear_rate, front_rate) = law.plan.at(s)
        rear_leg = law.leg_kp * (rear - q[3]) + law.leg_kd * (rear_rate * ahead - v[3])
        front_leg = law.leg_kp * (front - q[5]) + law.leg_kd * (front_rate * ahead - v[5])
        return [float(rear_leg), wheel, float(front_leg), wheel]

    def _front_wheel(self, q: Sequence[float], v: Sequence[float]) -> tuple[float, float]:
        """Abscissa of the front wheel's centre [m] and its rate [m/s]."""
        leg, half = self._machine.l, 0.5 * self._machine.L
        cos, sin = math.cos(q[2]), math.sin(q[2])
        along, down = leg * math.cos(q[5]), leg * math.sin(q[5])
        x, z = half - along, -down  # from the body's middle, in its frame
        turning = -(x * sin + z * cos) * v[2]
        return q[0] + x * cos - z * sin, v[0] + turning + (down * cos + along * sin) * v[5]

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        state: list[float] = self._state.Eval(context).tolist()
        q, v = ([state[index] for index in places] for places in (self._places, self._rates))
        found = self.torques(context.get_time(), q, v)
        output.SetFromVector([found[k] for k in self._order])


def _rolling(pitch: float, rear: float, rear_axle: float, front: float, front_axle: float) -> float:
    """Mean over the wheels of their turning less their legs' rotations; or of the rates of it."""
    return 0.5 * (rear_axle - (pitch - rear) + front_axle - (pitch + front))


def _bounded(value: float, limit: float) -> float:
    return min(max(value, -limit), limit)
