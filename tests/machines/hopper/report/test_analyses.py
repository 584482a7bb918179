"""Pages of the hopper's analyses: what they show of arrays whose answers are known."""

import numpy as np
import pytest
import xarray as xr
from matplotlib.backends.backend_agg import FigureCanvasAgg

from footfall.machines.hopper.angular_momentum import Flight, angular_momentum_arrays
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.report.jump_search import jump_contents

# the one that looks at what is drawn asks for it
pytestmark = pytest.mark.usefixtures("plotted")

DESIGNS = ["published", "best"]
MU = np.array([0.27, 0.3, 0.33])
TIME = np.linspace(0.0, 0.4, 21)


def _search():
    """A search of two beginnings, of which the second found a jump."""
    motion = ("design", "moment")
    nothing = np.full(4, np.nan)
    return xr.Dataset(
        {
            "best_distance": (("search", "generation"), [nothing, [np.nan, 0.1, 0.4, 0.5]]),
            "evaluations": (("search", "generation"), [nothing, [0.0, 50.0, 100.0, 150.0]]),
            "design_time": (motion, [TIME, 2.0 * TIME]),
            "torque": (motion, [np.sin(TIME), np.cos(TIME)]),
            "theta1": (motion, [1.9 + TIME, 1.2 + TIME]),
            "distance_mu": (("design", "mu"), [[0.12, 0.125, 0.13], [np.nan, 0.5, np.nan]]),
            "sensitivity": (("design", "parameter"), [[0.02, np.nan], [0.3, np.nan]]),
            "corner_mu": ("corner", [0.27, 0.33]),
            "corner_distance": (("design", "corner"), [[0.12, 0.13], [np.nan, 0.45]]),
            "smallest_margin": (("design", "margin"), np.radians([[4.78], [0.5]])),
        },
        {
            "design": DESIGNS,
            "search": ["0", "1"],
            "mu": MU,
            "parameter": ["mu", "mass"],
            "margin": ["PR_backward"],
        },
        {"class": "torques in pieces", "stops": "It was cut short"},
    )


def test_a_search_has_a_figure_and_a_table_of_everything_it_left(plotted):
    contents = jump_contents(_search(), {})
    assert [one.title for one in contents.figures] == [
        "How the searches went",
        "The jumps",
        "What the distance hangs on",
    ]
    assert [one.title for one in contents.tables] == [
        "What d grows by",
        "With other friction and masses",
        "What is left of the limits",
    ]
    assert contents.notes[0] == "Searched were torques in pieces."
    assert contents.notes[-1] == "It was cut short."
    history, jumps, hangs = plotted
    assert history.legends[0].get_texts()[0].get_text().endswith(": 1")
    assert len(jumps.axes) == 2  # what it has no arrays of is left out
    angle = jumps.axes[1].lines[0]
    np.testing.assert_allclose(angle.get_ydata(), np.degrees(1.9 + TIME))
    assert hangs.axes[0].lines[-1].get_xdata()[0] == 0.3


def test_an_analysis_that_left_nothing_has_a_page_all_the_same():
    contents = jump_contents(xr.Dataset(), {})
    assert not contents.figures
    assert not contents.tables


def test_tables_of_a_search_are_in_units_of_a_reader():
    slopes, corners, limits = jump_contents(_search(), {}).tables
    # 0.02 m by the logarithm are 0.2 mm by one per cent; nothing is known of the mass
    assert slopes.rows == [("mu", "0.2", "3")]
    assert corners.rows == [("0.27", "0.12", "none"), ("0.33", "0.13", "0.45")]
    assert limits.rows == [("line PR 60° backward", "4.78", "0.5", "deg")]


def test_every_label_of_the_figures_is_inside(drawn):
    jump_contents(_search().merge(_spin(), join="outer"), {})
    assert len(drawn) == 4
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
    return angular_momentum_arrays(Hopper(), flights, {"best": {"mu": 0.1}})


def test_jumps_lie_below_the_bound_of_their_spin(plotted):
    contents = jump_contents(_spin(), {})
    left = plotted[0].axes[0]
    bounds = [line for line in left.lines if line.get_marker() == "None"]
    dots = [line for line in left.lines if line.get_marker() == "o"]
    assert len(bounds) == len(dots) == 2
    for bound, dot in zip(bounds, dots, strict=True):
        spin, distance = dot.get_xdata()[0], dot.get_ydata()[0]
        assert distance < np.interp(spin, bound.get_xdata(), bound.get_ydata())
    assert [table.title for table in contents.tables] == ["Flights", "What a limit costs"]
    assert any("angular momentum H" in note for note in contents.notes)
