"""The page of PASIBOT's calibration: two fitted scales, and how firm the predictions are."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.machines.pasibot.claims import STATEMENTS
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.tables import NONE, Contents, Table, listed, number
from footfall.show.colours import run_colour

# quantities whose spread is shown, with short names
_SPREAD = {
    "low_change": "change of torque\n1 to 2 rad/s [1]",
    "shape_low": "shape of torque\nup to 4 rad/s [1]",
    "shape_5": "shape of torque\nat 5 rad/s [1]",
    "load_change": "change of torque\nby 15 kg [1]",
    "hip_rise": "hip up and\ndown [l8]",
    "slide_begin": "slide begins\nat phase [1]",
    "end_after_knee": "its end after\nknee is highest [1]",
    "second_middle": "middle of the\nsecond slide [1]",
    "many_slides": "slides at friction\n0.03 [1]",
    "kinetic_order": "growth of slide to\nnext lower μ_k [1]",
}
_SCALES = {
    "crank_length": ("crank [mm]", 1e3),
    "total_mass": ("mass [kg]", 1.0),
}
_BAND: dict[str, Any] = {"color": "#009E73", "alpha": 0.16, "linewidth": 0.0}
_BASE = (
    "Green: where the statement holds, as footfall reads its words. Large dots: as assumed; small "
    "ones: all assumed numbers at random in their ranges. Every machine has both scales fitted to "
    "0.84 N m and 0.08."
)
_TEST = (
    "Two numbers that fit two scales prove nothing: that the rest comes out is the test. Words "
    "like 'slightly' are given a number, said with each claim."
)
_FOOT = (
    "Masses go by length: a longer foot is a heavier one. What the ranges of assumed numbers "
    "should be nobody knows; they are footfall's, and in the scenario."
)


def calibration_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """Spread of predictions over what is assumed, what the scales hang on, the four assemblies."""
    figures = [_spread(data)]
    if data.sizes["number"]:
        figures.append(_scales(data))
    return Contents(figures, [_assemblies(data)], _notes(metrics))


def _spread(data: xr.Dataset) -> Figure:
    names = data["assembly"].values.tolist()

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (quantity, label) in zip(axes.ravel(), _SPREAD.items(), strict=True):
            _strip(panel, data, quantity)
            _band(panel, STATEMENTS[quantity])
            panel.set_title(label)
            panel.set_yticks([])
            panel.set_ylim(len(names) - 0.4, -0.6)
        legend_on_top(axes[0, 0])

    alt = (
        "For ten quantities of the document's statements, their values for the four assemblies "
        f"({listed(names)}) with the assumed masses and with random ones, and the range in which "
        "each statement holds."
    )
    title = "Predictions over what is assumed"
    shape = (2, len(_SPREAD) // 2)
    return draw(title, alt, shape, plot, note=_BASE, row_height=1.9, share_x=False)


def _strip(panel: Panel, data: xr.Dataset, quantity: str) -> None:
    """Values of a quantity, a row of dots for each assembly."""
    for k, name in enumerate(data["assembly"].values.tolist()):
        samples = data["samples"].isel(assembly=k).sel(quantity=quantity).to_numpy()
        own = float(data["assemblies"].isel(assembly=k).sel(quantity=quantity))
        style: dict[str, Any] = {"color": run_colour(k), "linestyle": "none"}
        panel.plot(samples, np.full(samples.shape, k), ".", markersize=3.0, alpha=0.6, **style)
        panel.plot([own], [k], "o", markersize=6.5, label=name, **style)


def _band(panel: Panel, claim: Claim) -> None:
    (low, high), target = panel.get_xlim(), claim.target
    if claim.relation == "about":
        ends = (target - claim.tolerance, target + claim.tolerance)
    elif claim.relation == "at least":
        ends = (target, max(high, target))
    else:
        ends = (min(low, target, 0.0), target)
    panel.axvspan(*ends, **_BAND)
    panel.set_xlim(min(low, *ends), max(high, *ends))


def _scales(data: xr.Dataset) -> Figure:
    numbers = data["number"].values.tolist()
    ranges = data["range"].to_numpy()

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (quantity, (label, factor)) in zip(axes[0], _SCALES.items(), strict=True):
            ends = factor * data["ends"].sel(quantity=quantity).to_numpy()
            own = factor * float(data["own"].sel(quantity=quantity))
            for k in range(len(numbers)):
                for end, colour in enumerate((run_colour(0), run_colour(1))):
                    word = "least" if end == 0 else "most"
                    label_of = word if k == 0 else None
                    width = ends[k, end] - own
                    panel.barh(k, width, left=own, height=0.6, color=colour, label=label_of)
            panel.axvline(own, color="black", linewidth=0.9)
            panel.set_xlabel(label)
            panel.set_yticks(range(len(numbers)), [""] * len(numbers))
            panel.invert_yaxis()
        labels = [
            f"{name}\n{low:g} to {high:g}"
            for name, (low, high) in zip(numbers, ranges, strict=True)
        ]
        axes[0, 0].set_yticks(range(len(numbers)), labels)
        legend_on_top(axes[0, 0])

    alt = (
        "Bars: by how much the fitted length of the crank and the fitted mass "
        f"change with {listed(numbers)} at the least and the most of their ranges."
    )
    note = (
        "One assumed number at a time at an end of its range, of the scenario's assembly. " + _FOOT
    )
    height = 0.42 * len(numbers) + 0.8
    title = "What the fitted scales hang on"
    return draw(title, alt, (1, len(_SCALES)), plot, note=note, row_height=height, share_x=False)


def _assemblies(data: xr.Dataset) -> Table:
    """Share of machines that keep every statement, assembly by assembly."""
    names = data["assembly"].values.tolist()
    kept = data["kept"].to_numpy()
    rows = []
    for number_of, (quantity, claim) in enumerate(STATEMENTS.items()):
        cells = []
        for k in range(len(names)):
            value = float(data["assemblies"].isel(assembly=k).sel(quantity=quantity))
            verdict = "✓" if claim.holds(value) else "✗"
            share = kept[k, number_of]
            labels = NONE if np.isnan(share) else f"{share:.0%}"
            cells.append(f"{number(value, 3)} {verdict} {labels}")
        rows.append((claim.name, *cells))
    note = (
        "Value as assumed, whether the statement holds then, and the share of random machines for "
        "which it does."
    )
    return Table("Statements by assembly", ("statement", *names), rows, note)


def _notes(metrics: Mapping[str, Metric]) -> list[str]:
    crank, mass = 1e3 * scalar(metrics, "crank_length"), scalar(metrics, "total_mass")
    fits = (
        f"A friction of 0.08 at 3 rad/s fits a crank of {crank:.3f} mm, and 0.84 N m, which carry "
        f"it from rest through a step, a mass of {mass:.3f} kg: all else here is of that machine."
    )
    paragraphs = [fits, _TEST]
    if int(scalar(metrics, "machines")):
        cranks, masses = (
            _pair(metrics, f"{name}_range") for name in ("crank_length", "total_mass")
        )
        paragraphs.append(
            f"Over {int(scalar(metrics, 'machines'))} machines with other assumed numbers the "
            f"fitted crank is {1e3 * cranks[0]:.1f} to {1e3 * cranks[1]:.1f} mm long, the mass "
            f"{masses[0]:.1f} to {masses[1]:.1f} kg: the document does not fix them closer."
        )
    jams = int(scalar(metrics, "no_machines"))
    if jams:
        paragraphs.append(
            f"{jams} of the machines drawn have no answer: the linkage jams, or no floor carries "
            "it at 5 rad/s."
        )
    return paragraphs


def _pair(metrics: Mapping[str, Metric], name: str) -> list[float]:
    ends = metrics.get(name, [])
    return [float(x) for x in ends] if isinstance(ends, Sequence) else []  # type: ignore[arg-type]
