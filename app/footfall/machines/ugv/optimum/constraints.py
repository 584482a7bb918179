"""Variables and constraints of the nonlinear programme that refines a path, with their Jacobian.

Variables: both angles at every station, stations between which the legs cannot turn sharing theirs,
and what bounds the criterion from above (an epigraph), so that all constraints are smooth.
Constraints: limits and epigraphs at every station and at both sides of every non-smooth point that
the rear wheel passes.

Sensitivities to the angles are central differences. At a station a quantity depends on the two
angles there; where the rear wheel passes a non-smooth point, on the four at both ends of the
interval. One batch holds the path itself, then the path with each angle a little more and a little
less.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.machines.ugv.closed_form.criteria import clearance
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import VehiclePose, pose
from footfall.machines.ugv.optimum.crossings import crossing, pose_at_nonsmooth_point
from footfall.machines.ugv.optimum.paths.kernels import works
from footfall.machines.ugv.optimum.problem import (
    CLEARANCE,
    ENERGY,
    GRIP,
    MORE_IS_BETTER,
    NORMAL_FORCE,
    TORQUE_PEAK,
    TORQUE_RANGE,
    TORQUE_RMS,
    WHEEL_ENERGY,
    Problem,
)

STEP = 1e-6  # rad
QUANTITIES = (
    *("torque", "leg_r", "leg_f", "theta_r", "theta_f"),
    *("needed_r", "needed_f", "normal_r", "normal_f", "clearance", "rear", "wheelbase"),
)


@dataclass(frozen=True, eq=False)
class PathQuantities:
    """Quantities (12, ...) of QUANTITIES at a path and its neighbours.

    stations (12, 5, n): the path, rear angle +-, front angle +-. nonsmooth (12, 9, c, 2): the path,
    then rear and front angle at the interval's begin, rear and front at its end, each +-; before
    and after every non-smooth point.
    """

    stations: Array
    nonsmooth: Array


@dataclass(frozen=True, eq=False)
class Crossings:
    """Non-smooth points (c,) [m] that the rear wheel passes, and the intervals (c,) of that."""

    nonsmooth_points: Array
    intervals: npt.NDArray[np.int64]


def find_crossings(problem: Problem, rear: Array) -> Crossings:
    """Return the non-smooth points between the rear wheel's abscissas (n,) at the stations."""
    pairs = [
        (point, k)
        for point in problem.rear_nonsmooth_points
        for k in np.flatnonzero((rear[:-1] < point) & (rear[1:] >= point))
    ]
    return Crossings(
        np.array([point for point, _ in pairs]), np.array([k for _, k in pairs], dtype=np.int64)
    )


def path_quantities(problem: Problem, phi: Array, crossings: Crossings) -> PathQuantities:
    """All quantities about a path (2, n)."""
    batch = np.repeat(phi[:, None], 5, axis=1)
    for side in range(2):
        batch[side, 1 + 2 * side] += STEP
        batch[side, 2 + 2 * side] -= STEP
    s = problem.stations
    stations = _quantities(problem, pose(problem.parameters, problem.curve, s, *batch))
    if not len(crossings.nonsmooth_points):
        return PathQuantities(stations, np.zeros((len(QUANTITIES), 9, 0, 2)))
    k = crossings.intervals
    ends = np.array([phi[0, k], phi[1, k], phi[0, k + 1], phi[1, k + 1]])
    ends = np.repeat(ends[:, None], 9, axis=1)
    for number in range(4):
        ends[number, 1 + 2 * number] += STEP
        ends[number, 2 + 2 * number] -= STEP
    spacing = s[k + 1] - s[k]
    slope_r, slope_f = (ends[2] - ends[0]) / spacing, (ends[3] - ends[1]) / spacing
    begin = np.broadcast_to(s[k], ends[0].shape)
    at, r, f = crossing(
        problem, crossings.nonsmooth_points, begin, (ends[0], slope_r), (ends[1], slope_f)
    )
    nonsmooth = _quantities(
        problem, pose_at_nonsmooth_point(problem, crossings.nonsmooth_points, at, r, f)
    )
    return PathQuantities(stations, np.moveaxis(nonsmooth, 1, -1))


def _quantities(problem: Problem, at: VehiclePose) -> Array:
    given = problem.parameters
    of = forces(given, at)
    with np.errstate(divide="ignore"):
        needed = of.friction / of.normal_r, of.friction / of.normal_f
    return np.array(
        [
            of.torque,
            of.leg_r,
            of.leg_f,
            at.rear.arc / given.r + at.psi - at.phi_r,
            at.front.arc / given.r + at.psi + at.phi_f,
            *needed,
            of.normal_r,
            of.normal_f,
            clearance(given, problem.track, at),
            at.rear.s,
            at.wheelbase,
        ]
    )


# how far the programme stays off its bounds, beyond a solver's tolerance
_MARGIN = {
    "needed_r": 1e-6,
    "needed_f": 1e-6,
    "normal_r": 0.01,
    "normal_f": 0.01,
    "clearance": 1e-6,
}


@dataclass(frozen=True)
class BoundedQuantity:
    """Bounds of a quantity times a sign, less an epigraph variable or none (-1)."""

    quantity: str
    epigraph: int
    lower: float
    upper: float
    sign: float = 1.0


def bounded_quantities(problem: Problem, first: int) -> list[BoundedQuantity]:
    """Quantities that limits and the criterion bound; first: the first epigraph variable."""
    limits, inf = problem.limits, math.inf
    rows = [
        BoundedQuantity(name, -1, max(limits.normal_margin, 0.0) + _MARGIN[name], inf)
        for name in ("normal_r", "normal_f")
    ]
    if math.isfinite(limits.friction):
        most = limits.usable_friction - _MARGIN["needed_r"]
        rows += [BoundedQuantity(name, -1, -most, most) for name in ("needed_r", "needed_f")]
    if math.isfinite(limits.clearance_margin):
        least = limits.clearance_margin + _MARGIN["clearance"]
        rows.append(BoundedQuantity("clearance", -1, least, inf))
    apart = 2.0 * problem.parameters.r
    rows.append(BoundedQuantity("wheelbase", -1, apart * (1.0 + 1e-6), inf))
    rows += {
        TORQUE_RANGE: [
            BoundedQuantity("torque", first, 0.0, inf),
            BoundedQuantity("torque", first + 1, -inf, 0.0),
        ],
        TORQUE_PEAK: _both_signs(first, "torque"),
        GRIP: _both_signs(first, "needed_r", "needed_f"),
        NORMAL_FORCE: [BoundedQuantity(name, first, 0.0, inf) for name in ("normal_r", "normal_f")],
        CLEARANCE: [BoundedQuantity("clearance", first, 0.0, inf)],
    }.get(problem.criterion, [])
    return rows


def _both_signs(epigraph: int, *names: str) -> list[BoundedQuantity]:
    """Quantities whose size an epigraph variable bounds."""
    return [
        BoundedQuantity(name, epigraph, -math.inf, 0.0, sign)
        for name in names
        for sign in (1.0, -1.0)
    ]


_SCALES = {
    **dict.fromkeys(("torque", "leg_r", "leg_f"), 100.0),
    **dict.fromkeys(("normal_r", "normal_f"), 1000.0),
    **dict.fromkeys(("needed_r", "needed_f", "clearance"), 0.1),
}
# rows of `works` that a criterion adds up, and what stands for 1 of them [J or N² m³]
_SUMMED = {ENERGY: (0, 1, 2), WHEEL_ENERGY: (0,), TORQUE_RMS: (3,)}
_SUM_SCALES = {ENERGY: 100.0, WHEEL_ENERGY: 100.0, TORQUE_RMS: 1000.0}
_BAD = 1e3  # stands for a quantity where there is no pose, scaled


class PathConstraints:
    """Constraints about a path (2, n), whose crossings they keep in their intervals."""

    def __init__(self, problem: Problem, path: Array) -> None:
        """Lay variables and rows out."""
        self.problem, self._path = problem, path
        tied = problem.reach <= 0.0
        self._place: Indices = np.concatenate(([0], np.cumsum(~tied)))
        self.count = int(self._place[-1]) + 1
        nothing = Crossings(np.zeros(0), np.zeros(0, dtype=np.int64))
        rear = path_quantities(problem, path, nothing).stations[QUANTITIES.index("rear"), 0]
        self._crossings = find_crossings(problem, rear)
        self._columns = np.array([self._place, self._place + self.count])
        self._sums = len(_SUMMED.get(problem.criterion, ())) * (len(path[0]) - 1)
        extra = self._sums or {TORQUE_RANGE: 2}.get(problem.criterion, 1)
        self.size = 2 * self.count + extra
        self._rows = bounded_quantities(problem, 2 * self.count)
        self._last: tuple[bytes, Array, Array] | None = None

    def bounds(self) -> tuple[Array, Array]:
        """Bounds of all rows of `values`, scaled."""
        lower, upper = [], []
        for row in self._rows:
            scale = _SCALES.get(row.quantity, 1.0)
            count = self._path.shape[1] + 2 * len(self._crossings.nonsmooth_points)
            lower.append(np.full(count, row.lower / scale))
            upper.append(np.full(count, row.upper / scale))
        nonsmooth = self._crossings.nonsmooth_points
        lower += [np.full(len(nonsmooth), -math.inf), nonsmooth]
        upper += [nonsmooth, np.full(len(nonsmooth), math.inf)]
        if self._sums:
            lower.append(np.zeros(self._sums))
            upper.append(np.full(self._sums, math.inf))
        return np.concatenate(lower), np.concatenate(upper)

    def box(self) -> tuple[Array, Array]:
        """Bounds of the variables."""
        limits = self.problem.limits
        low, high = np.full(self.size, -math.inf), np.full(self.size, math.inf)
        low[: 2 * self.count], high[: 2 * self.count] = limits.least, limits.most
        for station, angles in ((0, limits.start), (-1, limits.end)):
            if angles is not None:
                columns = self._columns[:, station]
                low[columns] = high[columns] = angles
        if self._sums:
            low[2 * self.count :] = 0.0
        return low, high

    def values(self, x: Array) -> tuple[Array, Array]:
        """All rows, and their Jacobian."""
        key = x.tobytes()
        if self._last is None or self._last[0] != key:
            self._last = (key, *self._evaluated(x))
        return self._last[1], self._last[2]

    def _evaluated(self, x: Array) -> tuple[Array, Array]:
        of = path_quantities(self.problem, x[self._columns], self._crossings)
        parts = [self._row(row, of, x) for row in self._rows]
        parts += self._kept(of)
        if self._sums:
            parts.append(self._summed(of, x))
        values = np.concatenate([part[0] for part in parts])
        jacobian = np.concatenate([part[1] for part in parts])
        invalid = ~np.isfinite(values) | ~np.isfinite(jacobian).all(axis=1)
        values[invalid], jacobian[invalid] = -_BAD, 0.0
        return values, jacobian

    def _row(self, row: BoundedQuantity, of: PathQuantities, x: Array) -> tuple[Array, Array]:
        number, n = QUANTITIES.index(row.quantity), self._path.shape[1]
        scale = row.sign / _SCALES.get(row.quantity, 1.0)
        at, nonsmooth = scale * of.stations[number], scale * of.nonsmooth[number]
        k, count = self._crossings.intervals, nonsmooth.shape[1]
        values = np.concatenate((at[0], nonsmooth[0].T.ravel()))
        jacobian = np.zeros((len(values), self.size))
        each = np.arange(n)
        for side in range(2):
            slope = (at[1 + 2 * side] - at[2 + 2 * side]) / (2.0 * STEP)
            jacobian[each, self._columns[side]] = slope
        for number in range(4):
            slope = (nonsmooth[1 + 2 * number] - nonsmooth[2 + 2 * number]) / (2.0 * STEP)
            columns = self._columns[number % 2, k + number // 2]
            for side in range(2):
                np.add.at(jacobian, (n + side * count + np.arange(count), columns), slope[:, side])
        if row.epigraph >= 0:
            values -= x[row.epigraph]
            jacobian[:, row.epigraph] = -1.0
        return values, jacobian

    def _kept(self, of: PathQuantities) -> list[tuple[Array, Array]]:
        """The rear wheel before and behind the intervals of its crossings."""
        rear, k = of.stations[QUANTITIES.index("rear")], self._crossings.intervals
        parts = []
        for station in (k, k + 1):
            jacobian = np.zeros((len(k), self.size))
            for side in range(2):
                slope = (rear[1 + 2 * side] - rear[2 + 2 * side])[station] / (2.0 * STEP)
                jacobian[np.arange(len(k)), self._columns[side, station]] = slope
            parts.append((rear[0, station], jacobian))
        return parts

    def _summed(self, of: PathQuantities, x: Array) -> tuple[Array, Array]:
        """Epigraph variables less what every interval adds to the criterion.

        Of the energy that is what wheels are given, and works of legs, each by itself. The
        variables are not negative, so that the works of a leg that gives way do not count.
        """
        n = self._path.shape[1]
        phi = x[self._columns]
        rows = np.zeros((7, 5, n))
        rows[:5] = of.stations[:5]
        rows[5:] = phi[:, None]
        for side in range(2):
            rows[5 + side, 1 + 2 * side] += STEP
            rows[5 + side, 2 + 2 * side] -= STEP
        # batch of an interval: as it is, then the begin's four, then the end's four
        begin, end = [0, 1, 2, 3, 4, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 2, 3, 4]
        rear = of.stations[QUANTITIES.index("rear")]
        asked = np.moveaxis(of.nonsmooth[:3], (2, 3, 0, 1), (0, 1, 2, 3))
        found = works(
            np.ascontiguousarray(np.moveaxis(rows[:, begin, :-1], 2, 0)),
            np.ascontiguousarray(np.moveaxis(rows[:, end, 1:], 2, 0)),
            np.ascontiguousarray(rear[begin, :-1].T),
            np.ascontiguousarray(rear[end, 1:].T),
            self._crossings.nonsmooth_points,
            np.ascontiguousarray(asked),
        )
        criterion = self.problem.criterion
        if criterion == TORQUE_RMS:
            found *= np.diff(self.problem.stations)[:, None]
        scale = _SUM_SCALES[criterion]
        found = found[list(_SUMMED[criterion])].reshape(self._sums, -1)
        jacobian = np.zeros((len(found), self.size))
        each = np.arange(len(found))
        for number in range(4):
            slope = (found[:, 1 + 2 * number] - found[:, 2 + 2 * number]) / (2.0 * STEP * scale)
            columns = self._columns[number % 2, each % (n - 1) + number // 2]
            np.add.at(jacobian, (each, columns), -slope)
        first = 2 * self.count
        jacobian[each, first + each] += 1.0
        return x[first:] - found[:, 0] / scale, jacobian

    def guess(self, path: Array) -> Array:
        """All variables for a path (2, n): epigraphs as tight as they can be."""
        x = np.zeros(self.size)
        x[self._columns] = path
        of = path_quantities(self.problem, path, self._crossings)

        def along(name: str) -> Array:
            number = QUANTITIES.index(name)
            both = np.concatenate((of.stations[number, 0], of.nonsmooth[number, 0].ravel()))
            return np.nan_to_num(both) / _SCALES.get(name, 1.0)

        first, criterion = 2 * self.count, self.problem.criterion
        if criterion == TORQUE_RANGE:
            x[first:] = along("torque").min(), along("torque").max()
        elif criterion == TORQUE_PEAK:
            x[first] = np.abs(along("torque")).max()
        elif criterion == GRIP:
            x[first] = np.abs(np.concatenate((along("needed_r"), along("needed_f")))).max()
        elif criterion == CLEARANCE:
            x[first] = along("clearance").min()
        elif criterion == NORMAL_FORCE:
            x[first] = np.minimum(along("normal_r"), along("normal_f")).min()
        else:
            x[first:] = np.maximum(-np.nan_to_num(self._summed(of, x)[0]), 0.0)
        return x

    def objective(self) -> Array:
        """Coefficients of the criterion."""
        weights = np.zeros(self.size)
        first = 2 * self.count
        if self.problem.criterion == TORQUE_RANGE:
            weights[first:] = -1.0, 1.0
        else:
            weights[first:] = -1.0 if self.problem.criterion in MORE_IS_BETTER else 1.0
        return weights

    def path(self, x: Array) -> Array:
        """The path (2, n) of some variables."""
        return x[self._columns]

    def epigraph(self, path: Array) -> Array:
        """Epigraph variables of a path."""
        return self.guess(path)[2 * self.count :]

    def pattern(self) -> list[tuple[int, int]]:
        """Entries of the Jacobian that may differ from 0, whatever the path."""
        filled = np.zeros((len(self.bounds()[0]), self.size), dtype=bool)
        n, k = self._path.shape[1], self._crossings.intervals
        count, offset = len(k), 0
        for row in self._rows:
            for side in range(2):
                filled[offset + np.arange(n), self._columns[side]] = True
            for number in range(4):
                columns = self._columns[number % 2, k + number // 2]
                for side in range(2):
                    filled[offset + n + side * count + np.arange(count), columns] = True
            length = n + 2 * count
            if row.epigraph >= 0:
                filled[offset : offset + length, row.epigraph] = True
            offset += length
        for station in (k, k + 1):
            for side in range(2):
                filled[offset + np.arange(count), self._columns[side, station]] = True
            offset += count
        if self._sums:
            each = np.arange(self._sums)
            for number in range(4):
                columns = self._columns[number % 2, each % (n - 1) + number // 2]
                filled[offset + each, columns] = True
            filled[offset + each, 2 * self.count + each] = True
        return [(int(i), int(j)) for i, j in np.argwhere(filled)]

    def steps(self) -> tuple[Array, Indices, Array]:
        """Length [m], first variable, reach [rad] of the intervals in which the legs may turn."""
        moving = np.flatnonzero(self.problem.reach > 0.0)
        spacing = np.diff(self.problem.stations)[moving]
        return spacing, self._place[moving], self.problem.reach[moving]
