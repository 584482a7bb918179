"""Stills of a scene for pages, rendered by VTK without a display, with arrows of contact forces.

Frames: W world, C camera as Drake has it (x to the right of the picture, y down, z into it); of a
force C is the contact point with its axes [n, t, s]. Arrows and cones are shapes of the context of
the SceneGraph, put there for each picture, in the colours and lengths of Meshcat's scenes.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
from pydrake.common import MemoryFile
from pydrake.geometry import (
    Box,
    ClippingRange,
    ColorRenderCamera,
    Cylinder,
    GeometryId,
    GeometryInstance,
    InMemoryMesh,
    LightParameter,
    MakePhongIllustrationProperties,
    MakeRenderEngineVtk,
    Mesh,
    PerceptionProperties,
    RenderCameraCore,
    RenderEngineVtkParams,
    Rgba,
    Role,
    SceneGraph,
    Shape,
    SourceId,
)
from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix
from pydrake.systems.framework import Context, DiagramBuilder
from pydrake.systems.rendering import MultibodyPositionToGeometryPose
from pydrake.systems.sensors import CameraInfo

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.plants.loading.load import Model
from footfall.report.figure import Figure, png_uri
from footfall.scenario.cameras import Camera
from footfall.show.camera import camera_before
from footfall.show.colours import to_rgba
from footfall.show.extent import bounds, visible_copy
from footfall.show.forces import (
    COLOURS,
    CONE_COLOUR,
    FORCE_COLOUR,
    HEAD,
    SHAFT,
    Forces,
    FrictionCone,
    cone_height,
    force_scale,
    what_is_pushed,
)
from footfall.show.trace import LinesOnGround
from footfall.show.view import PLAIN, View

_SIDES = 32
_UPSIDE_DOWN = RotationMatrix(RollPitchYaw(math.pi, 0.0, 0.0))


class ForceShapes:
    """Arrows of the contacts of names, and cones of those that have one."""

    def __init__(
        self,
        scene_graph: SceneGraph,
        model: Model,
        names: Sequence[str],
        cones: Sequence[FrictionCone] = (),
    ) -> None:
        """Take a copy of the model's SceneGraph; cones: that are shown."""
        self._scene_graph = scene_graph
        self._source: SourceId = model.plant.get_source_id()
        self._scale = force_scale(model)
        self._pushed = what_is_pushed(names, model)
        mu = {cone.contact: cone.mu for cone in cones}
        self._mu = [mu.get(name) for name in names]
        self._cone = InMemoryMesh(mesh_file=MemoryFile(_cone_obj(), ".obj", "cone"))
        self._there: list[GeometryId] = []
        self._put = 0

    def put(self, context: Context, forces: Forces | None) -> None:
        """Replace what is in a context of the SceneGraph by forces of now; None: by none."""
        for geometry in self._there:
            self._scene_graph.RemoveGeometry(context, self._source, geometry)
        self._there.clear()
        if forces is None:
            return
        rows = zip(self._pushed, self._mu, forces.p_WC, forces.axes_W, forces.force, strict=True)
        for pushed, mu, point, axes, force in rows:
            if not pushed or not np.isfinite(point).all():
                continue
            self._arrow(context, point, force[0] * axes[:, 0], COLOURS["normal"])
            self._arrow(context, point, axes[:, 1:] @ force[1:], COLOURS["friction"])
            height = cone_height(self._scale, force) if mu is not None else 0.0
            if mu is not None and height > 0.0:
                X_WC = RigidTransform(RotationMatrix(axes[:, [1, 2, 0]]), point)
                size = np.array([mu * height, mu * height, height])
                self._add(context, X_WC, Mesh(self._cone, scale3=size), CONE_COLOUR)
                self._arrow(context, point, axes @ force, FORCE_COLOUR)

    def _arrow(self, context: Context, point: Array, force_W: Array, colour: Rgba) -> None:
        size = float(np.linalg.norm(force_W))
        length = self._scale.of(size)
        if length == 0.0:
            return
        X_WA = RigidTransform(RotationMatrix.MakeFromOneVector(force_W / size, 2), point)
        shaft, head = SHAFT * self._scale.length, HEAD * self._scale.length
        middle = X_WA @ RigidTransform([0.0, 0.0, 0.5 * length])
        self._add(context, middle, Cylinder(shaft, length), colour)
        tip = X_WA @ RigidTransform(_UPSIDE_DOWN, [0.0, 0.0, length + 2.0 * head])
        self._add(context, tip, Mesh(self._cone, scale3=np.array([head, head, 2.0 * head])), colour)

    def _add(self, context: Context, X_WG: RigidTransform, shape: Shape, colour: Rgba) -> None:
        self._put += 1
        instance = GeometryInstance(X_WG, shape, f"force {self._put}")
        look = PerceptionProperties()
        look.AddProperty("phong", "diffuse", colour)
        instance.set_perception_properties(look)
        world = self._scene_graph.world_frame_id()
        self._there.append(
            self._scene_graph.RegisterGeometry(context, self._source, world, instance)
        )


def _cone_obj() -> str:
    """Wavefront OBJ of a cone with its tip at the origin, of radius 1 at z = 1, seen from both."""
    angles = [2.0 * math.pi * k / _SIDES for k in range(_SIDES)]
    across = [(math.cos(angle), math.sin(angle)) for angle in angles]
    lines = ["v 0 0 0", "v 0 0 1", *(f"v {x:.6f} {y:.6f} 1" for x, y in across), "vn 0 0 1"]
    for sign in (1.0, -1.0):  # outside, inside
        lines += [f"vn {sign * x:.6f} {sign * y:.6f} {-sign:.0f}" for x, y in across]
    for k in range(_SIDES):
        after = (k + 1) % _SIDES
        v, w, out, further = 3 + k, 3 + after, 2 + k, 2 + after
        lines += [
            f"f 1//{out} {w}//{further} {v}//{out}",
            f"f 1//{out + _SIDES} {v}//{out + _SIDES} {w}//{further + _SIDES}",
            f"f 2//1 {v}//1 {w}//1",
        ]
    return "\n".join(lines) + "\n"


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
) -> Figure:
    """Make a figure of a machine at positions q (nq,), as ``render`` shows it.

    Arguments and errors as of ``render``.
    """
    return Figure(title, alt, png_uri(render(model, q, view), palette=False), note)


def render(model: Model, q: Array, view: View = PLAIN, size: tuple[int, int] = SIZE) -> Pixels:
    """Render a machine at positions q (nq,) on its ground, with the dashed lines of the view.

    size: width and height in pixels. Without a camera in the view one sees the machine. Raises
    RunError where VTK does not work, ModelError for a body of the view that the model lacks.
    """
    scene_graph = visible_copy(model, _FORMATS)
    _draw_dashes(scene_graph, model, q, view)
    return Renderer(model, scene_graph).picture(q, view.camera or _framed(model, q), size)


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
