"""Observables of a roll of the rimless wheel: impacts, loads and rates from any engine."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.machines.rimless_wheel.model import WheelModel
from footfall.stance.walking import end_of_impact, loaded_foot

_LEAST_SPAN = 0.2  # of the steady squared rate: what scatters less shows no multiplier


@dataclass(frozen=True)
class SpokeImpact:
    """The touch-down of a foot: its row, and the time [s] at which the foot met the ground.

    rate: of turn before it [rad/s]. length: from the foot that stood [m]. impulse: on the new foot
    (tangential, normal) [N s].
    """

    row: int
    time: float
    rate: float
    length: float
    impulse: Array


def impacts(data: xr.Dataset, wheel: WheelModel) -> list[SpokeImpact]:
    """All impacts: rows in which the load goes from one foot to another."""
    impulse, time = data["impulse"].to_numpy(), data["time"].to_numpy()
    states = np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))
    foot = loaded_foot(impulse)
    rows = np.flatnonzero(foot >= 0)
    changes = np.flatnonzero(np.diff(foot[rows]) != 0)
    found = []
    for stood, row in zip(foot[rows[changes]].tolist(), rows[changes + 1].tolist(), strict=True):
        new = int(foot[row])
        wait, rate = _closing(wheel, stood, states[row - 1])
        positions = wheel.foot_points(states[row])[0]
        load = impulse[row : end_of_impact(data, row), new]
        found.append(
            SpokeImpact(
                row=row,
                time=float(time[row - 1]) + wait,
                rate=rate,
                length=float(positions[new, 0] - positions[stood, 0]),
                impulse=load[:, 1::-1].sum(axis=0),
            )
        )
    return found


def _closing(wheel: WheelModel, foot: int, state: Array) -> tuple[float, float]:
    """Time [s] from the row before an impact to where the next foot meets the ground; rate there.

    The impact is somewhere within the step that follows the row.
    """
    lean, rate = wheel.lean(foot, float(state[2])), float(state[5])
    wait = (wheel.alpha - lean) / rate
    weight = wheel.m * wheel.g * wheel.l / (wheel.m * wheel.l**2 + wheel.J)
    return wait, rate + wait * weight * math.sin(wheel.gamma + lean)


def stance_friction(data: xr.Dataset, impacts: list[SpokeImpact]) -> float:
    """Largest tangential over normal impulse of the loaded foot, impacts left out."""
    impulse = data["impulse"].to_numpy()
    foot = loaded_foot(impulse)
    one = impulse[np.arange(len(foot)), np.maximum(foot, 0)]
    counts = foot >= 0
    for impact in impacts:
        counts[impact.row : end_of_impact(data, impact.row)] = False
    return float((np.abs(one[counts, 1]) / one[counts, 0]).max(initial=0.0))


def measured_multiplier(rates: Sequence[float], steady: float) -> float:
    """Slope of the line through the squares of successive rates [rad/s]; NaN in a steady roll."""
    squares = np.square(rates)
    if len(squares) < 3 or np.ptp(squares) < _LEAST_SPAN * steady**2:
        return math.nan
    return float(np.polyfit(squares[:-1], squares[1:], 1)[0])


def energy_per_step(data: xr.Dataset, impacts: list[SpokeImpact]) -> float:
    """Mean loss of energy from impact to impact [J]; NaN below two."""
    if len(impacts) < 2:
        return math.nan
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    first, last = energy[impacts[0].row - 1], energy[impacts[-1].row - 1]
    return float((first - last) / (len(impacts) - 1))
