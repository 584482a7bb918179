"""Bands, bars and legends of figures as data, as far as no run is in them."""

import numpy as np

from footfall.report.charts.panel import TIME
from footfall.report.curves import Bars, Line, Over, Plot, Spans, curves


def _chart(*plots, **words):
    return curves(None, "title", plots, **words).chart


def _told(chart):
    return [entry.label for entry in chart.legend]


def test_upright_bands_are_told_where_there_are_some():
    parts = [Spans([(0.0, 1.0), (2.0, 3.0)], "ahead"), Spans([], "back")]
    chart = _chart(Plot("y [m]", parts))
    assert _told(chart) == ["ahead"]
    (band, none) = chart.panels[0, 0].marks
    known = np.isfinite(band.x)
    assert band.x[known].tolist() == [0.0, 1.0, 1.0, 0.0, 2.0, 3.0, 3.0, 2.0]
    assert band.shares == (False, True)
    assert none.x.size == 0


def test_colours_of_bars_are_told_with_what_they_mean():
    rows = [("one", [([(0.0, 2.0)], "#0072B2")]), ("two", [([(1.0, -1.0)], "#D55E00")])]
    chart = _chart(Plot("", [Bars(rows, {"#0072B2": "least", "#D55E00": "most"})]))
    assert _told(chart) == ["least", "most"]
    assert [entry.style["fill"] for entry in chart.legend] == ["#0072b2", "#d55e00"]
    assert chart.panels[0, 0].data_ends("x") == (0.0, 2.0)


def test_a_legend_of_its_own_stays_in_its_panel():
    plots = [
        Plot(f"{y} [N]", [Line([0.0, 1.0], [0.0, 1.0], f"of {y}")], legend=y == "a") for y in "ab"
    ]
    chart = _chart(*plots, over=Over("phase [1]"))
    assert _told(chart) == ["of b"]
    assert [entry.label for entry in chart.panels[0, 0].legend_entries] == ["of a"]
    assert chart.panels[1, 0].axes["x"].label == "phase [1]"


def test_a_sketch_without_axes_has_no_name_below_it_and_is_over_no_time():
    def sketch(panel):
        panel.set_axis_off()
        panel.plot([0.0, 1.0], [0.0, 1.0])

    (panel,) = _chart(Plot("", [sketch], equal=True), alt="a line").panels.ravel()
    assert panel.axes["x"].label == ""
    assert not panel.over_time
    (drawn,) = _chart(Plot("y", [Line([0.0, 1.0], [0.0, 1.0])])).panels.ravel()
    assert drawn.axes["x"].label == TIME
