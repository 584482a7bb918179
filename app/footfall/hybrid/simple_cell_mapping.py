"""Simple cell mapping: the long run of a map on a box, cell by cell, after C. S. Hsu.

A cell goes where its centre goes. A finite map of cells to cells is left, all of whose orbits end
in periodic groups; one cell, the sink, stands for all that is outside the box and for points that
do not come back. Periodic groups are candidates for attractors (saddles may show up, too), and what
leads to one is its basin, to the width of a cell. Sources: C. S. Hsu: A theory of cell-to-cell
mapping dynamical systems, Journal of Applied Mechanics 47 (1980) 931-939; Cell-to-Cell Mapping,
Springer 1987. The unravelling here is by doubling, f, f^2, f^4, ..., instead of cell by cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.hybrid.batch import BatchMap, Mask

Integers = npt.NDArray[np.int64]

SINK = 0  # the group of all that leaves the box or does not come back
UNDECIDED = -1


@dataclass(frozen=True)
class CellGrid:
    """Cells of one size in a box: lower and upper corner (m,), cells along each axis (m,).

    Raises ValueError for boxes without volume and axes without cells.
    """

    lower: tuple[float, ...]
    upper: tuple[float, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what holds no cell."""
        if not len(self.lower) == len(self.upper) == len(self.counts) > 0:
            raise ValueError(f"corners and counts must be of one length, got {self}")
        if not all(a < b for a, b in zip(self.lower, self.upper, strict=True)):
            raise ValueError(f"the lower corner must be below the upper one, got {self}")
        if min(self.counts) < 1:
            raise ValueError(f"every axis needs a cell, got {self.counts}")

    @property
    def size(self) -> int:
        """Number of cells."""
        return int(np.prod(self.counts))

    @property
    def width(self) -> Array:
        """Widths of a cell (m,)."""
        return np.subtract(self.upper, self.lower) / np.array(self.counts)

    @property
    def axes(self) -> tuple[Array, ...]:
        """Coordinates of the centres along each axis."""
        return tuple(
            low + width * (np.arange(count) + 0.5)
            for low, width, count in zip(self.lower, self.width, self.counts, strict=True)
        )

    def centres(self) -> Array:
        """Centres of all cells (m, size), the last axis running first."""
        return np.stack([each.ravel() for each in np.meshgrid(*self.axes, indexing="ij")])

    def cell(self, y: Array) -> Integers:
        """Numbers of the cells that points (m, k) lie in, ``size`` for points outside, (k,)."""
        low = np.array(self.lower)[:, None]
        index = np.floor((y - low) / self.width[:, None])
        counts = np.array(self.counts)[:, None]
        inside = ((index >= 0) & (index < counts)).all(axis=0)
        number = np.full(y.shape[1], self.size, dtype=np.int64)
        indices = index[:, inside].astype(np.int64)
        number[inside] = np.ravel_multi_index(tuple(indices), self.counts)
        return number


class Unravelled(NamedTuple):
    """Orbits of a finite map: of each cell its group and steps into it; periods of the groups."""

    group: Integers
    steps: Integers
    periods: Integers


@dataclass(frozen=True)
class CellMapping:
    """Groups of a map on a grid.

    group, steps (counts): of each cell the number of its periodic group, SINK or 1, 2, ... by
    falling size of the basin, and the steps until it is there. periods (groups,): cells of a group,
    of the sink 1. share (groups,): of all cells that lead to a group. image (size,): where each
    cell goes, ``size`` for the sink.
    """

    grid: CellGrid
    image: Integers
    group: Integers
    steps: Integers
    periods: Integers
    share: Array

    def attractor(self, group: int) -> Array:
        """Centres of the cells of a periodic group (m, period), in no order."""
        chosen = (self.group == group) & (self.steps == 0)
        return np.stack(
            [axis[at] for axis, at in zip(self.grid.axes, np.nonzero(chosen), strict=True)]
        )


def cell_mapping(image: BatchMap, grid: CellGrid) -> CellMapping:
    """Simple cell mapping of a map of many points on a grid."""
    after, arrived = image(grid.centres())
    goes = grid.cell(np.where(arrived, after, np.nan))
    found = unravel(goes)
    share = np.bincount(found.group, minlength=found.periods.size) / grid.size
    return CellMapping(
        grid,
        goes,
        found.group.reshape(grid.counts),
        found.steps.reshape(grid.counts),
        found.periods,
        share,
    )


def unravel(image: npt.ArrayLike) -> Unravelled:
    """Groups, steps and periods of a map of cells 0 ... N - 1 to cells; N is the sink.

    Groups are numbered from 1 by falling number of the cells that lead there; the sink is 0, and a
    cell that goes there directly is one step away.
    """
    image = np.asarray(image, dtype=np.int64)
    size = image.size
    goes = np.append(image, size)
    periodic, last = _periodic(goes)
    group, periods = _cycles(goes, periodic, last)
    return Unravelled(group[:size], _steps(goes, periodic)[:size], periods)


def _periodic(goes: Integers) -> tuple[Mask, Integers]:
    """Mask of the periodic cells, and for every cell one of the periodic ones that it comes to.

    Images of f^a and f^(2a) that are equal in number are equal, and then nothing of them is lost.
    """
    many = np.zeros(goes.size, dtype=np.bool_)
    many[goes] = True
    while True:
        goes = goes[goes]
        fewer = np.zeros_like(many)
        fewer[goes] = True
        if np.count_nonzero(fewer) == np.count_nonzero(many):
            return fewer, goes
        many = fewer


def _cycles(goes: Integers, periodic: Mask, last: Integers) -> tuple[Integers, Integers]:
    """Group of every cell and period of every group, numbered by falling size of the basin."""
    cells = np.flatnonzero(periodic)
    index = np.empty(goes.size, dtype=np.int64)
    index[cells] = np.arange(cells.size)
    onward = index[goes[cells]]
    first = np.arange(cells.size)  # of the cells of a cycle, the one with the lowest number
    reach = 1
    while reach < cells.size:
        first = np.minimum(first, first[onward])
        onward = onward[onward]
        reach *= 2
    sink = first[index[goes.size - 1]]
    basin = np.bincount(first[index[last]], minlength=cells.size)
    period = np.bincount(first, minlength=cells.size)
    heads = np.flatnonzero(period)
    heads = heads[np.lexsort((heads, -basin[heads], heads != sink))]
    number = np.empty(cells.size, dtype=np.int64)
    number[heads] = np.arange(heads.size)
    return number[first[index[last]]], period[heads]


def _steps(goes: Integers, periodic: Mask) -> Integers:
    """Steps of every cell until it is periodic: how many on its way are not, by doubling."""
    steps = (~periodic).astype(np.int64)
    while not periodic[goes].all():
        steps = steps + steps[goes]
        goes = goes[goes]
    return steps


class Settled(NamedTuple):
    """Ends of points: label (k,) SINK, 1, 2, ... or UNDECIDED, and after how many steps (k,)."""

    label: Integers
    steps: Integers


def settle(
    image: BatchMap,
    start: Array,
    orbits: Sequence[npt.ArrayLike],
    *,
    most: int,
    tolerance: float,
) -> Settled:
    """Iterate points (m, k) until each is near a known orbit or does not come back.

    orbits: (period, m) each; the label of the first one is 1. Near: every component of the distance
    to a point of the orbit is below the tolerance. That must be a region that
    the orbit does not let go, or points that only pass by are caught: halve it to see. Points of
    neither kind after ``most`` steps are UNDECIDED.
    """
    points = [np.atleast_2d(np.asarray(each, dtype=np.float64)) for each in orbits]
    label = np.full(start.shape[1], UNDECIDED, dtype=np.int64)
    steps = np.zeros(start.shape[1], dtype=np.int64)
    unsettled, y = np.arange(start.shape[1]), start
    for step in range(most + 1):
        for number, orbit in enumerate(points, 1):
            label[unsettled[_is_near(y, orbit, tolerance)]] = number
        left = label[unsettled] == UNDECIDED
        unsettled, y = unsettled[left], y[:, left]
        if step == most or not unsettled.size:
            break
        y, arrived = image(y)
        steps[unsettled] = step + 1
        label[unsettled[~arrived]] = SINK
        unsettled, y = unsettled[arrived], y[:, arrived]
    return Settled(label, steps)


def _is_near(y: Array, orbit: Array, tolerance: float) -> Mask:
    """Mask of the points (m, k) that are near one of an orbit's (period, m)."""
    hits = np.zeros(y.shape[1], dtype=np.bool_)
    for point in orbit:
        hits |= (np.abs(y - point[:, None]) < tolerance).all(axis=0)
    return hits
