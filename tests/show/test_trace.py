"""Paths of points in an animation: where they are, how they grow, and whose they are."""

import numpy as np
import pytest
from tests.scenario.runs import run
from tests.show.watching import watched

from footfall.errors import ModelError
from footfall.machines.hopper.closed_form.model import CONTACT_POINTS, Hopper, position
from footfall.machines.pasibot.closed_form.linkage import PAIRS, TEXT
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, pose
from footfall.machines.pasibot.model import state_of
from footfall.registry.traced import TracedPoint
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.show import View, replay, start_meshcat, view_of
from footfall.show.trace import LiveTraces, TracedPoints, traces_of, tube

NAME = "hopper/report"
SHORT = ("duration=0.1",)
POINTS = ("hopper::P", "hopper::Q", "hopper::R")
RADIUS = 0.01
_TRACED = (("C", 1), ("E", 1), ("E", 2))  # letter and leg


@pytest.fixture(scope="module")
def machine():
    return build_robot(load_scenario(NAME))


def test_a_tube_is_as_thick_everywhere_and_grows_piece_by_piece():
    t = np.linspace(0.0, 2.0, 30)
    points = np.transpose([np.cos(3.0 * t), t, np.sin(2.0 * t)])
    vertices, faces = tube(points, RADIUS)
    away = vertices.reshape(30, 4, 3) - points[:, None]
    np.testing.assert_allclose(np.linalg.norm(away, axis=2), RADIUS, rtol=1e-12)
    assert faces.shape == (8 * 29, 3)
    for piece, of_piece in enumerate(faces.reshape(29, 8, 3)):
        # the triangles of a piece join the rings at its ends and no others
        assert set(np.unique(of_piece // 4)) == {piece, piece + 1}


def test_a_tube_through_a_point_that_rests_has_no_holes():
    points = np.zeros((5, 3))
    points[3:, 1] = [1.0, 2.0]
    vertices, _ = tube(points, RADIUS)
    assert np.isfinite(vertices).all()
    np.testing.assert_allclose(
        np.linalg.norm(vertices - np.repeat(points, 4, axis=0), axis=1), RADIUS, rtol=1e-12
    )


def test_every_run_of_a_replay_has_its_paths(machine):
    one = run(NAME, "hybrid", *SHORT).trajectory
    meshcat = start_meshcat()
    replay({"a": one, "b": one}, machine.model.spec, meshcat, view=View(traced=POINTS))
    for name in ("a", "b"):
        for point in "PQR":
            assert meshcat.HasPath(f"/scene/{name}/traces/{point}")


def test_a_watched_run_leaves_its_paths():
    meshcat, _ = watched(load_scenario(NAME, ("duration=0.2",)), "moreau", View(POINTS))
    for point in "PQR":
        assert meshcat.HasPath(f"/scene/machine/traces/{point}/0")


def test_a_live_path_is_continued_in_pieces(machine):
    meshcat = start_meshcat()
    traces = LiveTraces(meshcat, machine.model, "/traces", POINTS[:1])
    for step in range(100):
        traces.extend(np.array([0.01 * step, 0.0, 1.9, -1.9]))
    assert meshcat.HasPath("/traces/P/1")
    assert not meshcat.HasPath("/traces/P/2")  # of 64 points each


def test_a_contact_that_the_model_lacks_is_told_in_one_line(machine):
    with pytest.raises(ModelError, match="hopper::S") as refusal:
        TracedPoints(machine.model, ["hopper::S"])
    assert "\n" not in str(refusal.value)


def test_contacts_and_points_in_frames_are_where_the_closed_form_says(machine):
    """The end of a link is its length from its origin; analytic positions know no plant."""
    l = Hopper().parameters.l
    closed = Hopper()
    ends = (
        TracedPoint("Q", "hopper::link_1", (2.0 * l, 0.0, 0.0)),
        TracedPoint("hinge", "hopper::link_2"),
        TracedPoint("R", "hopper::link_2", (2.0 * l, 0.0, 0.0)),
    )
    points = TracedPoints(machine.model, (*POINTS, *ends))
    P, Q, R = CONTACT_POINTS
    for q in np.random.default_rng(6).uniform(-3.0, 3.0, (20, 4)):
        x, z = np.array([position(closed, q, point) for point in (P, Q, R, Q, Q, R)]).T
        # roundings of two chains of rotations of metres
        np.testing.assert_allclose(points.places(q), np.transpose([x, 0.0 * x, z]), atol=1e-14)
    assert [trace.name for trace in traces_of(ends)] == ["Q", "hinge", "R"]


def test_the_points_of_pasibot_are_the_coupler_and_both_ankles():
    """The closed form has them from below the ankle of the supporting foot."""
    scenario = load_scenario("pasibot/walk")
    model = build_robot(scenario).model
    traced = view_of(scenario).traced
    points = TracedPoints(model, traced)
    assert [trace.name for trace in traces_of(traced)] == ["C", "ankle 1", "ankle 2"]
    places = [next(k for k, pair in enumerate(PAIRS) if pair[2:4] == at) for at in _TRACED]
    for th8 in np.linspace(STEP_BEGINS, STEP_ENDS, 9)[:-1]:
        found = points.places(state_of(model.plant, TEXT, th8, 0.0)[: model.plant.num_positions()])
        expected = pose(TEXT, th8).joints.value[places]
        # loops of some ten links, closed to rounding
        np.testing.assert_allclose(found[:, 0] + 1j * found[:, 2], expected, atol=1e-13)


def test_a_frame_that_the_model_lacks_is_told_in_one_line(machine):
    with pytest.raises(ModelError, match="did you mean 'hopper::link_2'") as refusal:
        TracedPoints(machine.model, [TracedPoint("R", "hopper::lnk_2")])
    assert "\n" not in str(refusal.value)


def test_the_study_says_what_is_traced():
    assert view_of(load_scenario(NAME)).traced == POINTS
    assert view_of(load_scenario("biped/climb")).traced == ()
    assert view_of(load_scenario("scenes/stack")).traced == ()
    assert [trace.name for trace in traces_of(POINTS)] == ["P", "Q", "R"]
    assert len({trace.colour for trace in traces_of(POINTS)}) == 3
