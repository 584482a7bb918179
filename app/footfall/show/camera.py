"""Where the camera stands: the whole way of the machine in view, or following it when the way is long.

Frames: W world; the camera looks along +y of W from the side, a little from above.
"""

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Meshcat
from pydrake.math import RigidTransform
from pydrake.multibody.tree import BodyIndex

from footfall.plants.load import Model

Array = npt.NDArray[np.float64]

FIELD_OF_VIEW = 30.0  # degrees, vertical
ASPECT = 2.2  # width over height of the picture for which the distance is chosen
_LONG = 8.0  # machine heights; a longer way is followed
_DIRECTION = np.array([0.10, -1.0, 0.16])  # from the target to the camera


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
    half = np.tan(np.deg2rad(0.5 * FIELD_OF_VIEW))
    distance = 1.12 * max(size[2] / (2.0 * half), size[0] / (2.0 * half * ASPECT)) + 0.5 * size[1]
    direction = _DIRECTION / np.linalg.norm(_DIRECTION)
    meshcat.SetCameraPose(target + max(distance, 0.5) * direction, target)


def _bounds(model: Model, q: Array) -> tuple[Array, Array]:
    """Lowest and highest corner of all body frames, (time, 3) each [m], over the runs."""
    plant = model.plant
    context = plant.CreateDefaultContext()
    bodies = [plant.get_body(BodyIndex(i)) for i in range(1, plant.num_bodies())]
    origin = np.empty((*q.shape[:2], len(bodies), 3))
    for k, run in np.ndindex(*q.shape[:2]):
        plant.SetPositions(context, q[k, run])
        for i, body in enumerate(bodies):
            origin[k, run, i] = body.EvalPoseInWorld(context).translation()
    return origin.min(axis=(1, 2)), origin.max(axis=(1, 2))
