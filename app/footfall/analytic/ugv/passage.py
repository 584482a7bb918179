"""A passage: the vehicle over a track, station by station, with the work that it takes.

Between stations the leg angles go straight. Works are integrals of torque times angle by Gauss'
method, broken where a wheel passes a seam of the curve of the centres, where the torque may jump.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from footfall.analytic.ugv.centres import CentreCurve
from footfall.analytic.ugv.energy import potential, rates
from footfall.analytic.ugv.forces import Forces, forces
from footfall.analytic.ugv.parameters import UgvParameters
from footfall.analytic.ugv.position import Pose, pose

Array = npt.NDArray[np.float64]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)
_BESIDE = 1e-9  # m: how near to a seam its two sides are shown


class Works(NamedTuple):
    """Works [J] up to each station, arrays (n,).

    wheels, leg_r, leg_f: of the torques. supplied: what motors and leg actuators give while they
    drive; what is done on them while they brake is lost, not taken back.
    """

    wheels: Array
    leg_r: Array
    leg_f: Array
    supplied: Array


class Passage(NamedTuple):
    """Rows of a passage, arrays (n,) in its parts.

    s [m]: centre of the front wheel at the stations, and on both sides of the seams of the curve
    that a wheel passes. potential V [J].
    """

    s: Array
    pose: Pose
    forces: Forces
    potential: Array
    works: Works

    @property
    def energy_residual(self) -> float:
        """By how much works and potential energy differ at most [J]; quadrature alone."""
        done = self.works.wheels + self.works.leg_r + self.works.leg_f
        return float(np.abs(self.potential - self.potential[0] - done).max())


def passage(
    parameters: UgvParameters,
    curve: CentreCurve,
    stations: npt.ArrayLike,
    phi_r: npt.ArrayLike,
    phi_f: npt.ArrayLike,
) -> Passage:
    """The vehicle at stations (n,) s_f [m], rising, with angles there [rad], numbers or (n,).

    Raises ValueError, one line, where the vehicle has no place at a station.
    """
    stations = np.asarray(stations, dtype=float)
    if stations.ndim != 1 or len(stations) < 2 or not (np.diff(stations) > 0.0).all():
        raise ValueError("a passage needs two or more stations, each ahead of the one before")
    phi_r = np.broadcast_to(np.asarray(phi_r, dtype=float), stations.shape)
    phi_f = np.broadcast_to(np.asarray(phi_f, dtype=float), stations.shape)
    breaks = _seams(parameters, curve, stations, phi_r, phi_f)
    beside = np.concatenate((breaks - _BESIDE, breaks + _BESIDE))
    s = np.unique(np.concatenate((stations, beside)))
    angles = np.interp(s, stations, phi_r), np.interp(s, stations, phi_f)
    at = pose(parameters, curve, s, *angles)
    missing = np.flatnonzero(np.isnan(at.psi))
    if len(missing) > 0:
        raise ValueError(
            f"the vehicle has no place with its front wheel at {s[missing[0]]:.4g} m and angles of "
            f"{np.degrees(angles[0][missing[0]]):.4g} and {np.degrees(angles[1][missing[0]]):.4g} "
            f"degrees: the track begins at {curve.begin:g} m, and the wheels must not touch"
        )
    works = _works(parameters, curve, s, *angles)
    return Passage(s, at, forces(parameters, at), potential(parameters, at), works)


def _works(
    parameters: UgvParameters, curve: CentreCurve, s: Array, phi_r: Array, phi_f: Array
) -> Works:
    """Works up to each row, by Gauss' nodes between them."""
    half = 0.5 * np.diff(s)
    nodes = (0.5 * (s[1:] + s[:-1]))[:, None] + half[:, None] * _NODES
    slopes = [(np.diff(phi) / np.diff(s))[:, None] for phi in (phi_r, phi_f)]
    at = pose(parameters, curve, nodes, np.interp(nodes, s, phi_r), np.interp(nodes, s, phi_f))
    of, by = forces(parameters, at), rates(parameters, at)
    turning_r, turning_f = (
        theta[0] + theta[1] * slopes[0] + theta[2] * slopes[1] for theta in (by.theta_r, by.theta_f)
    )
    powers = (
        of.torque * turning_r,
        of.torque * turning_f,
        of.leg_r * slopes[0],
        of.leg_f * slopes[1],
    )
    given = sum(np.maximum(power, 0.0) for power in powers)
    rows = (powers[0] + powers[1], powers[2], powers[3], np.asarray(given))
    return Works(
        *(np.concatenate(([0.0], np.cumsum(half * np.sum(row * _WEIGHTS, axis=1)))) for row in rows)
    )


def _seams(
    parameters: UgvParameters, curve: CentreCurve, stations: Array, phi_r: Array, phi_f: Array
) -> Array:
    """Where on the way a wheel passes a seam of the curve: abscissas of the front wheel [m]."""
    inside = (curve.seams > stations[0] + _BESIDE) & (curve.seams < stations[-1] - _BESIDE)
    found = curve.seams[inside].tolist()

    def rear(s: float) -> float:
        angles = np.interp(s, stations, phi_r), np.interp(s, stations, phi_f)
        return float(pose(parameters, curve, s, *angles).rear.s)

    at = pose(parameters, curve, stations, phi_r, phi_f).rear.s
    for seam in curve.seams:
        for k in np.flatnonzero((at[:-1] < seam) & (at[1:] >= seam)):
            low, high = stations[k], stations[k + 1]
            found.append(brentq(lambda s, seam=seam: rear(s) - seam, low, high, xtol=1e-14))
    return np.array(sorted(found))
