"""Figures of joints: what they carry, dry friction, and the stops that they run against."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.errors import RunError
from footfall.plants.reactions import JOINT_REACTION
from footfall.plants.terrain import SURFACE
from footfall.reactions import joint_reactions
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import MOST_PANELS, finish_time_panels, grid_shape, line, run_style
from footfall.report.section import RunLike, Section, finite_rows
from footfall.report.tables import listed

_JOINT_COLOUR, _FRICTION_BAND = "#0072B2", "#E69F00"


def joint_figures(section: Section) -> list[Figure]:
    """Torque of dry friction and of stops in every run that has some."""
    figures = []
    for name, run in section.runs.items():
        joints = _acting(run)
        if joints:
            figures.append(_joint_figure(section, name, run, joints))
    return figures


def _acting(run: RunLike) -> list[str]:
    """Joint limits and dry joints that act at some time."""
    data = run.trajectory.data
    closed = (data["mode"].to_numpy() > Mode.OPEN).any(axis=0)
    joints = data["contact_units"].to_numpy() != "m"
    names: list[str] = data["contact"].values[closed & joints].tolist()
    return names


def _joint_figure(section: Section, name: str, run: RunLike, joints: list[str]) -> Figure:
    shown = joints[:MOST_PANELS]
    data = run.trajectory.data
    time = data["time"].to_numpy()
    dt = section.scenario.time_step * section.scenario.record_every

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, joint in zip(axes.ravel(), shown, strict=False):
            force = np.nan_to_num(data["impulse"].sel(contact=joint).to_numpy()) / dt
            dry = joint.endswith(":friction")
            line(panel, time, force[:, 1 if dry else 0], color=_JOINT_COLOUR, linewidth=1.1)
            if dry:  # its normal force is the largest friction
                most = float(force[:, 0].max())
                panel.axhspan(-most, most, color=_FRICTION_BAND, alpha=0.2, linewidth=0.0)
            panel.set_ylabel(f"{joint.rpartition('::')[2]}\n[N m or N]")
        finish_time_panels(axes, len(shown))

    alt = f"Force or torque over time of {listed(shown)} in {name}; friction stays in its band."
    note = f"The first {len(shown)} of {len(joints)}." if len(shown) < len(joints) else ""
    title = f"Joint friction and stops: {name}"
    return draw(title, alt, grid_shape(len(shown)), plot, note=note, row_height=1.7)


_MOST_STEPS = 440  # that are computed: a panel has not as many pixels across
_MOST_RECORDED = 2500  # that are read off the record
_WINDOW = 0.02  # s, over which forces are averaged
_TERRAIN = f"{SURFACE.partition('::')[0]}::"  # joints of uneven ground
_STEP_COLOUR = "#a9cce3"
_NOTHING = 1e-6  # m/s^2, times the mass: rounding, as in the joint of a free body
_TOO_MUCH = 0.01  # of the largest, that the equations of motion may be short of
_NOTE = "On the joint's child, motors and stops included."
_PALE = (
    " Pale: single steps, in which an impact is its impulse over the step; the axes are cut where "
    "impacts would flatten everything else."
)
_ELSEWHERE = (
    " Left out: {}, whose contacts act elsewhere than they are measured, or whose joints stop."
)


def reaction_figures(section: Section) -> list[Figure]:
    """Force and moment of every joint in all runs that tell them; else nothing."""
    reactions: dict[str, xr.DataArray] = {}
    left_out = []
    for name, run in section.runs.items():
        if len(finite_rows(run)) < 2:
            continue
        try:
            own = joint_reactions(run.trajectory, section.robot, every=_every(run))
        except RunError:  # of another engine, or the model has changed since
            continue
        if _short(own) > _TOO_MUCH * float(np.abs(own).max()):
            left_out.append(name)
        else:
            reactions[name] = own
    return _figure(section, reactions, left_out) if reactions else []


def _every(run: RunLike) -> int:
    """Of a long run, one step in so many is drawn."""
    recorded = JOINT_REACTION in run.trajectory.data
    return -(-len(finite_rows(run)) // (_MOST_RECORDED if recorded else _MOST_STEPS))


def _short(reactions: xr.DataArray) -> float:
    """Force that the equations of motion are short of [N or N m], where that is known."""
    return float(np.nan_to_num(reactions["unexplained"].to_numpy()).max(initial=0.0))


def _magnitudes(reactions: xr.DataArray) -> tuple[Array, Array]:
    """Force [N] and moment [N m] of every joint, (N, joints) each."""
    values = np.nan_to_num(reactions.to_numpy())
    return np.linalg.norm(values[:, :, 3:], axis=2), np.linalg.norm(values[:, :, :3], axis=2)


def _figure(
    section: Section, reactions: Mapping[str, xr.DataArray], left_out: list[str]
) -> list[Figure]:
    """Panels of the joints that carry something, force beside moment, all runs in them."""
    first = next(iter(reactions.values()))
    largest = np.maximum(*(of_joints.max(axis=0) for of_joints in _magnitudes(first)))
    plant = section.robot.plant
    nothing = _NOTHING * plant.CalcTotalMass(plant.CreateDefaultContext())
    nothing = max(nothing, 2.0 * _short(first))
    labels = first["joint"].to_numpy()
    of_machine = np.array([not str(label).startswith(_TERRAIN) for label in labels], dtype=bool)
    for own in reactions.values():
        of_machine &= np.isin(labels, own["joint"].to_numpy())
    carrying = np.flatnonzero(of_machine & (largest > nothing))
    joints = labels[carrying[: MOST_PANELS // 2]]
    if not len(joints):
        return []
    names = [str(label).rpartition("::")[2] for label in joints]
    skipped = max(_every(section.runs[name]) for name in reactions)
    steps = len(reactions) == 1 and np.isnan(first.to_numpy()[0]).all()

    def plot(axes: npt.NDArray[Any]) -> None:
        tops = np.zeros(axes.shape)
        for name, own in reactions.items():
            style = {"label": name} | run_style(list(section.runs).index(name))
            time = own["time"].to_numpy()
            window = max(1, round(_WINDOW / float(np.median(np.diff(time)))))
            for column, values in enumerate(_magnitudes(own.sel(joint=joints))):
                values[values < nothing] = 0.0
                for row, of_joint in enumerate(values[1:].T):
                    top = _plot(axes[row, column], time[1:], of_joint, window, style, steps=steps)
                    tops[row, column] = max(tops[row, column], top)
        for panel, top in zip(axes.ravel(), tops.ravel(), strict=True):
            panel.set_ylim(-0.03 * top, top)
        for panels, label in zip(axes, names, strict=True):
            panels[0].set_ylabel(f"{label}\nforce [N]")
            panels[1].set_ylabel(f"{label}\nmoment [N m]")
        finish_time_panels(axes, 2 * len(joints), legend=axes[0, 1])

    runs = listed(list(reactions))
    alt = (
        f"Magnitude of the force and the moment in the joints {listed(names)} over time, in {runs}."
    )
    idle, more = int(of_machine.sum()) - len(carrying), len(carrying) - len(joints)
    note = _NOTE + (_PALE if steps else "")
    note += f" Of all steps one in {skipped} is drawn." if skipped > 1 else ""
    note += f" Joints that carry nothing and are left out: {idle}." if idle else ""
    note += f" Joints that there is no room for: {more}." if more else ""
    note += _ELSEWHERE.format(listed(left_out)) if left_out else ""
    title = f"Forces in the joints: {runs}"
    return [draw(title, alt, (len(joints), 2), plot, note=note, row_height=1.9)]


def _plot(
    panel: Panel, time: Array, values: Array, window: int, style: dict[str, Any], *, steps: bool
) -> float:
    """Add a magnitude to a panel, its mean and behind it the steps; return where it may end."""
    mean = uniform_filter1d(values, window, mode="nearest")
    if steps:
        panel.plot(time, values, color=_STEP_COLOUR, linewidth=0.6, label="each step")
        style = style | {"label": "mean"}
    panel.plot(time, mean, **style)
    top = max(float(np.quantile(values, 0.95)), float(np.quantile(mean, 0.99)))
    return min(1.05 * float(values.max()), 1.6 * top) or 1.0
