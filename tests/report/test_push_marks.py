"""Pushes on a page: bands in panels over time and in no other, a table, and their work."""

import re

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from tests.engines.tiny import POINT, simulate, tiny

from footfall.plants.pushes import Push
from footfall.report import Section, write_reports
from footfall.report.panels import TIME
from footfall.report.push_bands import MARKED, mark_pushes, marking
from footfall.report.push_table import push_tables
from footfall.trajectory.pushes import LinkPush


def _push(start, end):
    return LinkPush("ball", (0, 0, 0), start, end, (1.0, 0, 0), (0, 0, 0))


def _section(folder, *pushes):
    """A mass of two coordinates: few panels."""
    scenario = tiny(folder, POINT, welded="slope", duration=0.1, pushes=list(pushes))
    return Section("tiny", scenario, {"moreau": simulate(scenario)})


def _bands(panel):
    """Ends of the bands in a panel."""
    found = [c for c in panel.collections if isinstance(c, PolyCollection)]
    boxes = [path.get_extents() for c in found for path in c.get_paths()]
    return [(round(box.x0, 9), round(box.x1, 9)) for box in boxes]


def test_panels_over_time_have_a_band_for_each_push_and_keep_their_limits():
    figure = Figure()
    axes = figure.subplots(2, 2, squeeze=False, sharex="col")
    for panel in axes.ravel():
        panel.plot([0.0, 1.0], [3.0, 5.0])
    axes[1, 0].set_xlabel(TIME)  # the panel above shares it
    axes[1, 1].set_xlabel("x [m]")
    limits = [(panel.get_xlim(), panel.get_ylim()) for panel in axes.ravel()]
    with marking((_push(0.2, 0.3), _push(0.9, np.inf), _push(4.0, 5.0))):
        assert mark_pushes(figure, axes)
    assert [(panel.get_xlim(), panel.get_ylim()) for panel in axes.ravel()] == limits
    for panel in axes[:, 0]:
        assert _bands(panel) == [(0.2, 0.3), (0.9, 1.05)]  # matplotlib's margin is 5 %
    assert not any(_bands(panel) for panel in axes[:, 1])
    assert not mark_pushes(figure, axes)  # nothing is marked once the page is made


def test_pushes_that_overlap_have_one_band_and_wind_its_own():
    figure = Figure()
    axes = figure.subplots(1, 1, squeeze=False)
    axes[0, 0].plot([0.0, 1.0], [0.0, 1.0])
    axes[0, 0].set(xlabel=TIME, xlim=(0.0, 1.0))
    with marking((_push(0.5, 0.7), _push(0.2, 0.3), _push(0.25, 0.4), _push(0.1, np.inf))):
        mark_pushes(figure, axes)
    assert _bands(axes[0, 0]) == [(0.2, 0.4), (0.5, 0.7), (0.1, 1.0)]


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
