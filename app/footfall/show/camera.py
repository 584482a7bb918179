"""Camera of a scene: it sees the whole path, or goes along when the path is long.

Frames: W world; the camera looks along +y of W from the side, a little from above, unless a
scenario has a camera of its own.
"""

import numpy as np
from pydrake.geometry import Meshcat
from pydrake.math import RigidTransform

from footfall.arrays import Array
from footfall.plants.loading.load import Model
from footfall.scenario.cameras import FIELD_OF_VIEW, Camera
from footfall.show.extent import SMALLEST, bounds
from footfall.show.stage import SCENE

ASPECT = 2.2  # width over height of the picture for which the distance is chosen
_NEAR = 0.05  # of the distance; with Meshcat's 1 cm, surfaces that nearly touch flicker
_MARGIN = 1.08
_TILT = 1e-4  # rad, off the vertical, where Meshcat's camera is turned by rounding
_LONG = 8.0  # machine heights; a longer way is followed
_WIDE = 2.0  # a machine that is wider than so many heights is measured by its width
_DIRECTION: Array = np.array([0.12, -1.0, 0.24])  # from the target to the camera
_CAMERA = "/Cameras/default/rotated/<object>"


def frame_path(meshcat: Meshcat, model: Model, times: Array, q: Array) -> None:
    """Put the camera where it sees q (time, run, position) at all times [s] of a recording."""
    camera, shifts = path_camera(model, q)
    place_camera(meshcat, camera)
    if shifts.any():
        for time, shift in zip(times, shifts, strict=True):
            go_along(meshcat, shift, float(time))


def path_camera(model: Model, q: Array, aspect: float = ASPECT) -> tuple[Camera, Array]:
    """Return the camera that sees q (time, run, position), and its way (time, 3) [m].

    It stands still, with zeros, unless the way is long. aspect: width over height of its picture.
    """
    low, high = bounds(model.plant, model.scene_graph, q)
    robot = (high - low).max(axis=0)  # at one time
    height = max(float(robot[2]), float(robot[0]) / _WIDE, SMALLEST)
    first, last = low.min(axis=0), high.max(axis=0)
    if last[0] - first[0] <= _LONG * height:
        camera = camera_before(0.5 * (first + last), last - first, aspect=aspect)
        return camera, np.zeros_like(low)
    middle = 0.5 * (low + high)
    return camera_before(middle[0], followed_size(height), aspect=aspect), middle - middle[0]


def go_along(meshcat: Meshcat, shift: Array, time: float | None = None) -> None:
    """Keep in view what has moved by shift [m] since the camera was placed; time: of a recording.

    The scene is moved back, not the camera forward: Meshcat's mouse control stays where it is.
    """
    meshcat.SetTransform(SCENE, RigidTransform(p=-shift), time)


def followed_size(height: float) -> Array:
    """Size of what is seen around a machine of this height."""
    return height * np.array([2.8, 0.0, 1.3])


def camera_before(
    target: Array, size: Array, direction: Array = _DIRECTION, aspect: float = ASPECT
) -> Camera:
    """The camera that looks at a target and sees a box of this size around it [m].

    aspect: width over height of its picture.
    """
    half = np.tan(np.deg2rad(0.5 * FIELD_OF_VIEW))
    towards = direction / np.linalg.norm(direction)
    aside = np.cross([0.0, 0.0, 1.0], towards)
    aside /= np.linalg.norm(aside)
    # the box as the camera sees it, whose near corners are lower and farther out than its middle
    axes = aside, np.cross(towards, aside), towards
    width, height, depth = (float(np.abs(axis) @ size) for axis in axes)
    distance = _MARGIN * max(height, width / aspect, SMALLEST) / (2.0 * half) + 0.5 * depth
    position = target + distance * towards
    return Camera(position.tolist(), target.tolist())


def place_camera(meshcat: Meshcat, camera: Camera) -> None:
    """Let Meshcat look through a camera."""
    position, target = np.array(camera.position), np.array(camera.target)
    away = float(np.linalg.norm(position - target))
    if np.hypot(*(position - target)[:2]) < _TILT * away:
        position[1] -= _TILT * away
    meshcat.SetProperty(_CAMERA, "fov", float(camera.field_of_view))
    meshcat.SetProperty(_CAMERA, "near", _NEAR * away)
    meshcat.SetCameraPose(position, target)
