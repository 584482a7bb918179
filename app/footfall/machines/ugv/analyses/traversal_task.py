"""Task that the analyses of quasi-static traversals share: vehicle, ground, stations."""

import math
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import base
from footfall.machines.ugv.closed_form.tracks import Track, bump
from footfall.machines.ugv.model import parameters_of, wheel_contacts
from footfall.machines.ugv.tracks import Bump, Sine, Steps, TrackPoints, ground_of
from footfall.plants.contacts import ContactSet
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM

ALIKE = 1e-4
"""Height [m]: a track that is nowhere farther from the document's is the document's."""

_MOST_STATIONS = 1000
_MOST_ANGLES = 100
_MOST_POINTS = 500_000  # of a map
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

    @property
    def is_text(self) -> bool:
        """Return whether vehicle and track are the document's, with footfall's wheels."""
        x = np.linspace(self.curve.begin, self.curve.end, 2001)
        off = self.track.profile(x).height - bump().profile(x).height
        return self.parameters == UgvParameters() and bool(np.abs(off).max() <= ALIKE)


def check_engine(engine: str) -> None:
    """Raise ScenarioError for another engine than the closed form."""
    if engine != CLOSED_FORM:
        raise ScenarioError(
            f"analysis.engine is '{engine}': balance without motion has {CLOSED_FORM} alone; "
            "simulate a drive over the track with another engine."
        )


def check_interval(begin: float, end: float) -> None:
    """Raise ScenarioError for what is no way ahead [m]."""
    if not (math.isfinite(begin) and math.isfinite(end) and begin < end):
        raise ScenarioError(
            f"analysis: begin is {begin:g} m and end {end:g} m: let the front wheel go ahead from "
            "the one to the other."
        )


def check_stations(begin: float, end: float, stations: int, most: int = _MOST_STATIONS) -> None:
    """Raise ScenarioError for stations that are none; most: how many there may be."""
    check_interval(begin, end)
    if not 2 <= stations <= most:
        raise ScenarioError(f"analysis.stations is {stations}: give 2 to {most}.")


def check_map(stations: int, angles: int) -> None:
    """Raise ScenarioError for a grid of so many stations, and angles of each leg, that is none."""
    if not 2 <= angles <= _MOST_ANGLES:
        raise ScenarioError(f"analysis.angles is {angles}: give 2 to {_MOST_ANGLES}.")
    if stations * angles**2 > _MOST_POINTS:
        raise ScenarioError(
            f"analysis: {stations} stations and {angles} angles of each leg are "
            f"{stations * angles**2} points: ask for {_MOST_POINTS} at most."
        )


def check_range(low: str, least: float, high: str, most: float) -> None:
    """Raise ScenarioError for settings ``low`` and ``high`` that are no range of angles [deg]."""
    check_angle(f"analysis.{low}", least)
    check_angle(f"analysis.{high}", most)
    if not least < most:
        raise ScenarioError(
            f"analysis: {low} is {least:g}, {high} {most:g} degrees: give the smaller one first."
        )


def check_angle(where: str, degrees: float) -> None:
    """Raise ScenarioError for what is no angle of a leg; where: what it is called."""
    if not 0.0 <= degrees <= 180.0:
        raise ScenarioError(
            f"{where} is {degrees:g} degrees: give 0 to 180; 90 stands down from the body, 180 is "
            "in line with it."
        )


def traversal_task(
    context: MachineContext,
    track: Bump | Steps | Sine | TrackPoints | None,
    stations: Array,
    phi_r: Array,
    phi_f: Array,
) -> TraversalTask:
    """The way of a vehicle that will be at stations [m] with angles [rad], of any shapes.

    track: as the scenario gives it; None: the model's. Raises ScenarioError, one line, for a track
    that does not reach so far or that no wheel climbs.
    """
    parameters = parameters_of(context.model, context.contacts)
    ground = ground_of(track, context)
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
    found = min(
        float(mu)
        for contact, mu in zip(touching, contacts.mu_static, strict=False)
        if contacts.names[contact] in wheels
    )
    return float(f"{found:.12g}")  # as it was given, where Drake's rule has rounded it
