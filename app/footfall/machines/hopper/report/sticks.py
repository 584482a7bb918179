"""The hopper as a stick figure at the instants that the task names: in place, and one by one."""

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import CG, CONTACT_POINTS, Hopper
from footfall.machines.hopper.closed_form.points import position
from footfall.machines.hopper.report.runs import Hop, Hops, Instant, instants
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_above, line
from footfall.show.colours import trace_colour

LINK_COLOURS = ("#2159bf", "#e6731a")  # those of the model
_MARKS = {"P": "o", "Q": "s", "R": "^"}
_GROUND: dict[str, Any] = {"color": "black", "linewidth": 1.8}
_SIDE = 0.45  # half lengths l left and right of everything
_UNDER = 0.3  # half lengths l below the ground
_BELOW = 0.75  # half lengths l below the ground, for the dimension line
_LABEL = 10.0  # points from a point to its name
_LOW = 0.3  # half lengths l: points lower than this have their names beside them
_COLUMNS = 4
_PANEL = 1.68  # inches that one of them is wide


def stick_figures(hops: Hops) -> list[Figure]:
    """The first run at its instants: all of them in place, and each by itself."""
    hop = hops.first
    moments = instants(hop)
    rows = [hop.row_at(moment.time) for moment in moments]
    return [_in_place(hops.machine, hop, moments, rows), _strip(hops.machine, hop, moments, rows)]


def _in_place(machine: Hopper, hop: Hop, moments: list[Instant], rows: list[int]) -> Figure:
    """All instants over each other with the paths of the points, and the jump as a dimension."""
    shown = hop.x[:, hop.shown]
    box = _box(machine, shown, _BELOW * machine.parameters.l)

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        panel.plot(box[0], [0.0, 0.0], **_GROUND)
        for place, point in enumerate(CONTACT_POINTS):
            label = f"path of {point.name}"
            thin: dict[str, Any] = {"color": trace_colour(place), "linewidth": 0.9, "label": label}
            line(panel, *position(machine, shown, point), **thin)
        cg: dict[str, Any] = {"color": "#E41A1C", "linewidth": 0.9, "linestyle": (0, (4, 2))}
        line(panel, *position(machine, shown, CG), **cg, label="path of CG")
        for k, row in enumerate(rows):
            seen = 0.25 + 0.75 * (k + 1) / len(rows)
            _machine(panel, machine, hop.x[:, row], seen, label=k == len(rows) - 1)
        _dimension(panel, machine, hop)
        panel.set(xlim=box[0], ylim=box[1], xlabel="x [m]", ylabel="y [m]")
        panel.set_aspect("equal")
        legend_above(panel, ncols=7, fontsize=8.5, columnspacing=1.2, handlelength=1.6)

    wide, tall = float(np.ptp(box[0])), float(np.ptp(box[1]))
    width = 9.0 if wide > tall else 6.6
    height = min((width - 1.0) * tall / wide, 6.5) + 0.5
    alt = (
        f"Stick figures of {hop.name} at {len(rows)} instants from the start to the end, with the "
        f"paths of P, Q, R and the centre of gravity; {_told(hop)}."
    )
    note = f"From pale to dark: {', '.join(f'{m.what} {m.time:.3f} s' for m in moments)}."
    title = f"The jump: {hop.name}"
    return draw(title, alt, (1, 1), plot, note=note, row_height=height, width=width)


def _strip(machine: Hopper, hop: Hop, moments: list[Instant], rows: list[int]) -> Figure:
    """Every instant in a panel of its own, all of the same scale."""
    boxes = [_box(machine, hop.x[:, row : row + 1]) for row in rows]
    half = 0.5 * max(float(np.ptp(along)) for along, _ in boxes)
    top = max(float(up[1]) for _, up in boxes)
    low = min(-_UNDER * machine.parameters.l, *(float(up[0]) for _, up in boxes))
    count = -(-len(rows) // _COLUMNS)

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel in axes.ravel()[len(rows) :]:
            panel.set_visible(False)
        for panel, moment, row, (along, _) in zip(axes.ravel(), moments, rows, boxes, strict=False):
            ends = along.mean() + half * np.array([-1.0, 1.0])
            panel.plot(ends, [0.0, 0.0], **_GROUND)
            _machine(panel, machine, hop.x[:, row], 1.0, names=True)
            panel.set(xlim=ends, ylim=(low, top))
            panel.set_title(f"{moment.what}\n{moment.time:.4f} s", fontsize=9.5)
            panel.set_aspect("equal")
            panel.tick_params(labelsize=8.0, labelbottom=True)
        for panel in axes[:, 0]:
            panel.set_ylabel("y [m]")
        for panel in axes.ravel()[max(0, len(rows) - _COLUMNS) : len(rows)]:
            panel.set_xlabel("x [m]")

    height = _PANEL * (top - low) / (2.0 * half) + 0.8
    alt = (
        f"Stick figures of {hop.name}, one panel for each of {len(rows)} instants: "
        f"{', '.join(f'{m.what} at {m.time:.3f} s' for m in moments)}."
    )
    title = f"Instant by instant: {hop.name}"
    note = (
        "Link 1 is blue, link 2 orange; the cross is the centre of gravity. All panels have the "
        "same scale and height, and go along with the machine."
    )
    shape = (count, _COLUMNS)
    return draw(title, alt, shape, plot, note=note, row_height=height, share_x=False)


def _machine(
    panel: Axes, machine: Hopper, x: Array, seen: float, *, label: bool = False, names: bool = False
) -> None:
    """Both links of a state with P, Q, R and CG; label: for the legend; names: beside the points.

    Points are drawn at their own places, marks over links.
    """
    places = np.array([position(machine, x, point) for point in CONTACT_POINTS])
    for k, colour in enumerate(LINK_COLOURS):
        told = f"link {k + 1}" if label else None
        panel.plot(*places[k : k + 2].T, color=colour, linewidth=2.4, alpha=seen, label=told)
    for place, (point, at) in enumerate(zip(CONTACT_POINTS, places, strict=True)):
        style: dict[str, Any] = {"color": trace_colour(place), "markersize": 5.0, "alpha": seen}
        told = point.name if label else None
        panel.plot(*at, _MARKS[point.name], linestyle="", label=told, zorder=4.0, **style)
        if names:
            outward = at - places.mean(axis=0)
            offset = _LABEL * outward / np.linalg.norm(outward)
            if at[1] < _LOW * machine.parameters.l:
                offset = _LABEL * np.array([np.copysign(1.0, outward[0]), 0.5])
            middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8.5}
            panel.annotate(point.name, at, offset, textcoords="offset points", **middle)
    cross: dict[str, Any] = {"color": "#E41A1C", "markersize": 6.0, "alpha": seen}
    told = "CG" if label else None
    panel.plot(*position(machine, x, CG), "x", linestyle="", label=told, zorder=5.0, **cross)


def _dimension(panel: Axes, machine: Hopper, hop: Hop) -> None:
    """The distance d below the ground, between the places that it is measured from."""
    jump, l = hop.jump, machine.parameters.l
    if not np.isfinite(jump.distance):
        return
    low = -0.4 * l
    thin: dict[str, Any] = {"color": "black", "linewidth": 0.8}
    for place in (jump.x_start, jump.x_end):
        panel.plot([place, place], [-0.04 * l, low - 0.08 * l], **thin)
    arrow = {"arrowstyle": "<->", "color": "black", "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0}
    panel.annotate("", (jump.x_end, low), (jump.x_start, low), arrowprops=arrow)
    told = f"d = {1e3 * jump.distance:.1f} mm"
    middle = 0.5 * (jump.x_start + jump.x_end)
    panel.annotate(
        told, (middle, low), (0.0, -3.0), textcoords="offset points", ha="center", va="top"
    )


def _box(machine: Hopper, x: Array, below: float = 0.0) -> tuple[Array, Array]:
    """Limits of x and y around all points of states; below: what is added underneath [m]."""
    l = machine.parameters.l
    places = np.array([position(machine, x, point) for point in CONTACT_POINTS])
    low, high = places.min(axis=(0, 2)), places.max(axis=(0, 2))
    return (
        np.array([low[0] - _SIDE * l, high[0] + _SIDE * l]),
        np.array([min(low[1], 0.0) - below, high[1] + _SIDE * l]),
    )


def _told(hop: Hop) -> str:
    jump = hop.jump
    if np.isfinite(jump.distance):
        return f"the jump is {1e3 * jump.distance:.1f} mm long"
    return f"it is no valid jump: {jump.why}"
