"""Poses and forces of the vehicle as labelled arrays, with all that a picture of them needs."""

from collections.abc import Hashable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.machines.ugv.analyses.traversal_task import TraversalTask
from footfall.machines.ugv.closed_form.criteria import least_normal, required_friction, verdict
from footfall.machines.ugv.closed_form.forces import Forces
from footfall.machines.ugv.closed_form.position import VehiclePose

OUTCOMES = ("passes", "has no place", "rolls over", "slips", "bottoms")
"""What becomes of the vehicle at a place, by its code: the first that applies, from the second."""

ROWS = {
    "torque": ("N m", "torque of the motor of either wheel, positive ahead"),
    "normal_r": ("N", "normal force at the rear wheel"),
    "normal_f": ("N", "normal force at the front wheel"),
    "leg_r": ("N m", "torque at the rear leg, positive where it opens the angle"),
    "leg_f": ("N m", "torque at the front leg, positive where it opens the angle"),
    "required_friction": ("1", "friction that keeps both wheels from slipping"),
    "min_normal": ("N", "the smaller of the normal forces"),
    "clearance": ("m", "least height of body and legs over the track"),
    "outcome": ("1", ", ".join(f"{code}: {name}" for code, name in enumerate(OUTCOMES))),
    "pitch": ("rad", "pitch of the body, front up"),
    "rear_x": ("m", "abscissa of the centre of the rear wheel"),
    "rear_z": ("m", "height of the centre of the rear wheel"),
    "front_z": ("m", "height of the centre of the front wheel"),
    "rear_way": ("m", "way of the centre of the rear wheel"),
    "front_way": ("m", "way of the centre of the front wheel"),
}
"""Unit and meaning of everything that `rows` gives."""

_ANGLES = {
    "phi_r": ("rad", "angle between the body and the rear leg"),
    "phi_f": ("rad", "angle between the body and the front leg"),
    "station": ("m", "abscissa of the centre of the front wheel"),
}
_POINTS = 300  # of each piece of a track


def rows(task: TraversalTask, at: VehiclePose, of: Forces) -> dict[str, npt.NDArray[Any]]:
    """Arrays of the shape of the poses, by the names of ROWS."""
    fails = verdict(task.parameters, task.track, at, of, task.friction)
    flags = (~fails.possible, fails.rolls_over, fails.slips, fails.bottoms)
    codes = np.arange(1, len(OUTCOMES), dtype=np.int8)
    return {
        "torque": of.torque,
        "normal_r": of.normal_r,
        "normal_f": of.normal_f,
        "leg_r": of.leg_r,
        "leg_f": of.leg_f,
        "required_friction": required_friction(of),
        "min_normal": least_normal(of),
        "clearance": fails.clearance,
        "outcome": np.select(flags, list(codes), np.int8(0)),
        "pitch": at.psi,
        "rear_x": at.rear.s,
        "rear_z": at.rear.z,
        "front_z": at.front.z,
        "rear_way": at.rear.arc,
        "front_way": at.front.arc,
    }


def dataset(
    task: TraversalTask,
    variables: Mapping[str, tuple[tuple[str, ...], npt.ArrayLike]],
    coordinates: Mapping[str, tuple[tuple[str, ...], npt.ArrayLike]],
    meanings: Mapping[str, tuple[str, str]],
    attrs: Mapping[str, Any],
) -> xr.Dataset:
    """Arrays with their dimensions, and with them the track, the vehicle and the friction.

    meanings: unit and meaning of what is neither in ROWS nor an angle or a station.
    """
    x, z = _outline(task)
    own = {"ground_x": ("ground", x), "ground_z": ("ground", z)}
    known = ROWS | _ANGLES | dict(meanings)
    known |= {"ground_x": ("m", "points of the track"), "ground_z": ("m", "their heights")}
    data = xr.Dataset(
        {**variables, **own},
        dict(coordinates),
        {
            "track": task.track.label,
            "is_text": int(task.is_text),
            "friction": task.friction,
            **asdict(task.parameters),
            **attrs,
        },
    )
    names: list[Hashable] = [*data.data_vars, *data.coords]
    for name in names:
        unit, meaning = known[str(name)]
        data[name].attrs.update(units=unit, long_name=meaning)
    return data


def _outline(task: TraversalTask) -> tuple[Array, Array]:
    """Points (n,) x, z [m] of the track below the whole way, both edges of its walls among them."""
    begin, end = task.curve.begin - 2.0 * task.parameters.r, task.curve.end
    end += 2.0 * task.parameters.r
    found: list[tuple[Array, Array]] = []
    for segment in task.track.segments:
        low, high = max(segment.begin, begin), min(segment.end, end)
        if low < high:
            x = np.linspace(low, high, _POINTS)
            found.append((x, segment.profile(x).height))
    return np.concatenate([x for x, _ in found]), np.concatenate([z for _, z in found])
