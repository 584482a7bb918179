"""The vehicle on its track, drawn: body, legs, and wheels with a spoke that shows how they turn."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose, body_positions
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.tables import listed

BODY, LEG, TYRE, SPOKE, GROUND = "#295c94", "#e6731a", "#3a3a40", "#cc261f", "#b3a38a"
"""Colours, as the model has them."""
FAINT = 0.3
"""Opacity of vehicles that overlap with others."""
REAR_WHEEL, FRONT_WHEEL, TRUNK = "rear wheel", "front wheel", "body and legs"
PARTS = (REAR_WHEEL, FRONT_WHEEL, TRUNK)
"""Parts of a vehicle that may be drawn alone."""
_RIM = "#dcdde0"
_MOST = 6  # vehicles in a row
_WIDTH = 8.2  # inches, of their panel
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
    """Body with its belly, legs, wheels and their spokes; label: names for the legend."""
    style: dict[str, Any] = {"alpha": opacity, "zorder": 2.0, "linewidth": 0.0, "color": BODY}
    style["label"] = "body" if label else None
    if TRUNK in parts:
        panel.polygons([_hull(figure, parameters)], **style)
    leg: dict[str, Any] = {"color": LEG, "linewidth": 3.2}
    for own, wheel, hip, turn, first in (
        (REAR_WHEEL, figure.wheel_r, figure.hip_r, figure.turn_r, label),
        (FRONT_WHEEL, figure.wheel_f, figure.hip_f, figure.turn_f, False),
    ):
        if own in parts:
            _draw_wheel(panel, wheel, parameters.r, turn, opacity, label=first)
        if TRUNK not in parts:
            continue
        name = "leg" if first else None
        panel.plot(*_xz(hip, wheel), zorder=3.0, label=name, alpha=opacity, **leg)
        for joint in (hip, wheel):
            panel.plot(*_xz(joint), "o", color=TYRE, markersize=3.0, alpha=opacity, zorder=3.5)


def draw_track(panel: Panel, track: Track, low: float, high: float) -> None:
    """The ground from one place to another [m], filled beneath."""
    x, z = track.outline(low, high)
    panel.fill_between(x, z, float(z.min()) - _DEPTH, color=GROUND, alpha=0.45, linewidth=0.0)
    panel.plot(x, z, color="black", linewidth=1.1, zorder=1.0)


def places_apart(s: Array, parameters: UgvParameters) -> Indices:
    """Rows of places s (n,) [m] about as far apart as a vehicle is long, the ends among them."""
    length = parameters.L + 2.0 * (parameters.l + parameters.r)
    count = min(max(2, 1 + int(abs(float(s[-1] - s[0])) / length)), _MOST)
    wanted = np.linspace(float(s[0]), float(s[-1]), count)
    return np.unique(np.abs(s[:, None] - wanted).argmin(axis=0))


def sequence_figure(
    track: Track,
    figures: Sequence[VehicleOutline],
    labels: Sequence[str],
    parameters: UgvParameters,
    title: str,
    *,
    note: str = "",
) -> Figure:
    """Vehicles in a row on their track, in equal axes, each with a label; the last names parts.

    Those that reach into the next one are pale and without a label.
    """
    wheels = np.array([(figure.wheel_r, figure.wheel_f) for figure in figures])
    r = parameters.r
    low = max(float(wheels.real.min()) - r - _ROOM, track.begin)
    high = min(float(wheels.real.max()) + r + _ROOM, track.end)
    overlaps = [*(wheels.real[:-1, 1] + r > wheels.real[1:, 0] - r), False]

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        draw_track(panel, track, low, high)
        for figure, text, pale in zip(figures, labels, overlaps, strict=True):
            opacity, last = FAINT if pale else 1.0, figure is figures[-1]
            draw_vehicle(panel, figure, parameters, opacity=opacity, label=last)
            top = max(figure.hip_r.imag, figure.hip_f.imag) + parameters.half_height
            middle = 0.5 * (figure.hip_r + figure.hip_f).real
            style: dict[str, Any] = {"ha": "center"}
            panel.annotate("" if pale else text, (middle, top), (0, 4), **style)
        panel.set(xlim=(low, high), aspect="equal", xlabel="x [m]", ylabel="z [m]")
        panel.margins(y=0.14)
        legend_on_top(panel)

    up = float(np.ptp(wheels.imag)) + 2.0 * r + parameters.l + _DEPTH
    height = _WIDTH * max(up, 0.8) / (high - low) + 0.75
    shown = [text for text, pale in zip(labels, overlaps, strict=True) if not pale]
    alt = f"The vehicle on its track, side view in equal axes, at {listed(shown)}."
    return draw(title, alt, (1, 1), plot, note=note, row_height=height)


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
