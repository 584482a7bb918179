"""The dual active-set method: conditions of Karush, Kuhn and Tucker, and certificates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.solvers.dual_active_set import CONFLICT, SOLVED, STUCK, solve_dual

CAP = 500


def normals(G):
    """Normals of all sides in their order, rows (2n + 2m, n): lower bounds, upper ones, rows."""
    eye = np.eye(G.shape[1])
    return np.vstack([eye, -eye, G, -G])


def ends(low, high, least, most):
    return np.concatenate([low, -high, least, -most])


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


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6), n=st.integers(1, 25), m=st.integers(0, 12), share=st.floats(0, 0.3)
)
def test_a_solution_is_feasible_stationary_and_complementary(seed, n, m, share):
    # fewer equations than unknowns
    P, c, low, high, G, least, most = problem(seed, n, m, min(int(share * m), n - 1))
    status, x, sides, _ = solve_dual(P, c, low, high, G, least, most, CAP)
    assert status == SOLVED
    A, b = normals(G), ends(low, high, least, most)
    size = 1.0 + np.abs(x).max()
    slack = A @ x - np.where(np.isfinite(b), b, -np.inf)
    # a constraint is kept to 1e-8 of the scale of its unknowns, at most 1e2 here
    assert slack.min(initial=0.0) > -1e-6 * size
    inequality = np.repeat([True, True], n).tolist() + np.tile(least != most, 2).tolist()
    assert sides[inequality].min(initial=0.0) >= -1e-9
    # stationary, against the size of what cancels; cond(P) is up to 1e9
    force = np.abs(P) @ np.abs(x) + np.abs(c)
    assert np.abs(P @ x + c - A.T @ sides).max() < 1e-6 * force.max()
    # complementary: settled on its active sides exactly
    active = sides != 0.0
    assert np.abs(slack[active]).max(initial=0.0) < 1e-7 * size


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
