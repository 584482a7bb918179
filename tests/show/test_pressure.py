"""Centre of pressure in an animation: where it is, with which force, and where there is none."""

import numpy as np
import pytest
from pydrake.geometry import Meshcat
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.show.meshcat_state import is_visible, shown_pose

from footfall.plants.loading.load import ModelSpec, load_model
from footfall.plants.terrain import Terrain
from footfall.show.forces import force_scale
from footfall.show.pressure import PressureCentre, centre_of_pressure

SLOPE = 10.0
UP = np.array([0.0, 0.0, 1.0])
CORNERS = np.array([[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.0, 0.1, 0.0]])


@pytest.fixture(scope="module")
def meshcat():
    return Meshcat()


@pytest.fixture(scope="module")
def model():
    file = "package://footfall/urdf/ball/ball.urdf"
    directive = ModelDirective(add_model=AddModel(name="ball", file=file))
    return load_model(ModelSpec([directive], Terrain(slope_deg=SLOPE)))


def test_it_lies_where_forces_that_push_alike_have_their_middle():
    force = np.array([UP, UP, 2.0 * UP])
    np.testing.assert_allclose(centre_of_pressure(CORNERS, force, UP), [0.05, 0.05, 0.0])


def test_friction_in_the_plane_does_not_move_it():
    rng = np.random.default_rng(3)
    force = rng.uniform(0.5, 1.0, (3, 3))
    along = rng.normal(size=(3, 3)) * [1.0, 1.0, 0.0]
    found = centre_of_pressure(CORNERS, force, UP)
    np.testing.assert_allclose(centre_of_pressure(CORNERS, force + along, UP), found, atol=1e-14)


def test_moments_of_all_forces_have_none_along_the_plane_about_it():
    rng = np.random.default_rng(4)
    normal = np.array([-np.sin(0.2), 0.0, np.cos(0.2)])
    points, force = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)) + 3.0 * normal
    at = centre_of_pressure(points, force, normal)
    assert at @ normal == pytest.approx(0.0, abs=1e-14)
    moment = np.cross(points - at, force).sum(axis=0)
    np.testing.assert_allclose(np.cross(moment, normal), 0.0, atol=1e-12)


def test_a_force_that_pulls_has_none():
    assert np.isnan(centre_of_pressure(CORNERS, np.array([UP, -UP, -UP]), UP)).all()


def test_a_disc_lies_flat_on_the_slope_under_the_whole_force(meshcat, model):
    centre, weight = PressureCentre(meshcat, "/centre", model), force_scale(model).weight
    R_WT = model.spec.terrain.X_WTerrain().rotation().matrix()
    points = (R_WT @ CORNERS.T).T
    force = weight * np.array([R_WT[:, 2], R_WT[:, 2], 2.0 * R_WT[:, 2]])
    centre.draw(points, force)
    pose = shown_pose(meshcat, "/centre/disc")
    np.testing.assert_allclose(pose[:3, 2], R_WT[:, 2], atol=1e-15)
    np.testing.assert_allclose(pose[:3, 3], R_WT @ [0.05, 0.05, 0.0], atol=1e-15)
    np.testing.assert_allclose(shown_pose(meshcat, "/centre/force")[:3, 3], pose[:3, 3])
    assert is_visible(meshcat, "/centre/disc")
    assert is_visible(meshcat, "/centre/force")
    for nothing in (-force, 0.001 * force):
        centre.draw(points, nothing)
        assert not is_visible(meshcat, "/centre/disc")
        assert not is_visible(meshcat, "/centre/force")
