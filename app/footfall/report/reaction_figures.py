"""Figures of joints: what they carry, dry friction, and the stops that they run against."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.errors import RunError
from footfall.feet.gait import WINDOW, mean_of
from footfall.plants.reactions import JOINT_REACTION
from footfall.plants.terrain import SURFACE
from footfall.reactions import joint_reactions
from footfall.report.contact_figures import PALE
from footfall.report.curves import Curve, Line, Plot, Zone, curves
from footfall.report.figure import Figure
from footfall.report.panels import MOST_PANELS, usual_top
from footfall.report.run_view import RunView, RunViews
from footfall.report.tables import listed

Runs = RunViews[Any]

_JOINT: dict[str, Any] = {"color": "#0072B2", "linewidth": 1.1}
_BAND: dict[str, Any] = {"color": "#E69F00", "alpha": 0.2, "linewidth": 0.0}


def joint_figures(runs: Runs) -> list[Figure]:
    """Torque of dry friction and of stops in every run that has some."""
    scenario = runs.section.scenario
    dt, figures = scenario.time_step * scenario.record_every, []
    for run in runs.runs:
        plots = []
        for joint in _acting(run):
            force = np.nan_to_num(run.data["impulse"].sel(contact=joint).to_numpy()) / dt
            dry = joint.endswith(":friction")  # its normal force is the largest friction
            most = float(force[:, 0].max())
            band = [Zone(-most, most, look=_BAND)] if dry else []
            line = Line(run.time, force[:, 1 if dry else 0], look=_JOINT)
            plots.append(Plot(f"{joint.rpartition('::')[2]}\n[N m or N]", [line, *band]))
        if plots:
            title = f"Joint friction and stops: {run.name}"
            figures.append(curves(runs, title, plots, columns=2, row_height=1.7))
    return figures


def _acting(run: RunView) -> list[str]:
    """Joint limits and dry joints that act at some time."""
    closed = (run.data["mode"].to_numpy() > Mode.OPEN).any(axis=0)
    joints = run.data["contact_units"].to_numpy() != "m"
    names: list[str] = run.data["contact"].values[closed & joints].tolist()
    return names


_MOST_STEPS = 440  # that are computed: a panel has not as many pixels across
_MOST_RECORDED = 2500  # that are read off the record
_TERRAIN = f"{SURFACE.partition('::')[0]}::"  # joints of uneven ground
_NOTHING = 1e-6  # m/s^2, times the mass: rounding, as in the joint of a free body
_TOO_MUCH = 0.01  # of the largest, that the equations of motion may be short of
_NOTE = f"On the joint's child, motors and stops included. Means over {1e3 * WINDOW:g} ms."
_PALE = (
    " Pale: single steps, in which an impact is its impulse over the step; the axes are cut where "
    "impacts would flatten everything else."
)
_ELSEWHERE = (
    " Left out: {}, whose contacts act elsewhere than they are measured, or whose joints stop."
)


def reaction_figures(runs: Runs) -> list[Figure]:
    """Force and moment of every joint in all runs that tell them; else nothing."""
    reactions: dict[str, xr.DataArray] = {}
    left_out = []
    for run in runs.runs:
        try:
            own = joint_reactions(run.trajectory, runs.section.robot, every=_every(run))
        except RunError:  # of another engine, or the model has changed since
            continue
        if _short(own) > _TOO_MUCH * float(np.abs(own).max()):
            left_out.append(run.name)
        else:
            reactions[run.name] = own
    return _figure(runs, reactions, left_out) if reactions else []


def _every(run: RunView) -> int:
    """Of a long run, one step in so many is drawn."""
    return -(-len(run.time) // (_MOST_RECORDED if JOINT_REACTION in run.data else _MOST_STEPS))


def _short(reactions: xr.DataArray) -> float:
    """Force that the equations of motion are short of [N or N m], where that is known."""
    return float(np.nan_to_num(reactions["unexplained"].to_numpy()).max(initial=0.0))


def _magnitudes(reactions: xr.DataArray) -> Array:
    """Force [N] and moment [N m] of every joint, (N, joints, 2)."""
    values = np.nan_to_num(reactions.to_numpy())
    parts = values[:, :, 3:], values[:, :, :3]
    return np.stack([np.linalg.norm(one, axis=2) for one in parts], axis=2)


def _figure(runs: Runs, reactions: Mapping[str, xr.DataArray], left_out: list[str]) -> list[Figure]:
    """Panels of the joints that carry something, force beside moment, all runs in them."""
    first = next(iter(reactions.values()))
    largest = _magnitudes(first).max(axis=(0, 2))
    plant = runs.section.robot.plant
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
    shown = [run for run in runs.runs if run.name in reactions]
    steps = len(shown) == 1 and bool(np.isnan(first.to_numpy()[0]).all())
    values = {name: _magnitudes(own.sel(joint=joints))[1:] for name, own in reactions.items()}
    times = {name: own["time"].to_numpy()[1:] for name, own in reactions.items()}
    for magnitudes in values.values():
        magnitudes[magnitudes < nothing] = 0.0
    means = {name: mean_of(times[name], own) for name, own in values.items()}

    def of(every: Mapping[str, Array], joint: int, part: int, run: RunView) -> tuple[Array, Array]:
        return times[run.name], every[run.name][:, joint, part]

    plots = []
    for j, label in enumerate(joints):
        for k, quantity in enumerate(("force [N]", "moment [N m]")):
            top = max(usual_top(values[n][:, j, k], means[n][:, j, k]) for n in reactions)
            lines = [Curve(partial(of, means, j, k), "mean" if steps else "", runs=shown)]
            if steps:
                lines.insert(
                    0, Curve(partial(of, values, j, k), "each step", runs=shown, look=PALE)
                )
            name = str(label).rpartition("::")[2]
            plots.append(Plot(f"{name}\n{quantity}", lines, low=-0.03 * top, high=top))
    idle, more = int(of_machine.sum()) - len(carrying), len(carrying) - len(joints)
    skipped = max(_every(run) for run in shown)
    note = _NOTE + (_PALE if steps else "")
    note += f" Of all steps one in {skipped} is drawn." if skipped > 1 else ""
    note += f" Joints that carry nothing and are left out: {idle}." if idle else ""
    note += f" Joints that there is no room for: {more}." if more else ""
    note += _ELSEWHERE.format(listed(left_out)) if left_out else ""
    title = f"Forces in the joints: {listed(reactions)}"
    return [curves(runs, title, plots, note=note, columns=2, paired=True)]
