"""Small linear systems against numpy's own."""

import numpy as np
import pytest

from footfall.solvers.linear import solve_least_squares, solve_linear

# solvers call these as parts of theirs; by themselves they have to be compiled
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("n", [1, 2, 5, 24])
def test_regular(n):
    rng = np.random.default_rng(n)
    A, b, x = rng.normal(size=(n, n)), rng.normal(size=n), np.empty(n)
    assert solve_linear(A, b, n, x)
    # rounding times the condition number, which stays below 1e4 for these seeds
    assert np.allclose(A @ x, b, rtol=0.0, atol=1e-11)


@pytest.mark.parametrize(("n", "rank"), [(1, 0), (2, 1), (6, 3), (24, 14)])
def test_singular_takes_the_shortest_least_squares_answer(n, rank):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, n))
    b, x = rng.normal(size=n), np.empty(n)
    assert not solve_linear(A, b, n, x)
    assert np.allclose(x, np.linalg.pinv(A, rcond=1e-10) @ b, rtol=0.0, atol=1e-10)
    assert solve_least_squares(A, b, n, x) == rank


def test_a_leading_block_is_enough():
    A = np.full((4, 4), np.nan)
    A[:2, :2] = [[2.0, 1.0], [1.0, 3.0]]
    x = np.full(4, 7.0)
    assert solve_linear(A, np.array([3.0, 4.0, np.nan, np.nan]), 2, x)
    assert x == pytest.approx([1.0, 1.0, 7.0, 7.0])


def test_many_unknowns_are_off_by_the_shift_of_the_diagonal():
    rng = np.random.default_rng(1)
    A, b, x = rng.normal(size=(80, 80)), rng.normal(size=80), np.empty(80)
    assert solve_linear(A, b, 80, x)
    shift = 1e-9 * np.abs(A).max()
    assert (A + shift * np.eye(80)) @ x == pytest.approx(b, abs=1e-9)  # rounding times 1e3
    assert A @ x == pytest.approx(b, abs=2.0 * shift * np.abs(x).max())


def test_many_singular_unknowns_have_short_answers():
    rng = np.random.default_rng(2)
    half = rng.normal(size=(80, 50))
    A, b, x = half @ half.T, half @ rng.normal(size=50), np.empty(80)
    solve_linear(A, b, 80, x)
    shortest = np.linalg.pinv(A, rcond=1e-10) @ b
    assert A @ x == pytest.approx(b, abs=1e-5)
    assert np.linalg.norm(x) < 1.01 * np.linalg.norm(shortest)


def test_many_unknowns_that_are_no_numbers_give_none():
    x = np.zeros(80)
    solve_linear(np.full((80, 80), np.nan), np.ones(80), 80, x)
    assert np.isnan(x).all()
