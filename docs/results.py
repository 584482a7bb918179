"""Tables of metrics and claims in pages: what pages ask for, and what is stored of it.

A page asks for a table of metrics, a run a line or a metric a line, whichever is narrower, and for
a table of all claims, by

    ```{results} motor/step motor/dc_line
    :engines: moreau drake
    :metrics: speed_error angle_error
    :digits: 2
    ```

    ```{claims} motor/*
    ```

Scenarios are names or patterns; without engines each has its own. The numbers are those of
docs/results/MACHINE.json, which scripts/page_results.py makes of runs and a test holds to them: to
a millionth, or to the digits that are asked for where a run depends on the processor.
"""

import fnmatch
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from footfall.metrics import Metric, from_json, text_of
from footfall.registry.claims import Claim
from footfall.registry.machines import known_metrics
from footfall.report.tables import claim_rows, number
from footfall.scenario.io import load_scenario
from footfall.scenario.names import scenario_names

DOCS = Path(__file__).resolve().parent
STORE = DOCS / "results"
ANALYSIS = "analysis"
"""Stands for the engine of a scenario that asks for an analysis."""
ROUNDING = 1e-9
"""Results of smaller size are rounding: pages say no more of them."""
_DIRECTIVE = re.compile(r"^```\{(?:results|claims)\} (.+)\n((?::.*\n)*)", flags=re.MULTILINE)
_OPTION = re.compile(r"^:(\w+): (.+)$", flags=re.MULTILINE)


@dataclass(frozen=True)
class Request:
    """Runs that a page asks for, by patterns of scenarios and engines; names of their metrics."""

    patterns: tuple[str, ...]
    engines: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    digits: int | None = None

    @classmethod
    def of(cls, argument: str, options: Mapping[str, str]) -> "Request":
        """Read the argument and the options of a directive."""
        engines, metrics = (tuple(options.get(key, "").split()) for key in ("engines", "metrics"))
        digits = int(options["digits"]) if "digits" in options else None
        return cls(tuple(argument.split()), engines, metrics, digits)

    def runs(self) -> list[tuple[str, str]]:
        """Scenario and engine of each run; raises ValueError for a pattern that names none."""
        found: list[tuple[str, str]] = []
        for pattern in self.patterns:
            names = fnmatch.filter(scenario_names(), pattern)
            if not names:
                raise ValueError(f"there is no scenario {pattern}")
            found += [(name, engine) for name in names for engine in self._engines(name)]
        return list(dict.fromkeys(found))

    def _engines(self, name: str) -> tuple[str, ...]:
        scenario = load_scenario(name)
        own = scenario.engine if scenario.analysis is None else ANALYSIS
        return self.engines or (own,)


def requests() -> Iterator[Request]:
    """Everything that the pages ask for."""
    for page in sorted(DOCS.glob("*/*.md")):
        for argument, options in _DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            yield Request.of(argument, dict(_OPTION.findall(options)))


@cache
def stored(head: str) -> dict[str, dict[str, Any]]:
    """Stored runs of all scenarios HEAD/..., by scenario and engine."""
    path = STORE / f"{head}.json"
    found: dict[str, dict[str, Any]] = (
        json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    )
    return found


def run_of(name: str, engine: str) -> dict[str, Any]:
    """Metrics and claims of a run as they are stored; raises ValueError where they are not."""
    try:
        run: dict[str, Any] = stored(name.partition("/")[0])[name][engine]
    except KeyError:
        raise ValueError(
            f"{name} in {engine} is not stored: run python scripts/page_results.py '{name}'"
        ) from None
    return run


def results_table(request: Request) -> str:
    """Metrics of runs as a Markdown table."""
    runs = request.runs()
    digits = request.digits or 4
    columns = [
        [_text(name, engine, each, digits) for each in request.metrics] for name, engine in runs
    ]
    headings = _labels(runs)
    known = _known(runs)
    named = [_heading(each, known) for each in request.metrics]
    if len(runs) > len(request.metrics):
        rows = [[label, *cells] for label, cells in zip(headings, columns, strict=True)]
        return _table(["", *named], rows)
    rows = [[name, *cells] for name, cells in zip(named, zip(*columns, strict=True), strict=True)]
    return _table(["", *headings], rows)


def claims_table(request: Request) -> str:
    """Claims about runs as a Markdown table, and below it why those differ that do."""
    runs = request.runs()
    claims = {
        label: [_rounded(Claim(**claim)) for claim in run_of(name, engine)["claims"]]
        for label, (name, engine) in zip(_labels(runs), runs, strict=True)
    }
    rows = claim_rows(claims)
    before = ["", *(row.claim for row in rows)]
    texts = [
        [
            row.claim if row.claim != last else "",
            row.run,
            row.published,
            row.criterion,
            row.value,
            f"*{row.verdict}*",
        ]
        for last, row in zip(before, rows, strict=False)
    ]
    headings = ["what is said", "run", "published", "held to", "here", "verdict"]
    reasons = dict.fromkeys((row.claim, row.reason) for row in rows if row.verdict == "differs")
    why = "".join(f"- {claim}: {reason}.\n" for claim, reason in reasons)
    return _table(headings, texts) + (f"\n\nWhy those differ that do:\n\n{why}" if why else "")


def _rounded(claim: Claim) -> Claim:
    """The claim with 0 for a value that is 0 up to rounding."""
    return replace(claim, value=0.0) if abs(claim.value) < ROUNDING else claim


def _text(name: str, engine: str, metric: str, digits: int) -> str:
    metrics = run_of(name, engine)["metrics"]
    if metric not in metrics:
        raise ValueError(f"{name} in {engine} has no {metric} stored: run scripts/page_results.py")
    value: Metric = from_json(metrics[metric])
    return text_of(value, lambda each: _number(each, digits))


def _number(value: float, digits: int) -> str:
    return f"below {number(ROUNDING, 2)}" if 0.0 < abs(value) < ROUNDING else number(value, digits)


def _known(runs: list[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Unit and meaning of every metric that the runs may have."""
    known = dict(known_metrics())
    for name, engine in runs:
        if engine == ANALYSIS:
            analysis: Any = load_scenario(name).analysis
            known |= analysis.metrics()
    return known


def _heading(metric: str, known: Mapping[str, tuple[str, str]]) -> str:
    unit, _ = known.get(metric, ("", ""))
    name = metric.replace("_", " ")
    return name if unit in {"", "1"} else f"{name} [{unit}]"


def _labels(runs: list[tuple[str, str]]) -> list[str]:
    """Tell runs apart, by scenario and engine as far as these differ."""
    names = {name for name, _ in runs}
    alike = len({name.partition("/")[0] for name in names}) == 1  # a page is of one machine
    short = {name: name.partition("/")[2] if alike else name for name in names}
    if len(names) == 1 and len(runs) > 1:
        return [f"`{engine}`" for _, engine in runs]
    if len(runs) == len(names):
        return [f"`{short[name]}`" for name, _ in runs]
    return [f"`{short[name]}`, `{engine}`" for name, engine in runs]


def _table(headings: list[str], rows: list[list[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
