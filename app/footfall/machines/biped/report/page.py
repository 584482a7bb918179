"""Report of the biped: figures, tables and notes.

Frame: S the slope (x along it, z its normal).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.machines.biped.control import BipedGait
from footfall.machines.biped.observables import points
from footfall.machines.biped.report.curves import clipped_period, curves, feet
from footfall.machines.biped.report.motors import motor_notes, motor_tables
from footfall.registry.machine import CLOSED_FORM
from footfall.report.figure import Figure, draw
from footfall.report.machine_report import MachineReport
from footfall.report.panels import line
from footfall.report.run_view import RunView, read_runs
from footfall.report.section import Section
from footfall.report.stick_sequence import sequence_of, spread_rows, stick_sequence
from footfall.report.tables import number

_POINTS = {
    "r1 (hip)": "black",
    "r2 (knee A)": "#0072B2",
    "r3 (foot A)": "#D55E00",
    "r4 (knee B)": "#009E73",
    "r5 (foot B)": "#CC79A7",
}
_MOMENTS = 14


def initial_posture(section: Section) -> Figure:
    """The robot at the start."""
    seen = sequence_of(section, _first(section), [0])
    return stick_sequence(seen, "Initial condition", f"{_conditions(section)}.")


def paths(section: Section) -> Figure:
    """Paths of hip, knees and feet, in S."""
    name = next(iter(section.runs))
    r = points(section.first.trajectory.data["q"].to_numpy())

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        for k, (label, colour) in enumerate(_POINTS.items()):
            panel = upper if k == 0 else lower
            line(panel, r[:, k, 0], r[:, k, 1], color=colour, linewidth=1.1, label=label)
        lower.axhline(0.0, color="black", linewidth=0.8)
        lower.set_xlabel("x [m]")
        for panel in (upper, lower):
            panel.set_ylabel("z [m]")
            panel.legend()

    alt = f"Paths of the hip (above) and of knees and feet (below) in the slope frame, in {name}."
    return draw(f"Trajectories of the points: {name}", alt, (2, 1), plot, row_height=2.1)


def walk(section: Section) -> Figure:
    """The robot at some moments on its way."""
    view = _first(section)
    seen = sequence_of(section, view, spread_rows(view, _MOMENTS))
    note = f"{_conditions(section)}. Later ones are darker."
    return stick_sequence(seen, f"The walk: {view.name}", note)


def _first(section: Section) -> RunView:
    return read_runs(section, lambda run: run)[0]


def _conditions(section: Section) -> str:
    """Slope, friction and restitution."""
    contacts = section.robot.contacts
    surfaces = slice(contacts.num_touching)
    mu, e_n = (
        ", ".join(f"{value:g}" for value in np.unique(values))
        for values in (contacts.mu[surfaces], contacts.restitution[surfaces])
    )
    slope = number(section.scenario.terrain.slope_deg)
    return f"slope {slope}°, µ = {mu}, e_N = {e_n}"


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
