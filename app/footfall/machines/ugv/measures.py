"""Metrics of a traversal of the vehicle, simulated or in quasi-static balance.

A simulated traversal is judged from when the drive has reached its speed; the document's has no
inertia. Forces of the ground are means over SPAN: on a track of facets, steps without load may
alternate with steps of twice the load.
"""

import math

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.forces import (
    clearance,
    forces,
    least_normal,
    required_friction,
)
from footfall.machines.ugv.closed_form.position import UgvParameters
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.machines.ugv.closed_form.traversal import Traversal, all_places, poses_at
from footfall.machines.ugv.observables import Observables, observables_of
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.trajectory import Trajectory

TRAVERSAL_METRICS: dict[str, tuple[str, str]] = {
    "torque_max": ("N m", "largest torque of a wheel's motor"),
    "torque_min": ("N m", "smallest torque of a wheel's motor, negative where it brakes"),
    "torque_range": ("N m", "largest less smallest torque of a wheel's motor"),
    "torque_rms": (
        "N m",
        "root of the mean square of a wheel's torque over the way of the front wheel",
    ),
    "required_friction": ("1", "largest ratio of the forces along and across at a pressed wheel"),
    "min_normal_force": ("N", "smallest normal force at a wheel"),
    "clearance_min": ("m", "least height of body and legs over the track"),
    "wheel_work": ("J", "work of the wheels' motors, what they brake taken off"),
    "leg_work": ("J", "work of the legs' actuators, what they brake taken off"),
    "supplied_energy": ("J", "what motors and actuators give while they drive"),
}
"""Unit and meaning of what every traversal has; those of analyses are these and RESIDUAL."""

RESIDUAL: dict[str, tuple[str, str]] = {
    "energy_residual": ("J", "by how much works and change of energy differ, quadrature alone")
}

METRICS: dict[str, tuple[str, str]] = TRAVERSAL_METRICS | {
    "torque_error": (
        "1",
        (
            "largest distance of the torque from the quasi-static one at the same place and "
            "angles, over the latter's peak"
        ),
    ),
    "wheel_slip": ("m", "way that a pressed wheel slid over the ground, of the one that did more"),
    "lift_time": ("s", "time in which a wheel does not touch, of the one that does so longer"),
    "pitch_max": ("rad", "largest pitch of the body, up or down"),
    "front_way": ("m", "how far the front wheel's centre came along x"),
}


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The vehicle's own metrics, in SI; METRICS says what they are.

    Those of what a run does not come to, or has not, are left out.
    """
    read = observables_of(trajectory, context)
    metrics: dict[str, float] = {
        "pitch_max": float(np.abs(read.pitch).max()),
        "front_way": float(read.s_f[-1] - read.s_f[0]),
        "clearance_min": _least(clearance(read.parameters, read.track, read.pose)),
        "wheel_slip": float(read.slid.max()),
        "lift_time": float(read.lifted.max()),
        "torque_error": torque_error(read),
        **_of_torque(read),
        **_of_forces(read),
    }
    return {name: value for name, value in metrics.items() if math.isfinite(value)}


def traversal_metrics(
    parameters: UgvParameters, track: Track, traversal: Traversal
) -> dict[str, float]:
    """The metrics of TRAVERSAL_METRICS and RESIDUAL of a traversal in quasi-static balance.

    Extremes are those of all places, those between its stations as well.
    """
    at = poses_at(parameters, traversal, all_places(parameters, traversal))
    of, works = forces(parameters, at), traversal.works
    mean_square = float(works.square[-1] / (traversal.s[-1] - traversal.s[0]))
    return {
        **_ends(of.torque),
        "torque_rms": math.sqrt(mean_square),
        "required_friction": float(np.nanmax(required_friction(of))),
        "min_normal_force": float(np.nanmin(least_normal(of))),
        "clearance_min": float(np.nanmin(clearance(parameters, track, at))),
        "wheel_work": float(works.wheels[-1]),
        "leg_work": float(works.leg_r[-1] + works.leg_f[-1]),
        "supplied_energy": float(works.supplied[-1]),
        "energy_residual": traversal.energy_residual,
    }


def torque_error(read: Observables) -> float:
    """Largest distance from the quasi-static torque over its peak; NaN without any."""
    torque, balance = read.torque[read.steady], read.quasi_static.torque[read.steady]
    known = np.isfinite(torque) & np.isfinite(balance)
    if not known.any() or not np.abs(balance[known]).max() > 0.0:
        return math.nan
    return float(np.abs(torque - balance)[known].max() / np.abs(balance[known]).max())


def _of_torque(read: Observables) -> dict[str, float]:
    """Those of the torque and its work, at the drive's speed."""
    rows = read.steady & np.isfinite(read.torque)
    if rows.sum() < 2:
        return {}
    torque, lengths = read.torque[rows], np.abs(np.diff(read.s_f[rows]))
    square = 0.5 * (torque[1:] ** 2 + torque[:-1] ** 2)  # both halves of a step count alike
    way = lengths.sum()
    works = read.works[:, rows][:, 1:]  # of the steps between these rows
    given = works.sum(axis=1)
    return {
        **_ends(torque),
        "torque_rms": math.sqrt(float((square * lengths).sum() / way)) if way > 0.0 else math.nan,
        "wheel_work": float(given[0] + given[1]),
        "leg_work": float(given[2] + given[3]),
        "supplied_energy": float(np.maximum(works, 0.0).sum()),
    }


def _ends(torque: Array) -> dict[str, float]:
    """Largest and smallest torque, and how far they are apart."""
    most, least = float(np.nanmax(torque)), float(np.nanmin(torque))
    return {"torque_max": most, "torque_min": least, "torque_range": most - least}


def _of_forces(read: Observables) -> dict[str, float]:
    """Those of the ground's forces at both wheels, at the drive's speed."""
    return {
        "required_friction": -_least(-read.needed[:, read.steady]),
        "min_normal_force": _least(read.normal[:, read.steady]),
    }


def _least(values: Array) -> float:
    """The least that is a number; NaN where there is none."""
    known = values[np.isfinite(values)]
    return float(known.min()) if known.size else math.nan
