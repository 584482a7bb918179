"""Observables of the biped's walk: what is read off any engine's trajectory."""

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.feet import MachineFeet
from footfall.machines.biped.closed_form.model import Biped
from footfall.machines.biped.model import FEET, POINTS
from footfall.trajectory import Trajectory
from footfall_controllers.controller import Reference

_STRIDE = 0.05  # m; feet that are closer than this stand side by side


def points(q: Array) -> Array:
    """Positions of hip, knees and feet in the slope frame, (..., 5, 2) [m], for q (..., 6)."""
    return Biped().points(q)


def foot_slip_so_far(data: xr.Dataset) -> Array:
    """Distance that the loaded feet have slid along the slope by each time, (N,) [m].

    Both feet and all steps are added. A foot slides in a step if it is loaded at the end of it.
    """
    x = _feet(data)[:, :, 0]
    loaded = data["mode"].sel(contact=list(FEET)).to_numpy() > Mode.OPEN
    moved = np.where(loaded[1:], np.abs(np.diff(x, axis=0)), 0.0).sum(axis=1)
    return np.concatenate(([0.0], np.cumsum(moved)))


def foot_slip(trajectory: Trajectory) -> float:
    """Distance that the loaded feet slide along the slope, both feet and all steps added [m]."""
    return float(foot_slip_so_far(trajectory.data)[-1])


def swing_clearance(trajectory: Trajectory) -> float:
    """Smallest height of a swinging foot at the moments when it passes the other one [m].

    A pass counts when the feet are more than _STRIDE apart, on opposite sides, before and after
    it. NaN if there is none.
    """
    position = _feet(trajectory.data)
    ahead = position[:, 0, 0] - position[:, 1, 0]
    apart = np.flatnonzero(np.abs(ahead) > _STRIDE)
    turns = np.flatnonzero(np.diff(np.sign(ahead[apart])) != 0)
    heights = []
    for start, end in zip(apart[turns], apart[turns + 1], strict=True):
        passing = start + int(np.abs(ahead[start : end + 1]).argmin())
        heights.append(position[passing, :, 1].max())
    return float(min(heights)) if heights else float("nan")


def _feet(data: xr.Dataset) -> Array:
    """Positions of both feet in the slope frame, (N, 2, 2) [m]."""
    return points(data["q"].to_numpy())[:, [2, 4]]


def joint_clearance(trajectory: Trajectory) -> float:
    """Smallest height of hip and knees above the slope [m]."""
    return float(points(trajectory.data["q"].to_numpy())[:, [0, 1, 3], 1].min())


def mass_centre_velocity(trajectory: Trajectory) -> Array:
    """Velocity of the mass centre along the slope over time, (N,) [m/s]."""
    machine = Biped()
    masses = np.array(machine.parameters.m)
    q, v = trajectory.data["q"].to_numpy(), trajectory.data["v"].to_numpy()
    momentum = [masses @ (machine.w_t(q_k).T @ v_k) for q_k, v_k in zip(q, v, strict=True)]
    return np.array(momentum) / masses.sum()


def rebound(trajectory: Trajectory) -> float:
    """Normal velocity of the first point that lands, after its landing over that before, turned.

    0 for a purely inelastic landing, 1 for a purely elastic one. NaN where nothing lands.
    """
    data = trajectory.data
    feet = MachineFeet(data, POINTS)
    landings = feet.landings()
    if not landings or feet.loaded[0].any():
        return float("nan")
    row, point = landings[0]
    before = row - 1
    q, v = data["q"].to_numpy()[before], data["v"].to_numpy()[before]
    approach = float((Biped().w_n(q).T @ v)[point])
    after = float(data["contact_velocity"].sel(axis="n", contact=POINTS[point])[row])
    return -after / approach if approach < 0.0 else float("nan")


def tracking_error(trajectory: Trajectory, joints: list[str], reference: Reference) -> float:
    """Root mean square of the distances of the joints from their reference [rad]."""
    times = trajectory.data["time"].to_numpy()
    wanted = np.array([reference.sample(float(t))[0] for t in times])
    apart = trajectory.data["q"].sel(position=joints).to_numpy() - wanted
    return float(np.sqrt((apart**2).mean()))
