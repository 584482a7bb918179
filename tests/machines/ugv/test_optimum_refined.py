"""Refined paths: never worse than the grid's, within all limits, the same in a mirror."""

import functools
import math
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.machines.ugv.optimum_cases import (
    STATIONS,
    TRACKS,
    UGV,
    best,
    driven,
    grid,
    problem_of,
    still,
)

from footfall.analysis.context import AnalysisContext
from footfall.analysis.nonlinear_programme import Effort
from footfall.errors import RunError
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.energy import torques_by_energy
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.closed_form.tracks import mirrored
from footfall.machines.ugv.closed_form.traversal import traversal
from footfall.machines.ugv.optimum import programme, solver
from footfall.machines.ugv.optimum.constraints import PathConstraints
from footfall.machines.ugv.optimum.grid import grid_of
from footfall.machines.ugv.optimum.path_evaluation import evaluate_path
from footfall.machines.ugv.optimum.problem import (
    CRITERIA,
    ENERGY,
    GRIP,
    TORQUE_PEAK,
    TORQUE_RANGE,
    TORQUE_RMS,
    WHEEL_ENERGY,
)
from footfall.machines.ugv.optimum.programme import refined
from footfall.machines.ugv.optimum.samples import allowed, samples_at
from footfall.machines.ugv.optimum.search import Search
from footfall.machines.ugv.optimum.solver import FIXED, GRID, REFINED, OptimumSolver

EFFORT = Effort(iterations=300)


def optimum(problem, angles=8, effort=EFFORT, given=None):
    return OptimumSolver(
        problem, angles, effort or Effort(iterations=300), given, AnalysisContext()
    ).optimum()


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("name", ["bump", "step", "waves"])
def test_rows_have_the_slopes_that_they_say(name, criterion):
    """Along random directions, by differences of the rows themselves."""
    of = grid(name, criterion)
    rng = np.random.default_rng(6)
    found, path = best(of)
    assert found.nodes.shape == (len(of.problem.stations),)
    rows = PathConstraints(of.problem, path.phi)
    low, high = rows.box()
    x = np.clip(rows.guess(path.phi), low, high)
    x[: 2 * rows.count] += rng.uniform(-0.01, 0.01, 2 * rows.count)
    way = rng.normal(size=rows.size)
    values, jacobian = rows.values(x)
    lower, upper = rows.bounds()
    assert values.shape == lower.shape == upper.shape
    filled = np.zeros(jacobian.shape, dtype=bool)
    filled[tuple(np.array(rows.pattern()).T)] = True
    assert not jacobian[~filled].any()
    h = 1e-6
    change = (rows.values(x + h * way)[0] - rows.values(x - h * way)[0]) / (2.0 * h)
    expected = jacobian @ way
    # the underside's nearest point, the larger of two and the sign of a torque may change place
    # between; else rounding of differences
    near = np.isclose(change, expected, rtol=1e-3, atol=1e-3)
    assert near.mean() > 0.97


QUICK = [("step", one) for one in CRITERIA if one != WHEEL_ENERGY]
LONGEST = [("step", WHEEL_ENERGY), ("waves", WHEEL_ENERGY)]
LONG = [one for one in product(("bump", "hill", "waves"), CRITERIA) if one not in LONGEST]


@pytest.mark.parametrize(
    ("name", "criterion"),
    [
        *QUICK,
        *(pytest.param(*one, marks=pytest.mark.slow) for one in LONG),
        *(pytest.param(*one, marks=[pytest.mark.slow, pytest.mark.longest]) for one in LONGEST),
    ],
)
def test_refined_paths_do_not_lose_and_keep_their_limits(name, criterion):
    problem = problem_of(name, criterion, clearance_margin=0.03, friction=1.2)
    found = optimum(problem)
    path, start = found.paths[REFINED], found.paths[GRID]
    assert path.passes
    # of equals the smoother one is taken, within 1e-7 of them
    assert path.cost <= start.cost + 1e-6 * abs(start.cost)
    assert start.cost <= found.paths[FIXED].cost or not found.paths[FIXED].passes
    sign = -1.0 if path.cost < 0.0 else 1.0
    # the bound is of the grid, between whose few angles there are better ones
    assert sign * found.bound.value <= path.cost + 0.02 * abs(path.cost) + 1e-9
    turned = np.abs(np.diff(path.phi, axis=1)).max(axis=0)
    assert (turned <= problem.reach + 1e-9).all()
    assert (path.traversal.forces.normal_r > 0.0).all()
    assert path.samples.clearance.min() >= 0.03
    assert path.samples.required.max() <= 1.2
    assert found.won in {"solver", "grid"}
    assert found.solver.startswith("snopt: ")


@pytest.mark.parametrize("solver", ["snopt", "ipopt"])
def test_both_solvers_better_a_coarse_grid(solver):
    of = grid("bump", TORQUE_RANGE, 5, 13)
    _, start = best(of)
    path, told = refined(of.problem, start.phi, Effort(solver, 300))
    assert told.startswith(f"{solver}: kSolutionFound")
    assert path.passes
    assert path.at_stations < start.at_stations - 0.1  # half a metre apart, which it looks at


@pytest.mark.slow
def test_a_finer_grid_leaves_less_to_refine():
    problem = problem_of("bump", TORQUE_RANGE, stations=61)
    ways = [optimum(problem, angles) for angles in (5, 15)]
    gains = [found.paths[GRID].cost - found.paths[REFINED].cost for found in ways]
    assert 0.0 <= gains[1] < gains[0]
    # from both nearly the same is found: they end at stations, and differ between
    first, second = (found.paths[REFINED].cost for found in ways)
    assert first == pytest.approx(second, rel=2e-2)


def test_what_a_solver_makes_worse_is_not_taken(monkeypatch):
    problem = problem_of("bump", TORQUE_PEAK, stations=13)

    def spoilt(problem, start, _effort):
        return evaluate_path(problem, np.full_like(start, math.radians(90.0))), "spoilt"

    monkeypatch.setattr(solver, "refined", spoilt)
    found = optimum(problem)
    assert found.won == "grid"
    assert found.paths[REFINED] is found.paths[GRID]
    assert found.solver == "spoilt"


def test_a_path_that_a_coarse_grid_misses_is_found_from_angles_that_stay():
    """Legs too slow for the steps of the grid, and friction too little for any that stay."""
    problem = problem_of("hill", GRIP, rate=0.5, friction=0.53, clearance_margin=0.05)
    found = optimum(problem, 4)
    assert GRID not in found.paths
    assert not found.paths[FIXED].passes
    assert found.paths[REFINED].passes
    assert found.won == "solver"


TIGHT = {"clearance_margin": 0.1, "stations": 13}  # half a metre apart, over a top of 1 m


@functools.cache
def coarse():
    """A hill, and the best path of its grid, which comes to the top between two stations."""
    problem = problem_of("hill", GRIP, **TIGHT)
    of = grid_of(problem, 8)
    found = Search(of).best()
    assert found is not None
    return problem, of, found


def everywhere(problem, path):
    """Samples of a path at 20,001 places."""
    s = np.linspace(problem.begin, problem.end, 20_001)
    angles = [np.interp(s, problem.stations, leg) for leg in path.phi]
    return samples_at(problem, pose(UGV, problem.curve, s, *angles))


def test_a_limit_that_is_met_at_stations_alone_is_broken():
    _, of, found = coarse()
    path = driven(of, found)
    assert allowed(of.problem.limits, path.samples[np.isin(path.places, path.traversal.s)]).all()
    assert not path.passes
    told = re.fullmatch(
        r"the underside has a clearance of (.*) m, less than 0.1 m at s = (.*) m", path.fault
    )
    clearance, s = (float(number) for number in told.groups())
    assert clearance < 0.1
    assert np.abs(of.problem.stations - s).min() > 0.01


@pytest.mark.slow
def test_paths_keep_their_limits_between_stations():
    problem, _, at_stations = coarse()
    found = optimum(problem)
    for name in (GRID, REFINED):
        path = found.paths[name]
        assert path.passes
        assert np.nanmin(everywhere(problem, path).clearance) >= 0.1
    # what it costs: the bound is below, and the path that comes too low as well
    assert found.paths[REFINED].cost > at_stations.cost


def test_refinement_keeps_limits_between_stations(monkeypatch):
    """From angles that touch the hill; a single solve comes too low between the stations."""
    problem = problem_of("hill", TORQUE_RMS, **TIGHT)
    path, _ = refined(problem, still(problem, (2.2, 2.2)), EFFORT)
    assert path.passes
    # margins grow by thrice what lacks at most, of 17 mm
    assert 0.1 <= np.nanmin(everywhere(problem, path).clearance) < 0.105
    monkeypatch.setattr(programme, "_ROUNDS", 1)
    once, _ = refined(problem, still(problem, (2.2, 2.2)), EFFORT)
    assert not once.passes
    assert once.value < path.value


@pytest.mark.slow
def test_why_coarse_stations_leave_no_path_is_said():
    problem = problem_of("waves", TORQUE_PEAK, friction=0.0774, stations=13)
    with pytest.raises(RunError) as error:
        optimum(problem)
    assert re.search(
        r"pass: at stations 0\.5 m apart they do, and between them a wheel slips: .* at s = .*; "
        r"give more stations or larger margins\.$",
        str(error.value),
    )


def test_legs_that_stay_may_press_less_than_those_that_move():
    """No angles that stay leave 2130 N everywhere; they are shown, and where they fail."""
    problem = problem_of("bump", TORQUE_PEAK, normal_margin=2130.0)
    found = optimum(problem)
    assert re.fullmatch(
        r"a wheel is pressed by 21\d\d N alone, and 2130 N have to be left at s = .* m",
        found.paths[FIXED].fault,
    )
    assert found.paths[REFINED].passes
    assert found.paths[REFINED].samples.normal.min() > 2130.0


def test_legs_that_move_are_compared_with_legs_that_stay_or_it_is_said(monkeypatch):
    monkeypatch.setattr(Search, "fixed", lambda _self: None)
    with pytest.raises(RunError, match=r"some that move do, but .* none keep both wheels on"):
        optimum(problem_of("bump", TORQUE_PEAK, stations=9), 4)


def test_what_no_angles_can_do_is_said_in_one_line():
    with pytest.raises(RunError, match=r"friction of 0\.03 .* front wheel at \d\.\d+ m\.$"):
        optimum(problem_of("bump", TORQUE_RANGE, friction=0.03))


@pytest.mark.slow
def test_a_mirror_turns_a_passage_about():
    """Driven the other way round over the mirrored track, legs exchanged: M becomes -M."""
    # legs that spread faster would roll the rear wheel back
    problem = problem_of("waves", TORQUE_RANGE, stations=61, rate=0.7)
    found = optimum(problem, 15)
    path = found.paths[REFINED]
    place = 4.2
    rear = pose(UGV, problem.curve, problem.stations, *path.phi).rear.s
    assert (np.diff(rear) > 0.0).all()
    other = mirrored(TRACKS["waves"], place)
    curve = CentreCurve(other, UGV.r, -2.0, 9.0)
    back = traversal(UGV, curve, 2.0 * place - rear[::-1], path.phi[1, ::-1], path.phi[0, ::-1])
    s = 2.0 * place - back.pose.rear.s[::-1]
    there = traversal(UGV, problem.curve, problem.stations, *path.phi)
    torque = np.interp(problem.stations, there.s, there.forces.torque)
    turned = -np.interp(problem.stations, s, back.forces.torque[::-1])
    # the same poses; rows beside non-smooth points are 1e-9 m apart
    np.testing.assert_allclose(turned, torque, rtol=0.0, atol=1e-5)


@pytest.mark.slow
def test_the_best_angles_that_stay_are_the_same_in_a_mirror():
    """Of a way over level ground at both ends, with stations 2 cm apart."""
    values = []
    for track in (TRACKS["step"], mirrored(TRACKS["step"], 4.0)):
        curve = CentreCurve(track, UGV.r, 0.0, 7.0)
        problem = replace(problem_of("step", TORQUE_RANGE), curve=curve, begin=2.5, end=6.8)
        stiff = replace(problem, evenly=61, limits=replace(problem.limits, rate=0.0))
        values.append(optimum(stiff, 5))
    first, second = (found.paths[REFINED].value for found in values)
    # angle jumps are met exactly; a smooth top between stations is missed by much less
    assert first == pytest.approx(second, rel=1e-3)


def test_energy_is_what_motors_give_while_they_drive():
    """Held against virtual work at many places, and angles by differences."""
    problem = problem_of("hill", ENERGY, start=(2.0, 2.0), finish=(2.4, 2.2), stations=25)
    path = optimum(problem).paths[REFINED]
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
    assert path.value == path.traversal.works.supplied[-1]
    assert path.traversal.energy_residual < 1e-6
    assert path.phi[:, -1] == pytest.approx([2.4, 2.2])


@pytest.mark.slow
def test_between_stations_little_is_hidden():
    problem = problem_of("bump", TORQUE_RANGE, stations=61)
    path = optimum(problem).paths[REFINED]
    # M'' (0.1 m)^2 / 8 with M'' of some 27 N m times (pi/2.4 m)^2, and as much for legs that turn
    assert path.at_stations <= path.value <= path.at_stations + 0.5


@pytest.mark.slow
@pytest.mark.parametrize("criterion", [TORQUE_RANGE, GRIP])
def test_a_path_is_judged_at_all_places_between_its_stations(criterion):
    problem = problem_of("bump", criterion)
    random = np.random.default_rng(7)
    phi = random.uniform(problem.limits.least, problem.limits.most, (2, len(problem.stations)))
    path = evaluate_path(problem, phi)
    s = np.linspace(problem.begin, problem.end, 60_001)
    angles = [np.interp(s, problem.stations, leg) for leg in phi]
    every = samples_at(problem, pose(UGV, problem.curve, s, *angles))
    known = np.isfinite(every.torque)
    torque = every.torque[known]
    brute = np.ptp(torque) if criterion == TORQUE_RANGE else every.required[known].max()
    # 0.1 mm apart; halved six times, from a quarter of 25 cm, places are 1 mm apart at extremes
    assert path.value == pytest.approx(brute, rel=1e-5)
    assert path.value >= path.at_stations
    assert criterion != TORQUE_RANGE or path.value > path.at_stations + 0.05


def test_legs_that_may_not_turn_are_refined_as_two_numbers():
    problem = problem_of("bump", TORQUE_RANGE, rate=0.0)
    rows = PathConstraints(problem, still(problem, (2.0, 2.1)))
    assert rows.count == 1
    found = optimum(problem, 5)
    phi = found.paths[REFINED].phi
    assert np.ptp(phi, axis=1).max() == 0.0
    assert phi.shape == (2, STATIONS)
