"""Segments of a jump in their order, and its variables."""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from footfall.arrays import Array, Indices
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.transcription.phases import COORDINATES, scales


@dataclass(frozen=True)
class PhaseSegment:
    """A stretch of one phase: intervals of equal length, shortest and longest duration [s]."""

    phase: JumpPhase
    intervals: int
    shortest: float = 0.001
    longest: float = 0.5

    def __post_init__(self) -> None:
        """Refuse segments that cannot be."""
        if self.intervals < 1 or not 0.0 < self.shortest <= self.longest < math.inf:
            raise ValueError(f"a segment needs intervals and a duration, got {self}")


@dataclass(frozen=True)
class PhaseSequence:
    """Arcs of a jump: on the ground from rest, in flight, on the ground until Q reaches it.

    ahead: whether Q comes down ahead of P (theta1 = 0) or behind it (theta1 = pi).
    """

    before: tuple[PhaseSegment, ...]
    flight: tuple[PhaseSegment, ...]
    after: tuple[PhaseSegment, ...]
    ahead: bool = True

    def __post_init__(self) -> None:
        """Refuse orders of phases that no jump has."""
        flies = [segment.phase is JumpPhase.FLIGHT for segment in self.segments]
        wanted = [False] * len(self.before) + [True] * len(self.flight) + [False] * len(self.after)
        if flies != wanted or not (self.before and self.flight and self.after):
            raise ValueError("a jump has segments on the ground, in flight and on the ground again")
        for ground in (self.before, self.after):
            phases = [segment.phase for segment in ground]
            if any(a is b for a, b in pairwise(phases)):
                raise ValueError(f"segments of one phase follow each other in {phases}: join them")

    @property
    def segments(self) -> tuple[PhaseSegment, ...]:
        """All segments."""
        return (*self.before, *self.flight, *self.after)

    @property
    def take_off(self) -> int:
        """Number of the first segment in flight."""
        return len(self.before)

    @property
    def landing(self) -> int:
        """Number of the first segment after the impact of P."""
        return len(self.before) + len(self.flight)

    @property
    def name(self) -> str:
        """Phases of P in their order, and where Q ends."""
        before, after = (
            (" ".join(segment.phase for segment in segments))
            for segments in (self.before, self.after)
        )
        return f"{before} | flight | {after}, Q {'ahead' if self.ahead else 'behind'}"


@dataclass(frozen=True)
class VariableIndices:
    """Indices of a segment's numbers among all variables.

    duration [s]; x_P: place of P in stick [m], else None; knots: coordinates (n, intervals + 1);
    torques (2, intervals), at the start and the end of each interval [N m].
    """

    duration: int
    x_P: int | None
    knots: Indices
    torques: Indices

    def at(self, knot: int) -> Indices:
        """Variables of a knot's state: its coordinates, and the place of a point that stands."""
        own = [] if self.x_P is None else [self.x_P]
        return np.append(self.knots[:, knot], np.array(own, dtype=np.int64))

    def x(self, knot: int) -> int:
        """Variable that is the place of P at a knot of a segment on the ground."""
        return int(self.knots[0, knot]) if self.x_P is None else self.x_P


@dataclass(frozen=True)
class VariableLayout:
    """Variables of a plan: those of its segments, then the distance d and X_start [m]."""

    plan: PhaseSequence

    @cached_property
    def places(self) -> tuple[VariableIndices, ...]:
        """Of every segment."""
        places, start = [], 0
        for segment in self.plan.segments:
            n, standing = len(COORDINATES[segment.phase]), segment.phase is JumpPhase.STICK
            knots = start + 1 + standing
            torques = knots + n * (segment.intervals + 1)
            places.append(
                VariableIndices(
                    start,
                    start + 1 if standing else None,
                    np.arange(knots, torques).reshape(-1, n).T,
                    np.arange(torques, torques + 2 * segment.intervals).reshape(-1, 2).T,
                )
            )
            start = torques + 2 * segment.intervals
        return tuple(places)

    @property
    def distance(self) -> int:
        """Variable d."""
        return int(self.places[-1].torques[-1, -1]) + 1

    @property
    def x_start(self) -> int:
        """Variable X_start."""
        return self.distance + 1

    @property
    def size(self) -> int:
        """Number of variables."""
        return self.distance + 2

    @cached_property
    def scale(self) -> Array:
        """Size of every variable."""
        scale = np.full(self.size, 0.1)  # s or m
        for segment, at in zip(self.plan.segments, self.places, strict=True):
            scale[at.knots] = scales(segment.phase)[:, None]
            scale[at.torques] = 10.0
        return scale


@dataclass(frozen=True)
class Slack:
    """Distances that a programme keeps from the edges, which it knows at samples only.

    angle, line [rad]: off the bounds of angles, and of the line PR besides. force [N]: lambda_n and
    the distance from the cone's edges. acceleration [m/s^2]: by which P comes off. speed [m/s]: of
    P within a slide; where it vanishes at a sample, P may stand for a moment beside it.
    """

    angle: float = 5e-3
    line: float = 0.0
    force: float = 0.2
    acceleration: float = 0.1
    speed: float = 0.0
