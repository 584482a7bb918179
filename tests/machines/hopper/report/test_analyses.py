"""Pages of the hopper's analyses: what they show of arrays whose answers are known."""

import numpy as np
import pytest
import xarray as xr
from matplotlib.backends.backend_agg import FigureCanvasAgg

from footfall.machines.hopper.angular_momentum import Flight, angular_momentum_arrays
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.report.jump_spin import jump_contents

# the one that looks at what is drawn asks for it
pytestmark = pytest.mark.usefixtures("plotted")


def test_an_analysis_that_left_nothing_has_a_page_all_the_same():
    contents = jump_contents(xr.Dataset(), {})
    assert not contents.figures
    assert not contents.tables


def test_every_label_of_the_figures_is_inside(drawn):
    jump_contents(_spin(), {})
    assert len(drawn) == 1
    for figure in drawn:
        renderer = FigureCanvasAgg(figure).get_renderer()
        for panel in figure.axes:
            if not panel.get_visible():
                continue
            for label in (panel.xaxis.label, panel.yaxis.label):
                box = label.get_window_extent(renderer)
                assert box.x0 >= 0.0
                assert box.y0 >= 0.0
                assert box.x1 <= figure.bbox.width
                assert box.y1 <= figure.bbox.height


def _spin():
    flights = {
        "published": Flight(0.02, 0.6, 1.4, 0.29, (1.0, 2.2), (0.05, 0.02), 0.125),
        "best": Flight(0.05, 1.6, 2.2, 0.48, (1.1, 2.6), (0.06, 0.03), 0.5),
    }
    return angular_momentum_arrays(Hopper(), flights)


def test_jumps_lie_below_the_bound_of_their_spin(plotted):
    contents = jump_contents(_spin(), {})
    left = plotted[0].axes[0]
    bounds = [line for line in left.lines if line.get_marker() == "None"]
    dots = [line for line in left.lines if line.get_marker() == "o"]
    assert len(bounds) == len(dots) == 2
    for bound, dot in zip(bounds, dots, strict=True):
        spin, distance = dot.get_xdata()[0], dot.get_ydata()[0]
        assert distance < np.interp(spin, bound.get_xdata(), bound.get_ydata())
    assert [table.title for table in contents.tables] == ["Flights"]
    assert any("angular momentum H" in note for note in contents.notes)
