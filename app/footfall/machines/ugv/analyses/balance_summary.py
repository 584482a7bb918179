"""Summaries of sweeps of quasi-static balance: checks of its torques, and what a map comes to."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from footfall.analysis.functions import labelled
from footfall.machines.ugv.analyses.balance import way_of
from footfall.machines.ugv.analyses.speed_limit import shares
from footfall.machines.ugv.analyses.traversal_task import ALIKE, TraversalTask
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.tracks import Bump
from footfall.registry.claims import Claim, checked
from footfall.registry.context import MachineContext

_SOURCE = "the balance of Corral et al. 2016, section 8"
_OPPOSITE = 1e-3  # of the largest torque
_REAR, _FRONT = "parameters.rear", "parameters.front"


def summary(data: xr.Dataset, context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Checks of curves of angles that stay, bounds and best angles of a map, orders of drives."""
    function = data.attrs["function"]
    if function == "balance" and {_REAR, _FRONT} <= set(data.dims) and "station" in data.dims:
        return _of_map(data.isel(engine=0, drop=True)), ()
    if function == "slow_drive":
        return shares(data), ()
    if function == "traversed" and "station" in data.dims:
        given = json.loads(str(data.attrs["parameters"]))
        return xr.Dataset(), _checks(data.isel(engine=0, drop=True), context, given)
    return xr.Dataset(), ()


def _of_map(data: xr.Dataset) -> xr.Dataset:
    """Torques among which the legs can choose, place by place, and the best angles that stay."""
    passing, over = data["outcome"] == 0, [_REAR, _FRONT]
    torque = data["torque"].where(passing)
    bounds = {
        "lowest_torque": (torque.min(over), "smallest torque of all angles that pass"),
        "highest_torque": (torque.max(over), "largest torque of all angles that pass"),
        "least_effort": (abs(torque).min(over), "least size of the torque of angles that pass"),
        "torque_on_passage": (torque, "torque where the vehicle passes"),
    }
    found = xr.Dataset(
        {
            name: value.assign_attrs(units="N m", long_name=meaning)
            for name, (value, meaning) in bounds.items()
        }
    )
    least = float(found["least_effort"].max(skipna=False))
    numbers = {
        "passing_share": (float(passing.mean()), "1", "points of the map that it passes, of all"),
        "passing_torque_max": (float(torque.max()), "N m", "largest torque where it passes"),
        "passing_torque_min": (float(torque.min()), "N m", "smallest torque where it passes"),
        "least_peak": (
            least,
            "N m",
            "largest size of the torque if each place has the map's angles of the least there",
        ),
    }
    peaks = data["torque_peak"]
    if bool(peaks.notnull().any()):
        best = peaks.argmin([_REAR, _FRONT])
        place = {name: float(data[name][int(at)]) for name, at in best.items()}
        numbers |= {
            "fixed_peak": (float(peaks.min()), "N m", "least peak of angles that stay"),
            "fixed_rear": (place[_REAR], "deg", "these angles, of the rear leg"),
            "fixed_front": (place[_FRONT], "deg", "of the front leg"),
        }
    return found.merge(labelled(numbers))


def _checks(data: xr.Dataset, context: MachineContext, given: dict[str, Any]) -> list[Claim]:
    """Return what follows from the balance of the document's vehicle on its bump."""
    task = way_of(context, **given)
    wheels = data[["rear_z", "front_z"]].isel(station=[0, -1]).to_array().to_numpy()
    left = float(np.abs(wheels - task.parameters.r).max())
    if not task.is_text or not left <= ALIKE:
        return []
    work = float(abs(data["wheel_work"]).max())
    quadrature = float(data["energy_residual"].max())
    return [
        _none(
            "work of the wheels over the bump, of any pair of angles",
            "J",
            work,
            task.parameters.weight * left + quadrature,
            "from level ground to level ground at angles that stay: what is lost uphill comes back "
            f"downhill, but for {left:.1e} m that a wheel stands higher at an end, and quadrature",
        ),
        _none(
            "torque of a pair, and of the pair swapped where the bump's top mirrors it: their sum "
            "over the largest torque",
            "1",
            _oddness(task, data),
            _OPPOSITE,
            "bump and vehicle are the same seen in a mirror, which turns the torque about; read "
            "off a track of facets, slopes err by some 1e-5",
        ),
    ]


def _oddness(task: TraversalTask, data: xr.Dataset) -> float:
    """Largest sum of torques that are each other's mirror image, over the largest torque."""
    rear = 2.0 * Bump().place - data["rear_x"]  # of the front wheel in the mirror
    phi_r, phi_f, seen, torque = (
        one.transpose(..., "station").to_numpy()
        for one in xr.broadcast(data["phi_r"], data["phi_f"], rear, data["torque"])
    )
    at = pose(task.parameters, task.curve, seen, phi_f, phi_r)
    off = forces(task.parameters, at).torque + torque
    return float(np.nanmax(np.abs(off)) / np.nanmax(np.abs(torque)))


def _none(name: str, unit: str, value: float, tolerance: float, reason: str) -> Claim:
    """A check of a value that is to be 0; the document says none of them, its Figure 24 is lost."""
    return checked(name, unit, value, 0.0, tolerance, source=_SOURCE, reason=reason)
