"""Analyses of scenarios: what they find, how they are interrupted, and which are refused."""

import signal

import pytest

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.sweep import Sweep
from footfall.errors import ModelError, RunError, ScenarioError
from footfall.machines.compass.analyses.bifurcation import Bifurcation
from footfall.machines.ugv.optimum.analysis import LegAngles
from footfall.run import run_scenario
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario
from footfall.workers import Workers

OWN_KIND = "compass/bifurcation"  # an analysis of its machine alone
TINY = (
    "analysis.over={parameters.gain: !Values {values: [0.0, 0.1]}}",
    "analysis.parameters={points: 3, most_steps: 20, sample: 5}",
)


def basin(*settings):
    return load_scenario("compass/basin", [*TINY, *settings])


def analysed(scenario, checkpoint, tell):
    return analyse_scenario(scenario, checkpoint, tell, Workers(1))


def silent(_what, _share):
    """Hear of progress and say nothing."""


def test_an_analysis_finds_and_tells_how_far_it_is():
    heard = []
    done = analysed(basin(), Checkpoint(), lambda what, share: heard.append((what, share)))
    assert done.wall_time > 0.0
    assert set(done.result.metrics) == set(Sweep().metrics())
    shares = [share for _, share in heard]
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] <= shares[-1] <= 1.0
    assert all(what for what, _ in heard)


def test_ctrl_c_between_two_pieces_ends_it_and_the_next_call_goes_on(tmp_path):
    path = tmp_path / "pieces.jsonl"

    def press(what, _share):
        if what.startswith("1 of"):
            signal.raise_signal(signal.SIGINT)

    whole = analysed(basin(), Checkpoint(), silent).result
    first = analysed(basin(), Checkpoint(path), press)
    assert first.result is None
    assert first.wall_time > 0.0
    assert path.read_text().count("\n") == 1
    seen = []
    again = analysed(basin(), Checkpoint(path), lambda what, _: seen.append(what))
    assert again.result.data.identical(whole.data)
    assert again.result.metrics == whole.metrics


def test_an_engine_does_not_simulate_what_asks_for_an_analysis():
    for engine in ("moreau", "hybrid", "drake"):
        with pytest.raises(ScenarioError, match=r"asks for an analysis.*analysis=null") as refused:
            run_scenario(basin(), "compass/basin", engine)
        assert "\n" not in str(refused.value)
    scenario = load_scenario("compass/basin", ["analysis=null", "duration=0.02"])
    assert run_scenario(scenario, "compass/basin").trajectory.status.value == "done"


@pytest.mark.parametrize(
    ("name", "settings", "match"),
    [
        ("compass/goswami", (), "asks for no analysis"),
        (
            "compass/bifurcation",
            ("machine=''", "initial.on_gait=false"),
            "set machine and analysis",
        ),
        ("compass/bifurcation", ("machine=biped", "initial.on_gait=false"), "not that machine"),
        ("compass/bifurcation", ("machine=biped",), "periodic gait"),
    ],
)
def test_requests_without_a_machine_or_an_analysis_are_refused(name, settings, match):
    with pytest.raises((ScenarioError, ModelError), match=match) as refused:
        analyse_scenario(load_scenario(name, settings), Checkpoint(), silent)
    assert "\n" not in str(refused.value)


OWN = """
from pydrake.systems.framework import LeafSystem
class Idle(LeafSystem):
    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort(
            "actuation", plant.num_actuators(), lambda context, output: None)
def height(plant, context):
    return 0.0
"""


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ("controller=!Python {{file: {file}, name: Idle}}", "controller: !Python"),
        ('observables={{"height": "{file}:height"}}', "observables"),
    ],
)
@pytest.mark.parametrize("name", [OWN_KIND, "ugv/static_angles"])
def test_code_that_an_analysis_would_pass_over_is_refused(tmp_path, name, field, says):
    file = tmp_path / "own.py"
    file.write_text(OWN)
    scenario = load_scenario(name, [field.format(file=file)])
    kind = type(scenario.analysis).__name__
    with pytest.raises(ScenarioError, match=f"!{kind} takes no notice of {says}") as refused:
        analyse_scenario(scenario, Checkpoint(), silent)
    assert "\n" not in str(refused.value)


def test_a_walker_without_a_gait_is_told():
    settings = ("terrain.slope_deg=3.0", "initial.on_gait=false")
    scenario = load_scenario(OWN_KIND, settings)
    with pytest.raises(RunError, match="no periodic gait"):
        analyse_scenario(scenario, Checkpoint(), silent)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("!Bifurcation {walker: simplest}", Bifurcation),
        ("!LegAngles {angles: 33}", LegAngles),
        ("!Sweep {seeds: 2, parameters: {}}", Sweep),
    ],
)
def test_an_analysis_is_chosen_by_its_tag_and_survives_being_written_out(text, kind):
    scenario = parse_scenario(f"analysis: {text}")
    assert isinstance(scenario.analysis, kind)
    again = parse_scenario(dump_scenario(scenario))
    assert again.analysis == scenario.analysis
    assert parse_scenario("analysis: null").analysis is None


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("!LegAngle {}", "LegAngle"),
        ("!Basin {}", "compass/basin is a !Sweep"),
        ("!LegAngles {angle: 9}", "angle"),
        ("!LegAngles {angles: 1}", "give 2 to"),
        ("!Bifurcation {walker: rimless}", "choose one of"),
        ("!Sweep {seeds: -1}", "seeds is -1"),
        ("!Sweep {parameters: {x: 1.0}}", "of a function"),
        ("!Sweep {function: shot, series: [q.x]}", "no time series"),
    ],
)
def test_analyses_that_are_none_are_refused_in_one_line(text, match):
    with pytest.raises(ScenarioError, match=match) as refused:
        parse_scenario(f"analysis: {text}")
    assert "\n" not in str(refused.value)
