"""Quasi-static balance: torque of the wheels, forces of the ground, torques at the legs.

The document balances three systems (section 8, Figure 23): the rear wheel; the rear wheel with the
legs and the body; the whole vehicle. `forces` solves its nine equations in closed form: each
wheel's own balance says F = M/r, and the whole then fixes F and the two normal forces.

The same torques follow by virtual work, an account that no force enters. While all moves slowly
over the track, M (d theta_r + d theta_f) + tau_r d phi_r + tau_f d phi_f = dV, with theta the
angles of the wheels against their legs: the motors stand on the legs, which turn with the body's
pitch and with phi.

Balance fails where a wheel slips or lifts off, or where the body is on the ground.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Flags
from footfall.machines.ugv.closed_form.centres import corners_of
from footfall.machines.ugv.closed_form.position import (
    BodyPositions,
    Complex,
    UgvParameters,
    VehiclePose,
    base,
    body_positions,
)
from footfall.machines.ugv.closed_form.tracks import Track


class Forces(NamedTuple):
    """Balance at some poses; arrays of one shape, NaN where there is no pose.

    torque M [N m] of each motor on its wheel, positive ahead. friction M/r [N] at either wheel,
    positive ahead. normal_r, normal_f [N]: positive pushes. leg_r, leg_f [N m]: of the leg
    actuators, positive where it opens the angle phi.
    """

    torque: Array
    friction: Array
    normal_r: Array
    normal_f: Array
    leg_r: Array
    leg_f: Array


def forces(parameters: UgvParameters, at: VehiclePose) -> Forces:
    """Solve the balance in closed form; normal forces may come out negative, see `verdict`."""
    where = body_positions(parameters, at)
    r, weight = parameters.r, parameters.weight
    t_f, n_f = _tangent(at.front.beta), _normal(at.front.beta)
    apart = at.front.beta - at.rear.beta
    cosine, sine = np.cos(apart), np.sin(apart)
    d = where.wheel_f - where.wheel_r
    arm = np.real(_centre(parameters, where) - where.wheel_r)
    along, across = 2.0 * r + _cross(d, t_f), _cross(d, n_f)
    slope = np.sin(at.rear.beta)
    determinant = (1.0 + cosine) * across + sine * along
    friction = weight * (slope * across + arm * sine) / determinant
    normal_f = weight * ((1.0 + cosine) * arm - along * slope) / determinant
    normal_r = weight * np.cos(at.rear.beta) - friction * sine - normal_f * cosine
    on_r, on_f = (
        _ground(at.rear.beta, friction, normal_r),
        _ground(at.front.beta, friction, normal_f),
    )
    return Forces(
        r * friction,
        friction,
        normal_r,
        normal_f,
        -_hip(parameters, where.hip_r, where.leg_r, where.wheel_r, at.rear.beta, on_r),
        _hip(parameters, where.hip_f, where.leg_f, where.wheel_f, at.front.beta, on_f),
    )


def _hip(
    parameters: UgvParameters,
    hip: Complex,
    leg: Complex,
    wheel: Complex,
    beta: Array,
    ground: Complex,
) -> Array:
    """Counter-clockwise torque on leg and wheel that keeps them in balance about the hip."""
    contact = wheel - parameters.r * _normal(beta)
    weights = parameters.m_l * np.real(leg - hip) + parameters.m_w * np.real(wheel - hip)
    return parameters.g * weights - _cross(contact - hip, ground)


def _ground(beta: Array, friction: Array, normal: Array) -> Complex:
    return friction * _tangent(beta) + normal * _normal(beta)


def _centre(parameters: UgvParameters, where: BodyPositions) -> Complex:
    """C3, of the whole."""
    given = parameters
    wheels = given.m_w * (where.wheel_r + where.wheel_f)
    moment = given.m_b * where.body + given.m_l * (where.leg_r + where.leg_f) + wheels
    return np.asarray(moment * given.g / given.weight)


def _tangent(beta: Array) -> Complex:
    return np.exp(1j * beta)


def _normal(beta: Array) -> Complex:
    return 1j * np.exp(1j * beta)


def _cross(arm: Complex, force: Complex) -> Array:
    """Moment arm x force, counter-clockwise."""
    return np.asarray(np.imag(np.conj(arm) * force))


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


def _dot(a: Array | Complex, b: Complex) -> Array:
    return np.asarray(np.real(np.conj(a) * b))


_GRAIN = 5e-3  # m: distance of points of the ground; what bends by 1/m hides 3 um between them
_MOST = 5000  # of them


class Verdict(NamedTuple):
    """Verdict at some poses; flags of one shape, and the clearance [m] that decides one.

    possible: there is a pose at all. slips: a wheel needs more friction than there is. rolls_over:
    the ground would have to hold a wheel down: it lifts, and the vehicle turns about the other one.
    bottoms: body or legs reach into the ground.
    """

    possible: Flags
    slips: Flags
    rolls_over: Flags
    bottoms: Flags
    clearance: Array


def required_friction(of: Forces) -> Array:
    """Coefficient that keeps both wheels from slipping; infinite where one has to be held down."""
    return np.maximum(friction_at(of.friction, of.normal_r), friction_at(of.friction, of.normal_f))


def friction_at(friction: Array, normal: Array) -> Array:
    """|F|/N of a wheel, infinite where N is not positive."""
    pressed = normal > 0.0
    ratio = np.abs(friction) / np.where(pressed, normal, 1.0)
    needed = np.where(pressed, ratio, np.inf)
    return np.where(np.isnan(normal), np.nan, needed)


def least_normal(of: Forces) -> Array:
    """The smaller of the two normal forces [N]."""
    return np.minimum(of.normal_r, of.normal_f)


def clearance(parameters: UgvParameters, track: Track, at: VehiclePose) -> Array:
    """Least vertical distance of the underside from the ground [m], negative inside it.

    The underside is the belly, half_height below the line of the hips, and the legs from hip to
    axle, but for what the wheels cover; points of the ground and all its corners are held against
    it.
    """
    where = body_positions(parameters, at)
    down = -1j * parameters.half_height * np.exp(1j * at.psi)
    lines = (
        (where.hip_r + down, where.hip_f + down),
        (where.hip_r, where.wheel_r),
        (where.hip_f, where.wheel_f),
    )
    ends = np.concatenate([np.real(end).reshape(-1) for line in lines for end in line])
    ground = _points(track, ends)
    return np.minimum.reduce([_gap(track, ground, *line) for line in lines])


def verdict(
    parameters: UgvParameters, track: Track, at: VehiclePose, of: Forces, friction: float
) -> Verdict:
    """Hold every criterion against poses and their forces; friction: coefficient of the ground."""
    possible = np.isfinite(at.psi)
    rolls_over = possible & (least_normal(of) <= 0.0)
    least = clearance(parameters, track, at)
    return Verdict(
        possible=possible,
        slips=possible & ~rolls_over & (required_friction(of) > friction),
        rolls_over=rolls_over,
        bottoms=possible & (least < 0.0),
        clearance=least,
    )


def _points(track: Track, x: Array) -> Array:
    """Points (n, 2) of the ground below places [m], close to each other, its corners among them."""
    x = x[np.isfinite(x)]
    if x.size == 0:
        return np.zeros((0, 2))
    grain = max(min([_GRAIN, *(segment.grain for segment in track.segments)]), np.ptp(x) / _MOST)
    at = np.arange(x.min(), x.max(), grain)
    return np.vstack((np.column_stack((at, track.profile(at).height)), corners_of(track)))


def _gap(track: Track, ground: Array, begin: Complex, end: Complex) -> Array:
    """Least height of a line over the points of the ground below it, and at its ends."""
    span = end - begin
    least = np.fmin(*(at.imag - track.profile(at.real).height for at in (begin, end)))
    with np.errstate(divide="ignore", invalid="ignore"):
        for x, z in ground:
            share = (x - begin.real) / span.real
            over = begin.imag + share * span.imag - z
            least = np.where((share >= 0.0) & (share <= 1.0), np.fmin(least, over), least)
    return np.where(np.isfinite(span), least, np.nan)
