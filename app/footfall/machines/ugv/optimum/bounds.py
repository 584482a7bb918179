"""Bounds on all paths of a grid of angles, from what single positions ask.

Any traversal has some angles at every station of the front wheel, and some at every place of the
rear one, which passes all on its way. So its torque is somewhere no less than the least that any
angles have there, and likewise for its other end, for friction, normal force and clearance.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.optimum.grid import AngleGrid, rear_samples
from footfall.machines.ugv.optimum.problem import (
    CLEARANCE,
    ENERGY,
    GRIP,
    NORMAL_FORCE,
    TORQUE_PEAK,
    TORQUE_RANGE,
    TORQUE_RMS,
    WHEEL_ENERGY,
)
from footfall.machines.ugv.optimum.samples import Samples

_PLACES = 201  # of the rear wheel
_NO_TORQUE = 1e-9  # N m: rounding of forces of some kN, on ground that is level


@dataclass(frozen=True)
class Bound:
    """Value that no angles of the grid beat.

    reason: where it comes from, in words.
    """

    value: float
    reason: str


def pointwise(grid: AngleGrid) -> Array:
    """Return the least and most of the criterion's quantity at every station, (n, 2).

    That is the torque, its size, the required friction, the smaller normal force, the clearance
    or the potential energy, over all angles of the grid.
    """
    nodes = _READ[grid.problem.criterion](grid.nodes)
    return np.stack((_least(nodes), -_least(-nodes)), axis=1)


def bound(grid: AngleGrid) -> Bound:
    """Return the bound of the criterion."""
    criterion = grid.problem.criterion
    if criterion == TORQUE_RMS:
        return Bound(0.0, "single positions do not bound a mean over the way")
    if criterion == WHEEL_ENERGY:
        return Bound(0.0, "legs that rise may do all that wheels do")
    values = _READ[criterion](grid.nodes)
    places, sides = _rear(grid)
    stacked = np.concatenate((values, _READ[criterion](sides).reshape(-1, values.shape[1])))
    least, most = _least(stacked), -_least(-stacked)

    def where(row: int) -> str:
        stations = grid.problem.stations
        if row < len(stations):
            return f"with the front wheel at {stations[row]:.3f} m"
        return f"with the rear wheel at {places[(row - len(stations)) // 2]:.3f} m"

    if criterion == TORQUE_RANGE:
        up, down = int(np.argmax(least)), int(np.argmin(most))
        high, low = float(least[up]), float(most[down])
        reason = (
            f"any angles need {high:.4g} N m or more {where(up)} and {low:.4g} N m or less "
            f"{where(down)}"
        )
        if np.nan_to_num(np.abs(stacked)).max(axis=1).min() < _NO_TORQUE:
            high, low = max(high, 0.0), min(low, 0.0)
            reason += ", and none on level ground"
        return Bound(max(high - low, 0.0), reason)
    if criterion in (NORMAL_FORCE, CLEARANCE):
        row = int(np.argmin(most))
        unit = "N on a wheel" if criterion == NORMAL_FORCE else "m of clearance"
        return Bound(float(most[row]), f"any angles leave {most[row]:.4g} {unit} {where(row)}")
    row = int(np.argmax(least))
    if criterion == ENERGY:
        start = grid.problem.limits.start
        node = slice(None) if start is None else _node(grid, start)
        rise = max(float(least[row]) - float(np.nanmax(values[0, node])), 0.0)
        reason = f"any angles rise by {rise:.4g} J of potential energy {where(row)}"
        return Bound(rise, reason)
    unit = "N m of torque" if criterion == TORQUE_PEAK else "of friction"
    return Bound(float(least[row]), f"any angles need {least[row]:.4g} {unit} {where(row)}")


def _rear(grid: AngleGrid) -> tuple[Array, Samples]:
    """Return places [m] that the rear wheel passes with all angles, samples at both sides of each.

    Non-smooth points of the track are among them.
    """
    problem = grid.problem
    even = np.linspace(problem.curve.begin, problem.end, _PLACES)[1:-1]
    places = np.union1d(even, grid.nonsmooth_points)
    sides = rear_samples(problem, places, grid.phi)
    passed = np.isfinite(sides.torque).all(axis=(1, 2))
    return places[passed], sides[passed]


def _node(grid: AngleGrid, angles: tuple[float, float]) -> int:
    """Node of the grid with given angles."""
    return int(np.argmin(np.abs(grid.phi - np.array(angles)[:, None]).max(axis=0)))


_READ: dict[str, Callable[[Samples], Array]] = {
    TORQUE_RANGE: lambda of: of.torque,
    TORQUE_PEAK: lambda of: np.abs(of.torque),
    TORQUE_RMS: lambda of: np.abs(of.torque),
    GRIP: lambda of: of.required,
    NORMAL_FORCE: lambda of: of.normal,
    CLEARANCE: lambda of: of.clearance,
    ENERGY: lambda of: of.potential,
    WHEEL_ENERGY: lambda of: of.potential,
}


def _least(of: Array) -> Array:
    """Least of every row where there is a pose."""
    return np.where(np.isfinite(of), of, np.inf).min(axis=-1)
