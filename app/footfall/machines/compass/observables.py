"""Observables of a walk of the compass: heel strikes, loads and energy from any engine."""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.machines.compass.closed_form.model import Compass, sigma
from footfall.machines.compass.model import FEET, foot_points, stance_of
from footfall.machines.compass.system import SECTION
from footfall.stance.walking import IMPACT_TIME, end_of_impact, loaded_foot
from footfall.trajectory.measures import driving_work


@dataclass(frozen=True)
class HeelStrike:
    """A heel strike in a trajectory: the row of the touch-down, and which of FEET touches down.

    time: when both feet were on the ground [s]. before, after: states x (4,) at that time, with the
    leg that stood, and the one that stands then, as leg 1. length: distance between the feet [m].
    impulse: (tangential, normal) on the new foot [N s].
    """

    row: int
    time: float
    foot: int
    before: Array
    after: Array
    length: float
    impulse: Array

    @property
    def published(self) -> Array:
        """(q1, q1', q2') before the strike, (3,)."""
        return self.before[SECTION]


def impulses_of(data: xr.Dataset) -> Array:
    """Impulses on both feet, (N, 2, 3) in [n, t, s]."""
    return np.asarray(data["impulse"].sel(contact=list(FEET)).to_numpy(), dtype=np.float64)


def heel_strikes(data: xr.Dataset, machine: Compass) -> list[HeelStrike]:
    """All heel strikes: rows in which the load goes from one foot to the other."""
    impulses = impulses_of(data)
    foot = loaded_foot(impulses)
    states = np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))
    rows = np.flatnonzero(foot >= 0)
    changes = np.flatnonzero(np.diff(foot[rows]) != 0) + 1
    return [
        _heel_strike(data, machine, row, int(foot[row]), states, impulses)
        for row in rows[changes].tolist()
    ]


def _heel_strike(
    data: xr.Dataset, machine: Compass, row: int, new: int, states: Array, impulses: Array
) -> HeelStrike:
    """Return the heel strike of a foot in a row.

    It is somewhere within the step that the row ends; the states on both sides are brought to the
    time when both feet are on the ground. Without this they would be up to a step away from it,
    which q2' shows most.
    """
    time = data["time"].to_numpy()
    before = stance_of(machine, states[row - 1], 1 - new).x
    after = stance_of(machine, states[row], new).x
    rate = machine.derivative(0.0, before)
    closing = float(-sigma(before) / (2.0 * rate[0] + rate[1]))
    if abs(closing) > IMPACT_TIME:  # no step ends here: a foot that touches while the walker falls
        closing = 0.0
    at = float(time[row - 1]) + closing
    positions = foot_points(machine, states[row])[0]
    return HeelStrike(
        row=row,
        time=at,
        foot=new,
        before=np.asarray(before + closing * rate),
        after=np.asarray(after + (at - time[row]) * machine.derivative(0.0, after)),
        length=float(positions[new, 0] - positions[1 - new, 0]),
        impulse=_impact_impulse(data, row, impulses[:, new, 1::-1]),
    )


def _impact_impulse(data: xr.Dataset, row: int, impulses: Array) -> Array:
    """Impulse (tangential, normal) of an impact from a row on; impulses (N, 2): of its foot.

    A compliant ground carries the walker meanwhile: what it carries in as many rows afterwards is
    taken off.
    """
    end = end_of_impact(data, row)
    total = impulses[row:end].sum(axis=0)
    if end == row + 1:
        return np.asarray(total)
    after = impulses[end : 2 * end - row]
    return np.asarray(total - (end - row) * after.mean(axis=0) if len(after) else total)


def stance_friction(data: xr.Dataset, strikes: list[HeelStrike]) -> Array:
    """Tangential over normal impulse of the loaded foot, (N,); NaN in impacts and in flight."""
    impulses = impulses_of(data)
    foot = loaded_foot(impulses)
    one = impulses[np.arange(len(foot)), np.maximum(foot, 0)]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.abs(one[:, 1]) / one[:, 0]
    ratio[(foot < 0) | (one[:, 0] <= 0.0)] = np.nan
    for strike in strikes:
        ratio[strike.row : end_of_impact(data, strike.row)] = np.nan
    return np.asarray(ratio)


def energy_per_step(data: xr.Dataset, strikes: list[HeelStrike]) -> float:
    """Mean energy lost between heel strikes, work of hip and pushes added [J]; NaN below two."""
    if len(strikes) < 2:
        return float("nan")
    rows = [strike.row - 1 for strike in strikes]
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy() - driving_work(data)
    at = energy[rows]
    return float((at[0] - at[-1]) / (len(strikes) - 1))
