"""Equations that repeat others, against the singular value decomposition."""

import numpy as np
import pytest

from footfall.solvers.redundant import orthonormalise, pseudo_inverse


def rows_of_rank(rng, count, rank, n, spread=1.0):
    """Rows of which some repeat others; their singular values spread over so many decades."""
    left = np.linalg.qr(rng.normal(size=(count, rank)))[0]
    right = np.linalg.qr(rng.normal(size=(n, rank)))[0]
    return left * np.logspace(0.0, -spread, rank) @ right.T


def inverse_of(gram):
    m = len(gram)
    out = np.full((m, m), np.nan)
    rank = pseudo_inverse(gram, np.full((3 * m + 5, m), np.nan), out)
    return out, rank


@pytest.mark.parametrize(("count", "rank", "n"), [(1, 1, 3), (6, 3, 9), (8, 8, 18), (36, 24, 28)])
def test_pseudo_inverse_is_that_of_the_singular_values(count, rank, n):
    rng = np.random.default_rng(count)
    half = rows_of_rank(rng, count, rank, n)
    gram = half @ half.T
    out, found = inverse_of(gram)
    assert found == rank
    expected = np.linalg.pinv(gram, 1e-12)
    np.testing.assert_allclose(out, expected, atol=1e-11 * np.abs(expected).max())
    np.testing.assert_allclose(gram @ out @ gram, gram, atol=1e-13)


def test_pseudo_inverse_of_a_planar_loop_in_space():
    # a ball in a plane says nothing of the way across: its row is zero, or rounding
    half = np.array([[1.0, 0.2, -0.3], [1e-17, 0.0, -2e-17], [0.1, -0.8, 0.4]])
    gram = half @ half.T
    out, rank = inverse_of(gram)
    assert rank == 2
    np.testing.assert_allclose(out, np.linalg.pinv(gram, 1e-12), atol=1e-14)


def test_pseudo_inverse_of_nothing_is_nothing():
    out, rank = inverse_of(np.zeros((3, 3)))
    assert rank == 0
    assert not out.any()


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
