"""The page of a verification: every problem with its closed form, all engines, and the verdict."""

import math
import re
import shlex
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup, escape  # comes with jinja2

from footfall.arrays import Array
from footfall.files import write_text
from footfall.provenance import Provenance
from footfall.report.charts.panel import Panel
from footfall.report.curves import Level, Line, Part, Plot, curves
from footfall.report.figure import Figure
from footfall.report.panels import run_style
from footfall.report.tables import NONE, listed, number, provenance_rows
from footfall.report.template import render
from footfall.verify.runner import JUDGED, ORDER_SLACK, CaseResult, EngineOutcome

_EXACT: dict[str, Any] = {"color": "#b5b5b5", "linewidth": 6.0}
_GUIDE: dict[str, Any] = {"color": "#777777", "linewidth": 1.0, "linestyle": (0, (6, 3))}
_LIMIT: dict[str, Any] = {"color": "#777777", "linewidth": 0.8, "linestyle": (0, (1, 2))}
_MARKERS = "osD^v"
_SMALLEST = 1e-17  # an error below this is drawn as this
_EXACT_POINTS = 2001
_TITLE_WIDTH = 38  # characters that fit above a panel


def curve_figure(result: CaseResult) -> Figure:
    """The curve of every engine at the finest step over the exact one."""
    case, shown = result.case, result.curves
    time = np.linspace(0.0, max(times[-1] for times, _ in shown.values()), _EXACT_POINTS)
    exact = case.curve.exact(time)
    ends = _shown_range(result, exact)
    gone = [name for name, (_, y) in shown.items() if _leaves(y, ends)]
    low, high = ends if gone else (None, None)
    parts = [Line(time, exact, "exact", _EXACT)]
    parts += [Line(*shown[name], name, run_style(result.engines.index(name))) for name in shown]
    plot = Plot(case.curve.label, parts, low=low, high=high)
    names = ["the closed form", *shown]
    alt = f"{case.title}: {case.curve.label} over time, for {listed(names)}."
    note = f"Beyond the edges of the picture: {listed(gone)}." if gone else ""
    title = f"All engines at a step of {number(case.steps[-1], 3)} s"
    return curves(None, title, [plot], alt=alt, note=note, row_height=3.2)


def _shown_range(result: CaseResult, exact: Array) -> tuple[float, float]:
    """The range of the exact and the judged curve with as much again above and below."""
    own = [exact, *([result.curves[JUDGED][1]] if JUDGED in result.curves else [])]
    low, high = (float(bound(np.concatenate(own))) for bound in (np.nanmin, np.nanmax))
    return 2.0 * low - high, 2.0 * high - low


def _leaves(values: Array, shown: tuple[float, float]) -> bool:
    low, high = shown
    return high > low and bool((np.nanmin(values) < low) or (np.nanmax(values) > high))


def error_figure(result: CaseResult) -> Figure:
    """Errors over the step, a panel for every quantity, with a guide of the expected order."""
    steps = 1e3 * np.array(result.case.steps)
    plots = [_error_plot(outcome, steps, result.engines) for outcome in result.outcomes]
    names = listed(outcome.check.name for outcome in result.outcomes)
    alt = (
        f"Errors of {names} over the time step, on logarithmic axes, for {listed(result.engines)}."
    )
    note = "Dotted: the tolerance at the finest step."
    if any(outcome.order is not None for outcome in result.outcomes):
        note = f"Dashed: a slope of the expected order. {note}"
    if any((o.errors(name) < _SMALLEST).any() for o in result.outcomes for name in o.values):
        note = f"{note} Errors below {number(_SMALLEST, 2)} are drawn as that."
    columns, title = 3 if len(plots) > 4 else 2, "Errors over the step"
    return curves(None, title, plots, alt=alt, note=note, columns=columns, row_height=2.3)


def _error_plot(outcome: EngineOutcome, steps: Array, engines: Sequence[str]) -> Plot:
    """A panel of a quantity over the steps of time (n,) [ms]."""
    check, order = outcome.check, outcome.expected_order
    parts: list[Part] = [Level(check.tolerance, look=_LIMIT)]
    for index, name in enumerate(engines):
        look = run_style(index) | {"marker": _MARKERS[index % len(_MARKERS)], "markersize": 4.0}
        parts.append(Line(steps, np.maximum(outcome.errors(name), _SMALLEST), name, look))
    own = outcome.errors(JUDGED)
    if order is not None and np.isfinite(own).all():
        # through the geometric mean of the errors, half a decade below them
        middle = np.exp(np.log(np.maximum(own, _SMALLEST)).mean() - np.log(steps).mean() * order)
        parts.append(Line(steps, 0.3 * middle * steps**order, look=_GUIDE))

    def label_decades(panel: Panel) -> None:
        panel.set_xticks(steps, [f"{step:g}" for step in steps])
        low, high = np.log10(panel.get_ylim())
        panel.set_ylim(10.0 ** np.floor(low), 10.0 ** np.ceil(high))

    return Plot(
        "error" if check.unit == "1" else f"error [{check.unit}]",
        [*parts, label_decades],
        title=textwrap.fill(check.name, _TITLE_WIDTH),
        across="time step [ms]",
        log=True,
        log_across=True,
    )


_DIGITS = 6
_VERDICTS = {True: "passed", False: "failed"}
_DRAKE_DIGITS = 4


def write_verification(results: Sequence[CaseResult], provenance: Provenance, path: Path) -> None:
    """Write the page, one HTML file that needs nothing else; raises RunError when it cannot."""
    page = render(
        "verification.html.j2",
        title="Verification against closed forms",
        problems=[_problem_section(result) for result in results],
        passed=sum(result.passed for result in results),
        quantities=sum(len(result.outcomes) for result in results),
        slack=number(ORDER_SLACK),
        provenance=provenance_rows(provenance),
    )
    write_text(path, page)


def _problem_section(result: CaseResult) -> dict[str, Any]:
    """One problem as the template wants it."""
    case = result.case
    finest = f"{case.steps[-1]:g}"
    settings = [*case.settings, f"time_step={finest}"]
    options = " ".join(f"--set {shlex.quote(setting)}" for setting in settings)
    commands = [f"footfall verify {case.name}", f"footfall run {case.scenario} {options}"]
    if case.drake:
        engines = ",".join((JUDGED, *case.drake))
        commands.append(f"footfall compare {case.scenario} --engines {engines} {options}")
    drake, worst = _worst(result)
    return {
        "case": case,
        "statement": _formula(case.statement),
        "verdict": _VERDICTS[result.passed],
        "passed": f"{sum(o.passed for o in result.outcomes)} of {len(result.outcomes)}",
        "share": _largest_share(result),
        "drake": drake,
        "worst": worst,
        "note": _formula(case.drake_note),
        "rows": [_row(outcome, result.engines[1:]) for outcome in result.outcomes],
        "others": result.engines[1:],
        "figures": [*([curve_figure(result)] if result.curves else []), error_figure(result)],
        "failures": result.troubles,
        "steps": ", ".join(f"{step:g}" for step in case.steps),
        "finest": finest,
        "commands": commands,
    }


def _row(outcome: EngineOutcome, others: Sequence[str]) -> dict[str, Any]:
    """A quantity in the tables of its problem; ``others``: (value, error) of Drake's engines."""
    check = outcome.check
    return {
        "name": check.name if check.unit == "1" else f"{check.name} [{check.unit}]",
        "exact": number(check.target, _DIGITS),
        "value": number(check.value, _DIGITS),
        "error": number(outcome.errors(JUDGED)[-1], 3),
        "tolerance": number(check.tolerance, 2),
        "order": _order(outcome),
        "ordered": outcome.order is not None,
        "verdict": _VERDICTS[outcome.passed],
        "reason": _formula(check.reason),
        "others": [
            (number(outcome.values[name][-1], _DRAKE_DIGITS), number(outcome.errors(name)[-1], 2))
            for name in others
        ],
    }


def _order(outcome: EngineOutcome) -> str:
    if outcome.order is None or outcome.expected_order is None:
        return NONE
    observed = f"{outcome.order:.2f}" if math.isfinite(outcome.order) else NONE
    return f"{observed} ({number(outcome.expected_order)})"


def _largest_share(result: CaseResult) -> str:
    """The largest share that an error of the judged engine takes of its tolerance."""
    shares = [o.errors(JUDGED)[-1] / o.check.tolerance for o in result.outcomes]
    largest = float(np.max(shares))  # NaN where one is
    return f"{number(largest, 2)}"


def _worst(result: CaseResult) -> tuple[str, str]:
    """The largest error of Drake's engines in the first quantity, and the engine that has it."""
    first, others = result.outcomes[0], result.engines[1:]
    errors = {name: float(first.errors(name)[-1]) for name in others}
    missing = [name for name, error in errors.items() if math.isnan(error)]
    if missing or not errors:
        return NONE, "" if len(missing) == len(errors) else listed(missing)
    worst = max(errors, key=lambda name: errors[name])
    return number(errors[worst], 2), worst


def _formula(text: str) -> Markup:
    """A text with its exponents and indices, x^(k+1) and t_(k+1), raised and lowered."""
    raised = re.sub(r"\^\(([^()]*)\)", r"<sup>\1</sup>", str(escape(text)))
    return Markup(re.sub(r"_\(([^()]*)\)", r"<sub>\1</sub>", raised))  # noqa: S704 (escaped above)
