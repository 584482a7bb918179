"""The tables of a section: claims, metrics, provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from footfall.metrics import text_of
from footfall.provenance import Provenance
from footfall.report.section import Section
from footfall.report.wording import number
from footfall.studies import known_metrics


@dataclass(frozen=True)
class ClaimRow:
    """One claim held against one run."""

    claim: str
    run: str
    value: str
    published: str
    tolerance: str
    verdict: str
    source: str
    reason: str


@dataclass(frozen=True)
class MetricRow:
    """One metric in all runs."""

    name: str
    meaning: str
    unit: str
    values: Sequence[str]


def claim_rows(section: Section) -> list[ClaimRow]:
    """All claims of all runs, a claim's runs together."""
    found = [(claim, run) for run, result in section.runs.items() for claim in result.claims]
    names = list(dict.fromkeys(claim.name for claim, _ in found))
    found.sort(key=lambda pair: names.index(pair[0].name))
    return [
        ClaimRow(
            claim=claim.name,
            run=run,
            value=_with_unit(claim.value, claim.unit),
            published=_with_unit(claim.published, claim.unit),
            tolerance=f"± {_with_unit(claim.tolerance, claim.unit)}",
            verdict=claim.verdict,
            source=claim.source,
            reason=claim.reason,
        )
        for claim, run in found
    ]


def _with_unit(value: float, unit: str) -> str:
    return number(value) if unit in {"", "1"} else f"{number(value)} {unit}"


def metric_rows(section: Section) -> list[MetricRow]:
    """Metrics by row, runs by column."""
    runs = section.runs.values()
    names = dict.fromkeys(name for run in runs for name in run.metrics)
    known = known_metrics()
    rows = []
    for name in names:
        unit, meaning = known.get(name, ("", ""))
        values = [text_of(run.metrics[name], number) if name in run.metrics else "" for run in runs]
        rows.append(MetricRow(name.replace("_", " "), meaning, unit, values))
    return rows


def provenance_rows(provenance: Provenance | Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Where the runs came from, as label and text; what is not known is left out."""
    if provenance is None:
        return []
    plain = provenance.to_dict() if isinstance(provenance, Provenance) else provenance
    return [
        (key.replace("_", " "), _text(value)) for key, value in plain.items() if value is not None
    ]


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {part}" for key, part in value.items() if part is not None)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else str(value)
