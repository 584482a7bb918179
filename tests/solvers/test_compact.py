"""The contact problem on its own rows: judged by the natural map, by closed forms, by the chain."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.solvers import METHODS, natural_map_residual, solve_kernel
from footfall.solvers.compact import (
    DRY,
    STOP,
    SURFACE,
    compact_scratch,
    expand,
    solve_by_chain,
    solve_on_rows,
)
from footfall.solvers.compact_newton import CompactProblem, newton_on_rows
from footfall.solvers.natural_map import spectral_norm, unbounded_residual
from footfall.solvers.newton import SPREAD, row_scales, scale_problem
from footfall.solvers.problem import ENUMERATION, NEWTON, NONE

pytestmark = pytest.mark.slow  # the chain is compiled with it

TOLERANCE = 1e-10
CHAIN = METHODS["fallback-chain"]


def solve_compact(problem, method, tolerance, prox_parameter, most, scratch):
    """Solve as a step does: by Newton's method on the rows, and by the chain where that fails."""
    residual, stage, used = solve_on_rows(*problem, method, tolerance, most, *scratch)
    if residual <= tolerance:
        return residual, stage, used

    def solve(W, q, mu, guess):
        options = method, tolerance, prox_parameter, most
        return solve_kernel(W, q, mu, problem[3], guess, *options)[:5]

    residual, stage, more = solve_by_chain(*problem, solve)
    return residual, stage, used + more


class Problem:
    """A compact problem in arrays of exactly its size."""

    def __init__(self, kind, dim, W, q, mu=0.0, bound=0.0, guess=None):
        self.kind = np.array(kind, dtype=np.int64)
        self.dim = dim
        rows = np.where(self.kind == SURFACE, dim, 1)
        self.first = np.concatenate([[0], np.cumsum(rows)]).astype(np.int64)
        self.W = np.array(W, dtype=float).reshape(self.first[-1], -1)
        self.q = np.array(q, dtype=float)
        self.mu = np.broadcast_to(mu, self.kind.shape).astype(float)
        self.bound = np.broadcast_to(bound, self.kind.shape).astype(float)
        self.guess = np.zeros(self.q.size) if guess is None else np.array(guess, dtype=float)

    @property
    def count(self):
        return len(self.kind)

    def of_contacts(self):
        return self.count, self.kind, self.first, self.dim, self.mu, self.bound

    def scratch(self):
        return compact_scratch(self.q.size, self.count, self.dim)

    def solve(self, method=CHAIN, tolerance=TOLERANCE, most=0):
        r, u = self.guess.copy(), np.zeros(self.q.size)
        options = (method, tolerance, 0.5, most)
        found = solve_compact((*self.of_contacts(), self.W, self.q, r, u), *options, self.scratch())
        return r, u, *found

    def newton(self):
        r, u = self.guess.copy(), np.zeros(self.q.size)
        problem = CompactProblem(*self.of_contacts(), self.W, self.q, *self.scratch())
        return r, u, newton_on_rows(problem, r, u, TOLERANCE, 40)[0]

    def expanded(self, r):
        return expand(*self.of_contacts(), self.W, self.q, np.asarray(r, dtype=float))

    def by_the_judge(self, r):
        """Residual of impulses by the natural map of ``solve_kernel``, with the norm of W."""
        W, q, mu, full = self.expanded(r)
        d = row_scales(W, self.dim)
        if d.max() <= SPREAD * d.min():
            return natural_map_residual(W, q, mu, self.dim, full)
        scaled = natural_map_residual(*scale_problem(W, q, d), mu, self.dim, full / d)
        u = W @ full + q
        return max(scaled, unbounded_residual(q, mu, self.dim, spectral_norm(W), full, u))


def drawn(seed, mu_max=1.5, *, bodies_alike=False):
    """Up to eight contacts of few or many velocities, some of which nearly repeat another one."""
    rng = np.random.default_rng([41, seed])
    dim, count = int(rng.integers(2, 4)), int(rng.integers(1, 9))
    kind = rng.choice([SURFACE, SURFACE, SURFACE, STOP, DRY], count)
    first = np.concatenate([[0], np.cumsum(np.where(kind == SURFACE, dim, 1))])
    n = first[-1]
    velocities = int(rng.integers(n, n + 6) if bodies_alike else rng.integers(1, n + 6))
    J = rng.normal(size=(n, velocities))
    for i in range(1, count):
        if not bodies_alike and (kind[i - 1 : i + 1] == SURFACE).all() and rng.random() < 0.2:
            near = rng.choice([0.0, 1e-12, 1e-8, 1e-4])
            J[first[i] : first[i + 1]] = J[first[i - 1] : first[i]] + near * rng.normal(
                size=(dim, velocities)
            )
    ratio = 1.0 if bodies_alike else 10.0 ** rng.choice([0, 0, 2, 4, 6])
    half = J / np.sqrt(ratio ** rng.random(velocities))
    q = J @ rng.normal(size=velocities)
    units = 1.0 if bodies_alike else 10.0 ** rng.uniform(-6, 6)
    W = units * half @ half.T
    size = np.abs(q).max() / np.linalg.norm(W, 2)
    guess = rng.normal(size=n) * size * 10.0 ** rng.uniform(-2, 1) * rng.integers(2)
    mu = rng.uniform(0.0, mu_max, count) * (rng.random(count) < 0.9)
    bound = size * 10.0 ** rng.uniform(-2, 1, count) * (rng.random(count) < 0.9)
    return Problem(kind, dim, W, q, mu, bound, guess)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_what_newton_accepts_the_natural_map_accepts(seed):
    problem = drawn(seed)
    r, u, residual = problem.newton()
    if residual <= TOLERANCE:
        assert problem.by_the_judge(r) <= residual + 1e-14
        size = np.abs(problem.q).max() + np.abs(u).max()
        assert u == pytest.approx(problem.W @ r + problem.q, abs=1e-9 * size)
    else:
        assert residual == np.inf
        assert np.array_equal(r, problem.guess)


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_answer_is_accepted_by_the_natural_map(seed):
    problem = drawn(seed, mu_max=1.0)
    r, _, residual, stage, _ = problem.solve()
    assert residual <= TOLERANCE
    assert problem.by_the_judge(r) <= TOLERANCE or stage != NEWTON


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_answer_is_that_of_the_chain_where_there_is_one_alone(seed):
    # W regular; without friction the problem is a convex programme, with next to none near one
    problem = drawn(seed, mu_max=1e-3, bodies_alike=True)
    r, _, residual, _, _ = problem.solve(tolerance=1e-12)
    assert residual <= 1e-12
    W, q, mu, guess = problem.expanded(problem.guess)
    expected = solve_kernel(W, q, mu, problem.dim, guess, CHAIN, 1e-12, 0.5, 0)[0]
    slack = 1e-11 * np.linalg.cond(problem.W) * np.abs(expected).max()
    assert problem.expanded(r)[3] == pytest.approx(expected, abs=slack + 1e-300)


@pytest.mark.parametrize(
    ("velocity", "impulse"), [(-3.0, 6.0), (0.0, 0.0), (2.0, 0.0)], ids=["hits", "rests", "leaves"]
)
def test_a_stop_ends_the_approach_and_no_more(velocity, impulse):
    r, u, residual, _, _ = Problem([STOP], 3, [[0.5]], [velocity]).solve()
    assert residual <= TOLERANCE
    assert r == pytest.approx([impulse], abs=1e-12)
    assert u == pytest.approx([max(velocity, 0.0)], abs=1e-12)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(
    ("velocity", "impulse"),
    [(0.1, -0.2), (-0.1, 0.2), (4.0, -0.5), (-4.0, 0.5), (0.25, -0.5)],
)
def test_a_dry_joint_sticks_until_its_bound(dim, velocity, impulse):
    r, u, residual, _, _ = Problem([DRY], dim, [[0.5]], [velocity], bound=0.5).solve()
    assert residual <= TOLERANCE
    assert r == pytest.approx([impulse], abs=1e-12)
    assert u == pytest.approx([velocity + 0.5 * impulse], abs=1e-12)


def test_a_block_is_held_by_the_stop_and_by_the_ground():
    # a block of 2 kg that slides towards a stop, with friction that does not hold it
    W = np.array([[0.5, 0.0, 0.0], [0.0, 0.5, -0.5], [0.0, -0.5, 0.5]])
    r, u, _, _, _ = Problem([SURFACE, STOP], 2, W, [-0.1, 3.0, -3.0], mu=0.2).solve()
    assert r[0] == pytest.approx(0.2)
    assert r[2] - r[1] == pytest.approx(6.0)  # both end its motion
    assert u == pytest.approx(np.zeros(3), abs=1e-12)


@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_points_of_four_feet_on_one_body_share_its_weight(mu):
    # 16 points, 48 rows of rank 6, from no guess: mirrored points bear alike
    corners = np.array([[x, y] for x in (-0.4, 0.4) for y in (-0.2, 0.2)])
    points = (corners[:, None] + 0.1 * corners[None]).reshape(-1, 2)
    J = np.zeros((16, 3, 6))
    for i, (x, y) in enumerate(points):
        rows = [[0, 0, 1, y, -x, 0], [1, 0, 0, 0, 0, -y], [0, 1, 0, 0, 0, x]]
        J[i] = rows
    J = J.reshape(48, 6)
    mass = np.array([10.0, 10.0, 10.0, 1.0, 2.0, 3.0])
    q = J @ np.array([0.3, 0.0, -0.1, 0.0, 0.0, 0.0])
    problem = Problem([SURFACE] * 16, 3, J / mass @ J.T, q, mu=mu)
    r, _, residual, stage, iterations = problem.solve()
    assert residual <= TOLERANCE
    assert problem.by_the_judge(r) <= TOLERANCE
    assert (stage, iterations <= 6) == (NEWTON, True)
    assert r[::3].sum() == pytest.approx(1.0)
    assert -r[1::3].sum() == pytest.approx(mu)
    again = Problem([SURFACE] * 16, 3, problem.W, q, mu=mu, guess=r).solve()
    assert again[4] == 0
    if mu == 0.0:
        for mirror in ([-1, 1], [1, -1]):
            place = [int(np.abs(points - mirror * p).sum(axis=1).argmin()) for p in points]
            assert r[::3] == pytest.approx(r[::3][place], rel=1e-4)


def test_only_the_leading_part_of_the_arrays_counts():
    problem = drawn(3)
    r, u, *found = problem.solve()
    n, more = problem.q.size, 5
    count, kind, first, dim, mu, bound = problem.of_contacts()
    W, q = np.full((n + more, n + more), np.nan), np.full(n + more, np.nan)
    W[:n, :n], q[:n] = problem.W, problem.q
    long_r, long_u = np.full(n + more, 7.0), np.full(n + more, 7.0)
    long_r[:n] = problem.guess
    kind, first = np.append(kind, 99), np.append(first, 99)
    mu, bound = np.append(mu, np.nan), np.append(bound, np.nan)
    arrays = (count, kind, first, dim, mu, bound, W, q, long_r, long_u)
    scratch = compact_scratch(n + more, count + 2, dim)
    for array in scratch:
        array[:] = 99
    again = solve_compact(arrays, CHAIN, TOLERANCE, 0.5, 0, scratch)
    assert list(again) == found
    assert np.array_equal(long_r, np.append(r, np.full(more, 7.0)))
    assert np.array_equal(long_u, np.append(u, np.full(more, 7.0)))


def test_rows_that_nothing_moves_have_no_impulse():
    W = np.zeros((3, 3))
    W[0, 0] = 0.5
    r, _, residual, _, _ = Problem([SURFACE], 3, W, [-1.0, 0.0, 0.0], mu=0.5).solve()
    assert residual <= TOLERANCE
    assert r == pytest.approx([2.0, 0.0, 0.0])


def test_the_expanded_problem_has_rows_of_its_own_where_there_are_none():
    problem = Problem(
        [STOP, DRY], 3, [[0.5, 0.1], [0.1, 0.2]], [-1.0, 2.0], 0.3, [0, 0.7], [3.0, 0.4]
    )
    W, q, mu, guess = problem.expanded(problem.guess)
    expected = np.diag([0.5, 0.5, 0.5, 0.2, 0.2, 0.2])
    expected[0, 4] = expected[4, 0] = 0.1
    assert np.array_equal(W, expected)
    assert q == pytest.approx([-1.0, 0.0, 0.0, -0.2 * 0.7, 2.0, 0.0])
    assert mu == pytest.approx([0.0, 1.0])
    assert guess == pytest.approx([3.0, 0.0, 0.0, 0.7, 0.4, 0.0])


@pytest.mark.parametrize(
    ("method", "stage"), [("enumeration", ENUMERATION), ("newton", NEWTON)], ids=str
)
def test_a_method_by_name_solves_alone(method, stage):
    problem = Problem([SURFACE, DRY], 2, np.diag([0.5, 0.5, 0.2]), [-1.0, 0.3, 1.0], 0.4, 0.5)
    r, _, residual, found, _ = problem.solve(METHODS[method])
    assert (residual <= TOLERANCE, found) == (True, stage)
    assert r == pytest.approx([2.0, -0.6, -0.5])


@pytest.mark.parametrize("q", [[0.0, 0.0], [np.nan, 0.0], [np.inf, 0.0]], ids=str)
def test_nothing_to_do_and_numbers_that_are_none(q):
    r, _, residual, stage, _ = Problem([SURFACE], 2, np.eye(2), q, 0.5, guess=[3.0, 1.0]).solve()
    assert stage == NONE
    assert residual == (0.0 if q[0] == 0.0 else np.inf)
    assert np.array_equal(r, np.zeros(2))


def test_a_problem_without_a_solution_is_not_solved():
    # two stops that face each other, both approached
    W, q = [[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0]
    assert not Problem([STOP, STOP], 2, W, q).solve()[2] <= TOLERANCE
