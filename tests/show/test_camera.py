"""The camera that is chosen for a scene has all of it in its picture."""

import itertools

import numpy as np
import pytest

from footfall.scenario.cameras import FIELD_OF_VIEW
from footfall.show.camera import ASPECT, camera_before

TARGET = np.array([0.3, -0.2, 0.4])


@pytest.mark.parametrize("aspect", [ASPECT, 4.0 / 3.0])
@pytest.mark.parametrize(
    "size",
    [
        [0.45, 0.3, 0.25],  # a quadruped: its near feet are lower in the picture than its middle
        [0.2, 0.02, 1.0],
        [4.0, 0.2, 1.0],
        [0.5, 0.5, 0.5],
        [0.3, 1.5, 0.3],
    ],
)
def test_all_corners_of_a_scene_are_in_the_picture(size, aspect):
    camera = camera_before(TARGET, np.array(size), aspect=aspect)
    forward = np.array(camera.target) - np.array(camera.position)
    forward /= np.linalg.norm(forward)
    aside = np.cross(forward, [0.0, 0.0, 1.0])
    aside /= np.linalg.norm(aside)
    up = np.cross(aside, forward)
    edge = np.tan(np.deg2rad(0.5 * FIELD_OF_VIEW))
    reached = []
    for signs in itertools.product((-0.5, 0.5), repeat=3):
        seen = TARGET + np.array(signs) * size - np.array(camera.position)
        away = seen @ forward
        assert away > 0.0
        reached.append([abs(seen @ aside) / away / aspect / edge, abs(seen @ up) / away / edge])
    assert np.max(reached) < 1.0
    assert np.max(reached) > 0.6  # and not far off either
