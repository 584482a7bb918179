"""Quasi-static balance: torque of the wheels, forces of the ground, torques at the legs.

The document balances three systems (section 8, Figure 23): the rear wheel; the rear wheel with the
legs and the body; the whole vehicle. `nine_equations` are those, `five_equations` what is left of
them without the forces in the axles. `forces` solves the same in closed form: each wheel's own
balance says F = M/r, and the whole then fixes F and the two normal forces.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import BodyPositions, VehiclePose, body_positions

Complex = npt.NDArray[np.complex128]

NINE = ("F_r", "N_r", "F_f", "N_f", "F_lw_x", "F_lw_y", "F_wl_x", "F_wl_y", "M")
"""The document's unknowns: of the ground on the wheels along and across it, of the rear leg on the
rear wheel, of the front wheel on the front leg, and the torque on either wheel."""

FIVE = ("F_r", "N_r", "F_f", "N_f", "M")


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


def nine_equations(parameters: UgvParameters, at: VehiclePose) -> tuple[Array, Array]:
    """Matrix (..., 9, 9) and right side (..., 9) of the unknowns NINE, in N and N m.

    Rows: forces along x and y and moments, counter-clockwise, of the rear wheel about its centre,
    of rear wheel, legs and body about their centre of mass C2, of the whole about its C3.
    """
    given, where = parameters, body_positions(parameters, at)
    C2, C3 = _inner_centre(given, where), _centre(given, where)
    T, D = _contacts(given, at, where)
    A = np.zeros((*at.psi.shape, 9, 9))
    b = np.zeros((*at.psi.shape, 9))
    ground = [
        (0, _tangent(at.rear.beta), T),
        (1, _normal(at.rear.beta), T),
        (2, _tangent(at.front.beta), D),
        (3, _normal(at.front.beta), D),
    ]
    for column, direction, point in ground:
        if column < 2:
            _put(A, 0, column, direction, point - where.wheel_r)
            _put(A, 3, column, direction, point - C2)
        _put(A, 6, column, direction, point - C3)
    for k, axis in enumerate((np.ones_like(C2), 1j * np.ones_like(C2))):
        _put(A, 0, 4 + k, axis, np.zeros_like(C2))
        _put(A, 3, 6 + k, axis, where.wheel_f - C2)
    A[..., 2, 8] = -1.0  # of the motor on the rear wheel, clockwise
    A[..., 5, 8] = 1.0  # of the front motor on the leg: its reaction
    b[..., 1] = given.m_w * given.g
    b[..., 4] = given.weight - given.m_w * given.g
    b[..., 7] = given.weight
    return A, b


def five_equations(parameters: UgvParameters, at: VehiclePose) -> tuple[Array, Array]:
    """Matrix (..., 5, 5) and right side (..., 5) of the unknowns FIVE, in N and N m.

    Rows, as the document prints them: forces of the whole along x and y, moments of the rear wheel,
    of rear wheel, legs and body about C2, of the whole about C3. The document's matrix has lost its
    signs; they are those of the nine equations, from which this one follows: the front wheel hands
    on to the leg what the ground gives it, less its weight.
    """
    given, where = parameters, body_positions(parameters, at)
    C2, C3 = _inner_centre(given, where), _centre(given, where)
    T, D = _contacts(given, at, where)
    A = np.zeros((*at.psi.shape, 5, 5))
    b = np.zeros((*at.psi.shape, 5))
    ground = [
        (_tangent(at.rear.beta), T, T),
        (_normal(at.rear.beta), T, T),
        (_tangent(at.front.beta), where.wheel_f, D),
        (_normal(at.front.beta), where.wheel_f, D),
    ]
    for column, (direction, on_inner, on_whole) in enumerate(ground):
        A[..., 0, column], A[..., 1, column] = direction.real, direction.imag
        A[..., 3, column] = _cross(on_inner - C2, direction)
        A[..., 4, column] = _cross(on_whole - C3, direction)
    A[..., 2, 0] = given.r
    A[..., 2, 4] = -1.0
    A[..., 3, 4] = 1.0
    b[..., 1] = given.weight
    b[..., 3] = given.m_w * given.g * np.real(where.wheel_f - C2)
    return A, b


def _put(A: Array, row: int, column: int, direction: Complex, arm: Complex) -> None:
    """Enter a force of size one: its parts and its moment."""
    A[..., row, column] = direction.real
    A[..., row + 1, column] = direction.imag
    A[..., row + 2, column] = _cross(arm, direction)


def _contacts(
    parameters: UgvParameters, at: VehiclePose, where: BodyPositions
) -> tuple[Complex, Complex]:
    """T and D, where the wheels touch."""
    return (
        where.wheel_r - parameters.r * _normal(at.rear.beta),
        where.wheel_f - parameters.r * _normal(at.front.beta),
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


def _inner_centre(parameters: UgvParameters, where: BodyPositions) -> Complex:
    """C2, of rear wheel, legs and body."""
    given = parameters
    moment = given.m_b * where.body + given.m_l * (where.leg_r + where.leg_f)
    mass = given.weight / given.g - given.m_w
    return np.asarray((moment + given.m_w * where.wheel_r) / mass)


def _tangent(beta: Array) -> Complex:
    return np.exp(1j * beta)


def _normal(beta: Array) -> Complex:
    return 1j * np.exp(1j * beta)


def _cross(arm: Complex, force: Complex) -> Array:
    """Moment arm x force, counter-clockwise."""
    return np.asarray(np.imag(np.conj(arm) * force))
