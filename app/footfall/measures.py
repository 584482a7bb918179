"""Metrics that every run has, whatever the machine."""

import numpy as np

from footfall.trajectory import Trajectory

# unit and meaning of every metric below
METRICS: dict[str, tuple[str, str]] = {
    "duration": ("s", "simulated time"),
    "min_gap": ("m", "smallest gap of any contact; negative is penetration"),
    "energy_drift": ("J", "largest departure of energy less all work from its start"),
    "max_residual": ("1", "largest natural-map residual of a contact problem"),
    "median_iterations": ("1", "median iterations of the steps with contact"),
    "realtime_factor": ("1", "simulated time over wall time"),
}


def common_measures(trajectory: Trajectory, wall_time: float) -> dict[str, float]:
    """Return the metrics of a run, in SI.

    duration [s]; min_gap: smallest gap of any contact [m]; energy_drift: largest departure of
    kinetic + potential energy less the work of actuators and contacts from its start [J] (what
    dampers take counts as drift too);
    median_iterations: over the steps with contact; realtime_factor: simulated over wall time.
    """
    data = trajectory.data
    time = data["time"].to_numpy()
    if len(time) == 0:
        return {"duration": 0.0}
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    balance = energy - (data["actuator_work"] + data["contact_work"]).to_numpy()
    gap = data["gap"].isel(contact=data["contact_units"].to_numpy() == "m").to_numpy()[1:]
    iterations = data["iterations"].to_numpy()
    residual = data["residual"].to_numpy()
    span = float(time[-1] - time[0])
    return {
        "duration": span,
        "min_gap": float(np.nanmin(gap)) if np.isfinite(gap).any() else float("nan"),
        "energy_drift": float(np.abs(balance - balance[0]).max()),
        "max_residual": float(np.nanmax(residual)) if np.isfinite(residual).any() else float("nan"),
        "median_iterations": float(np.median(iterations[iterations > 0]))
        if (iterations > 0).any()
        else float("nan"),
        "realtime_factor": span / wall_time if wall_time > 0.0 else float("nan"),
    }
