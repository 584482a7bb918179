"""Paths over a grid of leg angles: against all paths of small problems, and what must hold."""

import itertools
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.machines.ugv.closed_form.cases import UGV

from footfall.analysis.context import AnalysisContext
from footfall.errors import RunError
from footfall.machines.ugv.closed_form import tracks
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import torques_by_energy
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.optimum.analysis import BEST, FIXED, best_paths
from footfall.machines.ugv.optimum.kernels import bottleneck, cheapest, given_over
from footfall.machines.ugv.optimum.problem import (
    CRITERIA,
    ENERGIES,
    ENERGY,
    GRIP,
    NORMAL_FORCE,
    TORQUE_PEAK,
    TORQUE_RANGE,
    WHEEL_ENERGY,
    Limits,
    Problem,
    allowed,
    samples_at,
)
from footfall.machines.ugv.optimum.search import Search, evaluate_path, grid_of

TRACKS = {
    "bump": tracks.Bump().track(),
    "hill": tracks.Bump(1.0).track(),
    "step": tracks.Steps([4.0], [0.12]).track(),
    "waves": tracks.Sine().track(),
}
FAST = math.radians(100.0)  # rad/m


@cache
def curve_over(name):
    return CentreCurve(TRACKS[name], UGV.r, -1.0, 9.0)


def problem_of(name, criterion, *, begin=1.5, end=7.5, stations=25, **limits):
    """A problem with plenty of friction, legs of 100 degrees/m unless something else is said."""
    both = (2.0, 2.0) if criterion == ENERGY else None
    asked = {"rate": FAST, "friction": 2.0, "start": both, "end": both} | limits
    asked["end"] = asked.pop("finish", asked["end"])
    return Problem(UGV, curve_over(name), begin, end, stations, criterion, Limits(**asked))


@cache
def grid(name, criterion, angles=8, stations=25):
    problem = problem_of(name, criterion, stations=stations)
    if criterion in {TORQUE_RANGE, ENERGY}:
        return grid_of(problem, angles)
    # the other criteria ask nothing else of a grid
    return replace(grid(name, TORQUE_RANGE, angles, stations), problem=problem)


def nodes_of(of, phi):
    """The nodes of a grid that a path takes."""
    apart = np.abs(of.phi[:, None] - phi[:, :, None]).max(axis=0)
    assert apart.min(axis=1).max() == 0.0
    return apart.argmin(axis=1)


def rectified(torques, turn):
    """Positive part of the work of a torque that goes straight, by many small steps."""
    shares = (np.arange(4000) + 0.5) / 4000
    power = (torques[0] + (torques[1] - torques[0]) * shares) * turn
    return np.maximum(power, 0.0).mean()


def cost_at_stations(of, path):
    """Cost of nodes (n,), of stations alone and torques straight between them."""
    nodes, k = of.nodes, np.arange(len(path))
    torque, criterion = nodes.torque[k, path], of.problem.criterion
    if criterion == TORQUE_RANGE:
        return np.ptp(torque)
    if criterion in (TORQUE_PEAK, GRIP):
        return (np.abs(torque) if criterion == TORQUE_PEAK else nodes.required[k, path]).max()
    if criterion == NORMAL_FORCE:
        return -nodes.normal[k, path].min()
    turns = [(nodes.torque, nodes.theta_r), (nodes.torque, nodes.theta_f)]
    if criterion == ENERGY:
        legs = [np.broadcast_to(leg, nodes.torque.shape) for leg in of.phi]
        turns += [(nodes.leg_r, legs[0]), (nodes.leg_f, legs[1])]
    total = 0.0
    for torques, angles in turns:
        M, turned = torques[k, path], np.diff(angles[k, path])
        total += sum(rectified(M[a : a + 2], turned[a]) for a in range(len(turned)))
    return total


def roughness(of, path):
    """Sum of squared turns over the way."""
    return float((np.diff(of.phi[:, path], axis=1) ** 2 / np.diff(of.problem.stations)).sum())


@pytest.mark.parametrize("criterion", CRITERIA)
def test_search_finds_the_best_of_all_paths(criterion):
    """Three stations, three angles of each leg: 729 paths, of which the rate forbids some."""
    problem = problem_of("hill", criterion, begin=2.6, end=3.8, stations=3)
    limits = replace(problem.limits, rate=math.radians(70.0), clearance_margin=0.1, start=None)
    of = grid_of(replace(problem, limits=replace(limits, end=None)), 3)
    fine, _ = of.allowed()
    assert fine.any(axis=1).all()
    assert not fine.all()
    costs = {}
    for path in itertools.product(range(9), repeat=3):
        turned = np.abs(np.diff(of.phi[:, path], axis=1)).max(axis=0)
        if (turned <= of.problem.reach + 1e-9).all() and fine[np.arange(3), path].all():
            costs[path] = cost_at_stations(of, np.array(path)), roughness(of, path)
    assert 50 < len(costs) < 729
    least = min(cost for cost, _ in costs.values())
    phi = Search(of).best()
    # of sums of a few hundred J the small steps miss some 1e-7 where a torque changes its sign
    assert cost_at_stations(of, nodes_of(of, phi)) == pytest.approx(least, rel=1e-6, abs=1e-12)
    smoothest = min(rough for cost, rough in costs.values() if cost <= least + 1e-6 * abs(least))
    assert roughness(of, nodes_of(of, phi)) == pytest.approx(smoothest, rel=1e-9, abs=1e-12)
    if criterion not in ENERGIES:
        # nothing is non-smooth on a hill: a traversal looks at the same places, and between them
        path = evaluate_path(of.problem, phi)
        assert abs(path.at_stations) == pytest.approx(abs(least), rel=1e-9)
        assert path.cost >= least - 1e-9 * abs(least)


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
    points = np.array([0.7, 2.1])
    angles = rng.uniform(0.0, 1.0, (2, size))
    way = rng.uniform(0.5, 1.5, n - 1)
    windows = np.zeros((n - 1, 2, 3, 2), dtype=np.int64)
    for k, (side, count) in itertools.product(range(n - 1), ((0, rows), (1, columns))):
        for j in range(count):
            windows[k, side, j] = max(0, j - rng.integers(2)), min(count - 1, j + rng.integers(2))
    known = {}
    for path in itertools.product(range(size), repeat=n):
        worst, rough = max(nodes[k, j] for k, j in enumerate(path)), 0.0
        for k, (i, j) in enumerate(itertools.pairwise(path)):
            inside = windows[k, 0, j // columns], windows[k, 1, j % columns]
            places = i // columns, i % columns
            if any(not a <= at <= b for (a, b), at in zip(inside, places, strict=True)):
                worst = np.inf
                break
            for q, point in enumerate(points):
                low, high = sorted((rear[k, i], rear[k + 1, j]))
                if low < point <= high:
                    worst = max(worst, at_nonsmooth[q, i], at_nonsmooth[q, j])
            rough += ((angles[:, j] - angles[:, i]) ** 2).sum() / way[k]
        known[path] = worst, rough
    least = min(worst for worst, _ in known.values())
    between = rear, points, windows, columns
    assert bottleneck(nodes, at_nonsmooth, *between)[-1].min() == least
    if not np.isfinite(least):
        return
    table = np.zeros((n, 7, size))
    table[:, 5:] = angles
    usable = (np.where(costs <= least, 0.0, np.inf) for costs in (nodes, at_nonsmooth))
    torques = np.zeros((2, 2, 3, size))
    value, rough, before = cheapest(np.zeros(2), table, torques, *usable, *between, way)
    expected = min(rough for worst, rough in known.values() if worst <= least)
    assert rough[-1].min() == pytest.approx(expected, rel=1e-12, abs=1e-15)
    path = [int(np.argmin(rough[-1]))]
    assert value[-1, path[0]] == 0.0
    for k in range(n - 1, 0, -1):
        path.append(int(before[k, path[-1]]))
    assert known[tuple(reversed(path))] == (pytest.approx(least), pytest.approx(expected))


@pytest.mark.parametrize(
    ("a", "b", "turn"), [(1.0, 3.0, 0.5), (-1.0, 3.0, 0.5), (2.0, -3.0, 0.5), (-1.0, -2.0, 0.5)]
)
def test_only_work_that_drives_counts(a, b, turn):
    # midpoints of 4000 steps miss a change of sign by less than a step
    assert given_over(a, b, turn) == pytest.approx(rectified((a, b), turn), abs=1e-6)
    taken = given_over(a, b, -turn)
    assert given_over(a, b, turn) - taken == pytest.approx(0.5 * (a + b) * turn, abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", [TORQUE_RANGE, TORQUE_PEAK, GRIP])
def test_finer_grids_do_not_get_worse(criterion):
    problem = problem_of("waves", criterion, begin=2.0, end=8.0, stations=16)
    grids = [grid_of(problem, angles) for angles in (3, 5, 9, 17)]
    # the grid's own costs count what non-smooth points ask as well
    costs = [evaluate_path(problem, Search(of).best()).at_stations for of in grids]
    assert costs[-1] < costs[0]
    assert all(later <= 1.02 * earlier for earlier, later in itertools.pairwise(costs))


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("name", ["bump", "step"])
def test_legs_that_cannot_turn_stay_at_the_best_angles(name, criterion):
    of = grid(name, criterion)
    stiff = replace(of, problem=replace(of.problem, limits=replace(of.problem.limits, rate=0.0)))
    path, fixed = Search(stiff).best(), Search(of).fixed()
    assert np.ptp(path, axis=1).max() == 0.0
    assert np.array_equal(path, fixed)


def test_legs_that_turn_at_once_take_the_best_of_every_place():
    for criterion in (TORQUE_PEAK, GRIP):
        of = grid("bump", criterion)
        limits = replace(of.problem.limits, rate=math.inf)
        free = replace(of, problem=replace(of.problem, limits=limits))
        asked = np.abs(of.nodes.torque) if criterion == TORQUE_PEAK else of.nodes.required
        path = nodes_of(of, Search(free).best())
        assert cost_at_stations(free, path) == asked.min(axis=1).max()


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("name", ["bump", "hill", "waves"])
def test_paths_keep_their_limits_and_beat_angles_that_stay(name, criterion):
    of = grid(name, criterion)
    found = Search(of)
    path, fixed = (evaluate_path(of.problem, phi) for phi in (found.best(), found.fixed()))
    # the search looks at stations; between them a path of a coarse grid may break a limit
    assert allowed(of.problem.limits, path.samples.at(np.isin(path.places, path.traversal.s))).all()
    assert (np.abs(np.diff(path.phi, axis=1)).max(axis=0) <= of.problem.reach + 1e-12).all()
    own, other = (cost_at_stations(of, nodes_of(of, one.phi)) for one in (path, fixed))
    assert own <= other + (1e-6 * abs(other) if criterion in ENERGIES else 0.0)
    if of.problem.limits.start is not None:
        np.testing.assert_array_equal(path.phi[:, [0, -1]], 2.0)


def test_the_rear_wheel_on_an_edge_counts_between_stations():
    """On a step the torque is largest as the rear wheel leans on its edge, at no station."""
    of = grid("step", TORQUE_PEAK, 8, 12)
    path = evaluate_path(of.problem, Search(of).best())
    there = np.abs(path.traversal.forces.torque)
    assert there.max() > cost_at_stations(of, nodes_of(of, path.phi)) + 50.0
    jumps = of.problem.curve.angle_jumps
    assert np.abs(path.traversal.pose.rear.s[int(there.argmax())] - jumps).min() < 2e-9
    # no path of the grid asks less of the rear wheel there than the least of all its angles
    asked = np.abs(of.nonsmooth.torque).max(axis=1)
    assert there.max() == pytest.approx(np.nanmin(asked, axis=1).max(), rel=0.02)


@pytest.mark.parametrize(
    ("name", "limits", "words"),
    [
        ("bump", {"friction": 0.02}, "is required, more than 0.02, with the front wheel at"),
        ("bump", {"clearance_margin": 0.5}, "less than 0.5 m, with"),
        ("bump", {"normal_margin": 3000.0}, "3000 N have to be left, with"),
        (
            "bump",
            {"rate": 0.17, "start": (1.6, 1.6), "finish": (2.7, 2.7), "stations": 7},
            "cannot turn",
        ),
        (
            "step",
            {"friction": 0.6},
            "slips: friction of 0.6355 is required, more than 0.6, with the rear wheel at 3.760 m",
        ),
    ],
)
def test_what_cannot_be_had_is_said_with_its_place(name, limits, words):
    of = grid_of(problem_of(name, TORQUE_PEAK, **limits), 9)
    assert Search(of).best() is None
    assert Search(of).fixed() is None
    text = Search(of).why_none()
    assert words in text
    assert "wheel at" in text


# --- paths as they are driven --------------------------------------------------------------------


@pytest.mark.parametrize("criterion", [TORQUE_RANGE, GRIP])
def test_a_path_is_judged_at_all_places_between_its_stations(criterion):
    problem = problem_of("bump", criterion)
    random = np.random.default_rng(7)
    phi = random.uniform(problem.limits.least, problem.limits.most, (2, len(problem.stations)))
    path = evaluate_path(problem, phi)
    s = np.linspace(problem.begin, problem.end, 10_001)
    angles = [np.interp(s, problem.stations, leg) for leg in phi]
    every = samples_at(problem, pose(UGV, problem.curve, s, *angles))
    torque, required = every.torque, every.required
    brute = np.nanmax(torque) - np.nanmin(torque) if criterion == TORQUE_RANGE else required.max()
    # 0.6 mm apart; halved six times, from a quarter of 25 cm, places are 1 mm apart at extremes
    assert path.value == pytest.approx(brute, rel=1e-4)
    assert path.value >= path.at_stations
    assert criterion != TORQUE_RANGE or path.value > path.at_stations + 0.05


def test_energy_is_what_motors_give_while_they_drive():
    """Held against virtual work at many places, and angles by differences."""
    problem = problem_of("hill", ENERGY, start=(2.0, 2.0), finish=(2.4, 2.2))
    path = best_paths(problem, 8, None, AnalysisContext())[BEST]
    s = np.linspace(problem.begin, problem.end, 12001)
    phi = np.array([np.interp(s, problem.stations, leg) for leg in path.phi])
    at = pose(UGV, problem.curve, s, *phi)
    of = torques_by_energy(UGV, at)
    total = 0.0
    for torque, angle in (
        (of.torque, at.rear.arc / UGV.r + at.psi - phi[0]),
        (of.torque, at.front.arc / UGV.r + at.psi + phi[1]),
        (of.leg_r, phi[0]),
        (of.leg_f, phi[1]),
    ):
        total += np.maximum(0.5 * (torque[1:] + torque[:-1]) * np.diff(angle), 0.0).sum()
    # places half a millimetre apart; Gauss' nodes meet changes of sign not exactly
    assert path.value == pytest.approx(total, rel=2e-3)
    assert path.traversal.energy_residual < 1e-6
    assert path.phi[:, -1] == pytest.approx([2.4, 2.2])
    wheels = evaluate_path(replace(problem, criterion=WHEEL_ENERGY), path.phi)
    assert wheels.value == path.traversal.works.driven[-1] < path.value


def test_a_limit_that_is_met_at_stations_alone_is_broken():
    """Stations half a metre apart, over a top of 1 m that the belly comes to between them."""
    problem = problem_of("hill", GRIP, clearance_margin=0.1, stations=13)
    path = evaluate_path(problem, Search(grid_of(problem, 8)).best())
    assert allowed(problem.limits, path.samples.at(np.isin(path.places, path.traversal.s))).all()
    with pytest.raises(RunError) as refused:
        best_paths(problem, 8, None, AnalysisContext())
    assert str(refused.value) == (
        f"no leg angles are found that pass: at stations 0.5 m apart they do, and between them "
        f"{path.fault}; give more stations or larger margins."
    )
    assert path.fault.startswith("the underside has a clearance of ")
    finer = best_paths(replace(problem, evenly=61), 8, None, AnalysisContext())
    assert np.nanmin(finer[BEST].samples.clearance) >= 0.1


def test_angles_that_stay_are_shown_where_they_fail():
    """No angles that stay leave 2130 N everywhere."""
    problem = problem_of("bump", TORQUE_PEAK, normal_margin=2130.0)
    paths = best_paths(problem, 8, None, AnalysisContext())
    assert "N, and more than 2130 N have to be left at s = " in paths[FIXED].fault
    assert paths[BEST].passes
    assert paths[BEST].samples.normal.min() > 2130.0


def test_a_track_on_which_no_angles_can_stay_is_refused(monkeypatch):
    monkeypatch.setattr(Search, "fixed", lambda _self: None)
    with pytest.raises(RunError, match=r"some that move do, but .* none keep both wheels on"):
        best_paths(problem_of("bump", TORQUE_PEAK, stations=9), 4, None, AnalysisContext())
