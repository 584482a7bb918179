"""Contact forces in rendered pictures: arrows, and friction cones around the whole force.

They are shapes of the SceneGraph's context, put there for each picture. Frames: W world, C the
contact point with its axes [n, t, s]. Colours and lengths are those of Meshcat's scenes.
"""

import math
from collections.abc import Sequence

import numpy as np
from pydrake.common import MemoryFile
from pydrake.geometry import (
    Cylinder,
    GeometryId,
    GeometryInstance,
    InMemoryMesh,
    Mesh,
    PerceptionProperties,
    Rgba,
    SceneGraph,
    Shape,
    SourceId,
)
from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.plants.load import Model
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
