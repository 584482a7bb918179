"""Axes with light ticks look as matplotlib's own, and are these where somebody changes ticks."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.axis import Tick
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from footfall.report.figure import STYLE, draw
from footfall.report.light_axes import LightAxes, PlainPowers

TIME = np.linspace(0.0, 5.0, 200)


def small_numbers(panel):
    panel.plot(TIME, 1e-5 * np.sin(TIME))
    panel.set(xlabel="time [s]", ylabel="x [m]", title="a title")


def decades(panel):
    panel.loglog(TIME + 1e-3, TIME**2 + 1e-6)
    for axis in (panel.xaxis, panel.yaxis):  # matplotlib's own would write a formula
        axis.set_major_formatter(PlainPowers())


def small_letters_of_words(panel):
    panel.plot(TIME, TIME)
    panel.tick_params(labelsize=8.0)
    panel.set_yticks([0, 2, 4], ["one", "two", "three"])
    panel.grid(visible=False)


def nothing_beside(panel):
    panel.plot(TIME, TIME)
    panel.set_yticks([])


def ticks_of_its_own(panel):
    # neither colours of grids nor single labels are known to light ticks
    panel.plot(TIME, TIME)
    panel.grid(color="red")
    panel.get_xticklabels()[0].set_color("blue")


def labels_on_the_right(panel):
    panel.plot(TIME, TIME)
    panel.yaxis.tick_right()
    panel.xaxis.set_major_locator(FixedLocator([0.0, 2.5, 5.0, 9.0]))


def drawn(axes_class, fill):
    """Pixels, and the box about the panel with its labels [pixels]."""
    with mpl.rc_context(STYLE | {"figure.constrained_layout.use": False}):
        figure = Figure(figsize=(4.0, 3.0))
        panel = figure.subplots(subplot_kw={"axes_class": axes_class})
        fill(panel)
        canvas = FigureCanvasAgg(figure)
        box = panel.get_tightbbox(canvas.get_renderer(), for_layout_only=True)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[:, :, :3] / 255.0, box.extents


PANELS = [
    small_numbers,
    decades,
    small_letters_of_words,
    nothing_beside,
    ticks_of_its_own,
    labels_on_the_right,
]


@pytest.mark.parametrize(
    ("place", "text"), [(1.0, "10⁰"), (1e-12, "10⁻¹²"), (1e3, "10³"), (2e3, "2·10³")]
)
def test_ticks_of_powers_are_plain_text(place, text):
    figure = Figure()
    panel = figure.subplots(subplot_kw={"axes_class": LightAxes})
    panel.set(yscale="log", ylim=(1e-13, 1e4))
    assert panel.yaxis.get_major_formatter()(place) == text


@pytest.mark.parametrize("fill", PANELS)
def test_light_ticks_look_as_matplotlibs(fill):
    (own, own_box), (theirs, their_box) = drawn(LightAxes, fill), drawn(Axes, fill)
    # widths of texts are rounded to pixels in one of them, which moves letters by half a pixel: a
    # mean over 3 x 3 pixels sees them where they are, and a missing line or label leaves more
    assert differing(own, theirs) < 0.002
    np.testing.assert_allclose(own_box, their_box, atol=1.5)


def differing(one, other):
    """Share of the pixels that differ."""
    return (np.abs(smooth(one - other)).max(axis=2) > 0.2).mean()


def smooth(pixels):
    rows, columns, _ = pixels.shape
    parts = [pixels[i : rows - 2 + i, k : columns - 2 + k] for i in range(3) for k in range(3)]
    return np.mean(parts, axis=0)


def test_a_panel_without_its_grid_or_labels_would_be_seen():
    def bare(panel):
        small_numbers(panel)
        panel.tick_params(labelleft=False)

    assert differing(drawn(LightAxes, bare)[0], drawn(Axes, small_numbers)[0]) > 0.004


def test_figures_of_a_page_make_no_artist_of_a_tick(monkeypatch):
    made = []
    usual = Tick.__init__

    def counted(self, *args, **options):
        made.append(self)
        usual(self, *args, **options)

    monkeypatch.setattr(Tick, "__init__", counted)

    def plot(axes):
        for panel, fill in zip(axes[:, 0], (small_numbers, decades), strict=True):
            fill(panel)

    draw("a figure", "what it shows", (2, 1), plot)
    draw("a picture", "what it shows", (2, 1), plot, dense=True)
    assert made == []
