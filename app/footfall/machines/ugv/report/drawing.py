"""The vehicle on its track, drawn: body, legs, and wheels with a spoke that shows how they turn."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import VehiclePose, body_positions
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.report.charts.panel import Panel

BODY, LEG, TYRE, SPOKE, GROUND = "#295c94", "#e6731a", "#3a3a40", "#cc261f", "#b3a38a"
"""Colours, as the model has them."""
TRUNK, REAR_WHEEL, FRONT_WHEEL = PARTS = ("trunk", "rear wheel", "front wheel")
"""Parts of the vehicle: its body with both legs, and the wheels."""
FAINT = 0.3
"""Opacity of vehicles that overlap with others."""
_RIM = "#dcdde0"
_POINTS = 400  # of each piece of a track
_DEPTH = 0.12  # m: of the ground beneath its lowest place
_ROOM = 0.25  # m: about the first and the last vehicle


class VehicleOutline(NamedTuple):
    """One vehicle: places x + 1j z [m], and by how much its wheels have turned ahead [rad]."""

    hip_r: complex
    hip_f: complex
    wheel_r: complex
    wheel_f: complex
    turn_r: float
    turn_f: float


def figures_of(parameters: UgvParameters, at: VehiclePose) -> list[VehicleOutline]:
    """Figures of poses (n,), their wheels turned by the way of their centres along the curve.

    The spokes of a vehicle at the beginning of the curve point up.
    """
    where = body_positions(parameters, at)
    columns = (where.hip_r, where.hip_f, where.wheel_r, where.wheel_f)
    turns = at.rear.arc / parameters.r, at.front.arc / parameters.r
    rows = zip(*(np.atleast_1d(column) for column in (*columns, *turns)), strict=True)
    return [
        VehicleOutline(*map(complex, row[:4]), float(row[4]), float(row[5]))  # type: ignore[call-arg,arg-type] # four of them
        for row in rows
    ]


def draw_vehicle(
    panel: Panel,
    figure: VehicleOutline,
    parameters: UgvParameters,
    *,
    opacity: float = 1.0,
    label: bool = False,
    parts: Collection[str] = PARTS,
) -> None:
    """Body with its belly, legs, wheels and their spokes; label: names for the legend.

    parts: of the vehicle, those that are drawn.
    """
    style: dict[str, Any] = {"alpha": opacity, "zorder": 2.0}
    legend: dict[str, Any] = {"label": "body"} if label else {}
    if TRUNK in parts:
        hull = _hull(figure, parameters)
        panel.polygons([hull], color=BODY, linewidth=0.0, **style, **legend)
    for wheel, hip, turn, first, own in (
        (figure.wheel_r, figure.hip_r, figure.turn_r, label, REAR_WHEEL),
        (figure.wheel_f, figure.hip_f, figure.turn_f, False, FRONT_WHEEL),
    ):
        if own in parts:
            _draw_wheel(panel, wheel, parameters.r, turn, opacity, label=first)
        if TRUNK not in parts:
            continue
        leg: dict[str, Any] = {
            "color": LEG,
            "linewidth": 3.2,
            "alpha": opacity,
        }
        panel.plot(*_xz(hip, wheel), zorder=3.0, label="leg" if first else None, **leg)
        for joint in (hip, wheel):
            panel.plot(*_xz(joint), "o", color=TYRE, markersize=3.0, alpha=opacity, zorder=3.5)


def draw_track(panel: Panel, track: Track, begin: float, end: float) -> None:
    """The ground from begin to end [m], its walls upright, filled beneath."""
    x, z = outline(track, begin, end)
    floor = float(z.min()) - _DEPTH
    panel.fill_between(x, z, floor, color=GROUND, alpha=0.45, linewidth=0.0, zorder=0.5)
    panel.plot(x, z, color="black", linewidth=1.1, zorder=1.0)


def draw_sequence(
    panel: Panel,
    track: Track,
    figures: Sequence[VehicleOutline],
    parameters: UgvParameters,
    faint: Collection[int] = (),
) -> None:
    """Vehicles in a row on their track, in equal axes; the last one names its parts.

    faint: numbers of those that are drawn pale, for they overlap with others.
    """
    r = parameters.r
    wheels = np.array([(figure.wheel_r, figure.wheel_f) for figure in figures])
    begin, end = (float(value) for value in (wheels.real.min(), wheels.real.max()))
    low, high = max(begin - r - _ROOM, track.begin), min(end + r + _ROOM, track.end)
    draw_track(panel, track, low, high)
    for index, figure in enumerate(figures):
        opacity = FAINT if index in faint else 1.0
        last = index == len(figures) - 1
        draw_vehicle(panel, figure, parameters, opacity=opacity, label=last)
    panel.set_xlim(low, high)
    panel.set_aspect("equal")
    panel.set(xlabel="x [m]", ylabel="z [m]")


def length_of(figure: VehicleOutline, parameters: UgvParameters) -> float:
    """Length of a vehicle along x, over its wheels [m]."""
    apart = max(figure.wheel_f.real, figure.hip_f.real) - min(
        figure.wheel_r.real, figure.hip_r.real
    )
    return apart + 2.0 * parameters.r


def height_for(figures: Sequence[VehicleOutline], parameters: UgvParameters, width: float) -> float:
    """Height [inches] of a panel in which `draw_sequence` fills a width [inches]."""
    every = np.array([row[:4] for row in figures], dtype=np.complex128)
    along = float(np.ptp(every.real)) + 2.0 * (parameters.r + _ROOM)
    up = float(np.ptp(every.imag)) + 2.0 * parameters.r + _DEPTH
    return width * max(up, 0.8) / along


def outline(track: Track, begin: float, end: float) -> tuple[Array, Array]:
    """Points (n,) x, z [m] of a track from begin to end, both edges of its walls among them."""
    rows: list[tuple[Array, Array]] = []
    for segment in track.segments:
        low, high = max(segment.begin, begin), min(segment.end, end)
        if low < high:
            x = np.linspace(low, high, _POINTS)
            rows.append((x, segment.profile(x).height))
    return np.concatenate([x for x, _ in rows]), np.concatenate([z for _, z in rows])


def _draw_wheel(
    panel: Panel, centre: complex, r: float, turn: float, opacity: float, *, label: bool
) -> None:
    """A disc with a spoke, which points up before the wheel has turned."""
    middle = np.array([centre.real, centre.imag])
    legend: dict[str, Any] = {"label": "wheel"} if label else {}
    style: dict[str, Any] = {"facecolor": _RIM, "edgecolor": TYRE, "linewidth": 2.2}
    panel.circle(middle, r, alpha=opacity, zorder=1.8, **style, **legend)
    spoke = _xz(centre, centre + 1j * r * np.exp(-1j * turn))
    panel.plot(*spoke, color=SPOKE, linewidth=1.8, alpha=opacity, zorder=2.6)


def _hull(figure: VehicleOutline, parameters: UgvParameters) -> Array:
    """Corners (4, 2) of the body: as deep below the line of the hips as it is high above it."""
    along = figure.hip_f - figure.hip_r
    up = 1j * along / abs(along) * max(parameters.half_height, 0.02)
    corners = (figure.hip_r - up, figure.hip_f - up, figure.hip_f + up, figure.hip_r + up)
    return np.array([(corner.real, corner.imag) for corner in corners])


def _xz(*points: complex) -> tuple[Array, Array]:
    through = np.asarray(points, dtype=np.complex128)
    return through.real, through.imag
