"""Sweeps of a robot that nobody has seen: its dataset, failures, searches, and taking up again."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.analysis.legs import write_leg
from tests.cli.command import footfall

from footfall.analyse import analyse_scenario
from footfall.analysis.axes import Axis
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import load_arrays
from footfall.analysis.sweep import SweepWork
from footfall.errors import RunError, ScenarioError
from footfall.run_folder import RunFolder
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario
from footfall.workers import Workers

SHORT = [
    *("duration=0.4", "time_step=0.005", "initial.positions.lift=0.6"),
    "analysis.success=[trunk_height_min > 0.4]",
]
HERE = Workers(1)
DAMPING = "controller.parameters.d"


@pytest.fixture(scope="module")
def leg(tmp_path_factory):
    return str(write_leg(tmp_path_factory.mktemp("leg")))


def swept(leg, *settings, checkpoint=None):
    scenario = load_scenario(leg, [*SHORT, *settings])
    silent = lambda _what, _share: None  # noqa: E731
    return analyse_scenario(scenario, checkpoint or Checkpoint(), silent, HERE).result


@pytest.fixture(scope="module")
def data(leg):
    return swept(leg).data


@pytest.mark.slow
def test_the_dataset_has_an_axis_for_each_value_and_the_engine(data):
    sizes = {"engine": 1, DAMPING: 2, "controller.parameters.k": 5, "time": 201}
    assert dict(data.sizes) == sizes
    height = data["trunk_height_min"]
    assert height.attrs["units"] == "m"
    assert data["series_trunk_height"].attrs["units"] == "m"
    assert data["series_trunk_height"].min("time").to_numpy() == pytest.approx(
        # the least of 201 samples of 81 steps, between which it is straight
        height.to_numpy(), abs=1e-3,
    )  # fmt: skip
    # more force at every length and rate keeps the trunk higher
    assert (height.diff("controller.parameters.k") > 0).all()
    assert (height.diff(DAMPING) > 0).all()
    assert data["trunk_height_max"].to_numpy() == pytest.approx(0.6)


@pytest.mark.slow
def test_an_axis_has_the_label_and_the_unit_that_it_is_given(data):
    assert data[DAMPING].attrs["label"] == "damping"
    assert data[DAMPING].attrs["units"] == "N s/m"


def test_success_is_what_the_condition_says(data):
    assert np.array_equal(data["success"], data["trunk_height_min"] > 0.4)
    unmet = data["reason"].to_numpy()[data["success"].to_numpy() == 0]
    assert unmet.size
    assert all("trunk_height_min is 0." in reason for reason in unmet)


def test_the_border_of_success_is_where_the_trunk_just_stays_up(leg, data):
    border = float(data["border_controller.parameters.k"].sel(engine="moreau")[0])
    error = float(data["border_controller.parameters.k_error"].sel(engine="moreau")[0])
    for stiffness, above in ((border - 2.0 * error, False), (border + 2.0 * error, True)):
        one = swept(
            leg, f"controller.parameters.k={stiffness}", f"{DAMPING}=20.0",
            "analysis.over={duration: !Values {values: [0.4]}}", "analysis.borders=[]",
        ).data  # fmt: skip
        assert bool(one["success"].item()) is above


def test_a_run_that_fails_is_kept_and_costs_the_others_nothing(leg):
    over = "{duration: !Values {values: [0.4, 0.01]}, time_step: !Values {values: [0.005, 0.02]}}"
    data = swept(
        leg, "analysis.borders=[]", "analysis.success=[]", "fallen_below={trunk: 0.35}",
        f"analysis.over={over}", "controller.parameters.k=100.0",
    ).data  # fmt: skip
    assert data["status"].to_numpy().ravel().tolist() == ["failed", "failed", "done", "refused"]
    assert data["success"].to_numpy().ravel().tolist() == [0, 0, 1, 0]
    assert "trunk" in data["reason"].to_numpy()[0, 0, 0]
    assert "time_step" in data["reason"].to_numpy()[0, 1, 1]
    assert math.isnan(data["trunk_height_min"][0, 1, 1])


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (["analysis.over={nowhere: !Values {values: [1.0]}}"], "has no 'nowhere'"),
        (["analysis.over={friction: !Values {values: [1.0, -1.0]}}"], "friction is -1.0"),
        (["analysis.over={friction: !Values {values: []}}"], "friction has no values"),
        (["analysis.measures=[trunk_heigt]"], "no metric 'trunk_heigt'"),
        (["analysis.borders=[{over: frictio}]"], "no axis of numbers 'frictio'"),
        (["analysis.optima=[{measure: slip, over: nothing}]"], "no axis of numbers 'nothing'"),
        (["analysis.optima=[{measure: nil, over: controller.parameters.k}]"], "no metric 'nil'"),
        (["analysis.over={mass_scale: !Values {values: [1]}}"], "mass_scale"),
    ],
)
def test_a_bad_request_is_one_line(leg, settings, says):
    with pytest.raises(ScenarioError, match=says) as refused:
        swept(leg, "duration=0.01", "time_step=0.01", *settings)
    assert "\n" not in str(refused.value)


def test_more_runs_than_a_number_can_count_are_refused_before_they_are_listed():
    axes = [Axis(str(k), tuple(range(65_536)), ()) for k in range(4)]  # 2^64 runs
    sweep = SimpleNamespace(engines=["moreau"], success=[])
    with pytest.raises(ScenarioError, match="18446744073709551616 runs are too many"):
        SweepWork(sweep, axes, 1.0, SimpleNamespace(engine="moreau", runner=len))


def test_a_series_that_there_is_not_ends_it_in_one_line(leg):
    with pytest.raises(RunError, match="did you mean 'trunk_height'"):
        swept(leg, "duration=0.01", "time_step=0.01", "analysis.series=[trunk_heigt]")


def test_where_all_runs_are_refused_the_reason_is_told(leg):
    with pytest.raises(ScenarioError, match="hybrid"):
        swept(leg, "analysis.engines=[hybrid]")


@pytest.mark.slow
def test_an_optimum_is_found_among_simulations(leg):
    data = swept(
        leg, "analysis.borders=[]", "analysis.series=[]",
        f"analysis.over={{{DAMPING}: !Range {{begin: 0.0, end: 400.0, count: 4}}}}",
        "analysis.measures=[final_speed]",
        f"analysis.optima=[{{measure: final_speed, over: {DAMPING}, sense: min, tolerance: 0.1}}]",
    ).data  # fmt: skip
    least = data[f"best_final_speed_over_{DAMPING}"].item()
    place = data[f"best_{DAMPING}_of_final_speed"].item()
    assert least <= float(data["final_speed"].min())
    assert 0.0 < place < 400.0


@pytest.mark.slow
def test_samples_variants_seeds_and_engines_are_axes(leg):
    data = swept(
        leg, "duration=0.01", "time_step=0.01", "analysis.borders=[]", "analysis.over={}",
        f"analysis.draw={{{DAMPING}: !Uniform {{min: 1.0, max: 2.0}}}}", "analysis.samples=3",
        "analysis.variants={high: [initial.positions.lift=0.9], low: []}", "analysis.seeds=2",
        "analysis.engines=[moreau, drake]",
    ).data  # fmt: skip
    assert dict(data.sizes) == {"engine": 2, "variant": 2, "sample": 3, "seed": 2, "time": 201}
    assert sorted(data[DAMPING].to_numpy().astype(int)) == [1, 1, 1]
    heights = data["trunk_height_max"].sel(variant=["high", "low"])
    assert heights.isel(engine=0, sample=0, seed=0).to_numpy() == pytest.approx([0.9, 0.6])


def test_a_sweep_survives_its_file(leg):
    scenario = load_scenario(leg, SHORT)
    again = parse_scenario(dump_scenario(scenario))
    assert again.analysis == scenario.analysis


@pytest.mark.slow
def test_what_is_kept_of_a_part_is_taken_up_in_the_same_dataset(leg, data, tmp_path):
    path = tmp_path / "pieces"
    swept(leg, checkpoint=Checkpoint(path))
    lines = path.read_text().splitlines(keepends=True)
    # killed in the middle of writing the fourth result
    path.write_text("".join(lines[:3]) + lines[3][:50])
    again = swept(leg, checkpoint=Checkpoint(path)).data
    assert again.identical(data)
    assert sorted(path.read_text().splitlines()) == sorted(line.strip() for line in lines)


@pytest.mark.usefixtures("blank")
def test_the_command_writes_a_folder_and_a_page(leg, tmp_path, capsys):
    asked = ("sweep", leg, "--workers", "1", "--set", "duration=0.02", "--set", "time_step=0.01")
    out = tmp_path / "out"
    status, _, err = footfall(
        *asked, "--over", f"{DAMPING}=1,2", "--variant", "a:", "--success", "rest_time > 9",
        "--measures", "trunk_height_max", "--seeds", "2", "--out", out, capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    data = load_arrays(out / "findings.nc")
    assert dict(data.sizes) == {"engine": 1, "variant": 1, DAMPING: 2, "seed": 2}
    assert set(json.loads(data.attrs["provenance"])) >= {"versions", "seed", "code"}
    page = (out / "report.html").read_text()
    assert "Runs that did not succeed" in page
    assert "no rest_time, wanted &gt; 9" in page
    assert (out / "code" / "leg.py").is_file()
    for wrong, says in (
        (("--over", "friction=1:2"), "write it as"),
        (("--over", "friction=1,2", "--over", "friction=3,4"), "a path twice"),
        (("--draw", "friction=3", "--samples", "2"), "give one of"),
        (("--resume", out, "--seeds", "2", "--best", "max:a:b"), "leave --seeds, --best out"),
    ):
        status, _, err = footfall(*asked[:4], *wrong, capsys=capsys)
        assert (status, err.count("\n")) == (2, 1)
        assert says in err


@pytest.mark.usefixtures("blank")
def test_a_disk_that_is_full_when_all_is_done_leaves_a_sweep_to_be_resumed(
    leg, tmp_path, capsys, monkeypatch
):
    def full(_folder, _metrics):
        raise RunError("cannot write metrics.json: No space left on device")

    out, asked = tmp_path / "out", ("--set", "duration=0.02", "--set", "time_step=0.01")
    with monkeypatch.context() as one:
        one.setattr(RunFolder, "write_metrics", full)
        over = ("--over", f"{DAMPING}=1,2", "--workers", "1", "--out", out)
        status, _, err = footfall("sweep", leg, *asked, *over, capsys=capsys)
    assert (status, "No space left" in err) == (2, True)
    kept = (out / "pieces.jsonl").read_bytes()
    status, _, err = footfall("sweep", leg, "--resume", out, "--workers", "1", capsys=capsys)
    assert status == 0, err
    assert (out / "pieces.jsonl").read_bytes() == kept
    status, told, _ = footfall("sweep", leg, "--resume", out, capsys=capsys)
    assert (status, "is done already" in told) == (0, True)


def test_a_scenario_without_anything_to_vary_is_told(capsys):
    status, _, err = footfall("sweep", "biped/climb", capsys=capsys)
    assert status == 2
    assert "say what varies" in err


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_what_was_done_is_taken_up(leg, data, tmp_path, monkeypatch):
    path, plain, opened = tmp_path / "pieces", Path.open, []

    class Full:
        """A file whose disk is full after half a line."""

        def __init__(self, file):
            self._file = file

        def __enter__(self):
            return self

        def __exit__(self, *_fault):
            self._file.close()

        def write(self, line):
            self._file.write(line[: len(line) // 2])
            raise OSError(28, "No space left on device")

    def filling(own, mode="r", **named):
        if mode != "a":
            return plain(own, mode, **named)
        opened.append(own)
        file = plain(own, mode, **named)
        return Full(file) if len(opened) == 5 else file

    monkeypatch.setattr(Path, "open", filling)
    with pytest.raises(RunError, match="No space left on device; choose another folder") as told:
        swept(leg, checkpoint=Checkpoint(path))
    assert "\n" not in str(told.value)
    monkeypatch.undo()
    done = len(path.read_text().splitlines())
    assert done == 5  # the last of them a half
    assert swept(leg, checkpoint=Checkpoint(path)).data.identical(data)
