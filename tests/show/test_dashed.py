"""Dashed lines on the ground: where they lie, how far they go, and whose they are."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.scenario.runs import run
from tests.show.meshcat_state import shown_pose
from tests.show.watching import watched

from footfall.errors import ModelError
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.terrain import Terrain
from footfall.registry.dashed import DashedLine
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.show import View, replay, start_meshcat
from footfall.show.trace import LinesOnGround, dashes_along_x, shown_pieces

POST = (-1.3, -1.0, 0.4)
LINES = (DashedLine(POST, "ball::ball"), DashedLine("upper::block", "ball::ball", "#00FFFF"))
SHORT = ("duration=0.1",)
LIFT = 0.01  # m, of lines over the ground of a machine for which a metre is not a long way


def _ball(slope_deg):
    file = "package://footfall/urdf/ball/ball.urdf"
    directive = ModelDirective(add_model=AddModel(name="ball", file=file))
    return load_model(ModelSpec([directive], Terrain(slope_deg=slope_deg)))


@pytest.mark.parametrize("slope_deg", [0.0, 20.0])
def test_a_line_joins_the_feet_of_the_perpendiculars(slope_deg):
    model = _ball(slope_deg)
    # this ball alone is small: 10 cm are a long way for it
    lines = LinesOnGround(model, [DashedLine(POST, "ball::ball")])
    slope = np.deg2rad(slope_deg)
    normal = np.array([-np.sin(slope), 0.0, np.cos(slope)])
    for place in np.random.default_rng(3).uniform(-2.0, 2.0, (20, 3)):
        ((X_WL, length),) = lines.place(np.array([1.0, 0.0, 0.0, 0.0, *place]))
        start, end = (point - normal * (normal @ point) for point in (np.array(POST), place))
        along = X_WL.rotation().matrix()
        lifted = 0.1 * LIFT * normal
        # roundings of a chain of rotations of a few metres
        np.testing.assert_allclose(X_WL.translation(), start + lifted, atol=1e-14)
        np.testing.assert_allclose(X_WL.multiply([length, 0.0, 0.0]), end + lifted, atol=1e-14)
        np.testing.assert_allclose(along[:, 2], normal, atol=1e-15)


def test_a_line_without_length_lies_somewhere():
    lines = LinesOnGround(_ball(0.0), [DashedLine("ball::ball", "ball::ball")])
    ((X_WL, length),) = lines.place(np.array([1.0, 0.0, 0.0, 0.0, 0.3, 0.2, 0.1]))
    assert length == 0.0
    assert np.isfinite(X_WL.GetAsMatrix4()).all()
    assert len(lines.dashes(length)) == 0


def test_dashes_are_shown_as_far_as_the_line_goes():
    vertices, faces = dashes_along_x(50)
    for length in np.random.default_rng(4).uniform(0.0, 9.0, 200):
        corners = vertices[faces[: 2 * shown_pieces(length)], 0]  # x of every triangle
        assert corners.max(initial=0.0) <= length + 1e-9
        shown = np.ptp(corners, axis=1)[::2].sum()
        whole, rest = divmod(length, 0.2)
        # pieces are 1 cm long
        assert 0.0 <= 0.12 * whole + min(rest, 0.12) - shown + 1e-9 < 0.01 + 2e-9


def test_a_line_that_ends_where_a_dash_would_begin_has_no_dash_there():
    lines = LinesOnGround(_ball(0.0), [])  # 10 cm between marks, a dash every 2 cm
    for number in range(1, 200):
        for length in (0.02 * number, np.nextafter(0.02 * number, np.inf)):
            dashes = lines.dashes(length)
            assert len(dashes) == number
            assert np.ptp(dashes, axis=1).min() > 0.01


def test_dashes_of_a_still_and_of_an_animation_are_the_same():
    lines = LinesOnGround(_ball(0.0), [])
    vertices, _ = dashes_along_x(8)
    begins = 0.1 * vertices[::48, 0]  # 12 pieces of 4 corners a dash; 10 cm between marks
    np.testing.assert_allclose(lines.dashes(0.155)[:, 0], begins, atol=1e-15)
    np.testing.assert_allclose(lines.dashes(0.155)[-1], [0.14, 0.152], atol=1e-15)
    np.testing.assert_allclose(lines.dashes(0.145)[-1], [0.14, 0.145], atol=1e-15)


def _foot(place):
    return [place[0], place[1], LIFT]


def test_a_watched_run_carries_the_lines_along():
    frame = 1.0 / 32.0
    settings = (f"time_step={frame / 32}", f"duration={4 * frame}")
    scenario = load_scenario("scenes/stack", settings)
    meshcat, seen = watched(scenario, "moreau", View(dashed=LINES))
    q = seen.trajectory.data["q"].isel(time=-1)
    ball, upper = (
        np.array([float(q.sel(position=f"{name}_{axis}")) for axis in "xyz"])
        for name in ("ball_ball", "upper_block")
    )
    for line, start in enumerate((np.array(POST), upper)):
        pose = shown_pose(meshcat, f"/scene/machine/dashed/{line}")
        np.testing.assert_allclose(pose[:3, 3], _foot(start), atol=1e-12)
        towards = (ball - start)[:2] / np.linalg.norm((ball - start)[:2])
        np.testing.assert_allclose(pose[:2, 0], towards, atol=1e-12)


def test_every_run_of_a_replay_has_its_lines():
    one = run("scenes/stack", "moreau", *SHORT).trajectory
    spec = build_robot(load_scenario("scenes/stack")).model.spec
    meshcat = start_meshcat()
    replay({"a": one, "b": one}, spec, meshcat, view=View(dashed=LINES))
    for name in ("a", "b"):
        assert meshcat.HasPath(f"/scene/{name}/dashed/0")
        assert meshcat.HasPath(f"/scene/{name}/dashed/1")


def test_a_body_that_there_is_not_is_told_in_one_line():
    with pytest.raises(ModelError, match="did you mean 'ball::ball'") as refusal:
        LinesOnGround(_ball(0.0), [DashedLine(POST, "ball::bal")])
    assert "\n" not in str(refusal.value)
