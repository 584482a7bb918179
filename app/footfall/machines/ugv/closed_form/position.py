"""The half vehicle and its position (document 002, section 8: eq. 38, Figures 21 and 22).

The centre of the rear wheel is where the curve of the centres cuts the circle about the front one
whose radius is the wheelbase. Of several such places the nearest behind is taken. Where another one
becomes the nearest, a vehicle that drives there stays where it was: a traversal across such a place
is refused (`traversal`).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.checked import Checked, not_negative, positive
from footfall.jit import njit
from footfall.machines.ugv.closed_form.centres import CentreCurve, CentrePoint


@dataclass(frozen=True)
class UgvParameters(Checked):
    """The half vehicle: a body, two legs, two wheels; the letters are the document's.

    L, l [m]: of the body between its hips, of a leg from hip to axle. r [m]: radius of the wheels.
    m_w, m_b, m_l [kg]: a wheel, the body, a leg. g [m/s^2]. half_height [m]: by how much the belly
    lies below the line of the hips. r, half_height and the places of the centres of mass, which are
    the middles, are assumed, as is that the masses are those of the half vehicle: the document does
    not say. Raises ValueError, one line, for lengths and masses that make no vehicle.
    """

    L: float = positive(0.83)
    l: float = positive(0.35)
    r: float = positive(0.30)
    m_w: float = not_negative(50.0)
    m_b: float = positive(300.0)
    m_l: float = not_negative(20.0)
    g: float = positive(9.81)
    half_height: float = not_negative(0.10)

    def __post_init__(self) -> None:
        """Refuse what is no vehicle."""
        super().__post_init__()
        if 2.0 * self.r >= self.L + 2.0 * self.l:
            raise ValueError(
                f"wheels of radius {self.r:g} m touch each other even with both legs stretched"
            )

    @property
    def weight(self) -> float:
        """Weight of the whole [N]."""
        return (2.0 * self.m_w + self.m_b + 2.0 * self.m_l) * self.g


Complex = npt.NDArray[np.complex128]

_CLOSE = 1e-13  # m: Newton steps that are shorter are rounding


class VehiclePose(NamedTuple):
    """The vehicle on the track; arrays of one shape, NaN where it cannot stand.

    phi_r, phi_f [rad]: angles between the legs and the body: 180 degrees is a leg in line with the
    body, 90 one that stands down from it. wheelbase R [m]. psi [rad]: pitch, positive with the
    front up.
    """

    front: CentrePoint
    rear: CentrePoint
    phi_r: Array
    phi_f: Array
    wheelbase: Array
    psi: Array

    def rows(self, rows: int | Indices) -> "VehiclePose":
        """Return those of some rows (k,), or the one of a row with numbers in place of arrays."""
        front, rear = (CentrePoint(*(x[rows] for x in point)) for point in (self.front, self.rear))
        return VehiclePose(front, rear, *(x[rows] for x in self[2:]))


class BodyPositions(NamedTuple):
    """Places x + 1j z [m]: hips, centres of mass of body and legs, centres of the wheels."""

    hip_r: Complex
    hip_f: Complex
    body: Complex
    leg_r: Complex
    leg_f: Complex
    wheel_r: Complex
    wheel_f: Complex


def base(parameters: UgvParameters, phi_r: Array, phi_f: Array) -> Complex:
    """From the rear wheel's centre to the front one in the frame of the body, x + 1j z [m]."""
    given = parameters
    turned = np.exp(-1j * phi_r) + np.exp(1j * phi_f)
    return np.asarray(given.L - given.l * turned)


def pose(
    parameters: UgvParameters,
    curve: CentreCurve,
    s_f: npt.ArrayLike,
    phi_r: npt.ArrayLike,
    phi_f: npt.ArrayLike,
) -> VehiclePose:
    """Stand the vehicle with the front wheel's centre at s_f [m] and given angles [rad].

    NaN where the rear wheel finds no place, or the wheels would be in each other.
    """
    s_f, phi_r, phi_f = (
        np.array(value, dtype=float) for value in np.broadcast_arrays(s_f, phi_r, phi_f)
    )
    own = base(parameters, phi_r, phi_f)
    R = np.abs(own)
    front = curve.at(s_f)
    rear = curve.at(_rear(curve, front, np.where(2.0 * parameters.r < R, R, np.nan)))
    psi = np.angle((front.s - rear.s + 1j * (front.z - rear.z)) * np.conj(own))
    return VehiclePose(front, rear, phi_r, phi_f, R, psi)


def body_positions(parameters: UgvParameters, at: VehiclePose) -> BodyPositions:
    """Return where all that has mass is."""
    given = parameters
    u = np.exp(1j * at.psi)
    wheel_r, wheel_f = at.rear.s + 1j * at.rear.z, at.front.s + 1j * at.front.z
    hip_r = wheel_r - given.l * u * np.exp(-1j * at.phi_r)
    hip_f = hip_r + given.L * u
    return BodyPositions(
        hip_r,
        hip_f,
        0.5 * (hip_r + hip_f),
        0.5 * (hip_r + wheel_r),
        0.5 * (hip_f + wheel_f),
        wheel_r,
        wheel_f,
    )


def _rear(curve: CentreCurve, front: CentrePoint, R: Array) -> Array:
    """Abscissa of the rear centre, the nearest one behind at the distance R."""
    low, high = _between(curve, front, R)
    s = 0.5 * (low + high)
    for _ in range(60):
        at = curve.at(s)
        ahead, above = front.s - s, front.z - at.z
        over = ahead * ahead + above * above - R * R  # positive: too far behind
        low, high = np.where(over > 0.0, s, low), np.where(over > 0.0, high, s)
        step = over / (2.0 * (ahead + above * np.tan(at.beta)))
        newton = s + step
        # a bracket's end may be the place itself, from which a step is rounding
        fine = (newton > low - _CLOSE) & (newton < high + _CLOSE)
        after = np.where(fine, np.clip(newton, low, high), 0.5 * (low + high))
        moved = np.abs(after - s)
        s = after
        if not (moved > _CLOSE).any():
            break
    return s


def _between(curve: CentreCurve, front: CentrePoint, R: Array) -> tuple[Array, Array]:
    """Neighbouring samples of the curve between which the distance R is first passed behind."""
    row = curve.samples
    low, high = np.full(R.size, np.nan), np.full(R.size, np.nan)
    last = np.searchsorted(row.s, front.s.reshape(-1))  # samples before this one are behind
    _walk_back(
        row.s, row.z, front.s.reshape(-1), front.z.reshape(-1), R.reshape(-1), last, low, high
    )
    return low.reshape(R.shape), high.reshape(R.shape)


@njit
def _walk_back(
    s: Array,
    z: Array,
    s_f: Array,
    z_f: Array,
    R: Array,
    last: npt.NDArray[np.intp],
    low: Array,
    high: Array,
) -> None:
    """Put in the samples around the nearest place behind (s_f, z_f) at the distance R."""
    for k in range(R.size):
        if not (math.isfinite(R[k]) and math.isfinite(z_f[k])):
            continue
        for i in range(last[k] - 1, -1, -1):
            if (s_f[k] - s[i]) ** 2 + (z_f[k] - z[i]) ** 2 >= R[k] ** 2:
                low[k] = s[i]
                high[k] = s[i + 1] if i + 1 < last[k] else s_f[k]
                break
