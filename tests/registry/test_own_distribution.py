"""A machine that is a distribution of its own works everywhere as those that ship do."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parent / "example_machine"

# one process: to start footfall takes longer than these runs
COMMANDS = """
from footfall.cli import _status
from footfall.report import figure
def footfall(*arguments):
    print(f"$ {' '.join(arguments)}", flush=True)
    assert _status(list(arguments)) == 0, arguments
footfall("list")
footfall("run", "pendulum/swing", "--engine", "closed-form", "--out", "swing")
footfall("run", "pendulum/amplitudes", "--set", "analysis.amplitudes=2", "--out", "amplitudes")
figure._embedded = lambda *_, **options: "data:,"  # every figure of its own is drawn by now
footfall("run", "pendulum/braked", "--out", "braked")
footfall("compare", "pendulum/swing", "--engines", "moreau,closed-form,drake", "--out", "compared")
footfall("report", "swing")
footfall("report", "amplitudes")
footfall("cite", "pendulum/swing")
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Install the example besides footfall; returns what commands print, and where they ran."""
    place, work = tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("work")
    install = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(place)]
    subprocess.run([sys.executable, "-m", "pip", *install, str(EXAMPLE)], check=True)
    paths = [str(place), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS],
        cwd=work,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    parts = [part.partition("\n") for part in done.stdout.split("$ ")[1:]]
    return {command: text for command, _, text in parts}, work


def saved(folder):
    return json.loads((folder / "metrics.json").read_text())


def test_it_is_listed_and_cited_beside_the_others(told):
    said, _ = told
    assert "pendulum/braked" in said["list"]
    assert "compass/goswami" in said["list"]
    assert "abramowitz1964handbook" in said["cite pendulum/swing"]


def test_its_engine_runs_and_its_claim_is_judged(told):
    _, work = told
    run = saved(work / "swing")
    (claim,) = run["claims"]
    assert claim["verdict"] == "reproduced"
    assert run["metrics"]["period_ratio"] == pytest.approx(1.18034, abs=1e-5)


def test_its_controller_drives_other_engines(told):
    _, work = told
    assert "controller: !Damper" in (work / "braked" / "scenario.yaml").read_text()
    # c = 0.1 N m s/rad on I = 1/3 kg m^2 takes exp(-c t/(2 I)) of a linear swing; the start of
    # the last period of 1.8 s is where it is largest, within 15 % of that: the swing is not linear
    end = saved(work / "braked")["metrics"]
    begin = 4.0 - end["period"]
    expected = math.pi / 2.0 * math.exp(-0.1 * begin / (2.0 / 3.0))
    assert end["amplitude_end"] == pytest.approx(expected, rel=0.15)


def test_engines_are_compared_with_its_own(told):
    _, work = told
    periods = {
        engine: saved(work / "compared" / engine)["metrics"]["period"]
        for engine in ("moreau", "closed-form", "drake")
    }
    assert periods["moreau"] == pytest.approx(periods["closed-form"], rel=2e-3)
    assert periods["drake"] == pytest.approx(periods["closed-form"], rel=2e-3)


def test_its_analysis_runs_and_its_pages_show_its_own_figures(told):
    _, work = told
    assert saved(work / "amplitudes")["metrics"]["period_error"] < 2e-3
    page = (work / "amplitudes" / "report.html").read_text()
    assert "Period over amplitude" in page
    page = (work / "swing" / "report.html").read_text()
    assert "Swing" in page
    assert "Abramowitz" in page
