"""Stills of a scene for pages, rendered by VTK without a display.

Frames: W world, C camera as Drake has it (x to the right of the picture, y down, z into it).
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
from pydrake.geometry import (
    Box,
    ClippingRange,
    ColorRenderCamera,
    GeometryInstance,
    LightParameter,
    MakePhongIllustrationProperties,
    MakeRenderEngineVtk,
    PerceptionProperties,
    RenderCameraCore,
    RenderEngineVtkParams,
    Rgba,
    Role,
    SceneGraph,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.rendering import MultibodyPositionToGeometryPose
from pydrake.systems.sensors import CameraInfo

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.plants.load import Model
from footfall.report.data_uri import png_uri
from footfall.report.figure import Figure
from footfall.report.force_shapes import ForceShapes
from footfall.scenario.cameras import Camera
from footfall.show.camera import camera_before
from footfall.show.colours import to_rgba
from footfall.show.extent import bounds, visible_copy
from footfall.show.forces import Forces, FrictionCone
from footfall.show.trace import LinesOnGround
from footfall.show.view import PLAIN, View

Pixels = npt.NDArray[np.uint8]
"""(height, width, 3): red, green and blue."""

SIZE = (960, 600)  # pixels: width and height
_FINER = 2  # rendered so many times as fine and averaged: VTK's edges are jagged
_RENDERER = "stills"
_FORMATS = (".obj", ".gltf", ".vtk")  # of meshes that VTK draws
_NEAR, _FAR = 0.02, 60.0  # of the distance to the target
_SKY = [0.93, 0.95, 0.97]
_UNPAINTED = Rgba(0.9, 0.9, 0.9)
_THICKNESS = 1e-3  # m, of dashes on the ground
# one from above, one over the left shoulder and one from the camera, so that no side is black; they
# throw no shadows, which would darken thin bars by those of their own edges
_LIGHTS = [
    LightParameter(type="directional", frame=frame, direction=direction, intensity=intensity)
    for frame, direction, intensity in (
        ("world", [0.0, 0.0, -1.0], 0.45),
        ("camera", [0.5, 0.45, 0.75], 0.55),
        ("camera", [0.0, 0.0, 1.0], 0.95),
    )
]
_ENGINE = RenderEngineVtkParams(default_clear_color=_SKY, lights=_LIGHTS)


def rendered_figure(
    title: str,
    alt: str,
    model: Model,
    q: Array,
    *,
    view: View = PLAIN,
    note: str = "",
    renderer: "Renderer | None" = None,
) -> Figure:
    """Make a figure of a machine at positions q (nq,), as ``render`` shows it.

    Arguments and errors as of ``render``.
    """
    picture = render(model, q, view, renderer=renderer)
    return Figure(title, alt, png_uri(picture, palette=False), note)


def render(
    model: Model,
    q: Array,
    view: View = PLAIN,
    size: tuple[int, int] = SIZE,
    renderer: "Renderer | None" = None,
) -> Pixels:
    """Render a machine at positions q (nq,) on its ground, with the dashed lines of the view.

    size: width and height in pixels. renderer: where one with these positions has been made for
    another picture. Without a camera in the view one sees the machine. Raises RunError where VTK
    does not work, ModelError for a body of the view that the model lacks.
    """
    own = renderer or renderer_of(model, q, view)
    return own.picture(q, view.camera or _framed(model, q), size)


def renderer_of(model: Model, q: Array, view: View = PLAIN) -> "Renderer":
    """Return what renders a machine, with the dashed lines that the view has at positions q (nq,).

    Errors as of ``render``.
    """
    scene_graph = visible_copy(model, _FORMATS)
    _draw_dashes(scene_graph, model, q, view)
    return Renderer(model, scene_graph)


class Renderer:
    """Pictures of a machine at any positions, by VTK and without a display."""

    def __init__(self, model: Model, scene_graph: SceneGraph | None = None) -> None:
        """Take a copy of what is visible; scene_graph: such a copy, with more in it.

        Raises RunError where VTK does not work.
        """
        if scene_graph is None:
            scene_graph = visible_copy(model, _FORMATS)
        _show_to_renderers(scene_graph, model)
        builder = DiagramBuilder()
        builder.AddSystem(scene_graph)
        to_pose = builder.AddSystem(MultibodyPositionToGeometryPose(model.plant))
        source = model.plant.get_source_id()
        builder.Connect(to_pose.get_output_port(), scene_graph.get_source_pose_port(source))
        with _vtk():
            scene_graph.AddRenderer(_RENDERER, MakeRenderEngineVtk(_ENGINE))
            self._diagram = builder.Build()
        self._scene_graph, self._to_pose, self._model = scene_graph, to_pose, model
        self._context = self._diagram.CreateDefaultContext()
        self._forces: ForceShapes | None = None

    def show_forces(self, names: Sequence[str], cones: Sequence[FrictionCone] = ()) -> None:
        """Let pictures show forces of contacts by name, and cones of those that have one."""
        self._forces = ForceShapes(self._scene_graph, self._model, names, cones)

    def picture(
        self,
        q: Array,
        camera: Camera,
        size: tuple[int, int] = SIZE,
        finer: int = _FINER,
        forces: Forces | None = None,
    ) -> Pixels:
        """Render the machine at positions q (nq,).

        size: width and height in pixels. finer: rendered so many times as fine and averaged.
        forces: of the contacts that ``show_forces`` was told.
        """
        own = self._to_pose.GetMyMutableContextFromRoot(self._context)
        self._to_pose.get_input_port().FixValue(own, q)
        seen = self._scene_graph.GetMyMutableContextFromRoot(self._context)
        with _vtk():
            if self._forces is not None:
                self._forces.put(seen, forces)
            scene = self._scene_graph.get_query_output_port().Eval(seen)
            image = scene.RenderColorImage(
                _lens(camera, size, finer), self._scene_graph.world_frame_id(), pose_of(camera)
            )
        return _averaged(np.asarray(image.data)[:, :, :3], finer)


@contextmanager
def _vtk() -> Iterator[None]:
    """Explain what VTK complains of."""
    try:
        yield
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        message = f"VTK cannot render the scene ({reason}): see what footfall check says of it."
        raise RunError(message) from error


def pose_of(camera: Camera) -> RigidTransform:
    """X_WC of a camera."""
    p_WC = np.array(camera.position)
    z = np.array(camera.target) - p_WC
    z /= np.linalg.norm(z)
    upright = math.hypot(z[0], z[1]) > 1e-6
    x = np.cross(z, [0.0, 0.0, 1.0] if upright else [0.0, 1.0, 0.0])
    x /= np.linalg.norm(x)
    return RigidTransform(RotationMatrix(np.column_stack((x, np.cross(z, x), z))), p_WC)


def _lens(camera: Camera, size: tuple[int, int], finer: int) -> ColorRenderCamera:
    width, height = (finer * pixels for pixels in size)
    away = math.dist(camera.position, camera.target)
    core = RenderCameraCore(
        _RENDERER,
        CameraInfo(width, height, math.radians(camera.field_of_view)),
        ClippingRange(_NEAR * away, _FAR * away),
        RigidTransform(),
    )
    return ColorRenderCamera(core, show_window=False)


def _framed(model: Model, q: Array) -> Camera:
    """The camera that sees the machine."""
    low, high = (ends[0] for ends in bounds(model.plant, model.scene_graph, q[None, None]))
    return camera_before(0.5 * (low + high), high - low, aspect=SIZE[0] / SIZE[1])


def _show_to_renderers(scene_graph: SceneGraph, model: Model) -> None:
    """Give renderers the shapes that a person sees, in their colours, and no others."""
    source = model.plant.get_source_id()
    inspector = scene_graph.model_inspector()
    for geometry in inspector.GetAllGeometryIds(Role.kPerception):
        scene_graph.RemoveRole(source, geometry, Role.kPerception)
    for geometry in inspector.GetAllGeometryIds(Role.kIllustration):
        look = inspector.GetIllustrationProperties(geometry)
        colour = look.GetPropertyOrDefault("phong", "diffuse", _UNPAINTED)
        properties = PerceptionProperties()
        properties.AddProperty("phong", "diffuse", colour)
        scene_graph.AssignRole(source, geometry, properties)


def _draw_dashes(scene_graph: SceneGraph, model: Model, q: Array, view: View) -> None:
    """Lay the dashed lines of a view as thin boxes."""
    lines = LinesOnGround(model, view.dashed)
    for number, (line, (X_WL, length)) in enumerate(zip(view.dashed, lines.place(q), strict=True)):
        look = MakePhongIllustrationProperties(to_rgba(line.colour).rgba)
        for start, end in lines.dashes(length):
            X_LD = RigidTransform([0.5 * (start + end), 0.0, 0.0])
            dash = Box(end - start, lines.width, _THICKNESS)
            name = f"dash {number} at {start:.6f}"
            geometry = GeometryInstance(X_WL @ X_LD, dash, name)
            geometry.set_illustration_properties(look)
            scene_graph.RegisterAnchoredGeometry(model.plant.get_source_id(), geometry)


def _averaged(fine: npt.NDArray[np.uint8], finer: int) -> Pixels:
    """The mean of every block of pixels, by sums of whole numbers, which cost least."""
    if finer == 1:
        return fine
    parts = [fine[k::finer, m::finer] for k in range(finer) for m in range(finer)]
    total: npt.NDArray[np.uint16] = np.add.reduce(parts, axis=0, dtype=np.uint16)
    return ((total + finer**2 // 2) // finer**2).astype(np.uint8)
