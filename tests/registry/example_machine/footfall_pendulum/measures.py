"""Metrics of a swing, from any engine's trajectory."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.trajectory import Trajectory

METRICS: dict[str, tuple[str, str]] = {
    "period": ("s", "time between passages of the lowest point in one direction"),
    "period_ratio": ("1", "period over that of small swings"),
    "amplitude_end": ("rad", "largest angle in the last period"),
}


def small_swings(context: MachineContext) -> float:
    """Frequency of small swings [rad/s]: root of stiffness over inertia at the lowest point."""
    plant = context.model.plant
    own = plant.CreateDefaultContext()
    inertia = plant.CalcMassMatrix(own)[0, 0]
    plant.SetPositions(own, [math.pi / 2.0])  # where the moment of the weight is largest
    return math.sqrt(-plant.CalcGravityGeneralizedForces(own)[0] / inertia)


def period(time: Array, angle: Array) -> float:
    """Mean time between downward zeros of the angle (n,), between rows in proportion; or NaN."""
    before = np.flatnonzero((angle[:-1] > 0.0) & (angle[1:] <= 0.0))
    share = angle[before] / (angle[before] - angle[before + 1])
    zeros = time[before] + share * (time[before + 1] - time[before])
    return float(np.diff(zeros).mean()) if len(zeros) > 1 else math.nan


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The pendulum's own metrics; METRICS says what they are."""
    time = trajectory.data["time"].to_numpy()
    angle = trajectory.data["q"].to_numpy()[:, 0]
    found = period(time, angle)
    last = time >= time[-1] - (0.0 if math.isnan(found) else found)
    return {
        "period": found,
        "period_ratio": found * small_swings(context) / (2.0 * math.pi),
        "amplitude_end": float(np.abs(angle[last]).max()),
    }
