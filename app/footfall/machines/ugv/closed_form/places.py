"""Places along a traversal: its rows, and others between them, closer where something is extreme.

Between stations the leg angles go straight, so that the vehicle can be stood anywhere between.
"""

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.criteria import clearance, least_normal, required_friction
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import VehiclePose, pose
from footfall.machines.ugv.closed_form.traversal import Traversal

_SHARES = np.linspace(0.0, 1.0, 5)[1:-1]  # of the way between rows
_ONE_PLACE = 1e-6  # m: places that are nearer are not told apart
_HALVINGS = 12  # of that distance, about extremes
_MISSED = 1e-6  # of the spread of a quantity: what may hide of an extreme between places


def all_places(parameters: UgvParameters, rows: Traversal) -> Array:
    """Abscissas (n,) of the front wheel's centre [m], rising, those of the rows among them.

    About extremes of torque, required friction, normal force and clearance they are halved until
    no more than a millionth of the spread can hide between them where the quantity is concave
    about its extreme.
    """
    s = rows.s
    wide = np.diff(s) > _ONE_PLACE
    between = s[:-1][wide, None] + np.diff(s)[wide, None] * _SHARES
    places = np.unique(np.concatenate((s, between.ravel())))
    values = _looked_at(parameters, rows, places)
    for _ in range(_HALVINGS):
        more = _beside_extremes(places, values)
        if not len(more):
            break
        found = np.concatenate((places, more))
        order = np.argsort(found)
        there = _looked_at(parameters, rows, more)
        places, values = found[order], np.concatenate((values, there), axis=1)[:, order]
    return places


def poses_at(parameters: UgvParameters, rows: Traversal, places: Array) -> VehiclePose:
    """Poses at places [m] of a traversal; NaN where there is none."""
    angles = (np.interp(places, rows.s, leg) for leg in (rows.pose.phi_r, rows.pose.phi_f))
    return pose(parameters, rows.curve, places, *angles)


def _looked_at(parameters: UgvParameters, rows: Traversal, places: Array) -> Array:
    """Quantities (k, n) whose largest values count; -inf where there is no pose or no number."""
    at = poses_at(parameters, rows, places)
    of = forces(parameters, at)
    ground = clearance(parameters, rows.curve.track, at)
    values = np.array(
        [of.torque, -of.torque, required_friction(of), -least_normal(of), -ground],
    )
    return np.where(np.isfinite(values), values, -np.inf)


def _beside_extremes(places: Array, values: Array) -> Array:
    """Middles of ways on which a quantity may be larger than anywhere known [m]."""
    gaps = np.diff(places)
    middles = 0.5 * (places[1:] + places[:-1])
    wanted = np.zeros(len(gaps), dtype=bool)
    for known in values:
        finite = known[np.isfinite(known)]
        if not len(finite):
            continue
        most = finite.max() + _MISSED * np.ptp(finite)
        inner = known[1:-1]
        peaks = np.isfinite(inner) & (inner >= known[:-2]) & (inner >= known[2:])
        at = np.flatnonzero(peaks) + 1
        # a concave quantity falls on neither side more slowly than it rose on the other
        fall_before, fall_behind = known[at] - known[at - 1], known[at] - known[at + 1]
        behind = known[at] + fall_before * gaps[at] / gaps[at - 1]
        before = known[at] + fall_behind * gaps[at - 1] / gaps[at]
        wanted[at[behind > most]] = True
        wanted[at[before > most] - 1] = True
    return middles[wanted & (gaps > 2.0 * _ONE_PLACE)]
