"""The biped as a stick figure: at the start, on its way, and the paths of its points.

Frame: S the slope (x along it, z its normal).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.machines.biped.observables import points
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_above, line
from footfall.report.run_view import RunView, read_runs
from footfall.report.section import Section
from footfall.report.stick_sequence import sequence_of, spread_rows, stick_sequence
from footfall.report.wording import number

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
            legend_above(panel)

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
