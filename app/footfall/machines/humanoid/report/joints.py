"""Tracked points, joint angles and torques of the humanoid, figures 5.1, 5.2 and 5.5 to 5.14."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.phases import NAMES, SIDES, GaitPhase
from footfall.machines.humanoid.record import TRACKED
from footfall.machines.humanoid.report.runs import (
    JOINT_COLOURS,
    HumanoidRuns,
    draw_rows,
    mark_double_support,
    marked,
    widen,
)
from footfall.report.figure import Figure, draw
from footfall.report.panels import finish_time_panels, grid_shape, legend_on_top
from footfall.report.tables import listed

_WORDS = {
    "O1": ("Figure 5.1: O1, between the hips, against its reference", "O1"),
    "G1": ("Figure 5.2: G1, mass centre of the trunk, against its reference", "G1"),
    "heel": ("Heel of the swinging foot against its reference", "heel"),
}
_REFERENCE: dict[str, Any] = {"color": "black", "linewidth": 0.9, "linestyle": (0, (5, 3))}
_LABELS = ("ahead\nx [m]", "to the left\ny [mm]", "up\nz [mm]")
_FACTORS = (1.0, 1e3, 1e3)
_LEAST_RANGE = 4e-3  # m: less is not shown larger


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
            widen(panel, factor * _LEAST_RANGE)
        mark_double_support(panels, runs.walks[0], runs.walks[0].shown)
        finish_time_panels(axes, len(panels))

    part = "of the foot that swings, in single support; " if swings else ""
    note = (
        f"The first two gait cycles. Place {part}in the world. {marked(runs)} The reference of "
        "each phase starts where the phase begins."
    )
    alt = f"Place of {name} and its reference over time: x, y and z, for {runs.listed}."
    return draw(title, alt, (3, 1), plot, note=note, row_height=1.6)


def _points(values: Array, index: int, phase: npt.NDArray[np.int8]) -> Array:
    """Places (N, 3) of a point; of the heel only where it swings."""
    places = np.array(values[:, index])
    if TRACKED[index] == "heel":
        places[phase % 2 == 0] = np.nan
    return places


_DEGREE = 57.29577951308232
_LEAST_ANGLE = 0.1  # degrees: less is not shown larger
_NUMBERS = {"right": "Figure 5.5: ", "left": "Figure 5.6: "}


def joint_angles(runs: HumanoidRuns) -> list[Figure]:
    """Angles of the right leg, then of the left one."""
    return [_angles(runs, side) for side in ("right", "left")]


def _angles(runs: HumanoidRuns, side: str) -> Figure:
    first = runs.walks[0] if runs.walks else runs.first

    def plot(axes: npt.NDArray[Any]) -> None:
        panels = list(axes.ravel())
        for panel, name in zip(panels, NAMES, strict=True):
            for run in runs.runs:
                angle = _DEGREE * run.data["q"].sel(position=f"{side}_{name}").to_numpy()
                draw_rows(panel, run, run.shown, angle, label=run.name)
            widen(panel, _LEAST_ANGLE)
            panel.set_ylabel(f"{name.replace('_', ' ')} [deg]")
        mark_double_support(panels, first, first.shown)
        finish_time_panels(axes, len(panels))

    jumps = (
        " Angles jump where the foot lands, as the thesis sets them anew (3.5)."
        if runs.walks
        else ""
    )
    note = f"{marked(runs)}{jumps} A knee is bent where it is positive.".strip()
    alt = f"Angles of the {side} leg's joints over time, {listed(NAMES)}, for {runs.listed}."
    title = f"{_NUMBERS[side]}angles" if runs.walks else "Angles"
    return draw(
        f"{title} of the {side} leg", alt, grid_shape(len(NAMES)), plot, note=note, row_height=1.5
    )


def joint_torques(runs: HumanoidRuns) -> Figure:
    """Torques of each leg in each phase of the second gait cycle."""
    run = runs.walks[0]
    cycle = {each.phase: each for each in run.second_cycle}
    torques = run.data["actuation"]

    def plot(axes: npt.NDArray[Any]) -> None:
        for panels, phase in zip(axes, _order(), strict=True):
            for panel, side in zip(panels, SIDES, strict=True):
                if phase in cycle:
                    at = cycle[phase]
                    time, of_phase = run.time[at.rows] - at.begin, torques.isel(time=at.rows)
                    for name in NAMES:
                        torque = of_phase.sel(actuator=f"{side}_{name}").to_numpy()
                        called = name.replace("_", " ")
                        panel.plot(time, torque, color=JOINT_COLOURS[name], label=called)
                panel.set_title(f"{side} leg: {phase.words}")
            panels[0].set_ylabel("torque [N m]")
        for panel in axes.ravel():
            panel.axhline(0.0, color="black", linewidth=0.7)
            panel.margins(x=0.0)
        for panel in axes[-1]:
            panel.set_xlabel("time in the phase [s]")
        legend_on_top(axes[0, 0])

    alt = (
        "Torques of all joints over time, a panel for each leg in each of the four phases of a "
        f"gait cycle, in {run.name}."
    )
    begin, end = run.second_cycle[0].begin, run.second_cycle[-1].end
    note = (
        f"{run.name}, the gait cycle from {begin:.2f} to {end:.2f} s; positive torques turn a "
        "joint as its angle counts. Panels have scales of their own."
    )
    title = "Figures 5.7 to 5.14: torques of the joints by phase and leg"
    return draw(title, alt, (4, 2), plot, note=note, row_height=1.8, share_x=False)


def _order() -> list[GaitPhase]:
    """Phases in the order of the thesis's figures."""
    return sorted(GaitPhase, key=lambda phase: (not phase.is_double, phase))
