"""The numbers of a verification as JSON, for other programs and for later."""

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from footfall.files import write_text
from footfall.provenance import Provenance
from footfall.verify.runner import CaseResult, EngineOutcome


def write_record(results: Sequence[CaseResult], provenance: Provenance, path: Path) -> None:
    """Write what ``record`` makes; raises RunError when the file cannot be written."""
    text = json.dumps(record(results, provenance), indent=2, allow_nan=False, ensure_ascii=False)
    write_text(path, text + "\n")


def record(results: Sequence[CaseResult], provenance: Provenance) -> dict[str, Any]:
    """All numbers of the results as plain values; null for what an engine's run does not have."""
    return {"provenance": provenance.to_dict(), "cases": [_case(result) for result in results]}


def _case(result: CaseResult) -> dict[str, Any]:
    case = result.case
    return {
        "name": case.name,
        "title": case.title,
        "source": case.source,
        "scenario": case.scenario,
        "settings": list(case.settings),
        "steps": list(case.steps),
        "passed": result.passed,
        "wall_time": result.wall_time,
        "failures": dict(result.failures),
        "quantities": [_quantity(outcome) for outcome in result.outcomes],
    }


def _quantity(outcome: EngineOutcome) -> dict[str, Any]:
    quantity = outcome.quantity
    return {
        "name": quantity.name,
        "unit": quantity.unit,
        "exact": quantity.exact,
        "tolerance": quantity.tolerance,
        "reason": quantity.reason,
        "passed": outcome.passed,
        "expected_order": quantity.order,
        "observed_order": None if outcome.order is None else _plain([outcome.order])[0],
        "values": {name: _plain(values) for name, values in outcome.values.items()},
        "errors": {name: _plain(outcome.errors(name)) for name in outcome.values},
    }


def _plain(values: Iterable[float]) -> list[float | None]:
    """JSON has no NaN and no infinity."""
    return [float(value) if math.isfinite(value) else None for value in values]
