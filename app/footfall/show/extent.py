"""Shapes of a model that are to be seen, its size, and lengths of a scene in proportion to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from pydrake.geometry import (
    Convex,
    GeometryId,
    HalfSpace,
    MakePhongIllustrationProperties,
    Mesh,
    Obb,
    Role,
    SceneGraph,
    SceneGraphInspector,
    Shape,
)
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, ModelInstanceIndex
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.coordinates import bodies_of, fixed_bodies
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


SMALLEST = 0.02  # m; no machine is drawn as smaller than this
_SMALL = 0.75  # m; for a machine up to this a metre is a long way

_BOXES: dict[tuple[object, ...], Obb | None] = {}  # of meshes, by their files
_KNOWN: WeakKeyDictionary[SceneGraph, "Sizes"] = WeakKeyDictionary()  # of models, by their shapes


@dataclass(frozen=True)
class Sizes:
    """Lengths of a scene [m]: between runs, of an arrow of one body weight, between ground marks.

    spacing: between two runs that are shown side by side; 0 where there is scenery, in which all of
    them belong.
    """

    spacing: float
    weight: float
    marks: float


def sizes_of(model: Model) -> Sizes:
    """Choose sizes that fit a machine in its default posture, to one digit.

    All that a scene shows of a model asks for them, and meshes take their time to be measured.
    """
    sizes = _KNOWN.get(model.scene_graph)
    if sizes is None:
        sizes = _KNOWN[model.scene_graph] = sizes_of_shapes(model.plant, model.scene_graph)
    return sizes


def sizes_of_shapes(plant: MultibodyPlant, scene_graph: SceneGraph) -> Sizes:
    """Choose the same for a plant and its shapes."""
    q = plant.GetPositions(plant.CreateDefaultContext())[None, None]
    low, high = bounds(plant, scene_graph, q, scenery=False)
    extent = np.maximum(high[0] - low[0], SMALLEST)
    spacing = max(0.25 * float(extent.max()), 2.0 * float(extent[1]))
    if len(scenery_of(plant)) > 1:
        spacing = 0.0
    weight = 0.25 * float(extent.max())
    marks = 1.0 if extent.max() > _SMALL else 0.1
    return Sizes(spacing=_one_digit(spacing), weight=_one_digit(weight), marks=marks)


def scenery_of(plant: MultibodyPlant) -> set[BodyIndex]:
    """Bodies of models that stand still as a whole, and the world."""
    fixed = fixed_bodies(plant)
    models = [
        plant.GetBodyIndices(ModelInstanceIndex(i)) for i in range(plant.num_model_instances())
    ]
    return {body for bodies in models if fixed.issuperset(bodies) for body in bodies}


def _ground_of(plant: MultibodyPlant) -> set[BodyIndex]:
    """The world, and the link of uneven ground if there is one."""
    uneven = {body.index() for body in bodies_of(plant) if body.scoped_name().get_full() == SURFACE}
    return {plant.world_body().index(), *uneven}


def centre_of_mass(plant: MultibodyPlant, context: Context) -> Array:
    """Centre of mass in W [m], the origin of a machine without mass."""
    if plant.CalcTotalMass(context) <= 0.0:
        return np.zeros(3)
    centre_W: Array = plant.CalcCenterOfMassPositionInWorld(context)
    return centre_W


def bounds(
    plant: MultibodyPlant, scene_graph: SceneGraph, q: Array, *, scenery: bool = True
) -> tuple[Array, Array]:
    """Lowest and highest corner of a box around all that is seen but the ground, (time, 3) [m].

    q: (time, run, position). scenery: whether models that stand still count.
    """
    inspector = scene_graph.model_inspector()
    context = plant.CreateDefaultContext()
    left_out = _ground_of(plant) if scenery else scenery_of(plant)
    shapes = []
    visible = visible_shapes(plant, scene_graph)
    for geometry in (*visible.seen, *visible.instead):
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if body is None or body.index() in left_out:  # a visualizer may have frames of its own
            continue
        shapes += [(body, corners) for corners in _corners(inspector, geometry)]
    if not shapes:
        shapes = [(bodies_of(plant)[-1], np.zeros((3, 1)))]
    bodies = [body for body, _ in shapes]
    p_BC = np.array([corners for _, corners in shapes])
    low, high = np.empty((len(q), 3)), np.empty((len(q), 3))
    for k, runs in enumerate(q):
        poses = []
        for positions in runs:
            plant.SetPositions(context, positions)
            poses += [[b.EvalPoseInWorld(context).GetAsMatrix34() for b in bodies]]
        X_WB = np.array(poses)
        p_WC = X_WB[..., :3] @ p_BC + X_WB[..., 3:]
        low[k], high[k] = p_WC.min(axis=(0, 1, 3)), p_WC.max(axis=(0, 1, 3))
    return low, high


def _corners(inspector: SceneGraphInspector, geometry: GeometryId) -> Iterator[Array]:
    """Yield the corners (3, 8) of a box around a shape of a body, in the body's frame.

    Of a mesh that Drake cannot read it is as large as what may touch of its body.
    """
    some = [geometry]
    if _box(inspector, geometry) is None:
        some = inspector.GetGeometries(inspector.GetFrameId(geometry), Role.kProximity)
    for each in some:
        box = _box(inspector, each)
        if box is not None:
            corners = _SIGNS * box.half_width()[:, None]
            yield inspector.GetPoseInFrame(each).multiply(box.pose()).multiply(corners)


def _box(inspector: SceneGraphInspector, geometry: GeometryId) -> Obb | None:
    """Box around a shape; None for one without end, and for a mesh that Drake cannot read.

    Legs have meshes in common, which take their time to be measured.
    """
    shape = inspector.GetShape(geometry)
    if not isinstance(shape, Mesh | Convex) or not shape.source().is_path():
        return _measured(inspector, geometry)
    file = shape.source().path()
    key = type(shape), file, file.stat().st_mtime_ns, *shape.scale3().tolist()
    if key not in _BOXES:
        _BOXES[key] = _measured(inspector, geometry)
    return _BOXES[key]


def _measured(inspector: SceneGraphInspector, geometry: GeometryId) -> Obb | None:
    try:
        return inspector.GetObbInGeometryFrame(geometry)
    except RuntimeError:
        return None


_SIGNS = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, 8)
"""The corners of a cube."""


def _one_digit(length: float) -> float:
    return float(f"{length:.1g}")
