"""The best path over a grid: dynamic programming, exact among all paths that the grid has."""

import math
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.machines.ugv.optimum.grid import AngleGrid
from footfall.machines.ugv.optimum.paths.kernels import bottleneck, cheapest, smoothest
from footfall.machines.ugv.optimum.problem import (
    ENERGY,
    SUMS,
    TORQUE_RANGE,
    TORQUE_RMS,
    WHEEL_ENERGY,
)
from footfall.machines.ugv.optimum.samples import Samples, cost

# of energies of wheels and legs, and of the squared torque
_WEIGHTS = {ENERGY: (1.0, 1.0, 0.0), WHEEL_ENERGY: (1.0, 0.0, 0.0), TORQUE_RMS: (0.0, 0.0, 1.0)}


@dataclass(frozen=True, eq=False)
class GridPath:
    """A path over the grid: nodes (n,), and its cost at nodes and non-smooth points."""

    nodes: Indices
    cost: float


@dataclass(frozen=True, eq=False)
class Search:
    """Paths over one grid."""

    grid: AngleGrid

    @cached_property
    def _windows(self) -> Indices:
        return self.grid.windows()

    @cached_property
    def _between(self) -> tuple[Array, Array, Indices, int]:
        grid = self.grid
        rear = np.ascontiguousarray(grid.nodes.rear)
        return rear, grid.nonsmooth_points, self._windows, len(grid.axes[1])

    @cached_property
    def _spacing(self) -> Array:
        return np.diff(self.grid.problem.stations)

    def best(self) -> GridPath | None:
        """The best path, the smoothest among equals; None where no path keeps the limits."""
        criterion = self.grid.problem.criterion
        if criterion in SUMS:
            return self._cheapest()
        if criterion == TORQUE_RANGE:
            return self._narrowest()
        nodes, nonsmooth = self.grid.worst(partial(cost, criterion))
        least = self._least(nodes, nonsmooth)
        return self._smoothest(nodes, nonsmooth, least) if least < np.inf else None

    def fixed(self) -> GridPath | None:
        """The best of those that keep one node all the way; None where none keeps the limits."""
        problem = self.grid.problem
        if problem.criterion in SUMS:
            return self._cheapest(fixed=True)
        if problem.criterion == TORQUE_RANGE:
            above, nonsmooth_above = self.grid.worst(_torque)
            below, nonsmooth_below = self.grid.worst(_back)
            costs = _along(above, nonsmooth_above) + _along(below, nonsmooth_below)
        else:
            costs = _along(*self.grid.worst(partial(cost, problem.criterion)))
        node = int(np.argmin(costs))
        if not costs[node] < np.inf:
            return None
        return GridPath(np.full(len(problem.stations), node), float(costs[node]))

    def reached(self) -> npt.NDArray[np.bool_]:
        """Nodes (n, G) that some path from the first station reaches within the limits."""
        nodes, nonsmooth = self.grid.worst(lambda of: np.zeros_like(of.torque))
        value, _ = bottleneck(nodes, nonsmooth, *self._between)
        return np.asarray(value < np.inf)

    def _least(self, nodes: Array, nonsmooth: Array) -> float:
        value, _ = bottleneck(nodes, nonsmooth, *self._between)
        return float(value[-1].min())

    def _smoothest(self, nodes: Array, nonsmooth: Array, most: float) -> GridPath:
        """The smoothest path whose cost is nowhere above the most."""
        value, before = smoothest(
            nodes,
            nonsmooth,
            *self._between,
            most,
            self._spacing,
            np.ascontiguousarray(self.grid.phi),
        )
        return GridPath(_followed(value, before), most)

    def _narrowest(self) -> GridPath | None:
        """Least range of the torque: for every floor the least ceiling, by branch and bound.

        A floor that rises does not lower the ceiling. So no floor between two has less range than
        the ceiling of the lower less the upper one, and floors up to the highest that allows the
        same ceiling need no look.
        """
        above, nonsmooth_above = self.grid.worst(_torque)
        below, nonsmooth_below = self.grid.worst(_back)

        def ceiling(floor: float) -> float:
            nodes = np.where(-below >= floor, above, np.inf)
            nonsmooth = np.where(
                (-nonsmooth_below >= floor) | ~np.isfinite(nonsmooth_below), nonsmooth_above, np.inf
            )
            return self._least(nodes, nonsmooth)

        def floor_under(most: float) -> float:
            nodes = np.where(above <= most, below, np.inf)
            nonsmooth = np.where(
                (nonsmooth_above <= most) | ~np.isfinite(nonsmooth_above), nonsmooth_below, np.inf
            )
            return -self._least(nodes, nonsmooth)

        low = -np.where(np.isfinite(below), below, -np.inf).max()
        top = ceiling(low)
        if top == np.inf:
            return None
        best = (floor_under(top), top)
        high = float((-np.where(np.isfinite(below), below, np.inf)).max(axis=1).min())
        # parts (a, ceiling at a, b): floors above a and not above b
        parts = [(best[0], top, high)]
        levels = np.unique(-below[np.isfinite(below)])
        while parts:
            a, over, b = parts.pop()
            inside = levels[(levels > a) & (levels <= b)]
            if not len(inside) or over - b >= best[1] - best[0]:
                continue
            middle = float(inside[len(inside) // 2])
            top = ceiling(middle)
            if top < np.inf:
                last = floor_under(top)
                if top - last < best[1] - best[0]:
                    best = (last, top)
                parts.append((last, top, b))
            parts.append((a, over, float(np.nextafter(middle, -np.inf))))
        nodes = np.where(-below >= best[0], above, np.inf)
        nonsmooth = np.where(
            (-nonsmooth_below >= best[0]) | ~np.isfinite(nonsmooth_below), nonsmooth_above, np.inf
        )
        found = self._smoothest(nodes, nonsmooth, best[1])
        return GridPath(found.nodes, best[1] - best[0])

    def _cheapest(self, *, fixed: bool = False) -> GridPath | None:
        grid = self.grid
        nodes, nonsmooth = grid.worst(lambda of: np.zeros_like(of.torque))
        phi = np.broadcast_to(grid.phi, (len(nodes), *grid.phi.shape))
        of = grid.nodes
        rows = np.stack(
            (of.torque, of.leg_r, of.leg_f, of.theta_r, of.theta_f, *np.moveaxis(phi, 1, 0)), 1
        )
        row_nonsmooth = np.stack(
            (grid.nonsmooth.torque, grid.nonsmooth.leg_r, grid.nonsmooth.leg_f), axis=2
        )
        rear, nonsmooth_points, windows, columns = self._between
        if fixed:
            windows = np.zeros_like(windows)
            numbers = np.arange(windows.shape[2])
            windows[..., 0] = windows[..., 1] = numbers
        criterion = grid.problem.criterion
        value, before = cheapest(
            np.array(_WEIGHTS[criterion]),
            np.ascontiguousarray(rows),
            np.ascontiguousarray(row_nonsmooth),
            nodes,
            nonsmooth,
            rear,
            nonsmooth_points,
            windows,
            columns,
            self._spacing,
        )
        if not value[-1].min() < np.inf:
            return None
        least = float(value[-1].min())
        if criterion == TORQUE_RMS:
            least = math.sqrt(least / float(self._spacing.sum()))
        return GridPath(_followed(value, before), least)


def _followed(value: Array, before: Indices) -> Indices:
    """The path that ends at the least value."""
    nodes = np.zeros(len(value), dtype=np.int64)
    nodes[-1] = int(np.argmin(value[-1]))
    for k in range(len(value) - 1, 0, -1):
        nodes[k - 1] = before[k, nodes[k]]
    return nodes


def _torque(of: Samples) -> Array:
    return of.torque


def _back(of: Samples) -> Array:
    return -of.torque


def _along(nodes: Array, nonsmooth: Array) -> Array:
    """Worst cost of every node that is kept all the way."""
    return np.maximum(nodes.max(axis=0), nonsmooth.max(axis=0, initial=-np.inf))
