"""The page of a convergence: errors over the time step, and their orders."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from footfall.analysis.convergence import ERROR, LIMIT, ORDER
from footfall.metrics import Metric
from footfall.report.curves import Line, Plot, curves
from footfall.report.figure import Figure
from footfall.report.panels import run_style
from footfall.report.tables import NONE, Contents, Table, number

_HEIGHT = 2.8  # inches
_STEP = "time_step"
_SLOPES: dict[str, Any] = {"color": "#999999", "linewidth": 0.8, "zorder": 1.0}
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
    figures = [_errors(data, shown)] if shown else []
    return Contents(figures, [orders_of(data)] if names else [], notes)


def _errors(data: xr.Dataset, names: list[str]) -> Figure:
    steps, plots = data[_STEP].to_numpy(), []
    for name in names:
        values, lines = data[f"{ERROR}{name}"], []
        for k, engine in enumerate(data["engine"].to_numpy()):
            row = values.sel(engine=engine).to_numpy()
            look = run_style(k) | {"marker": "o", "markersize": 4.0}
            lines.append(Line(steps, np.where(row > 0.0, row, np.nan), str(engine), look))
        top = float(np.nanmax(values.to_numpy()))
        for order, dashes in ((1, (0, (1, 1.5))), (2, (0, (4, 2)))):
            look = {"linestyle": dashes, **_SLOPES}
            lines.append(Line(steps, top * (steps / steps[0]) ** order, look=look))
        unit = values.attrs["units"]
        label = f"error [{unit}]" if unit not in ("", "1") else "error"
        title = name.replace("_", " ")
        plots.append(Plot(label, lines, title, "time step [s]", log=True, log_across=True))
    alt = "Errors of metrics over the time step, both logarithmic, a line for each engine."
    title = "Error over the time step"
    return curves(None, title, plots, alt=alt, note=_NOTE, columns=2, row_height=_HEIGHT)


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
