"""Metrics that every run has, whatever the machine."""

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.trajectory import Trajectory

# unit and meaning of every metric below
METRICS: dict[str, tuple[str, str]] = {
    "duration": ("s", "simulated time"),
    "min_gap": ("m", "smallest gap of any contact; negative is penetration"),
    "energy_drift": ("J", "largest departure of energy less all work from its start"),
    "energy_gain": ("J", "energy given by the law of impact, which should take"),
    "energy_residual": ("J", "largest error of the steps' energy balance, rounding alone"),
    "max_residual": ("1", "largest natural-map residual of a contact problem"),
    "median_iterations": ("1", "median iterations of the steps with contact"),
    "realtime_factor": ("1", "simulated time over wall time"),
}

_WORKS = ("actuator_work", "contact_work", "damping_work", "constraint_work")


def energy_less_work(data: xr.Dataset) -> npt.NDArray[np.float64]:
    """Kinetic and potential energy less the work of all forces since the start [J], (time,).

    Works that an engine does not tell count as none.
    """
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    balance: npt.NDArray[np.float64] = energy - sum(
        np.nan_to_num(data[name].to_numpy()) for name in _WORKS
    )
    return balance


def common_measures(trajectory: Trajectory, wall_time: float) -> dict[str, float]:
    """Return the metrics of a run, in SI.

    duration [s]; min_gap: smallest gap of any contact [m]; energy_drift: largest departure of
    kinetic + potential energy less the work of actuators, contacts, dampers and constraints from
    its start [J], which the time step brings about; energy_gain: what the law of impact gave [J];
    energy_residual: largest error of the balance of kinetic energy and work that every step keeps
    [J];
    median_iterations: over the steps with contact; realtime_factor: simulated over wall time.
    """
    data = trajectory.data
    time = data["time"].to_numpy()
    if len(time) == 0:
        return {"duration": 0.0}
    balance = energy_less_work(data)
    closure = data["energy_residual"].to_numpy()
    gap = data["gap"].isel(contact=data["contact_units"].to_numpy() == "m").to_numpy()[1:]
    iterations = data["iterations"].to_numpy()
    residual = data["residual"].to_numpy()
    span = float(time[-1] - time[0])
    return {
        "duration": span,
        "min_gap": float(np.nanmin(gap)) if np.isfinite(gap).any() else float("nan"),
        "energy_drift": float(np.abs(balance - balance[0]).max()),
        "energy_gain": float(data["energy_gain"][-1]),
        "energy_residual": float(np.nanmax(np.abs(closure)))
        if np.isfinite(closure).any()
        else float("nan"),
        "max_residual": float(np.nanmax(residual)) if np.isfinite(residual).any() else float("nan"),
        "median_iterations": float(np.median(iterations[iterations > 0]))
        if (iterations > 0).any()
        else float("nan"),
        "realtime_factor": span / wall_time if wall_time > 0.0 else float("nan"),
    }
