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
_NEAR = 0.2  # m
_LONG = 8.0  # machine heights; a longer way is followed
_DIRECTION = np.array([0.12, -1.0, 0.24])  # from the target to the camera


def frame_scene(meshcat: Meshcat, model: Model, times: Array, q: Array) -> None:
    """Put the camera of Meshcat where it sees runs q (time, run, position) all the time [s]."""
    low, high = _bounds(model, q)
    height = float((high - low).max(axis=0)[2])
    path_low, path_high = low.min(axis=0), high.max(axis=0)
    long = (path_high - path_low)[0] > _LONG * max(height, 0.1)
    if long:
        size = np.array([3.0 * height, 0.0, 1.3 * height])
        target = 0.5 * (low[0] + high[0])
        for time, shift in zip(times, 0.5 * (low + high) - target, strict=True):
            meshcat.SetTransform("/Cameras/default", RigidTransform(shift), float(time))
    else:
        size, target = path_high - path_low, 0.5 * (path_low + path_high)
    meshcat.SetProperty("/Cameras/default/rotated/<object>", "fov", FIELD_OF_VIEW)
    # the default of 1 cm makes surfaces that nearly touch flicker
    meshcat.SetProperty("/Cameras/default/rotated/<object>", "near", _NEAR)
    half = np.tan(np.deg2rad(0.5 * FIELD_OF_VIEW))
    distance = 1.12 * max(size[2] / (2.0 * half), size[0] / (2.0 * half * ASPECT)) + 0.5 * size[1]
    direction = _DIRECTION / np.linalg.norm(_DIRECTION)
    meshcat.SetCameraPose(target + max(distance, 0.5) * direction, target)


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
