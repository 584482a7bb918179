"""Cell mapping: unravelling against Hsu's way cell by cell, basins against known ones."""

import math

import numpy as np
import pytest

from footfall.hybrid.simple_cell_mapping import (
    SINK,
    UNDECIDED,
    CellGrid,
    cell_mapping,
    settle,
    unravel,
)


def everywhere(function):
    def image(y):
        return function(y), np.ones(y.shape[1], dtype=bool)

    return image


def square(y):
    # z -> z^2: to 0 inside the unit circle, away outside
    return np.array([y[0] ** 2 - y[1] ** 2, 2.0 * y[0] * y[1]])


def newton(y):
    # Newton's method for z^2 = 1: to the root on the same side of the imaginary axis (Cayley 1879)
    z = y[0] + 1j * y[1]
    z = 0.5 * (z + 1.0 / z)
    return np.array([z.real, z.imag])


def one_by_one(image):
    """Hsu's algorithm: follow each new cell until a known one or itself is met."""
    size = len(image)
    image = [*image, size]
    group, steps, periods = {size: 0}, {size: 0}, [1]
    for cell in range(size):
        path = []
        at = cell
        while at not in group and at not in path:
            path.append(at)
            at = image[at]
        if at not in group:
            cycle = path[path.index(at) :]
            for each in cycle:
                group[each], steps[each] = len(periods), 0
            periods.append(len(cycle))
        for each in reversed(path):
            if each not in group:
                group[each], steps[each] = group[image[each]], steps[image[each]] + 1
    return [group[c] for c in range(size)], [steps[c] for c in range(size)], periods


@pytest.mark.parametrize("seed", range(6))
def test_unravelling_is_that_of_cell_by_cell(seed):
    rng = np.random.default_rng(seed)
    size = (1, 2, 7, 50, 400, 3000)[seed]
    image = rng.integers(0, size + 1, size)
    group, steps, periods = one_by_one(image)
    found = unravel(image)
    np.testing.assert_array_equal(found.steps, steps)
    np.testing.assert_array_equal(found.periods[found.group], np.array(periods)[group])
    # numbers of groups differ, but not who shares one
    pairs = set(zip(group, found.group.tolist(), strict=True))
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
    np.testing.assert_array_equal(found.group == SINK, np.array(group) == 0)
    basins = np.bincount(found.group)[1:]
    assert (np.diff(basins) <= 0).all()


def test_a_long_chain_and_long_cycles_are_unravelled():
    # 0 -> 1 -> ... -> size - 1 -> sink, and one cycle of all
    size = 100_000
    chain = unravel(np.arange(1, size + 1))
    np.testing.assert_array_equal(chain.steps, np.arange(size, 0, -1))
    assert (chain.group == SINK).all()
    cycle = unravel((np.arange(size) + 1) % size)
    assert cycle.periods.tolist() == [1, size]
    assert (cycle.group == 1).all()
    assert not cycle.steps.any()


def test_the_basin_of_zero_under_squaring_is_the_unit_disc():
    grid = CellGrid((-1.5, -1.5), (1.5, 1.5), (301, 301))  # odd: 0 is a centre
    found = cell_mapping(everywhere(square), grid)
    radius = np.hypot(*np.meshgrid(*grid.axes, indexing="ij"))
    zero = found.group[150, 150]
    assert found.periods[zero] == 1
    np.testing.assert_allclose(found.attractor(zero), 0.0, atol=1e-12)
    # squaring doubles distances to the circle: cells that a few widths (0.01) keep off it are right
    assert (found.group[radius < 0.9] == zero).all()
    assert (found.group[radius > 1.1] == SINK).all()
    # area of the disc over that of the box; cells along the circle (2 pi / 0.01 of 9e4) may err
    assert found.share[zero] == pytest.approx(math.pi / 9.0, abs=0.02)
    assert found.share.sum() == pytest.approx(1.0)


def test_the_basins_of_newtons_method_are_half_planes():
    grid = CellGrid((-3.0, -2.0), (3.0, 2.0), (300, 201))
    found = cell_mapping(everywhere(newton), grid)
    x, y = np.meshgrid(*grid.axes, indexing="ij")
    group = {side: found.group[np.argmin(np.hypot(x - side, y)) // 201, 100] for side in (1, -1)}
    # beyond |z + 1/z| / 2 = 3 the first step leaves the box; away from that and from the axis all
    # cells go to the root on their side
    settled = (np.abs(x) > 0.3) & (np.hypot(x, y) > 0.4)
    assert (found.group[settled & (x > 0)] == group[1]).all()
    assert (found.group[settled & (x < 0)] == group[-1]).all()
    # the map is odd, and so are the basins
    assert found.share[group[1]] == pytest.approx(found.share[group[-1]], abs=1e-12)


def test_the_logistic_map_has_a_group_of_its_period():
    grid = CellGrid((0.0,), (1.0,), (20_000,))
    found = cell_mapping(everywhere(lambda y: 3.2 * y * (1.0 - y)), grid)
    # the points of period 2: (r + 1 -+ sqrt((r + 1) (r - 3))) / (2 r)
    root = math.sqrt(4.2 * 0.2)
    expected = [(4.2 - root) / 6.4, (4.2 + root) / 6.4]
    main = 1
    assert found.periods[main] % 2 == 0
    # contraction by 0.16 a turn leaves the cells of a group within a few widths of the orbit
    distance = np.abs(found.attractor(main)[0][:, None] - expected).min(axis=1)
    assert distance.max() < 5.0 * grid.width[0]
    assert found.share[main] > 0.9


def test_points_that_do_not_come_back_are_in_the_sink():
    def image(y):
        return 0.5 * y, y[0] > 0.25

    found = cell_mapping(image, CellGrid((-1.0,), (1.0,), (8,)))
    assert (found.group == SINK).all()
    # centres at .125, .375, .625, .875: halved to the cell of .125, halved to that of .375, ...
    assert found.steps.tolist() == [1, 1, 1, 1, 1, 2, 3, 3]
    assert found.periods.tolist() == [1]


def test_cells_of_points():
    grid = CellGrid((0.0, -1.0), (1.0, 1.0), (2, 4))
    y = np.array(
        [[0.1, 0.9, 0.5, 1.0, np.nan, -1e-9, np.inf], [-0.9, 0.9, 0.0, 0.0, 0.0, 0.0, 0.0]]
    )
    assert grid.cell(y).tolist() == [0, 7, 6, 8, 8, 8, 8]
    assert grid.cell(grid.centres()).tolist() == list(range(8))
    np.testing.assert_allclose(grid.width, [0.5, 0.5])


def test_settling_on_known_orbits():
    grid = CellGrid((-3.0, -2.0), (3.0, 2.0), (60, 41))
    start = grid.centres()
    found = settle(
        everywhere(newton), start, [[[1.0, 0.0]], [[-1.0, 0.0]]], most=60, tolerance=1e-3
    )
    # a half plane each, to the last cell: the iterates are exact, not cell by cell
    np.testing.assert_array_equal(found.label, np.where(start[0] > 0.0, 1, 2))
    assert found.steps.min() >= 0
    few = settle(everywhere(newton), start, [[[1.0, 0.0]]], most=3, tolerance=1e-3)
    assert (few.label[start[0] < 0.0] == UNDECIDED).all()
    assert (few.steps[few.label == UNDECIDED] == 3).all()


def test_settling_on_an_orbit_of_period_two_and_falling():
    root = math.sqrt(4.2 * 0.2)
    orbit = np.array([[(4.2 - root) / 6.4], [(4.2 + root) / 6.4]])

    def image(y):
        z = 3.2 * y * (1.0 - y)
        return np.where(z >= 0.0, z, np.nan), z[0] >= 0.0

    start = np.array([[-0.1, 0.2, 0.5, 0.77, 1.2]])
    found = settle(image, start, [orbit], most=200, tolerance=1e-6)
    assert found.label.tolist() == [SINK, 1, 1, 1, SINK]
    assert found.steps[[0, 4]].tolist() == [1, 1]
    # the multiplier of the orbit is 4 + 2 r - r^2 = 0.16: from 0.1 to 1e-6 in about 2 ln(1e5)/1.83
    assert found.steps[[1, 2, 3]].max() < 30


@pytest.mark.parametrize(
    ("box", "message"),
    [
        (((0.0,), (0.0,), (3,)), "below the upper"),
        (((0.0,), (1.0,), (0,)), "needs a cell"),
        (((0.0,), (1.0, 2.0), (3,)), "of one length"),
    ],
)
def test_grids_without_cells_are_refused(box, message):
    with pytest.raises(ValueError, match=message):
        CellGrid(*box)
