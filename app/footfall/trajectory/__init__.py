"""Trajectories: labelled arrays over time with events and a status, saved as NetCDF4."""

from footfall.trajectory.builder import TrajectoryBuilder
from footfall.trajectory.events import Event, Status
from footfall.trajectory.from_arrays import trajectory_from_arrays
from footfall.trajectory.record import Trajectory
from footfall.trajectory.variables import Layout

__all__ = [
    "Event",
    "Layout",
    "Status",
    "Trajectory",
    "TrajectoryBuilder",
    "trajectory_from_arrays",
]
