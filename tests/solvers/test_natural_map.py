"""The judge: projection, norm, scaling, and what it must not accept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag

from footfall.solvers import ContactNotSolved, ContactProblem, natural_map_residual, solve
from footfall.solvers.natural_map import (
    impulse_scale,
    power_start,
    project_cone,
    ran_away,
    scaled_residual,
    spectral_norm,
)

number = st.floats(-1e3, 1e3)


def _project(x, mu):
    out = np.array(x, dtype=float)
    project_cone(out, 0, out.size, mu)
    return out


@pytest.mark.parametrize("dim", [2, 3])
@given(x=st.lists(number, min_size=3, max_size=3), mu=st.floats(0.0, 5.0), seed=st.integers(0, 99))
def test_projection_is_the_nearest_point(dim, x, mu, seed):
    x = np.array(x[:dim])
    p = _project(x, mu)
    size = 1.0 + np.linalg.norm(x)
    assert np.linalg.norm(p[1:]) <= mu * p[0] + 1e-13 * size
    # Moreau's decomposition: p is orthogonal to x - p, which lies in the polar cone
    assert abs(p @ (x - p)) <= 1e-13 * size**2
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(50, dim - 1))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    rays = np.column_stack([np.ones(50), mu * directions])
    assert np.all(rays @ (x - p) <= 1e-12 * size * (1.0 + mu))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("normal", [-9.0, 0.1, 9.0])  # lets go, slides, sticks
def test_projection_of_a_contact_leaves_the_others_alone(dim, normal):
    x = np.arange(1.0, 5 * dim + 1.0)
    block = slice(2 * dim, 3 * dim)
    x[block] = [normal, 1.0, 2.0][:dim]
    projected = x.copy()
    project_cone(projected, 2 * dim, dim, 0.3)
    assert projected[block] == pytest.approx(_project(x[block], 0.3), abs=0.0)
    projected[block] = x[block]
    assert projected.tolist() == x.tolist()


@pytest.mark.parametrize("size", [1, 2, 3, 4, 6, 12])
@pytest.mark.parametrize("rank", ["full", "one", "zero"])
def test_spectral_norm(size, rank):
    rng = np.random.default_rng(size)
    W = {
        "full": rng.normal(size=(size, size)),
        "one": np.outer(rng.normal(size=size), rng.normal(size=size)),
        "zero": np.zeros((size, size)),
    }[rank]
    # bisection to 1e-13 of the eigenvalue of W^T W, and rounding of n terms
    assert spectral_norm(W) == pytest.approx(np.linalg.norm(W, 2), rel=1e-12)
    assert 1e9 * spectral_norm(1e-9 * W) == pytest.approx(np.linalg.norm(W, 2), rel=1e-12)


@pytest.mark.parametrize("sizes", [(1, 1, 1), (2, 3, 1), (1, 4), (4, 1, 5), (3, 3, 3), (12,)])
def test_the_norm_of_parts_that_do_not_meet_is_that_of_the_largest(sizes):
    """As of contacts of several bodies: rows that need no reflection lie between others."""
    rng = np.random.default_rng(len(sizes))
    for largest in range(len(sizes)):
        parts = [rng.normal(size=(size, size)) for size in sizes]
        parts[largest] *= 10.0 * len(sizes)
        exact = max(np.linalg.norm(part, 2) for part in parts)
        W = block_diag(*parts)
        for next_to_nothing in (0.0, 1e-140, 1e-155, 1e-162, 1e-300):
            nearly = W + (W == 0.0) * next_to_nothing
            assert spectral_norm(nearly) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("aside", [1e-8, -1e-8])
@pytest.mark.parametrize("below", [-1.0, 1.0])
def test_a_row_that_is_nearly_reduced_loses_no_digits(below, aside):
    """A reflection towards the wrong side would subtract two numbers that are alike."""
    gram = np.array([[4.0, below, aside], [below, 3.0, 1.0], [aside, 1.0, 2.0]])
    W = np.linalg.cholesky(gram).T.copy()
    assert spectral_norm(W) == pytest.approx(np.linalg.norm(W, 2), rel=2e-13)


def test_bisection_passes_a_number_that_is_exact_for_a_part():
    """Of W^T W = [2 1 0; 1 2 1; 0 1 2] the first to be tried is 3, an eigenvalue of two rows."""
    W = np.array([[1.0, 0.0, -1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]])
    assert spectral_norm(W) == pytest.approx(np.sqrt(2.0 + np.sqrt(2.0)), rel=1e-13)


@pytest.mark.parametrize("size", [3, 13, 30])
def test_masses_of_any_unit_have_a_norm(size):
    """A bound from below is left where squares are lost in underflow, as beyond 1e-154."""
    half = np.random.default_rng(size).normal(size=(size, 3))
    W = half @ half.T
    assert spectral_norm(1e-70 * W) / 1e-70 == pytest.approx(spectral_norm(W), rel=1e-12)
    for unit in (1e-150, 1e-170):
        assert 0.0 <= spectral_norm(unit * W) / unit <= 1.001 * np.linalg.norm(W, 2)
    if size == 3:
        assert spectral_norm(1e-170 * W) / 1e-170 == pytest.approx(np.abs(W).max(), rel=1e-12)
    assert spectral_norm(0.0 * W) == 0.0


@pytest.mark.parametrize("size", [13, 30, 100])
def test_spectral_norm_of_a_large_matrix_is_a_near_lower_bound(size):
    rng = np.random.default_rng(size)
    half = rng.normal(size=(size, size // 2))
    W, exact = half @ half.T, np.linalg.norm(half, 2) ** 2
    assert 0.99 * exact <= spectral_norm(W) <= (1.0 + 1e-12) * exact


def test_iterations_begin_as_they_always_did():
    """Runs are repeated bit for bit, on machines and in versions to come."""
    start = [1.0, 1.7, 1.3, 2.0, 1.6, 1.2, 1.9, 1.5, 1.1, 1.8, 1.4, 1.0, 1.7]
    assert power_start(13).tolist() == pytest.approx(start, rel=1e-15)


def _symmetric(values, parts):
    """A matrix of given eigenvalues; parts: of the iteration's start along its eigenvectors."""
    start = power_start(len(values)) / np.linalg.norm(power_start(len(values)))
    parts = parts / np.linalg.norm(parts)
    away = (parts - start) / np.linalg.norm(parts - start)
    mirror = np.eye(len(values)) - 2.0 * np.outer(away, away)
    return mirror * values @ mirror


def _by_eigenvalues(values, parts, most):
    """Norms that power iteration comes to, until one is less than a thousandth above the last."""
    norms = [0.0]
    for k in range(most):
        here = parts * values ** (2 * k)
        norms.append(float(np.linalg.norm(values * here) / np.linalg.norm(here)))
        if norms[-1] - norms[-2] <= 1e-3 * norms[-1]:
            break
    return norms[1:]


def test_power_iteration_ends_where_the_norm_hardly_grows():
    values = np.concatenate(([1.0], np.full(15, 0.85)))
    parts = np.concatenate(([0.1], np.full(15, 0.25)))
    expected = _by_eigenvalues(values, parts, 100)
    assert 3 < len(expected) < 29
    # a step more would be nearer by a few ten-thousandths
    assert spectral_norm(_symmetric(values, parts)) == pytest.approx(expected[-1], rel=1e-9)


def test_power_iteration_takes_thirty_steps_at_most():
    """Larger eigenvalues, of which the start has less and less, come forth one after the other."""
    values = np.geomspace(0.4, 1.0, 16)
    parts = np.exp(-24.0 * np.log(values / 0.4) ** 2)
    expected = _by_eigenvalues(values, parts, 40)
    assert len(expected) > 31
    assert expected[30] > 1.001 * expected[29] > 1.001**2 * expected[28]
    # rounding along the largest one grows as much as what the start has of it, 2e-9
    assert spectral_norm(_symmetric(values, parts)) == pytest.approx(expected[29], rel=1e-7)


def test_the_norm_of_twelve_rows_is_exact_and_that_of_thirteen_is_from_below():
    """Four contacts in space are judged by the norm itself."""
    for count, exact in ((12, True), (13, False)):
        values, parts = np.full(count, 0.98), np.ones(count)
        values[0], parts[0] = 1.0, 1e-3
        found = spectral_norm(_symmetric(values, parts))
        assert bool(abs(found - 1.0) < 1e-12) is exact
        assert 0.98 - 1e-12 <= found <= 1.0 + 1e-12


def test_the_scale_of_impulses_is_bounded_by_what_moves_the_contacts():
    q, norm = np.array([3.0, -4.0]), 2.0
    natural = 2.5  # |q|/|W|
    for length, wanted in (
        *((0.0, natural), (1.0, natural), (7.0, 7.0), (1e6, 1e4 * natural)),
        *((1e10 * natural, 1e4 * natural), (1e10 * natural + 1.0, 0.0), (np.inf, 0.0)),
    ):
        r = np.array([0.0, length])
        assert impulse_scale(q, r, norm) == pytest.approx(wanted, rel=1e-15)
        assert ran_away(q, r, norm) == (length > 1e4 * natural)
    assert ran_away(q, np.array([0.0, 1e4 * natural + 1e-3]), norm)
    assert not ran_away(q, np.array([0.0, 1e4 * natural]), norm)
    # nothing that can move counts as 1 kg, and without a velocity impulses are their own measure
    assert impulse_scale(q, np.zeros(2), 0.0) == 5.0
    assert impulse_scale(q, np.zeros(2), 0.5) == 10.0
    assert impulse_scale(np.zeros(2), np.array([-3.0, 4.0]), norm) == 5.0


@pytest.mark.parametrize("along", [(1.0,), (0.6, -0.8)])  # in a plane and in space
@pytest.mark.parametrize("at", [0, 1, 2])
def test_the_residual_is_that_of_the_worst_contact_worked_out_by_hand(along, at):
    dim, norm = 1 + len(along), 2.0
    r, u = np.zeros((3, dim)), np.zeros((3, dim))
    r[:, 0] = 0.1  # two contacts that stick
    r[at] = [1.0, *(-0.3 * np.array(along))]  # slides, with less than its friction
    u[at, 1:] = 1.2 * np.array(along)
    q = np.full(3 * dim, 1e-3)
    # r - u/|W| = (1 - mu 0.6, -0.9), whose nearest point in the cone of mu = 0.5 is (0.92, -0.46)
    wanted = np.hypot(0.08, 0.16) / np.linalg.norm(r)
    found = scaled_residual(q, np.full(3, 0.5), dim, norm, r.ravel(), u.ravel())
    assert found == pytest.approx(wanted, rel=1e-13)
    # and of one that pulls away while it is pressed: r - u/|W| = 0.2, in the cone
    r[at], u[at] = 0.0, 0.0
    r[at, 0], u[at, 0] = 1.0, 1.6
    found = scaled_residual(q, np.full(3, 0.5), dim, norm, r.ravel(), u.ravel())
    assert found == pytest.approx(0.8 / np.linalg.norm(r), rel=1e-14)


def test_the_residual_where_nothing_moves_and_where_impulses_hide_all():
    mu, zero, one = np.array([0.5]), np.zeros(2), np.array([1.0, 0.0])
    assert scaled_residual(zero, mu, 2, 1.0, zero, zero) == 0.0
    # W = 0 counts as 1: u = q asks for an impulse of 1, or lets the contact open
    assert scaled_residual(-one, mu, 2, 0.0, zero, -one) == 1.0
    assert scaled_residual(one, mu, 2, 0.0, zero, one) == 0.0
    for lost in (1e11, -1e11):
        assert scaled_residual(one, mu, 2, 1.0, lost * one, zero) == np.inf
    # W = 1/2: r - 2 u is 1/2 off, of the 2 that |q|/|W| is
    assert scaled_residual(one, mu, 2, 0.5, one, 0.25 * one) == 0.25


def test_residual_does_not_depend_on_units(draw):
    problem = draw(np.random.default_rng(7), contacts=(3, 3), mu_max=1.0)
    r = np.random.default_rng(8).normal(size=problem.q.size)
    here = natural_map_residual(problem.W, problem.q, problem.mu, problem.dim, r)
    # grams and kilometres instead: r times 1e6, W times 1e-3
    there = natural_map_residual(
        1e-3 * problem.W, 1e3 * problem.q, problem.mu, problem.dim, 1e6 * r
    )
    assert there == pytest.approx(here, rel=1e-10)


def test_residual_is_the_size_of_the_error():
    # a point at rest on the ground: r_n = 1 is exact, and r_n = 1 + e leaves the ground with e
    W, q, mu = np.eye(2), np.array([-1.0, 0.0]), np.array([0.5])
    assert natural_map_residual(W, q, mu, 2, np.array([1.0, 0.0])) == 0.0
    wrong = natural_map_residual(W, q, mu, 2, np.array([1.0 + 1e-6, 0.0]))
    assert wrong == pytest.approx(1e-6, rel=1e-5)


def test_impulses_that_run_off_to_infinity_are_refused():
    # not positive (u_n falls with r_n along this ray), so no solution: yet beside a huge r the
    # velocity q = -1 would be lost in the scale, and W r alone satisfies the laws (u_n = 0)
    W = np.array([[0.0, 0.0], [0.0, 1.0]])
    q, mu = np.array([-1.0, 0.0]), np.array([0.5])
    assert natural_map_residual(W, q, mu, 2, np.array([1e13, 0.0])) > 1e-5
    with np.errstate(over="ignore"):  # of which kernels say nothing, and plain Python does
        assert natural_map_residual(W, q, mu, 2, np.array([1e200, 0.0])) > 1e-5
    with pytest.raises(ContactNotSolved):
        solve(W, q, mu, 2, guess=[1e13, 0.0])


def test_nothing_that_can_move():
    # W = 0 (both bodies held): a contact that does not approach needs no impulse, another has none
    W, mu = np.zeros((2, 2)), np.array([0.5])
    assert solve(W, np.array([1.0, 2.0]), mu, 2).r == pytest.approx([0.0, 0.0])
    with pytest.raises(ContactNotSolved):
        solve(W, np.array([-1.0, 2.0]), mu, 2)


def test_nan_is_never_accepted():
    problem = ContactProblem(np.eye(2), np.array([-1.0, 0.0]), np.array([0.5]), 2)
    r = np.array([np.nan, 0.0])
    assert natural_map_residual(problem.W, problem.q, problem.mu, 2, r) == np.inf
