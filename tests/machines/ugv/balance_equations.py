"""The equations of the document's balance, which footfall solves in closed form: nine, and five.

Three systems (section 8, Figure 23): the rear wheel; the rear wheel with the legs and the body; the
whole vehicle. Five are left of the nine without the forces in the axles.
"""

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.position import (
    BodyPositions,
    UgvParameters,
    VehiclePose,
    body_positions,
)

Complex = npt.NDArray[np.complex128]

NINE = ("F_r", "N_r", "F_f", "N_f", "F_lw_x", "F_lw_y", "F_wl_x", "F_wl_y", "M")
"""The document's unknowns: of the ground on the wheels along and across it, of the rear leg on the
rear wheel, of the front wheel on the front leg, and the torque on either wheel."""


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
