"""Places of panels: as matplotlib's own layout has them, and no label outside or on another."""

from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from footfall.report.figure import STYLE
from footfall.report.layout import lay_out

# of the figure: matplotlib measures once more after it has placed the panels, whose ticks change by
# that; here they keep those of the first size
_APART = 0.012


def _figure(rows: int, columns: int, *, shared: bool, legend: bool) -> Figure:
    """A figure of unlike curves: of large numbers and small ones, with labels of two lines."""
    figure = Figure(figsize=(9.0, 2.0 * rows + 0.3))
    axes = figure.subplots(rows, columns, squeeze=False, sharex=shared)
    x = np.linspace(0.0, 5.0, 50)
    for k, panel in enumerate(axes.ravel()):
        panel.plot(x, 10.0 ** (k % 4) * np.sin(x + k), label="run")
        panel.set_ylabel("energy\nless work [J]" if k % 2 else "x [m]")
    for panel in axes[-1]:
        panel.set_xlabel("time [s]")
    if legend:
        figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left")
    if not shared:
        axes[0, 0].set_title("a title")
    return figure


@pytest.mark.parametrize(
    ("rows", "columns", "shared", "legend"),
    [(1, 1, True, False), (3, 2, True, True), (2, 3, False, True), (8, 2, True, True)],
)
def test_panels_stand_where_matplotlib_puts_them_and_keep_their_labels_apart(
    rows: int, columns: int, shared: bool, legend: bool
) -> None:
    with mpl.rc_context(STYLE):
        own, reference = (_figure(rows, columns, shared=shared, legend=legend) for _ in range(2))
        renderer = FigureCanvasAgg(own).get_renderer()
        lay_out(own, renderer)
        engine = reference.get_layout_engine()
        assert engine is not None
        engine.execute(reference)
        for ours, theirs in zip(own.axes, reference.axes, strict=True):
            found, expected = ours.get_position().extents, theirs.get_position().extents
            assert np.abs(found - expected).max() < _APART
        boxes = [panel.get_tightbbox(renderer) for panel in own.axes]
    page = own.bbox.padded(1.0)
    for box in boxes:
        assert box is not None
        assert page.x0 <= box.x0 < box.x1 <= page.x1
        assert page.y0 <= box.y0 < box.y1 <= page.y1
    for one, other in combinations(boxes, 2):
        assert one is not None
        assert other is not None
        assert not one.overlaps(other)


def test_ticks_stay_when_a_panel_is_drawn_larger() -> None:
    with mpl.rc_context(STYLE):
        figure = _figure(2, 2, shared=True, legend=False)
        lay_out(figure, FigureCanvasAgg(figure).get_renderer())
        before = [panel.get_yticks().tolist() for panel in figure.axes]
        figure.set_size_inches(40.0, 40.0)
        assert [panel.get_yticks().tolist() for panel in figure.axes] == before
