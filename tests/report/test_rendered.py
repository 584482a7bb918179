"""Stills rendered by VTK: bodies are where a camera of one's own sees them, in their colours."""

import base64
import io

import numpy as np
import pytest
from PIL import Image
from pydrake.multibody.parsing import AddModel, ModelDirective

from footfall.errors import RunError
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.terrain import Terrain
from footfall.registry.dashed import DashedLine
from footfall.report import rendered
from footfall.report.rendered import pose_of, render, rendered_figure
from footfall.scenario.assemble import build_robot
from footfall.scenario.cameras import Camera
from footfall.scenario.io import load_scenario
from footfall.show import View

SIZE = (320, 200)
SIDE = Camera([1.0, -4.0, 1.5], [0.2, 0.1, 0.3], 40.0)
ABOVE = Camera([0.5, 0.3, 6.0], [0.5, 0.3, 0.0], 40.0)


@pytest.fixture(scope="module")
def ball():
    """A red ball of 10 cm, on ground that is not seen."""
    file = "package://footfall/urdf/ball/ball.urdf"
    directive = ModelDirective(add_model=AddModel(name="ball", file=file))
    return load_model(ModelSpec([directive], Terrain(visible=False)))


def _at(*place):
    return np.array([1.0, 0.0, 0.0, 0.0, *place])


def _projected(camera, point, size=SIZE):
    """Column and row of a point by the tangents of its bearing, without a rotation matrix."""
    position, target = np.array(camera.position), np.array(camera.target)
    forward = (target - position) / np.linalg.norm(target - position)
    level = np.cross(forward, [0.0, 0.0, 1.0])
    if np.linalg.norm(level) < 1e-9:
        level = np.array([1.0, 0.0, 0.0])
    right = level / np.linalg.norm(level)
    up = np.cross(right, forward)
    away = np.asarray(point) - position
    scale = 0.5 * size[1] / np.tan(np.deg2rad(0.5 * camera.field_of_view))
    depth = away @ forward
    return (
        0.5 * size[0] + scale * (away @ right) / depth,
        0.5 * size[1] - scale * (away @ up) / depth,
    )


def _red(picture):
    red, green, blue = np.moveaxis(picture.astype(int), 2, 0)
    return (red > 1.8 * green + 8) & (red > 1.8 * blue + 8)


@pytest.mark.parametrize("camera", [SIDE, ABOVE], ids=["side", "above"])
@pytest.mark.parametrize("place", [(0.0, 0.0, 0.3), (0.7, 0.4, 0.1), (-0.4, 0.3, 0.8)])
def test_a_ball_is_seen_where_it_is(ball, camera, place):
    seen = _red(render(ball, _at(*place), View(camera=camera), SIZE))
    rows, columns = np.nonzero(seen)
    assert len(rows) > 20
    column, row = _projected(camera, place)
    # of a ball that is not in the middle an ellipse is seen, whose middle is some hundredths of a
    # radius off; edges are right to a pixel
    assert columns.min() + columns.max() + 1 == pytest.approx(2.0 * column, abs=2.5)
    assert rows.min() + rows.max() + 1 == pytest.approx(2.0 * row, abs=2.5)


def test_where_nothing_is_there_is_light_sky(ball):
    picture = render(ball, _at(0.0, 0.0, 0.3), View(camera=SIDE), SIZE)
    sky = picture[0, 0]
    assert (sky > 230).all()
    assert (picture[~_red(picture)] == sky).all(axis=1).mean() > 0.98


def test_dashed_lines_go_from_end_to_end(ball):
    start, place = (-0.25, -0.2, 0.0), (0.3, 0.15, 0.1)
    near, fine = Camera([0.0, 0.0, 1.5], [0.0, 0.0, 0.0], 40.0), (640, 400)
    view = View(dashed=(DashedLine(start, "ball::ball"),), camera=near)
    picture = render(ball, _at(*place), view, fine).astype(int)
    others = picture[:, :, 1] + 60
    rows, columns = np.nonzero((picture[:, :, 0] > others) & (picture[:, :, 2] > others))
    from_start = np.column_stack((columns, rows)) + 0.5 - _projected(near, start, fine)
    line = np.subtract(_projected(near, (*place[:2], 0.0), fine), _projected(near, start, fine))
    along = from_start @ line / (line @ line)
    across = from_start @ [-line[1], line[0]] / np.linalg.norm(line)
    # dashes are 1.5 pixels wide, the line is 240 long; the ball hides its end
    assert np.abs(across).max() < 2.0
    assert along.min() == pytest.approx(0.0, abs=0.01)
    assert 0.75 < along.max() < 1.0
    # of every 20 mm, which are 7 pixels, 12 mm are drawn
    period = 0.02 / np.hypot(*np.subtract(place, start)[:2])
    phase = along % period / period
    assert ((phase > 0.75) & (phase < 0.85)).mean() < 0.02
    assert ((phase > 0.1) & (phase < 0.5)).mean() > 0.4


def test_the_ground_is_seen_and_a_machine_is_framed():
    machine = build_robot(load_scenario("biped/climb"))
    q = machine.initial_state[: machine.plant.num_positions()]
    picture = render(machine.model, q, size=SIZE).astype(int)
    grey = (np.ptp(picture, axis=2) < 12) & (picture.max(axis=2) < 225)
    assert grey[-1].all()  # the slab reaches the lower edge and ends below the upper one
    assert not grey[0].any()
    rows, _ = np.nonzero(_red(picture))  # knees, feet and the hip
    assert rows.min() > 0
    assert rows.max() < SIZE[1] - 1
    assert np.ptp(rows) > 0.6 * SIZE[1]


def test_a_camera_is_upright():
    for camera in (SIDE, Camera([0.0, 0.0, 1.0], [3.0, -2.0, 1.0])):
        x, y, z = pose_of(camera).rotation().matrix().T
        assert x[2] == pytest.approx(0.0, abs=1e-15)
        assert y[2] < 0.0  # y of a picture goes down
        ahead = np.subtract(camera.target, camera.position)
        np.testing.assert_allclose(z, ahead / np.linalg.norm(ahead), atol=1e-15)
    np.testing.assert_allclose(
        pose_of(ABOVE).rotation().matrix(), np.diag([1.0, -1.0, -1.0]), atol=1e-15
    )


def test_a_figure_is_the_picture_itself(ball, capfd):
    q, view = _at(0.2, 0.0, 0.3), View(camera=SIDE)
    figure = rendered_figure("A ball", "A ball above.", ball, q, view=view, note="seen")
    assert (figure.title, figure.alt, figure.note) == ("A ball", "A ball above.", "seen")
    kind, _, data = figure.source.partition(",")
    assert kind == "data:image/png;base64"
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))
    assert np.array_equal(pixels, render(ball, q, view))
    assert capfd.readouterr() == ("", "")


def test_where_vtk_does_not_work_one_line_says_so(ball, monkeypatch):
    def broken(_parameters):
        raise RuntimeError("no EGL\nhere")

    monkeypatch.setattr(rendered, "MakeRenderEngineVtk", broken)
    with pytest.raises(RunError, match="VTK cannot render the scene") as refusal:
        render(ball, _at(0.0, 0.0, 0.3), View(camera=SIDE), SIZE)
    assert "\n" not in str(refusal.value)
