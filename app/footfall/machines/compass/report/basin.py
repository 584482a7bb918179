"""The page of a basin: for every gain, from which starts the gait is reached, and how soon."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.colors import Normalize
from matplotlib.patches import Patch

from footfall.machines.compass.analyses.basin import FALLS, UNDECIDED
from footfall.metrics import Metric
from footfall.report.figure import Figure, draw_picture
from footfall.report.panels import grid_shape
from footfall.report.tables import Contents, Table, listed, number

_LOST, _OPEN = "#d9d9d9", "#E69F00"
_STEPS = mpl.colormaps["viridis"].with_extremes(under=_LOST, bad=_OPEN)
_GAIT: dict[str, Any] = {
    "color": "#D55E00",
    "marker": "*",
    "markersize": 13.0,
    "markeredgecolor": "white",
    "linestyle": "",
}
_SLOWEST = 0.99  # share of the starts whose steps the colours tell apart


def basin_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """A panel and a row of the table for every gain."""
    return Contents([_slices(data)], [_shares(metrics)], _notes(data))


def _slices(data: xr.Dataset) -> Figure:
    gains, label = data["gain"].to_numpy(), data["label"].to_numpy()
    steps = data["steps"].to_numpy().astype(np.float64)
    there = steps[label > FALLS]
    slowest = float(np.quantile(there, _SLOWEST)) if there.size else 1.0
    norm = Normalize(0.0, max(slowest, 1.0))
    # below the scale what falls, no number where it is open
    shown = np.where(label == UNDECIDED, np.nan, np.where(label == FALLS, -1.0, steps))
    shape = grid_shape(len(gains), 3 if len(gains) == 3 else 2)
    mesh: dict[str, Any] = {"shading": "nearest", "rasterized": True, "cmap": _STEPS, "norm": norm}
    rate, swing = data["rate"].to_numpy(), data["swing"].to_numpy()
    q1, *gait = data["gait"].to_numpy()

    def plot(axes: npt.NDArray[Any]) -> None:
        panels = axes.ravel()
        for panel in panels[len(gains) :]:
            panel.set_visible(False)
        for panel, gain, values in zip(panels, gains, shown, strict=False):
            panel.pcolormesh(rate, swing, values.T, **mesh)
            panel.plot(*gait, **_GAIT)
            panel.grid(visible=False)
            panel.set_title(_name(gain))
            panel.set(
                xlabel="q1' after heel strike [rad/s]", ylabel="q2' after heel strike [rad/s]"
            )
            panel.label_outer()
        figure = panels[0].figure
        colours = mpl.cm.ScalarMappable(norm, _STEPS)
        figure.colorbar(colours, ax=axes, label="steps to the gait", extend="max", shrink=0.9)
        handles = [
            Patch(color=_LOST, label="falls"),
            Patch(color=_OPEN, label="undecided"),
            panels[0].plot([], [], label="the gait", **_GAIT)[0],
        ]
        figure.legend(handles=handles, loc="outside upper left", ncols=3)

    alt = (
        "Starts just after a heel strike in the plane of both rates, coloured by the steps that "
        f"they take to the gait, a panel for each of {listed(_name(gain) for gain in gains)}."
    )
    note = (
        f"The slice of starts with the gait's own angle, q1 = {number(math.degrees(q1), 4)}° just "
        "after a heel strike, and with these rates of the standing leg (q1') and of the angle "
        "between the legs (q2')."
    )
    title = "From where the gait is reached"
    return draw_picture(title, alt, shape, plot, note=note, row_height=3.6)


def _name(gain: float) -> str:
    return "passive" if gain == 0.0 else f"hip with a gain of {number(float(gain), 3)} s"


def _shares(metrics: Mapping[str, Metric]) -> Table:
    columns = [
        _numbers(metrics, name)
        for name in (
            "gains",
            "shares",
            "shares_from",
            "shares_to",
            "slice_shares",
            "undecided_shares",
            "median_steps",
        )
    ]
    rows = [
        (
            _name(gain),
            f"{100.0 * share:.2f} % ({100.0 * low:.2f} to {100.0 * high:.2f} %)",
            *(f"{100.0 * other:.2f} %" for other in others),
            number(steps, 3),
        )
        for gain, share, low, high, *others, steps in zip(*columns, strict=True)
    ]
    headings = (
        "hip",
        "of the box, to the gait (95 % interval)",
        "of the slice",
        "of the slice, undecided",
        "median steps to it",
    )
    note = (
        "The share of the box is that of random starts in all three components, each walked to its "
        "end, with the interval that has the share of all starts in 95 of 100 samples; the same "
        "starts for every hip. The slice is walked start by start."
    )
    return Table("How much of it", headings, rows, note)


def _numbers(metrics: Mapping[str, Metric], name: str) -> list[float]:
    """A metric by gain; NaN for one that an older version did not save."""
    gains = metrics.get("gains", [])
    unknown = [math.nan] * len(gains) if isinstance(gains, Sequence) else []
    metric = metrics.get(name, unknown)
    values: Sequence[Metric] = metric if isinstance(metric, Sequence) else [metric]
    return [float(value) if isinstance(value, int | float) else math.nan for value in values]


def _notes(data: xr.Dataset) -> list[str]:
    lost = (
        "A start counts as lost when the walker falls, takes too long for a step, or when the "
        "ground would have to pull at its foot."
    )
    paragraphs = [lost]
    if (data["gain"].to_numpy() > 0.0).any():
        paragraphs.append(
            "The hip drives the walker to the energy of its passive gait, which thereby stays the "
            "same gait; which starts find it is another matter."
        )
    return paragraphs
