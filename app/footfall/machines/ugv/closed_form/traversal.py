"""Traversal of a track: the vehicle at one station after another, and the work that it takes.

Between stations the leg angles go straight. Works are integrals of torque times angle by Gauss'
method, broken where a wheel passes a non-smooth point of the curve of the centres, since torques
may jump there. Since the angles are known there, the vehicle can be stood anywhere between.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import (
    Forces,
    forces,
    potential,
    rates,
)
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose, pose

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)
_BESIDE = 1e-9  # m: distance of the two sides of a non-smooth point from it
_UNEXPLAINED = 1e-3  # rad: turn of the rear wheel that its rate does not tell: it jumps, maybe
_JUMP = 1e-4  # m: that the rear wheel's centre goes within a way of the front one of _BESIDE
_PARTS = 64


class Works(NamedTuple):
    """Works [J] up to each station, arrays (n,).

    wheels, leg_r, leg_f: of the torques. supplied: what motors and leg actuators give while they
    drive; what is done on them while they brake is lost, not taken back. driven: the same of the
    wheels' motors alone. square: integral of the squared torque over the way of the front wheel's
    centre [N² m³].
    """

    wheels: Array
    leg_r: Array
    leg_f: Array
    supplied: Array
    driven: Array
    square: Array


class Traversal(NamedTuple):
    """Rows of a traversal, arrays (n,) in its parts.

    s [m]: centre of the front wheel at the stations, and beside the non-smooth points of the curve
    that a wheel passes. potential V [J]. curve: of the centres, on which it drives.
    """

    s: Array
    pose: VehiclePose
    forces: Forces
    potential: Array
    works: Works
    curve: CentreCurve

    @property
    def energy_residual(self) -> float:
        """By how much works and potential energy differ at most [J]; quadrature alone."""
        done = self.works.wheels + self.works.leg_r + self.works.leg_f
        return float(np.abs(self.potential - self.potential[0] - done).max())


def traversal(
    parameters: UgvParameters,
    curve: CentreCurve,
    stations: npt.ArrayLike,
    phi_r: npt.ArrayLike,
    phi_f: npt.ArrayLike,
) -> Traversal:
    """The vehicle at stations (n,) s_f [m], rising, with angles there [rad], numbers or (n,).

    Raises ValueError, one line, where the vehicle has no place on the way, and where the nearest
    place of the rear wheel jumps, as it may over a hollow or a hill that is narrower than the
    vehicle is long.
    """
    stations = np.asarray(stations, dtype=float)
    if stations.ndim != 1 or len(stations) < 2 or not (np.diff(stations) > 0.0).all():
        raise ValueError("a traversal needs two or more stations, each ahead of the one before")
    phi_r = np.broadcast_to(np.asarray(phi_r, dtype=float), stations.shape)
    phi_f = np.broadcast_to(np.asarray(phi_f, dtype=float), stations.shape)
    breaks = _nonsmooth_points(parameters, curve, stations, phi_r, phi_f)
    beside = np.concatenate((breaks - _BESIDE, breaks + _BESIDE))
    s = np.unique(np.concatenate((stations, beside)))
    angles = np.interp(s, stations, phi_r), np.interp(s, stations, phi_f)
    at = pose(parameters, curve, s, *angles)
    _require_places(curve, at)
    works = _works(parameters, curve, s, *angles, at)
    return Traversal(s, at, forces(parameters, at), potential(parameters, at), works, curve)


def _require_places(curve: CentreCurve, at: VehiclePose) -> None:
    """Raise ValueError where there is no pose."""
    missing = np.flatnonzero(np.isnan(at.psi).reshape(-1))
    if len(missing) > 0:
        s, *angles = (x.reshape(-1)[missing[0]] for x in (at.front.s, at.phi_r, at.phi_f))
        raise ValueError(
            f"the vehicle has no place with its front wheel at {s:.4g} m and angles of "
            f"{np.degrees(angles[0]):.4g} and {np.degrees(angles[1]):.4g} degrees: the track "
            f"begins at {curve.begin:g} m, and the wheels must not touch"
        )


def _works(
    parameters: UgvParameters,
    curve: CentreCurve,
    s: Array,
    phi_r: Array,
    phi_f: Array,
    stood: VehiclePose,
) -> Works:
    """Works up to each row, by Gauss' nodes between them."""
    half = 0.5 * np.diff(s)
    nodes = (0.5 * (s[1:] + s[:-1]))[:, None] + half[:, None] * _NODES
    slopes = [(np.diff(phi) / np.diff(s))[:, None] for phi in (phi_r, phi_f)]
    at = pose(parameters, curve, nodes, np.interp(nodes, s, phi_r), np.interp(nodes, s, phi_f))
    _require_places(curve, at)
    of, by = forces(parameters, at), rates(parameters, at)
    turning_r, turning_f = (
        theta[0] + theta[1] * slopes[0] + theta[2] * slopes[1] for theta in (by.theta_r, by.theta_f)
    )
    turn = half * np.sum(turning_r * _WEIGHTS, axis=1)
    away = np.diff(stood.rear.arc / parameters.r + stood.psi - stood.phi_r) - turn
    for k in np.flatnonzero(np.abs(away) > _UNEXPLAINED):
        _require_no_jump(parameters, curve, s[k : k + 2], phi_r[k : k + 2], phi_f[k : k + 2])
    powers = (
        of.torque * turning_r,
        of.torque * turning_f,
        of.leg_r * slopes[0],
        of.leg_f * slopes[1],
    )
    given = sum(np.maximum(power, 0.0) for power in powers)
    driven = np.maximum(powers[0], 0.0) + np.maximum(powers[1], 0.0)
    both = powers[0] + powers[1]
    rows = (both, powers[2], powers[3], np.asarray(given), driven, of.torque**2)
    return Works(
        *(np.concatenate(([0.0], np.cumsum(half * np.sum(row * _WEIGHTS, axis=1)))) for row in rows)
    )


def _require_no_jump(
    parameters: UgvParameters, curve: CentreCurve, ends: Array, phi_r: Array, phi_f: Array
) -> None:
    """Raise ValueError where the rear wheel jumps between rows, and not just goes far."""
    low, high = ends
    while high - low > _BESIDE:
        s = np.linspace(low, high, _PARTS + 1)
        at = pose(parameters, curve, s, np.interp(s, ends, phi_r), np.interp(s, ends, phi_f))
        _require_places(curve, at)
        k = int(np.abs(np.diff(at.rear.s)).argmax())
        low, high, before, behind = s[k], s[k + 1], at.rear.s[k], at.rear.s[k + 1]
    if abs(behind - before) > _JUMP:
        raise ValueError(
            f"the rear wheel would have to jump from {before:.4g} to {behind:.4g} m where the "
            f"front one is at {high:.4g} m: another place of the track becomes the nearest at the "
            "distance of the wheels; give other angles or a gentler track"
        )


def _nonsmooth_points(
    parameters: UgvParameters, curve: CentreCurve, stations: Array, phi_r: Array, phi_f: Array
) -> Array:
    """Abscissas of the front wheel [m] at which a wheel passes a non-smooth point of the curve."""
    inside = (curve.nonsmooth_points > stations[0] + _BESIDE) & (
        curve.nonsmooth_points < stations[-1] - _BESIDE
    )
    passed = curve.nonsmooth_points[inside].tolist()

    def rear(s: float) -> float:
        angles = np.interp(s, stations, phi_r), np.interp(s, stations, phi_f)
        return float(pose(parameters, curve, s, *angles).rear.s)

    at = pose(parameters, curve, stations, phi_r, phi_f).rear.s
    for point in curve.nonsmooth_points:
        # back as well: legs that spread faster than it goes ahead roll the rear wheel back
        for k in np.flatnonzero((at[:-1] < point) != (at[1:] < point)):
            low, high = stations[k], stations[k + 1]
            passed.append(brentq(lambda s, point=point: rear(s) - point, low, high, xtol=1e-14))
    return np.array(sorted(passed))


_SPACING = 1e-3  # m: what bends by a tenth of its spread within a decimetre hides a millionth


def all_places(rows: Traversal) -> Array:
    """Abscissas (n,) of the front wheel's centre [m], close to each other, all rows among them."""
    between = [
        np.linspace(a, b, math.ceil((b - a) / _SPACING), endpoint=False)
        for a, b in pairwise(rows.s.tolist())
    ]
    return np.concatenate((*between, rows.s[-1:]))


def poses_at(parameters: UgvParameters, rows: Traversal, places: Array) -> VehiclePose:
    """Poses at places [m] of a traversal; NaN where there is none."""
    angles = (np.interp(places, rows.s, leg) for leg in (rows.pose.phi_r, rows.pose.phi_f))
    return pose(parameters, rows.curve, places, *angles)
