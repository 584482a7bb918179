"""References of walking: where trunk and swinging heel should be, a horizon ahead.

Source: G. Ozyurt (METU 2005), sections 4.1 to 4.3 and chapter 5: the trunk goes straight ahead at
one speed in single and another in double support. Of the heel's path (4.1) to (4.5) only that along
x can be recovered: its derivative (4.4) is printed rightly. Upwards, and along x unless that is
asked for, the heel follows polynomials that meet what the text says: travel, height, soft
touch-down.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.checked import NOT_NEGATIVE, POSITIVE, Checked, positive
from footfall.plants.names import require_joints
from footfall_controllers.tracked_points import TrackedPoint, TrackedPoints

SLOPE_AHEAD = (4.8294, -3.3059, 1164.9, -0.10696e6, 4.4571e6, -9.6052e7, 1.0456e9, -4.5563e9)
"""Coefficients of (4.4), the constant first: the heel's way ahead by the way u of the trunk [m]."""
_AHEAD = np.polynomial.Polynomial(SLOPE_AHEAD)
_PROGRESS, _TRAVEL = 0.0885, 0.4  # m: of trunk and heel, for which (4.4) is printed


@dataclass(frozen=True)
class Sway(Checked, at="controller.sway: "):
    """Lateral motion of a linear inverted pendulum whose zero-moment point is where feet are.

    It is `pressure` beside the middle in single support [m], and goes over in double support at a
    constant speed. rate: of the pendulum, sqrt(g / height) [1/s]. trunk: motion of the trunk over
    that of the mass centre. Source: S. Kajita et al., The 3D linear inverted pendulum mode, 2001.
    """

    pressure: float = field(metadata=POSITIVE)
    rate: float = field(metadata=POSITIVE)
    trunk: float = field(metadata=POSITIVE)

    def motion(self, single: bool, time: float, durations: tuple[float, float]) -> Array:
        """Place and speed of the trunk towards the flat foot, (2,), at a time of a phase.

        durations: of double and single support; a time beyond is one of the next phase. y - p =
        -a cosh in single, b sinh in double support about their middles, with p(t) the zero-moment
        point; a and b join them.
        """
        w, s = self.rate, self.pressure
        double, alone = durations
        if single and time > alone:  # the other foot is flat then
            return -self.motion(False, min(time - alone, double), durations)
        if not single and time > double:
            return self.motion(True, min(time - double, alone), durations)
        C, S = np.cosh(0.5 * w * alone), np.sinh(0.5 * w * alone)
        C2, S2 = np.cosh(0.5 * w * double), np.sinh(0.5 * w * double)
        b = 2.0 * s / (double * w * (C2 + S2 * S / C))
        if single:
            a, x = b * S2 / C, w * (time - 0.5 * alone)
            return self.trunk * np.array([s - a * np.cosh(x), -a * w * np.sinh(x)])
        x = w * (time - 0.5 * double)
        speed = 2.0 * s / double
        place = speed * time - s - b * np.sinh(x)
        return self.trunk * np.array([place, speed - b * w * np.cosh(x)])


@dataclass(frozen=True)
class SwingPathParameters(Checked, at="controller."):
    """Gait, SI; raises ScenarioError, one line, for what is none.

    trunk: O1; above: height of G1 over O1; heels: A10 and A11; toes: joints of the toes. speed:
    of the trunk in double and single support; height: of O1. step: of a foot ahead of the other
    one; lift: of the heel; progress: of the trunk in single support; toe_off: height of the heel
    behind at its end of double support; foot: from heel to toe. search: speed at which a heel that
    is late is let down. horizon: dt in double and single support. sway: lateral motion of the
    trunk, if any. ankles: points above the heels; where given, the swinging one is led as well, so
    that its foot comes down level. grounded: height at which a heel counts as down [m]. printed:
    the heel goes ahead by (4.4), in proportion to step and progress.
    """

    trunk: TrackedPoint
    above: float
    heels: tuple[TrackedPoint, TrackedPoint]
    toes: tuple[str, str]
    speed: tuple[float, float] = field(metadata=POSITIVE)
    height: float = field(metadata=POSITIVE)
    step: float = field(metadata=POSITIVE)
    lift: float = field(metadata=POSITIVE)
    progress: float = field(metadata=POSITIVE)
    toe_off: float
    foot: float = field(metadata=POSITIVE)
    horizon: tuple[float, float] = field(metadata=NOT_NEGATIVE)
    search: float = positive(0.02)
    sway: Sway | None = None
    ankles: tuple[TrackedPoint, TrackedPoint] | None = None
    grounded: float = 0.0
    printed: bool = False

    def __post_init__(self) -> None:
        """Refuse gaits that are none."""
        super().__post_init__()
        if not 0.0 < self.toe_off < self.foot:
            raise self.refusal(f"toe_off is {self.toe_off} m: give a height below {self.foot:g} m")
        if self.printed and self.ankles is not None:
            raise self.refusal("printed_path has no ankle for level_foot: choose one of the two")
        if not self.progress < self.step:
            message = f"progress is {self.progress} m in a step of {self.step} m: give less"
            raise self.refusal(message)

    @property
    def above_heel(self) -> float:
        """Height of an ankle over the heel [m]."""
        return 0.0 if self.ankles is None else self.ankles[0].p[2] - self.heels[0].p[2]

    @property
    def durations(self) -> tuple[float, float]:
        """Times in which double and single support lead toe and heel [s]."""
        return (self.step - self.progress) / self.speed[0], self.progress / self.speed[1]

    @property
    def spans(self) -> tuple[float, float]:
        """Times that the phases take: a heel is down before the end of its path [s]."""
        if self.grounded == 0.0:
            return self.durations

        def height(s: float) -> float:
            return _lifted(s, self.toe_off, 0.0, self.lift)[0] - self.grounded

        single = float(brentq(height, 0.5, 1.0)) * self.durations[1]
        return (self.step - single * self.speed[1]) / self.speed[0], single


class SwingPath(LeafSystem):
    """Places and velocities of O1, G1 and swinging heel, or of O1, G1 and the toe behind.

    Inputs: ``phase`` [index, start time], numbered as in `phase_selector`; ``start`` [q; v] when it
    started. Output: ``reference`` [p*; v*] at t + dt, n each: O1, the heel, G1 and, if it is led,
    the ankle in single support, n = 9 or 12; O1, G1, the angle of the toe behind and zeros in
    double support. [m], [rad].
    """

    def __init__(self, plant: MultibodyPlant, parameters: SwingPathParameters) -> None:
        """Take a continuous-time plant as the model of the robot."""
        super().__init__()
        self._plant = plant
        self._parameters, self._spans = parameters, parameters.spans
        self._context = plant.CreateDefaultContext()
        ankles = parameters.ankles or ()
        self._points = TrackedPoints(plant, (parameters.trunk, *parameters.heels, *ankles))
        self._size = 12 if ankles else 9
        self._toes = require_joints(plant, parameters.toes)
        # where points and toes are when a phase starts, read off once in it
        self._read, self._begin = b"", _Start(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(2))
        self._phase = self.DeclareVectorInputPort("phase", 2)
        self._start = self.DeclareVectorInputPort("start", plant.num_multibody_states())
        self.DeclareVectorOutputPort("reference", 2 * self._size, self._calc)

    def _calc(self, context: Context, output: BasicVector) -> None:
        index, began = self._phase.Eval(context)
        phase = int(index)
        ahead = context.get_time() - began + self._parameters.horizon[phase % 2]
        output.SetFromVector(self.reference(phase, ahead, self._start.Eval(context)).ravel())

    def reference(self, phase: int, time: float, start: Array) -> Array:
        """Return rows p*, v* (2, n) at a time after the start of a phase [s]."""
        p, begin = self._parameters, self._begin_of(start)
        flat, single = phase // 2, phase % 2
        trunk = begin.points[0]
        speed = p.speed[single]
        O1 = np.array([trunk[0] + speed * time, 0.0, p.height])
        v = np.array([speed, 0.0, 0.0])
        if p.sway is not None:
            O1[1], v[1] = self._across(p.sway, phase, time, begin)
        G1 = O1 + np.array([0.0, 0.0, p.above])
        wanted = np.zeros((2, self._size))
        if single:
            wanted[:, :3], wanted[:, 6:9] = (O1, v), (G1, v)
            wanted[:, 3:6] = self._swing(1, flat, time, begin)
            if p.ankles is not None:
                wanted[:, 9:] = self._swing(3, flat, time, begin)
            return wanted
        wanted[:, :3], wanted[:, 3:6] = (O1, v), (G1, v)
        wanted[:, 6] = self._toe(time, float(begin.toes[1 - flat]))
        return wanted

    def _across(self, sway: Sway, phase: int, time: float, start: "_Start") -> Array:
        """Place and speed of the trunk across: the pendulum's, from where the trunk is."""
        side, single = 1.0 - 2.0 * (phase // 2), bool(phase % 2)
        pendulum = side * sway.motion(single, time, self._spans)
        span = self._spans[phase % 2]
        lacks = start.points[0, 1] - side * sway.motion(single, 0.0, self._spans)[0]
        rest = _hermite(min(time / span, 1.0), lacks, 0.0, 0.0)
        return np.array([pendulum[0] + rest[0], pendulum[1] + rest[1] / span])

    def _begin_of(self, state: Array) -> "_Start":
        """Read points and toes off a state [q; v], unless it is that of the last time."""
        key = state.tobytes()
        if key != self._read:
            self._plant.SetPositionsAndVelocities(self._context, state)
            J, v = self._points.jacobian(self._context), self._plant.GetVelocities(self._context)
            toes = np.array([toe.GetOnePosition(self._context) for toe in self._toes])
            self._begin = _Start(self._points.positions(self._context), J @ v, toes)
            self._read = key
        return self._begin

    def _swing(self, row: int, flat: int, time: float, start: "_Start") -> Array:
        """Place and velocity (2, 3) of a point of the swinging foot: on to rest a step ahead.

        row: of the point of the left foot: a heel, or an ankle, which comes to lie above the heel.
        """
        p = self._parameters
        heel = 2 - flat
        height = 0.0 if row == 1 else p.above_heel
        begin, v = start.points[row + 1 - flat], start.rates[row + 1 - flat]
        last = p.durations[1]
        s = time / last
        ahead = start.points[1 + flat, 0] + p.step
        if p.printed:
            ahead = begin[0] + _printed(1.0, p.step)[0]
        end = np.array([ahead, start.points[heel, 1], height])
        if s >= 1.0:
            down = np.array([0.0, 0.0, -p.search])
            return np.array([end + down * (time - last), down])
        x = _hermite(s, begin[0], v[0] * last, end[0])
        if p.printed:
            way, rate = _printed(s, p.step)
            x = begin[0] + way, rate
        y = _hermite(s, begin[1], v[1] * last, end[1])
        z = _lifted(s, begin[2] - height, v[2] * last, p.lift)
        return np.array([[x[0], y[0], z[0] + height], [x[1] / last, y[1] / last, z[1] / last]])

    def _toe(self, time: float, begin: float) -> Array:
        """Angle and rate of the toe behind, whose heel rises to `toe_off`."""
        p = self._parameters
        end = -float(np.arcsin(p.toe_off / p.foot))
        s = min(time / p.durations[0], 1.0)
        angle, slope = _hermite(s, begin, 0.0, end)
        return np.array([angle, slope / p.durations[0]])


class _Start(NamedTuple):
    """Start of a phase: points (trunk, feet) [m] and velocities, (k, 3); toes (2,) [rad]."""

    points: Array
    rates: Array
    toes: Array


def _printed(s: float, step: float) -> tuple[float, float]:
    """Way ahead by (4.4) and its rate, over s in [0, 1]; with steps of 0.2 m as it is printed."""
    scale = 2.0 * step / _TRAVEL
    way = float(_AHEAD.integ()(s * _PROGRESS))
    return scale * way, scale * _PROGRESS * float(_AHEAD(s * _PROGRESS))


def _hermite(s: float, begin: float, slope: float, end: float) -> tuple[float, float]:
    """Quintic over s in [0, 1] from a place with a slope to rest, without acceleration at both."""
    blend, rate = s**3 * (10.0 + s * (6.0 * s - 15.0)), 30.0 * s**2 * (1.0 - s) ** 2
    carry = s + s**3 * (-6.0 + s * (8.0 - 3.0 * s))
    carries = 1.0 + s**2 * (-18.0 + s * (32.0 - 15.0 * s))
    return (
        begin + (end - begin) * blend + slope * carry,
        (end - begin) * rate + slope * carries,
    )


# z(s) = sum c_k s^k, k = 0 to 6: place and slope at 0, none bent there, height at 1/2, at rest on
# the ground at 1 without acceleration
_LIFTED = np.linalg.inv(
    np.array(
        [
            [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0],
            [0.5**k for k in range(7)],
            [1.0] * 7,
            [float(k) for k in range(7)],
            [float(k * (k - 1)) for k in range(7)],
        ]
    )
)


def _lifted(s: float, begin: float, slope: float, lift: float) -> tuple[float, float]:
    """Height over s in [0, 1]: on from a height and a slope, `lift` in the middle, 0 at the end."""
    c = _LIFTED @ np.array([begin, slope, 0.0, lift, 0.0, 0.0, 0.0])
    powers = s ** np.arange(7)
    return float(c @ powers), float((c[1:] * np.arange(1, 7)) @ powers[:-1])
