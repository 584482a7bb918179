"""The page of PASIBOT's calibration: two fitted scales, and how firm the predictions are."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

from footfall.machines.pasibot.claims import STATEMENTS
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim
from footfall.report.charts.panel import Panel
from footfall.report.curves import AXIS, Bars, Line, Part, Plot, Spans, Uprights, curves
from footfall.report.figure import Figure
from footfall.report.tables import NONE, Contents, Table, listed, number
from footfall.show.colours import run_colour

# quantities whose spread is shown, with short names and units
_SPREAD = {
    "low_change": ("change of torque\n1 to 2 rad/s", "[1]"),
    "shape_low": ("shape of torque\nup to 4 rad/s", "[1]"),
    "shape_5": ("shape of torque\nat 5 rad/s", "[1]"),
    "load_change": ("change of torque\nby 15 kg", "[1]"),
    "hip_rise": ("hip up and\ndown", "[l8]"),
    "slide_begin": ("slide begins\nat phase", "[1]"),
    "end_after_knee": ("its end after\nknee is highest", "[1]"),
    "second_middle": ("middle of the\nsecond slide", "[1]"),
    "many_slides": ("slides at friction\n0.03", "[1]"),
    "kinetic_order": ("growth of slide to\nnext lower μ_k", "[1]"),
}
_SCALES = {
    "crank_length": ("crank [mm]", 1e3),
    "total_mass": ("mass [kg]", 1.0),
}
_LEAST_MOST = {run_colour(0): "least", run_colour(1): "most"}
_BAND: dict[str, Any] = {"color": "#009E73", "alpha": 0.16, "linewidth": 0.0}
_BEYOND = 0.05  # of the range of values: how far beyond them a statement is seen to hold
_BASE = (
    "Words are as footfall reads them. Large dots: as assumed; small ones: all assumed numbers "
    "at random in their ranges. Every machine has both scales fitted to 0.84 N m and 0.08."
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
    """Values of quantities, a row of dots for each assembly, and where its statement holds."""
    names = data["assembly"].values.tolist()
    low, high = len(names) - 0.4, -0.6  # the first on top
    plots = []
    for quantity, (title, unit) in _SPREAD.items():
        some = data.sel(quantity=quantity)
        drawn, assumed = some["samples"].to_numpy(), some["assemblies"].to_numpy()
        parts: list[Part] = [_where_it_holds(STATEMENTS[quantity], [*drawn.flat, *assumed])]
        for k, name in enumerate(names):
            dots = {"color": run_colour(k), "linestyle": ""}
            small = dots | {"marker": ".", "markersize": 3.0, "alpha": 0.6}
            parts.append(Line(drawn[k], np.full(drawn[k].shape, k), look=small))
            parts.append(Line([assumed[k]], [k], name, dots | {"marker": "o", "markersize": 6.5}))
        plots.append(Plot("", [*parts, _no_ticks], title, across=unit, low=low, high=high))
    alt = (
        "For ten quantities of the document's statements, their values for the four assemblies "
        f"({listed(names)}) with the assumed masses and with random ones, and the range in which "
        "each statement holds."
    )
    title = "Predictions over what is assumed"
    return curves(None, title, plots, alt=alt, note=_BASE, columns=5, row_height=1.9)


def _no_ticks(panel: Panel) -> None:
    panel.set_yticks([])


def _where_it_holds(claim: Claim, values: Sequence[float]) -> Spans:
    """The values for which a claim holds, as far as there are some."""
    target = claim.target
    low, high = float(np.nanmin([target, *values])), float(np.nanmax([target, *values]))
    room = _BEYOND * (high - low)
    ends = {
        "about": (target - claim.tolerance, target + claim.tolerance),
        "at least": (target, high + room),
        "at most": (min(low - room, 0.0), target),
    }
    return Spans([ends[claim.relation]], "statement holds", _BAND)


def _scales(data: xr.Dataset) -> Figure:
    names = [
        f"{name}\n{low:g} to {high:g}"
        for name, (low, high) in zip(
            data["number"].values.tolist(), data["range"].to_numpy(), strict=True
        )
    ]
    plots = []
    for quantity, (label, factor) in _SCALES.items():
        own = factor * float(data["own"].sel(quantity=quantity))
        widths = factor * data["ends"].sel(quantity=quantity).to_numpy() - own
        rows = [
            (
                name,
                [([(own, one)], colour) for one, colour in zip(width, _LEAST_MOST, strict=True)],
            )
            for name, width in zip(names, widths.tolist(), strict=True)
        ]
        parts: list[Part] = [Bars(rows, _LEAST_MOST), Uprights([own], look=AXIS)]
        plots.append(Plot("", parts, across=label))
    alt = (
        "Bars: by how much the fitted length of the crank and the fitted mass change with "
        f"{listed(data['number'].values)} at the least and the most of their ranges."
    )
    note = (
        "One assumed number at a time at an end of its range, of the scenario's assembly. " + _FOOT
    )
    height = 0.42 * len(names) + 0.8
    title = "What the fitted scales hang on"
    return curves(None, title, plots, alt=alt, note=note, columns=len(plots), row_height=height)


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
