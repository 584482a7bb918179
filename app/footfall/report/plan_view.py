"""Scenery as a matplotlib panel shows it: the outlines of its shapes from above or from the side.

Frames: W world (z up), G a shape.
"""

from itertools import groupby

import numpy as np
from matplotlib.axes import Axes
from pydrake.geometry import Role

from footfall.arrays import Array
from footfall.plants.loading.load import Model
from footfall.plants.terrain import SURFACE, SURFACE_RGBA, Surface
from footfall.report.shapes import fill_outlines, outline_points, shape_colour
from footfall.show.extent import scenery_of

_LOWEST = 0.1  # zorder of the ground


def draw_scenery(
    panel: Axes, model: Model, lighten: float = 0.0, axes: tuple[int, int] = (0, 1)
) -> None:
    """Fill the outlines of everything that stands still, what is nearer over what is behind.

    lighten: share of white in every colour, 0 to 1. axes: of the world, across and up the panel.
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
        fill_outlines(panel, places, zorder=_LOWEST + 1e-3 * index)


def _pieces(
    model: Model, surface: Surface, axes: tuple[int, int], lighten: float
) -> list[tuple[float, Array, Array]]:
    """Depth, outline and colour of the pieces of uneven ground above its plane, if it is seen."""
    if not model.spec.terrain.visible:
        return []
    (depth,) = {0, 1, 2} - set(axes)
    X_WT = model.spec.terrain.X_WTerrain()
    colour = (1.0 - lighten) * np.array(SURFACE_RGBA[:3]) + lighten
    found = []
    for piece in surface.pieces:
        foot = piece.top * [1.0, 1.0, 0.0]
        places = X_WT.multiply(np.vstack((piece.top, foot)).T)
        found.append((float(places[depth].max()), places[list(axes)], colour))
    return found
