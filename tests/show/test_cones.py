"""Friction cones in an animation: how wide, how high, where, and around which force."""

import numpy as np
import pytest
from pydrake.geometry import Meshcat
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.scenario.runs import run
from tests.show.meshcat_state import is_visible, shown_pose, shown_scale
from tests.show.watching import watched

from footfall.plants.contacts import ContactMaterial, collect_contacts
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.terrain import Terrain
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.show import View, replay, start_meshcat, view_of
from footfall.show.forces import ContactCones, FrictionCone, cones_of, force_scale

BALL = "ball::ball"
SOLES = ("pasibot::heel_1", "pasibot::toe_1", "pasibot::heel_2", "pasibot::toe_2")
SLOPE = 20.0
PLACE = np.array([[0.3, 0.1, 0.4]])


def _ball(slope_deg=0.0):
    file = "package://footfall/urdf/ball/ball.urdf"
    directive = ModelDirective(add_model=AddModel(name="ball", file=file))
    return load_model(ModelSpec([directive], Terrain(slope_deg=slope_deg)))


@pytest.fixture(scope="module")
def meshcat():
    return Meshcat()


@pytest.fixture(scope="module")
def model():
    return _ball(SLOPE)


@pytest.fixture
def drawn(meshcat, model):
    """Draw a force of some weights in [n, t, s]; gives the path and the length of a weight."""
    meshcat.Delete("/cones")
    cones = ContactCones(meshcat, "/cones", [BALL], [FrictionCone(BALL, 0.5)], model)
    scale = force_scale(model)
    R_WT = model.spec.terrain.X_WTerrain().rotation().matrix()
    axes = R_WT[None][:, :, [2, 0, 1]]

    def draw(*weights, place=PLACE):
        cones.draw(place, axes, scale.weight * np.array([weights]))
        return "/cones/ball/ball", scale.length

    return draw


def test_the_cone_opens_by_static_friction(meshcat, drawn):
    path, _ = drawn(1.0, 0.2, -0.1)
    wide, other, high = shown_scale(meshcat, f"{path}/cone/shape")
    assert wide == other
    assert np.arctan(wide / high) == pytest.approx(np.arctan(0.5))
    assert is_visible(meshcat, f"{path}/cone")


def test_its_axis_is_the_normal_of_the_ground(meshcat, drawn):
    path, _ = drawn(1.0, 0.2, 0.0)
    pose = shown_pose(meshcat, f"{path}/cone")
    slope = np.deg2rad(SLOPE)
    np.testing.assert_allclose(pose[:3, 2], [-np.sin(slope), 0.0, np.cos(slope)], atol=1e-15)
    np.testing.assert_allclose(pose[:3, 3], PLACE[0], atol=0.0)


@pytest.mark.parametrize("share", [0.3, 1.0, -1.0, 1.4])
def test_the_tip_of_the_force_is_in_the_mouth_unless_the_cone_is_left(meshcat, drawn, share):
    """By the poses that a browser has; a share of the friction that there is, along t or s."""
    for weights in ((1.2, 1.2 * 0.5 * share, 0.0), (0.7, 0.0, 0.7 * 0.5 * share)):
        path, length = drawn(*weights)
        arrow = shown_pose(meshcat, f"{path}/force")
        head = shown_pose(meshcat, f"{path}/force/head")[2, 3]
        assert head == pytest.approx(length * np.linalg.norm(weights))
        # the head is two of its radii of 0.07 weights long
        tip = arrow[:3, 2] * (head + 0.14 * length)
        cone = shown_pose(meshcat, f"{path}/cone")[:3, :3].T @ tip
        wide, _, high = shown_scale(meshcat, f"{path}/cone/shape")
        assert cone[2] == pytest.approx(high)
        assert np.hypot(*cone[:2]) == pytest.approx(abs(share) * wide)


def test_what_is_not_pressed_has_neither_cone_nor_force(meshcat, drawn):
    for weights in ((0.0, 0.0, 0.0), (-1.0, 0.2, 0.0), (1e-3, 0.0, 0.0), (np.nan,) * 3):
        drawn(1.0, 0.0, 0.0)
        path, _ = drawn(*weights)
        assert not is_visible(meshcat, f"{path}/cone")
        assert not is_visible(meshcat, f"{path}/force")
    path, _ = drawn(1.0, 0.0, 0.0, place=np.full((1, 3), np.nan))
    assert not is_visible(meshcat, f"{path}/cone")


def test_cones_are_those_of_contacts_with_the_ground():
    model = _ball()
    kinetic = collect_contacts(model, ContactMaterial(friction=0.5))
    assert cones_of(kinetic) == (FrictionCone(BALL, 0.5),)
    static = collect_contacts(model, ContactMaterial(friction=0.5, static_friction=0.7))
    assert cones_of(static) == (FrictionCone(BALL, 0.7),)
    # ground that holds whatever comes has none
    assert cones_of(collect_contacts(model, ContactMaterial(friction=50.0))) == ()
    stack = build_robot(load_scenario("scenes/stack"))
    pairs = [name for name in stack.contacts.names if "|" in name]
    assert pairs
    assert not {cone.contact for cone in cones_of(stack.contacts)} & set(pairs)


def test_a_recording_and_a_watched_run_have_them_if_the_view_says_so():
    scenario = load_scenario("hopper/report", ("duration=0.04",))  # it stands until 0.06 s
    machine = build_robot(scenario)
    cones = cones_of(machine.contacts)
    one = run("hopper/report", "hybrid", "duration=0.04").trajectory
    for view, seen in ((View(cones=cones), True), (View(), False)):
        meshcat = start_meshcat()
        replay({"a": one}, machine.model.spec, meshcat, view=view)
        assert meshcat.HasPath("/scene/friction_cones/hopper/P") == seen
    meshcat, _ = watched(scenario, "moreau", View(cones=cones))
    assert is_visible(meshcat, "/scene/friction_cones/hopper/P/cone")
    scale = shown_scale(meshcat, "/scene/friction_cones/hopper/P/cone/shape")
    assert scale[0] / scale[2] == pytest.approx(0.3)


def test_cones_are_off_unless_a_study_wants_them():
    cones = view_of(load_scenario("pasibot/slip_kinetic")).cones
    assert [cone.contact for cone in cones] == list(SOLES)
    assert {cone.mu for cone in cones} == {0.2}  # the static one, not the kinetic 0.1
    for name in ("hopper/report", "biped/climb", "scenes/stack"):
        assert view_of(load_scenario(name)).cones == ()
