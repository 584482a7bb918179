"""The page of a sweep of gear ratios: accelerations and times over the ratio, and their optima."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes

from footfall.metrics import Metric
from footfall.report.contents import Contents, Table
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_above
from footfall.report.wording import NONE, listed, number
from footfall.show.colours import run_colour

_OWN: dict[str, Any] = {"color": "#444444", "linewidth": 1.0, "linestyle": (0, (1, 1.5))}
_TICKS = (10, 20, 50, 100, 200, 500, 1000, 2000)
_FROM_REST = (
    "From rest the best ratio is √(J_load/J_motor), whatever the friction: the rotor, felt through "
    "the gear, is then as hard to turn as the load, and each takes half of the torque."
)
_AT_THE_EDGE = (
    "Where no simulated ratio is told, the search ended at the edge of the range of ratios: what "
    "is best may lie beyond it. A wider range tells."
)


def ratio_sweep_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Accelerations at several speeds and times of a turn, simulated and in closed form."""
    return Contents([_gears(data)], [_optima(data)], _notes(data))


def _gears(data: xr.Dataset) -> Figure:
    ratio = data["ratio"].to_numpy()
    turn = math.degrees(float(data.attrs["angle"]))

    def plot(axes: npt.NDArray[Any]) -> None:
        left, right = axes[0]
        for k, speed in enumerate(data["speed"].to_numpy()):
            one = data.sel(speed=speed)
            label = f"{speed:g} rad/s"
            _plot(left, one, "acceleration", run_colour(k), label)
            _mark(left, one["best_ratio"], one["best_acceleration"], run_colour(k))
        for k, variant in enumerate(data["variant"].values.tolist()):
            one = data.sel(variant=variant)
            one = one.assign(turn_time=1e3 * one["turn_time"])
            one = one.assign(exact_turn_time=1e3 * one["exact_turn_time"])
            _plot(right, one, "turn_time", run_colour(k), variant)
            _mark(right, one["turn_ratio"], 1e3 * one["best_turn_time"], run_colour(k))
        left.set_ylabel("acceleration of the load [rad/s²]")
        right.set_ylabel(f"time to turn by {turn:.3g}° from rest [ms]")
        left.set_ylim(bottom=min(0.0, float(data["best_acceleration"].min())))
        quickest = data["turn_time"].min("ratio")
        right.set_ylim(0.0, 1e3 * 4.0 * float(quickest.max()))
        for panel in (left, right):
            panel.axvline(float(data.attrs["own_ratio"]), **_OWN)
            panel.set(xscale="log", xlabel="gear ratio [1]")
            ticks = [tick for tick in _TICKS if ratio.min() <= tick <= ratio.max()]
            panel.set_xticks(ticks, [str(tick) for tick in ticks])
            panel.minorticks_off()
            legend_above(panel, ncols=4)

    speeds = listed(f"{speed:g}" for speed in data["speed"].to_numpy())
    alt = (
        "Over the gear ratio, on a logarithmic scale: left the acceleration of the load at speeds "
        f"of {speeds} rad/s, right the time in which it turns by {turn:.3g} degrees from rest, as "
        "it is and without the motor's line and friction; the optima are marked."
    )
    note = (
        "Lines: closed form. Dots: simulated. Crosses: what a search among simulations found. "
        "Dotted: the scenario's own ratio. A curve bends where full voltage no longer gives the "
        "torque that is asked for, and ends at 0 where it gives only what friction takes."
    )
    title = "The best gear"
    return draw(title, alt, (1, 2), plot, note=note, row_height=3.6, share_x=False)


def _plot(panel: Axes, one: xr.Dataset, name: str, colour: str, label: str) -> None:
    """The closed form of a quantity as a line, the simulations as dots on it."""
    ratio = one["ratio"].to_numpy()
    panel.plot(ratio, one[f"exact_{name}"].to_numpy(), color=colour, linewidth=1.2, label=label)
    panel.plot(ratio, one[name].to_numpy(), ".", color=colour, markersize=5.0)


def _mark(panel: Axes, ratio: xr.DataArray, value: xr.DataArray, colour: str) -> None:
    style: dict[str, Any] = {"markersize": 11.0, "markeredgewidth": 2.0, "zorder": 3.0}
    panel.plot([float(ratio)], [float(value)], "x", color=colour, **style)


def _optima(data: xr.Dataset) -> Table:
    """Ratios that the searches found beside those of the closed form."""
    rows = []
    for speed in data["speed"].to_numpy():
        one = data.sel(speed=speed)
        what = "acceleration from rest" if speed == 0.0 else f"acceleration at {speed:g} rad/s"
        best = _there(float(one["best_acceleration"]), "rad/s²")
        rows.append((what, *_ratios(one, "best_ratio", "exact_ratio"), best))
    for variant in data["variant"].values.tolist():
        one = data.sel(variant=variant)
        best = _there(1e3 * float(one["best_turn_time"]), "ms")
        rows.append((f"turn, {variant}", *_ratios(one, "turn_ratio", "exact_turn_ratio"), best))
    headings = ("what is best", "simulated ratio", "closed form", "value there")
    note = (
        "A ratio can be found to about the root of the simulations' rounding, for optima are flat."
    )
    return Table("Optima", headings, rows, note)


def _there(value: float, unit: str) -> str:
    return NONE if math.isnan(value) else f"{number(value, 5)} {unit}"


def _ratios(one: xr.Dataset, *names: str) -> tuple[str, ...]:
    return tuple(NONE if one[name].isnull() else f"{float(one[name]):.4f}" for name in names)


def _notes(data: xr.Dataset) -> list[str]:
    turns = data["turn_ratio"].to_numpy()
    found = [_FROM_REST]
    if np.isnan([*turns, *data["best_ratio"].to_numpy()]).any():
        found.append(_AT_THE_EDGE)
    if turns[0] < 0.95 * turns[1]:
        found.append(
            f"A turn from rest is quickest with a ratio of {number(float(turns[0]), 3)}, not "
            f"{number(float(turns[1]), 3)}: with more the motor runs out of speed before the load "
            "is there. The formula of the acceleration alone does not tell."
        )
    return found
