"""The page of a mass ratio: the gait and what it needs, over how heavy the hip is."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.metrics import Metric
from footfall.report.contents import Contents
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.wording import listed

_RATIO = "hip mass over leg mass [1]"
_OWN: dict[str, Any] = {"color": "#444444", "linewidth": 1.0, "linestyle": (0, (1, 1.5))}
_LINE: dict[str, Any] = {"color": "#0072B2", "marker": ".", "markersize": 4.0}
_PANELS = {
    "step_period": "step period [s]",
    "step_length": "step length [m]",
    "largest_multiplier": "largest modulus of\na multiplier [1]",
    "first_doubling": "slope of the first\ndoubling [deg]",
    "friction_stance": "friction needed\nby the step [1]",
    "friction_impact": "friction needed\nby the strike [1]",
}


def mass_ratio_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Period, length, stability and friction over the ratio."""
    return Contents([_gaits(data)], notes=_notes(data))


def _gaits(data: xr.Dataset) -> Figure:
    ratio, own = data["ratio"].to_numpy(), float(data.attrs["own_ratio"])

    def plot(axes: npt.NDArray[Any]) -> None:
        panels = axes.ravel()
        for panel, (name, label) in zip(panels, _PANELS.items(), strict=True):
            values = data[name].to_numpy()
            panel.plot(ratio, np.degrees(values) if name == "first_doubling" else values, **_LINE)
            panel.axvline(own, label="the scenario's walker", **_OWN)
            panel.set_ylabel(label)
        panels[2].axhline(1.0, color="black", linewidth=0.9)
        for panel in panels[4:]:
            panel.set_xlabel(_RATIO)
        legend_on_top(panels[0])

    alt = (
        "Step period and length, largest modulus of a multiplier, friction that the gait needs, "
        "and the slope of the first period doubling, over the ratio of hip mass to leg mass."
    )
    note = (
        "On the scenario's slope, on which the gait is stable below a modulus of 1; the first "
        "doubling is where the gait of such a walker doubles its period as the slope grows."
    )
    title = "The gait over the ratio of masses"
    return draw(title, alt, (3, 2), plot, note=note, row_height=2.1)


def _notes(data: xr.Dataset) -> list[str]:
    """Ratios at which something was not found."""
    gaits = np.isfinite(data["step_period"].to_numpy())
    doublings = np.isfinite(data["first_doubling"].to_numpy())
    ratio = data["ratio"].to_numpy()
    found = []
    for what, without in (
        ("no gait of period one was found on this slope", ~gaits),
        ("no doubling of its period was found as the slope grows", gaits & ~doublings),
    ):
        if without.any():
            where = listed(f"{value:g}" for value in ratio[without])
            found.append(f"At a ratio of {where}, {what}.")
    return found
