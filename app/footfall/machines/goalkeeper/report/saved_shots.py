"""The page of saved shots: which are saved over origin and speed, and how fast from where."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.patches import Patch

from footfall.arrays import Array
from footfall.machines.goalkeeper.analyses.saved_shots_data import CODES
from footfall.machines.goalkeeper.outcome import ShotOutcome
from footfall.machines.goalkeeper.report.saved_field import safe_speeds
from footfall.metrics import Metric
from footfall.report.contents import Contents, Table
from footfall.report.figure import Figure, draw
from footfall.report.wording import MINUS, NONE, listed, number

_COLOURS = {
    ShotOutcome.GOAL: "#D55E00",
    ShotOutcome.SAVED: "#0072B2",
    ShotOutcome.MISSED: "#777777",
    ShotOutcome.ON_THE_WAY: "#E69F00",
}
_MARKERS = {
    ShotOutcome.GOAL: "X",
    ShotOutcome.SAVED: "o",
    ShotOutcome.MISSED: "s",
    ShotOutcome.ON_THE_WAY: "^",
}
_PALE = 0.7  # share of white in the colours of what is foretold
_MOST_ROWS = 40  # of the table of differences


def saved_shots_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Two maps, what they come to, and where simulation and prediction differ."""
    tables = [_by_target(data)]
    if (data["outcome"] != data["foretold"]).any():
        tables.append(_differences(data))
    return Contents([_line(data), safe_speeds(data)], tables, _notes(data))


def target_x(data: xr.Dataset) -> Array:
    """Places on the goal line that the shots are sent to [m]."""
    return float(data.attrs["goal_width"]) * (data["target"].to_numpy() - 0.5)


def _line(data: xr.Dataset) -> Figure:
    """Outcome of shots from one distance, over x and speed; a panel for every target."""
    y, targets = float(data.attrs["line_y"]), target_x(data)
    drawn = data.sel(origin_y=y)

    def plot(axes: npt.NDArray[Any]) -> None:
        for index, panel in enumerate(axes[0]):
            _plot_foretold(panel, data.isel(target=index))
            _plot_shots(panel, drawn.isel(target=index))
            panel.set_title(f"to x = {_metres(targets[index])}", loc="left")
            panel.set_xlabel("x of the ball at the kick [m]")
            panel.grid(visible=False)
            if index > 0:
                panel.tick_params(labelleft=False)
        axes[0, 0].set_ylabel("speed of the kick [m/s]")
        _legend(axes[0, 0], data)

    alt = (
        f"What becomes of shots from {_metres(y)} before the goal line, over the place at the kick "
        f"and its speed, for the targets {listed(f'x = {_metres(x)}' for x in targets)}: saved, "
        "goal or neither, each shot on the ground of what is foretold."
    )
    note = (
        f"Shots from the line y = {_metres(y)} in {data.attrs['engine']} (marks) over what is "
        "foretold without any contact (ground)."
    )
    title = "Which shots are saved"
    return draw(title, alt, (1, len(targets)), plot, note=note, row_height=3.4, dense=True)


def _plot_foretold(panel: Axes, data: xr.Dataset) -> None:
    """The ground: what is foretold at finer places and speeds."""
    pale = ListedColormap([_pale(_COLOURS[outcome]) for outcome in CODES])
    x, speed = data["line_x"].to_numpy(), data["line_speed"].to_numpy()
    codes = data["line"].transpose("line_speed", "line_x").to_numpy()
    style: dict[str, Any] = {"cmap": pale, "vmin": -0.5, "vmax": len(CODES) - 0.5}
    panel.pcolormesh(x, speed, codes, shading="nearest", rasterized=True, **style)


def _plot_shots(panel: Axes, data: xr.Dataset) -> None:
    """A mark for every simulated shot."""
    x, speed = np.meshgrid(data["origin_x"].to_numpy(), data["speed"].to_numpy(), indexing="ij")
    codes = data["outcome"].transpose("origin_x", "speed").to_numpy()
    for outcome, code in CODES.items():
        style: dict[str, Any] = {"color": _COLOURS[outcome], "markeredgecolor": "white"}
        which = codes == code
        marker = _MARKERS[outcome]
        panel.plot(x[which], speed[which], marker, markersize=6.5, markeredgewidth=0.6, **style)
    off = codes != data["foretold"].transpose("origin_x", "speed").to_numpy()
    ring: dict[str, Any] = {"markersize": 11.0, "markerfacecolor": "none", "color": "black"}
    panel.plot(x[off], speed[off], "o", markeredgewidth=1.0, **ring)
    panel.margins(0.0)


def _legend(panel: Axes, data: xr.Dataset) -> None:
    """Legend of marks and ground, as far as there are such."""
    codes = data["outcome"].to_numpy(), data["line"].to_numpy()
    handles: list[Any] = []
    for outcome, code in CODES.items():
        if (codes[0] == code).any():
            style: dict[str, Any] = {"color": _COLOURS[outcome], "markeredgecolor": "white"}
            marker = _MARKERS[outcome]
            handles += panel.plot([], [], marker, markersize=6.5, label=outcome.value, **style)
    for outcome, code in CODES.items():
        if (codes[1] == code).any():
            colour = _pale(_COLOURS[outcome])
            handles.append(Patch(color=colour, label=f"{outcome.value}, foretold"))
    if (data["outcome"] != data["foretold"]).any():
        ring: dict[str, Any] = {"markerfacecolor": "none", "color": "black"}
        handles += panel.plot([], [], "o", markersize=9.0, label="not as foretold", **ring)
    panel.figure.legend(handles=handles, loc="outside upper left", ncols=7)


def _pale(colour: str) -> tuple[float, float, float]:
    """A colour with white in it."""
    red, green, blue = (_PALE + (1.0 - _PALE) * one for one in to_rgb(colour))
    return red, green, blue


def _by_target(data: xr.Dataset) -> Table:
    rows = []
    for index, x in enumerate(target_x(data)):
        one = data.isel(target=index)
        outcome = one["outcome"].to_numpy()
        counts = [int((outcome == code).sum()) for code in CODES.values()]
        same = (outcome == one["foretold"].to_numpy()).mean()
        cells = [str(count) for count in (counts[1], counts[0], counts[2] + counts[3])]
        rows.append((_metres(x), str(outcome.size), *cells, f"{100.0 * same:.1f} %"))
    headings = ("target at x", "shots", "saved", "goals", "neither", "as foretold")
    return Table("Shots by their target", headings, rows)


def _differences(data: xr.Dataset) -> Table:
    """Shots of which something else is foretold, one a row."""
    places = np.argwhere((data["outcome"] != data["foretold"]).to_numpy())
    targets, names = target_x(data), [outcome.value for outcome in CODES]
    rows = []
    for i, j, k, m in places[:_MOST_ROWS].tolist():
        one = data.isel(origin_x=i, origin_y=j, speed=k, target=m)
        origin = f"({number(float(one['origin_x']), 3)}, {number(float(one['origin_y']), 3)})"
        became, expected = (names[int(one[name])] for name in ("outcome", "foretold"))
        rows.append(
            (
                origin,
                _metres(targets[m]),
                number(float(one["speed"]), 3),
                expected,
                became,
                _time(one["foretold_time"]),
                _time(one["touch_time"]),
                "yes" if int(one["post"]) else "no",
            )
        )
    headings = (
        "from (x, y) [m]",
        "target at x",
        "speed [m/s]",
        "foretold",
        "simulated",
        "touch foretold [s]",
        "touch [s]",
        "touches a post",
    )
    left = len(places) - len(rows)
    note = f"The first {len(rows)} of {len(places)}." if left else ""
    return Table("Where simulation and prediction differ", headings, rows, note)


def _notes(data: xr.Dataset) -> list[str]:
    """Notes on the prediction, how well it agrees, and what the keeper can do."""
    law, same = data.attrs, float((data["outcome"] == data["foretold"]).mean())
    agreement = (
        f"{number(100.0 * same, 3)} % of the {data['outcome'].size} shots end as foretold. The "
        "prediction knows no contact of bodies: the ball slides, then rolls straight on by its "
        "closed form, the keeper moves by its law, and a shot is saved if the two meet. The "
        "simulation has keeper, goalposts and grass in contact with the ball."
    )
    reach = 0.5 * law["saturation"] * law["goal_width"]
    keeper = (
        f"The keeper goes at {number(law['max_speed'], 3)} m/s at most, with at most "
        f"{number(law['max_acceleration'], 3)} m/s², and stays within {_metres(reach)} of the "
        "middle of the goal."
    )
    goals = (data["outcome"] == CODES[ShotOutcome.GOAL]) & np.isfinite(data["touch_time"])
    if not goals.any():
        return [agreement, keeper]
    count = int(goals.sum())
    shots = "shot touches" if count == 1 else "shots touch"
    return [agreement, keeper, f"{count} {shots} the keeper and still end in the goal."]


def _metres(value: float) -> str:
    return f"{value:.2f} m".replace("-", MINUS)


def _time(value: xr.DataArray) -> str:
    return f"{float(value):.3f}" if np.isfinite(value) else NONE
