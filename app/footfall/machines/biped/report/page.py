"""Report of the biped: figures, tables and notes."""

import numpy as np

from footfall.machines.biped.control import BipedGait
from footfall.machines.biped.report.curves import clipped_period, curves, feet
from footfall.machines.biped.report.motors import motor_notes, motor_tables
from footfall.machines.biped.report.sticks import initial_posture, paths, walk
from footfall.registry.machine import CLOSED_FORM
from footfall.report.figure import Figure
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section
from footfall.report.wording import number

_FITTED = (
    "The document prints neither the posture nor the feed-forward nor the gains from which its "
    "gait grew. Those used here were chosen so that the robot covers the 7 metres: that it climbs, "
    "and how far, is fitted. That it slides down without friction is not: it is predicted."
)
_CLOSED_FORM = (
    "closed-form is the document's own time stepping, written down from its equations with its "
    "own fixed point. That moreau agrees with it to rounding shows that the program does what the "
    "document says, not that the document is right."
)
_DRAKE = (
    "Drake's contact is compliant and has no restitution. Agreement with it is to be expected in "
    "stick, slip and rest, at landings only as far as the compliance allows."
)
_PITCH_MOMENT = (
    "The angles of both thighs are absolute, so the torques tau1 and tau3 (components 3 and 5 of "
    "the document's vector) act between thigh and world. Their sum is an external pitch moment, "
    "although the text says that no external forces are applied."
)
_WITHOUT = (
    "Without it the report's gait falls within half a second (biped/climb_internal); a gait that "
    "needs none is biped/walk_internal."
)


def figures(section: Section) -> list[Figure]:
    """Every figure of the report's scripts, then slip and clearance of the feet."""
    sticks = [initial_posture(section), paths(section), walk(section)]
    return [*curves(section), *sticks, feet(section), *clipped_period(section)]


def notes(section: Section) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    found = []
    if section.first.trajectory.data.sizes["actuator"] and section.scenario.controller is not None:
        found.append(f"{_PITCH_MOMENT} {_size_of_moment(section)} {_WITHOUT}")
    found += motor_notes(section)
    if isinstance(section.scenario.controller, BipedGait):
        found.append(_FITTED)
    if {CLOSED_FORM, "moreau"} <= set(section.runs):
        found.append(_CLOSED_FORM)
    if any(name.startswith("drake") for name in section.runs):
        found.append(_DRAKE)
    return found


def _size_of_moment(section: Section) -> str:
    """The external pitch moment in the first run."""
    effort = section.first.trajectory.data["actuation"].sel(actuator=["tau1", "tau3"]).to_numpy()
    moment = effort.sum(axis=1)
    moment = moment[np.isfinite(moment)]
    if len(moment) == 0:
        return ""
    rms, largest = float(np.sqrt((moment**2).mean())), float(np.abs(moment).max())
    return (
        f"In this run its root mean square is {number(rms, 3)} N m and its largest value "
        f"{number(largest, 3)} N m."
    )


REPORT = MachineReport(figures, notes, motor_tables)
