"""Metrics of every walker that steps from foot to foot."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.feet import MachineFeet
from footfall.metrics import Metric
from footfall.trajectory.measures import driving_work
from footfall.trajectory.variables import metric_meanings

WALKING_METRICS = metric_meanings("walking_metrics")
"""Unit and meaning of the metrics of a walk, and of the exact cycle beside it."""


@dataclass(frozen=True)
class Strike:
    """A heel strike: its row, time [s] when the foot met the ground, distance between the feet [m].

    impulse: on the new foot (tangential, normal) [N s].
    """

    row: int
    time: float
    length: float
    impulse: Array


def walking_metrics(
    data: xr.Dataset, feet: MachineFeet, strikes: Sequence[Strike], weight: float
) -> dict[str, Metric]:
    """Metrics of a walk with these heel strikes; weight [N]."""
    demand = feet.stance_friction(strike.row for strike in strikes)
    metrics: dict[str, Metric] = {
        "steps": float(len(strikes)),
        "required_friction_stance": float(np.nanmax(demand, initial=0.0)),
    }
    if not strikes:
        return metrics
    times = [strike.time for strike in strikes]
    length = float(np.mean([strike.length for strike in strikes]))
    loss = energy_per_step(data, strikes)
    return metrics | {
        "step_period": float(np.diff(times).mean()) if len(times) > 1 else math.nan,
        "step_length": length,
        "heel_strike_impulse": strikes[-1].impulse.tolist(),
        "energy_loss_per_step": loss,
        "cost_of_transport": loss / (weight * length),
        "required_friction_impact": float(
            max(abs(strike.impulse[0]) / strike.impulse[1] for strike in strikes)
        ),
    }


def energy_per_step(data: xr.Dataset, strikes: Sequence[Strike]) -> float:
    """Mean energy lost between heel strikes, work of motors and pushes added [J]; NaN below two."""
    if len(strikes) < 2:
        return math.nan
    first, last = undriven_energy(data)[[strikes[0].row - 1, strikes[-1].row - 1]]
    return float((first - last) / (len(strikes) - 1))


def undriven_energy(data: xr.Dataset) -> Array:
    """Kinetic and potential energy less the work of motors and pushes, (N,) [J]."""
    energy: Array = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    return energy - driving_work(data)
