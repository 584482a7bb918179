"""Shapes of a model as points whose hull is their outline, and as panels show them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pydrake.geometry import Cylinder, GeometryId, Rgba, SceneGraphInspector, Sphere
from scipy.spatial import ConvexHull

from footfall.arrays import Array
from footfall.report.charts.panel import Panel

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
