"""The page of a jump's convergence: errors of the time-stepping engines over the time step."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes

from footfall.arrays import Array
from footfall.metrics import Metric
from footfall.report.contents import Contents, Table
from footfall.report.figure import Figure, draw
from footfall.report.panels import grid_shape, legend_on_top
from footfall.report.wording import NONE, listed, number
from footfall.show.colours import run_colour

_MARKERS = ("o", "s", "^", "D", "v", "P")
_SLOPES = {1: (0, (5, 3)), 2: (0, (1, 1.5))}  # orders that are drawn beside, and their dashes
_DIGITS = 3


def convergence_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Errors over the time step on logarithmic axes, and the orders that they have."""
    known = [name for name in _quantities(data) if _known(_errors_of(data, name)).any()]
    figures = [_errors(data, known)] if known else []
    return Contents(figures, [_orders(data)], [*_left_out(data, known), *_notes(data)])


def _quantities(data: xr.Dataset) -> list[str]:
    return [str(name) for name in data["quantity"].values]


def _errors_of(data: xr.Dataset, name: str) -> Array:
    """Errors of a quantity, (engine, time step)."""
    return np.abs(data["error"].sel(quantity=name).transpose("engine", "time_step").to_numpy())


def _known(error: Array) -> npt.NDArray[np.bool_]:
    """Return which errors there are on a logarithmic axis."""
    return np.isfinite(error) & (error > 0.0)


def _errors(data: xr.Dataset, quantities: Sequence[str]) -> Figure:
    """A panel for each of some quantities, of which errors are known."""
    shape = grid_shape(len(quantities))

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, name in zip(axes.ravel(), quantities, strict=False):
            _plot(panel, data, name)
        for index, panel in enumerate(axes.ravel()):
            panel.set_visible(index < len(quantities))
            if index + shape[1] >= len(quantities):
                panel.set_xlabel("time step [s]")
                panel.tick_params(labelbottom=True)
        legend_on_top(axes[0, 0])

    engines = listed(str(engine) for engine in data["engine"].values)
    alt = (
        f"Errors of {listed(_words(name) for name in quantities)} over the time step on "
        f"logarithmic axes, for {engines}, beside lines of first and second order."
    )
    note = (
        "Root mean squares over several steps beside each, since where in a step an event falls "
        "looks like chance. Beside them: first order (dashed) and second order (dotted)."
    )
    title = "Error over the time step"
    return draw(title, alt, shape, plot, note=note, row_height=2.2)


def _plot(panel: Axes, data: xr.Dataset, name: str) -> None:
    """Errors of one quantity, and lines of slope 1 and 2 through those of the first engine."""
    steps = data["time_step"].to_numpy()
    errors = _errors_of(data, name)
    for index, (engine, error) in enumerate(zip(data["engine"].values, errors, strict=True)):
        seen = np.where(_known(error), error, np.nan)
        style: dict[str, Any] = {"color": run_colour(index), "markersize": 4.5}
        marker = _MARKERS[index % len(_MARKERS)]
        panel.plot(steps, seen, marker=marker, label=str(engine), **style)
    _plot_slopes(panel, steps, next(error for error in errors if _known(error).any()))
    panel.set(xscale="log", yscale="log", ylabel=f"{_words(name)}\n[{_unit(data, name)}]")


def _plot_slopes(panel: Axes, steps: Array, error: Array) -> None:
    """Lines of slope 1 and 2 through an engine's error at its longest step."""
    known = np.flatnonzero(_known(error))
    last = known[np.argmax(steps[known])]
    ends = np.array([steps.min(), steps.max()])
    for order, dashes in _SLOPES.items():
        style: dict[str, Any] = {"color": "black", "linewidth": 0.8, "linestyle": dashes}
        panel.plot(ends, error[last] * (ends / steps[last]) ** order, zorder=1.0, **style)


def _orders(data: xr.Dataset) -> Table:
    """The exact values and the order of every engine's error."""
    engines = [str(engine) for engine in data["engine"].values]
    rows = []
    for name in _quantities(data):
        one = data.sel(quantity=name)
        orders = one["fitted_order"].to_numpy()
        rows.append(
            (
                f"{_words(name)} [{_unit(data, name)}]",
                f"{float(one['exact']):.9g}".replace("-", "\N{MINUS SIGN}"),
                *(NONE if math.isnan(order) else f"{order:.2f}" for order in orders),
            )
        )
    headings = ("quantity", "event-driven", *(f"order, {engine}" for engine in engines))
    note = "Orders are slopes of straight lines through the logarithms of errors and steps."
    return Table("Orders of the errors", headings, rows, note)


def _left_out(data: xr.Dataset, known: Sequence[str]) -> list[str]:
    """Return which quantities no panel shows."""
    missing = [_words(name) for name in _quantities(data) if name not in known]
    if not missing:
        return []
    return [f"No engine comes to {listed(missing)} at these time steps, or none errs: not drawn."]


def _notes(data: xr.Dataset) -> list[str]:
    shortest = float(data["time_step"].min())
    if "reach" not in data["quantity"].values:
        return []
    last = data["error"].sel(quantity="reach", time_step=shortest)
    engines = [engine for engine in data["engine"].values if np.isfinite(last.sel(engine=engine))]
    if not engines:
        return []
    errors = listed(
        f"{number(1e3 * float(last.sel(engine=engine)), _DIGITS)} mm in {engine}"
        for engine in engines
    )
    note = (
        f"At a time step of {number(shortest, _DIGITS)} s the jump is off by {errors}, against "
        f"{number(1e3 * float(data['exact'].sel(quantity='reach')), 6)} mm of the event-driven "
        "engine. Drake's contact yields: its errors need not vanish with the time step."
    )
    return [note]


def _words(name: str) -> str:
    return name.replace("_", " ") if name != "reach" else "distance"


def _unit(data: xr.Dataset, name: str) -> str:
    return str(data["quantity_units"].sel(quantity=name).item()).replace("^2", "²")
