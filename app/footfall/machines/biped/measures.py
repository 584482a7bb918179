"""Metrics of the biped's walk."""

import numpy as np
import xarray as xr

from footfall.machines.biped.control import STAGE1_STEP, BipedGait
from footfall.machines.biped.model import JOINTS
from footfall.machines.biped.observables import (
    foot_slip,
    joint_clearance,
    mass_centre_velocity,
    rebound,
    swing_clearance,
    tracking_error,
)
from footfall.metrics import Metric
from footfall.plants.motors import gear_ratios
from footfall.registry.closed_form import is_motored
from footfall.registry.context import MachineContext
from footfall.trajectory import Trajectory
from footfall_controllers.controller import actuated_joints

METRICS: dict[str, tuple[str, str]] = {
    "x_final": ("m", "position of the hip along the slope at the end"),
    "mass_centre_velocity_min": ("m/s", "smallest velocity of the mass centre along the slope"),
    "foot_slip": ("m", "distance that the loaded feet slide, both feet and all steps added"),
    "swing_clearance": ("m", "smallest height of a swinging foot when it passes the other"),
    "joint_clearance": ("m", "smallest height of hip and knees above the slope"),
    "contact_loss": ("J", "energy that landings and sliding feet take"),
    "contact_share": ("1", "that over the largest kinetic energy"),
    "rebound": ("1", "speed of the first point that lands, after that over before"),
    "joint_torque": ("N m", "largest torque at a joint"),
    "rotor_torque": ("N m", "largest torque at a rotor, before the gear; with motors only"),
    "clip_mismatch": ("rad", "largest difference of a joint's angle between the clip's ends"),
    "knot_error": ("rad", "largest distance of the gait's angles, splines, from the walk"),
    "knot_rate_error": ("rad/s", "the same of its velocities, which have splines of their own"),
    "tracking_error": ("rad", "root mean square of the joints' distances from their reference"),
}
"""Unit and meaning of every metric of ``measures``."""

_NO_ENERGY = 1e-300  # J: what never moves loses nothing


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The biped's own metrics, in SI; METRICS says what they are.

    The start, where the robot is at rest, does not count for the smallest velocity. There is no
    tracking error without a reference.
    """
    found: dict[str, Metric] = {
        "x_final": float(trajectory.data["q"].sel(position="x")[-1]),
        "mass_centre_velocity_min": float(mass_centre_velocity(trajectory)[1:].min(initial=np.inf)),
        "foot_slip": foot_slip(trajectory),
        "swing_clearance": swing_clearance(trajectory),
        "joint_clearance": joint_clearance(trajectory),
        "contact_loss": (lost := -float(trajectory.data["contact_work"][-1])),
        "contact_share": lost / max(float(trajectory.data["kinetic_energy"].max()), _NO_ENERGY),
        "rebound": rebound(trajectory),
        **_effort(trajectory, context),
    }
    if context.reference is not None:
        joints = actuated_joints(context.model.plant)
        found["tracking_error"] = tracking_error(trajectory, joints, context.reference)
    if isinstance(context.controller, BipedGait):
        period = context.controller.period()
        found["clip_mismatch"] = period.mismatch
        found["knot_error"], found["knot_rate_error"] = period.errors.tolist()
    return found


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
    found: dict[str, Metric] = {"joint_torque": float(torque.max(initial=0.0))}
    if is_motored(context.model):
        rotors = torque / gear_ratios(context.model.plant)
        found["rotor_torque"] = float(rotors.max(initial=0.0))
    return found
