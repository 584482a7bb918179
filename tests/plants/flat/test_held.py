"""Factors by depth and rows that hold in a step, against dense ones and the pseudo-inverse."""

import numpy as np
import pytest
from tests.plants.flat.test_dynamics import chain

from footfall.engines.factored import (
    by_rows,
    gram,
    half_rows,
    hold_rows,
    times_mass,
    use_ancestors,
    work_of_holding,
)
from footfall.plants.flat.dynamics import full_matrix, mass_and_force, scratch_of
from footfall.plants.flat.factor import factor, solve, solve_transposed, times
from footfall.plants.flat.held import held_for, hold, hold_velocity
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


def by_depth(tree, mass):
    """Return a matrix (nv, nv) on the ways to each velocity."""
    return np.take_along_axis(mass, tree.path, axis=1)


@pytest.fixture(scope="module")
def L(tree, mass):
    H = by_depth(tree, mass)
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
    H = by_depth(tree, mass - 2.0 * mass.max() * np.eye(len(mass)))
    assert not factor(tree.depth, tree.path, H)


@pytest.mark.parametrize(("count", "rank"), [(1, 1), (6, 3), (8, 8)])
def test_rows_hold_as_the_pseudo_inverse_says(tree, mass, L, count, rank):
    rng, nv = np.random.default_rng(count), len(mass)
    G = rng.normal(size=(count, rank)) @ rng.normal(size=(rank, nv))
    memory, at = held_for(count, nv), (tree.depth, tree.path, L)
    memory.rows[:] = G
    assert hold(*at, memory, count) == rank
    basis = memory.basis

    # impulses G^T lambda that bring G v to zero, beside those of contacts J^T r
    inverse = np.linalg.inv(mass)
    holding = np.linalg.pinv(G @ inverse @ G.T, 1e-12)
    v, v_a, J, r = rng.normal(size=nv), rng.normal(size=nv), rng.normal(size=(4, nv)), np.ones(4)
    held = v.copy()
    hold_velocity(*at, basis, rank, held, np.zeros(nv), np.zeros(nv))
    np.testing.assert_allclose(held, v - inverse @ G.T @ holding @ G @ v, atol=1e-11)
    np.testing.assert_allclose(G @ held, 0.0, atol=1e-11)

    used, Y, along = np.ones(nv, dtype=bool), np.zeros((nv, 4)), np.zeros((rank, 4))
    half_rows(*at, used, np.ascontiguousarray(J.T), 4, Y)
    hold_rows(basis, rank, 4, Y, along)
    W = np.zeros((4, 4))
    gram(used, Y, 4, W)
    across = J @ inverse @ G.T
    np.testing.assert_allclose(W, J @ inverse @ J.T - across @ holding @ across.T, atol=1e-11)

    multipliers = -holding @ (G @ v + G @ inverse @ J.T @ r)
    v_e = v + inverse @ (J.T @ r + G.T @ multipliers)
    scratch = [np.zeros(nv) for _ in range(3)]
    work = work_of_holding(*at, basis, rank, along, 4, r, v, v_a, v_e, *scratch)
    assert work == pytest.approx(0.5 * multipliers @ G @ (v_a + v_e), abs=1e-11)


def test_rows_of_some_velocities_are_those_of_all(tree, mass, L):
    """Rows of a few joints: entries elsewhere are zero, and M^-1 J^T r reaches all the same."""
    rng, nv = np.random.default_rng(5), len(mass)
    J, used = np.zeros((nv, 3)), np.zeros(nv, dtype=bool)
    moving = tree.path[nv // 2, : tree.depth[nv // 2] + 1]
    J[moving], used[nv // 2] = rng.normal(size=(len(moving), 3)), True
    use_ancestors(tree.depth, tree.path, used)
    assert np.flatnonzero(used).tolist() == sorted(moving.tolist())
    Y, W, r, x = np.zeros((nv, 3)), np.zeros((3, 3)), rng.normal(size=3), np.zeros(nv)
    half_rows(tree.depth, tree.path, L, used, J, 3, Y)
    gram(used, Y, 3, W)
    np.testing.assert_allclose(W, J.T @ np.linalg.solve(mass, J), atol=1e-12)
    by_rows(used, Y, 3, r, x)
    solve(tree.depth, tree.path, L, x)
    np.testing.assert_allclose(x, np.linalg.solve(mass, J @ r), atol=1e-12)
    H, product = by_depth(tree, mass), np.zeros(nv)
    times_mass(tree.depth, tree.path, H, x, product)
    np.testing.assert_allclose(product, J @ r, atol=1e-11)
