"""The page of the vehicle's best leg angles: the document's Figure 25, and what angles come to.

Vehicle and track are read out of the arrays of its analyses.
"""

from collections.abc import Mapping
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.centres import CentrePoint
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose
from footfall.machines.ugv.closed_form.tracks import Track, TrackProfile, TrackSegment
from footfall.machines.ugv.optimum.problem import MEANINGS, TORQUE_RANGE, UNITS
from footfall.machines.ugv.report.drawing import (
    VehicleOutline,
    figures_of,
    places_apart,
    sequence_figure,
)
from footfall.metrics import Metric
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.tables import Contents, Table, listed, number
from footfall.show.colours import run_colour

FRONT = "front wheel at [m]"
"""Label of an axis over the track."""

NEWTON_METRE = "[N\N{NO-BREAK SPACE}m]"
"""Unit in the heading of a narrow column."""


def _vehicle_of(data: xr.Dataset) -> UgvParameters:
    """The vehicle that arrays were computed for."""
    return UgvParameters(
        **{item.name: float(data.attrs[item.name]) for item in fields(UgvParameters)}
    )


def _track_of(data: xr.Dataset) -> Track:
    """The track as far as arrays have it, straight between its points."""
    x, z = data["ground_x"].to_numpy(), data["ground_z"].to_numpy()
    ends = [0, *(np.flatnonzero(np.diff(x) <= 0.0) + 1).tolist(), len(x)]
    segments = [_piece(x[a:b], z[a:b]) for a, b in pairwise(ends)]
    return Track(str(data.attrs["track"]), tuple(segments))


def outlines_in(data: xr.Dataset) -> list[VehicleOutline]:
    """Vehicles to be drawn, of rows (n,) with phi_r and phi_f."""

    def column(name: str) -> Array:
        return np.atleast_1d(np.asarray(data[name].to_numpy(), dtype=float))

    still = np.full_like(column("pitch"), np.nan)
    front = CentrePoint(column("station"), column("front_z"), still, still, column("front_way"))
    rear = CentrePoint(column("rear_x"), column("rear_z"), still, still, column("rear_way"))
    phi_r, phi_f = (np.broadcast_to(column(name), still.shape) for name in ("phi_r", "phi_f"))
    return figures_of(
        _vehicle_of(data), VehiclePose(front, rear, phi_r, phi_f, still, column("pitch"))
    )


def _degrees(angle: float) -> str:
    """An angle [rad] in degrees."""
    return f"{np.degrees(angle):.4g}°"


def _piece(x: Array, z: Array) -> TrackSegment:
    def profile(at: Array) -> TrackProfile:
        return TrackProfile(np.interp(at, x, z), np.zeros_like(at), np.zeros_like(at))

    return TrackSegment(float(x[0]), float(x[-1]), profile)


_FRONT_LEG: Any = (0, (5, 2))
_LEGS: dict[str, tuple[str, Any]] = {
    "rear leg": ("phi_r", "-"),
    "front leg": ("phi_f", _FRONT_LEG),
}
_STYLES: dict[str, dict[str, Any]] = {
    "given": {"color": "#888888", "linewidth": 1.1},
    "fixed": {"color": run_colour(1), "linewidth": 1.0, "zorder": 2.5},
    "best": {"color": run_colour(0), "linewidth": 1.8},
}
_LABELS = {
    "given": "angles given",
    "fixed": "angles that stay",
    "best": "best of the grid",
}


def leg_angles_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Figure 25a and 25b, and the table of all paths."""
    return Contents([_angles(data), _sequence(data)], [_table(data)], _notes(data))


def _paths(data: xr.Dataset) -> list[str]:
    return [str(path) for path in data["path"].to_numpy()]


def _figure(data: xr.Dataset, part: str) -> str:
    """The document's figure that is drawn, if it is one."""
    own = data.attrs["is_text"] and data.attrs["criterion"] == TORQUE_RANGE
    return f"Figure 25{part}: " if own else ""


def _angles(data: xr.Dataset) -> Figure:
    """Angles, and the torque that they take."""
    s = data["station"].to_numpy()

    def plot(axes: npt.NDArray[Any]) -> None:
        angles, torque = axes[:, 0]
        for k, path in enumerate(_paths(data)):
            one, style = data.isel(path=k), _STYLES[path]
            for name, dashes in _LEGS.values():
                degrees_of = np.degrees(one[name].to_numpy())
                angles.plot(s, degrees_of, **(style | {"linestyle": dashes}))
            torque.plot(s, one["torque"].to_numpy(), label=_LABELS[path], **style)
        for leg, (_, dashes) in _LEGS.items():
            torque.plot([], [], color="#444444", linestyle=dashes, label=leg)
        for name in ("least_angle", "most_angle"):
            angles.axhline(np.degrees(float(data.attrs[name])), color="black", linewidth=0.6)
        angles.margins(y=0.1)
        torque.axhline(0.0, color="#888888", linewidth=0.7, zorder=1.0)
        angles.set_ylabel("angle of a leg [deg]")
        torque.set(xlabel=FRONT, ylabel="torque of either wheel [N m]")
        legend_on_top(torque)

    alt = (
        "Angles of both legs, and below the torque of either wheel, over the place of the front "
        f"wheel on the {data.attrs['track']}: {listed(_LABELS[path] for path in _paths(data))}."
    )
    note = "Angles between the body and its legs; thin lines: what they are kept between."
    title = f"{_figure(data, 'a')}angles of the legs and torque"
    title = title[0].upper() + title[1:]
    return draw(title, alt, (2, 1), plot, note=note, row_height=2.8)


def _sequence(data: xr.Dataset) -> Figure:
    """The vehicle with the best angles, at places one after another."""
    path, vehicle = data.isel(path=-1), _vehicle_of(data)
    rows = places_apart(data["station"].to_numpy(), vehicle)
    outlines = outlines_in(path.isel(station=rows))
    angles = zip(path["phi_r"].to_numpy()[rows], path["phi_f"].to_numpy()[rows], strict=True)
    labels = [f"{_degrees(rear)} / {_degrees(front)}" for rear, front in angles]
    note = f"Angles of the rear and of the front leg, of the path '{_LABELS[_paths(data)[-1]]}'."
    title = f"{_figure(data, 'b')}sequence over the track"
    title = title[0].upper() + title[1:]
    return sequence_figure(_track_of(data), outlines, labels, vehicle, title, note=note)


def _table(data: xr.Dataset) -> Table:
    criterion = str(data.attrs["criterion"])
    rows = []
    for k, path in enumerate(_paths(data)):
        one = data.isel(path=k)
        torque = one["torque"].to_numpy()
        legs = float(one["leg_work_r"][-1] + one["leg_work_f"][-1])
        numbers = (
            float(one["value"]),
            float(torque.min()),
            float(torque.max()),
            float(one["required_friction"].max()),
            float(one["min_normal"].min()),
            float(one["clearance"].min()),
            float(one["wheel_work"][-1]),
            legs,
            float(one["supplied_energy"]),
        )
        fault = str(one["fault"].to_numpy()[()])
        rows.append((_LABELS[path], *(number(x, 4) for x in numbers), fault or "passes"))
    headings = (
        "path",
        f"value [{UNITS[criterion]}]".replace("N m", "N\N{NO-BREAK SPACE}m"),
        f"smallest torque {NEWTON_METRE}",
        f"largest {NEWTON_METRE}",
        "friction needed [1]",
        "least normal force [N]",
        "clearance [m]",
        "work of the wheels [J]",
        "of the legs [J]",
        "energy given [J]",
        "verdict",
    )
    return Table("Paths", headings, rows, f"Value: {MEANINGS[criterion]}.")


def _notes(data: xr.Dataset) -> list[str]:
    criterion, best = str(data.attrs["criterion"]), float(data["value"].to_numpy()[-1])
    unit = "" if UNITS[criterion] == "1" else f" {UNITS[criterion]}"
    ends = " and ".join(_degrees(float(data.attrs[name])) for name in ("least_angle", "most_angle"))
    sentence = (
        f"The criterion is the {MEANINGS[criterion]}: {number(best, 4)}{unit} of the path "
        f"'{_LABELS[_paths(data)[-1]]}', with angles between {ends}."
    )
    rate = float(data.attrs["rate"])
    if np.isfinite(rate):
        sentence += f" The legs turn by {_degrees(rate)} at most for a metre of the front wheel."
    return [sentence]
