"""The augmented-Lagrangian fixed point of the biped report: where it converges and where not."""

import numpy as np
import pytest

from footfall.solvers import ContactNotSolved, SolverStage, solve


def _biped_like(seed, contacts=2):
    """W of a machine of point masses of 0.5 kg and more: largest eigenvalue 1/min(m) = 2."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(2 * contacts, 6))
    W = root @ root.T
    return 2.0 * W / np.linalg.norm(W, 2), rng.normal(size=2 * contacts)


@pytest.mark.parametrize("seed", range(20))
def test_half_converges_for_the_biped(seed):
    W, q = _biped_like(seed)
    mu = np.array([1.0, 1.0])
    impulses = solve(W, q, mu, 2, method="fixed-point", r_parameter=0.5)
    exact = solve(W, q, mu, 2, method="enumeration")
    assert impulses.stage == SolverStage.FIXED_POINT
    assert impulses.residual <= 1e-10
    # u is unique here; 1e-10 of the impulse, times the condition number of W (below 1e4)
    assert np.allclose(impulses.u, exact.u, rtol=0.0, atol=1e-6)


def test_one_heavy_step_is_exact():
    # a single point of 0.5 kg: r W = 1, so that each normal step is Newton's own
    impulses = solve(
        2.0 * np.eye(2), np.array([-1.0, 0.2]), 1.0, 2, method="fixed-point", r_parameter=0.5
    )
    assert impulses.r == pytest.approx([0.5, -0.1])
    assert impulses.iterations <= 4


@pytest.mark.parametrize("parameter", [1.0, 1.05, 3.0, 1e3])
def test_from_one_on_it_reports_failure(parameter):
    # r W >= 2: the error of a sticking point flips sign and does not shrink
    W, q = 2.0 * np.eye(2), np.array([-1.0, 0.2])
    with pytest.raises(ContactNotSolved) as caught:
        solve(W, q, 1.0, 2, method="fixed-point", r_parameter=parameter, guess=[0.4, 0.0])
    assert not caught.value.best.residual <= 1e-10


def test_a_small_parameter_is_slow_but_not_fooled():
    # each step is tiny long before the impulses are right: the natural map must have its say
    W, q = _biped_like(3)
    mu = np.array([0.5, 0.5])
    slow = solve(W, q, mu, 2, method="fixed-point", r_parameter=0.01)
    fast = solve(W, q, mu, 2, method="fixed-point", r_parameter=0.5)
    assert slow.iterations > 5 * fast.iterations
    assert slow.residual <= 1e-10


def test_a_cap_on_iterations_is_kept():
    W, q = _biped_like(0)
    with pytest.raises(ContactNotSolved) as caught:
        solve(W, -abs(q), 1.0, 2, method="fixed-point", max_iterations=2)
    assert caught.value.best.iterations == 2


def test_three_dimensions_project_on_the_disc():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(6, 9))
    W = root @ root.T
    W *= 2.0 / np.linalg.norm(W, 2)
    q = np.array([-1.0, 0.5, 0.3, -0.7, -0.4, 0.9])
    impulses = solve(W, q, 0.4, 3, method="fixed-point")
    exact = solve(W, q, 0.4, 3)
    assert np.allclose(impulses.u, exact.u, rtol=0.0, atol=1e-7)
