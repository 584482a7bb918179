"""Observables of verification cases: numbers and curves off a trajectory."""

from collections.abc import Callable

import numpy as np

from footfall.arrays import Array
from footfall.trajectory import Trajectory


def times(trajectory: Trajectory) -> Array:
    """The times of the rows [s]."""
    return trajectory.data["time"].to_numpy()


def position(trajectory: Trajectory, name: str) -> Array:
    """A generalized position over time, (N,)."""
    return trajectory.data["q"].sel(position=name).to_numpy()


def velocity(trajectory: Trajectory, name: str) -> Array:
    """A generalized velocity over time, (N,)."""
    return trajectory.data["v"].sel(velocity=name).to_numpy()


def position_of(name: str) -> Callable[[Trajectory], Array]:
    """Curve of a generalized position."""
    return lambda trajectory: position(trajectory, name)


def velocity_of(name: str) -> Callable[[Trajectory], Array]:
    """Curve of a generalized velocity."""
    return lambda trajectory: velocity(trajectory, name)


def energy(trajectory: Trajectory) -> Array:
    """Kinetic and potential energy over time, (N,) [J]."""
    return (trajectory.data["kinetic_energy"] + trajectory.data["potential_energy"]).to_numpy()


def energy_lost(trajectory: Trajectory) -> float:
    """Quantity: energy at the start less that at the end [J]."""
    own = energy(trajectory)
    return float(own[0] - own[-1])


def energy_error(trajectory: Trajectory) -> float:
    """Quantity: the largest distance of the energy from that at the start [J]."""
    own = energy(trajectory)
    return float(np.abs(own - own[0]).max())


def normal_impulse(trajectory: Trajectory, contact: str) -> Array:
    """Normal impulse of a contact over time, (N,) [N s]."""
    return trajectory.data["impulse"].sel(axis="n", contact=contact).to_numpy()


def last_position(name: str) -> Callable[[Trajectory], float]:
    """Quantity: a generalized position at the end."""
    return lambda trajectory: float(position(trajectory, name)[-1])


def last_velocity(name: str) -> Callable[[Trajectory], float]:
    """Quantity: a generalized velocity at the end."""
    return lambda trajectory: float(velocity(trajectory, name)[-1])


def largest_angular_velocity(body: str) -> Callable[[Trajectory], float]:
    """Quantity: the largest angular velocity of a free body [rad/s]."""

    def measure(trajectory: Trajectory) -> float:
        omega = [velocity(trajectory, f"{body}_w{axis}") for axis in "xyz"]
        return float(np.linalg.norm(omega, axis=0).max())

    return measure


def at(time: float, trajectory: Trajectory, values: Array) -> float:
    """A value at a time [s] by linear interpolation; NaN beyond the end of the run."""
    return float(np.interp(time, times(trajectory), values, left=np.nan, right=np.nan))


def falls_below(
    threshold: float, values: Callable[[Trajectory], Array]
) -> Callable[[Trajectory], float]:
    """Quantity: the last time [s] at which values fall below a threshold.

    By linear interpolation; NaN where they end above it.
    """

    def measure(trajectory: Trajectory) -> float:
        t, y = times(trajectory), values(trajectory)
        before = int(np.flatnonzero(y >= threshold)[-1])
        if before == len(y) - 1:
            return np.nan
        share = (y[before] - threshold) / (y[before] - y[before + 1])
        return float(t[before] + share * (t[before + 1] - t[before]))

    return measure
