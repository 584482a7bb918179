"""Contact problems on disk: what is kept, and what is refused in one line."""

import numpy as np
import pytest

from footfall.errors import RunError
from footfall.solvers import ContactProblem, solve

W, Q, MU = np.eye(4) + 0.1, np.array([-1.0, 0.3, -0.5, 0.2]), np.array([0.5, 0.7])
GUESS = np.array([0.9, 0.1, 0.4, 0.0])
ARRAYS = {"W": W, "q": Q, "mu": MU, "d": np.int64(2)}


@pytest.mark.parametrize("guess", [None, GUESS])
def test_a_problem_comes_back_from_its_file_to_the_bit(tmp_path, guess):
    path = tmp_path / "problem.npz"
    ContactProblem(W, Q, MU, 2, guess).save(path)
    found = ContactProblem.load(path)
    assert found.dim == 2
    for name in ("W", "q", "mu"):
        assert np.array_equal(getattr(found, name), ARRAYS[name])
    assert found.guess is None if guess is None else np.array_equal(found.guess, guess)
    impulses = solve(found.W, found.q, found.mu, found.dim, found.guess)
    assert impulses.residual <= 1e-10


def test_a_problem_without_a_guess_has_the_keys_of_the_collection(tmp_path):
    path = tmp_path / "problem.npz"
    ContactProblem(W, Q, MU, 2).save(path)
    with np.load(path) as data:
        assert sorted(data.files) == ["W", "d", "mu", "q"]


@pytest.mark.parametrize("shape", [(3,), (4, 1), (2, 2)])
def test_a_guess_of_another_shape_is_refused(shape):
    with pytest.raises(ValueError, match="guess"):
        ContactProblem(W, Q, MU, 2, np.zeros(shape))


def test_a_guess_that_is_no_number_is_refused():
    with pytest.raises(RunError, match="guess holds a NaN"):
        ContactProblem(W, Q, MU, 2, np.full(4, np.nan))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"W": None}, "lacks W"),
        ({"q": None, "d": None}, "lacks q, d"),
        ({"W": np.eye(3)}, r"W \(3, 3\), q \(4,\)"),
        ({"mu": np.zeros(3)}, "do not fit together"),
        ({"d": np.int64(4)}, "dim must be 2 or 3"),
        ({"d": np.array([2, 2])}, "holds no contact problem"),
        ({"q": np.array([np.nan, 0, 0, 0])}, "q holds a NaN"),
        ({"mu": np.array([-0.5, 0.5])}, "negative"),
        ({"W": np.full((4, 4), "a")}, "not of numbers"),
        ({"guess": np.zeros(3)}, "guess"),
        ({"W": np.array([[None]])}, "damaged"),  # pickled, which is not loaded
    ],
)
def test_a_file_that_holds_no_problem_is_refused_in_one_line(tmp_path, changes, words):
    path = tmp_path / "problem.npz"
    arrays = {key: value for key, value in (ARRAYS | changes).items() if value is not None}
    np.savez(path, **arrays)
    with pytest.raises(RunError, match=words) as refused:
        ContactProblem.load(path)
    assert str(refused.value).startswith(str(path))
    assert "\n" not in str(refused.value)


def test_a_file_that_is_none_is_refused_in_one_line(tmp_path):
    whole = tmp_path / "whole.npz"
    ContactProblem(W, Q, MU, 2).save(whole)
    (tmp_path / "text.npz").write_text("no archive\n")
    (tmp_path / "empty.npz").write_bytes(b"")
    (tmp_path / "cut.npz").write_bytes(whole.read_bytes()[:300])
    spoiled = bytearray(whole.read_bytes())
    spoiled[150:160] = b"0123456789"  # of the numbers of W
    (tmp_path / "spoiled.npz").write_bytes(spoiled)
    np.save(tmp_path / "array.npy", W)
    names = ("text.npz", "empty.npz", "cut.npz", "spoiled.npz", "array.npy", "nowhere.npz", ".")
    for name in names:
        with pytest.raises(RunError, match=r"contact_problem\.npz of a run") as refused:
            ContactProblem.load(tmp_path / name)
        assert "\n" not in str(refused.value)
