"""The best path over a grid: dynamic programming, exact among all paths that the grid has.

A path is judged as it is driven: by its traversal, at all places between its stations as well.

Of the grid, the non-smooth points of the curve of centres that the front wheel passes are stations.
When the rear wheel passes one depends on the angles: its centre is known then, and the front one is
on the curve at the distance of the wheelbase.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from footfall.arrays import Array, Flags, Indices
from footfall.machines.ugv.closed_form.position import VehiclePose, base, pose
from footfall.machines.ugv.closed_form.traversal import Traversal, all_places, poses_at, traversal
from footfall.machines.ugv.optimum.kernels import bottleneck, cheapest
from footfall.machines.ugv.optimum.problem import (
    BESIDE,
    ENERGIES,
    ENERGY,
    NORMAL_FORCE,
    TORQUE_RANGE,
    WHEEL_ENERGY,
    Problem,
    Samples,
    allowed,
    axis,
    cost,
    fault_at,
    lacking,
    samples_at,
)

_SAME = 1e-9  # rad, m
_STEPS = 30
_CLOSE = 1e-13  # m: Newton steps that are shorter are rounding
_AT_ONCE = 20_000  # poses, for the sake of memory


@dataclass(frozen=True, eq=False)
class AngleGrid:
    """Angles of a grid and all that counts there.

    axes: rear and front angles [rad]. phi (2, G): of every node, the front angle running first.
    nodes (n, G): at the stations. nonsmooth (q, 2, G): before and after the rear wheel passes one
    of the nonsmooth_points (q,) [m] with the angles of a node; NaN where it does not on this task.
    """

    problem: Problem
    axes: tuple[Array, Array]
    phi: Array
    nodes: Samples
    nonsmooth: Samples
    nonsmooth_points: Array

    def windows(self) -> Indices:
        """Places (n - 1, 2, longest axis, 2) from which others are reached, first and last."""
        reach = self.problem.reach
        longest = max(len(one) for one in self.axes)
        places = np.zeros((len(reach), 2, longest, 2), dtype=np.int64)
        for k, most in enumerate(reach):
            for side, one in enumerate(self.axes):
                places[k, side, : len(one), 0] = np.searchsorted(one, one - most - _SAME)
                places[k, side, : len(one), 1] = np.searchsorted(one, one + most + _SAME) - 1
        return places

    def allowed(self) -> tuple[Flags, Flags]:
        """Return which nodes (n, G) and non-smooth points (q, G) keep the limits, ends included."""
        limits = self.problem.limits
        nodes = allowed(limits, self.nodes)
        for row, angles in ((0, limits.start), (-1, limits.end)):
            if angles is not None:
                apart = np.abs(self.phi - np.array(angles)[:, None]).max(axis=0)
                nodes[row] &= apart < _SAME
        met = np.isfinite(self.nonsmooth.torque[:, 0])
        return nodes, allowed(limits, self.nonsmooth).all(axis=1) | ~met

    def worst(self, of: Callable[[Samples], Array]) -> tuple[Array, Array]:
        """Costs of nodes (n, G) and non-smooth points (q, G): inf if barred, -inf if not passed."""
        nodes, nonsmooth = self.allowed()
        met = np.isfinite(self.nonsmooth.torque[:, 0])
        asked = of(self.nonsmooth).max(axis=1, initial=-np.inf)
        at_nonsmooth = np.where(met, np.where(nonsmooth, asked, np.inf), -np.inf)
        return np.where(nodes, of(self.nodes), np.inf), at_nonsmooth


def grid_of(
    problem: Problem,
    count: int,
    also: tuple[tuple[float, float], ...] = (),
    tell: Callable[[float], None] = lambda _share: None,
) -> AngleGrid:
    """Evaluate the closed form; also: angles that have to be on the grid, tell: share done."""
    limits = problem.limits
    asked = [angles for angles in (limits.start, limits.end, *also) if angles is not None]
    axes = (
        axis(limits, count, [one[0] for one in asked]),
        axis(limits, count, [one[1] for one in asked]),
    )
    phi = np.array([one.ravel() for one in np.meshgrid(*axes, indexing="ij")])
    stations = problem.stations
    rows = max(1, _AT_ONCE // phi.shape[1])
    parts = []
    for first in range(0, len(stations), rows):
        s = stations[first : first + rows, None]
        parts.append(samples_at(problem, pose(problem.parameters, problem.curve, s, *phi)))
        tell(min(1.0, (first + rows) / len(stations)))
    nodes = Samples(*map(np.concatenate, zip(*parts, strict=True)))
    nonsmooth_points = _nonsmooth_points_passed(problem, nodes.rear)
    nonsmooth = _rear_samples(problem, nonsmooth_points, phi)
    return AngleGrid(problem, axes, phi, nodes, nonsmooth, nonsmooth_points)


def _rear_samples(problem: Problem, points: Array, phi: Array) -> Samples:
    """Samples (q, 2, G) just before and after points (q,) [m] of the rear wheel's centre.

    phi (2, G): angles. NaN where the front wheel is beyond the stations then.
    """
    given, curve = problem.parameters, problem.curve
    own = base(given, *phi)
    at = np.array([_front(problem, point, np.abs(own)) for point in points.tolist()])
    at = at.reshape(len(points), phi.shape[1])
    beside = np.array([-BESIDE, BESIDE])[:, None, None]
    front, rear = curve.at(at + 0.0 * beside), curve.at(points[:, None] + beside + 0.0 * at)
    phi_r, phi_f = (np.broadcast_to(leg, front.s.shape) for leg in phi)
    psi = np.angle((front.s - rear.s + 1j * (front.z - rear.z)) * np.conj(own))
    R = np.broadcast_to(np.abs(own), front.s.shape)
    sides = samples_at(problem, VehiclePose(front, rear, phi_r, phi_f, R, psi))
    return Samples(*(np.swapaxes(values, 0, 1) for values in sides))


def _front(problem: Problem, point: float, R: Array) -> Array:
    """Abscissas (G,) [m] of the front centre at distances R ahead of the rear one at a point."""
    curve, rear = problem.curve, problem.curve.at(point)
    s = point + R
    for _ in range(_STEPS):
        front = curve.at(np.clip(s, curve.begin, curve.end))
        d = front.s - rear.s + 1j * (front.z - rear.z)
        slope = np.real(np.conj(d) * (1.0 + 1j * np.tan(front.beta))) / np.abs(d)
        after = s - np.clip((np.abs(d) - R) / slope, -0.2, 0.2)
        moved = np.abs(after - s)
        s = after
        if not (moved > _CLOSE).any():
            break
    passed = (s >= problem.stations[0]) & (s <= problem.stations[-1]) & (moved < _SAME)
    return np.where(passed & (2.0 * problem.parameters.r < R), s, np.nan)


def _nonsmooth_points_passed(problem: Problem, rear: Array) -> Array:
    """Non-smooth points between the first and the last place of the rear wheel."""
    nonsmooth, there = problem.rear_nonsmooth_points, rear[np.isfinite(rear)]
    if not len(there):
        return nonsmooth[:0]
    return nonsmooth[(nonsmooth > there.min()) & (nonsmooth <= there.max())]


_ROUNDING = 1e-9  # rad
_WEIGHTS = {ENERGY: (1.0, 1.0), WHEEL_ENERGY: (1.0, 0.0)}  # of the energies of wheels and legs


@dataclass(frozen=True, eq=False)
class EvaluatedPath:
    """A path: angles (2, n) [rad] at the stations, its traversal, and what counts along it.

    places (m,) [m]: of the front wheel's centre, the traversal's rows and those between, where
    angles are linear; samples: there. value: of the criterion, the less the better but for the
    normal force, of all places; at_stations: of the traversal's rows alone. fault: the first limit
    that is broken anywhere, with its place, in words; empty where it passes.
    """

    problem: Problem
    phi: Array
    traversal: Traversal
    places: Array
    samples: Samples
    value: float
    at_stations: float
    fault: str

    @property
    def passes(self) -> bool:
        """Return whether it keeps all limits."""
        return not self.fault

    @property
    def cost(self) -> float:
        """The value, the less the better; infinite for a path that does not pass."""
        if not self.passes:
            return math.inf
        return -self.value if self.problem.criterion == NORMAL_FORCE else self.value


def evaluate_path(problem: Problem, phi: Array) -> EvaluatedPath:
    """Drive a path (2, n); raises ValueError, one line, where the vehicle has no place."""
    rows = traversal(problem.parameters, problem.curve, problem.stations, *phi)
    places = all_places(rows)
    samples = samples_at(problem, poses_at(problem.parameters, rows, places))
    return EvaluatedPath(
        problem,
        phi,
        rows,
        places,
        samples,
        _value(problem, rows, samples),
        _value(problem, rows, samples.at(np.isin(places, rows.s))),
        _fault(problem, phi, places, samples),
    )


def _value(problem: Problem, rows: Traversal, of: Samples) -> float:
    """Value of the criterion over samples; what adds up is an integral over all places."""
    if problem.criterion == ENERGY:
        return float(rows.works.supplied[-1])
    if problem.criterion == WHEEL_ENERGY:
        return float(rows.works.driven[-1])
    if problem.criterion == TORQUE_RANGE:
        return float(np.nanmax(of.torque) - np.nanmin(of.torque))
    worst = float(np.nanmax(cost(problem.criterion, of)))
    return -worst if problem.criterion == NORMAL_FORCE else worst


def _fault(problem: Problem, phi: Array, places: Array, of: Samples) -> str:
    limits = problem.limits
    fine = allowed(limits, of)
    if not fine.all():
        index = int(np.argmin(fine))
        return f"{fault_at(limits, of, index)} at s = {places[index]:.3f} m"
    for end, angles in ((0, limits.start), (-1, limits.end)):
        if angles is not None and np.abs(phi[:, end] - angles).max() > _ROUNDING:
            return "the legs do not have the angles asked for at an end"
    return ""


@dataclass(frozen=True, eq=False)
class Search:
    """Paths over one grid, as angles (2, n) [rad] at the stations; None where none passes."""

    grid: AngleGrid

    @cached_property
    def _between(self) -> tuple[Array, Array, Indices, int]:
        grid = self.grid
        rear = np.ascontiguousarray(grid.nodes.rear)
        return rear, grid.nonsmooth_points, grid.windows(), len(grid.axes[1])

    def best(self) -> Array | None:
        """The best path, the smoothest among equals."""
        criterion = self.grid.problem.criterion
        if criterion in ENERGIES:
            return self._cheapest(*self._usable(), _WEIGHTS[criterion])
        if criterion == TORQUE_RANGE:
            return self._narrowest()
        costs = self.grid.worst(partial(cost, criterion))
        least = self._least(*costs)
        return self._smoothest(*costs, least) if least < np.inf else None

    def fixed(self) -> Array | None:
        """The best of those that keep one node all the way."""
        problem = self.grid.problem
        if problem.criterion in ENERGIES:
            return self._cheapest(*self._usable(), _WEIGHTS[problem.criterion], fixed=True)
        if problem.criterion == TORQUE_RANGE:
            costs = _along(*self.grid.worst(_torque)) + _along(*self.grid.worst(_back))
        else:
            costs = _along(*self.grid.worst(partial(cost, problem.criterion)))
        node = int(np.argmin(costs))
        if not costs[node] < np.inf:
            return None
        return np.repeat(self.grid.phi[:, node : node + 1], len(problem.stations), axis=1)

    def why_none(self) -> str:
        """One line about the first place that no path of the grid comes by; there has to be one."""
        stations, limits = self.grid.problem.stations, self.grid.problem.limits
        reached = self._worst_so_far(*self._usable()) < np.inf
        k = int(np.argmin(reached.any(axis=1)))
        nodes, nonsmooth = self.grid.allowed()
        if not nodes[k].any():
            where = f"with the front wheel at {stations[k]:.3f} m"
            return f"{lacking(limits, self.grid.nodes.at(k))}, {where}"
        for q in np.flatnonzero(~nonsmooth.any(axis=1)).tolist():
            where = f"with the rear wheel at {self.grid.nonsmooth_points[q]:.3f} m"
            return f"{lacking(limits, self.grid.nonsmooth.at(q))}, {where}"
        return (
            "the legs cannot turn quickly enough to have angles that pass with the front wheel at "
            f"{stations[k]:.3f} m"
        )

    def _usable(self) -> tuple[Array, Array]:
        """Costs of nodes and non-smooth points that keep the limits: none, else infinite."""
        return self.grid.worst(lambda of: np.zeros_like(of.torque))

    def _least(self, nodes: Array, nonsmooth: Array) -> float:
        return float(self._worst_so_far(nodes, nonsmooth)[-1].min())

    def _worst_so_far(self, nodes: Array, nonsmooth: Array) -> Array:
        return bottleneck(nodes, nonsmooth, *self._between)

    def _smoothest(self, nodes: Array, nonsmooth: Array, most: float) -> Array | None:
        """The smoothest path whose cost is nowhere above the most."""
        free, passed = (np.where(costs <= most, 0.0, np.inf) for costs in (nodes, nonsmooth))
        return self._cheapest(free, passed, (0.0, 0.0))

    def _narrowest(self) -> Array | None:
        """Least range of the torque: of every floor the least ceiling, which rises with it."""
        above, nonsmooth_above = self.grid.worst(_torque)
        below, nonsmooth_below = self.grid.worst(_back)
        known = np.concatenate((below.ravel(), nonsmooth_below.ravel()))
        levels = np.unique(-known[np.isfinite(known)])

        def over(floor: float) -> tuple[Array, Array]:
            """Costs of the torque where it is nowhere below a floor."""
            inside = (-nonsmooth_below >= floor) | ~np.isfinite(nonsmooth_below)
            return (
                np.where(-below >= floor, above, np.inf),
                np.where(inside, nonsmooth_above, np.inf),
            )

        def floor_under(most: float) -> float:
            inside = (nonsmooth_above <= most) | ~np.isfinite(nonsmooth_above)
            return -self._least(
                np.where(above <= most, below, np.inf), np.where(inside, nonsmooth_below, np.inf)
            )

        # no path stays above the lowest of the stations' largest torques
        highest = float((-np.where(np.isfinite(below), below, np.inf)).max(axis=1).min())
        pair, width, first = None, np.inf, 0
        while first < len(levels):
            top = self._least(*over(float(levels[first])))
            if not top - highest < width:
                break
            floor = floor_under(top)
            if top - floor < width:
                pair, width = (floor, top), top - floor
            first = int(np.searchsorted(levels, floor, side="right"))
        return None if pair is None else self._smoothest(*over(pair[0]), pair[1])

    def _cheapest(
        self, nodes: Array, nonsmooth: Array, weights: tuple[float, float], *, fixed: bool = False
    ) -> Array | None:
        """The path of the least energies with weights, the smoothest among equals.

        nodes, nonsmooth: 0 where they may be used, else infinite. fixed: of one node all the way.
        """
        grid, of = self.grid, self.grid.nodes
        phi = np.broadcast_to(grid.phi, (len(nodes), *grid.phi.shape))
        rows = np.stack(
            (of.torque, of.leg_r, of.leg_f, of.theta_r, of.theta_f, *np.moveaxis(phi, 1, 0)), 1
        )
        of = grid.nonsmooth
        row_nonsmooth = np.stack((of.torque, of.leg_r, of.leg_f), axis=2)
        rear, points, windows, columns = self._between
        if fixed:
            windows = np.zeros_like(windows)
            windows[...] = np.arange(windows.shape[2])[:, None]
        value, rough, before = cheapest(
            np.array(weights),
            np.ascontiguousarray(rows),
            np.ascontiguousarray(row_nonsmooth),
            nodes,
            nonsmooth,
            rear,
            points,
            windows,
            columns,
            np.diff(grid.problem.stations),
        )
        last = np.lexsort((rough[-1], value[-1]))[0]
        if not value[-1, last] < np.inf:
            return None
        path = np.full(len(value), last)
        for k in range(len(value) - 1, 0, -1):
            path[k - 1] = before[k, path[k]]
        return np.asarray(grid.phi[:, path])


def _torque(of: Samples) -> Array:
    return of.torque


def _back(of: Samples) -> Array:
    return -of.torque


def _along(nodes: Array, nonsmooth: Array) -> Array:
    """Worst cost of every node that is kept all the way."""
    return np.maximum(nodes.max(axis=0), nonsmooth.max(axis=0, initial=-np.inf))
