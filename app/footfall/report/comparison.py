"""Engine against engine: how far the other runs of a scenario are from the first."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.comparison import Comparison, compare_all
from footfall.report.contact_figures import short
from footfall.report.curves import Curve, Plot, curves
from footfall.report.figure import Figure
from footfall.report.run_view import RunView, RunViews
from footfall.report.section import Section
from footfall.report.tables import listed, nearly_all, number

_SMALLEST = 1e-16  # a difference below this is drawn as this


def compare_runs(section: Section) -> list[Comparison]:
    """Hold every other run against the first; nothing for a single run."""
    if len(section.runs) < 2:
        return []
    return list(compare_all({name: run.trajectory for name, run in section.runs.items()}))


def engine_table(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """Tabulate the quantities that all comparisons have, and where the contact modes part.

    Of a row: quantity, unit, and (largest, rms, final) for every other run.
    """
    tables = [{row.quantity: row for row in one.rows} for one in comparisons]
    rows = []
    for row in comparisons[0].rows:
        differences = [table[row.quantity] for table in tables if row.quantity in table]
        if len(differences) == len(tables):
            measures = [
                (number(d.maximum, 3), number(d.rms, 3), number(d.final, 3)) for d in differences
            ]
            rows.append({"quantity": row.quantity, "unit": row.unit, "measures": measures})
    others = [one.other for one in comparisons]
    modes = [_modes(one) for one in comparisons]
    return {"reference": comparisons[0].reference, "others": others, "rows": rows, "modes": modes}


def _modes(one: Comparison) -> str:
    """Times at which contact modes differ, and how often, in words; by foot where runs tell."""
    by_foot = one.data.sizes.get("foot", 0) > 0
    of, dim = ("gait", "foot") if by_foot else ("mode", "contact")
    agreement = one.data[f"{of}_agreement"]
    names = [str(name) if by_foot else short(str(name)) for name in agreement[dim].values]
    shares = zip(names, agreement.values.tolist(), strict=True)
    parts = [f"{name} {nearly_all(share)}" for name, share in shares if share < 1.0]
    if not parts:
        if by_foot:
            return f"{one.other}: the feet are in contact when those of {one.reference} are."
        return f"{one.other}: the contact modes are those of {one.reference} at all times."
    first = float(np.nanmin(one.data[f"{of}_divergence"].values))
    what, agree = ("contact of a foot", "contacts") if by_foot else ("contact mode", "modes")
    return (
        f"{one.other}: the first {what} that is not that of {one.reference} comes at t = "
        f"{first:.3f} s; {agree} agree at {listed(parts)} of the times."
    )


def difference_figure(runs: RunViews[Any], comparisons: Sequence[Comparison]) -> Figure:
    """Distance of every position from the first run, over time, on logarithmic axes."""
    data, apart = comparisons[0].data, {one.other: one.data for one in comparisons}

    def of(position: str, run: RunView) -> tuple[Array, Array]:
        own = np.abs(apart[run.name]["dq"].sel(position=position).to_numpy())
        return apart[run.name]["time"].to_numpy(), np.maximum(own, _SMALLEST)

    others = [run for run in runs.runs if run.name in apart]
    names, units = data["position"].values.tolist(), data["position_units"].values.tolist()
    plots = [
        Plot(
            f"|Δ{name}| [{unit}]",
            [Curve(partial(of, name), runs=others, look={"linewidth": 1.0})],
            log=True,
        )
        for name, unit in zip(names, units, strict=True)
    ]
    note = f"Differences below {number(_SMALLEST, 2)} are drawn as that."
    title = f"Difference from {comparisons[0].reference}"
    return curves(runs, title, plots, note=note, columns=2)
