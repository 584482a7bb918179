"""The dual active-set method: conditions of Karush, Kuhn and Tucker, and certificates."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydrake.solvers import ClarabelSolver, MathematicalProgram, SolverOptions

from footfall.solvers.dual_active_set import CONFLICT, SOLVED, STUCK, solve_dual
from footfall.solvers.optimality import is_contradiction, is_optimal

CAP = 500
KEPT = 1e-5  # of the scale of a constraint: a violation that counts as none
SLIGHT = Path(__file__).parents[1] / "data" / "programmes" / "slight_contradiction.npz"


def normals(G):
    """Normals of all sides in their order, rows (2n + 2m, n): lower bounds, upper ones, rows."""
    eye = np.eye(G.shape[1])
    return np.vstack([eye, -eye, G, -G])


def ends(low, high, least, most):
    return np.concatenate([low, -high, least, -most])


def scales(P, G):
    """Scales of bounds and rows (n + m,), by the inverse of P."""
    A = np.vstack([np.eye(len(P)), G])
    return np.sqrt(np.einsum("ki,ij,kj->k", A, np.linalg.inv(P), A))


def problem(seed, n, m, equations):
    """A programme that has an inside, of a stiff P, with sides that are there or not."""
    rng = np.random.default_rng(seed)
    R = rng.normal(size=(max(n // 2, 1), n)) * 10.0 ** rng.uniform(-1, 2, size=(max(n // 2, 1), 1))
    P = R.T @ R + 1e-4 * np.eye(n)
    inside, G = rng.normal(size=n), rng.normal(size=(m, n))
    low = np.where(rng.random(n) < 0.5, inside - rng.exponential(0.3, n), -np.inf)
    high = np.where(rng.random(n) < 0.5, inside + rng.exponential(0.3, n), np.inf)
    least = np.where(rng.random(m) < 0.7, G @ inside - rng.exponential(0.3, m), -np.inf)
    most = np.where(rng.random(m) < 0.7, G @ inside + rng.exponential(0.3, m), np.inf)
    least[:equations] = most[:equations] = G[:equations] @ inside
    return P, 10.0 * rng.normal(size=n), low, high, G, least, most


def drawn(seed):
    """A programme of any size, with fewer equations than unknowns."""
    rng = np.random.default_rng([3, seed])
    n, m = int(rng.integers(1, 30)), int(rng.integers(0, 40))
    return problem([3, seed], n, m, min(int(rng.uniform(0.0, 0.3) * m), n - 1))


def nearly_contradictory(seed):
    """A programme with two rows on one normal, g x >= a and g x <= a - 1e-9 to 3e-6."""
    rng = np.random.default_rng([4, seed])
    n, m = int(rng.integers(3, 30)), int(rng.integers(3, 40))
    R, G, x = rng.normal(size=(n, n)), rng.normal(size=(m, n)), rng.normal(size=n)
    least, most, free = np.full(m, -np.inf), G @ x + rng.random(m), np.full(n, np.inf)
    G[1], least[0], most[0] = G[0], G[0] @ x, np.inf
    most[1] = least[0] - 10.0 ** rng.uniform(-9.0, -5.5)
    return R @ R.T + 0.1 * np.eye(n), 100.0 * rng.normal(size=n), -free, free, G, least, most


def assert_minimum(programme, x, sides):
    """The conditions of the minimum, by numpy; lengths in the norm of P."""
    P, c, low, high, G, least, most = programme
    A, b, scale = normals(G), ends(low, high, least, most), scales(P, G)
    n = len(c)
    by_side = np.concatenate([scale[:n], scale[:n], scale[n:], scale[n:]])
    slack = A @ x - b
    assert (slack >= -KEPT * by_side).all()
    inequality = np.concatenate([np.full(2 * n, True), np.tile(least != most, 2)])
    force = ((np.abs(P) @ np.abs(x) + np.abs(c) + np.abs(A.T) @ np.abs(sides)) * scale[:n]).max()
    assert (sides * by_side)[inequality].min(initial=0.0) >= -1e-7 * force
    assert np.abs((P @ x + c - A.T @ sides) * scale[:n]).max() <= 1e-7 * force
    # active sides bear: what is drawn here is met to 1e-10
    assert np.abs(slack[sides != 0.0]).max(initial=0.0) < 1e-7 * (1.0 + np.abs(x).max())


def by_clarabel(P, c, low, high, G, least, most):
    """Minimum by a method of another kind, to 1e-10; NaN where it gives up."""
    programme, options = MathematicalProgram(), SolverOptions()
    for name in ("tol_feas", "tol_gap_abs", "tol_gap_rel"):
        options.SetOption(ClarabelSolver.id(), name, 1e-10)
    x = programme.NewContinuousVariables(len(c))
    programme.AddQuadraticCost(P, c, x, is_convex=True)
    programme.AddBoundingBoxConstraint(low, high, x)
    if len(least):
        programme.AddLinearConstraint(G, least, most, x)
    found = ClarabelSolver().Solve(programme, None, options)
    return found.GetSolution(x) if found.is_success() else np.full(len(c), np.nan)


def distance(P, x, y):
    """Distance in the norm of P over the length of x, or over one."""
    return np.sqrt((x - y) @ P @ (x - y)) / (1.0 + np.sqrt(x @ P @ x))


@pytest.mark.parametrize(
    "count", [200, pytest.param(5000, marks=pytest.mark.slow)], ids=["some", "many"]
)
def test_drawn_programmes_have_the_minimum_of_an_independent_solver(count):
    apart = []
    for seed in range(count):
        programme = P, c, *_ = drawn(seed)
        status, x, sides, _ = solve_dual(*programme, CAP)
        assert status == SOLVED
        assert_minimum(programme, x, sides)
        y = by_clarabel(*programme)
        apart.append(distance(P, x, y))
        ours, other = (0.5 * z @ P @ z + c @ z for z in (x, y))
        assert not ours > other + 1e-7 * (1.0 + abs(other))
    # the root of Clarabel's gap; one in some thousand it takes for solved a little too early
    assert np.isfinite(apart).mean() > 0.97
    assert np.nanquantile(apart, 0.99) < 1e-6
    assert np.nanmax(apart) < 1e-2


@pytest.mark.parametrize(
    "count", [200, pytest.param(5000, marks=pytest.mark.slow)], ids=["some", "many"]
)
def test_slight_contradictions_are_solved_as_the_equation_between_them(count):
    apart = []
    for seed in range(count):
        programme = nearly_contradictory(seed)
        status, x, sides, _ = solve_dual(*programme, CAP)
        assert status == SOLVED
        assert_minimum(programme, x, sides)
        if not sides.any():
            continue
        P, c, low, high, G, least, most = programme
        between = most.copy()
        between[:2] = least[0], np.inf
        apart.append(distance(P, x, by_clarabel(P, c, low, high, G, least, between)))
    assert np.isfinite(apart).mean() > 0.97
    assert np.nanmax(apart) < 1e-4  # rows may be 3e-6 of their scale apart


def test_a_slight_contradiction_that_was_once_solved_with_a_row_far_off():
    with np.load(SLIGHT) as file:
        programme = [file[name] for name in ("P", "c", "low", "high", "G", "least", "most")]
    status, x, sides, _ = solve_dual(*programme, CAP)
    assert status == SOLVED
    assert_minimum(programme, x, sides)


def _two_rows():
    """A programme of two unknowns whose minimum is held by a bound and a row, with multipliers."""
    free = np.full(2, np.inf)
    low, G = np.array([0.0, -np.inf]), np.array([[1.0, 1.0], [1.0, 1.0]])
    least, most = np.array([1.0, -np.inf]), np.array([np.inf, 2.0])
    programme = (np.eye(2), np.array([1.0, 0.0]), low, free, G, least, most)
    # x = (0, 1): x - (multiplier of the row) (1, 1) + c = multiplier of the bound (1, 0)
    sides = np.zeros(8)
    sides[[0, 4]] = 0.0, 1.0
    return programme, np.array([0.0, 1.0]), sides


_WRONG = {
    "a row is violated": ("x", [0.0, 1.0 - 2e-5]),
    "a bound is violated": ("x", [-2e-5, 1.0 + 2e-5]),
    "it is not the minimum": ("x", [1e-4, 1.0]),
    "a multiplier pulls": ("sides", [0, 0, 0, 0, 1.0, 0, 0, -1e-3]),
    "an open side bears": ("sides", [0, 0, 0, 0, 1.0 + 1e-3, 0, 0, 1e-3]),
    "forces are left": ("sides", [0, 0, 0, 0, 1.001, 0, 0, 0]),
    "no number": ("x", [np.nan, 1.0]),
    "a multiplier is no number": ("sides", [0, 0, 0, 0, np.nan, 0, 0, 0]),
    "a row is no number": ("G", [[1.0, 1.0], [np.nan, 1.0]]),
    "a side is no number": ("least", [1.0, np.nan]),
}


@pytest.mark.parametrize(("what", "value"), _WRONG.values(), ids=_WRONG)
def test_the_judge_refuses_what_is_no_minimum(what, value):
    programme, x, sides = _two_rows()
    scale = scales(programme[0], programme[4])
    assert is_optimal(*programme, scale, x, sides)
    given = dict(zip(("P", "c", "low", "high", "G", "least", "most"), programme, strict=True))
    given |= {"scale": scale, "x": x, "sides": sides} | {what: np.array(value, dtype=np.float64)}
    assert not is_optimal(*given.values())


@pytest.mark.parametrize(
    ("sides", "shown"),
    [
        ([0, 0, 0, 0, 1.0, 0, 0, 1.0], True),
        ([0, 0, 0, 0, 1.0, 0, 0, 0.9], False),  # normals are left
        ([0, 0, 0, 0, 1.0, 1.0, 0, 0], False),
        ([0, 0, 0, 0, -1.0, 0, 0, -1.0], False),
        ([0, 0, 0, 0, np.nan, 0, 0, 1.0], False),
    ],
)
def test_the_judge_believes_a_conflict_by_its_certificate(sides, shown):
    (P, _, low, high, G, least, most), x, _ = _two_rows()
    most = np.array([np.inf, 0.5])  # x + y >= 1 and x + y <= 0.5
    found = is_contradiction(low, high, G, least, most, scales(P, G), x, np.array(sides))
    assert found == shown


def test_what_followed_from_a_side_is_looked_at_again_when_that_side_leaves():
    """x_1 <= 0 follows from 2 x_1 <= 0 while that is active, and not once it has left."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        n = 4
        R, g = rng.normal(size=(n, n)), rng.normal(size=n)
        free, inf = np.full(n, np.inf), np.inf
        G = np.vstack([g, 2.0 * g, rng.normal(size=(4, n))])
        least = np.array([1.0, 2.0 + 1e-6 * rng.normal(), *rng.normal(size=4)])
        programme = (R @ R.T + 0.1 * np.eye(n), 10.0 * rng.normal(size=n), -free, free)
        programme += (G, least, np.full(6, inf))
        status, x, sides, _ = solve_dual(*programme, CAP)
        assert status in {SOLVED, CONFLICT}
        if status == SOLVED:
            assert_minimum(programme, x, sides)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 12), m=st.integers(1, 8))
def test_a_conflict_comes_with_a_certificate_of_farkas(seed, n, m):
    P, c, low, high, G, least, most = problem(seed, n, m, 0)
    # a sum of what is required already, required to be more than that can be
    G = np.vstack([G, G[0] + np.eye(n)[0]])
    high[0] = low[0] + 1.0 if np.isfinite(low[0]) else 1.0
    most[0] = (least[0] if np.isfinite(least[0]) else 0.0) + 1.0
    least = np.append(least, high[0] + most[0] + 0.1)
    most = np.append(most, np.inf)
    status, _, sides, _ = solve_dual(P, c, low, high, G, least, most, CAP)
    assert status == CONFLICT
    assert (sides >= 0.0).all()
    A, b = normals(G), ends(low, high, least, most)
    part = sides > 0.0
    # multipliers that cancel all normals while their ends sum to more than nothing
    assert np.abs(A[part].T @ sides[part]).max() < 1e-7 * np.abs(A[part] * sides[part, None]).max()
    assert b[part] @ sides[part] > 1e-3


def test_two_bounds_that_cross_are_in_conflict_with_each_other():
    low, high = np.array([-1.0, 2.0, -1.0]), np.array([1.0, 1.0, 1.0])
    none = np.zeros(0)
    arguments = (np.eye(3), np.zeros(3), low, high, np.zeros((0, 3)), none, none, CAP)
    status, _, sides, _ = solve_dual(*arguments)
    assert status == CONFLICT
    assert np.flatnonzero(sides).tolist() == [1, 4]  # the lower and the upper bound of the second


def test_an_equation_that_follows_from_others_is_no_conflict_and_one_that_denies_them_is():
    G = np.array([[1.0, 1.0], [2.0, 2.0]])
    free = np.full(2, np.inf)
    for second, expected in ((2.0, SOLVED), (2.1, CONFLICT)):
        sides = np.array([1.0, second])
        found = solve_dual(np.eye(2), np.zeros(2), -free, free, G, sides, sides, CAP)
        assert found[0] == expected
        if expected == SOLVED:
            assert found[1] == pytest.approx([0.5, 0.5], abs=1e-12)


def test_a_programme_that_is_not_convex_is_said_to_be_none():
    none, free = np.zeros(0), np.full(2, np.inf)
    P = np.diag([1.0, -1.0])
    found = solve_dual(P, np.zeros(2), -free, free, np.zeros((0, 2)), none, none, CAP)
    assert found[0] == STUCK
