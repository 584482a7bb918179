"""Closed form of the compass biped of Roncagliolo and Vindolet (2020), corrected, with a hip mass.

Frames: the slope frame, x along the slope (downhill where theta > 0), y its outward normal. Leg 1
stands with its foot at the origin. u(a) = (-sin a, cos a): hip = l u(q1), foot 2 = hip + l u(q1 +
q2); q1 is the stance leg's angle from the normal, q2 the angle from leg 1 to leg 2, both counter-
clockwise; q2 = pi puts the legs together. Single support: A q'' + H + Q = B Gamma, B = (0, 1).

State x = (q1, q2, q1', q2'), component first: shape (4,) for one state, (4, k) for many, real or
complex. What asks for q takes (2, ...) and as well x, of which it reads the first two rows.

The document prints (1)-(37) with several slips (misprints.md of this machine lists them) and knows
no hip mass: every term with m_hip is an extension, 0 by default.

A heel strike is plastic and instantaneous, in the coordinates (x, y, q1, q2) of the walker without
a ground, x and y those of the hip (the document's (47)-(49) call it G). (46) reads, corrected,

    [[A1, -J_R2^T], [J_R2, 0]] [v+; I_R] = [A1 v-; 0],  v = (x', y', q1', q2')

The ground pushes foot 2 alone, so that the moments of momentum of the whole walker about foot 2 and
of leg 1 about the hip are kept: two equations for the two rates after. These are solved here.

Source: S. Roncagliolo, C. Vindolet: Dynamic modeling of a compass. Humanoid Robotics, Ecole
Centrale de Nantes, master CORO-IMARO, 25 November 2020; its equations are numbered here.

The pieces of the equations take numbers or arrays, real or complex: sines, cosines and speeds. Of a
few walkers at once, thirty operations on arrays take ten times as long as the arithmetic in them;
hence the kernel.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable

from footfall.hybrid.component_first import Number, State, parts, stacked
from footfall.jit import njit


@register_jitable
def inertia(leg: Number, stance: Number, coupling: Number, c2: Number) -> tuple[Number, Number]:
    """A11 and A12 [kg m^2]; A22 is that of the leg."""
    bent = coupling * c2
    return stance + leg + 2.0 * bent, leg + bent


@register_jitable
def coriolis(coupling: Number, s2: Number, w1: Number, w2: Number) -> tuple[Number, Number]:
    """H1 and H2 [N m]."""
    bent = coupling * s2
    return -bent * w2 * (2.0 * w1 + w2), bent * w1 * w1


@register_jitable
def gravity(
    weights: tuple[Number, Number],
    slope: tuple[Number, Number],
    sines: tuple[Number, Number],
    cosines: tuple[Number, Number],
) -> tuple[Number, Number]:
    """Q1 and Q2 [N m], the sums of angles by their theorem.

    weights: of leg 1 and leg 2 times their arms [N m]. slope: its sine and cosine.
    """
    (s1, s2), (c1, c2) = sines, cosines
    lean = s1 * slope[1] - c1 * slope[0]  # of leg 1 from the vertical
    upright = c1 * slope[1] + s1 * slope[0]
    second = -weights[1] * (lean * c2 + upright * s2)
    return second - weights[0] * lean, second


@register_jitable
def acceleration(
    constants: tuple[Number, ...],
    sines: tuple[Number, Number],
    cosines: tuple[Number, Number],
    speeds: tuple[Number, Number],
    torque: Number,
) -> tuple[Number, Number]:
    """q1'' and q2'' by Cramer's rule [rad/s^2]; constants: `Compass.constants`."""
    leg, stance, coupling, weight_1, weight_2, sin_slope, cos_slope = constants
    a11, a12 = inertia(leg, stance, coupling, cosines[1])
    h1, h2 = coriolis(coupling, sines[1], speeds[0], speeds[1])
    g1, g2 = gravity((weight_1, weight_2), (sin_slope, cos_slope), sines, cosines)
    r1, r2 = -h1 - g1, torque - h2 - g2
    determinant = a11 * leg - a12 * a12
    return (leg * r1 - a12 * r2) / determinant, (a11 * r2 - a12 * r1) / determinant


def rates(constants: State, x: State, torque: Number) -> State:
    """Rates of states x (4, k) of walkers with constants (7, k) or (7, 1) under torques [N m]."""
    kind = np.result_type(constants, x, torque, np.float64)
    out = np.empty(x.shape, kind)
    _fill(
        constants.astype(kind, copy=False),
        x.astype(kind, copy=False),
        np.asarray(torque, kind).reshape(-1),
        out,
    )
    return out


@njit
def _fill(constants: State, x: State, torque: State, out: State) -> None:
    # of one column for all states, without a view of as many, which takes as long as the rest
    own_constants, own_torque = int(constants.shape[1] > 1), int(len(torque) > 1)
    for k in range(x.shape[1]):
        q1, q2, w1, w2 = x[0, k], x[1, k], x[2, k], x[3, k]
        c = constants[:, k * own_constants]
        out[0, k], out[1, k] = w1, w2
        out[2, k], out[3, k] = acceleration(
            (c[0], c[1], c[2], c[3], c[4], c[5], c[6]),
            (np.sin(q1), np.sin(q2)),
            (np.cos(q1), np.cos(q2)),
            (w1, w2),
            torque[k * own_torque],
        )


COMPONENT_NAMES = ("q1", "q2", "dq1", "dq2")


@dataclass(frozen=True)
class CompassParameters:
    """Leg, hip, slope theta [rad] (positive: downhill is +x) and gravity g [m/s^2].

    A leg: length l [m], mass m [kg], inertia I about the mass centre [kg m^2], which is s [m] from
    the hip. The hip: mass m_hip [kg]. A number may have an imaginary part, for derivatives by a
    step into the complex numbers; only real parts are judged. Of k walkers at once it may be an
    array (k,). Raises ValueError for numbers that no walker can have.
    """

    l: float
    m: float
    I: float
    s: float
    m_hip: float = 0.0
    theta: float = 0.0
    g: float = 9.81

    @property
    def unit(self) -> float:
        """Time of a pendulum of the leg's length, sqrt(l / g) [s]."""
        return math.sqrt(self.l / self.g)

    def __post_init__(self) -> None:
        """Refuse numbers without meaning, and legs that could be turned without any torque."""
        names = ("l", "m", "I", "s", "m_hip", "theta", "g")
        real = {name: np.real(getattr(self, name)) for name in names}
        low = {name: float(np.min(value)) for name, value in real.items()}
        high = {name: float(np.max(value)) for name, value in real.items()}
        if not all(math.isfinite(number) for number in (*low.values(), *high.values())):
            raise ValueError(f"parameters must be finite, got {self}")
        if min(low["l"], low["m"], low["g"]) <= 0.0:
            raise ValueError(f"l, m and g must be positive, got {self}")
        if min(low["I"], low["m_hip"]) < 0.0:
            raise ValueError(f"I and m_hip must not be negative, got {self}")
        if not 0.0 <= low["s"] <= high["s"] <= low["l"]:
            raise ValueError(f"0 <= s <= l is needed: a mass centre is on its leg, got {self}")
        if max(-low["theta"], high["theta"]) >= 0.5 * math.pi:
            raise ValueError(f"the slope theta must be below pi/2 = 90 degrees, got {self}")
        at_hip, at_foot = low["s"] == 0.0, high["s"] == low["l"]
        if low["I"] == 0.0 and (at_hip or (at_foot and low["m_hip"] == 0.0)):
            raise ValueError(
                "legs of point masses at the hip, or at the feet below a hip without mass, have a "
                f"singular inertia matrix: give I > 0 or another s, got {self}"
            )


# What the document's authors took, and its laboratory exercise: a stable gait needs case 2.
AUTHORS = CompassParameters(l=0.8, m=2.0, I=0.1, s=0.5, theta=math.radians(2.0))
LAB_CASE_1 = CompassParameters(l=0.8, m=2.0, I=0.1, s=0.5, theta=math.radians(3.0))
LAB_CASE_2 = CompassParameters(l=0.8, m=2.0, I=0.08, s=0.45, theta=math.radians(3.0))
# A. Goswami, B. Thuilot, B. Espiau: A study of the passive gait of a compass-like biped robot,
# International Journal of Robotics Research 17 (1998) 1282-1301: a = b = 0.5 m, m_H / m = 2.
GOSWAMI = CompassParameters(l=1.0, m=5.0, I=0.0, s=0.5, m_hip=10.0, theta=math.radians(3.0))


class Points(NamedTuple):
    """Foot, mass centre and hip of the stance leg, mass centre and foot of the other: (2, ...)."""

    foot_1: State
    centre_1: State
    hip: State
    centre_2: State
    foot_2: State


def sigma(q: State) -> Number:
    """2 q1 + q2 - pi: 0 where both feet are on the ground; falling at a heel strike."""
    return 2.0 * q[0] + q[1] - np.pi


def delta(q: State) -> Number:
    """q2 - pi: the angle from the stance leg to the other; positive where its foot is ahead."""
    return q[1] - np.pi


class Compass:
    """Single support of the compass with given parameters: dynamics, reaction, energy, geometry.

    Attributes: parameters; leg_inertia of a leg about the hip, stance_inertia about the foot of all
    but the swinging leg, whose mass counts at the hip, and their coupling m l s [kg m^2];
    stance_arm and swing_arm, mass times distance that moves with leg 1 and leg 2 [kg m]; mass of
    the whole walker [kg]; constants: those that the equations of motion take.
    """

    def __init__(self, parameters: CompassParameters) -> None:
        """Take the parameters and form the products that the equations need."""
        self.parameters = p = parameters
        self.leg_inertia = p.m * p.s**2 + p.I
        self.stance_inertia = p.m * (p.l - p.s) ** 2 + p.I + (p.m + p.m_hip) * p.l**2
        self.coupling = p.m * p.l * p.s
        self.stance_arm = p.m * (2.0 * p.l - p.s) + p.m_hip * p.l
        self.swing_arm = p.m * p.s
        self.mass = 2.0 * p.m + p.m_hip
        (slope,), sin, cos = parts(np.array([p.theta]))
        self._sin, self._cos = sin(slope), cos(slope)
        self.constants = (
            *(self.leg_inertia, self.stance_inertia, self.coupling),
            *(p.g * self.stance_arm, p.g * self.swing_arm, self._sin, self._cos),
        )
        self._columns = stacked(*self.constants).reshape(len(self.constants), -1)

    # --- equations of motion ---------------------------------------------------------------------

    def inertia(self, q: State) -> State:
        """A(q), (23) with + I once less and I for 1, shape (2, 2, ...) [kg m^2]."""
        (_, q2, *_), _, cos = parts(q)
        a11, a12 = self._inertia(cos(q2))
        rows = stacked(a11, a12, a12, self.leg_inertia)
        return rows.reshape(2, 2, *rows.shape[1:])

    def coriolis(self, x: State) -> State:
        """H(q, q'), (37) with the factor 2 of (34) before q1' q2', shape (2, ...) [N m]."""
        (_, q2, w1, w2), sin, _ = parts(x)
        return stacked(*coriolis(self.coupling, sin(q2), w1, w2))

    def gravity(self, q: State) -> State:
        """Q(q) = dU/dq, (30) and (31), which (1) leaves out, shape (2, ...) [N m]."""
        (q1, q2, *_), sin, cos = parts(q)
        weights, slope = self.constants[3:5], self.constants[5:]
        angles = (sin(q1), sin(q2)), (cos(q1), cos(q2))
        return stacked(*gravity(weights, slope, *angles))

    def acceleration(self, x: State, torque: Number = 0.0) -> State:
        """Accelerations A^-1 (B Gamma - H - Q), (2, ...) [rad/s^2]; torque: Gamma on q2 [N m]."""
        return self.derivative(0.0, x, torque)[2:]

    def derivative(self, _: Number, x: State, torque: Number = 0.0) -> State:
        """Rates x' = (q1', q2', q1'', q2'') at any time, shape of x; torque: Gamma on q2 [N m]."""
        if np.ndim(x) == 2:
            return rates(self._columns, np.asarray(x), torque)
        (q1, q2, w1, w2), sin, cos = parts(x)
        angles = (sin(q1), sin(q2)), (cos(q1), cos(q2))
        turns = acceleration(self.constants, *angles, (w1, w2), torque)
        return np.array([w1, w2, *turns])

    def reaction(self, x: State, acceleration: State) -> State:
        """Force of the ground on foot 1 (tangential, normal), (45), shape (2, ...) [N].

        acceleration: q'' (2, ...) of the motion; M of (45) is the whole mass. A walker that stands
        has a positive normal force and |tangential| <= mu normal.
        """
        (q1, q2, w1, w2), sin, cos = parts(x)
        turn_1, turn_2 = acceleration[0], acceleration[0] + acceleration[1]
        arm_1, arm_2 = self.stance_arm, self.swing_arm
        along_1, along_2 = -arm_1 * w1 * w1, -arm_2 * (w1 + w2) * (w1 + w2)
        across_1, across_2 = arm_1 * turn_1, arm_2 * turn_2
        s1, c1, s2, c2 = sin(q1), cos(q1), sin(q1 + q2), cos(q1 + q2)
        weight = self.mass * self.parameters.g
        return stacked(
            -along_1 * s1 - across_1 * c1 - along_2 * s2 - across_2 * c2 - weight * self._sin,
            along_1 * c1 - across_1 * s1 + along_2 * c2 - across_2 * s2 + weight * self._cos,
        )

    # --- energies --------------------------------------------------------------------------------

    def kinetic_energy(self, x: State) -> Number:
        """T = 1/2 q'^T A q', (12) [J]."""
        (_, q2, w1, w2), _, cos = parts(x)
        a11, a12 = self._inertia(cos(q2))
        return 0.5 * (a11 * w1 * w1 + self.leg_inertia * w2 * w2) + a12 * w1 * w2

    def potential_energy(self, q: State) -> Number:
        """U, the sum of (28) and (29), above the stance foot [J]."""
        (q1, q2, *_), sin, cos = parts(q)
        upright_1 = cos(q1) * self._cos + sin(q1) * self._sin
        upright_2 = cos(q1 + q2) * self._cos + sin(q1 + q2) * self._sin
        return self.parameters.g * (self.stance_arm * upright_1 + self.swing_arm * upright_2)

    def energy(self, x: State) -> Number:
        """T + U above the stance foot [J]: constant over a step without torque."""
        return self.kinetic_energy(x) + self.potential_energy(x)

    # --- geometry --------------------------------------------------------------------------------

    def points(self, q: State) -> Points:
        """Feet, mass centres (2), (4) and hip as seen from the stance foot, (2, ...) each [m]."""
        (q1, q2, *_), sin, cos = parts(q)
        u1, u2 = stacked(-sin(q1), cos(q1)), stacked(-sin(q1 + q2), cos(q1 + q2))
        return self._along_legs(u1, u2)

    def velocities(self, x: State) -> Points:
        """Velocities of the same points while foot 1 stands, (6) and (8), (2, ...) each [m/s]."""
        (q1, q2, w1, w2), sin, cos = parts(x)
        a1, a2, turn = q1, q1 + q2, w1 + w2
        return self._along_legs(
            stacked(-w1 * cos(a1), -w1 * sin(a1)), stacked(-turn * cos(a2), -turn * sin(a2))
        )

    def swing_advance(self, q: State) -> Number:
        """Distance of the swing foot ahead of the other, 2 l cos(sigma/2) sin(delta/2) [m]."""
        (q1, q2, *_), sin, cos = parts(q)
        ahead = 0.5 * (q2 - math.pi)
        return 2.0 * self.parameters.l * cos(q1 + ahead) * sin(ahead)

    # --- the pieces ------------------------------------------------------------------------------

    def _along_legs(self, u1: State, u2: State) -> Points:
        """Foot to foot along two directions."""
        p = self.parameters
        hip = p.l * u1
        return Points(0.0 * u1, (p.l - p.s) * u1, hip, hip + p.s * u2, hip + p.l * u2)

    def _inertia(self, cos_q2: Number) -> tuple[Number, Number]:
        """A11 and A12; A22 is constant."""
        return inertia(self.leg_inertia, self.stance_inertia, self.coupling, cos_q2)


class LegImpact(NamedTuple):
    """State and impulse after an impact, component first.

    x: (q1, q2, q1'+, q2'+), the legs not yet swapped; hip: velocity of the hip (x'+, y'+) [m/s];
    impulse: I_R of the ground on foot 2 (tangential, normal) [N s].
    """

    x: State
    hip: State
    impulse: State


def free_inertia(machine: Compass, q: State) -> State:
    """A1(q) of (56), in hip coordinates (x, y, q1, q2), shape (4, 4, ...).

    Against the printed coefficients: a factor s in those between hip and legs, a43 = a34.
    """
    (q1, q2, *_), sin, cos = parts(q)
    arm, leg, total = machine.swing_arm, machine.leg_inertia, machine.mass
    a14, a24 = -arm * cos(q1 + q2), -arm * sin(q1 + q2)
    a13, a23 = arm * cos(q1) + a14, arm * sin(q1) + a24
    rows = stacked(
        *(total, 0.0, a13, a14),
        *(0.0, total, a23, a24),
        *(a13, a23, 2.0 * leg, leg),
        *(a14, a24, leg, leg),
    )
    return rows.reshape(4, 4, *rows.shape[1:])


def impact(machine: Compass, x: State) -> LegImpact:
    """Rates, hip velocity and impulse after touch-down of foot 2; x before, with foot 1 at rest."""
    p = machine.parameters
    (q1, q2, w1, w2), sin, cos = parts(x)
    c, before_2 = cos(q2), w1 + w2
    leg, rest, coupling = machine.leg_inertia, machine.stance_inertia, machine.coupling * c
    offset_inertia = p.I - p.m * p.s * (p.l - p.s)
    of_leg = offset_inertia * w1  # leg 1 about the hip
    # all about foot 2, less that
    of_rest = offset_inertia * before_2 - (2.0 * p.m * (p.l - p.s) + p.m_hip * p.l) * p.l * c * w1
    determinant = leg * rest - coupling * coupling
    turn_1 = (rest * of_leg - coupling * of_rest) / determinant
    turn_2 = (leg * of_rest - coupling * of_leg) / determinant
    s1, c1, s2, c2 = sin(q1), cos(q1), sin(q1 + q2), cos(q1 + q2)
    hip = stacked(p.l * turn_2 * c2, p.l * turn_2 * s2)
    # momentum after less momentum before: along (-c1, -s1) of leg 1 and along (-c2, -s2) of leg 2
    across_1 = -machine.swing_arm * turn_1 - machine.stance_arm * w1
    across_2 = -machine.stance_arm * turn_2 - machine.swing_arm * before_2
    impulse = stacked(-across_1 * c1 - across_2 * c2, -across_1 * s1 - across_2 * s2)
    return LegImpact(stacked(q1, q2, turn_1, turn_2 - turn_1), hip, impulse)


def swap(x: State) -> State:
    """The same walker with the names of the legs exchanged, shape of x; twice is once around.

    q1 <- q1 + q2 - pi, q2 <- 2 pi - q2, and their rates; the document does not print it.
    """
    q1, q2, w1, w2 = x
    return np.array([q1 + q2 - np.pi, 2.0 * np.pi - q2, w1 + w2, -w2])


def heel_strike(machine: Compass, x: State) -> State:
    """State with which the next step begins: impact, then swap; shape of x."""
    return swap(impact(machine, x).x)
