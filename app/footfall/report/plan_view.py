"""Scenery from straight above: the outlines of its shapes, as a matplotlib panel shows them.

Frames: W world (z up), G a shape.
"""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from pydrake.geometry import Cylinder, GeometryId, Role, SceneGraphInspector, Sphere
from scipy.spatial import ConvexHull

from footfall.arrays import Array
from footfall.plants.load import Model
from footfall.show.extent import scenery_of

_CORNERS = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, 8)
_TURN = np.linspace(0.0, 2.0 * np.pi, 25)[:-1]
_THINNEST = 1e-9  # m: what is thinner has no outline
_LOWEST = 0.1  # zorder of the ground


def draw_scenery(panel: Axes, model: Model, lighten: float = 0.0) -> None:
    """Fill the outlines of everything that stands still, the higher over the lower.

    lighten: share of white in every colour, 0 to 1.
    """
    inspector = model.scene_graph.model_inspector()
    context = model.plant.CreateDefaultContext()
    standing = scenery_of(model.plant) - {model.plant.world_body().index()}
    shapes: list[tuple[float, Array, Array]] = []
    for geometry in inspector.GetAllGeometryIds(Role.kIllustration):
        body = model.plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if body is None or body.index() not in standing:
            continue
        X_WG = body.EvalPoseInWorld(context).multiply(inspector.GetPoseInFrame(geometry))
        places = X_WG.multiply(_rim(inspector, geometry))
        if np.ptp(places[:2], axis=1).min() > _THINNEST:
            shapes.append((float(places[2].max()), places[:2].T, _colour(inspector, geometry)))
    shapes.sort(key=lambda shape: shape[0])
    for place, (_, corners, colour) in enumerate(shapes):
        seen = (1.0 - lighten) * colour + lighten
        style: dict[str, Any] = {"facecolor": seen, "edgecolor": "none"}
        outline = corners[ConvexHull(corners).vertices]
        panel.add_patch(Polygon(outline, zorder=_LOWEST + 1e-3 * place, **style))


def _rim(inspector: SceneGraphInspector, geometry: GeometryId) -> Array:
    """Points p_GR (3, n) whose hull is a shape from above.

    Of a cylinder they are on its rims, of a sphere on its equator, of others the corners of a box
    around it.
    """
    shape = inspector.GetShape(geometry)
    if isinstance(shape, Cylinder | Sphere):
        half = 0.5 * shape.length() if isinstance(shape, Cylinder) else 0.0
        rim = shape.radius() * np.stack([np.cos(_TURN), np.sin(_TURN), np.zeros(len(_TURN))])
        up = np.array([[0.0], [0.0], [half]])
        return np.hstack([rim + up, rim - up])
    box = inspector.GetObbInGeometryFrame(geometry)
    corners: Array = box.pose().multiply(_CORNERS * box.half_width()[:, None])
    return corners


def _colour(inspector: SceneGraphInspector, geometry: GeometryId) -> Array:
    """Red, green and blue of a shape, 0 to 1."""
    rgba = inspector.GetIllustrationProperties(geometry).GetProperty("phong", "diffuse")
    return np.array([rgba.r(), rgba.g(), rgba.b()])
