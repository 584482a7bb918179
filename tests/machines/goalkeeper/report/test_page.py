"""The goalkeeper's report: what its figures of the field show is what happened."""

import base64
import io

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle, Polygon
from PIL import Image
from tests.machines.goalkeeper.report.sections import section_of

from footfall.machines.goalkeeper.report.curves import keeper_over_time
from footfall.machines.goalkeeper.report.page import figures, tables
from footfall.machines.goalkeeper.report.runs import read_keeper_runs
from footfall.machines.goalkeeper.report.scene import from_ball, off_middle
from footfall.machines.goalkeeper.report.shot import shot_over_time
from footfall.machines.goalkeeper.report.top import moments, row_of_angles, top_view
from footfall.registry.machines import machines
from footfall.report import write_reports
from footfall.report.machine_report import report_of
from footfall.report.rendered import render
from footfall.show.view import View

MAGENTA = "#FF00FF"
SIZE = (480, 300)


@pytest.fixture(scope="module")
def page_of_the_save(save):
    return figures(save), tables(save)


def _turn(a, b):
    """Angle between two directions by the chord between their unit vectors [rad]."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return 2.0 * np.arcsin(0.5 * np.linalg.norm(b - a))


def _lines(panel, colour):
    return [
        np.array(one.get_xydata())
        for one in panel.lines
        if to_rgb(one.get_color()) == to_rgb(colour)
    ]


def _top(section, plotted):
    runs = read_keeper_runs(section)
    top_view(runs, section.robot.model)
    return runs, plotted[-1], plotted[-1].axes[0]


# --- the report ----------------------------------------------------------------------------------


def test_the_report_has_its_figures_and_tables(page_of_the_save):
    pictures, found = page_of_the_save
    assert [one.title for one in pictures] == [
        "The field: moreau",
        "What the ball sees: moreau",
        "From above: moreau",
        "The keeper over time",
        "The shot",
        "Generalized positions",
        "Generalized velocities",
    ]
    assert [one.title for one in found] == [
        "The angle and its halves: moreau",
        "What became of the shot",
    ]
    assert all(len(one.alt) > 60 for one in pictures[:5])
    assert report_of(machines()["goalkeeper"]).figures is figures


@pytest.mark.slow
@pytest.mark.usefixtures("plotted")
def test_the_page_of_a_path_is_written(arc, tmp_path):
    page = tmp_path / "report.html"
    write_reports([arc], page)
    text = page.read_text(encoding="utf-8")
    for words in ("BD:DC", "What the ball sees", "halves the angle", "goes through whatever"):
        assert words in text


# --- the field in three dimensions ---------------------------------------------------------------


def _shares(picture):
    """Shares of pixels that are green, blue, yellow and orange."""
    head, _, content = picture.source.partition(",")
    assert head == "data:image/png;base64"
    image = Image.open(io.BytesIO(base64.b64decode(content))).convert("RGB")
    red, green, blue = np.moveaxis(np.asarray(image).astype(float), 2, 0)
    bright = np.maximum(np.maximum(red, green), blue) > 40.0
    return {
        "green": (bright & (green > 2.0 * red) & (green > 2.0 * blue)).mean(),
        "blue": (bright & (blue > 2.0 * red) & (blue > 2.0 * green)).mean(),
        "yellow": (bright & (red > 2.0 * blue) & (abs(red - green) < 0.1 * red)).mean(),
        "orange": (bright & (red > 1.4 * green) & (green > 1.4 * blue)).mean(),
    }


def test_the_field_shows_grass_both_goals_and_the_keeper(page_of_the_save):
    shares = _shares(page_of_the_save[0][0])
    # the field is most of what is not sky; goals, keeper and ball are seen well
    assert shares["green"] > 0.1
    assert shares["blue"] > 0.003
    assert shares["yellow"] > 0.003
    assert shares["orange"] > 0.001


def _keeper_column(section, row):
    """Middle column of the keeper in the figure from the ball, -1 to 1."""
    run = read_keeper_runs(section).first
    q = run.data["q"].to_numpy()[row]
    image = render(section.robot.model, q, View(camera=from_ball(run, row)), SIZE)
    red, green, blue = np.moveaxis(image.astype(float), 2, 0)
    upper = (red > 1.4 * green) & (green > 1.4 * blue) & (red > 40.0)
    columns = np.flatnonzero(upper[: SIZE[1] // 2].any(axis=0))  # above the ball
    return (columns[0] + columns[-1]) / SIZE[0] - 1.0


def test_the_ball_sees_the_keeper_of_the_listing_in_the_middle(listing, arc):
    run = read_keeper_runs(listing).first
    row = row_of_angles(run)
    # a prism that is seen askew reaches as far to the left as to the right, but for perspective
    assert _keeper_column(listing, row) == pytest.approx(0.0, abs=0.03)
    behind = read_keeper_runs(arc).first
    assert off_middle(behind, row_of_angles(behind)) > 10.0
    assert abs(_keeper_column(arc, row_of_angles(behind))) > 0.2


# --- from above ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["arc", "listing", "goal", "save"])
def test_the_angles_that_are_drawn_are_equal(name, plotted, request):
    runs, _, panel = _top(request.getfixturevalue(name), plotted)
    dashed = [xy for xy in _lines(panel, MAGENTA) if len(xy) == 2]
    (a, b), (_, c), (_, d) = dashed
    row = row_of_angles(runs.first)
    assert a.tolist() == runs.first.observed.ball[row].tolist()
    assert (b.tolist(), c.tolist()) == ([-1.3, 0.0], [1.3, 0.0])
    assert d[1] == 0.0
    # rounding
    assert _turn(b - a, d - a) == pytest.approx(_turn(d - a, c - a), abs=1e-12)
    told = [text.get_text() for text in panel.texts if text.get_text().endswith("°")]
    assert told == 2 * [f"{np.degrees(_turn(b - a, d - a)):.1f}°"]
    arcs = [xy for xy in _lines(panel, "#222222") if len(xy) > 2]
    for arc, (one, other) in zip(arcs, ((b, d), (d, c)), strict=True):
        assert _turn(arc[0] - a, one - a) == pytest.approx(0.0, abs=1e-12)
        assert _turn(arc[-1] - a, other - a) == pytest.approx(0.0, abs=1e-12)


def test_balls_and_keepers_are_where_they_were_in_their_sizes(save, plotted):
    runs, _, panel = _top(save, plotted)
    observed = runs.first.observed
    rows = moments(runs.first)
    balls = [patch for patch in panel.patches if isinstance(patch, Circle)]
    assert [ball.center for ball in balls] == [tuple(observed.ball[row]) for row in rows]
    assert {ball.radius for ball in balls} == {0.09}
    keepers = [p for p in panel.patches if isinstance(p, Polygon) and len(p.get_xy()) == 21]
    for keeper, row in zip(keepers, rows, strict=True):
        corners = keeper.get_xy()
        assert np.ptp(corners, axis=0) == pytest.approx([0.4, 0.2])
        assert corners[:-1].mean(axis=0) == pytest.approx([observed.keeper[row], 0.0], abs=1e-12)


def test_the_ball_and_the_keeper_meet_where_the_star_is(save, plotted):
    _, _, panel = _top(save, plotted)
    (star,) = [one for one in panel.lines if one.get_marker() == "*"]
    place = np.array(star.get_xydata())[0]
    run = read_keeper_runs(save).first
    row = int(run.observed.touching.argmax())
    # a step of 1.8 mm, and how deep a step lets them overlap
    assert np.linalg.norm(place - run.observed.ball[row]) == pytest.approx(0.09, abs=4e-3)
    away = (place - [run.observed.keeper[row], 0.0]) / [0.2, 0.1]
    # facets lie up to 1.2 % within the ellipse on which their edges stand
    assert np.linalg.norm(away) == pytest.approx(1.0, abs=0.05)


def test_the_field_from_above_is_the_model_s(goal, plotted):
    _, _, panel = _top(goal, plotted)
    outlines = {}
    for filled in panel.collections:
        if isinstance(filled, PolyCollection):
            for path in filled.get_paths():
                extent = np.round(np.ptp(path.vertices, axis=0), 3)
                outlines.setdefault(tuple(extent), []).append(filled.get_facecolor()[0])
    red, green, blue, _ = outlines[(4.0, 6.0)][0]
    assert green == 1.0
    assert red == blue < 1.0
    assert panel.get_aspect() == 1.0
    assert "[m]" in panel.get_xlabel()


PAINTED = [
    *(("top", name) for name in ("arc", "goal", "save")),
    *(("curves", name) for name in ("arc", "goal")),
    *(("shot", name) for name in ("goal", "save")),
]


@pytest.mark.parametrize(("plot", "name"), PAINTED)
def test_nothing_that_is_written_is_clipped(plot, name, drawn, request):
    section = request.getfixturevalue(name)
    runs = read_keeper_runs(section)
    {
        "top": lambda: top_view(runs, section.robot.model),
        "curves": lambda: keeper_over_time(runs),
        "shot": lambda: shot_over_time(section, runs),
    }[plot]()
    (figure,) = drawn
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [legend.get_window_extent(renderer) for legend in figure.legends]
    for panel in figure.axes:
        written = [text for text in panel.texts if text.get_text()]
        boxes += [text.get_window_extent(renderer) for text in written]
        boxes += [
            label.get_window_extent(renderer) for label in (panel.xaxis.label, panel.yaxis.label)
        ]
        assert "[" in panel.get_ylabel()  # a unit
    for box in boxes:
        assert box.x0 >= -0.5
        assert box.y0 >= -0.5
        assert box.x1 <= figure.bbox.width + 0.5
        assert box.y1 <= figure.bbox.height + 0.5


@pytest.mark.slow
def test_a_ball_on_the_goal_line_has_a_page_without_angles(drawn):
    way = ("controller.path.start=[1.0, 0.0]", "controller.path.goal=[-1.0, 0.0]")
    settings = (*way, "duration=0.2")
    section = section_of("goalkeeper/to_blue", "closed-form", settings=settings)
    titles = [one.title for one in figures(section)]
    assert titles[:2] == ["The field: closed-form", "From above: closed-form"]
    assert not any(text.get_text().endswith("°") for one in drawn for text in one.axes[0].texts)
    assert tables(section)[0].rows == []
