"""The tables of a section: claims, metrics, provenance."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from footfall.provenance import Provenance
from footfall.report.section import Section
from footfall.report.wording import number

# unit and meaning of the metrics that every run has
COMMON_METRICS: dict[str, tuple[str, str]] = {
    "duration": ("s", "simulated time"),
    "min_gap": ("m", "smallest gap of any contact; negative is penetration"),
    "energy_drift": ("J", "largest departure of energy less all work from its start"),
    "max_residual": ("1", "largest natural-map residual of a contact problem"),
    "median_iterations": ("1", "median iterations of the steps with contact"),
    "realtime_factor": ("1", "simulated time over wall time"),
}


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
    return [
        ClaimRow(
            claim.name,
            run,
            _with_unit(claim.value, claim.unit),
            _with_unit(claim.published, claim.unit),
            f"± {_with_unit(claim.tolerance, claim.unit)}",
            claim.verdict,
            claim.source,
            claim.reason,
        )
        for name in names
        for claim, run in found
        if claim.name == name
    ]


def _with_unit(value: float, unit: str) -> str:
    return number(value) if unit in ("", "1") else f"{number(value)} {unit}"


def metric_rows(section: Section, known: Mapping[str, tuple[str, str]]) -> list[MetricRow]:
    """Metrics by row, runs by column, the study's own first; a run without one gets a dash."""
    names = dict.fromkeys(name for run in section.runs.values() for name in run.metrics)
    rows = []
    for name in names:
        unit, meaning = (known | COMMON_METRICS).get(name, ("", ""))
        values = [
            number(run.metrics[name]) if name in run.metrics else ""
            for run in section.runs.values()
        ]
        rows.append(MetricRow(name.replace("_", " "), meaning, unit, values))
    return rows


def provenance_rows(provenance: Provenance | Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Where the runs came from, as label and text."""
    if provenance is None:
        return []
    plain = provenance.to_dict() if isinstance(provenance, Provenance) else dict(provenance)
    return [
        (key.replace("_", " "), _text(value)) for key, value in plain.items() if value is not None
    ]


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {part}" for key, part in value.items() if part is not None)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(_text(part) for part in value)
    return str(value)
