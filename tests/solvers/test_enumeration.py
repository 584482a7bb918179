"""Enumeration against a second enumeration, written for the test with inequalities in numpy."""

import itertools

import numpy as np
import pytest

from footfall.solvers import ContactNotSolved, SolverStage, solve


def _holds(mode, r, u, mu):
    """The inequalities of one contact in its mode."""
    if mode == "open":
        return u[0] >= 0.0
    if mode == "stick":
        return r[0] >= 0.0 and abs(r[1]) <= mu * r[0]
    return r[0] >= 0.0 and mode * u[1] >= 0.0


def _all_solutions(W, q, mu):
    """Every mode combination of a regular planar problem that satisfies its inequalities."""
    n, rows = mu.size, np.eye(q.size)
    found = []
    for modes in itertools.product(("open", "stick", 1, -1), repeat=n):
        equations, columns = [], []
        for i, mode in enumerate(modes):
            if mode == "stick":
                equations += [2 * i, 2 * i + 1]
                columns += [rows[2 * i], rows[2 * i + 1]]
            elif mode != "open":
                equations += [2 * i]
                columns += [rows[2 * i] - mode * mu[i] * rows[2 * i + 1]]
        r = np.zeros(2 * n)
        if columns:
            T = np.array(columns).T
            r = T @ np.linalg.solve((W @ T)[equations], -q[equations])
        u = W @ r + q
        if all(_holds(mode, r[2 * i :], u[2 * i :], mu[i]) for i, mode in enumerate(modes)):
            found.append(r)
    return found


def test_finds_a_solution_if_and_only_if_there_is_one():
    # W is not positive definite: about one problem in ten has no solution, one in eight several
    counts = {0: 0, 1: 0, 2: 0}
    for seed in range(300):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 4))
        root = rng.normal(size=(2 * n, 2 * n))
        W = root @ root.T + 0.8 * rng.normal(size=root.shape)
        q, mu = rng.normal(size=2 * n), rng.uniform(0.0, 2.0, size=n)
        solutions = _all_solutions(W, q, mu)
        counts[min(len(solutions), 2)] += 1
        if not solutions:
            with pytest.raises(ContactNotSolved):
                solve(W, q, mu, 2)
            continue
        impulses = solve(W, q, mu, 2)
        assert impulses.stage == SolverStage.ENUMERATION
        distance = min(np.linalg.norm(impulses.r - r) for r in solutions)
        assert distance <= 1e-9 * (1.0 + np.linalg.norm(impulses.r))
    assert min(counts.values()) > 10  # the seeds do reach all three kinds


# A rod on its tip in the Painleve region: with mu > 1/2 slipping backwards presses it in.
# Solutions at q = (1, -10), mu = 1: open, stick r = (15, 8), slip r = (1, 1) with u_t = -7.
PAINLEVE = np.array([[1.0, -2.0], [-2.0, 5.0]])


def test_of_several_solutions_the_guess_chooses():
    q, mu = np.array([1.0, -10.0]), np.array([1.0])
    assert len(_all_solutions(PAINLEVE, q, mu)) == 3
    assert solve(PAINLEVE, q, mu, 2).r == pytest.approx([0.0, 0.0])  # nothing pressed before
    assert solve(PAINLEVE, q, mu, 2, guess=[1.0, 0.1]).r == pytest.approx([15.0, 8.0])
    assert solve(PAINLEVE, q, mu, 2, guess=[1.0, 1.0]).r == pytest.approx([1.0, 1.0])


def test_the_tip_of_the_rod_jams_in_the_painleve_region():
    # it touches down while it slides: no slip and no opening fits, only an impact that stops it
    q, mu = np.array([-1e-9, -10.0]), np.array([1.0])
    impulses = solve(PAINLEVE, q, mu, 2)
    assert impulses.u == pytest.approx([0.0, 0.0], abs=1e-12)
    assert impulses.r == pytest.approx([20.0, 10.0], rel=1e-8)


def test_new_contacts_stick_before_they_slip():
    # on the edge mu = |q_t|/|q_n| stick and slip are the same impulses: no matter which is named
    impulses = solve(np.eye(2), np.array([-1.0, 0.5]), 0.5, 2)
    assert impulses.r == pytest.approx([1.0, -0.5])
    assert impulses.iterations == 2  # the guess's modes (open), then stick
