"""The page of a convergence: errors over the time step, and their orders."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.convergence import ERROR, LIMIT, ORDER
from footfall.metrics import Metric
from footfall.report.figure import Figure, draw
from footfall.report.panels import grid_shape, legend_on_top, run_style
from footfall.report.tables import NONE, Contents, Table, number

_MOST = 12  # panels
_HEIGHT = 2.8  # inches
_STEP = "time_step"
_SLOPES: dict[str, Any] = {"color": "#999999", "linewidth": 0.8}
_NOTE = (
    "Grey: slopes of order 1 (dotted) and 2 (dashed). The controller's samples "
    "have the same step and become closer as well."
)


def convergence_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Return errors over the time step, a table of the orders, and what failed."""
    names = _names(data)
    shown = [name for name in names if (data[f"{ERROR}{name}"] > 0.0).any()]
    notes = [] if names else ["No metric changes with the time step beyond rounding."]
    notes += [
        f"{engine} at {step:.4g} s: {reason}"
        for engine in data["engine"].to_numpy()
        for step in data[_STEP].to_numpy()
        if (reason := str(data["reason"].sel({"engine": engine, _STEP: step}).item()))
    ]
    figures = [_errors(data, shown[:_MOST])] if shown else []
    return Contents(figures, answers(data), notes)


def answers(data: xr.Dataset) -> list[Table]:
    """Return the orders of all metrics, which a terminal shows as well; none of no metric."""
    return [orders_of(data)] if _names(data) else []


def _errors(data: xr.Dataset, names: list[str]) -> Figure:
    steps = data[_STEP].to_numpy()

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, name in zip(axes.ravel(), names, strict=False):
            values = data[f"{ERROR}{name}"]
            for k, engine in enumerate(data["engine"].to_numpy()):
                row = values.sel(engine=engine).to_numpy()
                style = run_style(k) | {"marker": "o", "markersize": 4.0}
                panel.plot(steps, np.where(row > 0.0, row, np.nan), label=str(engine), **style)
            top = float(np.nanmax(values.to_numpy()))
            for order, dashes in ((1, (0, (1, 1.5))), (2, (0, (4, 2)))):
                line = top * (steps / steps[0]) ** order
                panel.plot(steps, line, linestyle=dashes, zorder=1.0, **_SLOPES)
            panel.set(xscale="log", yscale="log", title=name.replace("_", " "))
            panel.set_xlabel("time step [s]")
            unit = values.attrs["units"]
            panel.set_ylabel(f"error [{unit}]" if unit not in ("", "1") else "error")
        for panel in axes.ravel()[len(names) :]:
            panel.set_visible(False)
        legend_on_top(axes[0, 0])

    alt = "Errors of metrics over the time step, both logarithmic, a line for each engine."
    shape = grid_shape(len(names))
    title = "Error over the time step"
    return draw(title, alt, shape, plot, note=_NOTE, row_height=_HEIGHT, share_x=False)


def orders_of(data: xr.Dataset) -> Table:
    """Return a table of the orders of all metrics, with their intervals, and limits."""
    rows = []
    for name in _names(data):
        for engine in data["engine"].to_numpy():
            one = data.sel(engine=engine)
            order, low, high = (float(one[f"{ORDER}{name}{end}"]) for end in ("", "_low", "_high"))
            between = NONE if math.isnan(low) else f"{number(low, 3)} to {number(high, 3)}"
            unit = data[name].attrs["units"]
            limit = f"{number(float(one[f'{LIMIT}{name}']), 8)} {unit}".strip()
            rows.append((name.replace("_", " "), str(engine), number(order, 3), between, limit))
    headings = ("metric", "engine", "order", "95 % interval", "limit")
    note = (
        "The order is the slope of the errors' logarithms; its interval tells how straight they "
        "lie. The limit is Richardson's, and means something where the order is certain."
    )
    return Table("Orders", headings, rows, note)


def _names(data: xr.Dataset) -> list[str]:
    return [str(name)[len(ERROR) :] for name in data.data_vars if str(name).startswith(ERROR)]
