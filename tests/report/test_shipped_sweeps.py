"""Every sweep that ships has its page, with all figures that it asks for."""

import pytest
from tests.slow import some_slow

from footfall.analyse import analyse_scenario
from footfall.analysis.axes import Values
from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.sweep import Sweep
from footfall.report.sweep.contents import sweep_contents
from footfall.scenario.io import load_scenario
from footfall.scenario.names import scenario_names

# these only evaluate formulas
QUICK = {"ugv/static_angles", "ugv/steep_map", "ugv/torque_map"}


def _sweeps():
    scenarios = {name: load_scenario(name) for name in scenario_names()}
    return [name for name, one in scenarios.items() if isinstance(one.analysis, Sweep)]


SWEEPS = _sweeps()


@pytest.mark.parametrize("name", some_slow(SWEEPS, *(set(SWEEPS) - QUICK)))
def test_it_has_its_figures_with_two_places_an_axis(name):
    scenario = load_scenario(name)
    sweep = scenario.analysis
    for path, values in sweep.over.items():
        labels = values.axis(path).labels
        sweep.over[path] = Values([labels[0], labels[-1]])
    sweep.samples, sweep.seeds = min(sweep.samples, 4), min(sweep.seeds, 2)
    found = analyse_scenario(scenario, Checkpoint(), lambda *_: None).result
    contents = sweep_contents(found.data, found.metrics)
    assert len(contents.figures) >= len(sweep.figures)
    for figure in contents.figures:
        assert figure.chart is not None or figure.source.startswith("data:image/")
