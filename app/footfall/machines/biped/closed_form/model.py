"""Closed form of the planar 4-link biped of Kanehara's TUlip report (part II, section ii).

Frames: everything is expressed in the slope frame (e1 along the slope, e2 its outward normal),
whose e1 is turned by ``alpha`` counter-clockwise from the horizontal; ``alpha < 0`` makes gravity
pull towards +x. Coordinates ``q = [x, z, theta1, theta2, theta3, theta4]``: hip position [m], then
thigh A, knee A, thigh B, knee B [rad]. theta1 and theta3 are absolute angles, theta2 and theta4
relative ones, counter-clockwise positive. Point masses: 0 hip, 1 knee A, 2 foot A, 3 knee B, 4 foot
B; each of them is a contact point.

The equations of motion are written with the report's sign,
``M u' - H = W_N lambda_N + W_T lambda_T + S tau``. Its derivation script prints z components of r4
and r5 with l1 where l3 and l4 belong; here they are right, so that legs of different length work.

Rotors behind gears add J n^2 on the diagonal of M, as part I.ii of the report says of the
three-dimensional robot, and nothing to H. Those of the thighs turn n times as fast as theta1 and
theta3, which are absolute angles: against a body that does not turn.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, finite, not_negative, positive
from footfall.jit import njit

NUM_Q = 6
NUM_POINTS = 5
POINT_NAMES = ("hip", "knee_a", "foot_a", "knee_b", "foot_b")
COORDINATE_NAMES = ("x", "z", "theta1", "theta2", "theta3", "theta4")


class PackedParameters(NamedTuple):
    """The parameters as the kernels take them; gravity is in the slope frame."""

    masses: Array
    lengths: Array
    gravity: Array
    reflected: Array


@dataclass(frozen=True)
class BipedParameters(Checked):
    """Masses [kg], link lengths [m], slope [rad], gravity [m/s^2] and rotors [kg m^2].

    reflected: inertias J n^2 of the rotors as theta1 to theta4 feel them. The defaults are those of
    the report's main script, which has no rotors.
    """

    m: tuple[float, float, float, float, float] = positive((1.0, 0.5, 0.5, 0.5, 0.5))
    l: tuple[float, float, float, float] = positive((1.0, 1.0, 1.0, 1.0))
    alpha: float = finite(-float(np.deg2rad(5.0)))
    g: float = finite(9.81)
    reflected: tuple[float, float, float, float] = not_negative((0.0, 0.0, 0.0, 0.0))

    def packed(self) -> PackedParameters:
        """Return masses (5,), lengths (4,), gravity (2,) and reflected inertias (4,)."""
        gravity = -self.g * np.array([np.sin(self.alpha), np.cos(self.alpha)])
        masses, lengths, reflected = map(np.array, (self.m, self.l, self.reflected))
        return PackedParameters(masses, lengths, gravity, reflected)


@njit
def points_kernel(q: Array, lengths: Array) -> Array:
    """Positions of the five masses, shape (5, 2), slope frame, metres."""
    r = np.empty((NUM_POINTS, 2))
    r[0, 0], r[0, 1] = q[0], q[1]
    for leg in range(2):
        thigh = q[2 + 2 * leg]
        shank = thigh + q[3 + 2 * leg]
        knee, foot = 1 + 2 * leg, 2 + 2 * leg
        r[knee, 0] = q[0] + lengths[2 * leg] * np.sin(thigh)
        r[knee, 1] = q[1] - lengths[2 * leg] * np.cos(thigh)
        r[foot, 0] = r[knee, 0] + lengths[2 * leg + 1] * np.sin(shank)
        r[foot, 1] = r[knee, 1] - lengths[2 * leg + 1] * np.cos(shank)
    return r


@njit
def jacobians_kernel(q: Array, lengths: Array) -> Array:
    """Jacobians dr_i/dq of the five masses, shape (5, 2, 6)."""
    jac = np.zeros((NUM_POINTS, 2, NUM_Q))
    for i in range(NUM_POINTS):
        jac[i, 0, 0] = 1.0
        jac[i, 1, 1] = 1.0
    for leg in range(2):
        a, b = 2 + 2 * leg, 3 + 2 * leg
        knee, foot = 1 + 2 * leg, 2 + 2 * leg
        thigh = q[a]
        shank = thigh + q[b]
        upper, lower = lengths[2 * leg], lengths[2 * leg + 1]
        jac[knee, 0, a] = upper * np.cos(thigh)
        jac[knee, 1, a] = upper * np.sin(thigh)
        jac[foot, 0, b] = lower * np.cos(shank)
        jac[foot, 1, b] = lower * np.sin(shank)
        jac[foot, 0, a] = jac[knee, 0, a] + jac[foot, 0, b]
        jac[foot, 1, a] = jac[knee, 1, a] + jac[foot, 1, b]
    return jac


@njit
def convective_kernel(q: Array, u: Array, lengths: Array) -> Array:
    """Accelerations of the masses at q'' = 0, (dJ_i/dt) u, shape (5, 2)."""
    acc = np.zeros((NUM_POINTS, 2))
    for leg in range(2):
        a, b = 2 + 2 * leg, 3 + 2 * leg
        knee, foot = 1 + 2 * leg, 2 + 2 * leg
        thigh = q[a]
        shank = thigh + q[b]
        w_thigh = u[a]
        w_shank = u[a] + u[b]
        upper, lower = lengths[2 * leg], lengths[2 * leg + 1]
        acc[knee, 0] = -upper * np.sin(thigh) * w_thigh**2
        acc[knee, 1] = upper * np.cos(thigh) * w_thigh**2
        acc[foot, 0] = acc[knee, 0] - lower * np.sin(shank) * w_shank**2
        acc[foot, 1] = acc[knee, 1] + lower * np.cos(shank) * w_shank**2
    return acc


@njit
def mass_matrix_kernel(jac: Array, machine: PackedParameters) -> Array:
    """Mass matrix M = sum m_i J_i^T J_i and the rotors on its diagonal, shape (6, 6)."""
    mass = np.zeros((NUM_Q, NUM_Q))
    for i in range(NUM_POINTS):
        mass += machine.masses[i] * (jac[i].T @ jac[i])
    for j in range(machine.reflected.size):
        mass[2 + j, 2 + j] += machine.reflected[j]
    return mass


@njit
def h_kernel(jac: Array, convective: Array, masses: Array, gravity: Array) -> Array:
    """The report's H = sum m_i J_i^T (gravity - (dJ_i/dt) u), shape (6,)."""
    h = np.zeros(NUM_Q)
    for i in range(NUM_POINTS):
        h += masses[i] * (jac[i].T @ (gravity - convective[i]))
    return h


class Biped:
    """The report's matrices at a state; q and u have shape (6,), SI units, slope frame."""

    def __init__(self, parameters: BipedParameters | None = None) -> None:
        """Take the parameters; the report's when none are given."""
        self.parameters = parameters if parameters is not None else BipedParameters()
        self._packed = self.parameters.packed()
        self._masses, self._lengths, self._gravity, _ = self._packed

    def points(self, q: Array) -> Array:
        """Positions r_1..r_5 of the masses, shape (..., 5, 2) for q of shape (..., 6)."""
        q = np.asarray(q, dtype=np.float64)
        flat = np.array([points_kernel(row, self._lengths) for row in q.reshape(-1, NUM_Q)])
        return flat.reshape((*q.shape[:-1], NUM_POINTS, 2))

    def mass_matrix(self, q: Array) -> Array:
        """M(q), shape (6, 6)."""
        return mass_matrix_kernel(jacobians_kernel(q, self._lengths), self._packed)

    def h(self, q: Array, u: Array) -> Array:
        """H(q, u) with the stepper's sign (gravity and minus the centrifugal terms), shape (6,)."""
        jac = jacobians_kernel(q, self._lengths)
        return h_kernel(jac, convective_kernel(q, u, self._lengths), self._masses, self._gravity)

    def w_n(self, q: Array) -> Array:
        """W_N = (dg_N/dq)^T, shape (6, 5)."""
        return jacobians_kernel(q, self._lengths)[:, 1, :].T

    def w_t(self, q: Array) -> Array:
        """W_T = (d gamma_T/du)^T, shape (6, 5)."""
        return jacobians_kernel(q, self._lengths)[:, 0, :].T

    def g_n(self, q: Array) -> Array:
        """Heights of the five masses above the slope, shape (5,)."""
        return points_kernel(q, self._lengths)[:, 1]

    def kinetic_energy(self, q: Array, u: Array) -> float:
        """T = 1/2 u^T M u [J]."""
        return float(0.5 * u @ self.mass_matrix(q) @ u)

    def potential_energy(self, q: Array) -> float:
        """V = -sum m_i gravity . r_i [J], zero at the origin of the slope frame."""
        return float(-self._masses @ (points_kernel(q, self._lengths) @ self._gravity))

    def standing_height(self, theta: Array) -> float:
        """Hip height [m] at which the lowest point of the posture ``theta`` (4,) is at height 0."""
        return float(
            -np.min(points_kernel(np.concatenate(([0.0, 0.0], theta)), self._lengths)[:, 1])
        )
