"""The page of a verification: every problem with its closed form, all engines, and the verdict."""

import math
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from markupsafe import Markup, escape  # comes with jinja2

from footfall.files import write_text
from footfall.provenance import Provenance
from footfall.report.figure import Figure
from footfall.report.tables import provenance_rows
from footfall.report.template import render
from footfall.report.verification_figures import curve_figure, error_figure
from footfall.report.wording import NONE, listed, number
from footfall.verify.runner import JUDGED, ORDER_SLACK, CaseResult, EngineOutcome

_DIGITS = 6
_DRAKE_DIGITS = 4


@dataclass(frozen=True)
class QuantityRow:
    """A quantity in the tables of its problem; ``others``: (value, error) of Drake's engines."""

    name: str
    exact: str
    value: str
    error: str
    tolerance: str
    order: str
    ordered: bool
    verdict: str
    reason: Markup
    others: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class ProblemSection:
    """One problem as the template wants it."""

    name: str
    title: str
    statement: Markup
    source: str
    verdict: str
    passed: str
    share: str
    drake: str
    worst: str
    note: Markup
    rows: Sequence[QuantityRow]
    others: Sequence[str]
    figures: Sequence[Figure]
    failures: Sequence[str]
    steps: str
    finest: str
    settings: Sequence[str]
    commands: Sequence[str]


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


def _problem_section(result: CaseResult) -> ProblemSection:
    case = result.case
    finest = f"{case.steps[-1]:g}"
    settings = [*case.settings, f"time_step={finest}"]
    options = " ".join(f"--set {shlex.quote(setting)}" for setting in settings)
    commands = [f"footfall verify {case.name}", f"footfall run {case.scenario} {options}"]
    if case.drake:
        engines = ",".join((JUDGED, *case.drake))
        commands.append(f"footfall compare {case.scenario} --engines {engines} {options}")
    drake, worst = _worst(result)
    return ProblemSection(
        name=case.name,
        title=case.title,
        statement=_formula(case.statement),
        source=case.source,
        verdict=_verdict(passed=result.passed),
        passed=f"{sum(o.passed for o in result.outcomes)} of {len(result.outcomes)}",
        share=_largest_share(result),
        drake=drake,
        worst=worst,
        note=_formula(case.drake_note),
        rows=[_row(outcome, result.engines[1:]) for outcome in result.outcomes],
        others=result.engines[1:],
        figures=[*([curve_figure(result)] if result.curves else []), error_figure(result)],
        failures=result.troubles,
        steps=", ".join(f"{step:g}" for step in case.steps),
        finest=finest,
        settings=case.settings,
        commands=commands,
    )


def _row(outcome: EngineOutcome, others: Sequence[str]) -> QuantityRow:
    check = outcome.check
    return QuantityRow(
        name=check.name if check.unit == "1" else f"{check.name} [{check.unit}]",
        exact=number(check.target, _DIGITS),
        value=number(check.value, _DIGITS),
        error=number(outcome.errors(JUDGED)[-1], 3),
        tolerance=number(check.tolerance, 2),
        order=_order(outcome),
        ordered=outcome.order is not None,
        verdict=_verdict(passed=outcome.passed),
        reason=_formula(check.reason),
        others=[
            (number(outcome.values[name][-1], _DRAKE_DIGITS), number(outcome.errors(name)[-1], 2))
            for name in others
        ],
    )


def _verdict(*, passed: bool) -> str:
    return "passed" if passed else "failed"


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
