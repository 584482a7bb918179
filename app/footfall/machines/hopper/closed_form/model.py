"""Closed form of the two-link hopper of Oh and Huang (2021), corrected: motion and impacts.

Frame: x along the level ground, y up. Two equal uniform links of length 2 l and mass m, hinged at
Q: link 1 from P to Q, link 2 from Q to R. q = (x, y, theta1, theta2): (x, y) is the position of P,
theta1 the angle of link 1 from the x axis and theta2 the angle from link 1 to link 2, both counter-
clockwise; theta2 = 0 is a straight machine, +-pi a folded one. A torque tau acts on theta2:

    M q'' + B + G = F_q + W^T lambda,  F_q = (0, 0, 0, tau)

lambda = (lambda_t, lambda_n), the force of the ground on P along x and y. W = (W_t; W_n) of P is
constant, so that the W' q' of the document is zero.

State x = (q, q'), component first: shape (8,) for one state, (8, k) for many, real or complex. What
asks for q takes (4, ...) and as well x, of which it reads the first four rows.

The document numbers no equations; docstrings name its symbol and item (1 to 6). What it prints
wrongly is in misprints.md of this machine. Accelerations are solved about the mass
centre: with phi1 = theta1, phi2 = theta1 + theta2 two equations are left, of the matrix
[[J, K c2], [K c2, J]], J = 5/6 m l^2, K = 1/2 m l^2, c2 = cos(theta2), which is never singular.

Impacts of P, Q and R are by Chatterjee's law, as item 3 has it:

    M (q'+ - q'-) = W^T Lambda,  A = W M^-1 W^T
    Lambda^I = (0, -v_n-/A_nn)         without friction, nothing left of the approach
    Lambda^II = -A^-1 v-               plastic: nothing left of the velocity at all
    Lambda = (1 + e_n) Lambda^I + kappa (Lambda^II - Lambda^I)

kappa = 1 + e_t where that stays in the friction cone, else the smaller kappa that puts Lambda on
it. The document writes e_r for e_t once and asks for e_n = e_t = 0, "frictional fully plastic".

Source: J. Oh, X. Huang: Final project, hybrid dynamics of a robotic hopper. Course 036087, Hybrid
dynamics in mechanical systems, Technion, 2021. The law of impact: A. Chatterjee, A. Ruina: A new
algebraic rigid-body collision law based on impulse space considerations. Journal of Applied
Mechanics 65 (1998) 939-951.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.checked import Checked, between, not_negative, positive
from footfall.hybrid.component_first import Number, State, parts, stacked

COMPONENT_NAMES = ("x", "y", "theta1", "theta2", "dx", "dy", "dtheta1", "dtheta2")


@dataclass(frozen=True)
class HopperParameters(Checked):
    """Links, ground, drive and impact law; the defaults are the text's.

    m [kg] mass and l [m] half the length of a link, mu friction coefficient of P, tau_max [N m]
    bound of the torque, g [m/s^2] gravity: the document's configuration. e_n and e_t, restitution
    of Chatterjee's law along the normal and the tangent: its item 3, "fully plastic". Raises
    ValueError for numbers that no hopper can have.
    """

    m: float = positive(0.3)
    l: float = positive(0.15)
    mu: float = not_negative(0.3)
    tau_max: float = not_negative(10.0)
    g: float = positive(10.0)
    e_n: float = between(0.0, 0.0, 1.0)
    e_t: float = between(0.0, -1.0, 1.0)


TEXT = HopperParameters()
# The authors' public program (github.com/garlicbutter/HybridDynamicsFinal, lam_calc.m) sets g = 9.8
# over the 10 of their text; what it printed, and the text quotes, was computed with that.
CODE = HopperParameters(g=9.8)


class Point(NamedTuple):
    """A point of the machine: how many half lengths l along link 1 and along link 2 from P."""

    name: str
    along_1: float
    along_2: float


P = Point("P", 0.0, 0.0)
Q = Point("Q", 2.0, 0.0)
R = Point("R", 2.0, 2.0)
CG = Point("CG", 1.5, 0.5)  # of the whole machine
CONTACT_POINTS = (P, Q, R)


class ContactResponse(NamedTuple):
    """Motion of P without a force of the ground, and what a force there changes.

    turns: phi1'' and phi2'' without it [rad/s^2]; along, normal: acceleration of P without it
    [m/s^2]; A_tt, A_tn, A_nn: entries of A = W M^-1 W^T [1/kg]; by_t, by_n: change of the turns by
    a unit of lambda_t and lambda_n [1/(kg m)].
    """

    turns: tuple[Number, Number]
    along: Number
    normal: Number
    A_tt: Number
    A_tn: Number
    A_nn: Number
    by_t: tuple[Number, Number]
    by_n: tuple[Number, Number]


class Hopper:
    """Dynamics, momenta and energies of the hopper with given parameters.

    Attributes: parameters; mass of both links [kg]; turning and coupling, J and K of the module's
    docstring [kg m^2].
    """

    def __init__(self, parameters: HopperParameters = TEXT) -> None:
        """Take the parameters and form the products that the equations need."""
        self.parameters = p = parameters
        self.mass = 2.0 * p.m
        self.turning = p.m * p.l * p.l * 5.0 / 6.0
        self.coupling = p.m * p.l * p.l / 2.0

    # --- equations of motion ---------------------------------------------------------------------

    def inertia(self, q: State) -> State:
        """M(q) as printed, shape (4, 4, ...) [kg, kg m, kg m^2]."""
        p = self.parameters
        (_, _, th1, th2, *_), sin, cos = parts(q)
        lm, ml2 = p.l * p.m, p.m * p.l * p.l
        s14, c24 = -lm * sin(th1 + th2), lm * cos(th1 + th2)
        s13, c23 = s14 - 3.0 * lm * sin(th1), c24 + 3.0 * lm * cos(th1)
        c2 = cos(th2)
        m33, m34 = 4.0 / 3.0 * ml2 * (3.0 * c2 + 5.0), 2.0 / 3.0 * ml2 * (3.0 * c2 + 2.0)
        rows = stacked(
            *(self.mass, 0.0, s13, s14),
            *(0.0, self.mass, c23, c24),
            *(s13, c23, m33, m34),
            *(s14, c24, m34, 4.0 / 3.0 * ml2),
        )
        return rows.reshape(4, 4, *rows.shape[1:])

    def gravity(self, q: State) -> State:
        """G(q) = dV/dq as printed, shape (4, ...) [N, N m]."""
        p = self.parameters
        (_, _, th1, th2, *_), _, cos = parts(q)
        weight = p.l * p.g * p.m
        second = weight * cos(th1 + th2)
        return stacked(0.0, self.mass * p.g, second + 3.0 * weight * cos(th1), second)

    def response(self, x: State, torque: Number) -> ContactResponse:
        """Motion of P without the ground and its answer to a force there; torque: tau [N m]."""
        (_, _, th1, th2, _, _, w1, w2), sin, cos = parts(x)

        w12, th12 = w1 + w2, th1 + th2
        s1, c1, s12, c12 = sin(th1), cos(th1), sin(th12), cos(th12)
        J, k, bend = self.turning, self.coupling * cos(th2), self.coupling * sin(th2)
        load_1, load_2 = bend * w12 * w12 - torque, torque - bend * w1 * w1
        determinant = J * J - k * k
        turn_1 = (J * load_1 - k * load_2) / determinant
        turn_2 = (J * load_2 - k * load_1) / determinant
        a, b = -CG.along_1 * self.parameters.l, -CG.along_2 * self.parameters.l
        along = -a * (turn_1 * s1 + w1 * w1 * c1) - b * (turn_2 * s12 + w12 * w12 * c12)
        normal = a * (turn_1 * c1 - w1 * w1 * s1) + b * (turn_2 * c12 - w12 * w12 * s12)
        (A_tt, A_tn, A_nn), by_t, by_n = self._contact(P, s1, c1, s12, c12, k)
        normal = normal - self.parameters.g
        return ContactResponse((turn_1, turn_2), along, normal, A_tt, A_tn, A_nn, by_t, by_n)

    def contact_matrix(self, q: State, point: Point = P) -> State:
        """A = W M^-1 W^T of P, Q or R in the order (t, n), shape (2, 2, ...) [1/kg]."""
        (_, _, th1, th2, *_), sin, cos = parts(q)
        (A_tt, A_tn, A_nn), _, _ = self._contact(
            point, sin(th1), cos(th1), sin(th1 + th2), cos(th1 + th2), self.coupling * cos(th2)
        )
        rows = stacked(A_tt, A_tn, A_tn, A_nn)
        return rows.reshape(2, 2, *rows.shape[1:])

    def kick(self, q: State, point: Point, impulse: State) -> State:
        """M^-1 W^T impulse: change of q' (4, ...) by an impulse (t, n) [N s] at P, Q or R."""
        p = self.parameters
        (_, _, th1, th2, *_), sin, cos = parts(q)
        s1, c1, s12, c12 = sin(th1), cos(th1), sin(th1 + th2), cos(th1 + th2)
        _, by_t, by_n = self._contact(point, s1, c1, s12, c12, self.coupling * cos(th2))
        t, n = impulse[0], impulse[1]
        turn_1, turn_2 = by_t[0] * t + by_n[0] * n, by_t[1] * t + by_n[1] * n
        # of P: the change of the mass centre's velocity, and that of P about it
        a, b = -CG.along_1 * p.l, -CG.along_2 * p.l
        return stacked(
            t / self.mass - a * s1 * turn_1 - b * s12 * turn_2,
            n / self.mass + a * c1 * turn_1 + b * c12 * turn_2,
            turn_1,
            turn_2 - turn_1,
        )

    # --- energies and momenta --------------------------------------------------------------------

    def kinetic_energy(self, x: State) -> Number:
        """T of item 1 [J]: of the mass centre and of the links about it."""
        p = self.parameters
        (_, _, th1, th2, dx, dy, w1, w2), sin, cos = parts(x)
        w12, s1, c1, s12, c12 = w1 + w2, sin(th1), cos(th1), sin(th1 + th2), cos(th1 + th2)
        along = dx - p.l * (1.5 * s1 * w1 + 0.5 * s12 * w12)
        up = dy + p.l * (1.5 * c1 * w1 + 0.5 * c12 * w12)
        spinning = 0.5 * self.turning * (w1 * w1 + w12 * w12) + self.coupling * cos(th2) * w1 * w12
        return 0.5 * self.mass * (along * along + up * up) + spinning

    def potential_energy(self, q: State) -> Number:
        """V of item 1 [J], 0 with the mass centre on the ground."""
        p = self.parameters
        (_, y, th1, th2, *_), sin, _ = parts(q)
        return self.mass * p.g * (y + p.l * (1.5 * sin(th1) + 0.5 * sin(th1 + th2)))

    def energy(self, x: State) -> Number:
        """T + V [J]: kept in flight and in stick without torque."""
        return self.kinetic_energy(x) + self.potential_energy(x)

    def centroidal_angular_momentum(self, x: State) -> Number:
        """Angular momentum about the mass centre [kg m^2/s]: kept in flight whatever the torque."""
        (_, _, _, th2, _, _, w1, w2), _, cos = parts(x)
        w12 = w1 + w2
        return (self.turning + self.coupling * cos(th2)) * (w1 + w12)

    # --- the pieces ------------------------------------------------------------------------------

    def _contact(
        self, point: Point, s1: Number, c1: Number, s12: Number, c12: Number, k: Number
    ) -> tuple[tuple[Number, Number, Number], tuple[Number, Number], tuple[Number, Number]]:
        """A_tt, A_tn, A_nn of a point, and the turns that a unit of force there brings; k: K c2."""
        a = (point.along_1 - CG.along_1) * self.parameters.l
        b = (point.along_2 - CG.along_2) * self.parameters.l
        # velocity of the point about the mass centre = (t1, n1) phi1' + (t2, n2) phi2'
        t1, t2, n1, n2 = -a * s1, -b * s12, a * c1, b * c12
        J = self.turning
        determinant = J * J - k * k
        by_t = (J * t1 - k * t2) / determinant, (J * t2 - k * t1) / determinant
        by_n = (J * n1 - k * n2) / determinant, (J * n2 - k * n1) / determinant
        light = 1.0 / self.mass
        A_tt = light + t1 * by_t[0] + t2 * by_t[1]
        A_tn = n1 * by_t[0] + n2 * by_t[1]
        A_nn = light + n1 * by_n[0] + n2 * by_n[1]
        return (A_tt, A_tn, A_nn), by_t, by_n


STEEPEST_LINE = math.radians(60.0)  # line PR from the y axis, in absolute value: item 5


def position(machine: Hopper, q: State, point: Point) -> State:
    """R of a point, (2, ...) [m]; r_CG with the y that the document leaves out."""
    (x, y, th1, th2, *_), sin, cos = parts(q)
    a, b = point.along_1 * machine.parameters.l, point.along_2 * machine.parameters.l
    th12 = th1 + th2
    return stacked(x + a * cos(th1) + b * cos(th12), y + a * sin(th1) + b * sin(th12))


def velocity(machine: Hopper, x: State, point: Point) -> State:
    """Velocity of a point, (2, ...) [m/s]."""
    (_, _, th1, th2, dx, dy, w1, w2), sin, cos = parts(x)
    a, b = point.along_1 * machine.parameters.l * w1, point.along_2 * machine.parameters.l
    th12, b = th1 + th2, b * (w1 + w2)
    return stacked(dx - a * sin(th1) - b * sin(th12), dy + a * cos(th1) + b * cos(th12))


def momentum(machine: Hopper, x: State) -> State:
    """Momentum of both links, (2, ...) [kg m/s]."""
    return machine.mass * velocity(machine, x, CG)


class JumpMargins(NamedTuple):
    """Margins of items 2 and 5, of a pose and of the torque, each met where it is positive.

    height_P, height_Q, height_R: above the ground [m]; P may be at 0, Q or R at 0 end the jump.
    Q_above_P, R_above_Q [m]: 0 < theta1 < pi and 0 < theta1 + theta2 < pi. PR_forward, PR_backward
    [rad]: theta1 + theta2/2 above 30 and below 150 degrees, which is the angle of the line PR while
    nothing is folded. unfolded_left, unfolded_right [rad]: theta2 below pi and above -pi.
    torque_above, torque_below [N m]: tau below tau_max and above -tau_max.
    """

    height_P: Number
    height_Q: Number
    height_R: Number
    Q_above_P: Number
    R_above_Q: Number
    PR_forward: Number
    PR_backward: Number
    unfolded_left: Number
    unfolded_right: Number
    torque_above: Number
    torque_below: Number


def margins(machine: Hopper, q: State, torque: Number = 0.0) -> JumpMargins:
    """All margins of a pose and a torque tau [N m]; analytic, so that they serve as guards."""
    p = machine.parameters
    (_, y, th1, th2, *_), sin, _ = parts(q)
    rise_1, rise_2 = 2.0 * p.l * sin(th1), 2.0 * p.l * sin(th1 + th2)
    line = th1 + 0.5 * th2 - 0.5 * math.pi
    return JumpMargins(
        height_P=y,
        height_Q=y + rise_1,
        height_R=y + rise_1 + rise_2,
        Q_above_P=rise_1,
        R_above_Q=rise_2,
        PR_forward=STEEPEST_LINE + line,
        PR_backward=STEEPEST_LINE - line,
        unfolded_left=math.pi - th2,
        unfolded_right=math.pi + th2,
        torque_above=p.tau_max - torque,
        torque_below=p.tau_max + torque,
    )


class HopperImpact(NamedTuple):
    """Outcome of an impact, component first.

    x: state after, of the same pose; impulse: Lambda of the ground (t, n) [N s]; kappa of the law;
    inside: whether kappa is 1 + e_t, so that friction suffices (with e_n = e_t = 0 the point then
    stands).
    """

    x: State
    impulse: State
    kappa: Number
    inside: npt.NDArray[np.bool_]


def impact(machine: Hopper, x: State, point: Point = P) -> HopperImpact:
    """State and impulse after P, Q or R has struck; x before, with the point on the ground.

    Analytic on either side of the cone. A point that slides along the ground without approach gets
    no impulse, but where its lever is negative (Painleve) one that stops it: that is the way out
    of a state in which neither slip nor flight can go on. Raises ValueError for a point that moves
    off the ground.
    """
    p, x = machine.parameters, np.asarray(x)
    v_t, v_n = velocity(machine, x, point)
    if np.any(np.real(v_n) > 0.0):
        raise ValueError(f"{point.name} moves off the ground, so that nothing strikes it")
    (A_tt, A_tn), (_, A_nn) = machine.contact_matrix(x, point)
    first = -v_n / A_nn
    slide = v_t + A_tn * first  # velocity along the ground that Lambda^I leaves
    determinant = A_tt * A_nn - A_tn * A_tn
    turn_t, turn_n = -A_nn * slide / determinant, A_tn * slide / determinant
    kappa, inside = _kappa(p.mu, (1.0 + p.e_n) * first, 1.0 + p.e_t, turn_t, turn_n)
    impulse = stacked(kappa * turn_t, (1.0 + p.e_n) * first + kappa * turn_n)
    rates = x[4:] + machine.kick(x, point, impulse)
    if point is P:
        # its velocity without the roundings of the sums above: a point that stands has exactly 0
        rates = stacked(
            (1.0 - kappa) * slide + p.e_n * A_tn * first, -p.e_n * v_n, rates[2], rates[3]
        )
    return HopperImpact(np.concatenate([x[:4] + 0.0 * rates, rates]), impulse, kappa, inside)


def _kappa(
    mu: Number, press: Number, whole: Number, turn_t: Number, turn_n: Number
) -> tuple[Any, npt.NDArray[np.bool_]]:
    """Factor of (turn_t, turn_n), and whether it is the whole one; branches by real parts."""
    size = np.where(np.real(turn_t) < 0.0, -turn_t, turn_t)
    inside = np.real(whole * size - mu * (press + whole * turn_n)) <= 0.0
    # outside the cone size - mu turn_n exceeds what the whole turn needs and is positive
    limited = mu * press / np.where(inside, 1.0, size - mu * turn_n)
    return np.where(inside, whole, limited)[()], inside
