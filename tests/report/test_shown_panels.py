"""Panels that a figure has, their axes, and what lines and means are."""

from dataclasses import replace

import numpy as np
import pytest
from tests.report.test_robot_figures import section, with_feet  # noqa: F401 (fixtures)

from footfall.feet.gait import mean_of
from footfall.report.bands import Phase, mark_bands, marking, phase_bands
from footfall.report.charts.panel import TIME, Chart
from footfall.report.contact_figures import contact_figures
from footfall.report.curves import Bars, Curve, Level, Line, Plot, curves
from footfall.report.panels import MOST_PANELS, usual_top
from footfall.report.run_view import views_of
from footfall.report.stick_sequence import sequence_of, stick_panels

PLACES = np.array([0.0, 1.0])


@pytest.fixture(scope="module")
def runs(section):  # noqa: F811
    return views_of(section)


def _plot(name, *values):
    return Plot(f"{name} [m]", [Line(PLACES, np.array(values)), Level(0.0)])


EMPTY = (np.nan, np.nan)


def _labels(figure):
    return [panel.axes["y"].label for panel in figure.chart.shown]


def test_panels_without_a_number_are_left_out_and_the_others_close_up():
    plots = [_plot("a", 1.0, 2.0), _plot("b", *EMPTY), _plot("c", 3.0, 4.0), _plot("d", *EMPTY)]
    figure = curves(None, "Some", plots, columns=2)
    assert _labels(figure) == ["a [m]", "c [m]"]
    assert figure.chart.panels.shape == (1, 2)
    assert len(figure.chart.heights) == 1
    assert figure.note == "Left out, as there are no numbers: b [m] and d [m]."
    assert "b" not in figure.alt
    assert [panel.axes["x"].label for panel in figure.chart.shown] == [TIME, TIME]


def test_panels_that_belong_together_go_together():
    plots = [_plot("a", 1.0, 2.0), _plot("b", *EMPTY), _plot("c", *EMPTY), _plot("d", *EMPTY)]
    figure = curves(None, "Pairs", plots, columns=2, paired=True)
    assert _labels(figure) == ["a [m]", "b [m]"]
    assert figure.note == "Left out, as there are no numbers: c [m] and d [m]."


def test_rows_keep_their_own_heights():
    plots = [_plot("a", *EMPTY), _plot("b", 1.0, 2.0)]
    assert curves(None, "Heights", plots, heights=(1.0, 3.0)).chart.heights == [3.0]


def test_a_long_list_is_cut_and_says_so():
    plots = [_plot(str(k), 1.0, float(k)) for k in range(MOST_PANELS + 5)]
    figure = curves(None, "Many", plots, columns=2, note="Words.")
    assert len(figure.chart.shown) == MOST_PANELS
    assert figure.note == f"The first {MOST_PANELS} of {MOST_PANELS + 5}. Words."


def test_what_has_no_number_in_the_first_row_begins_with_the_others(runs):
    late = Curve(lambda run: np.where(run.time > run.time[0], run.time, np.nan))
    (panel,) = curves(runs, "Late", [Plot("z [m]", [late])]).chart.shown
    assert panel.get_xlim() == (runs.first.time[0], runs.first.time[-1])
    half = Curve(lambda run: np.where(run.time > 0.5 * run.time[-1], run.time, np.nan))
    (panel,) = curves(runs, "Half", [Plot("z [m]", [half])]).chart.shown
    assert panel.get_xlim()[0] > 0.5 * runs.first.time[-1]


def test_bars_are_over_the_whole_run_and_named_in_the_legend(runs):
    bars = Bars([("left", [([(0.02, 0.01)], "#0072B2")]), ("right", [])], {"#0072B2": "stance"})
    figure = curves(runs, "Gait", [Plot("", [bars])])
    (panel,) = figure.chart.shown
    assert panel.get_xlim() == (runs.first.time[0], runs.first.time[-1])
    assert [text for _, text in panel.axes["y"].ticks] == ["left", "right"]
    assert [entry.label for entry in figure.chart.legend] == ["stance"]


def test_a_line_with_markers_is_a_line():
    (panel,) = Chart((1, 1), [1.0], 4.0, share_x=True).shown
    panel.plot(PLACES, PLACES, marker="x", color="black", label="path")
    assert {"stroke", "marker"} <= panel.marks[0].style.keys()
    panel.plot(PLACES, PLACES, "o", color="black")
    assert "stroke" not in panel.marks[-1].style


def test_a_legend_tells_of_no_band_beyond_the_time_that_is_shown():
    chart = Chart((1, 1), [1.0], 4.0, share_x=True)
    (panel,) = chart.shown
    panel.plot(PLACES, PLACES)
    panel.set(xlabel=TIME, xlim=(0.0, 1.0))
    with marking(phase_bands([Phase(1.5, 2.0, "later")])):
        assert mark_bands(chart) == ""
    assert chart.legend == []


def test_means_of_chatter_are_the_load(runs):
    run = runs.first
    chatter = np.where(np.arange(len(run.time)) % 2, 2.0, np.nan)  # nothing borne in every other
    rows = round(0.02 / float(np.median(np.diff(run.time))))
    inside = slice(rows, -rows)
    assert rows % 2 == 0
    np.testing.assert_allclose(run.mean(chatter)[inside], 1.0)  # no number is no load
    np.testing.assert_allclose(mean_of(run.time, chatter)[inside], 2.0)  # or does not count
    both = np.stack((chatter, 3.0 * chatter), axis=1)
    np.testing.assert_allclose(run.mean(both), run.mean(chatter)[:, None] * [1.0, 3.0])


def test_an_axis_of_loads_leaves_impacts_aside():
    steps = np.full(1000, 2.0)
    steps[::2] = 0.0  # twice the load in every other step
    steps[501] = 1e3
    mean = np.ones(1000)
    assert usual_top(steps, mean) == pytest.approx(1.6 * 2.0)
    assert usual_top(np.minimum(steps, 2.0), mean) == pytest.approx(1.05 * 2.0)
    assert usual_top(np.zeros(3), np.zeros(3)) == 1.0


def _with_gaps(section, known):  # noqa: F811
    """The section with numbers for the gaps of some contacts alone."""
    changed = {}
    for name, run in section.runs.items():
        gaps = run.trajectory.data["gap"].load()
        far = gaps.where(gaps["contact"].isin(known))
        data = run.trajectory.data.assign(gap=far)
        changed[name] = replace(run, trajectory=replace(run.trajectory, data=data))
    return views_of(replace(section, runs=changed))


def test_gaps_that_nobody_knows_have_no_panel(section):  # noqa: F811
    every = section.first.trajectory.data["contact"].values
    known = [name for name in every if "#" in name][:3]
    gaps = contact_figures(_with_gaps(section, known))[-1]
    assert gaps.title == "Gaps"
    assert len(gaps.chart.shown) == 3
    assert "The 3 of 17 contacts that come nearest" in gaps.note
    assert gaps.note.endswith("Far apart all the time, and without a number: 14.")
    titles = [figure.title for figure in contact_figures(_with_gaps(section, []))]
    assert "Gaps" not in titles


def test_every_panel_of_stick_figures_names_its_axes(runs):
    seen = sequence_of(runs.section, runs.first, [0, 5, 9, 20, 30])
    figure = stick_panels(seen, [f"moment {k}" for k in range(5)], "Moments", "")
    shown = figure.chart.shown
    assert len(shown) == 5
    assert {panel.axes["y"].label for panel in shown} == {"z [m]"}
    assert {panel.axes["x"].label for panel in shown} == {seen.across}
    spans = {round(float(np.ptp(panel.get_xlim())), 9) for panel in shown}
    assert len(spans) == 1  # all of one scale
