"""``footfall verify`` as a user meets it."""

import json
import signal
from dataclasses import replace

import pytest
from tests.cli.command import footfall
from tests.verify.falling import FALL, fallen

from footfall.verify import runner

WRONG = replace(FALL, name="wrong", quantities=(fallen(1.0),))


@pytest.fixture(autouse=True)
def suite(monkeypatch):
    """A suite of two small problems, one of which fails."""
    monkeypatch.setattr("footfall.verify.cases.CASES", (FALL, WRONG))


def test_a_problem_that_passes_leaves_with_0_and_a_page(tmp_path, capsys):
    out = tmp_path / "out"
    status, printed, err = footfall("verify", "fall", "--out", str(out), capsys=capsys)
    assert status == 0, err
    assert "fall: passed" in printed
    assert "1 of 1 problems passed" in printed
    assert {path.name for path in out.iterdir()} == {"verification.html", "verification.json"}
    record = json.loads((out / "verification.json").read_text())
    (case,) = record["cases"]
    assert case["passed"]
    assert list(case["quantities"][0]["values"]) == ["moreau", "drake-sap"]
    assert record["provenance"]["versions"]["drake"]


def test_a_problem_that_fails_leaves_with_1_and_its_name(tmp_path, capsys):
    out = tmp_path / "out"
    status, printed, err = footfall(
        "verify", "--engines", "moreau", "--out", str(out), capsys=capsys
    )
    assert status == 1
    assert "wrong: FAILED" in printed
    assert "1 of 2 problems passed" in printed
    assert [line for line in err.splitlines() if line.startswith("footfall:")] == [
        "footfall: failed: wrong."
    ]
    assert "drake" not in (out / "verification.json").read_text().partition('"cases"')[2]


def test_without_a_folder_it_writes_below_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    status, _, err = footfall("verify", "fall", "--engines", "moreau", capsys=capsys)
    assert status == 0, err
    assert len(list(tmp_path.glob("runs/verify/*/verification.html"))) == 1


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["fal"], "did you mean 'fall'"),
        (["fall", "--engines", "moreau,drake-spa"], "did you mean 'drake-sap'"),
        (["fall", "--engines", "closed-form"], "closed-form"),
    ],
)
def test_a_wrong_request_gets_one_line_and_status_2(
    arguments, names, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    status, _, err = footfall("verify", *arguments, capsys=capsys)
    assert status == 2
    assert len(err.splitlines()) == 1
    assert names in err
    assert not (tmp_path / "runs").exists()


def test_ctrl_c_keeps_the_problems_that_are_done(tmp_path, monkeypatch, capsys):
    simulate = runner.run_scenario
    count = []

    def interrupted_later(*arguments, **keywords):
        count.append(1)
        if len(count) > len(FALL.steps):
            signal.raise_signal(signal.SIGINT)
        return simulate(*arguments, **keywords)

    monkeypatch.setattr("footfall.run.run_scenario", interrupted_later)
    out = tmp_path / "out"
    status, printed, err = footfall(
        "verify", "--engines", "moreau", "--out", str(out), capsys=capsys
    )
    assert status == 130
    assert "1 of 1 problems passed" in printed
    assert "footfall: interrupted; 1 of 2 problems did not run." in err
    assert len(json.loads((out / "verification.json").read_text())["cases"]) == 1
