"""Quasi-static balance of the vehicle at angles that stay, as functions for sweeps.

What is done for a pair of angles is the document's: "for a set of discretized values of the front
wheel position" and "for any combination of a set of discretized values of the angles" (section 8).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import xarray as xr
import yaml

from footfall.analysis.functions import Case, labelled
from footfall.arrays import Array, Flags
from footfall.errors import ScenarioError
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import (
    Forces,
    forces,
    least_normal,
    required_friction,
    verdict,
)
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose, base, pose
from footfall.machines.ugv.closed_form.tracks import Track, TrackKind
from footfall.machines.ugv.closed_form.traversal import Traversal, all_places, poses_at, traversal
from footfall.machines.ugv.ground import track_of
from footfall.machines.ugv.measures import RESIDUAL, TRAVERSAL_METRICS, traversal_metrics
from footfall.machines.ugv.model import parameters_of, wheel_contacts
from footfall.overrides import read_yaml
from footfall.plants.contacts import ContactSet
from footfall.registry.claims import Claim
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


_BESIDE = 1e-9  # m: how near to a jump its two sides are
_SAME_PLACE = 1e-9  # m
_MOST_STATIONS = 10_000
_FAILURES = {
    "rolls_over": "first place where the ground would have to hold a wheel down",
    "slips": "first place where a wheel that is pressed down needs more friction",
    "bottoms": "first place where body or legs reach into the ground",
}
_CURVES = {"required_friction": "friction_needed"}
_ON_MAP = ("torque", "required_friction", "min_normal", "clearance", "outcome")


def traversed(
    case: Case,
    *,
    rear: float,
    front: float,
    begin: float = 0.5,
    end: float = 9.0,
    stations: int = 426,
    track: str = "",
) -> xr.Dataset:
    """Torque, forces and clearance over the track at angles that stay, and what they come to.

    rear, front: between body and legs [degrees]: 90 stands down, 180 is in line with it. begin, end
    [m]: of the centre of the front wheel, at so many stations, beside which are the two sides of
    every jump. track: "!Bump {height: 0.2}", !Steps, !Sine or !TrackPoints; without one it is the
    model's. Raises ScenarioError for angles without a place somewhere on the track.
    """
    way = _way(case, begin, end, stations, track)
    phi_r, phi_f = _angles(rear, front)
    try:
        rows = traversal(way.parameters, way.curve, way.stations, phi_r, phi_f)
    except ValueError as error:
        raise ScenarioError(f"{rear:g} and {front:g} degrees: {error}.") from error
    known = TRAVERSAL_METRICS | RESIDUAL
    numbers = {
        name: (value, *known[name])
        for name, value in traversal_metrics(way.parameters, way.track, rows).items()
    }
    for name, meaning in _FAILURES.items():
        numbers[f"{name}_from"] = (_first_failure(way, rows, name), "m", meaning)
    numbers["phi_r"] = (phi_r, *ANGLES["phi_r"])
    numbers["phi_f"] = (phi_f, *ANGLES["phi_f"])
    curves = columns_of(way, rows.pose, rows.forces)
    return _over_stations(rows.s, curves).merge(labelled(numbers))


def balance(
    case: Case,
    *,
    rear: float,
    front: float,
    begin: float = 1.5,
    end: float = 8.0,
    stations: int = 60,
    track: str = "",
) -> xr.Dataset:
    """Torque, friction, normal force and clearance at places on the track, with any angles.

    Everything as for `traversed`, but that angles may have no place; beside the stations are the
    two sides of every jump at the front wheel. (Where it jumps at the rear one depends on them.)
    """
    way = _way(case, begin, end, stations, track)
    inside = way.curve.angle_jumps
    inside = inside[(inside > begin + _BESIDE) & (inside < end - _BESIDE)]
    s = np.unique(np.concatenate((way.stations, inside - _BESIDE, inside + _BESIDE)))
    at = pose(way.parameters, way.curve, s, *_angles(rear, front))
    columns = columns_of(way, at, forces(way.parameters, at))
    passes = columns["outcome"][0] == 0
    peak = float(np.abs(columns["torque"][0]).max()) if passes.all() else math.nan
    numbers = {
        "passes": (float(passes.all()), "1", "1 where the vehicle passes everywhere"),
        "torque_peak": (peak, "N m", "largest size of the torque of angles that pass"),
    }
    return _over_stations(s, {name: columns[name] for name in _ON_MAP}).merge(labelled(numbers))


def _first_failure(way: TraversalTask, rows: Traversal, name: str) -> float:
    """First place of a traversal with a failure of _FAILURES [m], between stations as well."""
    places = all_places(rows)
    those = _fails(way, rows, places, name)
    if not those.any():
        return math.nan
    k = int(those.argmax())
    low, high = float(places[max(k - 1, 0)]), float(places[k])
    while high - low > _SAME_PLACE:
        middle = 0.5 * (low + high)
        fails = bool(_fails(way, rows, np.array([middle]), name)[0])
        low, high = (low, middle) if fails else (middle, high)
    return high


def _fails(way: TraversalTask, rows: Traversal, places: Array, name: str) -> Flags:
    at = poses_at(way.parameters, rows, places)
    judged = verdict(way.parameters, way.track, at, forces(way.parameters, at), way.friction)
    flags: Flags = getattr(judged, name)
    return flags


@lru_cache(maxsize=2)  # of a whole sweep over the angles
def _way(case: Case, begin: float, end: float, stations: int, track: str) -> TraversalTask:
    check_engine(case.engine)
    check_stations(begin, end, stations, _MOST_STATIONS)
    widest = np.array(math.pi)  # of all angles: that no way is too short
    at = np.linspace(begin, end, stations)
    return traversal_task(case.context, read_track_kind(track), at, widest, widest)


def read_track_kind(text: str) -> TrackKind | None:
    """Read a track of a text as a scenario has it, ``!Bump {height: 0.2}``; None for no text.

    Raises ScenarioError, one line, for what is none.
    """
    if not text:
        return None
    kinds = {kind.__name__: kind for kind in get_args(TrackKind)}
    try:
        group = read_yaml(text)
        track: TrackKind = kinds[str(group.pop("_tag", "")).lstrip("!")](**group)
    except (AttributeError, KeyError, TypeError, yaml.YAMLError) as error:
        raise ScenarioError(
            f"track is {text!r}: write one of {', '.join(f'!{name}' for name in kinds)}, as in "
            "!Bump {height: 0.2}."
        ) from error
    return track


def _angles(rear: float, front: float) -> tuple[float, float]:
    for name, degrees in (("rear", rear), ("front", front)):
        if not 0.0 <= degrees <= 180.0:
            raise ScenarioError(f"parameters.{name} is {degrees:g} degrees: {LEG_ANGLE}.")
    return math.radians(rear), math.radians(front)


def _over_stations(s: Array, curves: Columns) -> xr.Dataset:
    # the number of that name is the largest of a traversal
    named = {_CURVES.get(name, name): curve for name, curve in curves.items()}
    return with_stations(labelled(named, ["station"]), s)


_REAR, _FRONT = "parameters.rear", "parameters.front"


def summary(data: xr.Dataset, _context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Bounds and best angles of a map of `balance`."""
    if (
        data.attrs["function"] == "balance"
        and {_REAR, _FRONT} <= set(data.dims)
        and "station" in data.dims
    ):
        return _of_map(data.isel(engine=0, drop=True)), ()
    return xr.Dataset(), ()


def _of_map(data: xr.Dataset) -> xr.Dataset:
    """Torques among which the legs can choose, place by place, and the best angles that stay."""
    passing, over = data["outcome"] == 0, [_REAR, _FRONT]
    torque = data["torque"].where(passing)
    bounds = {
        "lowest_torque": (torque.min(over), "smallest torque of all angles that pass"),
        "highest_torque": (torque.max(over), "largest torque of all angles that pass"),
        "least_effort": (abs(torque).min(over), "least size of the torque of angles that pass"),
        "torque_on_passage": (torque, "torque where the vehicle passes"),
    }
    curves = xr.Dataset(
        {
            name: value.assign_attrs(units="N m", long_name=meaning)
            for name, (value, meaning) in bounds.items()
        }
    )
    least = float(curves["least_effort"].max(skipna=False))
    numbers = {
        "passing_share": (float(passing.mean()), "1", "points of the map that it passes, of all"),
        "passing_torque_max": (float(torque.max()), "N m", "largest torque where it passes"),
        "passing_torque_min": (float(torque.min()), "N m", "smallest torque where it passes"),
        "least_peak": (
            least,
            "N m",
            "largest size of the torque if each place has the map's angles of the least there",
        ),
    }
    peaks = data["torque_peak"]
    if bool(peaks.notnull().any()):
        best = peaks.argmin([_REAR, _FRONT])
        place = {name: float(data[name][int(at)]) for name, at in best.items()}
        numbers |= {
            "fixed_peak": (float(peaks.min()), "N m", "least peak of angles that stay"),
            "fixed_rear": (place[_REAR], "deg", "these angles, of the rear leg"),
            "fixed_front": (place[_FRONT], "deg", "of the front leg"),
        }
    return curves.merge(labelled(numbers))
