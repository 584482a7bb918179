"""Report of the vehicle: figures, tables and notes.

The notes say what is assumed, meant and left out.
"""

import numpy as np

from footfall.machines.ugv.claims import is_published
from footfall.machines.ugv.closed_form.energy import torques_by_energy
from footfall.machines.ugv.report.energy import energy_table, work_over_path
from footfall.machines.ugv.report.letters import letters
from footfall.machines.ugv.report.runs import DriveRuns, read_drives
from footfall.machines.ugv.report.sequence import sequence
from footfall.machines.ugv.report.torque import ground_forces, legs_over_path, torque_over_path
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section
from footfall.report.tables import Table, listed, number

_ASSUMED = (
    "The document gives the lengths of body and legs and the masses; its figures are lost, and the "
    "matrix of its five equations has lost its signs. The radius of the wheels, how deep the body "
    "hangs, the middles as centres of mass, the angles at the hips as angles between leg and body, "
    "and that the masses are those of the half vehicle are assumed."
)
_SAME = (
    "Both wheels get the same torque, as the document has it: each is in balance by itself, so "
    "that the ground drives both with M/r along the track. The equations of forces differ from an "
    "account of work, into which no force enters, by {off} N m at most."
)
_SLOW = (
    "{names} has no inertia and knows the place of the wheels by the drive's speed alone. The "
    "others begin with the acceleration of the ramp, {ramp} s long; what metrics tell of torque, "
    "forces and work begins a second after it, when the drive has settled."
)
_TWO_POINTS = (
    "Where the track bends up in a corner, or is hollowed more tightly than a wheel is round, a "
    "wheel touches two places at once. In quasi-static balance the force goes over from one to the "
    "other in an instant, and the torque jumps; in the engines that takes as long as the drive and "
    "the legs need."
)


def notes_of(drives: DriveRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    found = [_ASSUMED] if is_published(drives.parameters) else []
    read = drives.longest.read
    by_forces = read.quasi_static.torque
    if read.curve is not None:
        at = read.standing
        off = np.abs(torques_by_energy(drives.parameters, at).torque - by_forces)
        if np.isfinite(off).any():
            found.append(_SAME.format(off=number(float(np.nanmax(off)), 2)))
    exact = [drive.name for drive in drives.runs if drive.exact]
    others = drives.stepping
    ramp = getattr(drives.context.controller, "ramp", 0.0)
    if exact and others:
        found.append(_SLOW.format(names=listed(exact), ramp=number(ramp, 3)))
    found += [_TWO_POINTS] if drives.angle_jumps else []
    return found


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
