"""Metrics and observables of every walker that steps from foot to foot."""

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array

IMPACT_TIME = 0.02
"""s: a compliant ground takes so long for an impact; by rigid laws it is over in one row."""

WALKING_METRICS: dict[str, tuple[str, str]] = {
    "steps": ("1", "heel strikes"),
    "step_period": ("s", "mean time between heel strikes"),
    "step_length": ("m", "mean distance between the feet at heel strike"),
    "heel_strike_impulse": ("N s", "impulse of the last heel strike, (tangential, normal)"),
    "energy_loss_per_step": ("J", "mean energy that goes from strike to strike, work added"),
    "cost_of_transport": ("1", "that energy over weight and distance"),
    "required_friction_stance": (
        "1",
        "largest tangential over normal impulse while one foot stands",
    ),
    "required_friction_impact": ("1", "largest tangential over normal impulse of a heel strike"),
    "multipliers": ("1", "exact cycle: multipliers of its return map, (real, imaginary)"),
    "largest_multiplier": ("1", "exact cycle: largest modulus of a multiplier; stable below 1"),
    "cycle_period": ("s", "exact cycle: time of a step"),
    "cycle_length": ("m", "exact cycle: length of a step"),
    "cycle_friction_stance": ("1", "exact cycle: coefficient of friction that the step needs"),
    "cycle_friction_impact": ("1", "exact cycle: coefficient of friction that the strike needs"),
    "distance_from_cycle": ("rad, rad/s", "largest distance of a strike from the exact cycle"),
}
"""Unit and meaning of the metrics of a walk, and of the exact cycle beside it."""


def end_of_impact(data: xr.Dataset, row: int) -> int:
    """Return the row behind the last one of an impact that begins in a row."""
    if not str(data.attrs.get("engine", "")).startswith("drake"):
        return row + 1
    time = data["time"].to_numpy()
    return int(np.searchsorted(time, time[row] + IMPACT_TIME))


def loaded_foot(impulse: Array) -> npt.NDArray[np.intp]:
    """Return the most loaded foot in every row, (N,); -1 where none is loaded.

    impulse: on all feet, (N, n, 3) in [n, t, s].
    """
    normal = np.nan_to_num(impulse[:, :, 0])
    found: npt.NDArray[np.intp] = normal.argmax(axis=1)
    found[~(normal.max(axis=1) > 0.0)] = -1
    return found
