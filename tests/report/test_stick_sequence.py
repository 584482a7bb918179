"""Stick figures of a robot without a machine: joints, shapes and ground as in its plant."""

import numpy as np
import pytest
from tests.report.test_robot_figures import section, with_feet  # noqa: F401 (fixtures)

from footfall.registry.traced import TracedPoint
from footfall.report.machine_report import report_of
from footfall.report.run_view import views_of
from footfall.report.stick_sequence import (
    Skeleton,
    sequence_of,
    spread_rows,
    stick_figures,
    stick_sequence,
)

REACH = 0.5  # m: from the hip to the knee
BOX = (0.2, 0.1, 0.1)  # m


@pytest.fixture(scope="module")
def view(section):  # noqa: F811
    return views_of(section).first


def test_links_join_the_joints_and_shapes_of_their_bodies(section, view):  # noqa: F811
    skeleton = Skeleton(section.robot.model, [TracedPoint("knee", "robot::thigh")])
    assert [link.name for link in skeleton.links] == ["trunk", "yoke", "thigh"]
    q = view.data["q"].to_numpy()[-1]
    posture = skeleton.posture(q)
    hip, knee = posture.joints[1].T
    assert np.linalg.norm(knee - hip) == pytest.approx(REACH)
    np.testing.assert_allclose(posture.points[:, 0], knee, atol=1e-12)
    trunk, _, thigh = posture.outlines
    for (outline,) in (trunk, thigh):
        corners = outline.T
        apart = np.linalg.norm(corners[:, None] - corners, axis=-1)
        assert apart.max() == pytest.approx(np.linalg.norm(BOX))
        assert corners.shape == (8, 3)
    masses = [link.body.default_mass() for link in skeleton.links]
    plant = section.robot.plant
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    centres = [
        link.body.EvalPoseInWorld(context).multiply(link.body.default_com())
        for link in skeleton.links
    ]
    np.testing.assert_allclose(posture.centre, np.average(centres, axis=0, weights=masses))
    ((point, centre),) = skeleton.path(q[None])
    np.testing.assert_array_equal(point, posture.points[:, 0])
    np.testing.assert_array_equal(centre, posture.centre)


def test_a_robot_without_a_machine_is_drawn_first(section):  # noqa: F811
    titles = [figure.title for figure in report_of(None).figures(views_of(section))]
    assert titles == ["The motion: moreau", "Generalized positions", "Generalized velocities"]


def test_postures_lie_in_equal_axes_on_their_ground(section, view, drawn):  # noqa: F811
    stick_figures(views_of(section))
    (panel,) = drawn[0].axes
    assert panel.get_aspect() == 1.0
    ground = next(line for line in panel.lines if line.get_linewidth() == 1.8)
    np.testing.assert_array_equal(ground.get_ydata(), 0.0)
    low, high = panel.get_xlim()
    np.testing.assert_allclose(ground.get_xdata(), [low, high])
    times = [text.get_text() for text in panel.texts]
    assert times == [f"{time:.2f} s" for time in view.time[[0, -1]]]
    # two boxes in every posture
    assert len(panel.patches) == 2 * len(spread_rows(view))


def test_paths_end_where_the_last_posture_has_its_points(section, view):  # noqa: F811
    seen = sequence_of(section, view, [0, 5])
    np.testing.assert_array_equal(seen.paths[-1, -1], seen.postures[-1].centre)
    figure = stick_sequence(seen, "Two moments", centre=True)
    assert figure.title == "Two moments"
    assert "at 2 moments" in figure.alt
