"""Report of the goalkeeper: figures, tables and notes."""

from footfall.machines.goalkeeper.report.curves import keeper_over_time
from footfall.machines.goalkeeper.report.notes import angle_table, notes_of
from footfall.machines.goalkeeper.report.runs import read_keeper_runs
from footfall.machines.goalkeeper.report.scene import scene_figures
from footfall.machines.goalkeeper.report.shot import shot_over_time, shot_table
from footfall.machines.goalkeeper.report.top import moments, top_view
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section
from footfall.report.tables import Table


def figures(section: Section) -> list[Figure]:
    """The field in space and from above, the keeper over time, a shot; then the coordinates."""
    runs = section.read(read_keeper_runs)
    found = [
        *scene_figures(section, runs.first),
        top_view(runs, section.robot.model),
        keeper_over_time(runs),
    ]
    if runs.first.observed.free:
        found.append(shot_over_time(section, runs))
    return [*found, *coordinate_figures(section)]


def tables(section: Section) -> list[Table]:
    """The angles at several moments, and what became of a shot."""
    runs = section.read(read_keeper_runs)
    found = [angle_table(runs.first, moments(runs.first))]
    if runs.first.observed.free:
        found.append(shot_table(runs))
    return found


def notes(section: Section) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    return notes_of(section.read(read_keeper_runs))


REPORT = MachineReport(figures, notes, tables)
