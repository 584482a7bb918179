"""Tables and notes of a page: claims, metrics, provenance; numbers as a reader likes them."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from footfall.metrics import Metric, common_unit, text_of
from footfall.overrides import read_dumped
from footfall.provenance import Provenance
from footfall.registry.claims import Claim
from footfall.registry.machine import Machine
from footfall.report.figure import Figure
from footfall.report.section import Section
from footfall.scenario.io import dump_scenario
from footfall.scenario.randomise import value_at

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MINUS = "\N{MINUS SIGN}"
NBSP = "\N{NO-BREAK SPACE}"
TIMES = "\N{MULTIPLICATION SIGN}"
NONE = "\N{EN DASH}"
# a number begins like this, or there is none
_NUMBER = re.compile(rf"[-+{MINUS}]?(\d|inf|∞)|{NONE}?$|nan")


@dataclass(frozen=True)
class Table:
    """A table of texts, a row of headings above it, a note below."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    @property
    def aligned(self) -> list[str]:
        """Return the class of each column in the page: "n" for numbers, at the right."""
        columns = zip(*self.rows, strict=True) if self.rows else ([] for _ in self.headings)
        return ["n" if all(map(_NUMBER.match, column)) else "" for column in columns]


@dataclass(frozen=True)
class Contents:
    """Figures, tables, and what a reader should know, a paragraph each."""

    figures: Sequence[Figure] = field(default=())
    tables: Sequence[Table] = field(default=())
    notes: Sequence[str] = field(default=())


def listed(names: Iterable[str]) -> str:
    """Join names: a, b and c."""
    parts = [str(name) for name in names]
    if len(parts) < 2:
        return parts[0] if parts else "nothing"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def number(value: float, digits: int = 4) -> str:
    """Write a number with some digits, in powers of ten when large or small; NaN is a dash."""
    if not math.isfinite(value):
        return NONE if math.isnan(value) else f"{MINUS if value < 0 else ''}∞"
    if value == 0.0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if -4 <= exponent < 6:
        text = f"{value:.{digits}g}" if exponent < digits else f"{value:.0f}"
        return text.replace("-", MINUS)
    mantissa, _, power = f"{value:.{max(digits - 2, 0)}e}".partition("e")
    return f"{mantissa.replace('-', MINUS)} {TIMES} 10{str(int(power)).translate(_SUPERSCRIPT)}"


def nearly_all(share: float) -> str:
    """Return a share below 1 in percent, with enough digits to be less than 100 %."""
    digits = max(1, math.ceil(-math.log10(1.0 - share)) - 2)
    return f"{100.0 * share:.{digits}f} %"


def drawn_tables(section: Section) -> list[Table]:
    """A table of what the scenario's seed drew; nothing where it draws nothing."""
    randomise = section.scenario.randomise
    if not randomise:
        return []
    mapping = read_dumped(dump_scenario(section.scenario))
    rows = [
        (path, number(value_at(mapping, path)), str(one)) for path, one in sorted(randomise.items())
    ]
    return [Table(f"Drawn from seed {section.scenario.seed}", ("field", "value", "of"), rows)]


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
    pairs = [(claim, run) for run, those in claims.items() for claim in those]
    names = list(dict.fromkeys(claim.name for claim, _ in pairs))
    pairs.sort(key=lambda pair: names.index(pair[0].name))
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
        for claim, run in pairs
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
        found = [those.get(name) for those in metrics.values()]
        values = ["" if one is None else text_of(one, text, unit) for one in found]
        shared = max((common_unit(one, unit) for one in found if one is not None), key=len)
        if shared != unit:  # a number stays beside its unit, lines break between them
            values = [value.replace(" ", NBSP).replace(f",{NBSP}", ", ") for value in values]
        rows.append(MetricRow(name.replace("_", " "), meaning, shared, values))
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
    rows = {key.replace("_", " "): value for key, value in plain.items() if key != "code"} | code
    return [(key, _text(value)) for key, value in rows.items() if value is not None]


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        parts = {key: part for key, part in value.items() if part not in (None, {})}
        return ", ".join(f"{key} {_text(part)}" for key, part in parts.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else str(value)
