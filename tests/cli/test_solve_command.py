"""``footfall solve``: a saved contact problem, solved again and shown."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.cli.command import footfall as command

from footfall.cli import main
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.solvers import METHODS, ContactNotSolved, ContactProblem, solve

FCLIB = Path(__file__).parents[1] / "data" / "fclib"
ROVER = FCLIB / "Rover1039.npz"  # four spatial contacts
SLIDER = FCLIB / "FC2D_SliderCrankLagrangian00000.npz"  # two planar ones


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")  # so that no cell is broken into lines


def footfall(*arguments, capsys):
    """Solve a saved problem; returns the exit status, stdout and stderr."""
    return command("solve", *arguments, capsys=capsys)


def test_the_answer_is_that_of_the_solver(capsys):
    status, out, err = footfall(ROVER, capsys=capsys)
    assert (status, err) == (0, "")
    problem = ContactProblem.load(ROVER)
    impulses = solve(problem.W, problem.q, problem.mu, problem.dim)
    assert "4 in 3-D" in out
    assert "12 x 12, rank 12" in out
    for number in impulses.r:
        assert f"{number:.5g}" in out
    assert "r_n [N s]" in out
    assert "u_s [m/s]" in out
    assert out.count("slip") == 3
    assert out.count("stick") == 1
    assert "newton" in out  # the stage that answered
    assert f"{impulses.residual:.1e}" in out


@pytest.mark.parametrize("method", [name for name in METHODS if name != "enumeration"])
def test_every_method_can_be_asked(method, capsys):
    status, out, _ = footfall(ROVER, "--method", method, capsys=capsys)
    assert status == 0
    assert f"by {method} from zero" in out


def test_all_methods_are_tried_in_turn(capsys):
    status, out, _ = footfall(ROVER, "--all", capsys=capsys)
    assert status == 0
    lines = [line.split() for line in out.splitlines()]
    assert {line[0] for line in lines if line} > set(METHODS)
    assert "for a few planar contacts" in out  # enumeration does not take it
    assert out.count(" solved ") == len(METHODS) - 1
    status, out, _ = footfall(SLIDER, "--all", capsys=capsys)
    assert status == 0
    assert out.count(" solved ") == len(METHODS)


def test_a_guess_that_is_kept_is_where_it_starts(tmp_path, capsys):
    problem = ContactProblem.load(ROVER)
    impulses = solve(problem.W, problem.q, problem.mu, problem.dim)
    path = tmp_path / "contact_problem.npz"
    ContactProblem(problem.W, problem.q, problem.mu, problem.dim, impulses.r).save(path)
    _, out, _ = footfall(tmp_path, capsys=capsys)  # the folder will do
    assert "by fallback-chain from guess" in out
    _, out, _ = footfall(path, "--cold", capsys=capsys)
    assert "by fallback-chain from zero" in out
    _, out, _ = footfall(path, "--all", capsys=capsys)
    for start in ("guess", "zero"):
        tried = [line for line in map(str.split, out.splitlines()) if line[1:2] == [start]]
        assert len(tried) == len(METHODS)


def test_what_nobody_solves_ends_with_one(capsys):
    # the strictest tolerance of all: rounding alone is more
    status, out, err = footfall(ROVER, "--all", "--tolerance", "1e-300", capsys=capsys)
    assert status == 1
    assert "not solved" in out
    assert err.startswith("footfall: not solved: the residual of")
    assert err.count("\n") == 1
    assert "contacts, by" in out  # the best try is shown all the same


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.npz"], "there is no file nowhere.npz"),
        ([Path(__file__)], "is damaged or no .npz file"),
        ([ROVER, "--method", "gauss-sidel"], "did you mean 'gauss-seidel'?"),
        ([ROVER, "--method", "enumeration"], "is for a few planar contacts; .* 4 in 3-D"),
        ([ROVER, "--tolerance", "0"], "give a positive number"),
        ([ROVER, "--tolerance", "nan"], "give a positive number"),
    ],
)
def test_a_wrong_request_is_one_line_and_a_two(arguments, words, capsys):
    status, out, err = footfall(*arguments, capsys=capsys)
    assert (status, out) == (2, "")
    assert err.startswith("footfall: ")
    assert err.count("\n") == 1
    assert re.search(words, err)


def test_a_problem_without_contacts_is_solved(tmp_path, capsys):
    path = tmp_path / "contact_problem.npz"
    ContactProblem(np.zeros((0, 0)), np.zeros(0), np.zeros(0), 3).save(path)
    status, out, _ = footfall(path, capsys=capsys)
    assert status == 0
    assert "0 in 3-D" in out


@pytest.mark.slow
def test_it_needs_no_drake():
    code = (
        "import sys; from footfall.cli import _status; "
        f"status = _status(['solve', {str(ROVER)!r}]); "
        "print(status, 'pydrake' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 False"


@pytest.mark.slow
def test_what_ended_a_run_is_solved_from_its_folder(tmp_path, capsys):
    out = tmp_path / "run"
    settings = ("--set", "moreau.solver=fixed-point", "--set", "moreau.max_iterations=1")
    with pytest.raises(SystemExit):
        main(["run", "biped/climb", *settings, "--out", str(out)])
    capsys.readouterr()
    status, text, _ = footfall(out, capsys=capsys)
    assert status == 0  # nothing is wrong with it but the solver that was asked
    assert "in 2-D" in text


@pytest.mark.slow
def test_a_run_keeps_the_guess_of_what_it_could_not_solve():
    settings = ["moreau.solver=fixed-point", "moreau.max_iterations=1"]
    error = run_scenario(load_scenario("biped/climb", settings), "biped/climb", "moreau").error
    assert isinstance(error, ContactNotSolved)
    assert error.problem.guess is not None
    assert error.problem.guess.shape == error.problem.q.shape
