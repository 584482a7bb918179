"""The door to the solvers: what it takes, what it refuses, what it carries."""

from pathlib import Path

import numba
import numpy as np
import pytest

from footfall.errors import FootfallError, RunError
from footfall.solvers import (
    METHODS,
    ContactNotSolved,
    ContactProblem,
    SolverStage,
    SolverStatus,
    solve,
    solve_kernel,
)

WALK = Path(__file__).parents[1] / "data" / "walks" / "sole_and_toe.npz"


def test_no_contacts():
    impulses = solve(np.zeros((0, 0)), np.zeros(0), np.zeros(0), 3)
    assert impulses.stage == SolverStage.NONE
    assert impulses.status == SolverStatus.SOLVED
    assert impulses.r.shape == (0,)


def test_nothing_moves_and_nothing_approaches():
    impulses = solve(np.eye(4), np.zeros(4), 0.5, 2, guess=np.ones(4))
    assert not impulses.r.any()
    assert impulses.residual == 0.0
    assert impulses.stage == SolverStage.NONE  # no method was asked


def test_the_fallback_chain_has_an_older_name():
    W, q = np.eye(2), [-1.0, 0.3]
    chain, ladder = (solve(W, q, 0.5, 2, method=name) for name in ("fallback-chain", "ladder"))
    assert np.array_equal(chain.r, ladder.r)


@pytest.mark.parametrize("method", METHODS)
def test_contacts_that_separate_bear_nothing_whatever_the_guess(method):
    # they couple: the impulse of the guess on one of them would slow the other down
    W = np.kron([[1.0, 0.5], [0.5, 1.0]], np.eye(2))
    impulses = solve(W, [0.5, 0.2, 1.0, -0.1], 0.5, 2, method=method, guess=np.ones(4))
    assert impulses.stage != SolverStage.NONE
    # what is accepted is within 1e-10 of the impulse scale |q|/|W| < 1
    assert np.abs(impulses.r).max() <= 1e-10


@pytest.mark.parametrize("method", METHODS)
def test_arguments_are_kept(method):
    W, q, mu, guess = np.eye(4), np.array([-1.0, 0.2, 1.0, 0.1]), np.full(2, 0.5), np.ones(4)
    before = [a.copy() for a in (W, q, mu, guess)]
    solve(W, q, mu, 2, guess, method=method)
    for old, new in zip(before, (W, q, mu, guess), strict=True):
        assert np.array_equal(old, new)


def test_any_layout_of_memory_and_lists_are_taken():
    W = np.asfortranarray([[2.0, 0.3], [0.1, 1.0]])
    assert solve(W, [-1.0, 0.2], [0.5], 2).status == SolverStatus.SOLVED


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"dim": 4}, "dim"),
        ({"q": np.zeros(3)}, "fit"),
        ({"mu": np.zeros(3)}, "fit"),
        ({"mu": [-0.1]}, "negative"),
        ({"method": "magic"}, "fallback-chain"),
        ({"guess": np.zeros(4)}, "guess"),
        ({"guess": [np.nan, 0.0]}, "guess"),
        ({"tolerance": 0.0}, "positive"),
        ({"r_parameter": -1.0}, "positive"),
    ],
)
def test_nonsense_is_refused(changes, words):
    arguments = {"W": np.eye(2), "q": np.array([-1.0, 0.0]), "mu": [0.5], "dim": 2} | changes
    with pytest.raises(ValueError, match=words):
        solve(**arguments)


def test_enumeration_says_what_it_cannot_do():
    with pytest.raises(ValueError, match="planar"):
        solve(np.eye(3), -np.ones(3), 0.5, 3, method="enumeration")
    with pytest.raises(ValueError, match="planar"):
        solve(np.eye(8), -np.ones(8), 0.5, 2, method="enumeration")


@pytest.mark.parametrize("where", ["W", "q", "mu"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_named(where, value):
    arguments = {"W": np.eye(2), "q": np.array([-1.0, 0.0]), "mu": np.array([0.5]), "dim": 2}
    arguments[where] = arguments[where].copy()
    arguments[where].flat[0] = value
    with pytest.raises(RunError, match=where):
        solve(**arguments)


@pytest.mark.parametrize("code", METHODS.values())
def test_the_kernel_answers_nan_with_a_status(code):
    q = np.array([-1.0, np.nan])
    r, _, residual, _, _, status = solve_kernel(
        np.eye(2), q, np.array([0.5]), 2, np.zeros(2), code, 1e-10, 0.5, 0
    )
    assert status == SolverStatus.NOT_SOLVED
    assert residual == np.inf
    assert not r.any()


@pytest.mark.slow
@pytest.mark.longest  # it compiles all methods once more, as parts of a kernel not ours
def test_the_kernel_can_be_called_from_compiled_code():
    @numba.njit
    def step(W, q, mu, dim, guess, method, cap):
        answer = solve_kernel(W, q, mu, dim, guess, method, 1e-10, 0.5, cap)
        return answer[0][0], answer[5]

    q, mu = np.array([-1.0, 0.0]), np.array([0.5])
    normal, status = step(np.eye(2), q, mu, 2, np.zeros(2), METHODS["fallback-chain"], 0)
    assert normal == pytest.approx(1.0)
    assert status == SolverStatus.SOLVED


def test_an_unsolved_problem_can_be_saved_and_replayed(tmp_path):
    W = np.array([[-1.0, 0.0], [0.0, 1.0]])  # pressing pulls it in: no solution
    with pytest.raises(ContactNotSolved) as caught:
        solve(W, [-1.0, 0.3], 0.5, 2)
    assert isinstance(caught.value, FootfallError)
    assert "\n" not in str(caught.value)
    assert "try a smaller time_step, less friction or another moreau.solver" in str(caught.value)
    file = tmp_path / "unsolved.npz"
    caught.value.problem.save(file)
    again = ContactProblem.load(file)
    assert np.array_equal(again.W, W)
    assert again.dim == 2
    with pytest.raises(ContactNotSolved) as repeated:
        solve(again.W, again.q, again.mu, again.dim)
    assert np.array_equal(repeated.value.best.r, caught.value.best.r)


def test_the_same_question_has_the_same_answer(draw):
    problem = draw(np.random.default_rng(11), contacts=(8, 8))
    first, second = (solve(problem.W, problem.q, problem.mu, problem.dim) for _ in range(2))
    assert np.array_equal(first.r, second.r)
    assert first.iterations == second.iterations


def test_contacts_of_very_different_masses_are_all_solved():
    # a milligram and a tonne on one floor, not coupled: with one rho for both, the heavy one's
    # impulse would pass for solved whatever it is; each must have its own weight
    W = np.diag([1e6, 1e6, 1e-3, 1e-3])
    q = np.array([-1.0, 0.1, -1.0, 0.1])
    impulses = solve(W, q, 0.5, 2, method="newton")
    assert impulses.r == pytest.approx([1e-6, -1e-7, 1e3, -1e2], rel=1e-8)


def test_a_cap_on_iterations_is_kept():
    W = np.array([[1.0, 0.9], [0.9, 1.0]])
    with pytest.raises(ContactNotSolved) as caught:
        solve(
            np.kron(W, np.eye(2)), [-1.0, 5.0, -2.0, 3.0], 0.5, 2, method="gauss-seidel",
            max_iterations=1,
        )  # fmt: skip
    assert caught.value.best.iterations == 1


@pytest.mark.parametrize("tolerance", 10.0 ** np.arange(-12, -5))
@pytest.mark.parametrize("cold", [True, False], ids=["cold", "guess"])
def test_a_loose_tolerance_is_met_where_a_sharp_one_is(tolerance, cold):
    # a humanoid's sole and toe on the ground, which slide by some 1e-6 m/s: 15 rows of rank 7
    problem = ContactProblem.load(WALK)
    guess = None if cold else problem.guess
    impulses = solve(problem.W, problem.q, problem.mu, 3, guess, tolerance=tolerance)
    assert impulses.residual <= tolerance


def test_points_of_one_foot_that_bounce_differently(assert_laws):
    # a quadruped that fell, on its shanks and feet: 33 rows of 18 velocities, and restitution that
    # no motion of the links has at all of them; Gauss-Seidel and regularisation took 2,489 steps
    problem = ContactProblem.load(WALK.with_name("falling_quadruped.npz"))
    impulses = solve(problem.W, problem.q, problem.mu, problem.dim, problem.guess)
    assert impulses.stage == SolverStage.VELOCITY_SPACE
    assert impulses.iterations < 150
    assert_laws(problem, impulses.r)
