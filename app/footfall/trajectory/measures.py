"""Metrics that every run has, whatever the machine."""

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.trajectory import Trajectory
from footfall.trajectory.contact_table import contact_table
from footfall.trajectory.control import FALLEN, control_of
from footfall.trajectory.pushes import pushes_of
from footfall.trajectory.variables import metric_meanings

METRICS = metric_meanings("metrics")
"""Unit and meaning of every metric below."""

AT_REST = 1e-3  # m/s or rad/s: a machine that is slower than this rests
_LAST = 0.9  # share of a run after which its end begins
_WORKS = ("actuator_work", "contact_work", "damping_work", "constraint_work", "push_work")


def energy_less_work(data: xr.Dataset) -> npt.NDArray[np.float64]:
    """Kinetic and potential energy less the work of all forces since the start [J], (time,).

    Works that an engine does not tell count as none.
    """
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    balance: npt.NDArray[np.float64] = energy - sum(
        np.nan_to_num(data[name].to_numpy()) for name in _WORKS
    )
    return balance


def driving_work(data: xr.Dataset) -> npt.NDArray[np.float64]:
    """Work of actuators and pushes since the start [J], (time,)."""
    work: npt.NDArray[np.float64] = data["actuator_work"].to_numpy()
    return work + np.nan_to_num(data["push_work"].to_numpy())


def common_measures(trajectory: Trajectory, wall_time: float) -> dict[str, float]:
    """Return the metrics of a run, in SI.

    duration [s]; min_gap: smallest gap of any contact [m]; energy_drift: largest departure of
    kinetic + potential energy less the work of actuators, contacts, dampers, constraints and pushes
    from its start [J], which the time step brings about; energy_gain: what the law of impact gave
    [J]; energy_residual: largest error of the balance of kinetic energy and work that every step
    keeps [J];
    median_iterations: over the steps with contact; realtime_factor: simulated over wall time.
    """
    data = trajectory.data
    time = data["time"].to_numpy()
    if len(time) == 0:
        return {"duration": 0.0}
    balance = energy_less_work(data)
    closure = data["energy_residual"].to_numpy()[1:]  # nothing has happened at the start
    gap = _gaps(data)
    iterations = data["iterations"].to_numpy()
    residual = data["residual"].to_numpy()
    span = float(time[-1] - time[0])
    return {
        "duration": span,
        "min_gap": -_largest(-gap),
        "energy_drift": float(np.abs(balance - balance[0]).max()),
        "energy_gain": float(data["energy_gain"][-1]),
        "energy_residual": _largest(np.abs(closure)),
        "max_residual": _largest(residual),
        "median_iterations": float(np.median(iterations[iterations > 0]))
        if (iterations > 0).any()
        else float("nan"),
        "realtime_factor": span / wall_time if wall_time > 0.0 else float("nan"),
    }


def _largest(values: Array) -> float:
    """Largest of the values that are known; NaN without any."""
    return float(np.nanmax(values)) if np.isfinite(values).any() else float("nan")


def _gaps(data: xr.Dataset) -> Array:
    """Gaps of surfaces [m], (k,), wherever one is known; the first row comes before any step."""
    table = contact_table(data)
    surfaces = data["contact_units"].to_numpy() == "m"
    return table.columns["gap"][surfaces[table.contact] & (table.row > 0)]


def control_measures(trajectory: Trajectory) -> dict[str, float]:
    """Return unsolved_ticks, which limits, tasks or a fallback made up for; nothing without ticks.

    The ticks of a robot that has fallen have no programme.
    """
    ticks = control_of(trajectory.data)
    if ticks is None:
        return {}
    return {"unsolved_ticks": float(((ticks.outcome > 0) & (ticks.outcome != FALLEN)).sum())}


def push_measures(trajectory: Trajectory) -> dict[str, float]:
    """Return what pushes did in a run, in SI; nothing for a run without them.

    push_work [J]; push_impulse: magnitude of each push's force, integrated over the time that it
    acted, and summed up over pushes [N s].
    """
    data = trajectory.data
    pushes = pushes_of(data)
    if not pushes or data.sizes["time"] == 0:
        return {}
    begin, end = data["time"].to_numpy()[[0, -1]].tolist()
    return {
        "push_work": float(data["push_work"][-1]),
        "push_impulse": sum(push.impulse(begin, end) for push in pushes),
    }


def settling_measures(trajectory: Trajectory) -> dict[str, float]:
    """Return how a machine comes to rest, in SI; nothing for a run that never began.

    rest_time: since when no velocity exceeds AT_REST [s], NaN if one still does at the end;
    final_speed: the largest one in the last tenth of the run [m/s or rad/s]; final_penetration: of
    the deepest contact at the end [m]; energy_lost: kinetic and potential energy at the start and
    the work of actuators and pushes, less the energy at the end [J].
    """
    data = trajectory.data
    time = data["time"].to_numpy()
    if len(time) < 2:
        return {}
    speed = np.abs(data["v"].to_numpy()).max(axis=1, initial=0.0)
    moving = np.flatnonzero(~(speed < AT_REST))
    rests_from = int(moving[-1]) + 1 if len(moving) else 0
    last = time >= time[0] + _LAST * (time[-1] - time[0])
    surfaces = np.flatnonzero(data["contact_units"].to_numpy() == "m")
    gap = data["gap"].isel(time=-1, contact=surfaces).to_numpy()
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    work = driving_work(data)
    return {
        "rest_time": float(time[rests_from]) if rests_from < len(time) else float("nan"),
        "final_speed": float(speed[last].max()),
        "final_penetration": float(np.nanmax(-gap, initial=0.0)),
        "energy_lost": float(energy[0] - energy[-1] + work[-1] - work[0]),
    }
