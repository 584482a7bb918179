"""The page of a map of the vehicle's torque: slices over both angles, and its bounds on the way."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch
from matplotlib.ticker import MultipleLocator

from footfall.arrays import Array
from footfall.machines.ugv.analyses.labelled import OUTCOMES
from footfall.machines.ugv.report.passages import FRONT, NEWTON_METRE, pair
from footfall.metrics import Metric, scalar
from footfall.report.contents import Contents, Table
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.wording import NONE, listed, number
from footfall.show.colours import run_colour

_SLICES = (2, 4)  # rows and columns of panels
_COLOURS = "RdBu_r"
_HATCHES = {1: "xxx", 2: "////", 3: "...", 4: "\\\\\\\\"}
_HATCHED: dict[str, Any] = {"facecolor": "#eeeeee", "edgecolor": "#777777", "linewidth": 0.0}
_TICKS = 30.0  # degrees
_NO_WAY = (
    "At some place no angles of the map pass: with them the vehicle does not come over this track."
)


def torque_map_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """Slices, bounds over the way, a table of them, and what they mean."""
    places = _places(data)
    figures = [_slices(data, places), _bounds(data, metrics)]
    return Contents(figures, [_table(data, places)], _notes(data, metrics))


def _places(data: xr.Dataset) -> list[int]:
    """Stations that are shown, evenly over those where the torque differs from place to place."""
    torque = np.abs(np.nan_to_num(data["torque"].to_numpy())).max(axis=(0, 1))
    busy = np.flatnonzero(torque > 0.1 * torque.max())
    first, last = (int(busy[0]), int(busy[-1])) if len(busy) else (0, len(torque) - 1)
    count = _SLICES[0] * _SLICES[1]
    return sorted({round(x) for x in np.linspace(first, last, count).tolist()})


def _slices(data: xr.Dataset, places: list[int]) -> Figure:
    """Torque over both angles, one panel a place, all with the same colours."""
    passing = data["outcome"].to_numpy() == 0
    shown = data["torque"].to_numpy()[..., places][passing[..., places]]
    most = float(np.abs(shown).max(initial=1e-3))
    scale = Normalize(-most, most)
    rear, front = (np.degrees(data[name].to_numpy()) for name in ("phi_r", "phi_f"))

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel in axes.ravel()[len(places) :]:
            panel.set_visible(False)
        for panel, station in zip(axes.ravel(), places, strict=False):
            _plot_slice(panel, data.isel(station=station), rear, front, scale)
        for panel in axes[:, 0]:
            panel.set_ylabel("rear leg [deg]")
        for panel in axes[-1]:
            panel.set_xlabel("front leg [deg]")
        figure: Canvas = axes[0, 0].figure
        bar = figure.colorbar(
            ScalarMappable(scale, _COLOURS), ax=axes.ravel().tolist(), shrink=0.8, pad=0.02
        )
        bar.set_label("torque of either wheel [N m]")
        handles = _hatch_handles(data.isel(station=places))
        if handles:
            figure.legend(handles=handles, loc="outside upper left", ncols=4)

    stations = data["station"].to_numpy()[places]
    alt = (
        "Torque of either wheel over the angles of both legs, in colours, with the front wheel at "
        f"{listed(f'{s:.2f}' for s in stations)} m on the {data.attrs['track']}."
    )
    note = (
        "One scale of colours: red drives ahead, blue brakes; black: no torque is needed. "
        "Places are those of the front wheel's centre."
    )
    title = "Torque over the angles of both legs"
    return draw(title, alt, _SLICES, plot, note=note, row_height=2.2, dense=True)


def _plot_slice(panel: Axes, one: xr.Dataset, rear: Array, front: Array, scale: Normalize) -> None:
    """One place: torques where it passes, hatches where not, and the line of no torque."""
    torque, outcome = one["torque"].to_numpy(), one["outcome"].to_numpy()
    shown = np.where(outcome == 0, torque, np.nan)
    style: dict[str, Any] = {"shading": "nearest", "cmap": _COLOURS, "norm": scale}
    panel.pcolormesh(front, rear, shown, rasterized=True, **style)
    for code, hatch in _HATCHES.items():
        for row, column in np.argwhere(outcome == code):
            _hatch(panel, rear, front, (int(row), int(column)), hatch)
    if np.isfinite(shown).any() and np.nanmin(shown) < 0.0 < np.nanmax(shown):
        panel.contour(front, rear, shown, levels=[0.0], colors="black", linewidths=1.2)
    panel.set_title(f"{float(one['station']):.2f} m", loc="left")
    panel.grid(visible=False)
    panel.xaxis.set_major_locator(MultipleLocator(_TICKS))
    panel.yaxis.set_major_locator(MultipleLocator(_TICKS))
    panel.set_aspect("equal")


def _hatch(panel: Axes, rear: Array, front: Array, cell: tuple[int, int], hatch: str) -> None:
    """Hatch the cell of one pair of angles."""
    (up, along), (row, column) = (rear[1] - rear[0], front[1] - front[0]), cell
    x = front[column] + 0.5 * along * np.array([-1.0, 1.0])
    low, high = rear[row] - 0.5 * up, rear[row] + 0.5 * up
    panel.fill_between(x, low, high, hatch=hatch, **_HATCHED)


def _hatch_handles(data: xr.Dataset) -> list[Patch]:
    """Legend of the hatches, as far as there are such."""
    codes = np.unique(data["outcome"].to_numpy()).tolist()
    return [
        Patch(hatch=hatch, label=OUTCOMES[code], **_HATCHED)
        for code, hatch in _HATCHES.items()
        if code in codes
    ]


def _bounds(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Figure:
    """Between which torques the legs can choose, place by place."""
    s = data["station"].to_numpy()
    low, high = data["lowest_torque"].to_numpy(), data["highest_torque"].to_numpy()
    effort = np.where(high <= 0.0, -1.0, 1.0) * data["least_effort"].to_numpy()
    fixed = _fixed(data, metrics)

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        panel.fill_between(s, low, high, color=run_colour(0), alpha=0.18, linewidth=0.0)
        panel.plot(s, high, color=run_colour(0), linewidth=1.0, label="largest and smallest")
        panel.plot(s, low, color=run_colour(0), linewidth=1.0)
        panel.plot(s, effort, color="black", linewidth=1.6, label="of least size")
        if fixed is not None:
            label, torque = fixed
            panel.plot(s, torque, color=run_colour(1), linestyle=(0, (5, 2)), label=label)
        panel.axhline(0.0, color="#888888", linewidth=0.7, zorder=1.0)
        panel.set(xlabel=FRONT, ylabel="torque of either wheel [N m]")
        legend_on_top(panel)

    besides = "" if fixed is None else f" and of the {fixed[0]}"
    alt = (
        "Largest and smallest torque that any angles of the map need, place by place, the one of "
        f"least size between them{besides}, over the place of the front wheel."
    )
    note = (
        "Of all angles of the map with which the vehicle passes at a place; whether the legs come "
        "from those of one place to those of the next is not asked."
    )
    title = "What the legs can choose from on the way"
    return draw(title, alt, (1, 1), plot, note=note, row_height=3.4)


def _fixed(data: xr.Dataset, metrics: Mapping[str, Metric]) -> tuple[str, Array] | None:
    """Name and torque of the best angles that stay."""
    angles = metrics.get("fixed_angles")
    if not isinstance(angles, list) or len(angles) != 2:
        return None
    rear, front = (float(angle) for angle in angles)
    one = data.sel(phi_r=rear, phi_f=front, method="nearest")
    return f"best angles that stay, {pair(rear, front)}", one["torque"].to_numpy()


def _table(data: xr.Dataset, places: list[int]) -> Table:
    rows = []
    for station in places:
        one = data.isel(station=station)
        outcome = one["outcome"].to_numpy()
        passing = outcome == 0
        size = np.where(passing, np.abs(one["torque"].to_numpy()), np.inf)
        row, column = np.unravel_index(int(size.argmin()), size.shape)
        best = pair(float(one["phi_r"][row]), float(one["phi_f"][column]))
        rows.append(
            (
                f"{float(one['station']):.2f}",
                *(
                    number(float(one[name]), 4)
                    for name in ("lowest_torque", "highest_torque", "least_effort")
                ),
                best if passing.any() else NONE,
                f"{100.0 * passing.mean():.3g} %",
                _why(outcome),
            )
        )
    headings = (
        "front wheel [m]",
        f"smallest torque {NEWTON_METRE}",
        f"largest {NEWTON_METRE}",
        f"least size {NEWTON_METRE}",
        "its angles, rear / front",
        "angles that pass",
        "the others",
    )
    return Table("The slices", headings, rows)


def _why(outcome: npt.NDArray[Any]) -> str:
    """Return which shares of the angles fail, and how."""
    shares = {OUTCOMES[code]: float((outcome == code).mean()) for code in _HATCHES}
    besides = [f"{name} {100.0 * share:.3g} %" for name, share in shares.items() if share > 0.0]
    return ", ".join(besides) or NONE


def _notes(data: xr.Dataset, metrics: Mapping[str, Metric]) -> list[str]:
    found = []
    least, fixed = scalar(metrics, "least_peak"), scalar(metrics, "fixed_peak")
    if math.isnan(least):
        found.append(_NO_WAY)
    else:
        found.append(
            f"At every place of the map some angles need no more than {number(least, 4)} N m; at "
            "the worst one all others need more, so that no motion of the legs through these "
            "angles has a lower peak."
        )
    if not math.isnan(fixed):
        found.append(f"Angles that stay come to {number(fixed, 4)} N m there at best.")
    elif not math.isnan(least):
        found.append("No angles that stay pass everywhere: the legs have to move.")
    given = number(float(data.attrs["friction"]), 3)
    share = scalar(metrics, "passing_share")
    found.append(
        f"The vehicle passes at {100.0 * share:.3g} % of the map's points, on a ground of friction "
        f"{given}."
    )
    return found
