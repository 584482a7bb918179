"""Forces of scenery that is one surface: arrows and cones about the normal of the facet."""

import numpy as np
import pytest
from tests.engines.scenery import MASS, RADIUS, TOUCH, at, ball, play, scene, tiles
from tests.engines.tiny import GRAVITY
from tests.show.meshcat_state import is_visible, shown_pose
from tests.show.watching import watched

from footfall.scenario.assemble import build_robot
from footfall.show import View, replay, start_meshcat
from footfall.show.forces import cones_of, force_scale

SLOPE = np.deg2rad(15.0)
CONTACT = "ball::skin|ramp::floor"
PLACE = CONTACT.replace("::", "/")
NORMAL = np.array([-np.sin(SLOPE), 0.0, np.cos(SLOPE)])


@pytest.fixture(scope="module")
def rolling(tmp_path_factory):
    """A ball that rolls down a ramp of boxes."""
    ends = np.array([[x, 1.0 + x * np.tan(SLOPE)] for x in np.linspace(-0.5, 0.5, 6)])
    x, y, z = np.array([0.0, 0.0, 1.0]) + (RADIUS - TOUCH) * NORMAL
    bodies = {"ramp": tiles("ramp", ends), "ball": ball(RADIUS, MASS)}
    return scene(
        tmp_path_factory.mktemp("ramp"),
        bodies,
        {"ball": at((x, y, z))},
        friction=0.4,
        duration=0.25,
    )


def _is_right(meshcat, model, scenes):
    normal, friction = (
        shown_pose(meshcat, f"{scenes}/contact_forces/{PLACE}/{kind}")[:3, 2]
        for kind in ("normal", "friction")
    )
    np.testing.assert_allclose(normal, NORMAL, atol=1e-9)
    # a solid ball is held by 2/7 of the downhill force, uphill
    uphill = np.array([np.cos(SLOPE), 0.0, np.sin(SLOPE)])
    np.testing.assert_allclose(friction, uphill, atol=1e-9)
    head = shown_pose(meshcat, f"{scenes}/contact_forces/{PLACE}/normal/head")[2, 3]
    assert head == pytest.approx(force_scale(model).of(MASS * GRAVITY * np.cos(SLOPE)), rel=1e-6)
    cone = shown_pose(meshcat, f"{scenes}/friction_cones/{PLACE}/cone")
    np.testing.assert_allclose(cone[:3, 2], NORMAL, atol=1e-9)
    assert is_visible(meshcat, f"{scenes}/friction_cones/{PLACE}/cone")


def test_a_watched_run_and_a_recording_show_what_the_surface_does(rolling):
    machine = build_robot(rolling)
    cones = cones_of(machine.contacts)
    assert [cone.contact for cone in cones] == ["ball::skin", CONTACT]
    assert cones[1].mu == pytest.approx(0.4)
    meshcat, _ = watched(rolling, "moreau", View(cones=cones))
    _is_right(meshcat, machine.model, "/scene")


def test_a_recording_has_them_too_and_hides_what_has_no_place(rolling):
    machine = build_robot(rolling)
    meshcat = start_meshcat()
    replay(
        {"one": play(rolling).trajectory}, machine.model.spec, meshcat,
        view=View(cones=cones_of(machine.contacts)),
    )  # fmt: skip
    assert meshcat.HasPath(f"/scene/contact_forces/{PLACE}/normal")
    assert meshcat.HasPath(f"/scene/friction_cones/{PLACE}/cone")
    assert not meshcat.HasPath(
        "/scene/contact_forces/ball/skin/normal"
    )  # it never meets the ground
