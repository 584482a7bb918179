"""Watching a run: the same line shows either engine, and shows what it does."""

import numpy as np
import pytest
from tests.show.meshcat_state import is_visible, shown_pose
from tests.show.watching import watched

from footfall.machines.biped.measures import points
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario

FRAME = 1.0 / 32.0  # s


STAND, CLIMB = "biped/stand", "biped/climb"


def _watch(engine, *settings, name=STAND):
    return watched(load_scenario(name, settings), engine)


@pytest.mark.parametrize("engine", ["moreau", "drake"])
def test_the_machine_stands_where_its_state_says(engine):
    meshcat, run = _watch(engine, f"time_step={FRAME / 32}", f"duration={FRAME * 4}")
    q = run.trajectory.data["q"].to_numpy()[-1]
    alpha = np.deg2rad(-5.0)
    x, z = points(q)[0]
    hip = [x * np.cos(alpha) - z * np.sin(alpha), 0.0, x * np.sin(alpha) + z * np.cos(alpha)]
    # Meshcat keeps doubles; what is left is the rounding of two different chains of rotations
    np.testing.assert_allclose(
        shown_pose(meshcat, "/scene/machine/biped/hip")[:3, 3], hip, atol=1e-12
    )


@pytest.mark.parametrize("engine", ["moreau", "drake"])
def test_contact_forces_are_drawn_where_feet_are_loaded(engine):
    meshcat, run = _watch(engine, "duration=0.5")
    loaded = run.trajectory.data["impulse"].sel(axis="n").to_numpy()[-1] > 0.0
    assert loaded.any()
    assert not loaded.all()
    for name, pushed in zip(run.trajectory.data["contact"].values, loaded, strict=True):
        place = str(name).replace("::", "/")
        assert is_visible(meshcat, f"/scene/contact_forces/{place}/normal") == pushed, name


def test_an_arrow_is_as_long_as_its_force_and_points_along_the_normal():
    meshcat, run = _watch("moreau", "duration=0.5")
    data = run.trajectory.data
    contact = int(data["impulse"].sel(axis="n").to_numpy()[-1].argmax())
    place = str(data["contact"].values[contact]).replace("::", "/")
    path = f"/scene/contact_forces/{place}/normal"
    normal = [np.sin(np.deg2rad(5.0)), 0.0, np.cos(np.deg2rad(5.0))]
    np.testing.assert_allclose(shown_pose(meshcat, path)[:3, 2], normal, atol=1e-12)
    # half a metre for each body weight: the biped is two metres tall and weighs 3 kg
    weights = float(data["impulse"].sel(axis="n")[-1, contact]) / 1e-3 / (3.0 * 9.81)
    length = shown_pose(meshcat, f"{path}/head")[2, 3]
    # 0.003 weights more or less are not to be seen, and are not sent anew
    assert abs(length - 0.5 * min(weights, 3.0)) < 0.5 * 0.003


@pytest.mark.parametrize("engine", ["moreau", "drake", "drake-continuous"])
def test_watching_changes_no_bit_of_a_run(engine):
    settings = ["duration=0.05", "terrain.slope_deg=0"]
    _, seen = _watch(engine, *settings, name="scenes/push")
    plain = run_scenario(load_scenario("scenes/push", settings), "scenes/push", engine)
    for name in ("q", "v", "impulse", "kinetic_energy", "push_work"):
        np.testing.assert_array_equal(seen.trajectory.data[name], plain.trajectory.data[name])


def test_the_scene_goes_along_with_the_mass_centre():
    meshcat, run = _watch("moreau", f"time_step={FRAME / 32}", f"duration={FRAME * 16}", name=CLIMB)
    masses = np.array([1.0, 0.5, 0.5, 0.5, 0.5])
    r = points(run.trajectory.data["q"].to_numpy()[[0, -1]])
    x, z = np.diff(masses @ r / masses.sum(), axis=0)[0]
    alpha = np.deg2rad(-5.0)
    moved = [x * np.cos(alpha) - z * np.sin(alpha), 0.0, x * np.sin(alpha) + z * np.cos(alpha)]
    assert np.linalg.norm(moved) > 0.1
    np.testing.assert_allclose(shown_pose(meshcat, "/scene")[:3, 3], -np.array(moved), atol=1e-12)
