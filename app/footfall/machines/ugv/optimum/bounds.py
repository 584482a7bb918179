"""Bounds on all traversals, whatever the legs do, from what single positions ask.

Any traversal has some angles at every station. So its torque is somewhere no less than the least
that any angles have there, and likewise for its other end, and for friction. On a grid this
is a minimum; for all angles between it is proved by branch and bound over intervals (see
`enclosure`), at the places that ask most on the grid.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.optimum.enclosure import Cells, Enclosed, Enclosure, box
from footfall.machines.ugv.optimum.grid import AngleGrid
from footfall.machines.ugv.optimum.intervals import Interval
from footfall.machines.ugv.optimum.problem import (
    BESIDE,
    CLEARANCE,
    ENERGY,
    GRIP,
    TORQUE_PEAK,
    TORQUE_RANGE,
)
from footfall.machines.ugv.optimum.samples import Samples

_PARTS = 16  # cells of each angle to begin with
_MOST = 30_000  # cells at once
_ROUNDS = 24
_NO_TORQUE = 1e-9  # N m
_GAP = 1e-4  # relative, where the bound is near enough to what some angles have


@dataclass(frozen=True)
class Bound:
    """Bound on all traversals: for all angles between the limits, and for those of the grid.

    reason: where it comes from, in words.
    """

    value: float
    on_grid: float
    reason: str


class WheelStation(NamedTuple):
    """Position that every traversal passes: the front or rear wheel's centre at s [m].

    row: of quantities that are stacked as `Bounds` does.
    """

    row: int
    s: float
    rear: bool

    @property
    def description(self) -> str:
        """In words."""
        return f"with the {'rear' if self.rear else 'front'} wheel at {self.s:.3f} m"


@dataclass(frozen=True, eq=False)
class Bounds:
    """Bounds of the problem of a grid."""

    grid: AngleGrid

    @cached_property
    def _enclosure(self) -> Enclosure:
        return Enclosure(self.grid.problem)

    @cached_property
    def _passed(self) -> npt.NDArray[np.bool_]:
        """Non-smooth points that the rear wheel passes whatever the angles are, (q,)."""
        return np.asarray(np.isfinite(self.grid.nonsmooth.torque).all(axis=(1, 2)))

    def _stacked(self, of: Callable[[Samples], Array]) -> Array:
        """A quantity on the grid: at all stations, then beside the non-smooth points passed."""
        nonsmooth = of(self.grid.nonsmooth[self._passed])
        return np.concatenate((of(self.grid.nodes), nonsmooth.reshape(-1, nonsmooth.shape[-1])))

    def _station(self, row: int) -> WheelStation:
        stations = self.grid.problem.stations
        if row < len(stations):
            return WheelStation(row, float(stations[row]), rear=False)
        number, side = divmod(row - len(stations), 2)
        point = float(self.grid.nonsmooth_points[self._passed][number])
        return WheelStation(row, point + (BESIDE if side else -BESIDE), rear=True)

    def pointwise(self) -> Array:
        """Return the least and most of the criterion's quantity at every station, (n, 2).

        That is the torque, its size, the required friction, the clearance or the potential energy.
        """
        nodes = _READ[self.grid.problem.criterion](self.grid.nodes)
        return np.stack((_least(nodes), -_least(-nodes)), axis=1)

    def bound(self) -> Bound:
        """The bound of the criterion."""
        return {
            TORQUE_RANGE: self._range,
            TORQUE_PEAK: self._peak,
            GRIP: self._grip,
            CLEARANCE: self._clearance,
            ENERGY: self._energy,
        }[self.grid.problem.criterion]()

    def _range(self) -> Bound:
        torque = self._stacked(_READ[TORQUE_RANGE])
        low, high = _least(torque), -_least(-torque)
        up, down = self._station(int(np.argmax(low))), self._station(int(np.argmin(high)))
        most, least = float(low[up.row]), float(high[down.row])
        proved_most = self._floor(up, lambda of: of.torque, most)
        proved_least = -self._floor(down, lambda of: -of.torque, -least)
        # rounding of forces of some kN, on ground that is level as far as numbers go
        level = bool(np.nan_to_num(np.abs(torque)).max(axis=1).min() < _NO_TORQUE)
        if level:
            most, least = max(most, 0.0), min(least, 0.0)
            proved_most, proved_least = max(proved_most, 0.0), min(proved_least, 0.0)
        reason = (
            f"any angles need {proved_most:.4g} N m or more {up.description} and "
            f"{proved_least:.4g} N m or less {down.description}"
        )
        if level:
            reason += ", and none on level ground"
        return Bound(max(proved_most - proved_least, 0.0), max(most - least, 0.0), reason)

    def _peak(self) -> Bound:
        return self._worst(lambda of: of.torque.size(), "N m of torque")

    def _grip(self) -> Bound:
        return self._worst(lambda of: of.required, "of friction")

    def _worst(self, part: Callable[[Enclosed], Interval], what: str) -> Bound:
        least = _least(self._stacked(_READ[self.grid.problem.criterion]))
        station = self._station(int(np.argmax(least)))
        known = float(least[station.row])
        value = self._floor(station, part, known)
        return Bound(
            value, known, f"any angles need {value:.4g} {what} or more {station.description}"
        )

    def _clearance(self) -> Bound:
        """A leg ends at its axle, so that no clearance is more than that of the axles."""
        problem = self.grid.problem
        at = problem.curve.at(problem.stations)
        over = at.z - problem.track.profile(at.s).height
        row = int(np.argmin(over))
        value = float(over[row])
        reason = (
            f"the legs reach down to the axles, which are {value:.4g} m above the ground "
            f"{self._station(row).description}"
        )
        most = -_least(-self._stacked(_READ[CLEARANCE]))
        return Bound(value, float(most.min()), reason)

    def _energy(self) -> Bound:
        start, first = self.grid.problem.limits.start, self._station(0)
        potential = self._stacked(_READ[ENERGY])
        if start is None:
            begin = -float(_least(-potential)[0])
            proved_begin = -self._floor(first, lambda of: -of.potential, -begin)
        else:
            node = int(np.argmin(np.abs(self.grid.phi - np.array(start)[:, None]).max(axis=0)))
            begin = proved_begin = float(potential[0, node])
        least = _least(potential)
        top = self._station(int(np.argmax(least)))
        known = float(least[top.row])
        rise = self._floor(top, lambda of: of.potential, known) - proved_begin
        reason = (
            f"any angles have {rise:.4g} J more of potential energy {top.description} than at the "
            "start"
            if rise > 0.0
            else "angles low enough have nowhere more potential energy than there is at the start"
        )
        return Bound(max(rise, 0.0), max(known - begin, 0.0), reason)

    def _floor(
        self, station: WheelStation, part: Callable[[Enclosed], Interval], known: float
    ) -> float:
        """A number that a quantity does not fall below with any angles at a place.

        known: what some angles have, from which the number is not far.
        """
        limits = self.grid.problem.limits

        def of(cells: Cells) -> Interval:
            return part(self._enclosure.at(station.s, cells, rear=station.rear))

        def floors(cells: Cells) -> Array:
            low = of(cells).lo
            return np.where(np.isnan(low), -np.inf, low)

        cells = box(limits.least, limits.most, _PARTS)
        floor = floors(cells)
        apart = _GAP * max(abs(known), _NO_TORQUE)
        for _ in range(_ROUNDS):
            known = float(np.fmin.reduce(of(cells.middles).hi, initial=known))
            open_ = floor < known - apart
            if not open_.any() or 4 * int(open_.sum()) > _MOST:
                break
            cells = cells.at(open_).quarters()
            floor = floors(cells)
        return min(float(floor.min()), known - apart)


_READ: dict[str, Callable[[Samples], Array]] = {
    TORQUE_RANGE: lambda of: of.torque,
    TORQUE_PEAK: lambda of: np.abs(of.torque),
    GRIP: lambda of: of.required,
    CLEARANCE: lambda of: of.clearance,
    ENERGY: lambda of: of.potential,
}


def _least(of: Array) -> Array:
    """Least of every row where there is a pose."""
    return np.where(np.isfinite(of), of, np.inf).min(axis=-1)
