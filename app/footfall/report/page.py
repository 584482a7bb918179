"""The report as one HTML page that needs nothing else: figures and animation are inside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.control.own_system import OwnSystem
from footfall.files import write_text
from footfall.plants.loading.load import EARTH
from footfall.registry.machines import get_machine, known_metrics
from footfall.report.bands import marking, phase_bands, push_bands
from footfall.report.comparison import compare_runs, difference_figure, engine_table
from footfall.report.figures import common_figures, scenario_figures
from footfall.report.foot_figures import step_tables
from footfall.report.machine_report import MachineReport, report_of
from footfall.report.packed_numbers import packed
from footfall.report.packed_recording import pack_recording
from footfall.report.push_table import push_tables, pushes_in
from footfall.report.run_view import views_of
from footfall.report.section import Section
from footfall.report.summary import summary_of
from footfall.report.tables import (
    MINUS,
    claim_rows,
    drawn_tables,
    listed,
    metric_rows,
    number,
    provenance_rows,
    source_tables,
)
from footfall.report.template import render
from footfall.scenario.io import dump_scenario
from footfall.show.extent import sizes_of
from footfall.show.replay import cast_of, recording_html
from footfall.show.stage import CONTACT_CONES, CONTACT_FORCES, PRESSURE, PUSHES, TRACES
from footfall.show.trace import traces_of
from footfall.show.view import view_of
from footfall.trajectory import Status
from footfall.trajectory.events import reported


def write_reports(sections: Sequence[Section], path: str | Path) -> list[str]:
    """Write one self-contained HTML page about one scenario or several.

    Returns a line for each panel that a scenario asks for and its runs cannot give. Raises RunError
    when the page cannot be written, ModelError when a model is no longer there.
    """
    chunks = [_chunk(section, index) for index, section in enumerate(sections, start=1)]
    title = f"footfall: {listed(section.name for section in sections)}"
    shown = [chunk["watched"] for chunk in chunks if chunk["watched"] is not None]
    pages = [watched["recording"].viewer for watched in shown]
    packs = {page: packed(page.encode()) for page in pages}
    page = render("report.html.j2", viewers=packs, title=title, chunks=chunks, packs=packs)
    write_text(Path(path), page)
    return [line for watched in shown for line in watched["refused"]]


def _chunk(section: Section, number: int) -> dict[str, Any]:
    """Everything that one section shows, as the template wants it."""
    machine = get_machine(section.scenario.machine)
    report = report_of(machine)
    moved = section.moved()
    measured = {name: run.metrics for name, run in section.runs.items()}
    datas = (run.trajectory.data for run in section.runs.values())
    return {
        "anchor": f"section-{number}",
        "name": section.name,
        "description": section.scenario.description,
        "facts": _facts(section),
        "troubles": [
            f"{name}: {run.trajectory.status.value}. {run.trajectory.message}".strip()
            for name, run in section.runs.items()
            if run.trajectory.status is not Status.DONE
        ],
        "told": _told(section),
        "summary": summary_of(section),
        "claims": claim_rows({name: run.claims for name, run in section.runs.items()}),
        "metrics": metric_rows(measured, known_metrics(section.scenario.machine, *datas)),
        "runs": list(section.runs),
        "watched": _watched(moved, report) if moved.runs else None,
        "title": machine.title if machine is not None else "Motion",
        "citation": machine.citation if machine is not None else "",
        "misprints": source_tables(machine),
        "provenance": provenance_rows(section.provenance),
        "scenario": dump_scenario(section.scenario),
    }


def _watched(section: Section, report: MachineReport) -> dict[str, Any]:
    """Animation, figures, tables and notes of the runs that have something to show."""
    trajectories = {name: run.trajectory for name, run in section.runs.items()}
    comparisons = compare_runs(section)
    view = view_of(section.scenario, section.robot.contacts)
    runs, any_runs = report.read(section), views_of(section)
    start = min(float(one.data["time"][0]) for one in trajectories.values())
    phases = report.phases(runs)
    with marking(push_bands(pushes_in(section))):
        with marking(phase_bands(phases)):
            own, refused = scenario_figures(any_runs, section.scenario.panels)
            machine = [figure for figure in report.figures(runs) if figure is not None]
        common = common_figures(any_runs)
        comparison = [difference_figure(any_runs, comparisons)] if comparisons else []
    tables = [table for table in report.tables(runs) if table is not None]
    return {
        "recording": pack_recording(recording_html(trajectories, section.robot.model, view=view)),
        "start": start,
        "cast": cast_of(list(trajectories)),
        "forces": CONTACT_FORCES,
        "cones": CONTACT_CONES if view.cones else "",
        "pressure": PRESSURE if view.pressure else "",
        "pushes": PUSHES if pushes_in(section) else "",
        "phases": [(phase.begin - start, phase.name) for phase in phases],
        "traces": traces_of(view.traced),
        "traced_below": TRACES,
        "sizes": sizes_of(section.robot.model),
        "marked": section.scenario.terrain.visible,
        "engines": engine_table(comparisons) if comparisons else None,
        "comparison": comparison,
        "own": own,
        "refused": refused,
        "machine": machine,
        "tables": [
            *tables,
            *step_tables(any_runs),
            *push_tables(section),
            *drawn_tables(section),
        ],
        "common": common,
        "notes": [note for note in report.notes(runs) if note],
    }


def _facts(section: Section) -> list[tuple[str, str]]:
    """The few numbers that say what was simulated."""
    scenario, contacts = section.scenario, section.robot.contacts
    facts = [
        ("engines", listed(section.runs)),
        ("duration", f"{scenario.duration:g} s"),
        ("time step", f"{scenario.time_step:g} s"),
        ("slope", f"{scenario.terrain.slope_deg:g}°".replace("-", MINUS)),
    ]
    if scenario.terrain.title:
        facts.append(("ground", scenario.terrain.title))
    if isinstance(scenario.controller, OwnSystem):
        facts.append(("controller", scenario.controller.title))
    if scenario.gravity != EARTH:
        facts.append(("gravity", f"{scenario.gravity:g} m/s²"))
    if contacts.num_touching:
        facts.append(("friction µ", _range(contacts.mu[: contacts.num_touching])))
        facts.append(("restitution e_N", _range(contacts.restitution[: contacts.num_touching])))
    return [*facts, ("seed", str(scenario.seed))]


def _range(values: npt.NDArray[np.float64]) -> str:
    low, high = float(values.min()), float(values.max())
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def _told(section: Section) -> list[str]:
    """One line for every event that is to be told."""
    runs = {name: run.trajectory.events for name, run in section.runs.items()}
    return [f"{line}." for line in reported(runs)]
