"""Figure of what the joints carry."""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.plants.terrain import SURFACE
from footfall.reactions import joint_reactions
from footfall.report.figure import Figure, draw
from footfall.report.panels import MOST_PANELS, finish_time_panels
from footfall.report.section import Section, finite_rows
from footfall.report.wording import listed

_MOST_STEPS = 440  # that are computed: a panel has not as many pixels across
_WINDOW = 0.02  # s, over which forces are averaged
_TERRAIN = f"{SURFACE.partition('::')[0]}::"  # joints of uneven ground
_STEP_COLOUR, _MEAN_COLOUR = "#a9cce3", "#0072B2"
_NOTHING = 1e-6  # m/s^2, times the mass: rounding, as in the joint of a free body
_NOTE = (
    "On the joint's child, motors and stops included. Pale: single steps, in which an impact is "
    "its impulse over the step; the axes are cut where impacts would flatten everything else."
)


def reaction_figures(section: Section) -> list[Figure]:
    """Force and moment of every joint in the first run of the Moreau engine; else nothing."""
    for name, run in section.runs.items():
        rows = len(finite_rows(run))
        if run.trajectory.data.attrs.get("engine") == "moreau" and rows > 1:
            every = -(-rows // _MOST_STEPS)
            try:
                found = joint_reactions(run.trajectory, section.robot, every=every, explained=False)
            except RunError:  # the model has changed since
                return []
            return _figure(section, name, found, every)
    return []


def _figure(section: Section, name: str, reactions: xr.DataArray, every: int) -> list[Figure]:
    """Panels of the joints that carry something, force beside moment; rows of so many steps."""
    values = np.nan_to_num(reactions.to_numpy()[1:])
    moment = np.linalg.norm(values[:, :, :3], axis=2)
    force = np.linalg.norm(values[:, :, 3:], axis=2)
    largest = np.maximum(force.max(axis=0), moment.max(axis=0))
    plant = section.robot.plant
    nothing = _NOTHING * plant.CalcTotalMass(plant.CreateDefaultContext())
    force[force < nothing], moment[moment < nothing] = 0.0, 0.0
    labels = reactions["joint"].to_numpy()
    of_machine = np.array([not str(label).startswith(_TERRAIN) for label in labels], dtype=bool)
    carrying = np.flatnonzero(of_machine & (largest > nothing))
    joints = carrying[: MOST_PANELS // 2]
    if not len(joints):
        return []
    time = reactions["time"].to_numpy()[1:]
    names = [str(label).rpartition("::")[2] for label in labels[joints]]
    window = max(1, round(_WINDOW / (every * section.scenario.time_step)))

    def plot(axes: npt.NDArray[Any]) -> None:
        for panels, joint, label in zip(axes, joints, names, strict=True):
            _plot(panels[0], time, force[:, joint], window)
            _plot(panels[1], time, moment[:, joint], window)
            panels[0].set_ylabel(f"{label}\nforce [N]")
            panels[1].set_ylabel(f"{label}\nmoment [N m]")
        finish_time_panels(axes, 2 * len(joints), legend=axes[0, 1])

    alt = (
        f"Magnitude of the force and the moment in the joints {listed(names)} over time, in {name}."
    )
    idle, more = int(of_machine.sum()) - len(carrying), len(carrying) - len(joints)
    note = _NOTE + (f" One step in {every} is computed." if every > 1 else "")
    note += f" Joints that carry nothing and are left out: {idle}." if idle else ""
    note += f" Joints that there is no room for: {more}." if more else ""
    title = f"Forces in the joints: {name}"
    return [draw(title, alt, (len(joints), 2), plot, note=note, row_height=1.9, dense=True)]


def _plot(panel: Axes, time: Array, steps: Array, window: int) -> None:
    """Fill a panel with a magnitude, step by step and in the mean."""
    mean = uniform_filter1d(steps, window, mode="nearest")
    panel.plot(time, steps, color=_STEP_COLOUR, linewidth=0.6, label="each step")
    panel.plot(time, mean, color=_MEAN_COLOUR, label="mean")
    top = max(float(np.quantile(steps, 0.95)), float(np.quantile(mean, 0.99)))
    top = min(1.05 * float(steps.max()), 1.6 * top) or 1.0
    panel.set_ylim(-0.03 * top, top)
