"""Energy of a jump: sources and losses."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.hopper.report.panels import legend_of, mark_phases, plot_quantities
from footfall.machines.hopper.report.runs import JumpRun, JumpRuns
from footfall.report.figure import Figure, draw
from footfall.report.panels import line
from footfall.report.push_table import pushes_in
from footfall.report.tables import Table, number
from footfall.show.colours import PUSH_COLOUR
from footfall.trajectory.measures import energy_less_work

_DIGITS = 5
_SUM: dict[str, Any] = {"color": "black", "linewidth": 1.1, "linestyle": (0, (2, 2))}


def energies(jumps: JumpRuns) -> Figure:
    """Energies above, works since the start below, which add up to the energy's change."""
    upper_lines = [
        ("kinetic", "#0072B2", lambda run: _column(run, "kinetic_energy")),
        ("potential", "#009E73", lambda run: _since_start(_column(run, "potential_energy"))),
    ]
    lower_lines = [
        ("torque", "#D55E00", lambda run: _column(run, "actuator_work")),
        ("friction", "#CC79A7", lambda run: run.losses()[0]),
        ("impacts", "#555555", lambda run: run.losses()[1]),
    ]
    if pushes_in(jumps.section):
        lower_lines.append(("pushes", PUSH_COLOUR, lambda run: _column(run, "push_work")))

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        plot_quantities(upper, jumps, upper_lines)
        plot_quantities(lower, jumps, lower_lines)
        for run in jumps.runs:
            total = _column(run, "kinetic_energy") + _column(run, "potential_energy")
            line(lower, run.time[run.shown], _since_start(total)[run.shown], **_SUM)
        for panel in (upper, lower):
            panel.axhline(0.0, color="black", linewidth=0.7)
        upper.set_ylabel("energy [J]")
        lower.set_ylabel("since the start [J]")
        mark_phases([upper, lower], jumps)
        both = Entry("kinetic and potential", "line", line_look(**_SUM))
        labels = [(label, colour) for label, colour, _ in upper_lines + lower_lines]
        legend_of(upper, jumps, labels, both)

    names = jumps.listed
    alt = (
        "Kinetic and potential energy over time; work of the torque, of friction and of impacts "
        f"since the start, and the energy that they add up to, for {names}."
    )
    note = (
        "The potential energy is that above the start. Below, the works add up to what "
        "kinetic and potential energy have gained."
    )
    return draw("Where the energy goes", alt, (2, 1), plot, note=note, row_height=2.4)


def balance(jumps: JumpRuns) -> Table:
    """Works and energies from the start to the end of the jump, a row for every run."""
    rows = []
    for run in jumps.runs:
        last = run.shown.stop - 1
        if not run.exact and run.jump.lands:
            last -= 1  # the row of an engine of steps that ends with the impact of Q or R
        friction, impacts = run.losses()
        kinetic, potential = _column(run, "kinetic_energy"), _column(run, "potential_energy")
        left = energy_less_work(run.data)
        values = (
            _column(run, "actuator_work")[last],
            friction[last],
            impacts[last],
            kinetic[last],
            potential[last] - potential[0],
            left[last] - left[0],
        )
        rows.append((run.name, *(number(float(value), _DIGITS) for value in values)))
    headings = (
        "run",
        "work of the torque [J]",
        "friction [J]",
        "impacts of P [J]",
        "kinetic at the end [J]",
        "potential gained [J]",
        "energy less all work [J]",
    )
    note = (
        "From rest at the start to just before Q or R lands. Works of the ground are negative; "
        "what is left over in the last column is the error of the time stepping."
    )
    return Table("Balance of energy", headings, rows, note)


def _column(run: JumpRun, name: str) -> Array:
    return np.asarray(run.data[name].to_numpy(), dtype=np.float64)


def _since_start(values: Array) -> Array:
    return np.asarray(values - values[0])
