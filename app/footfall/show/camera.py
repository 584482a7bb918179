"""Where the camera stands: the whole way of the machine in view, or following it when the way is long.

Frames: W world; the camera looks along +y of W from the side, a little from above.
"""

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Meshcat, Role
from pydrake.math import RigidTransform
from pydrake.multibody.tree import BodyIndex

from footfall.plants.load import Model

Array = npt.NDArray[np.float64]

FIELD_OF_VIEW = 30.0  # degrees, vertical
ASPECT = 2.2  # width over height of the picture for which the distance is chosen
_NEAR = 0.2  # m; with Meshcat's 1 cm, surfaces that nearly touch flicker
_MARGIN = 1.12
_LONG = 8.0  # machine heights; a longer way is followed
_SMALLEST = 0.1  # m
_DIRECTION = np.array([0.12, -1.0, 0.24])  # from the target to the camera
_CAMERA = "/Cameras/default"


def frame_way(meshcat: Meshcat, model: Model, times: Array, q: Array) -> None:
    """Put the camera where it sees q (time, run, position) at all times [s] of a recording."""
    low, high = _bounds(model, q)
    height = max(float((high - low).max(axis=0)[2]), _SMALLEST)
    size = high.max(axis=0) - low.min(axis=0)
    if size[0] <= _LONG * height:
        _place(meshcat, 0.5 * (low.min(axis=0) + high.max(axis=0)), size)
        return
    middle = 0.5 * (low + high)
    _place(meshcat, middle[0], _followed(height))
    for time, shift in zip(times, middle - middle[0], strict=True):
        move_camera(meshcat, shift, float(time))


def frame_start(meshcat: Meshcat, model: Model, q: Array) -> None:
    """Put the camera before a machine at q that is going to be followed with ``move_camera``."""
    low, high = _bounds(model, q[None, None])
    _place(meshcat, 0.5 * (low[0] + high[0]), _followed(max(float((high - low)[0, 2]), _SMALLEST)))


def move_camera(meshcat: Meshcat, shift: Array, time: float | None = None) -> None:
    """Shift the camera with what it looks at from where it was placed [m]; time is that of a recording."""
    meshcat.SetTransform(_CAMERA, RigidTransform(shift), time)


def _followed(height: float) -> Array:
    """Size of what is seen around a machine of this height."""
    return height * np.array([2.8, 0.0, 1.3])


def _place(meshcat: Meshcat, target: Array, size: Array) -> None:
    meshcat.SetProperty(f"{_CAMERA}/rotated/<object>", "fov", FIELD_OF_VIEW)
    meshcat.SetProperty(f"{_CAMERA}/rotated/<object>", "near", _NEAR)
    half = np.tan(np.deg2rad(0.5 * FIELD_OF_VIEW))
    distance = _MARGIN * max(size[2], size[0] / ASPECT, _SMALLEST) / (2.0 * half) + 0.5 * size[1]
    direction = _DIRECTION / np.linalg.norm(_DIRECTION)
    meshcat.SetCameraPose(target + max(distance, 2.0 * _NEAR) * direction, target)


def _bounds(model: Model, q: Array) -> tuple[Array, Array]:
    """Lowest and highest corner of the centres of all moving shapes, (time, 3) each [m], over the runs."""
    plant, inspector = model.plant, model.scene_graph.model_inspector()
    context = plant.CreateDefaultContext()
    shapes = []
    for geometry in inspector.GetAllGeometryIds(Role.kIllustration):
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if body.index() != plant.world_body().index():
            shapes.append((body, inspector.GetPoseInFrame(geometry)))
    if not shapes:
        shapes = [(plant.get_body(BodyIndex(plant.num_bodies() - 1)), RigidTransform())]
    centre = np.empty((*q.shape[:2], len(shapes), 3))
    for k, run in np.ndindex(*q.shape[:2]):
        plant.SetPositions(context, q[k, run])
        for i, (body, X_BG) in enumerate(shapes):
            centre[k, run, i] = body.EvalPoseInWorld(context).multiply(X_BG.translation())
    return centre.min(axis=(1, 2)), centre.max(axis=(1, 2))
