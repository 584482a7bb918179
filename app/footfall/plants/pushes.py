"""Pushes on links as a scenario describes them, and as forces on the bodies of a plant.

Frames: W world, B the link, Q the point of B where a push acts.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.math import SpatialForce
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.multibody.tree import BodyIndex, RigidBody
from pydrake.systems.framework import Context

from footfall.errors import ScenarioError
from footfall.plants.joints import fixed_bodies, full_name
from footfall.plants.names import fitting
from footfall.trajectory.pushes import FRAMES, HALF_SINE, LINK, SHAPES, STEP, WORLD, LinkPush

_NONE = (0.0, 0.0, 0.0)


@dataclass
class Push:
    """A force at a point of a link, and a torque besides, from some time on."""

    # The link: its name, with its model's before it ("robot::base") where several have it; a
    # pattern ("*_wing") pushes each link that fits.
    link: str = ""
    # Point of the link where the force acts, in the link's frame [m]; absent: the link's centre of
    # mass.
    at: list[float] | None = None
    # When it begins [s].
    start: float = 0.0
    # How long it lasts [s]; absent: to the end of the run, as wind does.
    duration: float | None = None
    # Force [N]: constant in a step, the largest value in a half-sine; absent: none.
    force: list[float] | None = None
    # Torque [N m]; likewise.
    torque: list[float] | None = None
    # Course over time: step, or half_sine, which rises from 0 and falls back to 0.
    shape: str = STEP
    # Axes of force and torque: world, or link, whose axes turn with the link.
    frame: str = WORLD

    def __post_init__(self) -> None:
        """Refuse what is no force or no time."""
        where = f"the push on '{self.link}'"
        for name in ("at", "force", "torque"):
            values = getattr(self, name)
            if values is not None and (len(values) != 3 or not np.isfinite(values).all()):
                raise ScenarioError(f"{where}: {name} is {values}: give three finite numbers.")
        check_course(where, self.start, self.duration, self.shape)
        if self.frame not in FRAMES:
            raise ScenarioError(
                f"{where}: frame is '{self.frame}': choose one of {', '.join(FRAMES)}."
            )
        if self.duration is None and self.shape == HALF_SINE:
            raise ScenarioError(f"{where}: a half_sine needs a duration: give seconds.")


def check_course(where: str, start: float, duration: float | None, shape: str) -> None:
    """Raise ScenarioError for a start before the run, a duration that is none, another shape."""
    if not 0.0 <= start < math.inf:
        raise ScenarioError(f"{where}: start is {start}: give seconds from 0 on.")
    if duration is not None and not 0.0 < duration < math.inf:
        raise ScenarioError(
            f"{where}: duration is {duration}: give seconds above 0, or leave it out for a push "
            "that lasts to the end."
        )
    if shape not in SHAPES:
        raise ScenarioError(f"{where}: shape is '{shape}': choose one of {', '.join(SHAPES)}.")


def check_pushes(pushes: Sequence[Push]) -> None:
    """Raise ScenarioError for a push that names no link, or neither a force nor a torque.

    One of size zero is a push: the middle of an axis of pushes, say.
    """
    for k, push in enumerate(pushes):
        if not push.link:
            raise ScenarioError(f"pushes.{k} has no link: name the link that is pushed.")
        if push.force is None and push.torque is None:
            raise ScenarioError(
                f"pushes.{k}: the push on '{push.link}' has neither force nor torque: give one."
            )


def links_named(plant: MultibodyPlant, name: str, where: str) -> list[RigidBody]:
    """Bodies that a name or pattern means; raises ScenarioError, as for one that cannot move."""
    bodies = [plant.get_body(BodyIndex(k)) for k in range(1, plant.num_bodies())]
    by_name = {full_name(plant, body.body_frame()): body for body in bodies}
    plain = {full: body.name() for full, body in by_name.items()}
    found = fitting(name, plain, where, "link")
    fixed = fixed_bodies(plant)
    movable = [by_name[full] for full in found if by_name[full].index() not in fixed]
    if not movable:
        raise ScenarioError(
            f"{where}: the link '{name}' is fixed to the world and takes no push: name one that "
            "moves."
        )
    return movable


def resolved(plant: MultibodyPlant, pushes: Iterable[Push]) -> tuple[LinkPush, ...]:
    """Pushes with the links of a plant, a push for each; raises ScenarioError for unknown links."""
    context = plant.CreateDefaultContext()
    return tuple(
        LinkPush(
            link=full_name(plant, body.body_frame()),
            p_BQ=_triple(body.CalcCenterOfMassInBodyFrame(context) if push.at is None else push.at),
            start=push.start,
            end=math.inf if push.duration is None else push.start + push.duration,
            force=_triple(push.force or _NONE),
            torque=_triple(push.torque or _NONE),
            shape=push.shape,
            frame=push.frame,
        )
        for push in pushes
        for body in links_named(plant, push.link, "pushes")
    )


def body_of(plant: MultibodyPlant, push: LinkPush) -> RigidBody:
    """Body of a plant that a push acts on."""
    model, _, link = push.link.partition("::")
    while not plant.HasModelInstanceNamed(model):  # names of nested models have :: themselves
        more, _, link = link.partition("::")
        model = f"{model}::{more}"
    return plant.GetBodyByName(link, plant.GetModelInstanceByName(model))


def applied(
    body: RigidBody, push: LinkPush, share: float, context: Context
) -> ExternallyAppliedSpatialForce:
    """Share of a push as Drake's plants take it, at the posture of a context."""
    force, torque = share * np.array(push.force), share * np.array(push.torque)
    if push.frame == LINK:
        R_WB = body.EvalPoseInWorld(context).rotation().matrix()
        force, torque = R_WB @ force, R_WB @ torque
    acting = ExternallyAppliedSpatialForce()
    acting.body_index = body.index()
    acting.p_BoBq_B = np.array(push.p_BQ)
    acting.F_Bq_W = SpatialForce(tau=torque, f=force)
    return acting


def _triple(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
