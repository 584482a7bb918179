"""The tables of a page: claims, metrics, provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from footfall.metrics import Metric, text_of
from footfall.provenance import Provenance
from footfall.registry.claims import Claim
from footfall.registry.machine import Machine
from footfall.report.contents import Table
from footfall.report.wording import number

_DIGITS = 4


@dataclass(frozen=True)
class ClaimRow:
    """One claim held against one run."""

    claim: str
    run: str
    value: str
    published: str
    criterion: str
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


def claim_rows(claims: Mapping[str, Sequence[Claim]]) -> list[ClaimRow]:
    """All claims of all runs, by the name of the run; a claim's runs together."""
    found = [(claim, run) for run, those in claims.items() for claim in those]
    names = list(dict.fromkeys(claim.name for claim, _ in found))
    found.sort(key=lambda pair: names.index(pair[0].name))
    return [
        ClaimRow(
            claim=claim.name,
            run=run,
            value=_with_unit(claim.value, claim.unit, claim.digits(_DIGITS)),
            published=_published(claim),
            criterion=claim.criterion(partial(_with_unit, unit=claim.unit)),
            verdict=claim.verdict,
            source=claim.source,
            reason=claim.reason,
        )
        for claim, run in found
    ]


def _published(claim: Claim) -> str:
    if claim.basis == "number":
        return _with_unit(claim.published, claim.unit, claim.digits(_DIGITS))
    return "in words" if claim.basis == "words" else "no number"


def _with_unit(value: float, unit: str, digits: int = _DIGITS) -> str:
    text = number(value, digits)
    return text if unit in {"", "1"} else f"{text} {unit}"


def metric_rows(
    metrics: Mapping[str, Mapping[str, Metric]],
    known: Mapping[str, tuple[str, str]],
    digits: int = _DIGITS,
) -> list[MetricRow]:
    """Metrics by row, runs (by name) by column; known: unit and meaning of each metric."""
    names = dict.fromkeys(name for those in metrics.values() for name in those)

    def text(value: float) -> str:
        return number(value, digits)

    rows = []
    for name in names:
        unit, meaning = known.get(name, ("", ""))
        values = [text_of(those[name], text) if name in those else "" for those in metrics.values()]
        rows.append(MetricRow(name.replace("_", " "), meaning, unit, values))
    return rows


def source_tables(machine: Machine | None) -> list[Table]:
    """The misprints of a machine's source, where there are some."""
    if machine is None or not machine.misprints:
        return []
    headings = ("where", "printed", "right", "what follows")
    return [Table("Misprints of the source", headings, machine.misprints)]


def provenance_rows(provenance: Provenance | Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Provenance of the runs, as label and text; what is not known is left out."""
    if provenance is None:
        return []
    plain = provenance.to_dict() if isinstance(provenance, Provenance) else provenance
    brought = plain.get("code") or {}
    code = {
        f"{'file' if place == 'terrain' else 'code'} of {place}": part
        for place, part in brought.items()
    }
    told = {key.replace("_", " "): value for key, value in plain.items() if key != "code"} | code
    return [(key, _text(value)) for key, value in told.items() if value is not None]


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        parts = {key: part for key, part in value.items() if part not in (None, {})}
        return ", ".join(f"{key} {_text(part)}" for key, part in parts.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else str(value)
