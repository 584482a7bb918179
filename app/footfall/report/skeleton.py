"""Stick figure of any robot, from the kinematics of its plant.

Frames: W world (z up); B a body, Jc the frame of its inboard joint on it, Jp that of an outboard
joint; G a collision shape.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.colors import to_hex
from pydrake.geometry import Role, SceneGraphInspector
from pydrake.multibody.tree import RigidBody

from footfall.arrays import Array
from footfall.plants.coordinates import joints_of
from footfall.plants.loading.load import Model
from footfall.registry.traced import Traced
from footfall.report.shapes import outline_points, shape_colour
from footfall.show.colours import RUN_COLOURS
from footfall.show.extent import scenery_of
from footfall.show.trace import TracedPoints

_SAME = 1e-6  # m: points that are nearer than this are one
_LIGHTEST = 0.8  # mean of red, green and blue: a lighter line is hard to see on white


@dataclass(frozen=True, eq=False)
class Link:
    """A body of a robot: its joints' origins p_BJ (3, k), and outlines (3, n) of what may touch."""

    name: str
    colour: str
    body: RigidBody
    joints: Array
    outlines: tuple[Array, ...]


@dataclass(frozen=True, eq=False)
class SkeletonPosture:
    """A robot at some positions, in W [m].

    Of every link joints (3, k) and outlines (3, n); points (3, m) that are marked; centre of mass.
    """

    joints: list[Array]
    outlines: list[list[Array]]
    points: Array
    centre: Array

    @property
    def everything(self) -> Array:
        """All points that are drawn, (3, n)."""
        flat = [outline for outlines in self.outlines for outline in outlines]
        return np.hstack([*self.joints, *flat, self.points, self.centre[:, None]])


class Skeleton:
    """The moving bodies of a model as segments between their joints, contacts and mass centres."""

    def __init__(
        self, model: Model, marked: Sequence[Traced] = (), shapes_of: Collection[str] = ()
    ) -> None:
        """Read the model; marked: points that are drawn as such.

        shapes_of: bodies whose visible shapes are drawn, as a trunk that touches nothing.
        """
        self._plant = model.plant
        self._context = model.plant.CreateDefaultContext()
        self._marked = TracedPoints(model, marked)
        inspector = model.scene_graph.model_inspector()
        fixed = scenery_of(model.plant)
        bodies = [joint.child_body() for joint in joints_of(model.plant)]
        moving = sorted(
            (body for body in bodies if body.index() not in fixed), key=lambda body: body.index()
        )
        links = [
            _link(model, inspector, body, index, shapes=body.name() in shapes_of)
            for index, body in enumerate(moving)
        ]
        self.links = [link for link in links if link.joints.shape[1] > 1 or link.outlines]

    def posture(self, q: Array) -> SkeletonPosture:
        """Return the robot at positions q (nq,)."""
        self._plant.SetPositions(self._context, q)
        joints, outlines = [], []
        for link in self.links:
            X_WB = link.body.EvalPoseInWorld(self._context)
            joints.append(X_WB.multiply(link.joints))
            outlines.append([X_WB.multiply(outline) for outline in link.outlines])
        return SkeletonPosture(joints, outlines, self._marked.places(q).T, self._centre(q))

    def _centre(self, q: Array) -> Array:
        """Place of the centre of mass at positions q (nq,), (3,) [m]."""
        self._plant.SetPositions(self._context, q)
        centre: Array = self._plant.CalcCenterOfMassPositionInWorld(self._context)
        return centre

    def path(self, q: Array) -> Array:
        """Places of the marked points and the centre of mass at q (N, nq), (N, m + 1, 3) [m]."""
        return np.array([np.vstack((self._marked.places(row), self._centre(row))) for row in q])


def _link(
    model: Model, inspector: SceneGraphInspector, body: RigidBody, index: int, *, shapes: bool
) -> Link:
    """Points and outlines of a body; index: among the bodies, for a colour where it has none.

    shapes: draw what is visible of it.
    """
    plant = model.plant
    inboard = next(joint for joint in joints_of(plant) if joint.child_body() is body)
    points = [inboard.frame_on_child().GetFixedPoseInBodyFrame().translation()]
    points += [
        joint.frame_on_parent().GetFixedPoseInBodyFrame().translation()
        for joint in joints_of(plant)
        if joint.parent_body() is body
    ]
    frame = plant.GetBodyFrameIdOrThrow(body.index())
    outlines = []
    for geometry in inspector.GetGeometries(frame, Role.kProximity):
        X_BG = inspector.GetPoseInFrame(geometry)
        points.append(X_BG.translation())
        outlines.append(X_BG.multiply(outline_points(inspector, geometry)))
    if _apart(points).shape[1] == 1 and body.default_mass() > 0.0:  # a link with nothing at its end
        points.append(body.default_com())
    visible = inspector.GetGeometries(frame, Role.kIllustration)
    for geometry in visible if shapes else ():
        X_BG = inspector.GetPoseInFrame(geometry)
        outlines.append(X_BG.multiply(outline_points(inspector, geometry)))
    colour = RUN_COLOURS[index % len(RUN_COLOURS)]
    if visible and (found := shape_colour(inspector, visible[0])).mean() < _LIGHTEST:
        red, green, blue = found.tolist()
        colour = to_hex((red, green, blue))
    return Link(body.name(), colour, body, _apart(points), tuple(outlines))


def _apart(points: Sequence[Array]) -> Array:
    """Different points among some, in their order, (3, k)."""
    found: list[Array] = []
    for point in points:
        if all(np.linalg.norm(point - other) > _SAME for other in found):
            found.append(point)
    return np.transpose(found)
