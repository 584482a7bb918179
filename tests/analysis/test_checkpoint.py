"""The checkpoint of a long computation: what is done stays done, never mixed with another."""

import math

import pytest

from footfall.analysis.checkpoint import Checkpoint
from footfall.errors import RunError


def never():
    raise AssertionError("this piece was done before")


def filled(path, made_for="a"):
    checkpoint = Checkpoint(path, made_for)
    checkpoint.result("first", lambda: [1.0, math.inf, None])
    checkpoint.result("second", lambda: {"p": 0.1 + 0.2})
    return checkpoint


def test_what_is_done_is_read_and_not_done_again(tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path)
    again = Checkpoint(path, "a")
    assert "first" in again
    assert "third" not in again
    assert again.result("first", never) == [1.0, math.inf, None]
    assert again.result("second", never) == {"p": 0.1 + 0.2}


def test_a_line_that_was_cut_off_is_forgotten(tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path)
    whole = path.read_text()
    path.write_text(whole[:-5])
    again = Checkpoint(path, "a")
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
        Checkpoint(path, "a")


def test_a_number_that_was_changed_is_told(tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path)
    path.write_text(path.read_text().replace("1.0", "2.0"))
    with pytest.raises(RunError, match=r"is damaged \(line 1\), or of another scenario"):
        Checkpoint(path, "a")


def test_results_of_another_scenario_are_not_taken(tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path, "a")
    with pytest.raises(RunError, match="of another scenario"):
        Checkpoint(path, "b")


def test_without_a_file_every_piece_is_done_once():
    checkpoint, calls = Checkpoint(), []
    for _ in range(2):
        assert checkpoint.result("x", lambda: calls.append(1) or 5) == 5
    assert calls == [1]
    assert "x" in checkpoint


def test_a_result_is_the_same_whether_it_was_kept_or_read(tmp_path):
    # JSON has no tuples and no keys but texts: nobody may notice only when it goes on
    path = tmp_path / "pieces.jsonl"
    now = Checkpoint(path).result("x", lambda: {1: (0.1, -math.inf), "ends": None})
    assert now == {"1": [0.1, -math.inf], "ends": None}
    assert Checkpoint(path).result("x", never) == now


@pytest.mark.parametrize("value", [1.0 / 3.0, 5e-324, -0.0, 1.8e308, math.nan, 2**80])
def test_numbers_come_back_to_the_last_bit(tmp_path, value):
    path = tmp_path / "pieces.jsonl"
    Checkpoint(path).result("x", lambda: value)
    assert repr(Checkpoint(path).result("x", never)) == repr(value)


def test_a_first_line_that_was_cut_off_leaves_nothing(tmp_path):
    path = tmp_path / "pieces.jsonl"
    filled(path)
    path.write_text(path.read_text()[:20])
    again = Checkpoint(path, "a")
    assert "first" not in again
    assert path.read_text() == ""
    # and it can be written to at once
    again.result("first", lambda: 1)
    assert Checkpoint(path, "a").result("first", never) == 1


def test_what_fails_is_not_done(tmp_path):
    path = tmp_path / "pieces.jsonl"
    checkpoint = Checkpoint(path)
    with pytest.raises(ZeroDivisionError):
        checkpoint.result("x", lambda: 1 / 0)
    with pytest.raises(TypeError):
        checkpoint.result("x", object)
    assert "x" not in checkpoint
    assert not path.exists()


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(RunError, match=r"cannot write .*choose another folder"):
        Checkpoint(tmp_path / "no" / "pieces.jsonl").result("x", lambda: 1)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\n")
    for path in (tmp_path, tmp_path / "bytes"):
        with pytest.raises(RunError, match="cannot read"):
            Checkpoint(path)
