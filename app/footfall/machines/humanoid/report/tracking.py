"""Trunk and swinging heel of the humanoid against their references, figures 5.1 and 5.2."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.humanoid.record import TRACKED
from footfall.machines.humanoid.report.runs import (
    HumanoidRuns,
    draw_rows,
    mark_double_support,
    marked,
    widen,
)
from footfall.report.figure import Figure, draw
from footfall.report.panels import finish_time_panels

_WORDS = {
    "O1": ("Figure 5.1: O1, between the hips, against its reference", "O1"),
    "G1": ("Figure 5.2: G1, mass centre of the trunk, against its reference", "G1"),
    "heel": ("Heel of the swinging foot against its reference", "heel"),
}
_REFERENCE: dict[str, Any] = {"color": "black", "linewidth": 0.9, "linestyle": (0, (5, 3))}
_LABELS = ("ahead\nx [m]", "to the left\ny [mm]", "up\nz [mm]")
_FACTORS = (1.0, 1e3, 1e3)
_NARROW = 4e-3  # m: less is not shown larger


def tracked_points(runs: HumanoidRuns) -> list[Figure]:
    """Each tracked point over the first two gait cycles."""
    return [_point(runs, index) for index in range(len(TRACKED))]


def _point(runs: HumanoidRuns, index: int) -> Figure:
    title, name = _WORDS[TRACKED[index]]
    swings = TRACKED[index] == "heel"

    def plot(axes: npt.NDArray[Any]) -> None:
        panels = list(axes[:, 0])
        for k, (panel, label, factor) in enumerate(zip(panels, _LABELS, _FACTORS, strict=True)):
            for run in runs.walks:
                values = factor * _points(run.data["tracked_point"].to_numpy(), index, run.phase)
                draw_rows(panel, run, run.shown, values[:, k], label=run.name)
            first = runs.walks[0]
            wanted = factor * _points(first.data["wanted_point"].to_numpy(), index, first.phase)
            style = _REFERENCE | {"label": "reference", "zorder": 3.0}
            draw_rows(panel, first, first.shown, wanted[:, k], **style)
            panel.set_ylabel(label)
            widen(panel, factor * _NARROW)
        mark_double_support(panels, runs.walks[0], runs.walks[0].shown)
        finish_time_panels(axes, len(panels))

    kept = "of the foot that swings, in single support; " if swings else ""
    note = (
        f"The first two gait cycles. Place {kept}in the world. {marked(runs)} The reference of "
        "each phase starts where the phase begins."
    )
    alt = f"Place of {name} and its reference over time: x, y and z, for {runs.listed}."
    return draw(title, alt, (3, 1), plot, note=note, row_height=1.6)


def _points(values: Array, index: int, phase: npt.NDArray[np.int8]) -> Array:
    """Places (N, 3) of a point; of the heel only where it swings."""
    found = np.array(values[:, index])
    if TRACKED[index] == "heel":
        found[phase % 2 == 0] = np.nan
    return found
