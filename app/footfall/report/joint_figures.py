"""Figures of what joints do by themselves: dry friction, and the stops that they run against."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.contact import Mode
from footfall.report.figure import Figure, draw
from footfall.report.panels import MOST_PANELS, finish_time_panels, grid_shape, line
from footfall.report.section import RunLike, Section
from footfall.report.wording import listed

_COLOUR, _BAND = "#0072B2", "#E69F00"


def joint_figures(section: Section) -> list[Figure]:
    """Torque of dry friction and of stops in every run that has some."""
    figures = []
    for name, run in section.runs.items():
        joints = _acting(run)
        if joints:
            figures.append(_figure(section, name, run, joints))
    return figures


def _acting(run: RunLike) -> list[str]:
    """Joint limits and dry joints that act at some time."""
    data = run.trajectory.data
    closed = (data["mode"].to_numpy() > Mode.OPEN).any(axis=0)
    joints = data["contact_units"].to_numpy() != "m"
    names: list[str] = data["contact"].values[closed & joints].tolist()
    return names


def _figure(section: Section, name: str, run: RunLike, joints: list[str]) -> Figure:
    shown = joints[:MOST_PANELS]
    data = run.trajectory.data
    time = data["time"].to_numpy()
    dt = section.scenario.time_step * section.scenario.record_every

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, joint in zip(axes.ravel(), shown, strict=False):
            force = np.nan_to_num(data["impulse"].sel(contact=joint).to_numpy()) / dt
            dry = joint.endswith(":friction")
            line(panel, time, force[:, 1 if dry else 0], color=_COLOUR, linewidth=1.1)
            if dry:  # its normal force is the largest friction
                most = float(force[:, 0].max())
                panel.axhspan(-most, most, color=_BAND, alpha=0.2, linewidth=0.0)
            panel.set_ylabel(f"{joint.rpartition('::')[2]}\n[N m or N]")
        finish_time_panels(axes, len(shown))

    alt = f"Force or torque over time of {listed(shown)} in {name}; friction stays in its band."
    note = f"The first {len(shown)} of {len(joints)}." if len(shown) < len(joints) else ""
    title = f"Joint friction and stops: {name}"
    return draw(title, alt, grid_shape(len(shown)), plot, note=note, row_height=1.7)
