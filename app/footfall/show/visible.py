"""Shapes of a model that are to be seen: those for looking at, else those that may touch."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydrake.geometry import (
    Convex,
    GeometryId,
    HalfSpace,
    MakePhongIllustrationProperties,
    Mesh,
    Role,
    SceneGraph,
    Shape,
)
from pydrake.multibody.plant import MultibodyPlant

from footfall.plants.loading.load import Model
from footfall.plants.terrain import SURFACE

_DRAWN = (".obj", ".gltf", ".dae")  # formats of meshes
_MOST_BYTES = 3_000_000  # of all meshes of a machine
_BARE_RGBA = [0.45, 0.55, 0.68, 1.0]


@dataclass(frozen=True)
class Visible:
    """Shapes for looking at that are seen, those that are not, and collision shapes for these."""

    seen: Sequence[GeometryId]
    hidden: Sequence[GeometryId]
    instead: Sequence[GeometryId]


def visible_shapes(
    plant: MultibodyPlant, scene_graph: SceneGraph, formats: Sequence[str] = _DRAWN
) -> Visible:
    """Find what is to be seen; of bodies without a shape to look at their collision shapes are.

    Meshes that are not drawn are no shapes to look at, nor are any if they are large: a page holds
    them once for every run. formats: endings of meshes that are drawn, by Meshcat if nothing is
    said.
    """
    inspector = scene_graph.model_inspector()
    shapes = {g: inspector.GetShape(g) for g in inspector.GetAllGeometryIds(Role.kIllustration)}
    heavy = sum(_size(shape) for shape in shapes.values()) > _MOST_BYTES
    seen: list[GeometryId] = []
    hidden: list[GeometryId] = []
    for geometry, shape in shapes.items():
        drawn = is_drawn(shape, formats) and not (heavy and _size(shape) > 0)
        (seen if drawn else hidden).append(geometry)
    frames = {inspector.GetFrameId(geometry) for geometry in seen}
    instead = []
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        frame = inspector.GetFrameId(geometry)
        body = plant.GetBodyFromFrameId(frame)
        # uneven ground is not to be seen if it has no mesh, and frames of visualizers have no body
        if body is None or body.scoped_name().get_full() == SURFACE:
            continue
        if frame not in frames and not isinstance(inspector.GetShape(geometry), HalfSpace):
            instead.append(geometry)
    return Visible(seen, hidden, instead)


def visible_copy(model: Model, formats: Sequence[str] = _DRAWN) -> SceneGraph:
    """Copy a model's SceneGraph, with what is to be seen of it; see ``visible_shapes``."""
    visible = visible_shapes(model.plant, model.scene_graph, formats)
    scene_graph, source = model.scene_graph.Clone(), model.plant.get_source_id()
    for geometry in visible.hidden:
        scene_graph.RemoveRole(source, geometry, Role.kIllustration)
    for geometry in visible.instead:
        look = MakePhongIllustrationProperties(_BARE_RGBA)
        scene_graph.AssignRole(source, geometry, look)
    return scene_graph


def is_drawn(shape: Shape, formats: Sequence[str] = _DRAWN) -> bool:
    """Say whether Meshcat draws a shape, which it does not with meshes of other formats."""
    mesh = isinstance(shape, Mesh | Convex)
    return not mesh or shape.source().extension() in formats


def _size(shape: Shape) -> int:
    """Bytes of the file of a mesh; 0 for other shapes."""
    if not isinstance(shape, Mesh | Convex) or not shape.source().is_path():
        return 0
    return int(shape.source().path().stat().st_size)
