"""Figures as data: what is drawn of quantities of runs, what legends tell, and where axes end."""

from dataclasses import replace

import numpy as np
import pytest
from tests.engines.tiny import POINT, simulate, tiny

from footfall.errors import RunError, ScenarioError
from footfall.report import Section, write_reports
from footfall.report.bands import Phase, mark_bands, marking, phase_bands
from footfall.report.charts.panel import TIME, Chart
from footfall.report.curves import Curve, Level, Line, Over, Plot, Uprights, Zone, curves
from footfall.report.figures import scenario_figures
from footfall.report.run_view import views_of
from footfall.scenario.page_panel import PagePanel
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A point that falls, in two engines."""
    scenario = tiny(tmp_path_factory.mktemp("runs"), POINT, welded="slope", duration=0.1)
    own = {engine: simulate(scenario, engine) for engine in ("moreau", "drake")}
    return views_of(Section("point", scenario, own))


def _lines(panel):
    return [mark for mark in panel.marks if mark.kind == "line" and not any(mark.shares)]


def test_every_run_has_its_line_of_a_series_by_name(runs):
    figure = curves(runs, "Fall", [Plot("z [m]", [Curve("q.z")])])
    (panel,) = figure.chart.shown
    for mark, run in zip(_lines(panel), runs.runs, strict=True):
        assert mark.label == run.name
        np.testing.assert_array_equal(mark.x, run.data["time"])
        np.testing.assert_array_equal(mark.y, run.data["q"].sel(position="z"))
    assert [entry.label for entry in figure.chart.legend] == ["moreau", "drake"]
    assert panel.axes["x"].label == TIME
    assert figure.alt == "Fall: z [m] over time, for moreau and drake."


def test_runs_without_a_series_have_no_line_and_none_at_all_is_an_error(runs):
    first, other = runs.runs
    measured = other.data.assign(observable_height=("time", other.time, {"units": "m"}))
    taller = replace(other, trajectory=replace(other.trajectory, data=measured))
    both = replace(runs, runs=(first, taller))
    figure = curves(both, "Height", [Plot("height [m]", [Curve("observable_height")])])
    assert [mark.label for mark in _lines(figure.chart.shown[0])] == [other.name]
    with pytest.raises(RunError, match="no series"):
        curves(runs, "Height", [Plot("height [m]", [Curve("observable_height")])])


def test_colours_tell_quantities_and_dashes_runs(runs):
    parts = [Curve("q.x", "across", "#0072B2"), Curve("q.z", "up", "#D55E00"), Level(0.0, "ground")]
    figure = curves(runs, "Place", [Plot("place [m]", parts)])
    legend = {entry.label: entry.style for entry in figure.chart.legend}
    assert list(legend) == ["across", "up", "moreau", "drake", "ground"]
    assert legend["up"]["stroke"] == "#d55e00"
    drawn = {mark.label: mark.style for mark in _lines(figure.chart.shown[0])}
    assert set(drawn) == {f"{of}, {run}" for of in ("across", "up") for run in runs.names}
    for run in runs.names:  # a run has its dashes in every colour, and in the legend
        looks = [drawn[f"across, {run}"], drawn[f"up, {run}"], legend[run]]
        assert len({str(look.get("dashes")) for look in looks}) == 1


def test_a_figure_may_be_over_anything(runs):
    over = Over("fallen [m]", lambda run: -run.series("q.z").values)
    figure = curves(runs, "Speed", [Plot("speed [m/s]", [Curve("v.z")])], over=over)
    (panel,) = figure.chart.shown
    np.testing.assert_array_equal(_lines(panel)[0].x, -runs.first.data["q"].sel(position="z"))
    assert panel.axes["x"].label == "fallen [m]"
    own = Plot("v [m/s]", [Curve(lambda run: (run.time[:3], run.time[:3]))], across="w [m/s]")
    (panel,) = curves(runs, "Plane", [own]).chart.shown
    assert [len(mark.x) for mark in _lines(panel)] == [3, 3]
    assert panel.axes["x"].label == "w [m/s]"


def test_axes_show_what_is_usual_and_every_level(runs):
    peak = np.zeros(1000)
    peak[500] = 1e3
    plot = Plot("force [N]", [Line(np.arange(1000.0), peak), Level(2.0, mirrored=True)], usual=True)
    (panel,) = curves(runs, "Impact", [plot]).chart.shown
    assert panel.get_ylim() == pytest.approx((-2.4, 2.4))  # a tenth of the range beyond the levels
    flat = Plot("z [m]", [Line([0.0, 1.0], [1.0, 1.0 + 1e-6])], least=0.5)
    low, high = curves(runs, "Rest", [flat]).chart.shown[0].get_ylim()
    assert high - low == pytest.approx(0.5)
    fixed = Plot("z [m]", [Line([0.0, 1.0], [1.0, 3.0])], low=0.0)
    assert curves(runs, "Fixed", [fixed]).chart.shown[0].get_ylim()[0] == 0.0


def test_zones_and_uprights_are_named_and_functions_draw_what_else_there_is(runs):
    def sketch(panel):
        panel.plot([0.0, 0.1], [0.0, 0.1], label="sketched")

    parts = [
        Zone(-1.0, 1.0, "sole"),
        Uprights([0.02, 0.05], "change"),
        Uprights([], "none"),
        sketch,
    ]
    figure = curves(runs, "Marks", [Plot("z [m]", parts)])
    assert [entry.label for entry in figure.chart.legend] == ["sole", "change", "sketched"]
    upright = [mark for mark in figure.chart.shown[0].marks if mark.shares == (False, True)]
    assert [float(mark.x[0]) for mark in upright] == [0.02, 0.05]


def test_phases_are_bands_of_a_colour_with_their_names():
    chart = Chart((1, 1), [1.0], 4.0, share_x=True)
    (panel,) = chart.shown
    panel.plot([0.0, 1.0], [0.0, 1.0])
    panel.set(xlabel=TIME, xlim=(0.0, 1.0))
    walk = [Phase(0.0, 0.3, "stick"), Phase(0.3, 0.5, "slip"), Phase(0.5, 0.8, "flight", None)]
    with marking(phase_bands([*walk, Phase(0.8, 2.0, "stick")])):
        assert mark_bands(chart) == " Bands: stick, slip."
    stick, slip = [mark for mark in panel.marks if mark.kind == "area"]
    assert np.nanmax(stick.x) == 1.0  # as far as the panel shows
    assert (np.isnan(stick.x).sum(), np.isnan(slip.x).sum()) == (1, 0)  # two spans, and one
    assert stick.style["fill"] != slip.style["fill"]


# --- panels of a scenario ------------------------------------------------------------------------


def test_a_scenario_asks_for_panels_of_its_own(runs):
    panels = [
        PagePanel("Fall", ["z", "v.z"], levels={"least": -0.5}, note="Seen from the side."),
        PagePanel(series=["v.z"], over="q.z", log=True),
    ]
    figures, refused = scenario_figures(runs, panels)
    assert refused == []
    fall, phase = figures
    assert (fall.title, fall.note) == ("Fall", "Seen from the side.")
    assert [panel.axes["y"].label for panel in fall.chart.shown] == ["z [m]", "v.z [m/s]"]
    assert "least" in [entry.label for entry in fall.chart.legend]
    (panel,) = phase.chart.shown
    assert (phase.title, panel.axes["x"].label, panel.axes["y"].log) == ("v.z", "z [m]", True)


def test_events_of_a_kind_are_upright_lines(runs):
    first = runs.first.trajectory
    events = (*first.events, Event(0.03, "touch-down", "left"), Event(0.07, "touch-down", "right"))
    landed = replace(runs.first, trajectory=replace(first, events=events))
    own = replace(runs, runs=(landed,))
    (figure,), refused = scenario_figures(own, [PagePanel(series=["z"], events=["touch-down"])])
    upright = [mark for mark in figure.chart.shown[0].marks if mark.shares == (False, True)]
    assert refused == []
    assert [float(mark.x[0]) for mark in upright] == [0.03, 0.07]
    _, (refused,) = scenario_figures(own, [PagePanel(series=["z"], events=["touchdown"])])
    assert "moreau has no event 'touchdown': did you mean 'touch-down'" in refused


def test_what_a_panel_names_and_no_run_has_is_told_and_the_page_is_made(runs, tmp_path):
    runs.section.scenario.panels = [PagePanel("Knee", ["knee"]), PagePanel("Fall", ["q.z"])]
    (told,) = write_reports([runs.section], tmp_path / "page.html")  # for the terminal
    page = (tmp_path / "page.html").read_text()
    runs.section.scenario.panels = []
    assert told.startswith("panels.0: the run has no series 'knee'")
    assert "panels.0: the run has no series &#39;knee&#39;" in page
    assert "<figcaption>Fall" in page


def test_a_panel_of_nothing_is_refused():
    with pytest.raises(ScenarioError, match=r"panels\.0 has no series: name at least one"):
        Scenario(panels=[PagePanel("Knees")])


def test_a_name_of_several_series_is_refused(runs):
    with pytest.raises(RunError, match=r"'q' is 2 series: name one of them, as q\.x, q\.z"):
        runs.first.series("q")
