"""Pushes on a page: bands in panels over time and in no other, a table, and their work."""

import re

import numpy as np
from tests.engines.tiny import POINT, simulate, tiny

from footfall.plants.pushes import Push
from footfall.report import Section, write_reports
from footfall.report.bands import mark_bands, marking, push_bands
from footfall.report.charts.panel import TIME, Chart
from footfall.report.push_table import push_tables
from footfall.trajectory.pushes import LinkPush

MARKED = " Bands: push."


def _push(start, end):
    return LinkPush("ball", (0, 0, 0), start, end, (1.0, 0, 0), (0, 0, 0))


def _section(folder, *pushes):
    """A mass of two coordinates: few panels."""
    scenario = tiny(folder, POINT, welded="slope", duration=0.1, pushes=list(pushes))
    return Section("tiny", scenario, {"moreau": simulate(scenario)})


def _bands(panel):
    """Ends of the bands in a panel."""
    x = np.concatenate([mark.x for mark in panel.marks if mark.kind == "area"] or [[]])
    corners = x[np.isfinite(x)].reshape(-1, 4)
    return [(round(float(one.min()), 9), round(float(one.max()), 9)) for one in corners]


def test_panels_over_time_have_a_band_for_each_push_and_keep_their_limits():
    chart = Chart((2, 2), [1.0, 1.0], 4.0, share_x=False)
    for panel in chart.shown:
        panel.plot([0.0, 1.0], [3.0, 5.0])
    chart.panels[1, 0].set_xlabel(TIME)
    chart.panels[1, 1].set_xlabel("x [m]")
    limits = [(panel.get_xlim(), panel.get_ylim()) for panel in chart.shown]
    with marking(push_bands((_push(0.2, 0.3), _push(0.9, np.inf), _push(4.0, 5.0)))):
        assert mark_bands(chart) == MARKED
    assert [(panel.get_xlim(), panel.get_ylim()) for panel in chart.shown] == limits
    assert [_bands(panel) for panel in chart.shown] == [[], [], [(0.2, 0.3), (0.9, 1.05)], []]
    assert [entry.label for entry in chart.legend] == ["push"]
    assert not mark_bands(chart)  # nothing is marked once the page is made


def test_panels_that_share_the_time_are_all_marked():
    chart = Chart((2, 1), [1.0, 1.0], 4.0, share_x=True)
    chart.panels[0, 0].plot([0.0, 1.0], [3.0, 5.0])
    chart.panels[1, 0].set_xlabel(TIME)
    with marking(push_bands((_push(0.2, 0.3),))):
        mark_bands(chart)
    assert [_bands(panel) for panel in chart.shown] == [[(0.2, 0.3)]] * 2


def test_pushes_that_overlap_have_one_band_and_wind_its_own():
    chart = Chart((1, 1), [1.0], 4.0, share_x=True)
    (panel,) = chart.shown
    panel.plot([0.0, 1.0], [0.0, 1.0])
    panel.set(xlabel=TIME, xlim=(0.0, 1.0))
    pushes = _push(0.5, 0.7), _push(0.2, 0.3), _push(0.25, 0.4), _push(0.1, np.inf)
    with marking(push_bands(pushes)):
        mark_bands(chart)
    assert _bands(panel) == [(0.2, 0.4), (0.5, 0.7), (0.1, 1.0)]


def test_a_page_marks_them_tells_them_and_has_their_work(tmp_path):
    section = _section(tmp_path, Push("mass", start=0.02, duration=0.05, force=[8.0, 0.0, 0.0]))
    write_reports([section], tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    marked = re.findall(r'role="group" aria-label="([^"]*)"', page)
    over_time = [alt for alt in marked if "over time" in alt]
    assert len(over_time) > 4
    assert all(alt.endswith(MARKED.strip()) for alt in over_time)
    assert "pushes on moreau" in page
    assert "push work" in page
    (table,) = push_tables(section)
    assert table.rows == [("point::mass", "0.02", "0.07", "8, 0, 0", "0", "world", "step")]


def test_a_run_without_pushes_has_no_table(tmp_path):
    assert push_tables(_section(tmp_path)) == []
