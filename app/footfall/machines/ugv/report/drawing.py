"""The vehicle on its track, drawn: body, legs, and wheels with a spoke that shows how they turn."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose, body_positions
from footfall.report.charts.panel import Panel
from footfall.report.curves import Plot, curves
from footfall.report.figure import Figure
from footfall.report.tables import listed

BODY, LEG, TYRE, SPOKE, GROUND = "#295c94", "#e6731a", "#3a3a40", "#cc261f", "#b3a38a"
"""Colours, as the model has them."""
FAINT = 0.3
"""Opacity of vehicles that overlap with others."""
REAR_WHEEL, FRONT_WHEEL, TRUNK = "rear wheel", "front wheel", "body and legs"
PARTS = (REAR_WHEEL, FRONT_WHEEL, TRUNK)
"""Parts of a vehicle that may be drawn alone."""
_DISC = 0.16  # of the opacity: of wheels within their rims
_TURN = np.linspace(0.0, 2.0 * np.pi, 73)  # rad: through which a rim is drawn
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


def outlines_of(parameters: UgvParameters, at: VehiclePose) -> list[VehicleOutline]:
    """Vehicles in poses (n,), their wheels turned by the way of their centres.

    The spokes of wheels that have made no way point up.
    """
    where = body_positions(parameters, at)
    turns = at.rear.arc / parameters.r, at.front.arc / parameters.r
    columns = where.hip_r, where.hip_f, where.wheel_r, where.wheel_f, *turns
    rows = zip(*(np.atleast_1d(column).tolist() for column in columns), strict=True)
    return [VehicleOutline(*row) for row in rows]


def draw_vehicle(
    panel: Panel,
    outline: VehicleOutline,
    parameters: UgvParameters,
    *,
    opacity: float = 1.0,
    label: bool = False,
    parts: Collection[str] = PARTS,
) -> None:
    """Body with its belly, legs, wheels and their spokes; label: names for the legend."""
    pale: dict[str, Any] = {"alpha": opacity}
    along = outline.hip_f - outline.hip_r
    up = 1j * along / abs(along) * max(parameters.half_height, 0.02)
    if TRUNK in parts:
        body = (outline.hip_r - up, outline.hip_f - up, outline.hip_f + up, outline.hip_r + up)
        name = "body" if label else ""
        hull = np.column_stack(_xz(*body))
        panel.polygons([hull], color=BODY, linewidth=0.0, zorder=2.0, label=name, **pale)
    for part, wheel, hip, turn in (
        (REAR_WHEEL, outline.wheel_r, outline.hip_r, outline.turn_r),
        (FRONT_WHEEL, outline.wheel_f, outline.hip_f, outline.turn_f),
    ):
        named = label and part == REAR_WHEEL
        if part in parts:
            name, centre = "wheel" if named else "", np.array([wheel.real, wheel.imag])
            disc: dict[str, Any] = {"color": TYRE, "alpha": _DISC * opacity, "linewidth": 0.0}
            panel.circle(centre, parameters.r, zorder=1.8, label=name, **disc)
            rim = _xz(*(wheel + parameters.r * np.exp(1j * _TURN)).tolist())
            panel.plot(*rim, color=TYRE, linewidth=2.2, zorder=1.9, **pale)
            spoke = _xz(wheel, wheel + 1j * parameters.r * complex(np.exp(-1j * turn)))
            panel.plot(*spoke, color=SPOKE, linewidth=1.8, zorder=2.6, **pale)
        if TRUNK in parts:
            name = "leg" if named else ""
            panel.plot(*_xz(hip, wheel), color=LEG, linewidth=3.2, zorder=3.0, label=name, **pale)
            panel.plot(*_xz(hip, wheel), "o", color=TYRE, markersize=3.0, zorder=3.5, **pale)


def draw_ground(panel: Panel, x: Array, z: Array) -> None:
    """The ground through points (n,) [m], filled beneath."""
    panel.fill_between(x, z, float(z.min()) - _DEPTH, color=GROUND, alpha=0.45, linewidth=0.0)
    panel.plot(x, z, color="black", linewidth=1.1, zorder=1.0)


def places_apart(s: Array, parameters: UgvParameters) -> Indices:
    """Rows of places s (n,) [m] about as far apart as a vehicle is long, the ends among them."""
    length = parameters.L + 2.0 * (parameters.l + parameters.r)
    count = min(max(2, 1 + int(abs(float(s[-1] - s[0])) / length)), _MOST)
    wanted = np.linspace(float(s[0]), float(s[-1]), count)
    return np.unique(np.abs(s[:, None] - wanted).argmin(axis=0))


def sequence_figure(
    ground: tuple[Array, Array],
    outlines: Sequence[VehicleOutline],
    labels: Sequence[str],
    parameters: UgvParameters,
    title: str,
    *,
    note: str = "",
) -> Figure:
    """Vehicles in a row on their ground x, z (n,) [m], each with a label; the last names parts.

    Those that reach into the next one are pale and without a label.
    """
    wheels = np.array([(outline.wheel_r, outline.wheel_f) for outline in outlines])
    r = parameters.r
    low, high = float(wheels.real.min()) - r - _ROOM, float(wheels.real.max()) + r + _ROOM
    x, z = (row[(ground[0] >= low) & (ground[0] <= high)] for row in ground)
    overlaps = [*(wheels.real[:-1, 1] + r > wheels.real[1:, 0] - r), False]

    def plot(panel: Panel) -> None:
        draw_ground(panel, x, z)
        for outline, text, pale in zip(outlines, labels, overlaps, strict=True):
            opacity, last = FAINT if pale else 1.0, outline is outlines[-1]
            draw_vehicle(panel, outline, parameters, opacity=opacity, label=last)
            top = max(outline.hip_r.imag, outline.hip_f.imag) + parameters.half_height
            middle = 0.5 * (outline.hip_r + outline.hip_f).real
            panel.annotate("" if pale else text, (middle, top), (0, 4), ha="center")
        panel.set_xlim(x[0], x[-1])
        panel.margins(y=0.14)

    up = float(np.ptp(wheels.imag)) + 2.0 * r + parameters.l + _DEPTH
    height = _WIDTH * max(up, 0.8) / float(x[-1] - x[0]) + 0.75
    shown = [text for text, pale in zip(labels, overlaps, strict=True) if not pale]
    alt = f"The vehicle on its track, side view in equal axes, at {listed(shown)}."
    panel = Plot("z [m]", [plot], across="x [m]", equal=True)
    return curves(None, title, [panel], alt=alt, note=note, row_height=height)


def _xz(*points: complex) -> tuple[Array, Array]:
    through = np.asarray(points, dtype=np.complex128)
    return through.real, through.imag
