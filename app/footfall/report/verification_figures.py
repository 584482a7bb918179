"""Figures of a verified problem: all engines over the exact curve, and errors over the step."""

import textwrap
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from footfall.arrays import Array
from footfall.report.figure import Figure, draw
from footfall.report.panels import TIME, grid_shape, legend_on_top, line, run_style
from footfall.report.wording import listed, number
from footfall.verify.runner import JUDGED, CaseResult, EngineOutcome

_EXACT: dict[str, Any] = {"color": "#b5b5b5", "linewidth": 6.0, "label": "exact"}
_GUIDE: dict[str, Any] = {"color": "#777777", "linewidth": 1.0, "linestyle": (0, (6, 3))}
_LIMIT: dict[str, Any] = {"color": "#777777", "linewidth": 0.8, "linestyle": (0, (1, 2))}
_MARKERS = "osD^v"
_SMALLEST = 1e-17  # an error below this is drawn as this
_EXACT_POINTS = 2001
_TITLE_WIDTH = 38  # characters that fit above a panel


def curve_figure(result: CaseResult) -> Figure:
    """The curve of every engine at the finest step over the exact one."""
    case, curves = result.case, result.curves
    end = max(times[-1] for times, _ in curves.values())
    time = np.linspace(0.0, end, _EXACT_POINTS)
    exact = case.curve.exact(time) if case.curve.exact is not None else None
    shown = _shown_range(result, exact)
    gone = [] if shown is None else [n for n, (_, y) in curves.items() if _leaves(y, shown)]

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        if exact is not None:
            panel.plot(time, exact, **_EXACT)
        for name in curves:
            line(panel, *curves[name], label=name, **run_style(result.engines.index(name)))
        if gone and shown is not None:
            panel.set_ylim(*shown)
        panel.set_xlabel(TIME)
        panel.set_ylabel(case.curve.label)
        legend_on_top(panel)

    names = [*(["the closed form"] if exact is not None else []), *curves]
    alt = f"{case.title}: {case.curve.label} over time, for {listed(names)}."
    note = f"Beyond the edges of the picture: {listed(gone)}." if gone else ""
    title = f"All engines at a step of {number(case.steps[-1], 3)} s"
    return draw(title, alt, (1, 1), plot, note=note, row_height=3.2)


def _shown_range(result: CaseResult, exact: Array | None) -> tuple[float, float] | None:
    """The range of the exact and the judged curve with as much again above and below."""
    own = [exact] if exact is not None else []
    own += [result.curves[JUDGED][1]] if JUDGED in result.curves else []
    if not own:
        return None
    low, high = (float(bound(np.concatenate(own))) for bound in (np.nanmin, np.nanmax))
    return 2.0 * low - high, 2.0 * high - low


def _leaves(values: Array, shown: tuple[float, float]) -> bool:
    low, high = shown
    return high > low and bool((np.nanmin(values) < low) or (np.nanmax(values) > high))


def error_figure(result: CaseResult) -> Figure:
    """Errors over the step, a panel for every quantity, with a guide of the expected order."""

    def plot(axes: npt.NDArray[Any]) -> None:
        panels = axes.ravel()
        for panel, outcome in zip(panels, result.outcomes, strict=False):
            _plot_errors(panel, outcome, result.case.steps, result.engines)
        _, columns = axes.shape
        for index, panel in enumerate(panels):
            panel.set_visible(index < len(result.outcomes))
            if index + columns >= len(result.outcomes):
                panel.set_xlabel("time step [ms]")
                panel.tick_params(labelbottom=True)
        legend_on_top(panels[0])

    names = listed(outcome.check.name for outcome in result.outcomes)
    alt = (
        f"Errors of {names} over the time step, on logarithmic axes, for {listed(result.engines)}."
    )
    note = "Dotted: the tolerance at the finest step."
    if any(outcome.order is not None for outcome in result.outcomes):
        note = f"Dashed: a slope of the expected order. {note}"
    if any((o.errors(name) < _SMALLEST).any() for o in result.outcomes for name in o.values):
        note = f"{note} Errors below {number(_SMALLEST, 2)} are drawn as that."
    shape = grid_shape(len(result.outcomes), 3 if len(result.outcomes) > 4 else 2)
    return draw("Errors over the step", alt, shape, plot, note=note, row_height=2.3)


def _plot_errors(
    panel: Axes, outcome: EngineOutcome, steps: tuple[float, ...], engines: list[str]
) -> None:
    check, order, dt = outcome.check, outcome.expected_order, 1e3 * np.array(steps)
    for index, name in enumerate(engines):
        style = run_style(index) | {"marker": _MARKERS[index % len(_MARKERS)], "markersize": 4.0}
        panel.plot(dt, np.maximum(outcome.errors(name), _SMALLEST), label=name, **style)
    panel.axhline(check.tolerance, **_LIMIT)
    own = outcome.errors(JUDGED)
    if order is not None and np.isfinite(own).all():
        # through the geometric mean of the errors, half a decade below them
        middle = np.exp(np.log(np.maximum(own, _SMALLEST)).mean() - np.log(dt).mean() * order)
        panel.plot(dt, 0.3 * middle * dt**order, **_GUIDE)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xticks(dt, [f"{step:g}" for step in dt])
    panel.xaxis.set_minor_locator(NullLocator())
    low, high = np.log10(panel.get_ylim())
    panel.set_ylim(10.0 ** np.floor(low), 10.0 ** np.ceil(high))  # so that a decade is labelled
    panel.set_title(textwrap.fill(check.name, _TITLE_WIDTH), loc="left", fontsize=9.0)
    panel.set_ylabel("error" if check.unit == "1" else f"error [{check.unit}]")
