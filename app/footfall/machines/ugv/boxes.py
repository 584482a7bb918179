"""Boxes that are fixed to the ground, as they are cut by the plane y = 0 of the terrain T."""

from typing import NamedTuple

import numpy as np
from pydrake.geometry import Box, Role

from footfall.arrays import Array
from footfall.plants.loading.load import Model
from footfall.plants.terrain import FRAME_NAME

_SIGNS = np.array([[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]])


class Outline(NamedTuple):
    """A box: part, the name under which its file was added; corners (4, 2) in T [m].

    The corners go round counter-clockwise.
    """

    part: str
    corners: Array


def outlines_of(model: Model) -> list[Outline]:
    """All of a model, in no order."""
    plant, inspector = model.plant, model.scene_graph.model_inspector()
    context = plant.CreateDefaultContext()
    X_TW = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(context).inverse()
    found = []
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        shape = inspector.GetShape(geometry)
        if not inspector.BelongsToSource(geometry, plant.get_source_id()):
            continue
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if isinstance(shape, Box) and plant.IsAnchored(body):
            X_TS = X_TW @ body.EvalPoseInWorld(context) @ inspector.GetPoseInFrame(geometry)
            half = 0.5 * np.array([shape.width(), 0.0, shape.height()])
            corners = np.array([X_TS.multiply(sign * half)[[0, 2]] for sign in _SIGNS])
            away = corners - corners.mean(axis=0)
            corners = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
            part = plant.GetModelInstanceName(body.model_instance()).split("::")[0]
            found.append(Outline(part, corners))
    return found
