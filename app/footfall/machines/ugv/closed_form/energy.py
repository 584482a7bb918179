"""Energy of the vehicle, and the same torques by virtual work: an account that no force enters.

While all moves slowly over the track, M (d theta_r + d theta_f) + tau_r d phi_r + tau_f d phi_f =
dV, with theta the angles of the wheels against their legs: the motors stand on the legs, which turn
with the body's pitch and with phi.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import VehiclePose, base, body_positions


class Rates(NamedTuple):
    """Derivatives by s_f, phi_r and phi_f, arrays (3, ...).

    potential V [J]; theta_r, theta_f [rad]: angles of the wheels against the legs, positive ahead;
    psi [rad].
    """

    potential: Array
    theta_r: Array
    theta_f: Array
    psi: Array


class Torques(NamedTuple):
    """M, tau_r and tau_f [N m], as in `forces.Forces`."""

    torque: Array
    leg_r: Array
    leg_f: Array


def potential(parameters: UgvParameters, at: VehiclePose) -> Array:
    """Potential energy V [J], 0 at z = 0."""
    where, given = body_positions(parameters, at), parameters
    moment = given.m_b * where.body + given.m_l * (where.leg_r + where.leg_f)
    wheels = given.m_w * (where.wheel_r + where.wheel_f)
    return np.asarray(given.g * np.imag(moment + wheels))


def rates(parameters: UgvParameters, at: VehiclePose) -> Rates:
    """Return how all moves with the front wheel and the angles."""
    given = parameters
    t_r, t_f = np.exp(1j * at.rear.beta), np.exp(1j * at.front.beta)
    d = at.front.s - at.rear.s + 1j * (at.front.z - at.rear.z)
    own = base(given, at.phi_r, at.phi_f)
    u, still = np.exp(1j * at.psi), np.zeros_like(at.psi)
    along_f = np.array([1.0 / np.cos(at.front.beta), still, still])
    d_phi_r, d_phi_f = np.array([still, still + 1.0, still]), np.array([still, still, still + 1.0])
    d_own = 1j * given.l * (np.exp(-1j * at.phi_r) * d_phi_r - np.exp(1j * at.phi_f) * d_phi_f)
    # |c_f - c_r| = R holds the rear wheel on its circle
    along_r = (_dot(d, t_f) * along_f - _dot(own, d_own)) / _dot(d, t_r)
    d_d = t_f * along_f - t_r * along_r
    square = at.wheelbase**2
    psi = (np.imag(np.conj(d) * d_d) - np.imag(np.conj(own) * d_own)) / square
    hip_r = t_r * along_r - 1j * given.l * u * np.exp(-1j * at.phi_r) * (psi - d_phi_r)
    hip_f = hip_r + 1j * given.L * u * psi
    lifted = 0.5 * (given.m_b + given.m_l) * (hip_r + hip_f)
    lifted = lifted + (0.5 * given.m_l + given.m_w) * (t_r * along_r + t_f * along_f)
    return Rates(
        given.g * np.imag(lifted),
        along_r / given.r + psi - d_phi_r,
        along_f / given.r + psi + d_phi_f,
        psi,
    )


def torques_by_energy(parameters: UgvParameters, at: VehiclePose) -> Torques:
    """M from V' = M (theta_r' + theta_f') at fixed angles, then the legs' from the rest."""
    by = rates(parameters, at)
    turned = by.theta_r + by.theta_f
    M = by.potential[0] / turned[0]
    return Torques(M, by.potential[1] - M * turned[1], by.potential[2] - M * turned[2])


def _dot(a: Array | npt.NDArray[np.complex128], b: npt.NDArray[np.complex128]) -> Array:
    return np.asarray(np.real(np.conj(a) * b))
