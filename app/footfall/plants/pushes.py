"""Pushes on links: as a scenario describes them, drawn from its seed, and as forces on bodies.

Frames: W world, B the link, Q the point of B where a push acts.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.common.value import Value
from pydrake.multibody.math import SpatialForce
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.multibody.tree import RigidBody
from pydrake.systems.framework import Context, DiscreteValues, EventStatus, LeafSystem

from footfall.arrays import Array
from footfall.checked import Checked, between, finite, not_negative, one_of, positive
from footfall.errors import ScenarioError
from footfall.plants.coordinates import bodies_of, fixed_bodies, floating_joints, full_name
from footfall.plants.names import fitting
from footfall.trajectory.pushes import FRAMES, HALF_SINE, LINK, SHAPES, STEP, WORLD, LinkPush

_NONE = (0.0, 0.0, 0.0)
_DURATION = "give seconds above 0, or leave it out for a push that lasts to the end"
HORIZONTAL, ANY = "horizontal", "any"
_DIRECTIONS = (HORIZONTAL, ANY)
_STREAM = 0x70757368  # of a seed's random numbers: nobody else's pushes
_MOST = 10_000  # pushes in a run
_ONCE = 1e15  # s: the period of an event that comes once


@dataclass
class Push(Checked, at="the push on '{self.link}': "):
    """A force at a point of a link, and a torque besides, from some time on."""

    # The link: its name, with its model's before it ("robot::base") where several have it; a
    # pattern ("*_wing") pushes each link that fits.
    link: str = ""
    # Point of the link where the force acts, in the link's frame [m]; absent: the link's centre of
    # mass.
    at: list[float] | None = finite(None, size=3)
    # When it begins [s].
    start: float = not_negative(0.0, "give seconds from 0 on")
    # How long it lasts [s]; absent: to the end of the run, as wind does.
    duration: float | None = positive(None, _DURATION)
    # Force [N]: constant in a step, the largest value in a half-sine; absent: none.
    force: list[float] | None = finite(None, size=3)
    # Torque [N m]; likewise.
    torque: list[float] | None = finite(None, size=3)
    # Course over time: step, or half_sine, which rises from 0 and falls back to 0.
    shape: str = one_of(STEP, SHAPES)
    # Axes of force and torque: world, or link, whose axes turn with the link.
    frame: str = one_of(WORLD, FRAMES)

    def __post_init__(self) -> None:
        """Refuse what is no force or no time."""
        super().__post_init__()
        if self.duration is None and self.shape == HALF_SINE:
            raise self.refusal("a half_sine needs a duration: give seconds")


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
    by_name = {full_name(plant, body.body_frame()): body for body in bodies_of(plant)[1:]}
    plain = {full: body.name() for full, body in by_name.items()}
    matching = fitting(name, plain, where, "link")
    fixed = fixed_bodies(plant)
    movable = [by_name[full] for full in matching if by_name[full].index() not in fixed]
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
    model, _, link = push.link.rpartition("::")
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


@dataclass
class RandomPushes(Checked, at="random_pushes."):
    """Pushes through links' centres of mass, of random time, size and direction."""

    # Links by name or pattern, one of which each push takes; absent: those that are free in space.
    links: list[str] = field(default_factory=list)
    # How many pushes there are; or else their rate.
    count: int = between(0, 0, _MOST)
    # Pushes a second in the mean, at times that know nothing of each other.
    rate: float = not_negative(0.0)
    # Largest force of a push [N]; or else its largest impulse.
    force: float = not_negative(0.0)
    # Largest impulse of a push [N s].
    impulse: float = not_negative(0.0)
    # Smallest one, force or impulse: sizes are drawn evenly between the two.
    smallest: float = not_negative(0.0)
    # How long each lasts [s].
    duration: float = positive(0.1)
    # Course over time: step or half_sine.
    shape: str = one_of(STEP, SHAPES)
    # horizontal, or any direction in space.
    direction: str = one_of(HORIZONTAL, _DIRECTIONS)
    # Before this time no push begins [s].
    start: float = not_negative(0.0, "give seconds from 0 on")
    # By this time the last one has ended [s]; absent: by the end of the run.
    end: float | None = None

    def check(self, duration: float) -> None:
        """Raise ScenarioError where a run of so many seconds has no such pushes, or too many."""
        for these in (("count", "rate"), ("force", "impulse")):
            if sum(getattr(self, name) > 0.0 for name in these) != 1:
                raise ScenarioError(f"random_pushes: give {these[0]} or {these[1]}, one of them.")
        if self.smallest > self.largest:
            raise ScenarioError(
                f"random_pushes.smallest is {self.smallest:g}, above the largest, "
                f"{self.largest:g}: lower it."
            )
        first, last = self._window(duration)
        if last < first:
            raise ScenarioError(
                f"random_pushes: none of {self.duration:g} s fits between {self.start:g} s and "
                f"{last + self.duration:g} s: widen that time or shorten the pushes."
            )
        if self.rate * (last - first) > _MOST:
            message = f"random_pushes.rate is {self.rate:g}: more than {_MOST} pushes; lower it."
            raise ScenarioError(message)

    @property
    def largest(self) -> float:
        """Largest force [N] or impulse [N s]."""
        return self.force or self.impulse

    def _window(self, duration: float) -> tuple[float, float]:
        """First and last time at which a push may begin, in a run of so many seconds [s]."""
        end = duration if self.end is None else min(self.end, duration)
        return self.start, end - self.duration

    def draw(self, plant: MultibodyPlant, seed: int, duration: float) -> list[Push]:
        """Draw the pushes of a run of so many seconds, in the order of their starts.

        Raises ScenarioError as ``check`` does, and for links that are not there.
        """
        self.check(duration)
        links = self._links(plant)
        rng = np.random.default_rng([seed % 2**64, _STREAM])
        starts = self._starts(rng, *self._window(duration))
        return [self._one(rng, links, start) for start in starts.tolist()]

    def _links(self, plant: MultibodyPlant) -> Sequence[str]:
        """Full names of the links that may be pushed, each once."""
        names = self.links or list(floating_joints(plant))
        if not names:
            raise ScenarioError(
                "random_pushes: no link of the model is free in space: name links that are pushed."
            )
        bodies = [body for name in names for body in links_named(plant, name, "random_pushes")]
        return list(dict.fromkeys(full_name(plant, body.body_frame()) for body in bodies))

    def _starts(self, rng: np.random.Generator, first: float, last: float) -> Array:
        count = self.count or int(rng.poisson(self.rate * (last - first)))
        return np.sort(rng.uniform(first, last, count))

    def _one(self, rng: np.random.Generator, links: Sequence[str], start: float) -> Push:
        link = links[int(rng.integers(len(links)))]
        size = float(rng.uniform(self.smallest, self.largest))
        if self.impulse > 0.0:
            mean = size / self.duration
            size = 0.5 * math.pi * mean if self.shape == HALF_SINE else mean
        angle = float(rng.uniform(-math.pi, math.pi))
        up = float(rng.uniform(-1.0, 1.0)) if self.direction == ANY else 0.0  # even on a sphere
        across = math.sqrt(1.0 - up * up)
        direction = (across * math.cos(angle), across * math.sin(angle), up)
        force = [size * part for part in direction]
        return Push(link, None, start, self.duration, force, shape=self.shape)


class PushSource(LeafSystem):
    """Output ``applied_wrench``, a list of Drake's ExternallyAppliedSpatialForce; input ``state``.

    time_step [s]: of the engine that is driven. An engine holds what it samples at the start of a
    step for the whole step. It is given the mean over that step: a push then gives its whole
    impulse wherever in a step it begins and ends. time_step 0 is for an engine that integrates in
    continuous time: it gets the value at the time asked for, and an event at each beginning and end
    lets the integrator step onto it; which of the pushes act is in the context between two of them.
    state: [q; v] of the plant, whose links' axes turn the pushes that are given in them.
    """

    def __init__(
        self, plant: MultibodyPlant, pushes: Sequence[LinkPush], time_step: float = 0.0
    ) -> None:
        """Take the plant, which must outlive this system."""
        super().__init__()
        self._time_step = time_step
        self._plant, self._context = plant, plant.CreateDefaultContext()
        self.put(pushes)
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareAbstractOutputPort(
            "applied_wrench",
            Value[list[ExternallyAppliedSpatialForce]],
            self._calc_wrenches,
        )
        times = {time for push in pushes for time in (push.start, push.end)}
        self._times = np.array(sorted(time for time in times if math.isfinite(time)))
        if time_step == 0.0:
            self._interval = self.DeclareDiscreteState(1)
            self.DeclareInitializationDiscreteUpdateEvent(self._enter)
            for time in self._times.tolist():
                self.DeclarePeriodicDiscreteUpdateEvent(_ONCE, time, self._enter)

    @property
    def is_continuous(self) -> bool:
        """True if it is for an engine that integrates in continuous time."""
        return self._time_step == 0.0

    def put(self, pushes: Sequence[LinkPush]) -> None:
        """Replace the pushes while a simulation by steps is under way.

        An output that was computed for the time of now stays: new pushes begin with the next step.
        """
        self._pushes = [(body_of(self._plant, push), push) for push in pushes]

    def _enter(self, context: Context, discrete: DiscreteValues) -> EventStatus:
        """Keep the number of the interval between beginnings and ends that starts now."""
        number = np.searchsorted(self._times, context.get_time(), side="right")
        discrete.set_value(0, np.array([float(number)]))
        return EventStatus.Succeeded()

    def _calc_wrenches(
        self, context: Context, output: Value[list[ExternallyAppliedSpatialForce]]
    ) -> None:
        shares = self._shares(context)
        acting = [
            (body, push, share)
            for (body, push), share in zip(self._pushes, shares, strict=True)
            if share != 0.0
        ]
        if any(push.frame == LINK for _, push, _ in acting):
            self._plant.SetPositionsAndVelocities(self._context, self._state.Eval(context))
        output.set_value([applied(*each, self._context) for each in acting])

    def _shares(self, context: Context) -> list[float]:
        """Share of each push that acts."""
        time = context.get_time()
        if self._time_step > 0.0:
            step = round(time / self._time_step)
            begin, end = step * self._time_step, (step + 1) * self._time_step
            return [push.mean_share(begin, end) for _, push in self._pushes]
        number = int(context.get_discrete_state(self._interval).get_value()[0])
        if number == 0:
            return [0.0] * len(self._pushes)
        last = self._times[number - 1]
        return [
            push.share(time) if push.start <= last < push.end else 0.0 for _, push in self._pushes
        ]
