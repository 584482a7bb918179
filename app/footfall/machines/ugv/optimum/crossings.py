"""Passages of the rear wheel over non-smooth points of the curve of centres while the legs turn.

The non-smooth points of the front wheel are stations. When the rear wheel passes one depends on the
angles: its centre is known then, and the front one is on the curve at the distance of the
wheelbase.
"""

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.position import VehiclePose, base
from footfall.machines.ugv.optimum.problem import BESIDE, Problem

_STEPS = 30
_CLOSE = 1e-13  # m: Newton steps that are shorter are rounding


def crossing(
    problem: Problem,
    point: float | Array,
    s: Array,
    phi_r: tuple[Array, Array],
    phi_f: tuple[Array, Array],
) -> tuple[Array, Array, Array]:
    """Front wheel's abscissa [m] and angles [rad] when the rear wheel is at a point.

    The angles are linear in the front wheel's abscissa: value at s [m] and slope [rad/m]. s is a
    guess as well. NaN where the front wheel would be off the curve.
    """
    given, curve = problem.parameters, problem.curve
    rear = curve.at(point)
    at, origin = s, s
    for _ in range(_STEPS):
        r, f = (phi[0] + phi[1] * (at - origin) for phi in (phi_r, phi_f))
        own = base(given, r, f)
        d_own = 1j * given.l * (np.exp(-1j * r) * phi_r[1] - np.exp(1j * f) * phi_f[1])
        front = curve.at(np.clip(at, curve.begin, curve.end))
        d = front.s - rear.s + 1j * (front.z - rear.z)
        miss = np.abs(d) - np.abs(own)
        slope = np.real(np.conj(d) * (1.0 + 1j * np.tan(front.beta))) / np.abs(d)
        slope = slope - np.real(np.conj(own) * d_own) / np.abs(own)
        after = at - np.clip(miss / slope, -0.2, 0.2)
        moved = np.abs(after - at)
        at = after
        if not (moved > _CLOSE).any():
            break
    found = np.where((at >= curve.begin) & (at <= curve.end) & (moved < 1e-9), at, np.nan)
    r, f = (phi[0] + phi[1] * (at - origin) for phi in (phi_r, phi_f))
    return found, r, f


def pose_at_nonsmooth_point(
    problem: Problem, point: float | Array, s: Array, phi_r: Array, phi_f: Array
) -> VehiclePose:
    """Poses (2, ...) just before and after the rear wheel passes a point; front wheel at s."""
    given, curve = problem.parameters, problem.curve
    sides = np.array([-BESIDE, BESIDE]).reshape(2, *([1] * s.ndim))
    front, rear = curve.at(s + 0.0 * sides), curve.at(np.asarray(point) + sides + 0.0 * s)
    phi_r, phi_f = (np.broadcast_to(phi, front.s.shape) for phi in (phi_r, phi_f))
    own = base(given, phi_r, phi_f)
    psi = np.angle((front.s - rear.s + 1j * (front.z - rear.z)) * np.conj(own))
    return VehiclePose(front, rear, phi_r, phi_f, np.abs(own), psi)
