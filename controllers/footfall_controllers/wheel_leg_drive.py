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
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem
from scipy.interpolate import PchipInterpolator

from footfall.arrays import Array
from footfall.checked import Checked, finite, not_negative, positive
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


@dataclass
class Station:
    """Angles of the legs where the front wheel's centre is at a place of the track."""

    # Abscissa of the centre of the front wheel [m].
    position: float = 0.0
    # Angle between the body and the rear leg [degrees]: 90 stands down from it, 180 is in line.
    rear: float = 90.0
    # Angle between the body and the front leg [degrees].
    front: float = 90.0


class LegPlan:
    """Angles of the legs along the way: monotone cubics between stations, constant beyond them.

    The cubics leave the first station and reach the last one without a rate. Raises ValueError, one
    line, for no stations, for such as do not go ahead, and for numbers that are not finite.
    s (n,) [m] and angles (n, 2) [rad]: of the stations, rear leg before front leg.
    """

    def __init__(self, stations: Sequence[Station]) -> None:
        """Refuse what is no plan, and fit the cubics."""
        if not stations:
            raise ValueError("there are no stations: give at least one")
        rows = np.array(
            [(at.position, math.radians(at.rear), math.radians(at.front)) for at in stations],
            dtype=float,
        )
        if not np.isfinite(rows).all():
            raise ValueError("a station's position or angle is no finite number")
        if not (np.diff(rows[:, 0]) > 0.0).all():
            raise ValueError(f"the stations' positions {rows[:, 0].tolist()} do not rise")
        self.s, self.angles = rows[:, 0], rows[:, 1:]
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


@dataclass
class WheelLegDriveParameters(Checked, at="controller."):
    """The wanted motion of a vehicle, and the gains that hold it."""

    # Speed of the wheels' rims [m/s]; negative goes back.
    speed: float = finite(0.2)
    # Time in which it is reached from rest [s].
    ramp: float = positive(1.0)
    # Gains of the torque of a wheel, by the rate [N m s] and the angle [N m] of rolling. For the
    # vehicle of the document, whose mass a wheel feels as 22 kg m^2, they answer at 10 rad/s with a
    # damping of 1; a wheel that has lost the ground turns by its own 2.25 kg m^2, and kd times the
    # step over this has to stay below 1.
    kd: float = not_negative(440.0)
    ki: float = positive(2200.0)
    # Most torque of a wheel, both ways [N m].
    limit: float = positive(1000.0)
    # Gains of the torque of a leg by its angle [N m] and rate [N m s]. A leg that bears 700 N m
    # gives way by 3.5 mrad. Its fastest answer, at 330 rad/s where legs are stretched, is stable
    # at steps of 4 ms on the ground and of 2 ms in the air; twice leg_kd would not be.
    leg_kp: float = not_negative(2.0e5)
    leg_kd: float = not_negative(1.0e3)
    # Angles of the legs along the way, at rising positions: monotone cubics between, constant
    # before the first and behind the last.
    stations: list[Station] = field(default_factory=lambda: [Station()])

    def __post_init__(self) -> None:
        """Refuse stations that are no plan."""
        super().__post_init__()
        try:
            LegPlan(self.stations)
        except ValueError as error:
            raise self.refusal(f"stations: {error}") from error

    @property
    def plan(self) -> LegPlan:
        """Angles of the legs along the way."""
        return LegPlan(self.stations)

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
        self._machine, self._parameters, self._plan = machine, parameters, parameters.plan
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
        (rear, front), (rear_rate, front_rate) = self._plan.at(s)
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
        torques = self.torques(context.get_time(), q, v)
        output.SetFromVector([torques[k] for k in self._order])


def _rolling(pitch: float, rear: float, rear_axle: float, front: float, front_axle: float) -> float:
    """Mean over the wheels of their turning less their legs' rotations; or of the rates of it."""
    return 0.5 * (rear_axle - (pitch - rear) + front_axle - (pitch + front))


def _bounded(value: float, limit: float) -> float:
    return min(max(value, -limit), limit)
