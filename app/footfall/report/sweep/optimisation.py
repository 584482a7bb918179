"""The page of an optimisation: how the search went, and where its best runs lie."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from footfall.metrics import Metric
from footfall.report.curves import Level, Line, Plot, curves
from footfall.report.figure import Figure
from footfall.report.sweep.axes import label_of, panel_over
from footfall.report.tables import Contents, Table, number
from footfall.show.colours import run_colour

_BEST = 10  # rows of the table
_HEIGHT = 2.8  # inches
_OWN: dict[str, Any] = {"color": "#777777", "linestyle": (0, (4, 2)), "linewidth": 1.0}
_DOT: dict[str, Any] = {
    "color": run_colour(0),
    "linestyle": "",
    "marker": "o",
    "markersize": 3.0,
    "alpha": 0.5,
}


def optimisation_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Return how the search went, the measure over each value, and the best runs."""
    searched = [str(name) for name, one in data.data_vars.items() if one.attrs.get("searched")]
    runs, succeeded = data.sizes["run"], int(data["success"].sum())
    count = f"{runs} candidates, of which {succeeded} succeeded."
    notes = [f"{count} The best one is a scenario in the folder, found_best.yaml."]
    return Contents([_course(data), _places(data, searched)], [_best(data, searched)], notes)


def _course(data: xr.Dataset) -> Figure:
    name, runs = str(data.attrs["measure"]), data["run"].to_numpy()
    parts = [
        Line(runs, data[name], "a run", _DOT),
        Line(runs, data["best_so_far"], "best until then", {"color": run_colour(1)}),
    ]
    own = float(data.attrs["own"])
    level = [Level(own, "the scenario as it is", look=_OWN)] if np.isfinite(own) else []
    alt = f"{name} of every run in the order of the search, and the best until then."
    plot = Plot(label_of(data, name), [*parts, *level], across="run")
    return curves(None, "How the search went", [plot], alt=alt, row_height=_HEIGHT)


def _places(data: xr.Dataset, searched: list[str]) -> Figure:
    name = str(data.attrs["measure"])
    plots = [
        panel_over(data, path, label_of(data, name), [Line(data[path], data[name], look=_DOT)])
        for path in searched
    ]
    alt = f"{name} of every run over each of the values that were searched."
    title = f"{name.replace('_', ' ')} over what was searched"
    return curves(None, title, plots, alt=alt, columns=2, row_height=_HEIGHT)


def _best(data: xr.Dataset, searched: list[str]) -> Table:
    name = str(data.attrs["measure"])
    sign = -1.0 if data.attrs["sense"] == "max" else 1.0
    values = sign * data[name].to_numpy()
    order = [int(k) for k in np.argsort(values) if np.isfinite(values[k])][:_BEST]
    rows = [
        (
            str(k),
            number(float(data[name][k]), 6),
            *(number(float(data[path][k]), 6) for path in searched),
        )
        for k in order
    ]
    return Table("The best runs", ("run", label_of(data, name), *searched), rows)
