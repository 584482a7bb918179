"""The biped on one foot that rests, and the strike of the other: four absolute angles.

a = (shank, thigh of the standing leg; thigh, shank of the other one) [rad], counter-clockwise from
the inward normal of the slope. The standing foot is the origin, and with d(a) = (sin a, -cos a)

    hip = -d(a0) - d(a1),   the other foot = hip + d(a2) + d(a3)

times the lengths, in the slope's axes of `model`. With the places p_i = sum_j c_ij d(a_j),
G = sum m_i c_i c_i^T and s = sum m_i c_i, in the report's sign,

    sum_k G_jk (cos(a_j - a_k) a_k'' + sin(a_j - a_k) a_k'^2) = s_j e(a_j) g + (S c)_j

with e = d' and the torques c = (knee, hip, other knee), which are internal: the one at the hip acts
between the thighs. Arrays have the component first; real or complex.
"""

from typing import Any, NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.biped.closed_form.model import BipedParameters

INTERNAL = np.array([[1.0, 0, 0], [-1.0, -1.0, 0], [0, 1.0, -1.0], [0, 0, 1.0]])
"""S: how torques of standing knee, hip and other knee act on the four angles."""
OTHER_LEG = (3, 2, 1, 0)
"""Order of the angles once the other foot stands."""
HIP, KNEE, FOOT, OTHER_KNEE, OTHER_FOOT = range(5)


class Strike(NamedTuple):
    """A plastic impact of the other foot, the one that stood let go.

    rates (4, ...) of the angles behind it; impulse (2, ...) of the ground along the slope and out
    of it [N s]; left (2, ...): velocity of the foot that stood [m/s].
    """

    rates: Any
    impulse: Any
    left: Any


class PinnedBiped:
    """Dynamics on one foot, for a biped whose legs are alike and which has no rotors."""

    def __init__(self, parameters: BipedParameters) -> None:
        """Raise ValueError for legs that differ, and for rotors."""
        m, l = parameters.m, parameters.l
        if m[1:3] != m[3:] or l[:2] != l[2:]:
            raise ValueError("a gait of steps that are alike needs two legs that are alike")
        if any(parameters.reflected):
            raise ValueError("the biped on one foot has no rotors")
        thigh, shank = l[:2]
        c = np.zeros((5, 4))
        c[KNEE, 0] = c[HIP, 0] = -shank
        c[HIP, 1] = -thigh
        c[OTHER_KNEE] = c[HIP] + [0, 0, thigh, 0]
        c[OTHER_FOOT] = c[OTHER_KNEE] + [0, 0, 0, shank]
        self.parameters, self._c = parameters, c
        # `model` counts hip, knee and foot A, knee and foot B: A stands here
        self._m = np.array(m)
        self._G = np.einsum("i,ij,ik->jk", self._m, c, c)
        self._s = self._m @ c
        self.mass = float(self._m.sum())
        self._g = parameters.packed().gravity
        # seen from the foot that strikes
        self._from_other = c - c[OTHER_FOOT]
        self._G_other = np.einsum("i,ij,ik->jk", self._m, self._from_other, self._from_other)
        self._mixed = np.einsum("i,ij,ik->jk", self._m, self._from_other, c)

    def acceleration(self, a: Any, w: Any, torques: Any) -> Any:  # noqa: ANN401 (real or complex)
        """A'' (4, ...) [rad/s^2] at angles, rates and torques (3, ...) [N m]."""
        apart = a[:, None] - a[None]
        M = _spread(self._G, a) * np.cos(apart)
        turning = np.einsum("jk,jk...,k...->j...", self._G, np.sin(apart), w**2)
        weight = _spread(self._s, a[0]) * np.tensordot(self._g, _e(a), (0, 0))
        pushed = np.tensordot(INTERNAL, torques, (1, 0))
        return solve(M, pushed + weight - turning)

    def decoupled(self, a: Any, w: Any) -> tuple[Any, Any]:  # noqa: ANN401 (real or complex)
        """A'' without torques (4, ...), and how torques change it (4, 3, ...)."""
        none = np.zeros((3, *a.shape[1:]))
        free = self.acceleration(a, w, none)
        by = []
        for torque in range(3):
            one = none.copy()
            one[torque] = 1.0
            by.append(self.acceleration(a, w, one) - free)
        return free, np.stack(by, axis=1)

    def ground_force(self, a: Any, w: Any, a_rates: Any) -> Any:  # noqa: ANN401 (real or complex)
        """Force of the ground (2, ...) [N] along the slope and out of it; a_rates: a''."""
        s = _spread(self._s, a[0])
        moved = (s * (_e(a) * a_rates - _d(a) * w**2)).sum(axis=1)
        return moved - self.mass * _spread(self._g, a[0])

    def place(self, point: int, a: Any) -> Any:  # noqa: ANN401 (real or complex)
        """Place (2, ...) [m] of a mass, from the standing foot."""
        return (_spread(self._c[point], a[0]) * _d(a)).sum(axis=1)

    def velocity(self, point: int, a: Any, w: Any) -> Any:  # noqa: ANN401 (real or complex)
        """Velocity (2, ...) [m/s] of a mass."""
        return (_spread(self._c[point], a[0]) * _e(a) * w).sum(axis=1)

    def strike(self, a: Any, w: Any) -> Strike:  # noqa: ANN401 (real or complex)
        """The other foot comes to rest; angles are still in the order of the step before."""
        turns = np.cos(a[:, None] - a[None])
        # moment about the foot that strikes of every part of the chain beyond
        moments = np.einsum("jk,jk...,k...->j...", self._mixed, turns, w)
        rates = solve(_spread(self._G_other, a) * turns, moments)
        after = [(_spread(row, a[0]) * _e(a) * rates).sum(axis=1) for row in self._from_other]
        before = [self.velocity(point, a, w) for point in range(5)]
        impulse = sum(m * (b - f) for m, b, f in zip(self._m, after, before, strict=True))
        return Strike(rates, impulse, after[FOOT])

    def energy(self, a: Any, w: Any) -> Any:  # noqa: ANN401 (real or complex)
        """Kinetic and potential energy [J]; the latter is 0 with all in the standing foot."""
        turns = np.cos(a[:, None] - a[None])
        kinetic = 0.5 * np.einsum("jk,jk...,j...,k...->...", self._G, turns, w, w)
        high = -(_spread(self._s, a[0]) * np.tensordot(self._g, _d(a), (0, 0))).sum(axis=0)
        return kinetic + high


def _d(a: Any) -> Any:  # noqa: ANN401
    return np.stack((np.sin(a), -np.cos(a)))


def _e(a: Any) -> Any:  # noqa: ANN401
    return np.stack((np.cos(a), np.sin(a)))


def _spread(fixed: Array, like: Any) -> Any:  # noqa: ANN401
    """Constants with as many axes behind them as an array has beyond its first ones."""
    trailing = np.ndim(like) if fixed.ndim < 2 else np.ndim(like) - 1
    return fixed.reshape(fixed.shape + (1,) * trailing)


def solve(M: Any, b: Any) -> Any:  # noqa: ANN401 (real or complex)
    """Solve M x = b for (n, n, ...) and (n, ...)."""
    x = np.linalg.solve(np.moveaxis(M, (0, 1), (-2, -1)), np.moveaxis(b, 0, -1)[..., None])
    return np.moveaxis(x[..., 0], -1, 0)
