"""Published problems (tests/data/fclib/README.md), in every method that can play."""

from pathlib import Path

import numpy as np
import pytest

from footfall.solvers import METHODS, ContactProblem, SolverStage, solve

FILES = sorted((Path(__file__).parents[1] / "data" / "fclib").glob("*.npz"))


def _load(file):
    return ContactProblem.load(file)


def _can_play(file, method):
    if method != "enumeration":
        return True
    problem = _load(file)  # enumeration is for up to three planar contacts
    return problem.dim == 2 and problem.mu.size <= 3


CASES = [(file, method) for file in FILES for method in METHODS if _can_play(file, method)]


def test_the_collection_is_there():
    assert len(FILES) == 16


@pytest.mark.parametrize(("file", "method"), CASES, ids=[f"{f.stem}-{m}" for f, m in CASES])
def test_solved_within_the_tolerance(file, method, assert_laws):
    problem = _load(file)
    # the fixed point contracts for r < 2/|W|; the report's 0.5 is made for |W| <= 2
    impulses = solve(
        problem.W,
        problem.q,
        problem.mu,
        problem.dim,
        method=method,
        r_parameter=1.0 / np.linalg.norm(problem.W, 2),
    )
    assert impulses.residual <= 1e-10
    assert np.allclose(impulses.u, problem.W @ impulses.r + problem.q, rtol=0.0, atol=1e-12)
    assert_laws(problem, impulses.r)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_the_fallback_chain_stays_on_its_exact_stages(file):
    problem = _load(file)
    impulses = solve(problem.W, problem.q, problem.mu, problem.dim)
    assert impulses.stage in (SolverStage.ENUMERATION, SolverStage.NEWTON)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_the_published_reference_is_accepted(file):
    # the judge agrees with the answers that came with the problems: their own residuals, at
    # rho = 1/|W|, are below 1e-13 of the impulses
    problem = _load(file)
    with np.load(file) as data:
        reference = data["r"]
    impulses = solve(problem.W, problem.q, problem.mu, problem.dim, guess=reference)
    assert impulses.iterations <= 1
    assert impulses.residual <= 1e-10
