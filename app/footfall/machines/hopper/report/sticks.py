"""The hopper as a stick figure at the instants that the task names: in place, and one by one."""

from typing import Any

import numpy as np

from footfall.machines.hopper.report.runs import JumpRun, JumpRuns, instants
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure
from footfall.report.stick_sequence import sequence_of, stick_panels, stick_sequence

_BELOW = 0.6  # half lengths l below everything, for the dimension line


def stick_figures(jumps: JumpRuns) -> list[Figure]:
    """The first run at its instants: all of them in place, and each by itself."""
    run, l = jumps.first, jumps.machine.parameters.l
    moments = instants(run)
    sequence = sequence_of(jumps.section, run, [run.row_at(moment.time) for moment in moments])
    text = ", ".join(f"{moment.what} {moment.time:.3f} s" for moment in moments)
    whole = stick_sequence(
        sequence,
        f"The jump: {run.name}",
        f"From pale to dark: {text}. Dashed: path of the mass centre.",
        below=_BELOW * l,
        centre=True,
        times=False,
        also=lambda panel: _draw_distance(panel, run, l),
    )
    strip = stick_panels(
        sequence,
        [f"{moment.what}\n{moment.time:.4f} s" for moment in moments],
        f"Instant by instant: {run.name}",
        "Link 1 is blue, link 2 orange; the cross is the mass centre. z is the document's y. All "
        "panels have the same scale and height, and go along with the machine.",
        centre=True,
    )
    return [whole, strip]


def _draw_distance(panel: Panel, run: JumpRun, l: float) -> None:
    """Draw the distance d below the ground, between the places that it is measured from."""
    jump = run.jump
    if not np.isfinite(jump.distance):
        return
    low = -0.4 * l
    thin: dict[str, Any] = {"color": "black", "linewidth": 0.8}
    for x in (jump.x_start, jump.x_end):
        panel.plot([x, x], [-0.04 * l, low - 0.08 * l], **thin)
    panel.arrow((jump.x_start, low), (jump.x_end, low), heads=2, color="black", linewidth=0.9)
    text = f"d = {1e3 * jump.distance:.1f} mm"
    middle = 0.5 * (jump.x_start + jump.x_end)
    panel.annotate(text, (middle, low), (0.0, -3.0), ha="center", va="top")
