"""The short tables that commands print."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from footfall.metrics import text_of

if TYPE_CHECKING:
    from footfall.analysis.context import AnalysisResult
    from footfall.comparison import Difference
    from footfall.registry.claims import Claim
    from footfall.run import Run
    from footfall.scenario.schema import Scenario
    from footfall.verify.runner import CaseResult

_DIGITS = 5
_BROAD, _LEAST = 30, 18  # letters: a value beyond is folded; a meaning below is left out
_DIFFERENCES, _OF_A_UNIT = 20, 3  # rows: all of so many, else so many of each unit
_ASIDE = ("energy_gain", "energy_residual", "max_residual", "median_iterations")
_VERDICTS = {True: "passed", False: "FAILED"}


def console() -> Console:
    """Return what prints, and takes brackets and colons in names as they are."""
    return Console(markup=False, emoji=False)


def metrics_table(title: str, runs: Mapping[str, "Run"]) -> Table:
    """One row a metric, one column a run; of a single run with a word on what it means.

    Numbers about the solver are left out, which the metrics on disk and the report have.
    """
    known = _known(runs)
    names = list(dict.fromkeys(name for run in runs.values() for name in run.metrics))
    shown = [name for name in names if name not in _ASIDE]
    rows = [("status", *(run.trajectory.status.value for run in runs.values()), "", "")]
    for name in shown:
        values = (run.metrics.get(name, math.nan) for run in runs.values())
        unit, meaning = known.get(name, ("", ""))
        texts = (text_of(value, number) for value in values)
        rows.append((name, *texts, "" if unit == "1" else unit, meaning))
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("metric", no_wrap=True)
    for label in runs:
        table.add_column(label, justify="right", overflow="fold")
    table.add_column("unit")
    room = _room(rows) if len(runs) == 1 else 0
    if room:
        table.add_column("meaning", no_wrap=True, style="dim")
    for row in rows:
        table.add_row(*row[:-1], *([_cut(row[-1], room)] if room else []))
    if len(shown) < len(names):
        table.caption = f"besides, in metrics.json: {', '.join(n for n in names if n in _ASIDE)}"
        table.caption_justify = "left"
    return table


def _room(rows: Sequence[Sequence[str]]) -> int:
    """Letters that a screen leaves for a meaning, the last column; 0 where that is too little."""
    columns = list(zip(*rows, strict=True))[:-1]
    taken = sum(min(max(map(len, column)), _BROAD) + 3 for column in columns)
    room = Console().width - taken - 3
    return room if room >= _LEAST else 0


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1].rstrip(' ,;:')}…"


def _known(runs: Mapping[str, "Run"]) -> dict[str, tuple[str, str]]:
    """Unit and meaning of every metric of some runs, in the words of their machine."""
    from footfall.registry.machines import known_metrics
    from footfall.trajectory.observables import observable_meanings

    known = known_metrics()
    for run in runs.values():
        known |= observable_meanings(run.trajectory.data)
    return known


def number(value: float, digits: int = _DIGITS) -> str:
    """A number short enough for a table; a dash for what there is not."""
    return "-" if math.isnan(value) else f"{value:.{digits}g}"


def claims_table(runs: Mapping[str, "Run"]) -> Table | None:
    """Published values beside ours, or None where nothing is claimed."""
    table = Table(title="claims", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("claim", "held to", *runs):
        table.add_column(heading)
    for name in dict.fromkeys(claim.name for run in runs.values() for claim in run.claims):
        ours = [next((c for c in run.claims if c.name == name), None) for run in runs.values()]
        held = dict.fromkeys(held_to(claim) for claim in ours if claim is not None)
        table.add_row(name, " or ".join(held), *(map(_judged, ours)))
    return table if table.row_count else None


def _judged(claim: "Claim | None") -> str:
    """Value of a claim with its verdict; a dash for a run of which it is not made."""
    if claim is None:
        return "-"
    unit = "" if claim.unit == "1" else f" {claim.unit}"
    return f"{number(claim.value, claim.digits(_DIGITS))}{unit} {claim.verdict}"


def held_to(claim: "Claim") -> str:
    """Return the criterion of a claim with its unit."""
    unit = "" if claim.unit == "1" else f" {claim.unit}"
    digits = claim.digits(_DIGITS)

    def text(value: float) -> str:
        return f"{number(value, digits if value == claim.target else _DIGITS)}{unit}"

    return claim.held_to(text)


def differences_table(title: str, rows: Sequence["Difference"]) -> Table:
    """Return a table of the differences between two runs over time, the largest of many."""
    table = Table(title=title, title_justify="left", caption_justify="left")
    for heading in ("quantity", "unit", "largest", "rms", "final"):
        table.add_column(heading, justify="left" if heading in ("quantity", "unit") else "right")
    shown = _largest(rows)
    if len(shown) < len(rows):
        table.caption = (
            f"besides, in the report: {len(rows) - len(shown)} quantities that differ less than "
            f"the {_OF_A_UNIT} of their unit"
        )
    for row in shown:
        table.add_row(
            row.quantity, row.unit, f"{row.maximum:.3g}", f"{row.rms:.3g}", f"{row.final:.3g}"
        )
    return table


def _largest(rows: Sequence["Difference"]) -> list["Difference"]:
    """Return rows that a screen takes, in their order: of each unit those that differ most."""
    if len(rows) <= _DIFFERENCES:
        return list(rows)
    kept = []
    for unit in {row.unit for row in rows}:
        of_unit = [index for index, row in enumerate(rows) if row.unit == unit]
        of_unit.sort(key=lambda index: _size(rows[index]), reverse=True)
        kept += of_unit[:_OF_A_UNIT]
    return [rows[index] for index in sorted(kept)]


def _size(row: "Difference") -> float:
    return math.inf if math.isnan(row.maximum) else row.maximum


def verification_table(result: "CaseResult") -> Table:
    """Every quantity of a case: exact, how far each kind of engine is at its finest step, order."""
    case = result.case
    title = f"{case.name}: {_VERDICTS[result.passed]} (errors at a step of {case.steps[-1]:g} s)"
    table = Table(
        title=title,
        caption="\n".join(result.troubles),
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("quantity")
    for heading in ("exact", "moreau", "order", "Drake's worst"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for outcome in result.outcomes:
        check = outcome.check
        others = [outcome.errors(engine)[-1] for engine in result.engines[1:]]
        unit = "" if check.unit == "1" else f" {check.unit}"
        table.add_row(
            check.name,
            f"{number(check.target)}{unit}",
            _error(outcome.errors(result.engines[0])[-1]),
            "" if outcome.order is None else f"{outcome.order:.2f}",
            _error(max(others)) if others else "",
            _VERDICTS[outcome.passed],
        )
    return table


def _error(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1e}"


def print_result(scenario: "Scenario", result: "AnalysisResult") -> None:
    """Print the metrics and claims of an analysis."""
    from footfall.analysis.context import meanings_of

    known = scenario.analysis.metrics() if scenario.analysis is not None else {}
    known = known | meanings_of(result.data)
    table = Table(title=scenario.name, title_justify="left")
    table.add_column("metric")
    table.add_column("unit")
    table.add_column("value", overflow="fold")
    for name, value in result.metrics.items():
        unit = known.get(name, ("", ""))[0]
        table.add_row(name, "" if unit == "1" else unit, text_of(value, partial(number, digits=6)))
    out = console()
    out.print(table)
    for claim in result.claims:
        out.print(f"{claim.name}, held to {held_to(claim)}: {_judged(claim)}")


def print_runs(title: str, runs: Mapping[str, "Run"]) -> None:
    """Print the metrics and claims of runs, as wide as they need when nobody watches."""
    out = console()
    out.print(metrics_table(title, runs))
    claims = claims_table(runs)
    if claims is not None:
        out.print(claims)
