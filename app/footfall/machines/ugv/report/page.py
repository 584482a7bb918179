"""Report of the vehicle: figures, tables and notes."""

from footfall.machines.ugv.report.energy import energy_table, work_over_path
from footfall.machines.ugv.report.letters import letters
from footfall.machines.ugv.report.notes import notes_of
from footfall.machines.ugv.report.runs import read_drives
from footfall.machines.ugv.report.sequence import sequence
from footfall.machines.ugv.report.torque import ground_forces, legs_over_path, torque_over_path
from footfall.report.contents import Table
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section


def figures(section: Section) -> list[Figure]:
    """The passage and its letters; torque, ground, legs, work over it; then the coordinates."""
    drives = section.read(read_drives)
    return [
        sequence(drives),
        *letters(drives),
        torque_over_path(drives),
        ground_forces(drives),
        legs_over_path(drives),
        work_over_path(drives),
        *coordinate_figures(section),
    ]


def tables(section: Section) -> list[Table]:
    """The account of work of all runs."""
    return [energy_table(section.read(read_drives))]


def notes(section: Section) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    return notes_of(section.read(read_drives))


REPORT = MachineReport(figures, notes, tables)
