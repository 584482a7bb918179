"""Sweeps of functions of a robot of one's own: numbers, curves, refusals, what is kept."""

import numpy as np
import pytest
from tests.analysis.legs import write_leg
from tests.cli.command import footfall

import footfall as ff
from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import load_arrays
from footfall.errors import ScenarioError
from footfall.scenario.io import load_scenario, with_settings
from footfall.workers import Workers

# A leg's weight, and how it falls: closed forms, with a place of their own for every load
OWN = """
import numpy as np
import xarray as xr

def weight(case, *, load=0.0):
    plant = case.context.model.plant
    return {"weight": 9.81 * (plant.CalcTotalMass(plant.CreateDefaultContext()) + load)}

def fall(case, *, height, points=3):
    if height < 0.0:
        raise ValueError("below the ground")
    end = (2.0 * height / case.context.gravity) ** 0.5
    time = np.linspace(0.0, end, points)
    z = height - 0.5 * case.context.gravity * time**2
    metre = {"units": "m", "long_name": "height"}
    return xr.Dataset(
        {"z": ("time", z, metre), "end": ((), end, {"units": "s", "long_name": "when it lands"})},
        {"time": time},
    )

def simulated(case):
    rows = list(case.factory.simulation(case.engine).rows(case.context.initial_state))
    return {"count": len(rows), "none": float("nan")}

def nothing(case):
    return 3


def pressed(case):
    import signal
    from footfall.interrupt import hearing_ctrl_c

    with hearing_ctrl_c() as interrupted:  # as a run does
        signal.raise_signal(signal.SIGINT)
        return {"whole": float(not interrupted())}
"""


@pytest.fixture(scope="module")
def leg(tmp_path_factory):
    folder = tmp_path_factory.mktemp("leg")
    (folder / "own.py").write_text(OWN)
    return write_leg(folder)


def swept(leg, function, *settings, checkpoint=None):
    sweep = f"analysis=!Sweep {{function: '{leg.parent}/own.py:{function}'}}"
    scenario = with_settings(load_scenario(str(leg), [sweep]), settings, "leg")
    silent = lambda _what, _share: None  # noqa: E731
    return analyse_scenario(scenario, checkpoint or Checkpoint(), silent, Workers(1)).result


def test_what_ctrl_c_cut_off_in_a_function_is_not_kept(leg, tmp_path):
    sweep = f"analysis=!Sweep {{function: '{leg.parent}/own.py:pressed'}}"
    checkpoint = Checkpoint(tmp_path / "kept")
    done = analyse_scenario(
        load_scenario(str(leg), [sweep]), checkpoint, lambda _what, _share: None, Workers(1)
    )
    assert done.result is None
    assert not (tmp_path / "kept").exists()


def test_a_function_of_the_robot_and_of_parameters_is_swept(leg):
    data = swept(
        leg, "weight", "analysis.over={gravity: !Values {values: [9.81, 2.0]}, "
        "parameters.load: !Values {values: [0.0, 10.0]}}",
        "analysis.variants={light: [], heavy: [parameters.load=100.0, gravity=1.0]}",
    ).data  # fmt: skip
    # 5.5 kg of trunk and foot; an axis says more than a variant
    expected = 9.81 * (5.5 + np.array([0.0, 10.0]))
    for name in ("light", "heavy"):
        one = data["weight"].sel(engine="moreau", variant=name, gravity=9.81)
        assert one.to_numpy() == pytest.approx(expected)
    assert dict(data.sizes) == {"engine": 1, "variant": 2, "gravity": 2, "parameters.load": 2}


def test_curves_are_joined_over_what_they_are_over(leg):
    heights = [-1.0, 1.0, 3.0]
    data = swept(
        leg, "fall", f"analysis.over={{parameters.height: !Values {{values: {heights}}}}}",
        "analysis.success=['end > 0.5']",
    ).data.isel(engine=0)  # fmt: skip
    # three times each, of which they share the first
    assert data["z"].dims == ("parameters.height", "time")
    assert data.sizes["time"] == 5
    assert data["z"].attrs["units"] == data["end"].attrs["units"].replace("s", "m")
    own = data["z"].sel({"parameters.height": 3.0}).dropna("time")
    assert own.to_numpy() == pytest.approx([3.0, 2.25, 0.0], abs=1e-12)
    assert data["success"].to_numpy().tolist() == [0, 0, 1]
    assert "own.py:11: ValueError: below the ground" in data["reason"].to_numpy()[0]
    assert np.isnan(data["z"].to_numpy()[0]).all()


def test_a_function_may_simulate_and_what_is_no_number_is_kept_as_such(leg):
    data = swept(leg, "simulated", "analysis.engines=[moreau, drake]", "duration=0.01").data
    assert data["count"].to_numpy().tolist() == [11.0, 11.0]
    assert np.isnan(data["none"].to_numpy()).all()


def test_what_is_kept_is_taken_up_in_the_same_dataset(leg, tmp_path):
    path, over = tmp_path / "pieces", "analysis.over={parameters.height: !Values {values: [1, 2]}}"
    first = swept(leg, "fall", over, checkpoint=Checkpoint(path)).data
    path.write_text(path.read_text().splitlines(keepends=True)[1])
    assert swept(leg, "fall", over, checkpoint=Checkpoint(path)).data.identical(first)


@pytest.mark.parametrize(
    ("function", "settings", "says"),
    [
        ("wait", (), "did you mean 'weight'"),
        ("fall", (), "fall needs parameters.height"),
        ("weight", ("analysis.parameters={lode: 1.0}",), "did you mean 'load'"),
        ("nothing", (), "return numbers by name"),
        ("np", (), "is no function: write def f"),
        ("weight", ("analysis.series=[q.lift]",), "no time series"),
    ],
)
def test_what_is_no_function_of_a_case_is_one_line(leg, function, settings, says):
    with pytest.raises(ScenarioError, match=says) as refused:
        swept(leg, function, *settings)
    assert "\n" not in str(refused.value)


def twice(case, *, load, factor=1.0):
    return {"twice": 2.0 * factor * load * case.context.gravity}


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_python_sweeps_a_function_by_itself(leg, workers):
    data = ff.sweep(
        leg,
        {"parameters.load": [1.0, 3.0], "gravity": [0.0, 2.0]},
        function=twice,
        parameters={"factor": 5.0},
        workers=workers,
    )
    np.testing.assert_array_equal(data["twice"], [[0.0, 20.0], [0.0, 60.0]])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"function": twice}, "needs parameters.load"),
        ({"function": 3}, "function is of type int"),
        ({"function": twice, "series": ["q.lift"]}, "no time series"),
        ({"parameters": {"load": 1.0}}, "name it as well"),
    ],
)
def test_what_python_cannot_sweep_is_one_line(leg, given, says):
    with pytest.raises(ScenarioError, match=says) as refused:
        ff.sweep(leg, {"gravity": [0.0, 2.0]}, **given)
    assert "\n" not in str(refused.value)


def test_python_lets_no_function_pass_over_code_or_objects(leg):
    with pytest.raises(ScenarioError, match="holds no object of this program"):
        ff.sweep(leg, {"parameters.load": [1.0]}, function=twice, controller=lambda _plant: None)
    own = {"observables": {"h": f"{leg.parent}/leg.py:trunk_height"}}
    with pytest.raises(ScenarioError, match="takes no notice of observables"):
        ff.sweep("ugv/static_angles", {"gravity": [9.81]}, function="balance", **own)


def test_a_function_that_no_machine_has_is_one_line(leg):
    own = load_scenario(
        str(leg), ["analysis=!Sweep {function: wait}", "controller=null", "observables={}"]
    )
    shipped = load_scenario("ugv/static_angles", ["analysis.function=balanse"])
    for scenario, says in ((own, "is 'wait': write file.py:function"), (shipped, "'balance'")):
        with pytest.raises(ScenarioError, match=says) as refused:
            analyse_scenario(scenario, Checkpoint(), lambda _what, _share: None, Workers(1))
        assert "\n" not in str(refused.value)


def test_the_command_keeps_the_function_its_code_and_draws_its_curves(leg, tmp_path, capsys):
    out = tmp_path / "out"
    sweep = f"analysis=!Sweep {{function: '{leg.parent}/own.py:fall', parameters: {{points: 9}}}}"
    status, _, err = footfall(
        "sweep", leg, "--set", sweep, "--over", "parameters.height=1:2:3", "--workers", "1",
        "--out", out, capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    assert (out / "code" / "own.py").is_file()
    assert f"{'code'}/own.py:fall" in (out / "scenario.yaml").read_text()
    assert load_arrays(out / "findings.nc").sizes["time"] == 25
    page = (out / "report.html").read_text()
    for words in ("z over time", "end over parameters.height", "Every run"):
        assert words in page
