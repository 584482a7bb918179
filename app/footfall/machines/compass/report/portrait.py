"""The compass' phase portrait: each leg's angle against its rate, over the exact limit cycle."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from footfall.machines.compass.cycle import ExactCycle
from footfall.machines.compass.report.runs import CompassRun, CompassRuns
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, thin_by

EXACT: dict[str, Any] = {"color": "#c4c4c4", "linewidth": 6.0, "solid_capstyle": "butt"}
_JUMP: dict[str, Any] = {"linestyle": (0, (3, 2)), "linewidth": 0.9}
_WIDTHS = (1.8, 1.1, 0.7)  # of the runs, the last for all further ones
_TITLES = ("leg 1", "leg 2")
_NOTE = (
    "Angles are from the slope's normal, positive where the foot is ahead of the hip. Dashed: the "
    "jump of the rates at a heel strike, at the angles that the legs have there."
)


def phase_portrait(walks: CompassRuns) -> Figure:
    """A panel for each leg; every run in its colour."""

    def plot(axes: npt.NDArray[Any]) -> None:
        for leg, panel in enumerate(axes[0]):
            if walks.cycle is not None:
                _plot_exact(panel, walks.cycle)
            for walk in walks.runs:
                _plot_run(panel, walk, leg)
            panel.set_title(_TITLES[leg], loc="left")
            panel.set_xlabel("angle from the normal [deg]")
            panel.set_ylabel("rate [deg/s]")
        legend_on_top(axes[0, 0])

    over = ", over the exact limit cycle" if walks.cycle is not None else ""
    alt = f"Angle of each leg from the slope's normal against its rate, for {walks.listed}{over}."
    grey = " Grey: the exact limit cycle." if walks.cycle is not None else ""
    return draw("Phase portrait", alt, (1, 2), plot, note=_NOTE + grey, row_height=4.0)


def _plot_exact(panel: Axes, cycle: ExactCycle) -> None:
    """The limit cycle, which either leg goes through in two steps, standing and swinging."""
    q1, q2, w1, w2 = np.degrees(cycle.x)
    panel.plot(q1, w1, label="exact cycle", **EXACT)
    panel.plot(q1 + q2 - 180.0, w1 + w2, **EXACT)
    # the standing leg becomes the swinging one at the strike, and the other way round
    ends = ((q1[-1], w1[-1]), (q1[-1] + q2[-1] - 180.0, w1[-1] + w2[-1]))
    begins = ((q1[0] + q2[0] - 180.0, w1[0] + w2[0]), (q1[0], w1[0]))
    for end, begin in zip(ends, begins, strict=True):
        panel.plot(*np.transpose([end, begin]), **(EXACT | {"linewidth": 2.5}))


def _plot_run(panel: Axes, walk: CompassRun, leg: int) -> None:
    """The stances of a run, joined by its impacts."""
    angle, rate = (np.degrees(each[leg]) for each in walk.legs())
    width = _WIDTHS[min(walk.index, len(_WIDTHS) - 1)]
    style = walk.style | {"linestyle": "-", "linewidth": width}
    every = thin_by(len(angle))
    stances = [stance for stance in walk.stances() if stance.stop > stance.start]
    for number, stance in enumerate(stances):
        rows = np.unique(np.append(np.arange(stance.start, stance.stop, every), stance.stop - 1))
        panel.plot(angle[rows], rate[rows], label=walk.name if number == 0 else None, **style)
    for one, other in pairwise(stances):
        rows = np.array([one.stop - 1, other.start])
        panel.plot(angle[rows], rate[rows], **(style | _JUMP))
