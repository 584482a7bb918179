"""Panels that are not made have the chart that they would have, and are made for anything else."""

import matplotlib as mpl
import numpy as np
import pytest

from footfall.report.charts.convert import chart_of
from footfall.report.figure import STYLE
from footfall.report.late_axes import LateAxes, LateFigure
from footfall.report.panels import TIME, calm, finish_time_panels, is_over_time, line
from footfall.report.push_bands import mark_pushes, marking
from footfall.trajectory.pushes import LinkPush

SECONDS = np.linspace(0.0, 5.0, 3000)
BLUE = {"color": "#0072B2"}
PUSHES = tuple(
    LinkPush("trunk", (0, 0, 0), start, end, (1.0, 0, 0), (0, 0, 0))
    for start, end in ((0.5, 0.6), (2.0, np.inf), (9.0, 9.5))  # the last when nothing is seen
)


def filled():
    """Four panels with what most of a page's have: lines, words, ends, pushes, one not needed."""
    figure = LateFigure((2, 2), STYLE, heights=[2.0, 3.0], share_x=True, figsize=(9.0, 5.3))
    for index, panel in enumerate(figure.panels.ravel()[:3]):
        line(panel, SECONDS, np.sin(SECONDS) + index, label="a run", **BLUE)
        panel.plot([0.0, 6.0], [0.0, 1.0], color="black", linestyle="--", zorder=1.0)
        panel.set_ylabel(f"q{index} [rad]")
    figure.panels[0, 1].set_ylim(-0.5, 2.5)
    calm(figure.panels[1, 0])
    finish_time_panels(figure.panels, 3)
    with marking(PUSHES):
        assert mark_pushes(figure, figure.panels)
    return figure


def parts(chart):
    panels = [
        (one.rows, one.columns, one.title, one.x, one.y, one.over_time, one.equal, one.grid)
        for one in chart.panels
    ]
    marks = [(mark.kind, mark.style, mark.label) for one in chart.panels for mark in one.marks]
    return panels, marks, chart.widths, chart.heights, chart.legend


def test_a_chart_does_not_depend_on_whether_panels_are_made():
    with mpl.rc_context(STYLE):
        late, made = filled(), filled()
        made.make()
        charts = chart_of(late), chart_of(made)
        assert not late.made
    assert parts(charts[0]) == parts(charts[1])
    assert len(charts[0].panels) == 3
    areas = [mark.x for mark in charts[0].panels[0].marks if mark.kind == "area"]
    assert [(x.min(), x.max()) for x in areas] == [(0.5, 0.6), (2.0, 6.3)]  # a margin of 5 %
    assert all(panel.over_time for panel in charts[0].panels)
    for one, other in zip(charts[0].panels, charts[1].panels, strict=True):
        for mark, same in zip(one.marks, other.marks, strict=True):
            np.testing.assert_array_equal(mark.x, same.x)
            np.testing.assert_array_equal(mark.y, same.y)


@pytest.mark.parametrize(
    "ask",
    [
        lambda panel: panel.axhline(0.0),
        lambda panel: panel.set_title("a title"),
        lambda panel: panel.plot(SECONDS, SECONDS),  # in the next of matplotlib's colours
        lambda panel: panel.plot(SECONDS, SECONDS, "o", **BLUE),
        lambda panel: panel.set_ylim(top=1.0),
        lambda panel: panel.set_xlabel(TIME, fontsize=8.0),
        lambda panel: panel.transData,
        lambda panel: setattr(panel, "anything", 1.0),
        lambda panel: panel.figure.axes,
        lambda panel: panel.figure.colorbar(panel.imshow(np.eye(2))),
    ],
)
def test_panels_are_made_for_anything_else_with_what_they_were_given(ask):
    figure = filled()
    first = figure.panels[0, 0]
    lines = [*first.kept.lines]
    ask(first)
    assert figure.made
    assert [*first.lines][:2] == lines
    assert first.get_ylabel() == "q0 [rad]"
    assert figure.panels[0, 1].get_ylim() == (-0.5, 2.5)
    assert not figure.panels[1, 1].get_visible()
    assert is_over_time(first)
    assert figure.axes[:4] == figure.panels.ravel().tolist()


def test_what_a_panel_has_not_is_still_an_error():
    (panel,) = LateFigure((1, 1), STYLE, heights=[2.0], share_x=True).panels.ravel()
    assert isinstance(panel, LateAxes)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = panel.nothing
