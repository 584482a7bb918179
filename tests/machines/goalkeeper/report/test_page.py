"""The goalkeeper's report: what its figures show is what happened, and what is told of it."""

import base64
import io

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image
from tests.scenario.runs import run

from footfall.machines.goalkeeper.report.field import (
    moments,
    read_keeper_runs,
    row_of_angles,
    top_view,
)
from footfall.machines.goalkeeper.report.page import (
    REPORT,
    figures,
    keeper_over_time,
    lifted,
    phases,
    rolling_alone,
    shot_over_time,
)
from footfall.registry.machines import machines
from footfall.report import Section
from footfall.report.bands import marking, phase_bands
from footfall.report.machine_report import report_of
from footfall.scenario.io import load_scenario

ARC, SHOT = "goalkeeper/arc", "goalkeeper/shot_rolling"
QUICK = ("controller.max_speed=1.5", "controller.max_acceleration=8.0")  # saves the shot
MAGENTA = "#FF00FF"
GRAVITY, MU = 9.81, 0.5


def section_of(name, *engines, settings=()):
    """A shipped scenario with its runs in engines."""
    runs = {engine: run(name, engine, *settings) for engine in engines}
    return Section(name, load_scenario(name, settings), runs)


@pytest.fixture(scope="module")
def arc():
    """The listing's arc, with a keeper that has bounds and with the listing's."""
    return section_of(ARC, "moreau", "closed-form")


@pytest.fixture(scope="module")
def goal():
    """A shot that is a goal."""
    return section_of(SHOT, "moreau")


@pytest.fixture(scope="module")
def save():
    """The same shot, saved by a keeper that is quicker."""
    return section_of(SHOT, "moreau", settings=QUICK)


def _turn(a, b):
    """Angle between two directions by the chord between their unit vectors [rad]."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return 2.0 * np.arcsin(0.5 * np.linalg.norm(b - a))


def _top(section, plotted):
    runs = read_keeper_runs(section)
    top_view(runs, section.robot.model)
    return runs, plotted[-1].axes[0]


# --- the field -----------------------------------------------------------------------------------


def test_the_report_has_its_figures_and_the_field_shows_grass_both_goals_and_the_keeper(save):
    pictures = [one for one in figures(read_keeper_runs(save)) if one is not None]
    assert [one.title for one in pictures] == [
        "The field: moreau",
        "From above: moreau",
        "The keeper over time",
        "The shot",
        "Generalized positions",
        "Generalized velocities",
    ]
    assert report_of(machines()["goalkeeper"]).figures is figures
    head, _, content = pictures[0].source.partition(",")
    assert head == "data:image/png;base64"
    image = Image.open(io.BytesIO(base64.b64decode(content))).convert("RGB")
    red, green, blue = np.moveaxis(np.asarray(image).astype(float), 2, 0)
    bright = np.maximum(np.maximum(red, green), blue) > 40.0
    # the field is most of what is not sky; goals, keeper and ball are seen well
    assert (bright & (green > 2.0 * red) & (green > 2.0 * blue)).mean() > 0.1
    assert (bright & (blue > 2.0 * red) & (blue > 2.0 * green)).mean() > 0.003
    assert (bright & (red > 2.0 * blue) & (abs(red - green) < 0.1 * red)).mean() > 0.003
    assert (bright & (red > 1.4 * green) & (green > 1.4 * blue)).mean() > 0.001


@pytest.mark.parametrize("name", ["arc", "goal", "save"])
def test_the_angles_that_are_drawn_are_equal(name, plotted, request):
    runs, panel = _top(request.getfixturevalue(name), plotted)

    def lines(colour):
        drawn = [one for one in panel.lines if to_rgb(one.get_color()) == to_rgb(colour)]
        return [np.array(one.get_xydata()) for one in drawn]

    (a, b), (_, c), (_, d) = (xy for xy in lines(MAGENTA) if len(xy) == 2)
    row = row_of_angles(runs.first)
    assert a.tolist() == runs.first.observed.ball[row].tolist()
    assert (b.tolist(), c.tolist()) == ([-1.3, 0.0], [1.3, 0.0])
    assert d[1] == 0.0
    # rounding
    assert _turn(b - a, d - a) == pytest.approx(_turn(d - a, c - a), abs=1e-12)
    written = [text.get_text() for text in panel.texts if text.get_text().endswith("°")]
    assert written == 2 * [f"{np.degrees(_turn(b - a, d - a)):.1f}°"]
    arcs = [xy for xy in lines("#38383f") if len(xy) > 2]
    for arc, (one, other) in zip(arcs, ((b, d), (d, c)), strict=True):
        assert _turn(arc[0] - a, one - a) == pytest.approx(0.0, abs=1e-12)
        assert _turn(arc[-1] - a, other - a) == pytest.approx(0.0, abs=1e-12)


def test_balls_and_keepers_are_where_they_were_in_their_sizes(save, plotted):
    runs, panel = _top(save, plotted)
    observed = runs.first.observed
    rows = moments(runs.first)
    balls = [p.get_xy()[:-1] for p in panel.patches if len(p.get_xy()) == 101]
    for ball, row in zip(balls, rows, strict=True):
        assert ball.mean(axis=0) == pytest.approx(observed.ball[row], abs=1e-12)
        assert np.hypot(*(ball - observed.ball[row]).T) == pytest.approx(0.09)
    keepers = [p for p in panel.patches if len(p.get_xy()) == 21]
    for keeper, row in zip(keepers, rows, strict=True):
        corners = keeper.get_xy()
        assert np.ptp(corners, axis=0) == pytest.approx([0.4, 0.2])
        assert corners[:-1].mean(axis=0) == pytest.approx([observed.keeper[row], 0.0], abs=1e-12)
    (star,) = [one for one in panel.lines if one.get_marker() == "*"]
    touched = int(observed.touching.argmax())
    assert np.array(star.get_xydata())[0].tolist() == observed.ball[touched].tolist()


@pytest.mark.parametrize(("paper", "ink"), [("#ffffff", "#1d1f21"), ("#17191c", "#e6e6e6")])
def test_letters_are_read_on_the_grass_in_light_and_dark(save, paper, ink, plotted):
    """By the contrast of 4.5 that WCAG 2.1 asks for, with the colours of the page."""
    _, panel = _top(save, plotted)
    lowest = min(panel.patches, key=lambda patch: patch.get_zorder())
    grass, alpha = np.array(to_rgb(lowest.get_facecolor())), lowest.get_alpha()
    assert grass[1] > 2.0 * max(grass[0], grass[2])

    def luminance(colour):
        linear = np.where(colour <= 0.03928, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    seen = alpha * grass + (1.0 - alpha) * np.array(to_rgb(paper))
    dim, bright = sorted((luminance(seen), luminance(np.array(to_rgb(ink)))))
    assert (bright + 0.05) / (dim + 0.05) > 4.5


@pytest.mark.slow
def test_a_ball_on_the_goal_line_has_a_page_without_angles(drawn):
    way = ("controller.path.start=[1.0, 0.0]", "controller.path.goal=[-1.0, 0.0]")
    settings = (*way, "duration=0.2")
    section = section_of("goalkeeper/to_blue", "closed-form", settings=settings)
    assert len([one for one in figures(read_keeper_runs(section)) if one is not None]) == 5
    assert not any(text.get_text().endswith("°") for one in drawn for text in one.axes[0].texts)


# --- over time -----------------------------------------------------------------------------------


def test_bounds_are_drawn_and_kept_and_saturation_is_shaded(goal, plotted):
    runs = read_keeper_runs(goal)
    with marking(phase_bands(phases(runs))):
        keeper_over_time(runs)
    place, speed, acceleration, _ = plotted[0].axes

    def bounds(panel):
        flat = [one for one in panel.lines if np.array_equal(one.get_xdata(), [0.0, 1.0])]
        return sorted(float(one.get_ydata()[0]) for one in flat)

    assert bounds(place) == pytest.approx([-0.91, 0.91])
    assert bounds(speed) == [-0.5, 0.5]
    assert bounds(acceleration) == [-2.0, 2.0]
    run = runs.first
    # rounding of a difference of speeds over a step
    assert np.abs(run.acceleration[1]).max() <= 2.0 + 1e-9
    assert np.abs(run.observed.keeper_speed).max() <= 0.5 + 1e-12
    assert np.abs(run.observed.keeper).max() <= 0.91 + 1e-12
    a, b = (np.hypot(run.observed.ball[:, 0] - x, run.observed.ball[:, 1]) for x in (-1.3, 1.3))
    beyond = np.abs(1.3 * (a - b) / (a + b)) > 0.91
    assert beyond.any()
    shaded = np.zeros(len(run.time), dtype=bool)
    for patch in acceleration.patches:
        start, end = patch.get_xy()[:, 0].min(), patch.get_xy()[:, 0].max()
        shaded |= (run.time >= start - 1e-9) & (run.time <= end + 1e-9)
    np.testing.assert_array_equal(shaded, beyond)


def test_the_closed_form_is_drawn_up_to_the_first_touch(save, plotted):
    runs = read_keeper_runs(save)
    shot_over_time(runs)
    panel = plotted[0].axes[0]
    curves = {one.get_label(): np.array(one.get_xydata()) for one in panel.lines}
    met, what = runs.first.first_obstacle
    assert what == "keeper"
    time, speed = curves["closed form"].T
    assert time[-1] == met
    driven = curves["moreau"][: len(time) - 1, 1]
    # friction is constant, then none: Moreau's steps are exact
    assert driven == pytest.approx(speed[:-1], abs=1e-12)
    # momentum about the lowest point is kept: v (1 + 2/3) = v0
    assert speed[-1] == pytest.approx(0.6 * speed[0])


def test_a_ball_with_spin_has_no_closed_form_beside_it():
    section = section_of(
        SHOT, "moreau", settings=("initial.velocities.ball_ball_wz=1.0", "duration=0.01")
    )
    assert rolling_alone(read_keeper_runs(section)) is None


# --- what is told --------------------------------------------------------------------------------


@pytest.mark.slow
def test_only_sap_lifts_a_ball_that_slides():
    short = ("duration=0.3",)
    section = section_of(SHOT, "moreau", "drake-lagged", "drake-sap", settings=short)
    runs = read_keeper_runs(section)
    ((name, height),) = lifted(runs)
    assert name == "drake-sap"
    # at least a centimetre of the 115 mm that mu v = 1.5 m/s would throw it
    assert 0.01 < height < (MU * 3.0) ** 2 / (2.0 * GRAVITY)
    assert f"In drake-sap the ball rises {1e3 * height:.0f} mm" in " ".join(REPORT.notes(runs))


def test_notes_say_what_is_published_and_what_is_assumed(arc, save):
    text = " ".join(REPORT.notes(read_keeper_runs(arc)))
    wanted = float(np.nanmax(np.abs(read_keeper_runs(arc).first.target[1])))
    for words in ("BD:DC = AB:AC", "Published are", "Assumed are", f"{wanted:.3g} m/s", "0.91 m"):
        assert words in text
    assert "slides" not in text
    text = " ".join(REPORT.notes(read_keeper_runs(save)))
    assert "moreau: saved, the ball meets the keeper at 0.9" in text
    assert "thin shell" in text
