"""Optimisation of values: of functions whose best is known, and of a robot nobody has seen."""

import math
import re

import numpy as np
import pytest
from tests.analysis.legs import write_leg
from tests.cli.command import footfall

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext, Interrupted, load_arrays
from footfall.analysis.distributions import LogUniform, Uniform
from footfall.analysis.optimisation import Optimisation
from footfall.analysis.runs import FAILED, Outcome
from footfall.errors import RunError, ScenarioError
from footfall.workers import Workers

OVER = {"a": Uniform(min=-1.0, max=3.0), "b": LogUniform(min=1e-2, max=1e2)}


class Known:
    """A run whose measure is largest at a = 1 and b = 10; it fails beyond a = 2."""

    def __init__(self):
        self.asked = 0

    def check(self, point):
        if point.change.values.get("a", 0.0) > 5.0:
            raise ScenarioError("a is too large")

    def __call__(self, point):
        self.asked += 1
        values = {"a": 0.0, "b": 1.0, "seed": 0, **point.change.values}
        if values["a"] > 2.0:
            return Outcome(FAILED, "it falls").to_dict()
        off = (values["a"] - 1.0) ** 2 + math.log10(values["b"] / 10.0) ** 2
        return Outcome("done", "", {"height": 3.0 - off + 0.1 * values["seed"]}).to_dict()


class Context:
    seed = 5


def searched(runner=None, checkpoint=None, stopped=lambda: False, **options):
    given = {"over": OVER, "measure": "height", "runs": 300} | options
    analysis = AnalysisContext(
        checkpoint or Checkpoint(), stopped=stopped, runner=runner or Known(), workers=Workers(1)
    )
    return Optimisation(**given).run(Context, analysis)


def test_the_best_is_found_and_is_a_scenario():
    result = searched()
    best = dict(text.split("=") for text in result.scenarios["best"])
    # the measure is flat there: 1e-6 of it is 1e-3 of a value
    assert float(best["a"]) == pytest.approx(1.0, abs=1e-2)
    assert math.log10(float(best["b"])) == pytest.approx(1.0, abs=1e-2)
    assert result.metrics["best"] == pytest.approx(3.0, abs=1e-3)
    assert result.metrics["own"] == pytest.approx(1.0)
    data = result.data
    assert (np.diff(data["best_so_far"]) >= 0.0).all()
    assert ((data["a"] > 2.0) == (data["success"] == 0)).all()
    assert set(data["reason"].to_numpy()) == {"", "failed: it falls"}
    assert data["generation"].to_numpy()[-1] > 5


def test_the_least_is_found_under_a_condition():
    result = searched(sense="min", success=["height > 1.5"])
    # on the circle of the height 1.5
    assert result.metrics["best"] == pytest.approx(1.5, abs=0.05)


def test_a_mean_over_seeds_is_searched():
    result = searched(runs=20, seeds=3)
    assert result.metrics["own"] == pytest.approx(1.0 + 0.1)


def test_it_follows_from_its_seed_and_is_taken_up_where_it_was(tmp_path):
    whole = searched(runs=40).data
    path, count = tmp_path / "pieces", iter(range(1000))
    with pytest.raises(Interrupted):
        searched(runs=40, checkpoint=Checkpoint(path), stopped=lambda: next(count) > 25)
    done, again = len(path.read_text().splitlines()), Known()
    result = searched(again, Checkpoint(path), runs=40)
    assert result.data.identical(whole)
    assert 0 < again.asked == len(path.read_text().splitlines()) - done


@pytest.mark.parametrize(
    ("options", "fault", "says"),
    [
        ({"over": {"a": OVER["a"]}}, ScenarioError, "search along it by a sweep"),
        ({"over": {}}, ScenarioError, "name values in over"),
        ({"over": {"a": Uniform(1.0, 1.0), "b": OVER["b"]}}, ScenarioError, "a has no range"),
        ({"over": {"a": Uniform(1.0, 9.0), "b": OVER["b"]}}, ScenarioError, "too large"),
        ({"sense": "most"}, ScenarioError, "choose max or min"),
        ({"runs": 0}, ScenarioError, "runs is 0"),
        ({"measure": "depth", "runs": 6}, RunError, "no run has depth"),
    ],
)
def test_what_cannot_be_searched_is_told_in_one_line(options, fault, says):
    with pytest.raises(fault, match=says) as refused:
        searched(**options)
    assert "\n" not in str(refused.value)


@pytest.mark.usefixtures("blank")
def test_the_command_keeps_the_best_as_a_scenario(tmp_path, capsys):
    leg, out = write_leg(tmp_path), tmp_path / "out"
    short = ("duration=0.02", "time_step=0.01", "analysis=null")
    settings = [part for one in short for part in ("--set", one)]
    status, told, err = footfall(
        "optimise", leg, *settings, "--over", "controller.parameters.k=100:1000:log",
        "--over", "controller.parameters.length=0.4:0.6", "--best", "max:trunk_height_max",
        "--runs", "6", "--workers", "1", "--out", out, capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    assert "found: footfall run" in told
    data = load_arrays(out / "findings.nc")
    assert data.sizes["run"] >= 6
    (run,) = re.findall(r"The largest trunk_height_max, of run (\d+)", told)
    best = data.isel(run=int(run))
    assert float(best["trunk_height_max"]) == float(data["trunk_height_max"].max())
    lines = {cells[0]: cells for cells in map(str.split, told.splitlines()) if cells}
    for name in ("controller.parameters.k", "controller.parameters.length"):
        assert float(lines[name][1]) == pytest.approx(float(best[name]), rel=1e-5)
    assert f"{float(best['trunk_height_max']):.6g}" in told.split("metric")[0]  # before the rest
    assert "How the search went" in (out / "report.html").read_text()
    status, _, err = footfall(
        "run", out / "found_best.yaml", "--no-report", "--out", tmp_path / "best", capsys=capsys
    )
    assert status == 0, err
    for wrong in (("--over", "a=1"), ("--over", "a=1:2"), ("--best", "max:x")):
        status, _, err = footfall("optimise", leg, "--set", "analysis=null", *wrong, capsys=capsys)
        assert (status, err.count("\n")) == (2, 1)
