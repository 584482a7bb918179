"""Scenery in a panel: the outlines of its shapes from above or from the side.

Frames: W world (z up), G a shape.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from pydrake.geometry import Cylinder, GeometryId, Rgba, Role, SceneGraphInspector, Sphere
from scipy.spatial import ConvexHull

from footfall.arrays import Array
from footfall.plants.loading.load import Model
from footfall.plants.terrain import SURFACE, SURFACE_RGBA, Surface
from footfall.report.charts.panel import Panel
from footfall.show.extent import scenery_of

_CORNERS = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, 8)
_TURN = np.linspace(0.0, 2.0 * np.pi, 25)[:-1]
_RIM = np.stack([np.cos(_TURN), np.sin(_TURN), np.zeros(len(_TURN))])
_UNPAINTED = Rgba(0.9, 0.9, 0.9)
_THINNEST = 1e-9  # m: what is thinner has no outline


def outline_points(inspector: SceneGraphInspector, geometry: GeometryId) -> Array:
    """Points p_GR (3, n) whose hull is a shape, seen from anywhere.

    Of a cylinder they are on its rims, of a sphere on three great circles, of others the corners of
    a box around it.
    """
    shape = inspector.GetShape(geometry)
    if isinstance(shape, Sphere):
        return shape.radius() * np.hstack([np.roll(_RIM, turn, axis=0) for turn in range(3)])
    if isinstance(shape, Cylinder):
        up = np.array([[0.0], [0.0], [0.5 * shape.length()]])
        return np.hstack([shape.radius() * _RIM + up, shape.radius() * _RIM - up])
    box = inspector.GetObbInGeometryFrame(geometry)
    corners: Array = box.pose().multiply(_CORNERS * box.half_width()[:, None])
    return corners


def shape_colour(inspector: SceneGraphInspector, geometry: GeometryId) -> Array:
    """Red, green and blue of a shape, 0 to 1; light grey where its file names no colour."""
    look = inspector.GetIllustrationProperties(geometry)
    rgba = look.GetPropertyOrDefault("phong", "diffuse", _UNPAINTED)
    return np.array([rgba.r(), rgba.g(), rgba.b()])


def fill_outlines(
    panel: Panel,
    shapes: Sequence[tuple[Array, Any]],
    **style: Any,  # noqa: ANN401
) -> None:
    """Fill the hulls of points (2, n), each in its colour; nothing of what is seen from its edge.

    style: of `Panel.polygons`.
    """
    by_colour: dict[Any, list[Array]] = {}
    for points, colour in shapes:
        if np.ptp(points, axis=1).min() > _THINNEST:
            hull = points.T[ConvexHull(points.T).vertices]
            by_colour.setdefault(colour, []).append(hull)
    for colour, hulls in by_colour.items():
        panel.polygons(hulls, facecolor=colour, **style)


_LOWEST = 0.1  # zorder of the ground


def draw_scenery(
    panel: Panel,
    model: Model,
    lighten: float = 0.0,
    axes: tuple[int, int] = (0, 1),
    alpha: float = 1.0,
) -> None:
    """Fill the outlines of everything that stands still, what is nearer over what is behind.

    lighten: share of white in every colour, 0 to 1. axes: of the world, across and up the panel.
    alpha: opacity, where words stand on it, which are read in the dark as well then.
    """
    inspector = model.scene_graph.model_inspector()
    context = model.plant.CreateDefaultContext()
    standing = scenery_of(model.plant) - {model.plant.world_body().index()}
    (depth,) = {0, 1, 2} - set(axes)
    shapes: list[tuple[float, Array, Array]] = []
    for geometry in inspector.GetAllGeometryIds(Role.kIllustration):
        body = model.plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if body is None or body.index() not in standing:
            continue
        if body.scoped_name().get_full() == SURFACE:  # one mesh, whose hull hides its valleys
            continue
        X_WG = body.EvalPoseInWorld(context).multiply(inspector.GetPoseInFrame(geometry))
        places = X_WG.multiply(outline_points(inspector, geometry))
        seen = (1.0 - lighten) * shape_colour(inspector, geometry) + lighten
        shapes.append((float(places[depth].max()), places[list(axes)], seen))
    if model.surface is not None:
        shapes += _pieces(model, model.surface, axes, lighten)
    shapes.sort(key=lambda shape: shape[0])
    # neighbours of one colour at once
    alike = groupby(shapes, key=lambda shape: tuple(shape[2].tolist()))
    for index, (colour, group) in enumerate(alike):
        places = [(shape[1], colour) for shape in group]
        fill_outlines(panel, places, alpha=alpha, zorder=_LOWEST + 1e-3 * index)


def _pieces(
    model: Model, surface: Surface, axes: tuple[int, int], lighten: float
) -> list[tuple[float, Array, Array]]:
    """Depth, outline and colour of the pieces of uneven ground above its plane, if it is seen."""
    if not model.spec.terrain.visible:
        return []
    (depth,) = {0, 1, 2} - set(axes)
    X_WT = model.spec.terrain.X_WTerrain()
    colour = (1.0 - lighten) * np.array(SURFACE_RGBA[:3]) + lighten
    shapes = []
    for piece in surface.pieces:
        foot = piece.top * [1.0, 1.0, 0.0]
        places = X_WT.multiply(np.vstack((piece.top, foot)).T)
        shapes.append((float(places[depth].max()), places[list(axes)], colour))
    return shapes
