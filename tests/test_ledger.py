"""The ledger of a long computation: what is done stays done, and is never mixed with another."""

import math

import pytest

from footfall.errors import RunError
from footfall.ledger import Ledger


def never():
    raise AssertionError("this piece was done before")


def filled(path, made_for="a"):
    ledger = Ledger(path, made_for)
    ledger.result("first", lambda: [1.0, math.inf, None])
    ledger.result("second", lambda: {"p": 0.1 + 0.2})
    return ledger


def test_what_is_done_is_read_and_not_done_again(tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path)
    again = Ledger(path, "a")
    assert "first" in again
    assert "third" not in again
    assert again.result("first", never) == [1.0, math.inf, None]
    assert again.result("second", never) == {"p": 0.1 + 0.2}


def test_nan_is_kept(tmp_path):
    path = tmp_path / "pieces.jsonl"
    Ledger(path).result("x", lambda: math.nan)
    assert math.isnan(Ledger(path).result("x", never))


def test_a_line_that_was_cut_off_is_forgotten(tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path)
    whole = path.read_text()
    path.write_text(whole[:-5])
    again = Ledger(path, "a")
    assert "first" in again
    assert "second" not in again
    assert path.read_text() == whole.splitlines(keepends=True)[0]


@pytest.mark.parametrize(
    "line",
    ["nonsense", "3", "[]", '{"piece": "x"}', '{"piece": "x", "result": 3}'],
)
def test_a_line_of_something_else_is_told(line, tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(RunError, match=r"is damaged \(line 3\)"):
        Ledger(path, "a")


def test_a_number_that_was_changed_is_told(tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path)
    path.write_text(path.read_text().replace("1.0", "2.0"))
    with pytest.raises(RunError, match=r"is damaged \(line 1\), or of another scenario"):
        Ledger(path, "a")


def test_results_of_another_scenario_are_not_taken(tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path, "a")
    with pytest.raises(RunError, match="of another scenario"):
        Ledger(path, "b")


def test_bytes_that_are_no_text_are_told(tmp_path):
    path = tmp_path / "pieces.jsonl"
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(RunError, match="cannot read"):
        Ledger(path)
