"""Task that the analyses of quasi-static traversals share: vehicle, ground, stations.

Its poses and forces come as labelled arrays, with all that a picture of them needs.
"""

import math
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.ugv.claims import is_documents
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import (
    Forces,
    least_normal,
    required_friction,
    verdict,
)
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose, base
from footfall.machines.ugv.closed_form.tracks import Track, TrackKind
from footfall.machines.ugv.ground import track_of
from footfall.machines.ugv.model import parameters_of, wheel_contacts
from footfall.plants.contacts import ContactSet
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM

LEG_ANGLE = "give 0 to 180 degrees; 90 stands down from the body, 180 is in line with it"
"""Advice about an angle of a leg that is none."""

_MARGIN = 0.01  # m: of the curve beyond the last station, and behind the rear wheel


@dataclass(frozen=True, eq=False)
class TraversalTask:
    """A vehicle and its way.

    curve: of the wheels' centres, as far behind as the rear wheel can be. stations [m]: abscissas
    of the front wheel's centre, rising. friction: least coefficient of a wheel that does not slide.
    """

    parameters: UgvParameters
    track: Track
    curve: CentreCurve
    stations: Array
    friction: float


def check_engine(engine: str) -> None:
    """Raise ScenarioError for another engine than the closed form."""
    if engine != CLOSED_FORM:
        raise ScenarioError(
            f"analysis.engine is '{engine}': balance without motion has {CLOSED_FORM} alone; "
            "simulate a drive over the track with another engine."
        )


def check_stations(begin: float, end: float, stations: int, most: int) -> None:
    """Raise ScenarioError for no way ahead [m], or stations that are none; most: of these."""
    if not (math.isfinite(begin) and math.isfinite(end) and begin < end):
        raise ScenarioError(
            f"analysis: begin is {begin:g} m and end {end:g} m: let the front wheel go ahead from "
            "the one to the other."
        )
    if not 2 <= stations <= most:
        raise ScenarioError(f"analysis.stations is {stations}: give 2 to {most}.")


def traversal_task(
    context: MachineContext,
    track: TrackKind | None,
    stations: Array,
    phi_r: Array,
    phi_f: Array,
) -> TraversalTask:
    """The way of a vehicle that will be at stations [m] with angles [rad], of any shapes.

    track: as the scenario gives it; None: the model's. Raises ScenarioError, one line, for a track
    that does not reach so far or that no wheel climbs.
    """
    parameters = parameters_of(context.model, context.contacts)
    ground = track.track() if track is not None else track_of(context.model)
    wheelbase = float(np.abs(base(parameters, phi_r, phi_f)).max())
    try:
        curve = CentreCurve(
            ground, parameters.r, float(stations[0]) - wheelbase - _MARGIN, float(stations[-1])
        )
    except ValueError as error:
        raise ScenarioError(f"analysis: {error}.") from error
    return TraversalTask(parameters, ground, curve, stations, friction_of(context.contacts))


def friction_of(contacts: ContactSet) -> float:
    """Least coefficient of a wheel that does not slide, on whatever it may touch."""
    wheels = {name for names in wheel_contacts(contacts) for name in names}
    touching = contacts.reported_as[: contacts.num_touching]
    least = min(
        float(mu)
        for contact, mu in zip(touching, contacts.mu_static, strict=False)
        if contacts.names[contact] in wheels
    )
    return float(f"{least:.12g}")  # as it was given, where Drake's rule has rounded it


OUTCOMES = ("passes", "has no place", "rolls over", "slips", "bottoms")
"""Outcomes at a place, by their code: the first that applies, from the second."""

COLUMNS = {
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
"""Unit and meaning of everything that `columns_of` gives."""

_ANGLES = {
    "phi_r": ("rad", "angle between the body and the rear leg"),
    "phi_f": ("rad", "angle between the body and the front leg"),
    "station": ("m", "abscissa of the centre of the front wheel"),
}


def columns_of(task: TraversalTask, at: VehiclePose, of: Forces) -> dict[str, npt.NDArray[Any]]:
    """Arrays of the shape of the poses, by the names of COLUMNS."""
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

    meanings: unit and meaning of what is neither in COLUMNS nor an angle or a station.
    """
    beyond = 2.0 * task.parameters.r
    x, z = task.track.outline(task.curve.begin - beyond, task.curve.end + beyond)
    own = {"ground_x": ("ground", x), "ground_z": ("ground", z)}
    known = COLUMNS | _ANGLES | dict(meanings)
    known |= {"ground_x": ("m", "points of the track"), "ground_z": ("m", "their heights")}
    data = xr.Dataset(
        {**variables, **own},
        dict(coordinates),
        {
            "track": task.track.label,
            "is_text": int(is_documents(task.parameters, task.track)),
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
