"""Task that the analyses of quasi-static traversals share: vehicle, ground, stations.

Its poses and forces come as labelled arrays, with all that a picture of them needs.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.errors import ScenarioError
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

Columns = dict[str, tuple[npt.NDArray[Any], str, str]]
"""Arrays by name, each with its unit and meaning."""

ANGLES = {
    "phi_r": ("rad", "angle between the body and the rear leg"),
    "phi_f": ("rad", "angle between the body and the front leg"),
}
"""Unit and meaning of the angles of the legs."""


def columns_of(task: TraversalTask, at: VehiclePose, of: Forces) -> Columns:
    """Arrays of the shape of the poses."""
    fails = verdict(task.parameters, task.track, at, of, task.friction)
    flags = (~fails.possible, fails.rolls_over, fails.slips, fails.bottoms)
    outcome = np.select(flags, list(np.arange(1, len(OUTCOMES), dtype=np.int8)), np.int8(0))
    codes = ", ".join(f"{code}: {name}" for code, name in enumerate(OUTCOMES))
    opens = "positive where it opens the angle"
    return {
        "torque": (of.torque, "N m", "torque of the motor of either wheel, positive ahead"),
        "normal_r": (of.normal_r, "N", "normal force at the rear wheel"),
        "normal_f": (of.normal_f, "N", "normal force at the front wheel"),
        "leg_r": (of.leg_r, "N m", f"torque at the rear leg, {opens}"),
        "leg_f": (of.leg_f, "N m", f"torque at the front leg, {opens}"),
        "required_friction": (
            required_friction(of),
            "1",
            "friction that keeps both wheels from slipping",
        ),
        "min_normal": (least_normal(of), "N", "the smaller of the normal forces"),
        "clearance": (fails.clearance, "m", "least height of body and legs over the track"),
        "outcome": (outcome, "1", codes),
        "pitch": (at.psi, "rad", "pitch of the body, front up"),
        "rear_x": (at.rear.s, "m", "abscissa of the centre of the rear wheel"),
        "rear_z": (at.rear.z, "m", "height of the centre of the rear wheel"),
        "front_z": (at.front.z, "m", "height of the centre of the front wheel"),
        "rear_way": (at.rear.arc, "m", "way of the centre of the rear wheel"),
        "front_way": (at.front.arc, "m", "way of the centre of the front wheel"),
    }


def with_stations(data: xr.Dataset, s: Array) -> xr.Dataset:
    """Return arrays over stations with the places of these, s (n,) [m]."""
    meaning = {"units": "m", "long_name": "abscissa of the centre of the front wheel"}
    return data.assign_coords(station=("station", s, meaning))
