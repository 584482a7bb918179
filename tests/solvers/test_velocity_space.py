"""Problems in factored form, W = H H^T, against linear algebra and the judge of all solvers."""

from pathlib import Path

import numpy as np
import pytest

from footfall.solvers import natural_map_residual, solve
from footfall.solvers.block_elimination import block_pattern, eliminate, substitute
from footfall.solvers.gauss_seidel import solve_gauss_seidel
from footfall.solvers.interior_point import from_inside, middle
from footfall.solvers.network import (
    Network,
    gather,
    judged,
    largest_eigenvalue,
    matrix_of,
    newton_matrix,
    scaled_problem,
    spread,
    sweep,
)
from footfall.solvers.velocity_space import solve_in_velocities

pytestmark = pytest.mark.slow

SIZES = np.array([6, 1, 3, 6, 2])
STARTS = np.cumsum(SIZES) - SIZES
LARGE_GUESS = 10.0
HEAP = Path(__file__).parents[1] / "data" / "heaps" / "heap55.npz"


def _network(generator, contacts, dim, sizes=SIZES):
    """Contacts between trees of these sizes, some with one tree alone."""
    starts = np.cumsum(sizes) - sizes
    trees = np.full((contacts, 2), -1)
    rows = np.zeros((contacts, 2, dim, sizes.max()))
    for k in range(contacts):
        some = generator.choice(len(sizes), size=1 + k % 2, replace=False)
        trees[k, : len(some)] = some
        for side, tree in enumerate(some):
            rows[k, side, :, : sizes[tree]] = generator.standard_normal((dim, sizes[tree]))
    return Network(rows, trees, sizes, starts, np.full(contacts, np.nan))


def _dense(network):
    """H of a network, (k*dim, sum of sizes)."""
    contacts, _, dim, _ = network.rows.shape
    half = np.zeros((contacts, dim, network.sizes.sum()))
    for k in range(contacts):
        for side, tree in enumerate(network.trees[k]):
            if tree >= 0:
                start, size = network.starts[tree], network.sizes[tree]
                half[k, :, start : start + size] += network.rows[k, side, :, :size]
    return half.reshape(contacts * dim, -1)


def test_block_elimination_solves_a_linear_system():
    generator = np.random.default_rng(3)
    meets = np.zeros((5, 5), dtype=bool)
    for a, b in ((0, 1), (0, 3), (1, 2), (3, 4)):
        meets[a, b] = meets[b, a] = True
    blocks = np.kron(np.ones((1, 1)), meets | np.eye(5, dtype=bool))
    mask = np.repeat(np.repeat(blocks, SIZES, axis=0), SIZES, axis=1) > 0
    matrix = np.where(mask, generator.standard_normal(mask.shape), 0.0) + 10.0 * np.eye(18)
    b = generator.standard_normal(18)
    pattern = block_pattern(SIZES, STARTS, meets)
    pool = np.zeros(pattern.size)
    for i in range(5):
        for j in range(5):
            at = pattern.offset[i, j]
            if at >= 0:
                of_i, of_j = (slice(STARTS[k], STARTS[k] + SIZES[k]) for k in (i, j))
                block = matrix[of_i, of_j]
                pool[at : at + block.size] = block.ravel()
    pivots, x = np.zeros(18, dtype=np.int64), b.copy()
    assert eliminate(pattern, pool, pivots)
    substitute(pattern, pool, pivots, x)
    np.testing.assert_allclose(x, np.linalg.solve(matrix, b), rtol=1e-12, atol=1e-13)


def test_products_and_norm_are_those_of_the_matrix():
    generator = np.random.default_rng(4)
    network = _network(generator, 9, 3)
    half = _dense(network)
    r, q = generator.standard_normal(27), generator.standard_normal(27)
    np.testing.assert_allclose(spread(network, r), half.T @ r, atol=1e-13)
    np.testing.assert_allclose(gather(network, half.T @ r, q), half @ half.T @ r + q, atol=1e-12)
    np.testing.assert_allclose(matrix_of(network), half @ half.T, atol=1e-13)
    norm = np.linalg.norm(half @ half.T, 2)
    assert 0.99 * norm < largest_eigenvalue(network) <= norm * (1.0 + 1e-12)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_the_natural_map_accepts_what_it_finds(dim, seed):
    """More rows than velocities, so that impulses are not unique; a guess that is far off, too."""
    generator = np.random.default_rng(seed)
    network = _network(generator, 14, dim)
    half = _dense(network)
    q, mu = half @ generator.standard_normal(18), generator.uniform(0.0, 1.0, 14)
    for guess in (np.zeros(14 * dim), LARGE_GUESS * generator.standard_normal(14 * dim)):
        r = guess.copy()
        residual, steps = solve_in_velocities(network, q, mu, 1e-10, 300, r)
        assert residual <= 1e-10
        assert steps > 0
        assert natural_map_residual(half @ half.T, q, mu, dim, r) <= 1e-10


@pytest.mark.parametrize("seed", range(5))
def test_without_friction_velocities_are_those_of_the_dense_solvers(seed):
    """A convex problem, whose velocities are unique."""
    generator = np.random.default_rng(seed)
    network = _network(generator, 14, 3)
    half = _dense(network)
    q, mu = half @ generator.standard_normal(18), np.zeros(14)
    r = np.zeros(42)
    assert solve_in_velocities(network, q, mu, 1e-10, 300, r)[0] <= 1e-10
    dense = solve(half @ half.T, q, mu, 3)
    np.testing.assert_allclose(
        half @ half.T @ r + q, dense.u, atol=1e-6
    )  # both to 1e-10, times W's condition


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("mu", [0.0, 1e-3, 0.6, 3.0])
def test_the_interior_point_comes_close_in_some_tens_of_steps(dim, mu):
    """From the middle of the cones, four times of five at the least."""
    found = []
    for seed in range(20):
        generator = np.random.default_rng(seed)
        network = _network(generator, 14, dim)
        q = _dense(network) @ generator.standard_normal(18)
        problem = scaled_problem(network, q, np.full(14, mu))
        r, point = np.zeros(14 * dim), middle(problem, 1.0, 1.0)
        residual, steps = from_inside(problem, newton_matrix(network), 1e-6, 40, point, r)
        assert residual == judged(problem, r)[0]
        found.append(steps < 40)
    assert np.mean(found) >= 0.8


def test_sweeps_are_those_of_the_dense_gauss_seidel():
    generator = np.random.default_rng(2)
    network = _network(generator, 9, 3)
    half = _dense(network)
    q, mu = half @ generator.standard_normal(18), generator.uniform(0.0, 1.0, 9)
    r, dense = generator.standard_normal(27), np.zeros(27)
    dense[:] = r
    sweep(network, q, mu, 3, r)
    solve_gauss_seidel(half @ half.T, q, mu, 3, 1.0, 0.0, 3, dense)
    np.testing.assert_allclose(r, dense, rtol=1e-10, atol=1e-12)


def test_a_given_normal_impulse_bounds_the_friction():
    """One mass of 1 kg at 1 m/s along t: a dry joint with mu r_n = 0.3 N s takes 0.3 m/s of it."""
    rows = np.zeros((1, 2, 2, 1))
    rows[0, 0, 1, 0] = 1.0
    one = np.ones(1, dtype=np.int64)
    network = Network(rows, np.array([[0, -1]]), one, 0 * one, np.array([0.5]))
    r = np.zeros(2)
    residual, _ = solve_in_velocities(network, np.array([-0.5, 1.0]), np.array([0.6]), 1e-12, 50, r)
    assert residual <= 1e-12
    np.testing.assert_allclose(r, [0.5, -0.3], rtol=1e-12)


def test_a_heap_that_collapses_is_solved_where_one_method_alone_fails():
    """55 spheres in square layers, recorded in a step of 1 ms: impacts through the whole heap."""
    with np.load(HEAP) as file:
        sizes, guess, q, mu = (file[key] for key in ("sizes", "guess", "q", "mu"))
        given = np.full(mu.size, np.nan)
        starts = np.cumsum(sizes) - sizes
        network = Network(file["rows"], file["trees"], sizes, starts, given)
    problem = scaled_problem(network, q, mu)
    inside = np.zeros(q.size)
    point = middle(problem, 1.0, 1.0)
    residual, _ = from_inside(problem, newton_matrix(network), 1e-10, 60, point, inside)
    assert residual > 1e-10  # else the others are not asked
    r = guess.copy()
    residual, _ = solve_in_velocities(network, q, mu, 1e-10, 1000, r)
    half = _dense(network)
    assert max(residual, natural_map_residual(half @ half.T, q, mu, 3, r)) <= 1e-10
