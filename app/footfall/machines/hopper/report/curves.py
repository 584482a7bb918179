"""The hopper over time: coordinates, torque, and what is left of what the task allows."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.points import STEEPEST_LINE
from footfall.machines.hopper.report.panels import LIMIT, legend_of, mark_phases, plot_quantities
from footfall.machines.hopper.report.runs import JumpRun, JumpRuns
from footfall.report.figure import Figure, draw
from footfall.report.panels import line
from footfall.report.tables import listed, number

_ONE, _OTHER = "#0072B2", "#D55E00"
_ROOM = 1.12  # axes go so far beyond a limit


def coordinates(jumps: JumpRuns) -> Figure:
    """Place of P in one panel, the two angles in another."""
    places = [("x of P", _ONE, _component(0)), ("y of P", _OTHER, _component(1))]
    angles = [
        ("theta1", "#009E73", _component(2, degrees=True)),
        ("theta2", "#CC79A7", _component(3, degrees=True)),
    ]

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        plot_quantities(upper, jumps, places)
        plot_quantities(lower, jumps, angles)
        upper.set_ylabel("place of P [m]")
        lower.set_ylabel("angle [deg]")
        mark_phases([upper, lower], jumps)
        legend_of(upper, jumps, [(label, colour) for label, colour, _ in [*places, *angles]])

    alt = (
        "Coordinates over time: x and y of P above, the angles theta1 and theta2 below, for "
        f"{_names(jumps)}; {_marked(jumps)}."
    )
    return draw("Coordinates", alt, (2, 1), plot, note=_note(jumps), row_height=2.3)


def torque(jumps: JumpRuns) -> Figure:
    """Torque of the motor between its bounds."""
    limit = jumps.machine.parameters.tau_max

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        for run in jumps.runs:
            line(panel, run.time[run.shown], run.torque[run.shown], **run.style)
        for bound in (limit, -limit):
            panel.axhline(bound, **LIMIT)
        panel.axhline(0.0, color="black", linewidth=0.7)
        panel.set(ylim=(-_ROOM * limit, _ROOM * limit), ylabel="torque on theta2 [N m]")
        mark_phases([panel], jumps)
        legend_of(panel, jumps, [])

    alt = (
        f"Torque of the motor over time between its bounds of plus and minus {number(limit, 3)} "
        f"N m, for {_names(jumps)}; {_marked(jumps)}."
    )
    note = f"Dashed: ±tau_max = ±{number(limit, 3)} N m."
    return draw("Torque", alt, (1, 1), plot, note=note, row_height=2.6)


def allowed(jumps: JumpRuns) -> Figure:
    """Angle of the line PR, heights of the points and the fold, with their limits."""
    steepest = np.degrees(STEEPEST_LINE)
    lean = [("line PR", _ONE, _lean)]
    heights = [
        ("Q above P", "#009E73", lambda run: np.asarray(run.margins.Q_above_P)),
        ("R above Q", "#CC79A7", lambda run: np.asarray(run.margins.R_above_Q)),
        ("P above the ground", _OTHER, lambda run: np.asarray(run.margins.height_P)),
    ]
    fold = [("theta2", "#555555", _component(3, degrees=True))]

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, middle, lower = axes[:, 0]
        plot_quantities(upper, jumps, lean)
        plot_quantities(middle, jumps, heights)
        plot_quantities(lower, jumps, fold)
        for panel, bound in ((upper, steepest), (lower, 180.0)):
            for sign in (1.0, -1.0):
                panel.axhline(sign * bound, **LIMIT)
            panel.set(ylim=(-_ROOM * bound, _ROOM * bound), yticks=[-bound, 0.0, bound])
        middle.axhline(0.0, **LIMIT)
        upper.set_ylabel("line PR from the\nvertical [deg]")
        middle.set_ylabel("height [m]")
        lower.set_ylabel("theta2 [deg]")
        mark_phases([upper, middle, lower], jumps)
        legend_of(upper, jumps, [(label, colour) for label, colour, _ in [*lean, *heights, *fold]])

    alt = (
        "What the task limits over time: the angle of the line PR from the vertical within plus "
        "and minus 60 degrees, Q above P, R above Q and P above the ground, and theta2 within plus "
        f"and minus 180 degrees, for {_names(jumps)}."
    )
    note = (
        "Dashed: the limits. The line PR leans backward, R behind P, where its angle is positive. "
        "Q comes down to P where the jump ends with Q on the ground."
    )
    return draw("What the task limits", alt, (3, 1), plot, note=note, row_height=1.9)


def _component(row: int, *, degrees: bool = False) -> Any:  # noqa: ANN401 (a function of a run)
    def of(run: JumpRun) -> Array:
        values: Array = run.x[row]
        return np.degrees(values) if degrees else values

    return of


def _lean(run: JumpRun) -> Array:
    """Angle of the line PR from the vertical, positive backward [deg]."""
    return np.asarray(np.degrees(run.x[2] + 0.5 * run.x[3]) - 90.0)


def _names(jumps: JumpRuns) -> str:
    return jumps.listed


def _marked(jumps: JumpRuns) -> str:
    phases = listed(interval.phase.value for interval in jumps.first.jump.intervals)
    return f"marked are the phases of {jumps.first.name}: {phases}"


def _note(jumps: JumpRuns) -> str:
    others = " The phases are those of the first run." if len(jumps.runs) > 1 else ""
    return (
        "Above: what P does, it stands, slides forward (slip+) or backward (slip\N{MINUS SIGN}), "
        f"or is in the air; dashed where one goes over into the next.{others}"
    )
