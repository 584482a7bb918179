"""Dashed lines and cameras of a recording, in a real browser: where they are, frame by frame."""

import numpy as np
import pytest
from tests.browser.chromium import Page, chromium_path
from tests.scenario.runs import run

from footfall.registry.dashed import DashedLine
from footfall.scenario.assemble import model_spec
from footfall.scenario.cameras import Camera
from footfall.scenario.io import load_scenario
from footfall.show import View, recording_html

pytestmark = pytest.mark.slow

NAME, SHORT = "scenes/stack", ("duration=0.6",)
POST = (-1.3, -1.0, 0.0)
VIEW = View(
    dashed=(DashedLine(POST, "ball::ball"), DashedLine("upper::block", "ball::ball")),
    camera=Camera([2.0, -4.0, 1.5], [0.2, 0.1, 0.3], 40.0),
)
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    chromium_path()  # skips before anything is simulated
    folder = tmp_path_factory.mktemp("browser")
    trajectory = run(NAME, "moreau", *SHORT).trajectory
    page_file = folder / "recording.html"
    page_file.write_text(
        recording_html({"one": trajectory}, model_spec(load_scenario(NAME)), view=VIEW)
    )
    with Page(folder / "profile", 1000, 500) as page:
        page.open(page_file)
        page.wait_for("window.viewer && viewer.animator && viewer.animator.duration > 0")
        page.evaluate("viewer.animator.pause()")
        yield page


def _seek(page, time):
    """Show a time of the recording; returns the row of the run that is shown."""
    rate = 80 / 0.6  # frames a second, of which a short recording gets 80
    frame = round(time * rate)
    page.evaluate(f"viewer.animator.seek({frame / rate}); {FRAMES}")
    q = run(NAME, "moreau", *SHORT).trajectory.data["q"]
    return q.sel(time=frame / rate + 1e-9, method="ffill")


def _found(path):
    names = ", ".join(f"'{name}'" for name in path.split("/"))
    return f"viewer.scene_tree.find([{names}]).object"


def _place(q, name):
    return np.array([float(q.sel(position=f"{name}_{axis}")) for axis in "xyz"])


def test_ends_go_along_with_the_bodies(tab):
    lengths = []
    for time in (0.0, 0.15, 0.3, 0.6):
        q = _seek(tab, time)
        ball = _place(q, "ball_ball")
        for line, start in enumerate((np.array(POST), _place(q, "upper_block"))):
            found = _found(f"scene/one/dashed/{line}")
            pose = tab.evaluate(f"{found}.updateMatrix(); [...{found}.matrix.elements]")
            X_WL = np.array(pose).reshape(4, 4, order="F")
            mesh = _found(f"scene/one/dashed/{line}/<object>")
            count = tab.evaluate(f"{mesh}.geometry.drawRange.count")
            # floats of 32 bits over some metres
            np.testing.assert_allclose(X_WL[:3, 3], [*start[:2], 0.01], atol=1e-5)
            way = (ball - start)[:2]
            length = np.linalg.norm(way)
            np.testing.assert_allclose(X_WL[:2, 0], way / length, atol=1e-5)
            # 6 indices a piece, 12 pieces of 1 cm a dash, a dash every 20 cm
            whole, rest = divmod(length, 0.2)
            drawn = 0.01 * count / 6.0
            assert drawn == pytest.approx(0.12 * whole + min(rest, 0.12), abs=0.011)
            lengths.append(length)
    assert np.ptp(lengths[::2]) > 0.3  # it did move


def _magenta(picture):
    red, green, blue = np.moveaxis(picture.astype(int), 2, 0)
    return (red - green > 60) & (blue - green > 60)


def _seen_at(point):
    """Column and row of a point in a picture of 1000 x 500, by the tangents of its bearing."""
    position, target = np.array(VIEW.camera.position), np.array(VIEW.camera.target)
    forward = (target - position) / np.linalg.norm(target - position)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    away = np.asarray(point) - position
    scale = 250.0 / np.tan(np.deg2rad(0.5 * VIEW.camera.field_of_view)) / (away @ forward)
    return np.array([500.0 + scale * (away @ right), 250.0 - scale * (away @ up)])


def test_the_named_camera_sees_the_lines_where_they_are(tab):
    for time in (0.0, 0.3, 0.6):
        _seek(tab, time)
        rows, columns = np.nonzero(_magenta(tab.picture()))
        seen = np.column_stack((columns, rows)) + 0.5
        # the camera stands still: the post is at its place in every frame, to half a line's width
        away = np.linalg.norm(seen - _seen_at((*POST[:2], 0.01)), axis=1)
        assert away.min() < 4.0
        assert columns.min() > _seen_at(POST)[0] - 5.0  # nothing lies beyond it


def test_the_console_is_silent(tab):
    # a path that three.js does not find would be warned of there
    warned = [
        event["params"]["args"]
        for event in tab.events
        if event["method"] == "Runtime.consoleAPICalled" and event["params"]["type"] == "warning"
    ]
    assert warned == []
    assert tab.errors() == []
