"""The report as one HTML page that needs nothing else: pictures and animation are inside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from footfall.files import write_text
from footfall.report.comparison import EngineTable, compare_runs, difference_figure, engine_table
from footfall.report.figures import common_figures, coordinate_figures
from footfall.report.picture import Picture
from footfall.report.section import Section
from footfall.report.studies import CHAPTERS, Chapter
from footfall.report.tables import (
    ClaimRow,
    MetricRow,
    claim_rows,
    metric_rows,
    provenance_rows,
)
from footfall.report.wording import listed, number
from footfall.scenario.io import dump_scenario
from footfall.show.replay import LANE, Cast, cast_of, recording_html
from footfall.studies import get_study
from footfall.trajectory import Status

_TEMPLATES = Path(__file__).parent / "templates"
_FPS = 30.0


@dataclass(frozen=True)
class Chunk:
    """A section as the template wants it."""

    anchor: str
    name: str
    description: str
    facts: Sequence[tuple[str, str]]
    troubles: Sequence[str]
    claims: Sequence[ClaimRow]
    recording: str
    cast: Sequence[Cast]
    metrics: Sequence[MetricRow]
    runs: Sequence[str]
    engines: EngineTable | None
    comparison: Sequence[Picture]
    machine_title: str
    machine: Sequence[Picture]
    common: Sequence[Picture]
    notes: Sequence[str]
    provenance: Sequence[tuple[str, str]]
    scenario: str
    citation: str


def write_reports(sections: Sequence[Section], path: str | Path, title: str = "") -> None:
    """Write one self-contained HTML page about several scenarios.

    Raises RunError when the page cannot be written, ModelError when a model is no longer there.
    """
    chunks = [_chunk(section, number) for number, section in enumerate(sections, start=1)]
    title = title or f"footfall: {listed(section.name for section in sections)}"
    page = (
        _environment().get_template("report.html.j2").render(title=title, chunks=chunks, lane=LANE)
    )
    write_text(Path(path), page)


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def _chunk(section: Section, place: int) -> Chunk:
    """Everything that one section shows."""
    study = get_study(section.scenario.study)
    chapter = CHAPTERS.get(section.scenario.study, Chapter(coordinate_figures))
    seen = {
        name: run for name, run in section.runs.items() if run.trajectory.data.sizes["time"] > 1
    }
    watched = Section(section.name, section.scenario, seen, section.provenance)
    comparisons = compare_runs(watched)
    return Chunk(
        anchor=f"section-{place}",
        name=section.name,
        description=section.scenario.description,
        facts=_facts(section),
        troubles=_troubles(section),
        claims=claim_rows(section),
        recording=recording_html(
            {n: r.trajectory for n, r in seen.items()}, section.machine.model.spec, _FPS
        )
        if seen
        else "",
        cast=cast_of(list(seen)),
        metrics=metric_rows(section, chapter.metrics),
        runs=list(section.runs),
        engines=engine_table(comparisons) if comparisons else None,
        comparison=[difference_figure(watched, comparisons)] if comparisons else [],
        machine_title=study.title if study is not None else "Motion",
        machine=chapter.figures(watched) if seen else [],
        common=common_figures(watched) if seen else [],
        notes=chapter.notes(watched) if seen else [],
        provenance=provenance_rows(section.provenance),
        scenario=dump_scenario(section.scenario),
        citation=study.citation if study is not None else "",
    )


def _facts(section: Section) -> list[tuple[str, str]]:
    """The few numbers that say what was simulated."""
    scenario, contacts = section.scenario, section.machine.contacts
    facts = [
        ("engines", listed(section.runs)),
        ("duration", f"{scenario.duration:g} s"),
        ("time step", f"{scenario.time_step:g} s"),
        ("slope", f"{scenario.terrain.slope_deg:g}°".replace("-", "\N{MINUS SIGN}")),
    ]
    if len(contacts):
        facts += [
            ("friction µ", _range(contacts.mu)),
            ("restitution e_N", _range(contacts.restitution)),
        ]
    facts.append(("seed", str(scenario.seed)))
    return facts


def _range(values: Any) -> str:
    low, high = float(min(values)), float(max(values))
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def _troubles(section: Section) -> list[str]:
    """One line for every run that did not come to its end."""
    return [
        f"{name}: {run.trajectory.status.value}. {run.trajectory.message}".strip()
        for name, run in section.runs.items()
        if run.trajectory.status is not Status.DONE
    ]
