"""Engine against engine: how far the other runs of a scenario are from the first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.compare import Comparison, compare_all
from footfall.report.figures import MOST_PANELS, finish_time_panels, short
from footfall.report.picture import Picture, draw, grid_shape, hide_unused, run_style, thin
from footfall.report.section import Section
from footfall.report.wording import listed, number

_SMALLEST = 1e-16  # below this a difference is drawn as this


@dataclass(frozen=True)
class DifferenceRow:
    """One quantity of the table: its unit, then (largest, rms, final) for every other run."""

    quantity: str
    unit: str
    measures: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class EngineTable:
    """The table of differences, with what is said about modes below it."""

    reference: str
    others: Sequence[str]
    rows: Sequence[DifferenceRow]
    modes: Sequence[str]


def compare_runs(section: Section) -> list[Comparison]:
    """Hold every other run that has rows against the first."""
    rows = {
        name: run.trajectory
        for name, run in section.runs.items()
        if run.trajectory.data.sizes["time"] > 1
    }
    if len(rows) < 2 or next(iter(section.runs)) not in rows:
        return []
    return list(compare_all(rows))


def engine_table(comparisons: Sequence[Comparison]) -> EngineTable:
    """Tabulate the comparisons: quantities that all of them have, then where the contact modes part."""
    tables = [{row.quantity: row for row in one.rows} for one in comparisons]
    shared = [row for row in comparisons[0].rows if all(row.quantity in table for table in tables)]
    rows = []
    for row in shared:
        found = [table[row.quantity] for table in tables]
        measures = [(number(d.maximum, 3), number(d.rms, 3), number(d.final, 3)) for d in found]
        rows.append(DifferenceRow(row.quantity, row.unit, measures))
    return EngineTable(
        comparisons[0].reference,
        [one.other for one in comparisons],
        rows,
        [_modes(one) for one in comparisons],
    )


def _modes(one: Comparison) -> str:
    agreement = one.data["mode_agreement"]
    parts = [
        f"{short(str(contact))} {100.0 * float(value):.1f} %"
        for contact, value in zip(agreement["contact"].values, agreement.values, strict=True)
        if np.isfinite(value) and (value < 1.0)
    ]
    if one.first_mode_divergence is None:
        return f"{one.other}: the contact modes are those of {one.reference} at all times."
    return (
        f"{one.other}: the first contact mode that is not that of {one.reference} comes at t = "
        f"{one.first_mode_divergence:.3f} s; the modes are the same at {listed(parts)} of the times."
    )


def difference_figure(section: Section, comparisons: Sequence[Comparison]) -> Picture:
    """Absolute difference of every position from the first run, over time, on logarithmic axes."""
    data = comparisons[0].data
    names = [str(name) for name in data["position"].values][:MOST_PANELS]
    units = [str(unit) for unit in data["position_units"].values]
    order = list(section.runs)
    rows, columns = grid_shape(len(names))

    def paint(axes: npt.NDArray[Any]) -> None:
        for k, name in enumerate(names):
            panel = axes[k // columns, k % columns]
            for one in comparisons:
                apart = np.abs(one.data["dq"].sel(position=name).to_numpy())
                few = thin(apart)
                style = run_style(order.index(one.other)) | {"linewidth": 1.0}
                panel.plot(
                    one.data["time"].to_numpy()[few],
                    np.maximum(apart[few], _SMALLEST),
                    label=one.other,
                    **style,
                )
            panel.set_yscale("log")
            panel.set_ylabel(f"|Δ{name}| [{units[k]}]")
        hide_unused(axes.ravel()[len(names) :])
        finish_time_panels(axes, len(names))

    others = listed(one.other for one in comparisons)
    return draw(
        f"Difference from {comparisons[0].reference}",
        f"Absolute difference of each position between {others} and {comparisons[0].reference} over time, logarithmic.",
        rows,
        columns,
        paint,
        height=1.9,
        note=f"Differences below {number(_SMALLEST)} are drawn as that.",
    )
