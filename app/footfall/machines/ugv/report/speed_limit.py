"""The page of the vehicle's torques at falling speeds, against quasi-static balance."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib import colormaps
from matplotlib.axes import Axes

from footfall.arrays import Array
from footfall.metrics import Metric
from footfall.report.contents import Contents, Table
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_above, legend_on_top
from footfall.report.wording import NONE, listed, number
from footfall.show.colours import run_colour

_MARKERS = ("o", "s", "^", "D", "v", "P")
_PLACE = "centre of the front wheel [m]"
_BLACK: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (4, 2))}
_ORDER = 2.0  # of what the balance leaves out, in the speed


def speed_limit_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """Torques over the way, their distances over the speed, and the orders of these."""
    figures = [_torques(data), _distances(data, metrics)]
    return Contents(figures, [_table(data, metrics)], _notes(data, metrics))


def _engines(data: xr.Dataset) -> list[str]:
    return [str(engine) for engine in data["engine"].values]


def _torques(data: xr.Dataset) -> Figure:
    """A panel for every engine: torque at each speed, and that of the balance."""
    engines, speeds = _engines(data), data["speed"].to_numpy()
    colours = colormaps["viridis"](np.linspace(0.0, 0.85, len(speeds)))

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, engine in zip(axes[:, 0], engines, strict=True):
            one = data.sel(engine=engine)
            x = one["station"].to_numpy()
            for k, speed in enumerate(speeds):
                torque = one["torque"].isel(speed=k).to_numpy()
                panel.plot(x, torque, color=colours[k], label=f"{speed:g} m/s")
            balance = one["balance"].isel(speed=-1).to_numpy()
            panel.plot(x, balance, label="balance", **_BLACK)
            panel.set_ylabel(f"{engine}\nwheel torque [N m]")
        axes[-1, 0].set_xlabel(_PLACE)
        legend_on_top(axes[0, 0])

    alt = (
        f"Torque of either wheel over the place of the front wheel for {listed(engines)} at "
        f"{listed(f'{speed:g} m/s' for speed in speeds)}, and that of quasi-static balance."
    )
    return draw("Torque over the way", alt, (len(engines), 1), plot, row_height=2.4)


def _distances(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Figure:
    """Largest and rms distance over the speed, on logarithmic axes."""
    speeds = data["speed"].to_numpy()
    kinds = {
        "torque_differences": "largest distance\n[% of the peak]",
        "torque_differences_rms": "rms distance\n[% of the peak]",
    }

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (name, label) in zip(axes[0], kinds.items(), strict=True):
            rows = 100.0 * np.array(metrics[name], dtype=float)
            for k, (engine, row) in enumerate(zip(_engines(data), rows, strict=True)):
                marker = _MARKERS[k % len(_MARKERS)]
                panel.plot(
                    speeds, row, marker=marker, markersize=4.5, color=run_colour(k), label=engine
                )
            _plot_order(panel, speeds, rows[0, 0])
            panel.set(xscale="log", yscale="log", ylabel=label, xlabel="speed [m/s]")
            panel.set_xticks(speeds, [f"{speed:g}" for speed in speeds])
            panel.minorticks_off()
        legend_above(axes[0, 0])

    alt = (
        "Largest and root mean square distance of the torque from that of the balance over the "
        f"speed on logarithmic axes, for {listed(_engines(data))}, beside a line of order 2."
    )
    note = "Dashed: second order in the speed, through the fastest drive of the first engine."
    return draw("Distance from the balance", alt, (1, 2), plot, note=note, row_height=2.6)


def _plot_order(panel: Axes, speeds: Array, first: float) -> None:
    panel.plot(speeds, first * (speeds / speeds[0]) ** _ORDER, zorder=1.0, **_BLACK)


def _table(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Table:
    """Distances and orders, a row for each speed."""
    largest, rms, orders = (
        np.array(metrics[name], dtype=float)
        for name in ("torque_differences", "torque_differences_rms", "speed_orders")
    )
    rows = []
    for k, speed in enumerate(data["speed"].to_numpy()):
        row = [f"{speed:g} m/s"]
        for engine in range(len(largest)):
            row += [number(100.0 * float(x[engine, k]), 3) for x in (largest, rms)]
            row.append(NONE if k == 0 else number(float(orders[engine, k - 1]), 3))
        rows.append(row)
    headings = ["speed"]
    for name in _engines(data):
        headings += [f"{name}: largest [%]", "rms [%]", "order"]
    note = "Distances as shares of the largest quasi-static torque; orders are those of the rms."
    return Table("Distances", headings, rows, note)


def _notes(data: xr.Dataset, metrics: Mapping[str, Metric]) -> list[str]:
    slowest = float(data["speed"].min())
    largest = np.array(metrics["torque_differences"], dtype=float)[:, -1]
    distances = listed(
        f"{number(100.0 * float(share), 3)} % in {engine}"
        for engine, share in zip(_engines(data), largest, strict=True)
    )
    note = (
        "What it takes to accelerate masses falls with the square of the speed. What is left of "
        "the distance at low speeds comes from the track, whose facets change the slope in steps, "
        f"and from the contact: at {slowest:g} m/s the largest distance is {distances} of the "
        "largest torque."
    )
    return [note]
