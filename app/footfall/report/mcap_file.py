"""Runs as MCAP files of ROS 2 messages.

Topics: /tf, the pose of every link in ``world``; /scene, the shapes of the links, once; /forces, an
arrow a contact, mean of a frame; /joint_states, of joints with one degree of freedom; /rosout, the
events; and for every variable of the trajectory over time one called as it is, such as /com or
/reading, whose messages are lists of names and values. What moves is written in frames, what is
measured in every row.
"""

import heapq
import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from pydrake.geometry import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    GeometryId,
    HalfSpace,
    SceneGraphInspector,
    Sphere,
)
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.files import replacing
from footfall.plants.coordinates import (
    actuators_of,
    bodies_of,
    full_name,
    simple_joints,
)
from footfall.plants.loading.load import Model
from footfall.show.extent import visible_shapes
from footfall.show.forces import FORCE_COLOUR, HEAD, SHAFT, RecordedForces, force_scale
from footfall.show.replay import track_of
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.series import series_of, variables_over_time

_FRAMES = 60.0  # a second
_WORLD = "world"
_GROUND = 20.0  # m, of a half-space that is drawn
_ARROW, _CUBE, _SPHERE, _CYLINDER, _TRIANGLES = 0, 1, 2, 3, 11
_ADD, _DELETE = 0, 2
_MARKERS = "visualization_msgs/MarkerArray"
_INFO = 20

# fields of ROS 2's own messages, and of one that holds any numbers by name
_FIELDS = {
    "builtin_interfaces/Time": "int32 sec, uint32 nanosec",
    "builtin_interfaces/Duration": "int32 sec, uint32 nanosec",
    "std_msgs/Header": "builtin_interfaces/Time stamp, string frame_id",
    "std_msgs/ColorRGBA": "float32 r, float32 g, float32 b, float32 a",
    "geometry_msgs/Point": "float64 x, float64 y, float64 z",
    "geometry_msgs/Vector3": "float64 x, float64 y, float64 z",
    "geometry_msgs/Quaternion": "float64 x, float64 y, float64 z, float64 w",
    "geometry_msgs/Pose": ("geometry_msgs/Point position, geometry_msgs/Quaternion orientation"),
    "geometry_msgs/Transform": (
        "geometry_msgs/Vector3 translation, geometry_msgs/Quaternion rotation"
    ),
    "geometry_msgs/TransformStamped": (
        "std_msgs/Header header, string child_frame_id, geometry_msgs/Transform transform"
    ),
    "tf2_msgs/TFMessage": "geometry_msgs/TransformStamped[] transforms",
    "sensor_msgs/JointState": (
        "std_msgs/Header header, string[] name, float64[] position, float64[] velocity, "
        "float64[] effort"
    ),
    "visualization_msgs/Marker": (
        "std_msgs/Header header, string ns, int32 id, int32 type, int32 action, "
        "geometry_msgs/Pose pose, geometry_msgs/Vector3 scale, std_msgs/ColorRGBA color, "
        "builtin_interfaces/Duration lifetime, bool frame_locked, geometry_msgs/Point[] points, "
        "std_msgs/ColorRGBA[] colors, string text, string mesh_resource, "
        "bool mesh_use_embedded_materials"
    ),
    "visualization_msgs/MarkerArray": "visualization_msgs/Marker[] markers",
    "rcl_interfaces/Log": (
        "builtin_interfaces/Time stamp, uint8 level, string name, string msg, string file, "
        "string function, uint32 line"
    ),
    "footfall_msgs/Values": "std_msgs/Header header, string[] name, float64[] value",
}


def write_mcap(path: Path, model: Model, trajectory: Trajectory) -> int:
    """Write a run of a model, and return how many messages there are.

    Raises RunError where the packages for it are not installed, and where the file cannot be
    written.
    """
    try:
        from mcap_ros2.writer import Writer
    except ImportError as error:
        raise RunError("MCAP needs a package: pip install 'footfall[mcap]'.") from error

    count = 0
    messages = heapq.merge(*_topics(model, trajectory), key=lambda message: message[0])
    with replacing(path) as temporary, temporary.open("wb") as file, Writer(file) as writer:
        schemas = {}
        for count, (time, topic, kind, message) in enumerate(messages, 1):  # noqa: B007
            if kind not in schemas:
                package, _, name = kind.partition("/")
                schemas[kind] = writer.register_msgdef(f"{package}/msg/{name}", definition(kind))
            writer.write_message(topic, schemas[kind], message, round(1e9 * time))
    return count


def definition(kind: str) -> str:
    """Return the definition of a message as ROS 2 has it, with those of its parts behind it."""
    parts, rest = [kind], [kind]
    while rest:
        for line in _FIELDS[rest.pop()].split(", "):
            part = line.partition(" ")[0].removesuffix("[]")
            if part in _FIELDS and part not in parts:
                parts.append(part)
                rest.append(part)
    texts = [_FIELDS[part].replace(", ", "\n") for part in parts]
    heads = [f"\n{'=' * 80}\nMSG: {part}\n" for part in parts[1:]]
    return texts[0] + "".join(head + text for head, text in zip(heads, texts[1:], strict=True))


_Message = tuple[float, str, str, dict[str, Any]]


def _topics(model: Model, trajectory: Trajectory) -> Iterator[Iterable[_Message]]:
    """Yield the messages of every topic in their order: time [s], topic, kind and content."""
    time, q = track_of("", trajectory, model)
    wanted = np.arange(time[0], time[-1] + 0.5 / _FRAMES, 1.0 / _FRAMES)
    rows = np.unique(np.clip(np.searchsorted(time, wanted), 0, len(time) - 1))
    frames = time[rows].tolist()
    yield [(frames[0], "/scene", _MARKERS, _scene(model, frames[0]))]
    yield (
        (end, "/tf", "tf2_msgs/TFMessage", _poses(model.plant, end, posture))
        for end, posture in zip(frames, q[rows], strict=True)
    )
    yield _forces(model, trajectory, frames)
    yield _joint_states(model.plant, trajectory)
    yield (
        (event.time, "/rosout", "rcl_interfaces/Log", _log(event))
        for event in sorted(trajectory.events, key=lambda event: event.time)
    )
    for variable in variables_over_time(trajectory.data):
        yield _values(trajectory.data, variable)


def _forces(model: Model, trajectory: Trajectory, frames: Sequence[float]) -> Iterator[_Message]:
    forces, scale = RecordedForces(model, trajectory), force_scale(model)
    for begin, end in itertools.pairwise(frames):
        if (mean := forces.mean(begin, end)) is not None:
            arrows = [
                _arrow(
                    name, place, force, scale.of(float(np.linalg.norm(force))), scale.length, end
                )
                for name, place, force in zip(forces.names, mean.p_WC, mean.force_W, strict=True)
            ]
            yield end, "/forces", _MARKERS, {"markers": arrows}


def _log(event: Event) -> dict[str, Any]:
    told = {"stamp": _stamp(event.time), "level": _INFO, "name": event.kind, "msg": event.what}
    return told | {"file": "", "function": "", "line": 0}


def _values(data: xr.Dataset, variable: str) -> Iterator[_Message]:
    series = series_of(data, variable)
    names = [one.name.removeprefix(f"{variable}.") for one in series]
    rows = np.array([one.values for one in series]).T
    for time, values in zip(data["time"].to_numpy().tolist(), rows, strict=True):
        told = {"header": _header(time), "name": names, "value": values.tolist()}
        yield time, f"/{variable}", "footfall_msgs/Values", told


def _joint_states(plant: MultibodyPlant, trajectory: Trajectory) -> Iterator[_Message]:
    joints = list(simple_joints(plant).values())
    data = trajectory.data
    q, v, actuation = (data[name].to_numpy() for name in ("q", "v", "actuation"))
    efforts = np.full((len(q), plant.num_velocities()), np.nan)
    efforts[:, [each.joint().velocity_start() for each in actuators_of(plant)]] = actuation
    places = [joint.velocity_start() for joint in joints]
    columns = q[:, [joint.position_start() for joint in joints]], v[:, places], efforts[:, places]
    names = [joint.name() for joint in joints]
    for row, time in enumerate(data["time"].to_numpy().tolist()):
        position, velocity, effort = (column[row].tolist() for column in columns)
        of_joints = {"position": position, "velocity": velocity, "effort": effort}
        state = {"header": _header(time), "name": names, **of_joints}
        yield time, "/joint_states", "sensor_msgs/JointState", state


def _poses(plant: MultibodyPlant, time: float, q: Array) -> dict[str, Any]:
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    transforms = []
    for body in bodies_of(plant):
        if body.index() == plant.world_body().index():
            continue
        pose = _pose(body.EvalPoseInWorld(context))
        transforms.append(
            {
                "header": _header(time),
                "child_frame_id": full_name(plant, body.body_frame()),
                "transform": {"translation": pose["position"], "rotation": pose["orientation"]},
            }
        )
    return {"transforms": transforms}


def _scene(model: Model, time: float) -> dict[str, Any]:
    """Markers of all shapes that are seen, fixed to their links."""
    inspector = model.scene_graph.model_inspector()
    visible = visible_shapes(model.plant, model.scene_graph)
    markers: list[dict[str, Any]] = []
    for geometry in (*visible.seen, *visible.instead):
        body = model.plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        fixed = body is None or body.index() == model.plant.world_body().index()
        frame = _WORLD if fixed else full_name(model.plant, body.body_frame())
        for kind, X_FG, scale, points in _primitives(inspector, geometry):
            markers.append(
                _marker(f"shape {len(markers)}", kind, time, scale, frame)
                | {"pose": _pose(X_FG), "points": points, "frame_locked": True}
            )
    return {"markers": markers}


def _primitives(
    inspector: SceneGraphInspector, geometry: GeometryId
) -> Iterator[tuple[int, RigidTransform, list[float], list[dict[str, float]]]]:
    """Yield kind, pose, size and points of markers that make up a shape."""
    shape, X_FG = inspector.GetShape(geometry), inspector.GetPoseInFrame(geometry)
    if isinstance(shape, Box):
        yield _CUBE, X_FG, [*shape.size()], []
    elif isinstance(shape, Sphere):
        yield _SPHERE, X_FG, [2.0 * shape.radius()] * 3, []
    elif isinstance(shape, Ellipsoid):
        yield _SPHERE, X_FG, [2.0 * shape.a(), 2.0 * shape.b(), 2.0 * shape.c()], []
    elif isinstance(shape, Cylinder | Capsule):
        width, length = 2.0 * shape.radius(), shape.length()
        yield _CYLINDER, X_FG, [width, width, length], []
        for end in (-0.5, 0.5) if isinstance(shape, Capsule) else ():
            yield _SPHERE, X_FG @ RigidTransform([0.0, 0.0, end * length]), [width] * 3, []
    elif isinstance(shape, HalfSpace):
        below = X_FG @ RigidTransform([0.0, 0.0, -5e-4])
        yield _CUBE, below, [_GROUND, _GROUND, 1e-3], []
    elif (hull := inspector.GetConvexHull(geometry)) is not None:  # of meshes
        corners = [_xyz(hull.vertex(k)) for k in range(hull.num_vertices())]
        faces = [hull.element(k) for k in range(hull.num_elements())]
        triangles = [
            corners[face.vertex(k)]
            for face in faces
            for turn in range(1, face.num_vertices() - 1)
            for k in (0, turn, turn + 1)
        ]
        yield _TRIANGLES, X_FG, [1.0] * 3, triangles


def _arrow(
    name: str, p_WC: Array, force_W: Array, length: float, of_weight: float, time: float
) -> dict[str, Any]:
    """An arrow of a force with its tail at a point; none, where it is too faint, takes it away."""
    shown = length > 0.0 and bool(np.isfinite(p_WC).all())
    widths = [2.0 * SHAFT * of_weight, 2.0 * HEAD * of_weight, 2.0 * HEAD * of_weight]
    arrow = _marker(name, _ARROW, time, widths, _WORLD) | {"action": _ADD if shown else _DELETE}
    if shown:
        tip = p_WC + force_W / np.linalg.norm(force_W) * length
        arrow["points"] = [_xyz(p_WC), _xyz(tip)]
    return arrow


def _marker(name: str, kind: int, time: float, scale: list[float], frame: str) -> dict[str, Any]:
    colour = FORCE_COLOUR if kind == _ARROW else None
    grey = (0.45, 0.55, 0.68) if colour is None else (colour.r(), colour.g(), colour.b())
    return {
        "header": _header(time) | {"frame_id": frame},
        "ns": name,
        "id": 0,
        "type": kind,
        "action": _ADD,
        "pose": _pose(RigidTransform()),
        "scale": _xyz(scale),
        "color": dict(zip("rgba", (*grey, 1.0), strict=True)),
        "lifetime": {"sec": 0, "nanosec": 0},
        "frame_locked": False,
        "points": [],
        "colors": [],
        "text": "",
        "mesh_resource": "",
        "mesh_use_embedded_materials": False,
    }


def _pose(X: RigidTransform) -> dict[str, Any]:
    w, *xyz = X.rotation().ToQuaternion().wxyz().tolist()
    return {"position": _xyz(X.translation()), "orientation": {**_xyz(xyz), "w": w}}


def _xyz(values: Any) -> dict[str, float]:  # noqa: ANN401 (three numbers)
    return {name: float(value) for name, value in zip("xyz", values, strict=True)}


def _header(time: float) -> dict[str, Any]:
    return {"stamp": _stamp(time), "frame_id": _WORLD}


def _stamp(time: float) -> dict[str, int]:
    seconds, nanoseconds = divmod(round(1e9 * time), 1_000_000_000)
    return {"sec": seconds, "nanosec": nanoseconds}
