"""Every sweep that ships has its page, with all figures that it asks for."""

import re

import pytest

from footfall.analyse import analyse_scenario
from footfall.analysis.axes import Values
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.sweep import Sweep
from footfall.report.sweep.contents import sweep_contents
from footfall.scenario.io import load_scenario
from footfall.scenario.names import find_scenario, scenario_names
from footfall.workers import Workers

# these only evaluate formulas
QUICK = {"ugv/static_angles", "ugv/steep_map", "ugv/torque_map"}
STEPS = 20  # of those that simulate, whose numbers then say nothing, but are there


def _is_sweep(name):
    file, _ = find_scenario(name)
    if "!Sweep" not in file.read_text(encoding="utf-8"):  # to load all would take seconds
        return False
    return isinstance(load_scenario(name).analysis, Sweep)


SWEEPS = [name for name in scenario_names() if _is_sweep(name)]


def _marks(name):
    if name in QUICK:
        return ()
    return pytest.mark.slow


@pytest.mark.parametrize("name", SWEEPS)
def test_a_sweep_that_is_a_figure_of_its_document_says_so_on_its_page(name):
    scenario = load_scenario(name)
    number = re.match(r"Figure \d+", scenario.description)
    named = [one.figure for one in scenario.analysis.figures if one.figure]
    assert named == ([number[0]] if number else [])


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in SWEEPS])
def test_it_has_its_figures_with_two_places_an_axis(name):
    scenario = load_scenario(name)
    sweep = scenario.analysis
    for path, values in sweep.over.items():
        labels = values.axis(path).labels
        sweep.over[path] = Values([labels[0], labels[-1]])
    sweep.samples, sweep.seeds = min(sweep.samples, 4), min(sweep.seeds, 2)
    if not sweep.function:
        scenario.duration = STEPS * scenario.time_step
    found = analyse_scenario(scenario, Checkpoint(), lambda *_: None, Workers(1)).result
    contents = sweep_contents(found.data, found.metrics)
    assert len(contents.figures) >= len(sweep.figures)
    for figure in contents.figures:
        assert figure.chart is not None or figure.source.startswith("data:image/")
