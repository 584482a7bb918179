"""Bounds on all traversals, whatever the legs do, from what single positions ask.

Any traversal has some angles at every place of the front wheel, and some at every place of the rear
one, which passes all on its way. So its torque is somewhere no less than the least that any angles
have there, and likewise for its other end, and for friction. On a grid this
is a minimum; for all angles between it is proved by branch and bound over intervals (see
`enclosure`), at the places that ask most on the grid.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.position import base, pose
from footfall.machines.ugv.optimum.enclosure import Cells, Enclosed, Enclosure, box
from footfall.machines.ugv.optimum.grid import AngleGrid, rear_samples
from footfall.machines.ugv.optimum.intervals import Interval
from footfall.machines.ugv.optimum.problem import (
    BESIDE,
    CLEARANCE,
    ENERGY,
    GRIP,
    NORMAL_FORCE,
    ONE_PLACE,
    TORQUE_PEAK,
    TORQUE_RANGE,
    TORQUE_RMS,
    WHEEL_ENERGY,
)
from footfall.machines.ugv.optimum.samples import Samples, samples_at

_PARTS = 16  # cells of each angle to begin with
_MOST = 120_000  # cells at once
_ROUNDS = 24
_PLACES = 201  # of the rear wheel
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

    row: of quantities that are stacked as `Bounds` does. around [m]: how far on either side other
    such positions have no row, 0 beside non-smooth points.
    """

    row: int
    s: float
    rear: bool
    around: float = 0.0

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

    @cached_property
    def _rear_places(self) -> Array:
        """Places that the rear wheel's centre passes whatever the angles are, (k,) [m]."""
        problem, limits = self.grid.problem, self.grid.problem.limits
        most = np.array(limits.most)
        longest = float(np.abs(base(problem.parameters, most, most)))
        last = problem.end - 2.0 * problem.parameters.r  # wheels are apart
        even = np.linspace(problem.begin - longest, last, _PLACES)
        apart = np.abs(even[:, None] - problem.curve.nonsmooth_points).min(axis=1, initial=np.inf)
        inside = (even > problem.curve.begin) & (apart > ONE_PLACE)
        return np.array([place for place in even[inside] if self._is_passed(place)])

    def _is_passed(self, rear: float) -> bool:
        """Return whether the front wheel is between its first and last station, of any angles.

        Then the rear wheel is behind the place at the first station and beyond it at the last, and
        it goes from the one to the other without a jump.
        """
        limits = self.grid.problem.limits
        front = self._enclosure.reached(rear, limits.least, limits.most)
        return bool((front.lo >= self.grid.problem.begin) & (front.hi <= self.grid.problem.end))

    @cached_property
    def _at_rear_places(self) -> Samples:
        return rear_samples(self.grid.problem, self._rear_places, self.grid.phi)[:, 0]

    def _stacked(self, of: Callable[[Samples], Array]) -> Array:
        """A quantity on the grid, in the rows of `_station`.

        At all stations, beside the non-smooth points passed, and at places of the rear wheel.
        """
        nonsmooth = of(self.grid.nonsmooth[self._passed])
        sides = nonsmooth.reshape(-1, nonsmooth.shape[-1])
        return np.concatenate((of(self.grid.nodes), sides, of(self._at_rear_places)))

    def _station(self, row: int) -> WheelStation:
        stations = self.grid.problem.stations
        if row < len(stations):
            return WheelStation(row, float(stations[row]), False, _around(stations, row))
        points = self.grid.nonsmooth_points[self._passed]
        number, side = divmod(row - len(stations), 2)
        if number >= len(points):
            place = row - len(stations) - 2 * len(points)
            places = self._rear_places
            return WheelStation(row, float(places[place]), True, _around(places, place))
        point = float(points[number])
        return WheelStation(row, point + (BESIDE if side else -BESIDE), rear=True)

    def _samples(self, s: float, *, rear: bool) -> Samples:
        """Those of the grid's angles with a wheel at a place, (G,)."""
        problem, phi = self.grid.problem, self.grid.phi
        if rear:
            return rear_samples(problem, np.array([s]), phi)[0, 0]
        return samples_at(problem, pose(problem.parameters, problem.curve, np.array(s), *phi))

    def _hardest(
        self, station: WheelStation, of: Callable[[Samples], Array]
    ) -> tuple[WheelStation, float]:
        """The position about a station whose least of a quantity is largest, and that least."""
        known = float(_least(of(self._samples(station.s, rear=station.rear))))
        if station.around <= ONE_PLACE:
            return station, known
        found = minimize_scalar(
            lambda s: -float(_least(of(self._samples(s, rear=station.rear)))),
            bounds=(station.s - station.around, station.s + station.around),
            method="bounded",
            options={"xatol": 1e-2 * station.around},
        )
        if -found.fun > known:
            return station._replace(s=float(found.x)), -float(found.fun)
        return station, known

    def pointwise(self) -> Array:
        """Return the least and most of the criterion's quantity at every station, (n, 2).

        That is the torque, its size, the required friction, the smaller normal force, the clearance
        or the potential energy.
        """
        nodes = _READ[self.grid.problem.criterion](self.grid.nodes)
        return np.stack((_least(nodes), -_least(-nodes)), axis=1)

    def bound(self) -> Bound:
        """The bound of the criterion."""
        return {
            TORQUE_RANGE: self._range,
            TORQUE_PEAK: self._peak,
            GRIP: self._grip,
            NORMAL_FORCE: self._normal,
            CLEARANCE: self._clearance,
            TORQUE_RMS: lambda: Bound(0.0, 0.0, "single places do not bound a mean over the way"),
            WHEEL_ENERGY: lambda: Bound(0.0, 0.0, "legs that rise may do all that wheels do"),
            ENERGY: self._energy,
        }[self.grid.problem.criterion]()

    def _range(self) -> Bound:
        torque = self._stacked(_READ[TORQUE_RANGE])
        low, high = _least(torque), -_least(-torque)
        torque_of = _READ[TORQUE_RANGE]
        up, most = self._hardest(self._station(int(np.argmax(low))), torque_of)
        down, least = self._hardest(self._station(int(np.argmin(high))), lambda of: -torque_of(of))
        least = -least
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
        quantity = _READ[self.grid.problem.criterion]
        least = _least(self._stacked(quantity))
        station, known = self._hardest(self._station(int(np.argmax(least))), quantity)
        value = self._floor(station, part, known)
        return Bound(
            value, known, f"any angles need {value:.4g} {what} or more {station.description}"
        )

    def _normal(self) -> Bound:
        def short(of: Samples) -> Array:
            return -of.normal

        least = _least(self._stacked(short))
        station, known = self._hardest(self._station(int(np.argmax(least))), short)
        value = -self._floor(station, lambda of: -of.normal, known)
        reason = f"any angles leave a wheel {value:.4g} N or less {station.description}"
        return Bound(value, -known, reason)

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
    TORQUE_RMS: lambda of: np.abs(of.torque),
    GRIP: lambda of: of.required,
    NORMAL_FORCE: lambda of: of.normal,
    CLEARANCE: lambda of: of.clearance,
    ENERGY: lambda of: of.potential,
    WHEEL_ENERGY: lambda of: of.potential,
}


def _around(places: Array, index: int) -> float:
    """Distance of a place to the nearer of its neighbours on both sides [m]; 0 at an end."""
    if not 0 < index < len(places) - 1:
        return 0.0
    return float(np.diff(places[index - 1 : index + 2]).min())


def _least(of: Array) -> Array:
    """Least of every row where there is a pose."""
    return np.where(np.isfinite(of), of, np.inf).min(axis=-1)
