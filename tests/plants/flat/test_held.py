"""Factors by depth and rows that hold in a step, against dense ones and the pseudo-inverse."""

import numpy as np
import pytest
from tests.plants.flat.test_dynamics import chain

from footfall.plants.flat.dynamics import full_matrix, mass_and_force, scratch_of
from footfall.plants.flat.factor import by_depth, factor, solve, solve_transposed, times
from footfall.plants.flat.held import hold, hold_row, hold_velocity, work_of_holding
from footfall.plants.flat.tree import flatten


@pytest.fixture(scope="module")
def tree():
    """Two trees of links, with branches."""
    return flatten(chain(["quaternion", "revolute", "ball", "prismatic"])).tree


@pytest.fixture(scope="module")
def mass(tree):
    scratch, rng = scratch_of(tree), np.random.default_rng(0)
    q, nv = rng.uniform(-1.0, 1.0, 64), len(tree.depth)
    mass_and_force(tree, scratch, q, np.zeros(nv))
    return full_matrix(tree.depth, tree.path, scratch.H)


@pytest.fixture(scope="module")
def L(tree, mass):
    H = np.zeros(tree.path.shape)
    by_depth(tree.depth, tree.path, mass, H)
    assert factor(tree.depth, tree.path, H)
    return H


def test_a_factor_by_depth_is_one_of_m(tree, mass, L):
    dense = np.zeros_like(mass)
    for k in range(len(mass)):
        n = tree.depth[k] + 1
        dense[k, tree.path[k, :n]] = L[k, :n]
    np.testing.assert_allclose(dense.T @ dense, mass, atol=1e-13 * mass.max())
    rng, nv = np.random.default_rng(1), len(mass)
    x, columns, y = rng.normal(size=nv), rng.normal(size=(nv, 3)), np.zeros(nv)
    times(tree.depth, tree.path, L, x, y)
    np.testing.assert_allclose(y, dense @ x, atol=1e-13)
    solve(tree.depth, tree.path, L, y)
    np.testing.assert_allclose(y, x, atol=1e-12)
    solved = columns.copy()
    solve_transposed(tree.depth, tree.path, L, solved, 3)
    np.testing.assert_allclose(dense.T @ solved, columns, atol=1e-12)


def test_what_is_not_positive_definite_has_no_factor(tree, mass):
    H = np.zeros(tree.path.shape)
    by_depth(tree.depth, tree.path, mass - 2.0 * mass.max() * np.eye(len(mass)), H)
    assert not factor(tree.depth, tree.path, H)


@pytest.mark.parametrize(("count", "rank"), [(1, 1), (6, 3), (8, 8)])
def test_rows_hold_as_the_pseudo_inverse_says(tree, mass, L, count, rank):
    rng, nv = np.random.default_rng(count), len(mass)
    G = rng.normal(size=(count, rank)) @ rng.normal(size=(rank, nv))
    basis, sizes = np.zeros((nv, nv)), ((nv, count), count)
    half, right = (np.zeros(size) for size in sizes)
    scratch = np.zeros(nv), np.zeros((2, count)), np.zeros(count)
    at = tree.depth, tree.path, L
    assert hold(*at, G, count, half, right, basis, *scratch) == rank

    # impulses G^T lambda that bring G v to zero, beside those of contacts J^T r
    inverse = np.linalg.inv(mass)
    holding = np.linalg.pinv(G @ inverse @ G.T, 1e-12)
    v, v_a, J, r = rng.normal(size=nv), rng.normal(size=nv), rng.normal(size=(4, nv)), np.ones(4)
    held = v.copy()
    hold_velocity(*at, basis, rank, held, np.zeros(nv), np.zeros(nv))
    np.testing.assert_allclose(held, v - inverse @ G.T @ holding @ G @ v, atol=1e-11)
    np.testing.assert_allclose(G @ held, 0.0, atol=1e-11)

    free_rows = np.ascontiguousarray(J.T)
    solve_transposed(*at, free_rows, 4)
    rows = np.ascontiguousarray(free_rows.T)
    for row in rows:
        hold_row(basis, rank, row)
    W = J @ inverse @ J.T
    across = J @ inverse @ G.T
    np.testing.assert_allclose(rows @ rows.T, W - across @ holding @ across.T, atol=1e-11)

    multipliers = -holding @ (G @ v + G @ inverse @ J.T @ r)
    v_e = v + inverse @ (J.T @ r + G.T @ multipliers)
    y_free, y_sum = np.zeros(nv), np.zeros(nv)
    times(*at, v, y_free)
    times(*at, v_a + v_e, y_sum)
    work = work_of_holding(basis, rank, y_free + free_rows @ r, y_sum)
    assert work == pytest.approx(0.5 * multipliers @ G @ (v_a + v_e), abs=1e-11)
