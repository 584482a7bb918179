"""Tracked points, joints and their loads, figures 5.1, 5.2 and 5.5 to 5.14 of the thesis."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.phases import NAMES, SIDES, GaitPhase
from footfall.machines.humanoid.record import TRACKED
from footfall.machines.humanoid.report.ground import small
from footfall.machines.humanoid.report.runs import (
    JOINT_COLOURS,
    HumanoidRun,
    HumanoidRuns,
    draw_rows,
    mark_double_support,
    marked,
    widen,
)
from footfall.report.figure import Figure, draw
from footfall.report.panels import finish_time_panels, grid_shape, legend_on_top
from footfall.report.tables import NONE, Table, listed

_WORDS = {
    "O1": ("Figure 5.1: O1, between the hips, against its reference", "O1"),
    "G1": ("Figure 5.2: G1, mass centre of the trunk, against its reference", "G1"),
    "heel": ("Heel of the swinging foot against its reference", "heel"),
}
_REFERENCE: dict[str, Any] = {"color": "black", "linewidth": 0.9, "linestyle": (0, (5, 3))}
_LABELS = ("ahead\nx [m]", "to the left\ny [mm]", "up\nz [mm]")
_FACTORS = (1.0, 1e3, 1e3)
_JOINTS = {name: name.replace("_", " ") for name in NAMES}  # of a leg, and what they are called
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
    words = (
        "Figures 5.7 to 5.14: torques of the joints by phase and leg",
        "Torques of all joints",
        "positive torques turn a joint as its angle counts.",
    )
    torque = run.data["actuation"].rename(actuator="joint")
    return _by_phase_and_leg(run, words, "torque [N m]", torque, _JOINTS)


def joint_loads(runs: HumanoidRuns) -> list[Figure]:
    """Forces and moments that the joints of each leg carry in each phase of that cycle."""
    run = runs.walks[0]
    force, moment = (
        xr.DataArray(values, {"joint": run.data["joint"]}, ("time", "joint"))
        for values in run.loads
    )
    force_words = (
        "Forces in the joints by phase and leg",
        "Magnitudes of the forces in hip, knee, ankle and toe",
        "both hinges of a hip or an ankle carry the same force.",
    )
    moment_words = (
        "Moments across the axes of the joints by phase and leg",
        "Magnitudes of the moments across the axes of all hinges",
        "a motor's torque is along its own axis, and across that of the other hinge of its joint.",
    )
    joints = {name: name.partition("_")[0] for name in ("hip_pitch", "knee", "ankle_pitch", "toe")}
    return [
        _by_phase_and_leg(run, force_words, "force [N]", force, joints),
        _by_phase_and_leg(run, moment_words, "moment [N m]", moment, _JOINTS),
    ]


def load_table(runs: HumanoidRuns) -> Table:
    """Largest loads of every hinge, in both kinds of support of the second cycle and at all."""
    rows: list[tuple[str, ...]] = []
    for run in runs.walks:
        shown = slice(run.second_cycle[0].rows.start, run.second_cycle[-1].rows.stop)
        single = run.phase[shown] % 2 == 1
        for k, name in enumerate(run.data["joint"].values.tolist()):
            row = [run.name, name.replace("_", " ")]
            for values in run.loads:
                of_hinge = values[shown, k]
                parts = (of_hinge[single], of_hinge[~single], values[:, k])
                row += [small(float(part.max())) if part.size else NONE for part in parts]
            rows.append(tuple(row))
    kinds = ("single support", "double support", "whole walk")
    headings = (
        "run",
        "joint",
        *(f"force, {kind} [N]" for kind in kinds),
        *(f"moment, {kind} [N m]" for kind in kinds),
    )
    note = (
        "Single and double support of the second gait cycle. Moments are those across the axis of "
        "the hinge; along it the motor acts."
    )
    return Table("Largest reactions in the joints", headings, rows, note)


def _by_phase_and_leg(
    run: HumanoidRun,
    words: tuple[str, str, str],
    label: str,
    values: xr.DataArray,
    joints: Mapping[str, str],
) -> Figure:
    """Lines of some joints of each leg in each phase of the second gait cycle.

    words: title, what is shown, and what a note has to say of it. values (time, joint): of all
    joints by their names; joints: those of a leg that are drawn, and what they are called.
    """
    cycle = {each.phase: each for each in run.second_cycle}

    def plot(axes: npt.NDArray[Any]) -> None:
        for panels, phase in zip(axes, _order(), strict=True):
            for panel, side in zip(panels, SIDES, strict=True):
                if phase in cycle:
                    at = cycle[phase]
                    time, of_phase = run.time[at.rows] - at.begin, values.isel(time=at.rows)
                    for name, called in joints.items():
                        line = of_phase.sel(joint=f"{side}_{name}").to_numpy()
                        panel.plot(time, line, color=JOINT_COLOURS[name], label=called)
                panel.set_title(f"{side} leg: {phase.words}")
            panels[0].set_ylabel(label)
        for panel in axes.ravel():
            panel.axhline(0.0, color="black", linewidth=0.7)
            panel.margins(x=0.0)
        for panel in axes[-1]:
            panel.set_xlabel("time in the phase [s]")
        legend_on_top(axes[0, 0])

    title, shown, remark = words
    alt = (
        f"{shown} over time, a panel for each leg in each of the four phases of a gait cycle, in "
        f"{run.name}."
    )
    begin, end = run.second_cycle[0].begin, run.second_cycle[-1].end
    note = (
        f"{run.name}, the gait cycle from {begin:.2f} to {end:.2f} s; {remark} Panels have scales "
        "of their own."
    )
    return draw(title, alt, (4, 2), plot, note=note, row_height=1.8, share_x=False)


def _order() -> list[GaitPhase]:
    """Phases in the order of the thesis's figures."""
    return sorted(GaitPhase, key=lambda phase: (not phase.is_double, phase))
