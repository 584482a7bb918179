"""Dynamic programming against all paths of small problems, and what has to hold of larger ones."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from tests.machines.ugv.optimum_cases import best, driven, grid, problem_of

from footfall.machines.ugv.optimum.grid import grid_of
from footfall.machines.ugv.optimum.paths.kernels import bottleneck, given_over, smoothest
from footfall.machines.ugv.optimum.problem import (
    CLEARANCE,
    CRITERIA,
    ENERGY,
    GRIP,
    NORMAL_FORCE,
    SUMS,
    TORQUE_PEAK,
    TORQUE_RANGE,
    TORQUE_RMS,
    WHEEL_ENERGY,
)
from footfall.machines.ugv.optimum.samples import allowed
from footfall.machines.ugv.optimum.search import Search
from footfall.machines.ugv.optimum.solver import explain_infeasibility

WORST = {
    TORQUE_RANGE: lambda of: np.ptp(of.torque),
    TORQUE_PEAK: lambda of: np.abs(of.torque).max(),
    GRIP: lambda of: of.required.max(),
    NORMAL_FORCE: lambda of: -np.minimum(of.normal_r, of.normal_f).min(),
    CLEARANCE: lambda of: -of.clearance.min(),
}


def turned(of, path):
    """Largest turn of a leg over what is allowed, and the sum of squared turns over the way."""
    turns = np.diff(of.phi[:, path], axis=1)
    way = np.diff(of.problem.stations)
    return np.abs(turns).max(axis=0) - of.problem.reach, float((turns**2 / way).sum())


def rectified(torques, turn):
    """Positive part of the work of a torque that goes straight, by many small steps."""
    shares = (np.arange(4000) + 0.5) / 4000
    power = (torques[0] + (torques[1] - torques[0]) * shares) * turn
    return np.maximum(power, 0.0).mean()


def energy(of, path):
    """Energy of a path, torques straight between stations."""
    nodes, k = of.nodes, np.arange(len(path))
    total = wheel_energy(of, path)
    for torque, angle in (
        (nodes.leg_r, np.broadcast_to(of.phi[0], nodes.torque.shape)),
        (nodes.leg_f, np.broadcast_to(of.phi[1], nodes.torque.shape)),
    ):
        M, turns = torque[k, path], np.diff(angle[k, path])
        total += sum(rectified(M[a : a + 2], turns[a]) for a in range(len(turns)))
    return total


def rms(of, path):
    """Root mean square of the torque, which goes straight between stations, by small steps."""
    s = of.problem.stations
    fine = np.linspace(s[0], s[-1], 20_001)
    return np.sqrt(np.mean(np.interp(fine, s, of.nodes.torque[np.arange(len(s)), path]) ** 2))


def wheel_energy(of, path):
    """The same of the wheels alone."""
    nodes, k = of.nodes, np.arange(len(path))
    total = 0.0
    for torque, angle in ((nodes.torque, nodes.theta_r), (nodes.torque, nodes.theta_f)):
        M, turns = torque[k, path], np.diff(angle[k, path])
        total += sum(rectified(M[a : a + 2], turns[a]) for a in range(len(turns)))
    return total


SUMMED = {ENERGY: energy, WHEEL_ENERGY: wheel_energy, TORQUE_RMS: rms}


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_search_finds_what_all_paths_have(criterion):
    """Three stations, three angles of each leg: 729 paths, of which the rate forbids some."""
    problem = problem_of("hill", criterion, begin=2.6, end=3.8, stations=3)
    limits = replace(problem.limits, rate=math.radians(70.0), clearance_margin=0.1, start=None)
    of = grid_of(replace(problem, limits=replace(limits, end=None)), 3)
    fine, _ = of.allowed()
    assert fine.any(axis=1).all()
    assert not fine.all()
    costs = {}
    for path in itertools.product(range(9), repeat=3):
        places = np.array(path)
        excess, rough = turned(of, places)
        if (excess > 1e-9).any() or not fine[np.arange(3), places].all():
            continue
        if criterion in SUMS:
            costs[path] = SUMMED[criterion](of, places), rough
        else:
            costs[path] = WORST[criterion](of.nodes[np.arange(3), places]), rough
    assert 50 < len(costs) < 729
    least = min(cost for cost, _ in costs.values())
    found = Search(of).best()
    # of sums of a few hundred J the small steps miss some 1e-7 where a torque changes its sign;
    # means over 20,000 of them leave out half a step at either end
    near = 1e-4 if criterion == TORQUE_RMS else 1e-6
    assert found.cost == pytest.approx(least, rel=near, abs=1e-12)
    smoothest_of = min(rough for cost, rough in costs.values() if cost <= least + 1e-6 * abs(least))
    assert turned(of, found.nodes)[1] == pytest.approx(smoothest_of, rel=1e-9, abs=1e-12)
    if criterion not in SUMS:
        # nothing is non-smooth on a hill: a traversal looks at the same places, and between them
        assert abs(driven(of, found).at_stations) == pytest.approx(abs(least), rel=1e-9)
        assert driven(of, found).cost >= least - 1e-9 * abs(least)


@pytest.mark.parametrize("seed", range(8))
def test_kernels_find_the_best_of_random_tables(seed):
    """With non-smooth points between, forbidden nodes and windows that differ."""
    rng = np.random.default_rng(seed)
    n, rows, columns = 4, 2, 3
    size = rows * columns
    nodes = rng.uniform(0.0, 1.0, (n, size))
    nodes[rng.random((n, size)) < 0.15] = np.inf
    at_nonsmooth = rng.uniform(0.0, 1.3, (2, size))
    at_nonsmooth[rng.random((2, size)) < 0.2] = -np.inf
    rear = np.arange(n)[:, None] + rng.uniform(-0.4, 0.4, (n, size))
    nonsmooth_points = np.array([0.7, 2.1])
    angles = rng.uniform(0.0, 1.0, (2, size))
    way = rng.uniform(0.5, 1.5, n - 1)
    windows = np.zeros((n - 1, 2, 3, 2), dtype=np.int64)
    for k, (side, count) in itertools.product(range(n - 1), ((0, rows), (1, columns))):
        for j in range(count):
            windows[k, side, j] = max(0, j - rng.integers(2)), min(count - 1, j + rng.integers(2))
    found = {}
    for path in itertools.product(range(size), repeat=n):
        worst, rough = max(nodes[k, j] for k, j in enumerate(path)), 0.0
        for k, (i, j) in enumerate(itertools.pairwise(path)):
            inside = windows[k, 0, j // columns], windows[k, 1, j % columns]
            places = i // columns, i % columns
            if any(not a <= at <= b for (a, b), at in zip(inside, places, strict=True)):
                worst = np.inf
                break
            for q, point in enumerate(nonsmooth_points):
                low, high = sorted((rear[k, i], rear[k + 1, j]))
                if low < point <= high:
                    worst = max(worst, at_nonsmooth[q, i], at_nonsmooth[q, j])
            rough += ((angles[:, j] - angles[:, i]) ** 2).sum() / way[k]
        found[path] = worst, rough
    least = min(worst for worst, _ in found.values())
    value, before = bottleneck(nodes, at_nonsmooth, rear, nonsmooth_points, windows, columns)
    assert value[-1].min() == least
    if not np.isfinite(least):
        return
    total, before = smoothest(
        nodes, at_nonsmooth, rear, nonsmooth_points, windows, columns, least, way, angles
    )
    expected = min(rough for worst, rough in found.values() if worst <= least)
    assert total[-1].min() == pytest.approx(expected, rel=1e-12, abs=1e-15)
    last = int(np.argmin(total[-1]))
    path = [last]
    for k in range(n - 1, 0, -1):
        path.append(int(before[k, path[-1]]))
    assert found[tuple(reversed(path))] == (pytest.approx(least), pytest.approx(expected))


@pytest.mark.parametrize(
    ("a", "b", "turn"), [(1.0, 3.0, 0.5), (-1.0, 3.0, 0.5), (2.0, -3.0, 0.5), (-1.0, -2.0, 0.5)]
)
def test_only_work_that_drives_counts(a, b, turn):
    # midpoints of 4000 steps miss a change of sign by less than a step
    assert given_over(a, b, turn) == pytest.approx(rectified((a, b), turn), abs=1e-6)
    taken = given_over(a, b, -turn)
    assert given_over(a, b, turn) - taken == pytest.approx(0.5 * (a + b) * turn, abs=1e-15)


@pytest.mark.parametrize("criterion", [TORQUE_RANGE, TORQUE_PEAK, GRIP])
def test_finer_grids_do_not_get_worse(criterion):
    problem = problem_of("waves", criterion, begin=2.0, end=8.0, stations=16)
    costs = [Search(grid_of(problem, angles)).best().cost for angles in (3, 5, 9, 17)]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("name", ["bump", "step"])
def test_legs_that_cannot_turn_stay_at_the_best_angles(name, criterion):
    of = grid(name, criterion)
    stiff = replace(of, problem=replace(of.problem, limits=replace(of.problem.limits, rate=0.0)))
    found, fixed = Search(stiff).best(), Search(of).fixed()
    assert len(set(found.nodes.tolist())) == 1
    assert found.cost == fixed.cost
    # and what is said of them is what they have when driven; non-smooth points are met
    # 1e-9 m aside, and the energy is a sum of trapezes a quarter of a metre apart, half the way up
    # the step
    near = 0.05 if criterion in SUMS else 1e-6
    assert abs(driven(of, fixed).at_stations) == pytest.approx(abs(fixed.cost), rel=near)
    assert driven(of, fixed).cost >= fixed.cost - near * abs(fixed.cost)


def test_legs_that_turn_at_once_take_the_best_of_every_place():
    for criterion, worst in ((TORQUE_PEAK, np.abs), (GRIP, None)):
        of = grid("bump", criterion)
        free = replace(
            of, problem=replace(of.problem, limits=replace(of.problem.limits, rate=math.inf))
        )
        asked = worst(of.nodes.torque) if worst else of.nodes.required
        assert Search(free).best().cost == asked.min(axis=1).max()


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("name", ["bump", "hill", "waves"])
def test_paths_keep_their_limits_and_beat_angles_that_stay(name, criterion):
    of = grid(name, criterion)
    found, path = best(of)
    # the search looks at stations; between them a path of a coarse grid may break a limit
    assert allowed(of.problem.limits, path.samples[np.isin(path.places, path.traversal.s)]).all()
    assert (np.abs(np.diff(path.phi, axis=1)).max(axis=0) <= of.problem.reach + 1e-12).all()
    fixed = Search(of).fixed()
    assert found.cost <= fixed.cost
    if of.problem.limits.start is not None:
        np.testing.assert_array_equal(path.phi[:, [0, -1]], 2.0)


def test_the_rear_wheels_angle_jump_counts_between_stations():
    """On a step the torque is largest as the rear wheel leans on its edge, at no station."""
    of = grid("step", TORQUE_PEAK, 8, 12)
    found, path = best(of)
    there = np.abs(path.traversal.forces.torque)
    assert found.cost > np.abs(of.nodes.torque[np.arange(len(found.nodes)), found.nodes]).max() + 50
    # a crossing between two nodes counts as the worse of both
    assert there.max() <= found.cost * (1.0 + 1e-6)
    assert there.max() == pytest.approx(found.cost, rel=0.02)
    point = np.abs(
        path.traversal.pose.rear.s[int(there.argmax())] - of.problem.curve.angle_jumps
    ).min()
    assert point < 2e-9


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"friction": 0.02}, "pass with a friction of 0.02"),
        ({"clearance_margin": 0.5}, "have a clearance of 0.5 m"),
        ({"normal_margin": 3000.0}, "keep a normal force above 3000 N"),
        ({"rate": 0.17, "start": (1.6, 1.6), "finish": (2.7, 2.7), "stations": 7}, "cannot turn"),
    ],
)
def test_what_cannot_be_had_is_told_with_its_place(limits, told):
    of = grid_of(problem_of("bump", TORQUE_PEAK, **limits), 9)
    assert Search(of).best() is None
    assert Search(of).fixed() is None
    text = explain_infeasibility(of)
    assert told in text
    assert "wheel at" in text


def test_what_a_angle_jump_asks_of_the_rear_wheel_is_told():
    of = grid_of(problem_of("step", TORQUE_PEAK, friction=0.6), 5)
    assert Search(of).best() is None
    text = explain_infeasibility(of)
    assert "pass with a friction of 0.6 (0.635 is the least that is required)" in text
    assert "rear wheel at 3.760 m" in text
