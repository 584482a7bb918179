"""Small linear systems against numpy's own."""

import numpy as np
import pytest

from footfall.solvers.linear import solve_least_squares, solve_linear


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
