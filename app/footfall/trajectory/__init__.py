"""Trajectories: labelled arrays over time with events and a status, saved as NetCDF4."""

from footfall.trajectory.events import Event, Status
from footfall.trajectory.record import Trajectory, TrajectoryBuilder, trajectory_from_arrays
from footfall.trajectory.variables import Layout

__all__ = [
    "Event",
    "Layout",
    "Status",
    "Trajectory",
    "TrajectoryBuilder",
    "trajectory_from_arrays",
]
