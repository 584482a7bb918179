"""Problems of 60 to 300 rows: a wall of bricks whose loads are known, and drawn ones."""

import math

import numpy as np
import pytest

from footfall.solvers import ContactProblem, natural_map_residual, solve
from footfall.solvers.gauss_seidel import solve_by_modes
from footfall.solvers.natural_map import spectral_norm
from footfall.solvers.velocity_space import solve_factored

pytestmark = pytest.mark.slow

LAYERS, WIDTH, HEIGHT, MASS, MU = 6, 0.2, 0.06, 1.2, 0.6
WEIGHT_IMPULSE = MASS * 9.81e-3  # N s, of a brick in a step of 1 ms


@pytest.fixture(scope="module")
def wall() -> ContactProblem:
    """Planar bricks, each across two: one step under gravity from rest, with its problem.

    A contact a corner of the face that two share; rows [n, t], velocities [x, z, turn] a brick.
    """
    bricks = [(layer, k) for layer in range(LAYERS) for k in range(LAYERS - layer)]
    number = {brick: i for i, brick in enumerate(bricks)}
    J = []
    for layer, k in bricks:
        upper = number[layer, k]
        below = [None] if layer == 0 else [number[layer - 1, k], number[layer - 1, k + 1]]
        for side, lower in enumerate(below):
            span = (-0.5, 0.5) if lower is None else ((-0.5, 0.0), (0.0, 0.5))[side]
            for at in span:
                rows = np.zeros((2, 3 * len(bricks)))
                rows[:, 3 * upper : 3 * upper + 3] = _rows(at * WIDTH, -0.5 * HEIGHT)
                if lower is not None:
                    there = at * WIDTH - (0.5 if side else -0.5) * WIDTH
                    rows[:, 3 * lower : 3 * lower + 3] -= _rows(there, 0.5 * HEIGHT)
                J.append(rows)
    J = np.concatenate(J)
    inverse = np.tile([1.0, 1.0, 12.0 / (WIDTH**2 + HEIGHT**2)], len(bricks)) / MASS
    falling = np.tile([0.0, -WEIGHT_IMPULSE / MASS, 0.0], len(bricks))
    return ContactProblem((J * inverse) @ J.T, J @ falling, np.full(len(J) // 2, MU), 2)


def _rows(x: float, z: float) -> np.ndarray:
    """Upward and sideways velocity of a point of a brick, [x, z] from its middle."""
    return np.array([[0.0, 1.0, x], [1.0, 0.0, -z]])


def _assert_stands(wall: ContactProblem, r: np.ndarray) -> None:
    """Nothing moves, and the ground bears all bricks without turning the wall about its middle."""
    assert np.abs(wall.W @ r + wall.q).max() < 1e-9
    ground = r[0 : 4 * LAYERS : 2]
    bricks = LAYERS * (LAYERS + 1) // 2
    assert ground.sum() == pytest.approx(bricks * WEIGHT_IMPULSE, rel=1e-9)
    place = WIDTH * (np.repeat(np.arange(LAYERS), 2) + np.tile([-0.5, 0.5], LAYERS))
    middle = 0.5 * WIDTH * (LAYERS - 1)
    assert ground @ (place - middle) == pytest.approx(0.0, abs=1e-9 * ground.sum())


def test_a_wall_of_bricks_stands(wall, assert_laws):
    assert wall.q.size > 100
    impulses = solve(wall.W, wall.q, wall.mu, 2)
    assert_laws(wall, impulses.r)
    _assert_stands(wall, impulses.r)


def test_sweeps_find_the_modes_and_newton_the_digits(wall):
    r = np.zeros(wall.q.size)
    norm = spectral_norm(wall.W)
    residual, used = solve_by_modes(wall.W, wall.q, wall.mu, 2, norm, 1e-10, 2000, r)
    assert residual <= 1e-10
    assert used < 1000
    assert natural_map_residual(wall.W, wall.q, wall.mu, 2, r) <= 1e-10
    _assert_stands(wall, r)


def test_interior_points_find_the_way_of_the_load_from_nothing(wall):
    r = np.full(wall.q.size, 7.0)  # no guess is asked for
    norm = spectral_norm(wall.W)
    residual, steps = solve_factored(wall.W, wall.q, wall.mu, 2, norm, 1e-10, 60, r)
    assert residual <= 1e-10
    assert steps <= 30
    _assert_stands(wall, r)


def test_what_has_no_factor_is_left_to_others(wall):
    r = np.zeros(wall.q.size)
    skew = wall.W.copy()
    skew[0, 1] += 0.1 * wall.W[0, 0]
    for W in (skew, wall.W - 0.1 * np.eye(wall.q.size)):
        residual, steps = solve_factored(W, wall.q, wall.mu, 2, 1.0, 1e-10, 60, r)
        assert (residual, steps) == (math.inf, 0)


def test_no_better_impulses_leave_the_guess(wall):
    exact = solve(wall.W, wall.q, wall.mu, 2).r
    r = exact.copy()
    norm = spectral_norm(wall.W)
    assert solve_by_modes(wall.W, wall.q, wall.mu, 2, norm, 1e-10, 0, r)[1] == 0
    assert np.array_equal(r, exact)


@pytest.mark.parametrize("mu_max", [1.0, 5.0])
def test_drawn_problems_are_solved(draw, assert_laws, mu_max):
    for seed in range(12):
        problem = draw(np.random.default_rng([9, seed]), contacts=(25, 60), mu_max=mu_max)
        impulses = solve(problem.W, problem.q, problem.mu, problem.dim)
        assert_laws(problem, impulses.r)
