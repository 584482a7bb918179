"""Analyses from the command line: run, interrupted, taken up again, and what cannot be asked."""

import json
import signal
from contextlib import contextmanager

import pytest
from tests.cli.command import done, footfall
from tests.slow import some_slow

from footfall.analysis.context import load_arrays
from footfall.cli import analysing

SCENARIO = "compass/basin"
MACHINES_OWN = "compass/bifurcation"
_PIECES = 4  # of the small analysis: gains
SMALL = (
    "analysis.parameters={points: 5, most_steps: 6, sample: 20}",
    "analysis.over={parameters.gain: !Values {values: [0.0, 0.1, 0.2, 0.3]}}",
)
ALONE = ("--workers", "1")
SMALLER = [*(part for setting in SMALL for part in ("--set", setting)), *ALONE]
WRITTEN = {
    "scenario.yaml",
    "provenance.json",
    "findings.nc",
    "metrics.json",
    "report.html",
    "pieces.jsonl",
}


def start(folder, *more, capsys):
    """Begin the small analysis in a folder."""
    return footfall("run", SCENARIO, *SMALLER, *more, "--out", folder, capsys=capsys)


@pytest.fixture
def ctrl_c(monkeypatch):
    """Give a function that sets after which piece Ctrl-C is pressed, and how often."""

    def arrange(after, times=1):
        @contextmanager
        def pressing(_label):
            told = []

            def tell(what, _share):
                told.append(what)
                if len(told) == after:
                    for _ in range(times):
                        signal.raise_signal(signal.SIGINT)

            yield tell

        monkeypatch.setattr(analysing, "share_line", pressing)

    return arrange


@pytest.fixture(scope="module")
def told_whole(tmp_path_factory):
    """The folder of an analysis that nobody interrupted, and what was said."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    return folder, done("run", SCENARIO, *SMALLER, "--out", folder)


@pytest.fixture(scope="module")
def whole(told_whole):
    """The folder alone."""
    return told_whole[0]


def test_an_analysis_leaves_its_folder(whole):
    assert {path.name for path in whole.iterdir()} == WRITTEN
    metrics = json.loads((whole / "metrics.json").read_text())
    assert metrics["scenario"] == SCENARIO
    assert metrics["engine"] == "hybrid"
    assert metrics["metrics"]["runs"] == _PIECES


@pytest.mark.slow
def test_the_engine_of_an_analysis_that_has_a_choice_is_chosen(tmp_path, capsys):
    shot = "{x: 0.0, y: 1.8, speed: 5.0, target: 0.5}"
    given = ("--set", "analysis.over={}", "--set", "analysis.figures=[]", "--workers", "1")
    given = (*given, "--set", f"analysis.parameters={shot}")
    arguments = ("run", "goalkeeper/saved_shots", *given, "--out")
    status, _, _ = footfall(*arguments, tmp_path / "a", "--engine", "drake", capsys=capsys)
    assert status == 0
    assert json.loads((tmp_path / "a" / "metrics.json").read_text())["engine"] == "drake"
    assert load_arrays(tmp_path / "a" / "findings.nc")["engine"].item() == "drake"
    status, _, err = footfall(*arguments, tmp_path / "b", "--engine", "hybrid", capsys=capsys)
    assert status == 2
    assert "no engine hybrid: choose moreau" in err
    assert not list((tmp_path / "b").glob("findings.nc"))


def test_an_analysis_prints_metrics_and_where_its_report_is(told_whole):
    folder, told = told_whole
    assert "simulations of the grid" in told
    assert f"report: {folder / 'report.html'}" in told.replace("\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("after", some_slow([2, 3], 3))
def test_an_interrupted_analysis_goes_on_to_the_same_findings(
    after, whole, tmp_path, ctrl_c, capsys, monkeypatch
):
    folder = tmp_path / "run"
    with monkeypatch.context():
        ctrl_c(after)
        status, out, err = start(folder, capsys=capsys)
    assert status == 130
    assert "report" not in out
    assert f"go on with footfall run {SCENARIO} --resume {folder}" in err
    assert {path.name for path in folder.iterdir()} == {"scenario.yaml", "pieces.jsonl"}
    done = (folder / "pieces.jsonl").read_bytes()
    monkeypatch.undo()
    status, _, _ = footfall("run", SCENARIO, "--resume", folder, *ALONE, capsys=capsys)
    assert (folder / "pieces.jsonl").read_bytes().startswith(done)  # nothing is done again
    assert status == 0
    assert {path.name for path in folder.iterdir()} == WRITTEN
    assert load_arrays(folder / "findings.nc").identical(load_arrays(whole / "findings.nc"))
    assert (folder / "metrics.json").read_bytes() == (whole / "metrics.json").read_bytes()


@pytest.mark.slow
def test_a_page_that_is_interrupted_may_be_written_later(tmp_path, capsys, monkeypatch):
    def interrupted(_folder):
        raise KeyboardInterrupt

    monkeypatch.setattr("footfall.report.write_analysis_page", interrupted)
    status, _, err = start(tmp_path / "run", capsys=capsys)
    assert status == 130
    assert f"the result is in {tmp_path / 'run'}; its page: footfall report" in err
    assert {path.name for path in (tmp_path / "run").iterdir()} == WRITTEN - {"report.html"}


def test_a_second_ctrl_c_ends_it_at_once(tmp_path, ctrl_c, capsys):
    ctrl_c(2, times=2)
    status, _, err = start(tmp_path / "run", capsys=capsys)
    assert status == 130
    assert "--resume" in err


def test_a_finished_analysis_may_be_resumed(whole, capsys):
    before = {path.name: path.read_bytes() for path in whole.iterdir()}
    status, out, _ = footfall("run", SCENARIO, "--resume", whole, capsys=capsys)
    assert status == 0
    assert "is done already" in out
    assert {path.name: path.read_bytes() for path in whole.iterdir()} == before


def test_report_writes_the_page_of_an_analysis_anew(whole, capsys):
    (whole / "report.html").unlink()
    status, _, _ = footfall("report", whole, capsys=capsys)
    assert status == 0
    assert "share over gain of the hip" in (whole / "report.html").read_text(encoding="utf-8")


def test_report_and_replay_say_what_an_analysis_lacks(whole, tmp_path, ctrl_c, capsys):
    status, _, err = footfall("replay", whole, capsys=capsys)
    assert status == 2
    assert "no motion to replay" in err
    ctrl_c(2)
    start(tmp_path / "run", capsys=capsys)
    status, _, err = footfall("report", tmp_path / "run", capsys=capsys)
    assert status == 2
    assert f"is not finished: go on with footfall run {SCENARIO} --resume" in err


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--engine", "hybrid"),
        ("--set", "seed=1"),
        ("--seed", "1"),
        ("--seed", "0"),
        ("--out", "new"),
        ("--view", ""),
    ],
)
def test_resume_takes_nothing_that_is_in_the_folder(option, value, whole, capsys):
    given = [option, value] if value else [option]
    status, _, err = footfall("run", SCENARIO, "--resume", whole, *given, capsys=capsys)
    assert status == 2
    assert f"leave {option} out" in err


def test_resume_needs_the_folder_of_that_analysis(whole, tmp_path, capsys):
    for name, folder, complaint in (
        (SCENARIO, tmp_path / "none", "there is no run folder"),
        (SCENARIO, tmp_path, "is not a run folder"),
        ("compass/bifurcation", whole, f"is of {SCENARIO}, not of compass/bifurcation"),
    ):
        status, _, err = footfall("run", name, "--resume", folder, capsys=capsys)
        assert status == 2
        assert complaint in err


def test_a_simulation_cannot_be_resumed(dropped, capsys):
    status, _, err = footfall("run", "biped/drop", "--resume", dropped[0], capsys=capsys)
    assert status == 2
    assert "cannot be resumed" in err


def test_a_damaged_ledger_is_told(whole, tmp_path, capsys):
    (tmp_path / "scenario.yaml").write_bytes((whole / "scenario.yaml").read_bytes())
    (tmp_path / "pieces.jsonl").write_text("nonsense\n")
    status, _, err = footfall("run", SCENARIO, "--resume", tmp_path, capsys=capsys)
    assert status == 2
    assert "pieces.jsonl is damaged (line 1)" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("run", MACHINES_OWN, "--engine", "moreau"), "leave --engine out"),
        (("run", SCENARIO, "--view"), "cannot be watched"),
        (("run", SCENARIO, "--set", "analysis.samples=3"), "samples and what to draw together"),
        (("compare", MACHINES_OWN), "which has one engine"),
    ],
)
def test_what_an_analysis_cannot_do_is_told_before_anything_is_written(
    arguments, complaint, tmp_path, capsys
):
    status, _, err = footfall(*arguments, "--out", tmp_path / "run", capsys=capsys)
    assert status == 2
    assert complaint in err
    assert not (tmp_path / "run").exists()


def test_an_analysis_that_cannot_begin_leaves_no_folder(tmp_path, capsys):
    status, _, err = start(tmp_path / "run", "--set", "machine=rimless_wheel", capsys=capsys)
    assert status == 2
    assert "the model is not that machine" in err
    assert not (tmp_path / "run").exists()
