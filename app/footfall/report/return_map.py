"""Panels of motions that repeat from impact to impact, each run beside what is exact of them."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.report.charts.panel import Panel
from footfall.report.curves import Curve, Level, Line, Part, Plot
from footfall.report.run_view import RunView, RunViews

EXACT: Mapping[str, Any] = {"color": "#c4c4c4", "linewidth": 6.0}
"""Look of what is exact, under the runs."""
FIXED_POINT: Mapping[str, Any] = {
    "color": "black",
    "linestyle": "",
    "marker": "+",
    "markersize": 13.0,
}
_IDENTITY = {"color": "black", "linewidth": 0.8}
_MARKERS = "osD^vP*"
_LEAST_SPAN = 0.02  # of a value: what is nearer than this is one point to the eye

Values = Callable[[Any], Any]


def dots(runs: RunViews[Any], of: Values) -> list[Curve]:
    """Values of every run as marks of its own, hollow, so that runs on each other are seen."""

    def look(run: RunView) -> dict[str, Any]:
        size = 7.0 - min(run.index, 4)
        return {"linestyle": "", "markersize": size, "markerfacecolor": "none", **_marker(run)}

    return [Curve(of, runs=[run], look=look(run)) for run in runs.runs]


def by_step(
    runs: RunViews[Any], label: str, of: Values, exact: float = math.nan, across: str = "step"
) -> Plot:
    """Values (steps,) of every run, step by step; exact: what they are of the exact motion."""

    def steps(run: RunView) -> tuple[Array, Array]:
        values: Array = of(run)
        return np.arange(1.0, len(values) + 1.0), values

    looks = ({"markersize": 4.0, "linewidth": 1.0, **_marker(run)} for run in runs.runs)
    lines = [
        Curve(steps, runs=[run], look=look) for run, look in zip(runs.runs, looks, strict=True)
    ]
    known = [exact, *(value for run in runs.runs for value in of(run)[:1])]
    sizes = [abs(value) for value in known if math.isfinite(value)]
    level = [Level(exact, "exact cycle", look=EXACT)] if math.isfinite(exact) else []
    least = _LEAST_SPAN * max(sizes, default=0.0)
    return Plot(label, [*level, *lines], across=across, least=least)


def return_map(
    runs: RunViews[Any],
    name: str,
    unit: str,
    of: Values,
    exact: float = math.nan,
    *,
    law: Callable[[Array], Array] | None = None,
    impact: str = "strike",
    least: float = _LEAST_SPAN,
) -> Plot:
    """Values (impacts,) of every run at one impact against those at the next.

    exact: the fixed point. law: the exact map, over an array of values. least: of the values, that
    the axes show.
    """
    ends = roomy(np.array([exact, *(value for run in runs.runs for value in of(run))]), least)
    parts: list[Part] = [Line(ends, law(np.array(ends)), "exact map", EXACT)] if law else []
    parts.append(Line(ends, ends, "identity", _IDENTITY))
    if math.isfinite(exact):
        parts.append(Line([exact], [exact], "exact fixed point", FIXED_POINT))
    parts += dots(runs, lambda run: (of(run)[:-1], of(run)[1:]))

    def square(panel: Panel) -> None:
        panel.set(xlim=ends, ylim=ends)

    label, across = (f"{name}, {impact} {k} [{unit}]" for k in ("k + 1", "k"))
    return Plot(label, [*parts, square], across=across, equal=True)


def roomy(values: Array, least: float = _LEAST_SPAN) -> tuple[float, float]:
    """Ends of an axis for values that may all be one to rounding; NaN counts as none."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    middle = 0.5 * (low + high)
    half = max(0.6 * (high - low), 0.5 * least * abs(middle), 1e-12)
    return middle - half, middle + half


def _marker(run: RunView) -> dict[str, Any]:
    return {"marker": _MARKERS[run.index % len(_MARKERS)]}
