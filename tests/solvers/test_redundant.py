"""Equations that repeat others, against the singular value decomposition."""

import numpy as np
import pytest

from footfall.solvers.redundant import orthonormalise


def rows_of_rank(rng, count, rank, n, spread=1.0):
    """Rows of which some repeat others; their singular values spread over so many decades."""
    left = np.linalg.qr(rng.normal(size=(count, rank)))[0]
    right = np.linalg.qr(rng.normal(size=(n, rank)))[0]
    return left * np.logspace(0.0, -spread, rank) @ right.T


@pytest.mark.parametrize(
    ("count", "rank", "n", "spread"),
    [(2, 2, 2, 0.0), (5, 3, 7, 1.0), (12, 12, 9, 1.0), (9, 6, 20, 5.0), (36, 24, 28, 3.0)],
)
def test_equations_left_are_orthonormal_and_say_the_same(count, rank, n, spread):
    rng = np.random.default_rng(n)
    rank = min(rank, n)
    A = rows_of_rank(rng, count, rank, n, spread)
    y = rng.normal(size=n)
    b, least = A @ y, min(count, n)
    basis, answer = np.zeros((least, n)), np.zeros(least)
    columns, right = np.ascontiguousarray(A.T), b.copy()
    size, product = np.zeros((2, count)), np.zeros(count)
    found = orthonormalise(columns, count, right, 1e-7, basis, answer, size, product)
    assert found == rank
    Q = basis[:rank]
    np.testing.assert_allclose(Q @ Q.T, np.eye(rank), atol=1e-14)
    np.testing.assert_allclose(A - A @ Q.T @ Q, 0.0, atol=1e-14)  # the rows lie in their span
    shortest = np.linalg.lstsq(A, b, rcond=1e-9)[0]
    np.testing.assert_allclose(answer[:rank] @ Q, shortest, atol=1e-13 * 10.0**spread)
