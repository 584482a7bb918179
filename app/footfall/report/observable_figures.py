"""Figure of the observables of a user's own over time."""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.report.figure import Figure, draw
from footfall.report.panels import MOST_PANELS, finish_time_panels, grid_shape, overlay
from footfall.report.section import Section
from footfall.report.wording import listed
from footfall.trajectory.observables import observables_of


def observable_figures(section: Section) -> list[Figure]:
    """A panel for every component of every observable, all runs; nothing without observables."""
    found = _components(section)
    if not found:
        return []
    shown = found[:MOST_PANELS]

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (name, component, label) in zip(axes.ravel(), shown, strict=False):
            overlay(panel, section, lambda data: _values(data, name, component))  # noqa: B023 (used at once)
            panel.set_ylabel(label)
        finish_time_panels(axes, len(shown))

    names = dict.fromkeys(name for name, _, _ in shown)
    alt = f"{listed(names)} over time, for {listed(section.runs)}."
    note = f"The first {len(shown)} of {len(found)}." if len(shown) < len(found) else ""
    return [draw("Observables", alt, grid_shape(len(shown)), plot, note=note)]


def _components(section: Section) -> list[tuple[str, int, str]]:
    """Observable, component and label of every panel, in the order of the first run that has it."""
    labels: dict[tuple[str, int], str] = {}
    for run in section.runs.values():
        for name, variable in observables_of(run.trajectory.data).items():
            count = variable.shape[1] if variable.ndim > 1 else 1
            unit = f" [{variable.attrs['units']}]" if variable.attrs["units"] else ""
            for k in range(count):
                which = f" {k}" if variable.ndim > 1 else ""
                labels.setdefault((name, k), f"{name}{which}{unit}")
    return [(name, k, label) for (name, k), label in labels.items()]


def _values(data: xr.Dataset, name: str, component: int) -> Array:
    """Values of a component (N,); NaN in a run that has none."""
    variable = observables_of(data).get(name)
    if variable is None or (variable.ndim > 1 and variable.shape[1] <= component):
        return np.full(data.sizes["time"], np.nan)
    values: Array = variable.to_numpy()
    return values if values.ndim == 1 else values[:, component]
