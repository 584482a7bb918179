"""Meshcat scene: machines posed without simulating, and marks on the ground."""

import numpy as np
from pydrake.geometry import (
    IllustrationProperties,
    Meshcat,
    MeshcatVisualizer,
    MeshcatVisualizerParams,
    Rgba,
    Role,
    SceneGraph,
)
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.rendering import MultibodyPositionToGeometryPose

from footfall.arrays import Array
from footfall.plants.loading.load import Model
from footfall.plants.terrain import Ground
from footfall.show.extent import scenery_of, visible_copy

SCENE = "/scene"
"""Path of everything that a scene shows; to go along with a machine, the scene is moved back."""
CONTACT_FORCES = f"{SCENE}/contact_forces"
CONTACT_CONES = f"{SCENE}/friction_cones"
PUSHES = f"{SCENE}/pushes"
PRESSURE = f"{SCENE}/centre_of_pressure"
SUPPORT = f"{SCENE}/support_polygon"
TRACES = "traces"
"""Below the path of a machine: the paths of its traced points."""
DASHED = "dashed"
"""Below the path of a machine: its dashed lines on the ground."""

_MARK_RGBA = Rgba(0.5, 0.5, 0.48)
_MARKS = np.arange(-99.0, 100.0)  # by number; the visible slab is 200 m long
_MARK_REACH = 0.6  # m to both sides
_MARK_WIDTH, _ORIGIN_WIDTH = 0.025, 0.08  # of the distance between marks
_MARK_HEIGHT = 0.003  # of it, above the ground


class Actor:
    """A machine in a Meshcat scene, at a path of its own.

    tint: one colour for the whole machine, which then brings no ground; None keeps its own.
    """

    def __init__(self, meshcat: Meshcat, model: Model, path: str, tint: Rgba | None = None) -> None:
        """Add the machine; ``pose`` moves it."""
        builder = DiagramBuilder()
        scene_graph = builder.AddSystem(visible_copy(model))
        if tint is not None:
            _tint(scene_graph, model, tint)
        self._model = model
        source = model.plant.get_source_id()
        to_pose = builder.AddSystem(MultibodyPositionToGeometryPose(model.plant))
        builder.Connect(to_pose.get_output_port(), scene_graph.get_source_pose_port(source))
        MeshcatVisualizer.AddToBuilder(
            builder, scene_graph, meshcat, MeshcatVisualizerParams(prefix=path)
        )
        self._diagram = builder.Build()
        self._context = self._diagram.CreateDefaultContext()
        self._position = to_pose.get_input_port()
        self._posed = to_pose.GetMyMutableContextFromRoot(self._context)

    def pose(self, q: Array, time: float = 0.0) -> None:
        """Show the machine at q; time [s] is that of the recording, if there is one."""
        self._position.FixValue(self._posed, q)
        self._context.SetTime(time)
        self._diagram.ForcedPublish(self._context)


def _tint(scene_graph: SceneGraph, model: Model, colour: Rgba) -> None:
    """Paint every visible shape of the machine and take the ground and scenery away."""
    source = model.plant.get_source_id()
    standing = scenery_of(model.plant)
    inspector = scene_graph.model_inspector()
    for geometry in inspector.GetAllGeometryIds(Role.kIllustration):
        look = IllustrationProperties(inspector.GetIllustrationProperties(geometry))
        look.UpdateProperty("phong", "diffuse", colour)
        scene_graph.RemoveRole(source, geometry, Role.kIllustration)  # Drake warns of replacing it
        if model.plant.GetBodyFromFrameId(inspector.GetFrameId(geometry)).index() not in standing:
            scene_graph.AssignRole(source, geometry, look)


def add_ground_marks(meshcat: Meshcat, terrain: Ground, apart: float) -> None:
    """Draw lines across the ground, so far apart along the slope [m], a broad one at the origin.

    None where the ground is not to be seen.
    """
    if not terrain.visible:
        return
    half = apart * np.where(_MARKS == 0.0, 0.5 * _ORIGIN_WIDTH, 0.5 * _MARK_WIDTH)
    corners = np.empty((len(_MARKS), 4, 3))
    corners[:, :, 0] = apart * _MARKS[:, None] + half[:, None] * [-1.0, 1.0, 1.0, -1.0]
    corners[:, :, 1] = _MARK_REACH * np.array([-1.0, -1.0, 1.0, 1.0])
    corners[:, :, 2] = _MARK_HEIGHT * apart
    first = 4 * np.arange(len(_MARKS))[:, None]
    faces = np.vstack((np.add(first, [0, 1, 2]), np.add(first, [0, 2, 3])))
    path = f"{SCENE}/ground_marks"
    meshcat.SetTriangleMesh(path, corners.reshape(-1, 3).T, faces.T, _MARK_RGBA)
    meshcat.SetTransform(path, terrain.X_WTerrain())
