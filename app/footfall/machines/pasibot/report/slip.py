"""Slides of PASIBOT's feet: x1 over steps with its events, and a table of slides."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.machines.pasibot.report.runs import PasibotRun, PasibotRuns, mark_steps, marked
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, line
from footfall.report.tables import MINUS, NONE, Table

_MOST = 12  # slides of a run that are told
_EVENTS = (("slides ", "^", "slide begins"), ("stops", "v", "slide ends"))


def slip_over_steps(walks: PasibotRuns) -> Figure | None:
    """Way and speed of the supporting feet; None where no run slides."""
    if walks.sliding is None:
        return None

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        for walk in walks.runs:
            gait, style = walk.gait, walk.style
            line(upper, gait.phase, 1e3 * gait.slide, label=walk.name, **style)
            line(lower, gait.phase, 1e3 * gait.speed, **style)
            for begins, mark, label in _EVENTS:
                phase = event_phases(walk, begins)
                at = 1e3 * np.interp(phase, gait.phase, gait.slide)
                dots = {"color": style["color"], "markersize": 5.0, "linestyle": ""}
                if len(phase):
                    upper.plot(phase, at, mark, label=label, zorder=4.0, **dots)
        upper.set_ylabel("slide of the\nfeet x1 [mm]")
        lower.set_ylabel("speed of the slide\n[mm/s]")
        mark_steps([upper, lower], walks)
        legend_on_top(upper)

    alt = f"Slide of the supporting feet and its speed over steps, for {walks.listed}."
    note = (
        "Slides of all feet together, ahead positive: each foot goes on from where the one before "
        f"it was; speeds are means of 10 ms. {marked(walks)}"
    )
    return draw("Slip", alt, (2, 1), plot, note=note, row_height=2.3)


def event_phases(walk: PasibotRun, begins: str) -> npt.NDArray[np.float64]:
    """Phases, in steps since the start, of events whose names begin so; only hybrid tells them."""
    times = [event.time for event in walk.trajectory.events if event.kind.startswith(begins)]
    return np.interp(times, walk.gait.time, walk.gait.phase) if times else np.zeros(0)


def slide_table(walks: PasibotRuns) -> Table:
    """Slides of every run: in which step, from where to where, how far."""
    rows: list[tuple[str, ...]] = []
    for walk in walks.runs:
        shown = walk.slides[:_MOST]
        rows += [_slide(walk, *slide) for slide in shown]
        if not shown:
            rows.append((walk.name, NONE, NONE, NONE, NONE, "no slide"))
        elif len(walk.slides) > _MOST:
            more = f"{len(walk.slides) - _MOST} more"
            rows.append((walk.name, NONE, NONE, NONE, NONE, more))
    headings = ("run", "step", "begins [1]", "ends [1]", "way [mm]", "direction")
    note = (
        "Begin and end as phases of the step in which the slide begins, above 1 in the next one; "
        "slides below 0.02 % of a step are left out, of engines with steps in time below 0.08 %; "
        "these are right to some hundredths, the speed being a mean of 10 ms."
    )
    return Table("Slides", headings, rows, note)


def _slide(walk: PasibotRun, begin: float, end: float, distance: float) -> tuple[str, ...]:
    step = int(np.floor(begin))
    return (
        walk.name,
        str(step + 1),
        f"{begin - step:.4f}",
        f"{end - step:.4f}",
        f"{1e3 * distance:.3f}".replace("-", MINUS),
        "ahead" if distance > 0.0 else "back",
    )
