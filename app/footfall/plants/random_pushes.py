"""Random pushes that follow from a scenario's seed: ordinary pushes, drawn before the run."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.plants.coordinates import floating_joints
from footfall.plants.joints import full_name
from footfall.plants.pushes import Push, check_course, links_named
from footfall.trajectory.pushes import HALF_SINE, STEP

HORIZONTAL, ANY = "horizontal", "any"
_DIRECTIONS = (HORIZONTAL, ANY)
_STREAM = 0x70757368  # of a seed's random numbers: nobody else's pushes
_MOST = 10_000  # pushes in a run


@dataclass
class RandomPushes:
    """Pushes through links' centres of mass, of random time, size and direction."""

    # Links by name or pattern, one of which each push takes; absent: those that are free in space.
    links: list[str] = field(default_factory=list)
    # How many pushes there are; or else their rate.
    count: int = 0
    # Pushes a second in the mean, at times that know nothing of each other.
    rate: float = 0.0
    # Largest force of a push [N]; or else its largest impulse.
    force: float = 0.0
    # Largest impulse of a push [N s].
    impulse: float = 0.0
    # Smallest one, force or impulse: sizes are drawn evenly between the two.
    smallest: float = 0.0
    # How long each lasts [s].
    duration: float = 0.1
    # Course over time: step or half_sine.
    shape: str = STEP
    # horizontal, or any direction in space.
    direction: str = HORIZONTAL
    # Before this time no push begins [s].
    start: float = 0.0
    # By this time the last one has ended [s]; absent: by the end of the run.
    end: float | None = None

    def __post_init__(self) -> None:
        """Refuse numbers and words that say nothing."""
        for name in ("rate", "force", "impulse", "smallest"):
            value = getattr(self, name)
            if not 0.0 <= value < math.inf:
                message = f"random_pushes.{name} is {value}: give a finite number from 0."
                raise ScenarioError(message)
        if not 0 <= self.count <= _MOST:
            message = f"random_pushes.count is {self.count}: give a number from 0 to {_MOST}."
            raise ScenarioError(message)
        check_course("random_pushes", self.start, self.duration, self.shape)
        if self.direction not in _DIRECTIONS:
            raise ScenarioError(
                f"random_pushes.direction is '{self.direction}': choose one of "
                f"{', '.join(_DIRECTIONS)}."
            )

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
