"""Offset curve of a wheel's centre in spans of one kind of touch each.

A span belongs to a smooth piece of the track, with its parameter the touching x, or to a corner
that points up, with its parameter the touching angle times -r.
"""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.tracks import Track, TrackSegment

_FINE = 2e-3  # m: distance of samples, from which Newton's method finds all else
_SHARE = 0.02  # of a wheel's radius, if that is less
_MOST = 250_000  # samples of a span
_FEWEST = 33  # samples of a corner
_HALVINGS = 12
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)
_LEVEL = 1e-9  # m: less is the rounding of two heights that are one
_STEEPEST = 0.5 * math.pi


class WheelTouch(NamedTuple):
    """Centres and contacts at some parameters: abscissa s and height z [m] of the centre.

    beta: contact angle [rad]. x: abscissa of the contact [m]. rate: ds/dp.
    """

    s: Array
    z: Array
    beta: Array
    x: Array
    rate: Array


@dataclass(frozen=True, eq=False)
class Smooth:
    """The span of a smooth piece; p is the x that touches."""

    segment: TrackSegment
    r: float
    begin: float
    end: float

    def touch(self, p: Array) -> WheelTouch:
        """Centres where x = p touches."""
        height, slope, bend = self.segment.profile(p)
        beta = np.arctan(slope)
        turning = bend / (1.0 + slope * slope)
        s, z = p - self.r * np.sin(beta), height + self.r * np.cos(beta)
        return WheelTouch(s, z, beta, p, 1.0 - self.r * np.cos(beta) * turning)

    def arc(self, p0: Array, p1: Array) -> Array:
        """Way of the centre from p0 to p1 [m]: that along the track less r times the turn."""
        middle, half = 0.5 * (p0 + p1), 0.5 * (p1 - p0)
        nodes = middle[..., None] + half[..., None] * _NODES
        _, slope, _ = self.segment.profile(nodes)
        along = half * np.sum(np.hypot(1.0, slope) * _WEIGHTS, axis=-1)
        turn = np.arctan(self.segment.profile(p1).slope) - np.arctan(self.segment.profile(p0).slope)
        return np.asarray(along - self.r * turn)

    @property
    def grain(self) -> float:
        """Distance of samples that miss nothing [m]."""
        return min(fine(self.r), self.segment.grain)

    def parameter(self, s: Array, guess: Array) -> Array:
        """The p of centres at s, by Newton's method from a near guess."""
        p = guess
        for _ in range(4):
            at = self.touch(p)
            p = np.clip(p - (at.s - s) / at.rate, self.begin, self.end)
        return p


@dataclass(frozen=True, eq=False)
class Corner:
    """The span of a corner at (x, z), about which the centre turns; p is -r beta."""

    x: float
    z: float
    r: float
    begin: float
    end: float

    def touch(self, p: Array) -> WheelTouch:
        """Centres where the wheel leans on the corner at the angle -p/r."""
        beta = -p / self.r
        s, z = self.x - self.r * np.sin(beta), self.z + self.r * np.cos(beta)
        return WheelTouch(s, z, beta, np.full_like(s, self.x), np.cos(beta))

    def arc(self, p0: Array, p1: Array) -> Array:
        """Way of the centre from p0 to p1 [m]."""
        return p1 - p0

    @property
    def grain(self) -> float:
        """Distance of samples that miss nothing [m]."""
        return min(fine(self.r), (self.end - self.begin) / _FEWEST)

    def parameter(self, s: Array, _guess: Array) -> Array:
        """The p of centres at s."""
        sine = np.clip((self.x - s) / self.r, -1.0, 1.0)
        return np.clip(-self.r * np.arcsin(sine), self.begin, self.end)


Span = Smooth | Corner


def offsets(track: Track, r: float, begin: float, end: float) -> list[Span]:
    """All spans of a track between two x, in order, as if no place of it were in another's way."""
    spans: list[Span] = []
    segments = [
        segment for segment in track.segments if segment.end > begin and segment.begin < end
    ]
    for number, segment in enumerate(segments):
        low, high = max(segment.begin, begin), min(segment.end, end)
        spans.append(Smooth(segment, r, low, high))
        if number + 1 < len(segments):
            spans += _corners(segment, segments[number + 1], r)
    return spans


def corners_of(track: Track) -> Array:
    """Corners of a track that point up, (k, 2) x and z [m]."""
    found = []
    for before, after in pairwise(track.segments):
        found += [(corner.x, corner.z) for corner in _corners(before, after, 1.0)]
    return np.array(found).reshape(-1, 2)


def _corners(before: TrackSegment, after: TrackSegment, r: float) -> list[Corner]:
    """Corners that point up where two pieces join: by their slopes, or of a wall between them."""
    x = before.end
    low, high = (segment.profile(np.array([x], dtype=float)) for segment in (before, after))
    (z0, z1), (b0, b1) = (
        (float(low.height[0]), float(high.height[0])),
        (math.atan(low.slope[0]), math.atan(high.slope[0])),
    )
    if z1 > z0 + _LEVEL:
        angles, z = (_STEEPEST, b1), z1
    elif z1 < z0 - _LEVEL:
        angles, z = (b0, -_STEEPEST), z0
    else:
        angles, z = (b0, b1), z0
    if angles[1] >= angles[0]:
        return []
    return [Corner(x, z, r, -r * angles[0], -r * angles[1])]


def fine(r: float) -> float:
    """Distance of samples [m] that is usual for wheels of radius r [m]."""
    return min(_FINE, _SHARE * r)


def samples(span: Span) -> Array:
    """Parameters over a whole span, from each to the next of which the centre goes a short way.

    Raises ValueError, one line, for a track of so fine a grain that they are too many.
    """
    wanted = (span.end - span.begin) / span.grain
    if wanted > _MOST:
        raise ValueError(
            f"the track bends within {span.grain:.2g} m from {span.begin:g} to {span.end:g} m: "
            "these are too many samples; smooth it, or ask for a shorter way"
        )
    p = np.linspace(span.begin, span.end, max(3, math.ceil(wanted) + 1))
    for _ in range(_HALVINGS):  # where the wheel turns over a sharp top
        wide = np.abs(span.arc(p[:-1], p[1:])) > 2.0 * fine(span.r)
        if not wide.any():
            break
        p = np.sort(np.concatenate((p, 0.5 * (p[:-1] + p[1:])[wide])))
    return p
