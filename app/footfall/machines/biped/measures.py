"""Metrics of the biped's walk in any engine, and claims of figures 5, 7 and 8 of the report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.feet import MachineFeet
from footfall.machines.biped.closed_form.model import Biped
from footfall.machines.biped.control import STAGE1_STEP, BipedGait
from footfall.machines.biped.engine import FEET, JOINTS, POINTS
from footfall.metrics import Metric, scalar
from footfall.plants.motors import gear_ratios
from footfall.registry.claims import Claim, read_statements
from footfall.registry.closed_form import is_motored
from footfall.registry.context import Conditions, MachineContext
from footfall.registry.documents import read_metrics
from footfall.trajectory import Trajectory
from footfall_controllers.controller import Reference, actuated_joints

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


METRICS = read_metrics(__package__)
"""Unit and meaning of every metric of ``measures``."""

_NO_ENERGY = 1e-300  # J: what never moves loses nothing


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The biped's own metrics, in SI; METRICS says what they are.

    The start, where the robot is at rest, does not count for the smallest velocity. There is no
    tracking error without a reference.
    """
    metrics: dict[str, Metric] = {
        "x_final": float(trajectory.data["q"].sel(position="x")[-1]),
        "mass_centre_velocity_min": float(mass_centre_velocity(trajectory)[1:].min(initial=np.inf)),
        "foot_slip": float(foot_slip_so_far(trajectory.data)[-1]),
        "swing_clearance": swing_clearance(trajectory),
        "joint_clearance": joint_clearance(trajectory),
        "contact_loss": (lost := -float(trajectory.data["contact_work"][-1])),
        "contact_share": lost / max(float(trajectory.data["kinetic_energy"].max()), _NO_ENERGY),
        "rebound": rebound(trajectory),
        **_effort(trajectory, context),
    }
    if context.reference is not None:
        joints = actuated_joints(context.model.plant)
        metrics["tracking_error"] = tracking_error(trajectory, joints, context.reference)
    if isinstance(context.controller, BipedGait):
        period = context.controller.period()
        metrics["clip_mismatch"] = period.mismatch
        metrics["knot_error"], metrics["knot_rate_error"] = period.errors.tolist()
    return metrics


def gait_period(_trajectory: Trajectory, context: MachineContext) -> xr.Dataset:
    """Return the period of stage 1 that the tracked gait is made of; nothing without a gait."""
    if not isinstance(context.controller, BipedGait):
        return xr.Dataset()
    knots, *curves = context.controller.period()
    time = np.arange(curves[0].shape[1]) * STAGE1_STEP
    angles, rates = np.moveaxis(np.stack(curves), 1, 0)
    axes = ("period_curve", "period_time", "period_joint")
    return xr.Dataset(
        {
            "period_angles": (axes, angles, {"units": "rad", "long_name": "clip and its splines"}),
            "period_rates": (axes, rates, {"units": "rad/s", "long_name": "clip and its splines"}),
            "knot_time": ("knot", time[knots], {"units": "s", "long_name": "knots of the splines"}),
        },
        {
            "period_curve": ["walked", "fitted"],
            "period_time": ("period_time", time, {"units": "s", "long_name": "time in the clip"}),
            "period_joint": list(JOINTS),
        },
    )


def _effort(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """Largest torques; at the rotors where the model has motors."""
    torque = np.abs(trajectory.data["actuation"].to_numpy())
    metrics: dict[str, Metric] = {"joint_torque": float(torque.max(initial=0.0))}
    if is_motored(context.model):
        rotors = torque / gear_ratios(context.model.plant)
        metrics["rotor_torque"] = float(rotors.max(initial=0.0))
    return metrics


_FIGURE_7 = Conditions(duration=5.0, slope_deg=-5.0, friction=1.0, restitution=0.0)
_FIGURE_8 = replace(_FIGURE_7, friction=0.0)
_STANDING = replace(_FIGURE_7, duration=2.0)
_SANE = {0.0: "rebound", 1.0: "contact_share"}
STATEMENTS = read_statements(__package__)


def claims(
    scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """Figures 5, 7 and 8 of the report, for runs under the conditions of these figures.

    The robot of these figures has no motors.
    """
    if is_motored(context.model):
        return []
    name, conditions = scenario.rpartition("/")[2], context.conditions
    if name in {"climb", "climb_corrected"} and conditions == _FIGURE_7:
        clipped = STATEMENTS["clip_mismatch"].of(scalar(metrics, "clip_mismatch"))
        return [clipped, STATEMENTS["climbs"].of(scalar(metrics, "x_final"))]
    if name == "slide" and conditions == _FIGURE_8:
        return [STATEMENTS["slides"].of(scalar(metrics, "x_final"))]
    if name in {"stand", "stand_pd"} and conditions == _STANDING:
        ways = (abs(scalar(metrics, key)) for key in ("x_final", "foot_slip"))
        return [STATEMENTS["stands"].of(max(ways))]
    if name in {"drop", "drop_elastic"} and conditions.restitution in _SANE:
        metric = _SANE[conditions.restitution]
        return [STATEMENTS[metric].of(scalar(metrics, metric))]
    return []
