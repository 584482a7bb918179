"""Report of the humanoid: figures, tables and notes."""

from footfall.machines.humanoid.report.changes import change_table
from footfall.machines.humanoid.report.ground import demands, pressure_over_sole, reactions
from footfall.machines.humanoid.report.joints import (
    joint_angles,
    joint_loads,
    joint_torques,
    load_table,
)
from footfall.machines.humanoid.report.notes import notes_of
from footfall.machines.humanoid.report.runs import read_humanoid
from footfall.machines.humanoid.report.snapshots import snapshots
from footfall.machines.humanoid.report.tracking import tracked_points
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section
from footfall.report.tables import Table


def figures(section: Section) -> list[Figure]:
    """Figures of the thesis's chapter 5, then what the walk asks of the ground.

    A run whose feet nothing holds has coordinates in place of these, and without phases no
    references.
    """
    runs = section.read(read_humanoid)
    if not runs.walks:
        return [*snapshots(runs), *joint_angles(runs), *coordinate_figures(section)]
    motion = [
        *tracked_points(runs),
        *snapshots(runs),
        *joint_angles(runs),
        joint_torques(runs),
    ]
    if not runs.first.is_held:
        return [*motion, *coordinate_figures(section)]
    return [
        *motion,
        reactions(runs),
        *joint_loads(runs),
        demands(runs),
        pressure_over_sole(runs),
    ]


def tables(section: Section) -> list[Table]:
    """Changes of phase, and largest reactions in the joints."""
    runs = section.read(read_humanoid)
    return [change_table(runs), load_table(runs)] if runs.first.is_held else []


def notes(section: Section) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    return notes_of(section.read(read_humanoid))


def phases(section: Section) -> list[tuple[float, str]]:
    """Phases of the first run, each from when on it lasts after the start of the animation [s]."""
    runs = section.read(read_humanoid)
    if not runs.first.walks:
        return []
    start = min(float(run.time[0]) for run in runs.runs)
    return [(each.begin - start, each.phase.words) for each in runs.first.phases]


REPORT = MachineReport(figures, notes, tables, phases)
