"""The smallest change that closes constraints, against the pseudo-inverse."""

import numpy as np
import pytest

from footfall.plants.projection import smallest_change


@pytest.mark.parametrize(("count", "rank"), [(1, 1), (4, 4), (9, 5), (12, 7)])
def test_smallest_change_is_that_of_the_pseudo_inverse_in_the_metric_of_the_mass(count, rank):
    rng = np.random.default_rng(count)
    root = rng.normal(size=(7, 7))
    mass = root @ root.T + np.eye(7)
    rows = rng.normal(size=(count, rank)) @ rng.normal(size=(rank, 7))
    residual = rows @ rng.normal(size=7)  # equations that repeat others agree with them
    lower = np.linalg.cholesky(mass)
    half = np.linalg.solve(lower, rows.T).T
    expected = np.linalg.solve(lower.T, np.linalg.pinv(half, rcond=1e-9) @ residual)
    change = smallest_change(rows, mass, residual)
    np.testing.assert_allclose(change, expected, atol=1e-11)
    np.testing.assert_allclose(rows @ change, residual, atol=1e-11)


def test_smallest_change_of_zero_rows_is_zero():
    assert not smallest_change(np.zeros((2, 3)), np.eye(3), np.array([1.0, 2.0])).any()
