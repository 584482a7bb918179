"""Steps side by side: one column a run, out of what the run tells of its feet."""

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.feet.gait import steps_of
from footfall.report.foot_figures import step_figures, step_tables
from footfall.report.run_view import views_of
from footfall.report.section import Section
from footfall.scenario.io import load_scenario

NAME, SHORT = "scenes/trot", ("duration=1.6",)
ENGINES = ("moreau", "drake-lagged")


@pytest.fixture(scope="module")
def section():
    runs = {engine: run(NAME, engine, *SHORT) for engine in ENGINES}
    return Section(NAME, load_scenario(NAME, SHORT), runs)


@pytest.mark.slow
def test_every_touch_down_has_its_mark(section, plotted):
    (figure,) = step_figures(views_of(section))
    assert "moreau and drake-lagged" in figure.alt
    (canvas,) = plotted
    for panel in canvas.axes[:2]:
        marks = sum(len(line.get_xdata()) for line in panel.lines)
        assert marks == sum(len(steps_of(section.runs[e].trajectory.data)) for e in ENGINES) > 8


@pytest.mark.slow
def test_the_table_has_a_column_for_each_run(section):
    (table,) = step_tables(views_of(section))
    assert table.headings == ("", *ENGINES)
    rows = {name: values for name, *values in table.rows}
    steps = {name: steps_of(section.runs[name].trajectory.data) for name in ENGINES}
    assert rows["touch-downs"] == [str(len(steps[name])) for name in ENGINES]
    told = [float(text) for text in rows["impulse of a touch-down, mean [N s]"]]
    assert told == pytest.approx([steps[name].impulse.mean() for name in ENGINES], rel=5e-3)
    torques = [max(section.runs[name].metrics["peak_effort"].values()) for name in ENGINES]
    most = [float(text) for text in rows["torque or force of a joint, largest [N m or N]"]]
    assert most == pytest.approx(torques, rel=5e-3)
    assert np.isfinite(torques).all()


@pytest.mark.slow
def test_one_run_needs_no_table_and_one_that_stands_no_figure(section):
    one = Section(NAME, section.scenario, {"moreau": section.runs["moreau"]})
    assert step_tables(views_of(one)) == []
    short = ("duration=0.05",)
    stands = {"moreau": run(NAME, "moreau", *short)}
    assert step_figures(views_of(Section(NAME, load_scenario(NAME, short), stands))) == []
