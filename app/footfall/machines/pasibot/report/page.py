"""Report of PASIBOT: figures, tables and notes."""

from footfall.machines.pasibot.report.floor import floor_force, zero_moment_point
from footfall.machines.pasibot.report.gait import gait_sequence, swinging_sole
from footfall.machines.pasibot.report.joints import joint_forces, joint_table, matrix_of_equations
from footfall.machines.pasibot.report.linkage import linkage_curves
from footfall.machines.pasibot.report.notes import notes_of
from footfall.machines.pasibot.report.runs import read_walks
from footfall.machines.pasibot.report.slip import slide_table, slip_over_steps
from footfall.machines.pasibot.report.torque import distance_from_closed_form, motor_torque
from footfall.registry.machine import CLOSED_FORM
from footfall.report.contents import Table
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section


def figures(section: Section) -> list[Figure]:
    """The linkage and its gait; torque, floor and slip of all runs; then the coordinates."""
    walks = section.read(read_walks)
    engines = {walk.engine for walk in walks.runs}
    pictures = [
        gait_sequence(walks.parameters),
        linkage_curves(walks.parameters),
        swinging_sole(walks.parameters),
        motor_torque(walks),
        floor_force(walks) if walks.on_floor else None,
        zero_moment_point(walks) if walks.on_floor else None,
        joint_forces(walks),
        matrix_of_equations(walks.parameters) if CLOSED_FORM in engines else None,
        slip_over_steps(walks),
        distance_from_closed_form(walks),
    ]
    return [picture for picture in pictures if picture is not None] + coordinate_figures(section)


def tables(section: Section) -> list[Table]:
    """The slides of all runs, and the forces between the links."""
    walks = section.read(read_walks)
    slides_and_forces = [slide_table(walks), joint_table(walks)]
    return [table for table in slides_and_forces if table is not None]


def notes(section: Section) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    return notes_of(section.read(read_walks))


REPORT = MachineReport(figures, notes, tables)
