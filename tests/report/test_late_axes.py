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
    "draw",
    [
        lambda panel: panel.plot(SECONDS[::99], SECONDS[::99], "o", markersize=3.0, **BLUE),
        lambda panel: panel.axhline(0.3, color="black", linewidth=0.7, label="inside"),
        lambda panel: panel.plot(SECONDS, -SECONDS, label=None, **BLUE),
        lambda panel: panel.axvline(1.0, label=None),
        lambda panel: panel.fill_between(SECONDS, SECONDS, label=None, **BLUE),
        lambda panel: panel.axhspan(0.1, 0.2, label=None),
        lambda panel: panel.axhline(7.0, zorder=0.5),  # which changes the ends, as these do:
        lambda panel: panel.axvline(-2.0, color="red"),
        lambda panel: panel.axhspan(-3.0, -2.0, color="#009E73", alpha=0.08, linewidth=0.0),
        lambda panel: panel.axvspan(1.0, 9.0, facecolor="#009E73", label="a time"),
        lambda panel: panel.fill_between(SECONDS, -9.0, np.cos(SECONDS), label="band", **BLUE),
        lambda panel: panel.fill_between(SECONDS, -SECONDS, np.where(SECONDS < 2.0, np.nan, 1.0),
                                         facecolor="red", alpha=0.35, linewidth=0.0),
        lambda panel: panel.set_xlim(-1.0, 3.0),
        lambda panel: panel.set_title("what it shows", fontsize=9.5, loc="left"),
        lambda panel: panel.set(xlim=(0.0, 1.0), ylim=(-7.0, 7.0), xlabel="x [m]", title="both"),
        lambda panel: panel.set_ylim(bottom=-4.0),
        lambda panel: panel.set_ylim(*(3.0 * np.array(panel.get_ylim())).tolist()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("first", [False, True])
def test_whatever_is_kept_is_as_in_a_panel_that_is_made(draw, first):
    figures = []
    with mpl.rc_context(STYLE):
        for made in (False, True):
            figure = LateFigure((2, 1), STYLE, heights=[1.0, 1.0], share_x=True)
            if made:
                figure.make()
            upper, lower = figure.panels[:, 0]
            if first and draw.__code__.co_names[0] != "set_ylim":  # of nothing there are no ends
                draw(lower)
            for panel in (upper, lower):
                panel.plot(SECONDS, np.sin(SECONDS), label="a line", **BLUE)
            if not first:
                draw(lower)
            # and more data than there were
            upper.plot([0.0, 6.0], [2.0, 2.0], **BLUE)
            handles, labels = lower.get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside upper left")
            figures.append(figure)
        charts = [chart_of(figure) for figure in figures]
    assert not figures[0].made
    assert parts(charts[0]) == parts(charts[1])
    for one, other in zip(charts[0].panels, charts[1].panels, strict=True):
        for mark, same in zip(one.marks, other.marks, strict=True):
            assert mark.shares == same.shares
            np.testing.assert_array_equal(mark.x, same.x)
            np.testing.assert_array_equal(mark.y, same.y)
    with mpl.rc_context(STYLE):  # it is the same when it is made after all
        figures[0].make()
        assert parts(chart_of(figures[0])) == parts(charts[1])


@pytest.mark.parametrize(
    "ask",
    [
        lambda panel: panel.axhline(1.05),  # in the margin: later data may move the end or not
        lambda panel: panel.axhline(0.0, 0.1, 0.9),
        lambda panel: panel.axhline(0.0, xmax=0.9),
        lambda panel: panel.axvspan(0.0, 1.0, ymax=0.5),
        lambda panel: panel.figure.legend(handles=[*panel.get_legend_handles_labels()[0]]),
        lambda panel: panel.fill_between(SECONDS, SECONDS),  # in the next colour
        lambda panel: panel.fill_between(SECONDS, SECONDS, where=SECONDS > 1.0, **BLUE),
        lambda panel: panel.set_title("a title", rotation=3.0),
        lambda panel: panel.plot(SECONDS, SECONDS),  # in the next of matplotlib's colours
        lambda panel: panel.plot(SECONDS, SECONDS, "o-", **BLUE),
        lambda panel: panel.set_ylim(top=1.0, auto=True),
        lambda panel: panel.set_ylim(3.0, -3.0),
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
    lines = [line for line, _ in first.kept.artists]
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
