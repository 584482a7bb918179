"""The compass as a stick figure on its way down the slope, in the world frame W (z upwards)."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.machines.compass.model import foot_points
from footfall.machines.compass.report.runs import Walk, Walks
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_above
from footfall.report.wording import number

_MOST_STEPS = 8  # of a walk: more would be too small to see
_MOMENTS = 5  # of every step
_COLOURS = ("#0072B2", "#D55E00")
_MARGIN = 0.25  # of a leg's length, left and right


def stick_figures(walks: Walks) -> Figure:
    """The first run, some instants of every step."""
    walk = walks.walks[0]
    theta, length = walks.machine.parameters.theta, walks.machine.parameters.l
    rows = _moments(walk)
    R_WT = np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
    hips = R_WT @ walk.states[:2, rows]
    feet = np.einsum("ij,fjk->fik", R_WT, foot_points(walks.machine, walk.states[:, rows])[0])
    ends = np.array([feet[:, 0].min(), feet[:, 0].max()])
    ends += _MARGIN * length * np.array([-1.0, 1.0])

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        panel.plot(ends, -np.tan(theta) * ends, color="black", linewidth=2.0)
        for k in range(len(rows)):
            seen = 0.3 + 0.7 * (k + 1) / len(rows)
            for foot, colour in enumerate(_COLOURS):
                leg = np.transpose([feet[foot, :, k], hips[:, k]])
                label = f"leg {foot + 1}" if k == len(rows) - 1 else None
                panel.plot(*leg, color=colour, linewidth=1.6, alpha=seen, label=label)
            panel.plot(*hips[:, k], "o", color="black", markersize=3.0, alpha=seen)
        for k in (0, -1):
            told: dict[str, Any] = {"textcoords": "offset points", "ha": "center"}
            panel.annotate(f"{walk.time[rows[k]]:.1f} s", hips[:, k], (0, 7), **told)
        panel.set(xlabel="x [m]", ylabel="z [m]", xlim=ends)
        panel.set_aspect("equal")
        panel.margins(y=0.1)
        legend_above(panel)

    steps = min(len(walk.struck), _MOST_STEPS)
    alt = (
        f"Stick figures of {walk.name}: {len(rows)} instants of {steps} steps down a slope of "
        f"{number(np.degrees(theta), 3)} degrees, seen from the side; later ones are darker."
    )
    note = f"In the world's axes, {_MOMENTS} instants of every step; later ones are darker."
    if len(walk.struck) > _MOST_STEPS:
        note += f" The first {_MOST_STEPS} of {len(walk.struck)} steps."
    tall = float(max(hips[1].max(), feet[:, 1].max()) - feet[:, 1].min()) + 0.3 * length
    height = float(np.clip(8.2 * tall / np.ptp(ends), 1.5, 4.5)) + 0.6
    return draw(f"The walk: {walk.name}", alt, (1, 1), plot, note=note, row_height=height)


def _moments(walk: Walk) -> npt.NDArray[np.intp]:
    """Rows of some instants of every step, evenly in time, and the last row that is shown."""
    marks = [0, *(strike.row for strike in walk.struck[:_MOST_STEPS])]
    if len(walk.struck) < _MOST_STEPS:
        marks.append(len(walk.time) - 1)
    rows = [np.linspace(a, b, _MOMENTS, endpoint=False) for a, b in pairwise(marks)]
    found: npt.NDArray[np.intp] = np.unique(np.append(np.concatenate(rows), marks[-1]).astype(int))
    return found
