"""Vehicle and track out of the arrays of its analyses."""

from collections.abc import Sequence
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
from footfall.machines.ugv.report.drawing import (
    VehicleOutline,
    draw_track,
    draw_vehicle,
    figures_of,
)
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top

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
            panel.set_title(titles[k], loc="left")
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
