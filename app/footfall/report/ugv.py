"""What a report says of the vehicle: its pictures and tables, and what to know about them."""

from footfall.report.figures import coordinate_figures
from footfall.report.findings_contents import Table
from footfall.report.picture import Picture
from footfall.report.section import Section
from footfall.report.ugv_energy import energy_table, work_over_way
from footfall.report.ugv_runs import read_drives
from footfall.report.ugv_sequence import sequence
from footfall.report.ugv_told import notes_of
from footfall.report.ugv_torque import ground_forces, legs_over_way, torque_over_way


def figures(section: Section) -> list[Picture]:
    """The passage; torque, ground, legs and work of all runs over it; then the coordinates."""
    drives = read_drives(section)
    return [
        sequence(drives),
        torque_over_way(drives),
        ground_forces(drives),
        legs_over_way(drives),
        work_over_way(drives),
        *coordinate_figures(section),
    ]


def tables(section: Section) -> list[Table]:
    """The account of work of all runs."""
    return [energy_table(read_drives(section))]


def notes(section: Section) -> list[str]:
    """What a reader should know, a paragraph each."""
    return notes_of(read_drives(section))
