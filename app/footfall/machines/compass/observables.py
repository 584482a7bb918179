"""Observables of a walk of the compass: heel strikes, loads and energy from any engine."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.machines.compass.closed_form.model import Compass, sigma
from footfall.machines.compass.model import FEET, foot_points, stance_of
from footfall.machines.compass.system import SECTION
from footfall.registry.walking import IMPACT_TIME, end_of_impact


@dataclass(frozen=True)
class Strike:
    """A heel strike in a trajectory: the row in which a foot is struck, and which of FEET.

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


def carrying(data: xr.Dataset) -> npt.NDArray[np.intp]:
    """Which of FEET carries in every row, (N,): the more loaded one; -1 where none is loaded."""
    normal = np.nan_to_num(_impulses(data)[:, :, 0])
    found: npt.NDArray[np.intp] = normal.argmax(axis=1)
    found[~(normal.max(axis=1) > 0.0)] = -1
    return found


def _impulses(data: xr.Dataset) -> Array:
    """Impulses on both feet, (N, 2, 3) in [n, t, s]."""
    return np.asarray(data["impulse"].sel(contact=list(FEET)).to_numpy(), dtype=np.float64)


def strikes(data: xr.Dataset, machine: Compass) -> list[Strike]:
    """All heel strikes: rows in which the load goes from one foot to the other."""
    foot, impulses = carrying(data), _impulses(data)
    states = np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))
    rows = np.flatnonzero(foot >= 0)
    changes = np.flatnonzero(np.diff(foot[rows]) != 0) + 1
    return [
        _strike(data, machine, row, int(foot[row]), states, impulses)
        for row in rows[changes].tolist()
    ]


def _strike(
    data: xr.Dataset, machine: Compass, row: int, new: int, states: Array, impulses: Array
) -> Strike:
    """The strike of a foot in a row.

    It is somewhere within the step that the row ends; the states on both sides are brought to the
    time when both feet are on the ground. Without this they would be up to a step away from it,
    which q2' tells most.
    """
    time = data["time"].to_numpy()
    before = stance_of(machine, states[row - 1], 1 - new).x
    after = stance_of(machine, states[row], new).x
    rate = machine.derivative(0.0, before)
    closing = float(-sigma(before) / (2.0 * rate[0] + rate[1]))
    if abs(closing) > IMPACT_TIME:  # no step ends here: a foot that touches while the walker falls
        closing = 0.0
    at = float(time[row - 1]) + closing
    places = foot_points(machine, states[row])[0]
    return Strike(
        row=row,
        time=at,
        foot=new,
        before=np.asarray(before + closing * rate),
        after=np.asarray(after + (at - time[row]) * machine.derivative(0.0, after)),
        length=float(places[new, 0] - places[1 - new, 0]),
        impulse=_struck(data, row, impulses[:, new, 1::-1]),
    )


def _struck(data: xr.Dataset, row: int, impulses: Array) -> Array:
    """Impulse (tangential, normal) of an impact from a row on; impulses (N, 2): of its foot.

    A compliant ground carries the walker meanwhile: what it carries in as many rows afterwards is
    taken off.
    """
    end = end_of_impact(data, row)
    struck = impulses[row:end].sum(axis=0)
    if end == row + 1:
        return np.asarray(struck)
    after = impulses[end : 2 * end - row]
    return np.asarray(struck - (end - row) * after.mean(axis=0) if len(after) else struck)


def stance_friction(data: xr.Dataset, struck: list[Strike]) -> Array:
    """Tangential over normal impulse of the carrying foot, (N,); NaN in impacts and in flight."""
    foot, impulses = carrying(data), _impulses(data)
    one = impulses[np.arange(len(foot)), np.maximum(foot, 0)]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.abs(one[:, 1]) / one[:, 0]
    ratio[(foot < 0) | (one[:, 0] <= 0.0)] = np.nan
    for strike in struck:
        ratio[strike.row : end_of_impact(data, strike.row)] = np.nan
    return np.asarray(ratio)


def energy_per_step(data: xr.Dataset, struck: list[Strike]) -> float:
    """Mean loss of energy from strike to strike, the hip's work added [J]; NaN below two."""
    if len(struck) < 2:
        return float("nan")
    rows = [strike.row - 1 for strike in struck]
    energy = data["kinetic_energy"] + data["potential_energy"] - data["actuator_work"]
    at = energy.to_numpy()[rows]
    return float((at[0] - at[-1]) / (len(struck) - 1))
