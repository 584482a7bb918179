"""The short tables that commands print: results first, whole numbers on any screen."""

import math
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from footfall.metrics import (
    ABOUT_SOLVER,
    Metric,
    common_unit,
    lines_of,
    most_telling,
    short,
    text_of,
)

if TYPE_CHECKING:
    from footfall.analysis.context import AnalysisResult
    from footfall.comparison import Difference
    from footfall.registry.claims import Claim
    from footfall.run import Run
    from footfall.scenario.schema import Scenario
    from footfall.verify.runner import CaseResult

_DIGITS = 5
_FOUND_DIGITS = 6  # of metrics that searches are good for
_UNWATCHED = 10_000  # letters of a line that no screen limits
_LEAST = 18  # letters: a column of words has so many; a meaning below is left out
_BESIDES = 45  # letters of a table of metrics beside its values
_DIFFERENCES, _OF_A_UNIT = 20, 3  # rows: all of so many, else so many of each unit
_VERDICTS = {True: "passed", False: "FAILED"}


def console() -> Console:
    """Return what prints, and takes brackets and colons in names as they are.

    It is as wide as the screen, or as it needs where nobody watches.
    """
    out = Console(markup=False, emoji=False, highlight=False)
    if "COLUMNS" not in os.environ and not any(map(os.isatty, range(3))):
        out.width = _UNWATCHED
    return out


def print_table(
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    note: str = "",
    *,
    right: Collection[int] = (),
    repeated: Collection[int] = (0,),
) -> None:
    """Print a table; columns for which the screen is too narrow follow below.

    right: columns of numbers, at the right, whose lines are not broken; those of words are between
    words. repeated: columns that stand in every part.
    """
    out = console()
    out.print(title)
    columns = list(zip(headings, *rows, strict=True))
    least = [_least(cells, whole=k in right) for k, cells in enumerate(columns)]
    for shown in _parts(least, repeated, out.width):
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for k in shown:
            whole = k in right
            table.add_column(
                headings[k],
                justify="right" if whole else "left",
                no_wrap=whole,
                min_width=least[k],
                overflow="fold",
            )
        for row in rows:
            table.add_row(*(row[k] for k in shown))
        # what is broader than any screen is for the terminal to break: nothing is cut
        out.print(table, width=max(out.width, _width(least, shown)), crop=False)
    if note:
        out.print(note)


def _least(cells: Sequence[str], *, whole: bool) -> int:
    """Letters that a column takes at least: its lines, or of words the longest."""
    lines = max(len(line) for cell in cells for line in cell.split("\n"))
    words = max((len(word) for cell in cells for word in cell.split()), default=0)
    return lines if whole else min(lines, max(words, _LEAST))


def _width(least: Sequence[int], shown: Sequence[int]) -> int:
    return sum(least[k] + 3 for k in shown)


def _parts(least: Sequence[int], repeated: Collection[int], width: int) -> Iterator[list[int]]:
    """Give the columns of each part of a table, as many as a width takes and one at least."""
    part = list(repeated)
    for k in range(len(least)):
        if k in repeated:
            continue
        if len(part) > len(repeated) and _width(least, [*part, k]) > width:
            yield sorted(part)
            part = list(repeated)
        part.append(k)
    yield sorted(part)


def print_metrics(
    title: str,
    metrics: Mapping[str, Mapping[str, Metric]],
    known: Mapping[str, tuple[str, str]],
    first: Sequence[Sequence[str]] = (),
    digits: int = _DIGITS,
) -> None:
    """Print a row a metric, a column a run (by its name); of one run with what metrics mean.

    Numbers about the run come last, and numbers about the solver not at all, which the metrics on
    disk and the report have. first: rows before them.
    """
    names = list(dict.fromkeys(name for those in metrics.values() for name in those))
    width, write = console().width, partial(short, digits=digits)
    room = max(_LEAST, (width - _BESIDES) // len(metrics))
    rows = list(first)
    for name in most_telling(name for name in names if name not in ABOUT_SOLVER):
        unit, meaning = known.get(name, ("", ""))
        values = [those.get(name, math.nan) for those in metrics.values()]
        shared = max((common_unit(value, unit) for value in values), key=len).removeprefix("1")
        rows.append((name, *(_cell(value, write, unit, room) for value in values), shared, meaning))
    headings = ("metric", *metrics, "unit", "meaning")
    columns = list(zip(headings, *rows, strict=True))
    meanings = width - sum(_least(column, whole=True) + 3 for column in columns[:-1]) - 3
    shown = len(headings) if len(metrics) == 1 and meanings >= _LEAST else len(headings) - 1
    rows = [(*row[:-1], _cut(row[-1], meanings))[:shown] for row in rows]
    aside = [name for name in names if name in ABOUT_SOLVER]
    note = f"besides, in metrics.json: {', '.join(aside)}" if aside else ""
    runs = range(1, len(metrics) + 1)
    repeated = [k for k in range(shown) if k not in runs]
    print_table(title, headings[:shown], rows, note, right=runs, repeated=repeated)


def _cell(value: Metric, write: Callable[[float], str], unit: str, room: int) -> str:
    """Return a metric on one line where there is room, else with a number a line."""
    text = text_of(value, write, unit)
    return text if len(text) <= room else "\n".join(lines_of(value, write, unit))


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1].rstrip(' ,;:')}…"


def print_claims(claims: Mapping[str, Sequence["Claim"]]) -> None:
    """Print published values beside ours, by the name of the run, where something is claimed."""
    rows = []
    for name in dict.fromkeys(claim.name for those in claims.values() for claim in those):
        ours = [next((c for c in those if c.name == name), None) for those in claims.values()]
        held = dict.fromkeys(held_to(claim) for claim in ours if claim is not None)
        rows.append((name, " or ".join(held), *(map(_judged, ours))))
    if rows:
        print_table("claims", ("claim", "held to", *claims), rows, repeated=(0, 1))


def _judged(claim: "Claim | None") -> str:
    """Value of a claim with its verdict; a dash for a run of which it is not made."""
    if claim is None:
        return "-"
    unit = "" if claim.unit == "1" else f" {claim.unit}"
    return f"{short(claim.value, claim.digits(_DIGITS))}{unit} {claim.verdict}"


def held_to(claim: "Claim") -> str:
    """Return the criterion of a claim with its unit."""
    unit = "" if claim.unit == "1" else f" {claim.unit}"
    digits = claim.digits(_DIGITS)

    def text(value: float) -> str:
        return f"{short(value, digits if value == claim.target else _DIGITS)}{unit}"

    return claim.held_to(text)


def print_differences(title: str, rows: Sequence["Difference"]) -> None:
    """Print the differences between two runs over time, the largest of many."""
    shown = _largest(rows)
    note = f"besides, in the report: {len(rows) - len(shown)} quantities that differ less than the"
    cells = [
        (row.quantity, f"{row.maximum:.3g}", f"{row.rms:.3g}", f"{row.final:.3g}", row.unit)
        for row in shown
    ]
    print_table(
        title,
        ("quantity", "largest", "rms", "final", "unit"),
        cells,
        f"{note} {_OF_A_UNIT} of their unit" if len(shown) < len(rows) else "",
        right=range(1, 4),
    )


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


def print_verification(result: "CaseResult") -> None:
    """Print a case: its exact values, errors of each kind of engine at the finest step, orders."""
    case = result.case
    rows = []
    for outcome in result.outcomes:
        check = outcome.check
        others = [outcome.errors(engine)[-1] for engine in result.engines[1:]]
        exact = f"{short(check.target)} {check.unit.removeprefix('1')}".rstrip()
        order = "" if outcome.order is None else f"{outcome.order:.2f}"
        errors = outcome.errors(result.engines[0])[-1], max(others, default=math.nan)
        own, worst = ("-" if math.isnan(error) else f"{error:.1e}" for error in errors)
        rows.append((check.name, exact, own, order, worst, _VERDICTS[outcome.passed]))
    title = f"{case.name}: {_VERDICTS[result.passed]} (errors at a step of {case.steps[-1]:g} s)"
    headings = ("quantity", "exact", "moreau", "order", "Drake's worst", "verdict")
    print_table(title, headings, rows, "\n".join(result.troubles), right=range(1, 5))


def print_result(scenario: "Scenario", result: "AnalysisResult") -> None:
    """Print the claims of an analysis, what it found, and its metrics."""
    from footfall.analysis.context import meanings_of
    from footfall.report import answers_of

    print_claims({"value": result.claims})
    for table in answers_of(scenario.analysis, result.data):
        right = [k for k, kind in enumerate(table.aligned) if kind]
        print_table(table.title, table.headings, table.rows, table.note, right=right)
    known = scenario.analysis.metrics() if scenario.analysis is not None else {}
    known = known | meanings_of(result.data)
    print_metrics(scenario.name, {"value": result.metrics}, known, digits=_FOUND_DIGITS)


def print_runs(title: str, scenario: "Scenario", runs: Mapping[str, "Run"]) -> None:
    """Print what runs of a scenario came to, in words, by claims and by metrics."""
    from footfall.registry.machines import known_metrics
    from footfall.report import Section
    from footfall.report.summary import summary_of

    out = console()
    out.print(title)
    for name, story in summary_of(Section(title, scenario, runs)):
        out.print(f"{name}: {story}")
    print_claims({name: run.claims for name, run in runs.items()})
    datas = (run.trajectory.data for run in runs.values())
    status = ("status", *(run.trajectory.status.value for run in runs.values()), "", "")
    metrics = {name: run.metrics for name, run in runs.items()}
    print_metrics("metrics", metrics, known_metrics(scenario.machine, *datas), [status])
