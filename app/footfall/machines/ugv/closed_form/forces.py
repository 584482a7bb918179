"""Quasi-static balance: torque of the wheels, forces of the ground, torques at the legs.

The document balances three systems (section 8, Figure 23): the rear wheel; the rear wheel with the
legs and the body; the whole vehicle. `forces` solves its nine equations in closed form: each
wheel's own balance says F = M/r, and the whole then fixes F and the two normal forces.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import BodyPositions, VehiclePose, body_positions

Complex = npt.NDArray[np.complex128]


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
    """Solve the balance in closed form; normal forces may come out negative, see `criteria`."""
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
