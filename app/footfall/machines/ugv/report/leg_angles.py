"""The page of the vehicle's best leg angles: the document's Figure 25, and what angles come to.

Vehicle and track are read out of the arrays of its analyses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.centres import CentrePoint
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import VehiclePose
from footfall.machines.ugv.closed_form.tracks import Track, TrackProfile, TrackSegment
from footfall.machines.ugv.optimum.problem import MEANINGS, TORQUE_PEAK, TORQUE_RANGE, UNITS
from footfall.machines.ugv.report.drawing import (
    VehicleOutline,
    draw_track,
    draw_vehicle,
    figures_of,
)
from footfall.metrics import Metric
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.tables import MINUS, NONE, Contents, Table, listed, number
from footfall.show.colours import run_colour

FRONT = "front wheel at [m]"
"""Label of an axis over the track."""

NEWTON_METRE = "[N\N{NO-BREAK SPACE}m]"
"""Unit in the heading of a narrow column."""

_COLUMNS = 3  # of a strip
_WIDTH = 8.2  # inches, of its panels
_ROOM = 0.15  # m: about a vehicle


def vehicle_of(data: xr.Dataset) -> UgvParameters:
    """The vehicle that arrays were computed for."""
    return UgvParameters(
        **{item.name: float(data.attrs[item.name]) for item in fields(UgvParameters)}
    )


def track_of(data: xr.Dataset) -> Track:
    """The track as far as arrays have it, straight between its points."""
    x, z = data["ground_x"].to_numpy(), data["ground_z"].to_numpy()
    ends = [0, *(np.flatnonzero(np.diff(x) <= 0.0) + 1).tolist(), len(x)]
    segments = [_piece(x[a:b], z[a:b]) for a, b in pairwise(ends)]
    return Track(str(data.attrs["track"]), tuple(segments))


def figures_in(data: xr.Dataset) -> list[VehicleOutline]:
    """Vehicles to be drawn, of rows (n,) with phi_r and phi_f."""

    def column(name: str) -> Array:
        return np.atleast_1d(np.asarray(data[name].to_numpy(), dtype=float))

    still = np.full_like(column("pitch"), np.nan)
    front = CentrePoint(column("station"), column("front_z"), still, still, column("front_way"))
    rear = CentrePoint(column("rear_x"), column("rear_z"), still, still, column("rear_way"))
    phi_r, phi_f = (np.broadcast_to(column(name), still.shape) for name in ("phi_r", "phi_f"))
    return figures_of(
        vehicle_of(data), VehiclePose(front, rear, phi_r, phi_f, still, column("pitch"))
    )


def strip(
    data: Sequence[xr.Dataset], titles: Sequence[str], title: str, alt: str, note: str = ""
) -> Figure:
    """The vehicle on its track in a panel for every place, all of one scale.

    data: a row of labelled arrays each, of one pair of angles at one station.
    """
    vehicle, track = vehicle_of(data[0]), track_of(data[0])
    figures = [figures_in(one)[0] for one in data]
    points = np.array([figure[:4] for figure in figures], dtype=np.complex128)
    half = 0.5 * float(np.ptp(points.real, axis=1).max()) + vehicle.r + _ROOM
    middles = 0.5 * (points.real.min(axis=1) + points.real.max(axis=1))
    low = min(float(points.imag.min()) - vehicle.r, 0.0) - _ROOM
    high = float(points.imag.max()) + vehicle.r + 0.5 * _ROOM
    columns = min(_COLUMNS, len(figures))

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel in axes.ravel()[len(figures) :]:
            panel.set_visible(False)
        for k, (panel, figure) in enumerate(zip(axes.ravel(), figures, strict=False)):
            begin, end = middles[k] - half, middles[k] + half
            draw_track(panel, track, max(begin, track.begin), min(end, track.end))
            draw_vehicle(panel, figure, vehicle, label=k == 0)
            panel.set(xlim=(begin, end), ylim=(low, high), aspect="equal", xlabel="x [m]")
            panel.set_title(titles[k])
        for panel in axes[:, 0]:
            panel.set_ylabel("z [m]")
        legend_on_top(axes[0, 0])

    shape = (-(-len(figures) // columns), columns)
    height = _WIDTH / columns * (high - low) / (2.0 * half) + 0.75
    return draw(title, alt, shape, plot, note=note, row_height=height, share_x=False)


def degrees(angle: float) -> str:
    """An angle [rad] in degrees."""
    return f"{np.degrees(angle):.4g}°"


def pair(phi_r: float, phi_f: float) -> str:
    """Two angles [rad], rear and front."""
    return f"{degrees(phi_r)} / {degrees(phi_f)}"


def runs(flags: Sequence[bool] | npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last place of every run of flags that are set."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], np.asarray(flags, dtype=int), [0]))))
    return [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]


def _piece(x: Array, z: Array) -> TrackSegment:
    def profile(at: Array) -> TrackProfile:
        return TrackProfile(np.interp(at, x, z), np.zeros_like(at), np.zeros_like(at))

    return TrackSegment(float(x[0]), float(x[-1]), profile)


_FRONT_LEG: Any = (0, (5, 2))
_BAND: dict[str, Any] = {"color": "#999999", "alpha": 0.25, "linewidth": 0.0, "zorder": 0.8}
_GREY = {
    TORQUE_RANGE: " Grey: torques that the angles of the grid offer, place by place.",
    TORQUE_PEAK: " Grey: torques so small that no angles of the grid offer them, place by place.",
}
_ZERO: dict[str, Any] = {"color": "#888888", "linewidth": 0.7, "zorder": 1.0}
_LEGS: dict[str, tuple[str, Any]] = {
    "rear leg": ("phi_r", "-"),
    "front leg": ("phi_f", _FRONT_LEG),
}
_STYLES: dict[str, dict[str, Any]] = {
    "given": {"color": "#888888", "linewidth": 1.1},
    "fixed": {"color": run_colour(1), "linewidth": 1.0, "zorder": 2.5},
    "grid": {"color": run_colour(0), "linewidth": 3.2, "alpha": 0.35},
    "refined": {"color": run_colour(0), "linewidth": 1.8},
}
_TOLD = {
    "given": "angles given",
    "fixed": "angles that stay",
    "grid": "best on a grid",
    "refined": "refined",
}
_PANELS: dict[str, tuple[str, float]] = {
    "required_friction": ("friction needed [1]", 1.0),
    "min_normal": ("least normal force [kN]", 1e-3),
    "clearance": ("clearance [m]", 1.0),
    "wheel_work": ("work of the wheels [J]", 1.0),
    "leg_work": ("work of the legs [J]", 1.0),
    "leg_torque": ("larger leg torque [kN m]", 1e-3),
}
_PLACES = 6  # of a sequence
_CALM = 0.15  # of the largest torque: places with less before and behind are not drawn
_NEVER_EVEN = (
    "Level ground needs no torque and a rise some, so that no motion of the legs makes it even. "
    "The bound is what single places ask of any angles of the grid."
)


def leg_angles_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Figure 25a and 25b, forces and works, and the table of all paths with the bound."""
    figures = [_angles(data), _besides(data), _sequence(data)]
    return Contents(figures, [_table(data)], _notes(data))


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
            torque.plot(s, one["torque"].to_numpy(), label=_TOLD[path], **style)
        for leg, (_, dashes) in _LEGS.items():
            torque.plot([], [], color="#444444", linestyle=dashes, label=leg)
        for name in ("least_angle", "most_angle"):
            angles.axhline(np.degrees(float(data.attrs[name])), color="black", linewidth=0.6)
        angles.margins(y=0.1)
        _plot_bound(torque, data)
        angles.set_ylabel("angle of a leg [deg]")
        torque.set(xlabel=FRONT, ylabel="torque of either wheel [N m]")
        legend_on_top(torque)

    alt = (
        "Angles of both legs, and below the torque of either wheel, over the place of the front "
        f"wheel on the {data.attrs['track']}: {listed(_TOLD[path] for path in _paths(data))}."
    )
    note = "Angles between the body and its legs; thin lines: what they are kept between."
    note += _GREY.get(str(data.attrs["criterion"]), "")
    title = f"{_figure(data, 'a')}angles of the legs and torque"
    title = title[0].upper() + title[1:]
    return draw(title, alt, (2, 1), plot, note=note, row_height=2.8)


def _plot_bound(panel: Panel, data: xr.Dataset) -> None:
    """Bounds of criteria that single positions give, or, of the size of the torque, do not."""
    criterion, s = str(data.attrs["criterion"]), data["station"].to_numpy()
    low, high = data["lowest"].to_numpy(), data["highest"].to_numpy()
    panel.axhline(0.0, **_ZERO)
    if criterion == TORQUE_RANGE:
        panel.fill_between(s, low, high, label="on offer", **_BAND)
    elif criterion == TORQUE_PEAK:
        panel.fill_between(s, -low, low, label="out of reach", **_BAND)


def _besides(data: xr.Dataset) -> Figure:
    """Limits of ground and legs."""
    s = data["station"].to_numpy()
    rows = {name: _row(data, name) for name in _PANELS}

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (name, (label, factor)) in zip(axes.ravel(), _PANELS.items(), strict=True):
            for k, path in enumerate(_paths(data)):
                panel.plot(s, factor * rows[name][k], label=_TOLD[path], **_STYLES[path])
            panel.set_ylabel(label)
            panel.axhline(0.0, **_ZERO)
        friction = axes[0, 0]
        given = float(data.attrs["friction"])
        if friction.get_ylim()[1] > 0.5 * given:
            friction.axhline(given, color="black", linewidth=0.9, linestyle=_FRONT_LEG)
            friction.set_ylim(0.0, min(friction.get_ylim()[1], 1.5 * given))
        for panel in axes[-1]:
            panel.set_xlabel(FRONT)
        legend_on_top(friction)

    alt = (
        "Friction needed, smaller normal force, clearance, works of wheels and legs and the larger "
        "torque at a leg over the place of the front wheel, for all paths."
    )
    given = number(float(data.attrs["friction"]), 3)
    note = (
        f"The ground has a friction of {given}. Works are those done up to a place, of both wheels "
        "and of both legs."
    )
    title = "What the ground and the legs have to give"
    return draw(title, alt, (3, 2), plot, note=note, row_height=2.1)


def _row(data: xr.Dataset, name: str) -> Array:
    """A quantity of all paths, (paths, stations)."""
    if name == "leg_work":
        both = data["leg_work_r"] + data["leg_work_f"]
        return np.asarray(both.to_numpy(), dtype=float)
    if name == "leg_torque":
        each = (np.abs(data[leg].to_numpy()) for leg in ("leg_r", "leg_f"))
        return np.maximum(*each)
    return np.asarray(data[name].to_numpy(), dtype=float)


def _sequence(data: xr.Dataset) -> Figure:
    """The vehicle with the best angles, at places one after another."""
    path, last = data.isel(path=-1), data.sizes["station"] - 1
    torque = abs(path["torque"])
    moved = np.flatnonzero(torque.to_numpy() > _CALM * float(torque.max()))
    first, last = (int(moved[0]), int(moved[-1])) if len(moved) else (0, last)
    s = path["station"].to_numpy()
    places = np.linspace(s[first], s[last], _PLACES)
    rows = [path.isel(station=int(np.abs(s - station).argmin())) for station in places.tolist()]
    titles = [
        f"{float(row['station']):.2f} m: {pair(float(row['phi_r']), float(row['phi_f']))}"
        for row in rows
    ]
    alt = (
        f"The vehicle on the {data.attrs['track']} with the path '{_TOLD[_paths(data)[-1]]}', at "
        f"{listed(titles)}."
    )
    note = "Place of the front wheel; angles of the rear and of the front leg."
    title = f"{_figure(data, 'b')}sequence over the track"
    return strip(rows, titles, title[0].upper() + title[1:], alt, note)


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
        rows.append((_TOLD[path], *(number(x, 4) for x in numbers), fault or "passes"))
    bound = number(float(data.attrs["bound"]), 4)
    rows.append(("bound of the grid", bound, *[NONE] * 9))
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
    reason = f"The bound: {data.attrs['bound_reason']}.".replace(" -", f" {MINUS}")
    note = f"Value: {MEANINGS[criterion]}. {reason}"
    return Table("Paths", headings, rows, note)


def _notes(data: xr.Dataset) -> list[str]:
    criterion, paths = str(data.attrs["criterion"]), _paths(data)
    best = float(data["value"].to_numpy()[-1])
    bound, unit = float(data.attrs["bound"]), UNITS[criterion]
    shown = "" if unit == "1" else f" {unit}"
    kept = " and ".join(degrees(float(data.attrs[name])) for name in ("least_angle", "most_angle"))
    reached = (
        f"The criterion is the {MEANINGS[criterion]}: {number(best, 4)}{shown} of the path "
        f"'{_TOLD[paths[-1]]}'. Single places leave {number(bound, 4)}{shown} to the "
        f"angles of the grid between {kept}."
    )
    found = [reached]
    rate = float(data.attrs["rate"])
    if np.isfinite(rate):
        found.append(f"The legs turn by {degrees(rate)} at most for a metre of the front wheel.")
    if criterion in (TORQUE_RANGE, TORQUE_PEAK):
        found.append(_NEVER_EVEN)
    return found
