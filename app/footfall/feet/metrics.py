"""Metrics that every run of a robot has: place, torques, feet, work, and whether it fell."""

import math

import numpy as np
import xarray as xr
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array, Indices
from footfall.feet.detection import Feet
from footfall.feet.gait import WINDOW, mean_of, slip_of_steps, steps_of, touch_downs
from footfall.feet.observables import LEAST_LOAD, motion_of
from footfall.metrics import Metric, scalar
from footfall.plants.coordinates import actuator_names, actuators_of, short_names
from footfall.plants.loading.load import Model
from footfall.plants.terrain import slope_and_gravity
from footfall.trajectory import Trajectory
from footfall.trajectory.contact_table import bore_ever
from footfall.trajectory.variables import metric_meanings

METRICS = metric_meanings("robot_metrics", window=f"{1e3 * WINDOW:g} ms")
"""Unit and meaning of every metric below."""

_STICKS = 0.99  # friction utilisation below which a foot should not slide
_WENT = 0.1  # of the centre of mass's height: who went less far did not travel


def robot_metrics(
    trajectory: Trajectory, model: Model, feet: Feet, too_low: str
) -> dict[str, Metric]:
    """Return the metrics of a run in SI; nothing for one that holds no step.

    trajectory: with what its feet did. too_low: says which link is lower at the end than the
    scenario allows, empty if none is. There is no cost of transport for a robot that fell, that has
    no actuators or whose base went less far than a tenth of the height of its centre of mass.
    """
    data = trajectory.data
    time = data["time"].to_numpy()
    if len(time) < 2:
        return {}
    base = data["base_position"].to_numpy()
    metrics: dict[str, Metric] = {
        "final_base_position": base[-1].tolist(),
        "final_base_rotation": motion_of(data.isel(time=[-1]), model, feet).turned.tolist(),
        "base_displacement": (base[-1] - base[0]).tolist(),
    }
    metrics |= _of_actuators(data, model)
    fall = math.nan
    if len(feet) > 0:
        metrics |= _of_feet(trajectory, feet)
        fall = _fall(data, model, feet, too_low)
        metrics["fallen"] = float(math.isfinite(fall))
    if math.isfinite(fall):
        metrics["fall_time"] = fall
    else:
        metrics |= _transport(data, model, feet, scalar(metrics, "positive_work"))
    return metrics


def _by(names: list[str], values: Array) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))


def _of_actuators(data: xr.Dataset, model: Model) -> dict[str, Metric]:
    efforts, powers = efforts_and_powers(data, model)
    if efforts.shape[1] == 0:
        return {}
    names = driven_joints(model)
    steps = np.diff(data["time"].to_numpy())[:, None]
    return {
        "peak_effort": _by(names, np.abs(efforts).max(axis=0)),
        "rms_effort": _by(names, np.sqrt((steps * efforts**2).sum(axis=0) / steps.sum())),
        "positive_work": float((steps * np.maximum(powers, 0.0)).sum()),
    }


def driven_joints(model: Model) -> list[str]:
    """Names of the joints of the actuators; those of the actuators where two drive one joint."""
    joints = [actuator.joint() for actuator in actuators_of(model.plant)]
    names = short_names(model.plant, joints)
    return names if len(set(names)) == len(names) else actuator_names(model.plant)


def efforts_and_powers(data: xr.Dataset, model: Model) -> tuple[Array, Array]:
    """Efforts [N m or N] and powers [W] of the actuators in the steps, (N - 1, actuators)."""
    rate: Indices = np.array(
        [actuator.joint().velocity_start() for actuator in actuators_of(model.plant)],
        dtype=np.int64,
    )
    efforts = data["actuation"].to_numpy()[:-1]
    v = data["v"].to_numpy()[:, rate]
    return efforts, efforts * 0.5 * (v[:-1] + v[1:])


def _of_feet(trajectory: Trajectory, feet: Feet) -> dict[str, Metric]:
    data = trajectory.data
    names = list(feet.names)
    time = data["time"].to_numpy()
    rows = max(1, round(WINDOW / float(np.median(np.diff(time)))))
    force = np.nan_to_num(data["foot_force"].to_numpy()[1:])
    mean = uniform_filter1d(force, min(rows, len(force)), axis=0, mode="nearest")
    counts = [touch_downs(trajectory.events, name) for name in names]
    margin = data["support_margin"].sel(support_point="zero-moment point").to_numpy()
    sticks = data["foot_friction_utilisation"].to_numpy() < _STICKS
    slid = np.diff(data["foot_slip"].to_numpy(), axis=0)
    metrics: dict[str, Metric] = {
        "peak_foot_force": _by(names, np.linalg.norm(mean, axis=2).max(axis=0)),
        "slip_by_foot": _by(names, data["foot_slip"].to_numpy()[-1]),
        "creep_by_foot": _by(names, (slid * (sticks[:-1] & sticks[1:])).sum(axis=0)),
        "touch_downs": _by(names, np.array(counts, dtype=np.float64)),
        "slip_of_step": _by(names, np.array([slips.max() for slips in slip_of_steps(data)])),
    }
    stands = (data["foot_contact"].to_numpy() == 1).any(axis=1)
    margin = mean_of(time, margin)[stands]
    if np.isfinite(margin).any():
        metrics["zmp_margin"] = float(np.nanmin(margin))
    return metrics | _of_landings(data, names)


def _of_landings(data: xr.Dataset, names: list[str]) -> dict[str, Metric]:
    """Means over touch-downs of the feet that landed."""
    steps = steps_of(data)
    landed = {name: steps.of(k) for k, name in enumerate(names) if (steps.foot == k).any()}
    if not landed:
        return {}
    known = {
        name: float(np.mean(speed))
        for name, own in landed.items()
        if len(speed := own.speed[np.isfinite(own.speed)])
    }
    speeds: dict[str, Metric] = {"touch_down_speed": known} if known else {}
    return speeds | {
        "touch_down_impulse": {name: float(own.impulse.mean()) for name, own in landed.items()}
    }


def _fall(data: xr.Dataset, model: Model, feet: Feet, too_low: str) -> float:
    """Time of the fall [s], NaN without one."""
    time = data["time"].to_numpy()
    others = np.flatnonzero(feet.bearing & (feet.of_contact < 0) & bore_ever(data))
    impulse = data["impulse"].isel(time=slice(1, None), contact=others, axis=0).to_numpy()
    impulse = np.nan_to_num(impulse).sum(axis=1)
    weight = feet.tree.mass * slope_and_gravity(model.plant)[1]
    bears = impulse > LEAST_LOAD * weight * np.diff(time)
    if bears.any():
        return float(time[1:][bears.argmax()])
    return float(time[-1]) if too_low else math.nan


def _transport(data: xr.Dataset, model: Model, feet: Feet, work: float) -> dict[str, Metric]:
    """Cost of transport of a robot that travelled; work [J], NaN without actuators."""
    base, com = data["base_position"].to_numpy(), data["com"].to_numpy()
    went = float(np.linalg.norm((base[-1] - base[0])[:2]))
    weight = feet.tree.mass * slope_and_gravity(model.plant)[1]
    travelled = weight > 0.0 and went > _WENT * abs(float(com[0, 2]))
    if math.isnan(work) or not travelled:
        return {}
    return {"cost_of_transport": work / (weight * went)}
