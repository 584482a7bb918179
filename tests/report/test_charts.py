"""Charts: every figure's data come to the page as they were plotted, to what can be seen."""

import base64
import json
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from footfall.report.charts.packing import HEIGHT, TOLERANCE, WIDTH, PackedCharts, thinned
from footfall.report.charts.panel import TIME
from footfall.report.charts.picture import figure_of
from footfall.report.figure import draw


def _chart(plot, rows=1, columns=1, **options):
    chart = draw("t", "a", (rows, columns), plot, **options).chart
    assert chart is not None
    return chart


def _everything(axes):
    """Fill a panel with one of every kind of mark."""
    panel = axes[0, 0]
    panel.plot([0, 1, 2], [1, 3, 2], color="#D55E00", linestyle="--", label="one")
    panel.plot([0, 2], [1, 1], "x", color="black")
    panel.axhline(1.5, color="black")
    panel.fill_between([0, 1], [0, 0], [1, 1], color="#bbbbbb", alpha=0.5)
    panel.broken_barh([(0.5, 0.25), (1.0, 0.5)], (0.0, 1.0), facecolor="#0072B2")
    panel.text(1.0, 2.0, "here", ha="center")
    panel.arrow((0.0, 0.0), (1.0, 1.0), color="black")
    panel.set(xlabel=TIME, ylabel="θ₁ [deg]", title="whose")
    panel.legend()


def test_lines_bands_bars_and_words_are_marks_with_their_looks():
    (panel,) = _chart(_everything).shown
    assert (panel.title, panel.scale("x").label, panel.scale("y").label) == (
        "whose",
        TIME,
        "θ₁ [deg]",
    )
    assert panel.over_time
    by_kind = {
        kind: [m for m in panel.marks if m.kind == kind] for kind in ("line", "area", "text")
    }
    one, crosses, across, arrow = by_kind["line"]
    assert one.label == "one"
    assert one.style["stroke"] == "#d55e00"
    assert one.style["dashes"]
    assert list(one.x) == [0, 1, 2]
    assert crosses.style["marker"] == "x"
    assert "stroke" not in crosses.style
    assert across.shares == (True, False)
    assert list(across.y) == [1.5, 1.5]
    assert arrow.style["heads"] == 1
    band, bars = by_kind["area"]
    assert band.style["alpha"] == 0.5
    assert np.isnan(bars.x).sum() == 1  # two bars, parted
    assert np.nanmax(bars.x) == 1.5
    (words,) = by_kind["text"]
    assert words.style["text"] == "here"
    assert [entry.label for entry in panel.legend_entries] == ["one"]


def test_matplotlib_draws_what_the_page_draws():
    (ax,) = figure_of(_chart(_everything)).axes
    one, _, across = ax.lines
    assert (one.get_label(), one.get_color(), one.get_linestyle()) == ("one", "#d55e00", "--")
    np.testing.assert_array_equal(one.get_xydata(), [(0, 1), (1, 3), (2, 2)])
    np.testing.assert_array_equal(across.get_ydata(), [1.5, 1.5])
    band, *bars = ax.patches
    assert band.get_alpha() == 0.5
    assert [bar.get_extents().bounds for bar in map(_in_data, bars)] == [
        (0.5, 0.0, 0.25, 1.0),
        (1.0, 0.0, 0.5, 1.0),
    ]
    words, arrow = ax.texts
    assert words.get_text() == "here"
    assert arrow.arrow_patch is not None
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one"]


def _in_data(patch):
    return patch.get_path()


@pytest.mark.parametrize("log", [False, True])
@given(st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=9))
def test_ends_are_those_that_matplotlib_would_choose(log, values):
    def plot(axes):
        axes[0, 0].plot(range(len(values)), values)
        axes[0, 0].set_yscale("log" if log else "linear")

    (panel,) = _chart(plot).shown
    ax = Figure().subplots()
    ax.plot(values)
    ax.set_yscale("log" if log else "linear")
    np.testing.assert_allclose(panel.get_xlim(), ax.get_xlim(), rtol=1e-9)
    if np.ptp(values) > 1e-9 * max(values):  # around one value matplotlib has rules of its own
        np.testing.assert_allclose(panel.get_ylim(), ax.get_ylim(), rtol=1e-9)


def test_words_above_a_panel_are_put_below_its_edge_where_a_page_shows_them():
    def plot(axes):
        panel = axes[0, 0]
        panel.plot([0, 1], [0, 1])
        for place in (0.5, 1.0, 1.01):
            panel.text(place, place, "swings", shares=(False, True), va="bottom")

    (panel,) = _chart(plot).shown
    inside, *above = [mark for mark in panel.marks if mark.kind == "text"]
    assert (float(inside.y[0]), inside.style["raise"]) == (0.5, "auto")
    for words in above:
        assert 0.9 < float(words.y[0]) < 1.0
        assert words.style["raise"] == "hanging"


def test_ends_and_ticks_are_those_that_are_set():
    def plot(axes):
        axes[0, 0].plot([1.0, 2.0], [1e-6, 1e3])
        axes[0, 0].set_yscale("log")
        axes[1, 0].plot([1.0, 2.0], [0.0, 1.0])
        axes[1, 0].set_yticks([0, 1, 7], ["left", "right", "beyond"])
        axes[1, 0].set_ylim(1.5, -0.5)

    upper, lower = _chart(plot, rows=2, heights=(1.0, 3.0)).shown
    assert upper.scale("y").log
    assert upper.scale("y").ticks is None
    scale = lower.scale("y")
    assert scale.ticks == [(0.0, "left"), (1.0, "right")]
    assert (scale.low, scale.high) == (1.5, -0.5)


def test_what_has_more_points_than_a_page_draws_is_a_picture():
    random = np.random.default_rng(0)

    def plot(axes):
        for _ in range(400):
            axes[0, 0].plot(np.arange(500.0), random.standard_normal(500))

    figure = draw("t", "a", (1, 1), plot)
    assert figure.chart is None
    assert figure.source.startswith("data:image/png")


@given(st.integers(0, 2**32 - 1), st.integers(3, 400))
def test_a_thinned_line_passes_all_points_closely(seed, count):
    random = np.random.default_rng(seed)
    x = np.sort(random.uniform(0.0, 5.0, count))
    y = np.cumsum(random.standard_normal(count)) * random.choice([1e-4, 1.0, 30.0])
    low, high = np.array([0.0, -10.0]), np.array([5.0, 10.0])
    few_x, few_y = thinned(x, y, low, high)
    assert len(few_x) <= count + 1
    assert few_x[0] == pytest.approx(x[0])
    assert few_y[-1] == pytest.approx(y[-1])
    points = np.column_stack((x, y)) / (high - low) * [WIDTH, HEIGHT]
    corners = np.column_stack((few_x, few_y)) / (high - low) * [WIDTH, HEIGHT]
    begins, ways = corners[:-1], np.diff(corners, axis=0)
    squares = np.maximum((ways**2).sum(axis=1), 1e-300)
    share = ((points[:, None] - begins) * ways).sum(axis=2) / squares
    nearest = begins + np.clip(share, 0.0, 1.0)[:, :, None] * ways
    away = np.linalg.norm(points[:, None] - nearest, axis=2).min(axis=1)
    # simplification judges a point by the direction of the first of those that it leaves out
    assert away.max() <= 2.0 * TOLERANCE


def test_a_noisy_line_keeps_its_extremes_and_its_gaps():
    x = np.linspace(0.0, 1.0, 50_000)
    y = np.random.default_rng(0).standard_normal(len(x))
    y[20_000], y[30_000:30_100] = 9.0, np.nan
    few_x, few_y = thinned(x, y, np.array([0.0, -10.0]), np.array([1.0, 10.0]))
    assert len(few_x) < 4000
    assert np.nanmax(few_y) == 9.0
    assert np.isnan(few_y).any()


def test_packed_charts_say_what_was_plotted():
    time = np.linspace(0.0, 2.0, 300)

    def plot(axes):
        axes[0, 0].plot(time, np.sin(5.0 * time), label="sine")
        axes[0, 1].plot(time, np.exp(-9.0 * time))
        axes[0, 1].set_yscale("log")

    chart = _chart(plot, columns=2)
    packed = PackedCharts()
    assert [packed.add(chart), packed.add(chart)] == [0, 1]
    content = zlib.decompress(base64.b64decode(packed.packed()))
    (length,) = struct.unpack("<I", content[:4])
    told = json.loads(content[4 : 4 + length])
    at, arrays = 4 + length, []
    for count, low, high in told["arrays"]:
        planes = np.frombuffer(content[at : at + 2 * count], np.uint8).astype(np.int64)
        whole = np.cumsum(planes[:count] + 256 * planes[count:]) % 65536
        arrays.append(np.where(whole == 65535, np.nan, low + whole * (high - low) / 65534))
        at += 2 * count
    assert at == len(content)  # the second chart has added none
    sine, decay = (panel["marks"][0] for panel in told["charts"][1]["panels"])
    # a pixel, which thinning takes, across the line where it is steepest; 16 bits are far less
    known = np.interp(time, arrays[sine["x"]], arrays[sine["y"]])
    pixel = 2.2 / HEIGHT
    steepest = 5.0 / pixel / (0.5 * WIDTH / 2.2)
    bound = 2.0 * TOLERANCE * pixel * np.hypot(1.0, steepest)
    assert np.abs(known - np.sin(5.0 * time)).max() < bound
    # of a logarithmic axis the logarithms are kept
    assert arrays[decay["y"]][-1] == pytest.approx(-18.0 / np.log(10.0), abs=1e-3)
