"""A run in the viewer of the PyPI package meshcat, which notebooks show inline.

Frames: W world, B a body, G a shape of Drake; Y the same as three.js has it, whose cylinders lie
along y.
"""

import contextlib
import io
import subprocess
import sys
import weakref
from functools import cached_property
from typing import Any

import numpy as np
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Ellipsoid,
    GeometryId,
    HalfSpace,
    Mesh,
    Rgba,
    Role,
    SceneGraphInspector,
    Shape,
    Sphere,
)
from pydrake.math import RigidTransform, RotationMatrix

from footfall.api.html import Animation, inline_frame
from footfall.arrays import Array
from footfall.errors import RunError
from footfall.plants.loading.load import Model
from footfall.show.camera import camera_before
from footfall.show.extent import bounds, visible_copy
from footfall.show.replay import track_of
from footfall.trajectory import Trajectory

MESHES = (".obj", ".stl", ".dae", ".gltf", ".glb", ".ply")
"""Endings of meshes that can be drawn."""

Placed = tuple[Any, RigidTransform]
"""A geometry of meshcat and its X_GY."""

_GROUND = (40.0, 40.0, 0.02)  # m: a half-space is drawn as a slab
_SAME = RigidTransform()
_ALONG_Y = RigidTransform(RotationMatrix.MakeXRotation(0.5 * np.pi))


def meshcat_shapes(shape: Shape) -> list[Placed]:
    """Return what looks like a shape of Drake; nothing for one that cannot be drawn."""
    import meshcat.geometry as g

    placed: list[Placed] = []
    match shape:
        case Sphere():
            placed = [(g.Sphere(shape.radius()), _SAME)]
        case Box():
            placed = [(g.Box(shape.size().tolist()), _SAME)]
        case Ellipsoid():
            placed = [(g.Ellipsoid([shape.a(), shape.b(), shape.c()]), _SAME)]
        case Cylinder():
            placed = [(g.Cylinder(shape.length(), shape.radius()), _ALONG_Y)]
        case Capsule():
            ends = [RigidTransform([0.0, 0.0, sign * 0.5 * shape.length()]) for sign in (-1.0, 1.0)]
            balls = [(g.Sphere(shape.radius()), X_GE) for X_GE in ends]
            placed = [(g.Cylinder(shape.length(), shape.radius()), _ALONG_Y), *balls]
        case HalfSpace():
            placed = [(g.Box(list(_GROUND)), RigidTransform([0.0, 0.0, -0.5 * _GROUND[2]]))]
        case Mesh() | Convex() if shape.source().is_path():  # none of a mesh in memory
            import trimesh

            mesh: Any = trimesh.load(shape.source().path(), force="mesh")
            vertices = np.asarray(mesh.vertices) * shape.scale3()
            placed = [(g.TriangularMeshGeometry(vertices, mesh.faces), _SAME)]
    return placed


_ROOT = "scene"
_FPS = 30
_LOOKS = 50  # rows by which the camera is placed
_UNPAINTED = Rgba(0.9, 0.9, 0.9)
# the package's server listens on every interface of a computer unless it is told otherwise, and
# answers pages that let their own name stand for it; it is to end with the program, however that
# ends
_SERVE = """
import os, sys, threading
import tornado.web
def wait():
    sys.stdin.read()
    os._exit(0)
threading.Thread(target=wait, daemon=True).start()
listen = tornado.web.Application.listen
def local(self, port, address="", **kwargs):
    return listen(self, port, address or "127.0.0.1", **kwargs)
tornado.web.Application.listen = local
def check(self):
    if self.request.host_name not in ("127.0.0.1", "localhost"):
        raise tornado.web.HTTPError(403)
tornado.web.RequestHandler.prepare = check
from meshcat.servers.zmqserver import main
main()
"""


class MeshcatAnimation(Animation):
    """An animation on a server of the package meshcat, which ends with this object or program."""

    def __init__(self, model: Model, trajectory: Trajectory, title: str) -> None:
        """Start the server, on this machine only, and send the run.

        Raises RunError where the package is missing or its server does not start.
        """
        try:
            from meshcat import Visualizer
        except ImportError as error:
            raise RunError(
                "the viewer meshcat is not installed: pip install 'footfall[notebook]', or leave "
                "viewer out."
            ) from error
        self._title = title
        server, address = _start_server()
        self.close = weakref.finalize(self, _stop, server)
        """End the server; done when this object or the program ends."""
        with contextlib.redirect_stdout(io.StringIO()):  # it announces its address
            self._scene = Visualizer(zmq_url=address)
        _Sender(self._scene, model).send(trajectory, title)

    def url(self) -> str:
        """Return the address of the viewer, on this machine."""
        return str(self._scene.url())

    @cached_property
    def page(self) -> str:
        """The scene as one page that needs no server."""
        return str(self._scene.static_html())

    def __repr__(self) -> str:
        return f"<animation of {self._title} at {self.url()}>"

    def _repr_html_(self) -> str:
        return inline_frame(src=self.url())


def _start_server() -> tuple["subprocess.Popen[str]", str]:
    """Return a process of the package's server and the address at which it takes commands."""
    server = subprocess.Popen(
        [sys.executable, "-P", "-u", "-c", _SERVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is meant for the program
    )
    assert server.stdout is not None  # noqa: S101 (a pipe was asked for)
    for line in server.stdout:
        if line.startswith("zmq_url="):
            return server, line.strip().partition("=")[2]
    _, err = server.communicate()
    reason = (err.strip().splitlines() or ["it says nothing"])[-1]
    raise RunError(f"the viewer meshcat does not start ({reason}): leave viewer out.")


def _stop(server: "subprocess.Popen[str]") -> None:
    server.kill()
    server.communicate()


class _Sender:
    """Sends shapes and an animation of a model to a scene."""

    def __init__(self, scene: Any, model: Model) -> None:  # noqa: ANN401 (meshcat has no types)
        self._scene, self._model = scene, model
        self._bodies: dict[str, Any] = {}

    def send(self, trajectory: Trajectory, title: str) -> None:
        """Send the shapes, and the finite rows of a run as an animation."""
        inspector = visible_copy(self._model, MESHES).model_inspector()
        for geometry in inspector.GetAllGeometryIds(Role.kIllustration):
            self._send_shape(inspector, geometry)
        time, q = track_of(title, trajectory, self._model)
        self._frame(q)
        self._animate(time, q)

    def _send_shape(self, inspector: SceneGraphInspector, geometry: GeometryId) -> None:
        from meshcat.geometry import MeshPhongMaterial

        body = self._model.plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        name = str(body.scoped_name().get_full()).replace("::", ".")
        look = inspector.GetIllustrationProperties(geometry)
        colour = look.GetPropertyOrDefault("phong", "diffuse", _UNPAINTED)
        red, green, blue = (round(255 * part) for part in (colour.r(), colour.g(), colour.b()))
        material = MeshPhongMaterial(
            color=(red << 16) + (green << 8) + blue, opacity=float(colour.a())
        )
        for part, (drawn, X_GY) in enumerate(meshcat_shapes(inspector.GetShape(geometry))):
            place = self._scene[_ROOT][name][f"{geometry.get_value()}_{part}"]
            place.set_object(drawn, material)
            X_BG = inspector.GetPoseInFrame(geometry)
            place.set_transform(np.ascontiguousarray((X_BG @ X_GY).GetAsMatrix4()))
        self._bodies[name] = body

    def _frame(self, q: Array) -> None:
        """Look from the side at the whole path, without a grid and axes.

        The scene is moved to the origin, which this viewer's camera always looks at.
        """
        for path in ("/Grid", "/Axes"):
            self._scene[path].set_property("visible", False)
        some = q[:: max(1, len(q) // _LOOKS), None]
        lows, highs = bounds(self._model.plant, self._model.scene_graph, some)
        low, high = lows.min(axis=0), highs.max(axis=0)
        camera = camera_before(0.5 * (low + high), high - low)
        x, y, z = (np.array(camera.position) - camera.target).tolist()
        back = RigidTransform(-np.array(camera.target))
        self._scene[_ROOT].set_transform(back.GetAsMatrix4())
        lens = self._scene["/Cameras/default/rotated/<object>"]
        lens.set_property("fov", camera.field_of_view)
        lens.set_property("position", [x, z, -y])  # in the axes of three.js, y up

    def _animate(self, time: Array, q: Array) -> None:
        """Send the poses of all bodies, frame by frame."""
        from meshcat.animation import Animation

        plant = self._model.plant
        context = plant.CreateDefaultContext()
        frames = int((time[-1] - time[0]) * _FPS) + 1
        animation = Animation(default_framerate=_FPS)
        for frame in range(frames):
            row = int(np.searchsorted(time, time[0] + frame / _FPS + 1e-9, side="right")) - 1
            plant.SetPositions(context, q[row])
            for name, body in self._bodies.items():
                X_WB = body.EvalPoseInWorld(context)
                w, x, y, z = X_WB.rotation().ToQuaternion().wxyz().tolist()
                place = X_WB.translation().tolist()
                if frame == 0:
                    self._scene[_ROOT][name].set_transform(X_WB.GetAsMatrix4())
                moving = animation.at_frame(self._scene[_ROOT][name], frame)
                moving.set_property("position", "vector3", place)
                moving.set_property("quaternion", "quaternion", [x, y, z, w])
        self._scene.set_animation(animation)
