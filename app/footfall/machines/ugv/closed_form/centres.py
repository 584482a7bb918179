"""The curve g(s) of the wheels' centres (document 002, section 8, item 13 and eq. 38).

The wheel rolls over the track as a disc: its centre keeps the distance r from the touching point
and is not nearer to any other one. Where the track is hollowed more tightly than the wheel is
round, or bends up in a corner, the disc touches two places at once, and the curve has a corner:
there the contact angle jumps up, and with it what quasi-static balance asks for. The vehicle is
never refused for a hollow; the two-point contact lasts for an instant of a traversal, in which the
forces go over from one point to the other: balance then holds for every torque between the limits
on both sides. Only what is steeper than 89 degrees under a wheel is refused: a wall of nearly the
radius or higher.

The curve consists of spans of one kind of touch each. A span belongs to a smooth piece of the
track, with its parameter the touching x, or to a corner that points up, with its parameter the
touching angle times -r.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from footfall.arrays import Array, stretches
from footfall.machines.ugv.closed_form.tracks import Track, TrackSegment

_FINE = 2e-3  # m: distance of samples, from which Newton's method finds all else
_SHARE = 0.02  # of a wheel's radius, if that is less
_MOST = 250_000  # samples of a span
_FEWEST = 33  # samples of a corner
_HALVINGS = 12
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)
_LEVEL = 1e-9  # m: less is the rounding of two heights that are one
_UPRIGHT = 0.5 * math.pi
_EXACT = 1e-15  # m
_JOINT = 1e-9  # m: branches that overlap by less go on from each other


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
    corners = []
    for before, after in pairwise(track.segments):
        corners += [(corner.x, corner.z) for corner in _corners(before, after, 1.0)]
    return np.array(corners).reshape(-1, 2)


def _corners(before: TrackSegment, after: TrackSegment, r: float) -> list[Corner]:
    """Corners that point up where two pieces join: by their slopes, or of a wall between them."""
    x = before.end
    low, high = (segment.profile(np.array([x], dtype=float)) for segment in (before, after))
    (z0, z1), (b0, b1) = (
        (float(low.height[0]), float(high.height[0])),
        (math.atan(low.slope[0]), math.atan(high.slope[0])),
    )
    if z1 > z0 + _LEVEL:
        angles, z = (_UPRIGHT, b1), z1
    elif z1 < z0 - _LEVEL:
        angles, z = (b0, -_UPRIGHT), z0
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


SAME = 1e-7
"""Nearer places are one [m]; angles that differ by less are one [rad]."""

_STEEPEST = math.radians(89.0)


class CentrePoint(NamedTuple):
    """A wheel on the track; arrays of one shape.

    s, z [m]: its centre. beta [rad]: contact angle atan f'. x [m]: where it touches. arc [m]: way
    of the centre from where the curve begins. After a corner the values of its far side hold.
    """

    s: Array
    z: Array
    beta: Array
    x: Array
    arc: Array


@dataclass(frozen=True, eq=False)
class _Part:
    """A span of the curve between two parameters, with samples to begin from."""

    span: Span
    p: Array
    s: Array
    arc: Array  # from the part's begin

    @staticmethod
    def of(span: Span, inner: Array, p0: float, p1: float) -> "_Part":
        low, high = np.searchsorted(inner, p0, side="right"), np.searchsorted(inner, p1)
        p = np.concatenate(([p0], inner[low:high], [p1]))
        arc = np.concatenate(([0.0], np.cumsum(span.arc(p[:-1], p[1:]))))
        return _Part(span, p, span.touch(p).s, arc)


class CentreCurve:
    """The curve of the centres of wheels of radius r over a track, from s = begin to end [m].

    nonsmooth_points: abscissas [m]; angle_jumps: those at which the contact angle jumps up.
    Raises ValueError, one line, where the track does not reach so far, and for a wall that no wheel
    climbs.
    """

    def __init__(self, track: Track, r: float, begin: float, end: float) -> None:
        """Find the curve, and where wheels touch two places."""
        if not begin < end:
            raise ValueError(f"the curve is to begin at {begin:g} m and to end at {end:g} m")
        self.track, self.r = track, r
        with np.errstate(over="ignore", invalid="ignore"):  # of heights that are none
            self._parts = _free_parts(track, r, begin - r, end + r)
        starts = np.array([part.s[0] for part in self._parts])
        if starts[0] > begin or self._parts[-1].s[-1] < end:
            raise ValueError(
                f"the track {track.label} has no place for a wheel of radius {r:g} m from "
                f"{begin:g} to {end:g} m: it reaches from {track.begin:g} to {track.end:g} m"
            )
        self.begin, self.end = begin, end
        self._starts = starts
        before = np.concatenate(([0.0], np.cumsum([part.arc[-1] for part in self._parts])))
        self._before = before[:-1]
        betas = [part.span.touch(part.p[[0, -1]]).beta for part in self._parts]
        rises = [after[0] - earlier[1] for earlier, after in pairwise(betas)]
        self.nonsmooth_points: Array = starts[1:]
        self.angle_jumps: Array = self.nonsmooth_points[np.array(rises, dtype=float) > SAME]

    def at(self, s: npt.ArrayLike) -> CentrePoint:
        """A wheel whose centre is at s [m]; NaN where the curve does not reach."""
        s = np.asarray(s, dtype=float)
        flat = s.reshape(-1)
        values = np.full((4, flat.size), np.nan)
        number = np.searchsorted(self._starts, flat, side="right") - 1
        inside = (flat >= self.begin) & (flat <= self.end)
        for k, part in enumerate(self._parts):
            here = inside & (number == k)
            if here.any():
                values[:, here] = _at(part, self._before[k], flat[here])
        z, beta, x, arc = values.reshape(4, *s.shape)
        return CentrePoint(s, z, beta, x, arc)

    @cached_property
    def samples(self) -> CentrePoint:
        """Places in a row, close to each other, its ends and corners among them."""
        inner = np.concatenate([part.s[:-1] for part in self._parts])
        inner = inner[(inner > self.begin) & (inner < self.end)]
        return self.at(np.concatenate(([self.begin], inner, [self.end])))


def _at(part: _Part, before: float, s: Array) -> tuple[Array, Array, Array, Array]:
    """Height, angle, contact and way of centres of a part."""
    p = part.span.parameter(s, np.interp(s, part.s, part.p))
    at = part.span.touch(p)
    last = np.clip(np.searchsorted(part.p, p, side="right") - 1, 0, len(part.p) - 1)
    arc = before + part.arc[last] + part.span.arc(part.p[last], p)
    return at.z, at.beta, at.x, arc


class _Branch(NamedTuple):
    """A part of a span on which the centre goes ahead, with samples, both ends among them."""

    span: Span
    p: Array
    s: Array

    def parameter(self, s: float) -> float:
        """The p of a centre at s, inside of the branch."""
        k = int(np.clip(np.searchsorted(self.s, s), 1, len(self.s) - 1))
        low, high = self.p[k - 1 : k + 1].tolist()
        if not self.s[k - 1] < s < self.s[k]:
            return low if s <= self.s[k - 1] else high
        return float(brentq(lambda p: self._at(p).s[0] - s, low, high, xtol=_EXACT))

    def height(self, s: float) -> float:
        """Height [m] of a centre at s."""
        return float(self._at(self.parameter(s)).z[0])

    def _at(self, p: float) -> WheelTouch:
        return self.span.touch(np.array([p]))


def _branches(span: Span) -> list[_Branch]:
    """Return where the centre goes ahead, up to where it turns back in a hollow."""
    p = samples(span)
    found = []
    for a, b in stretches(span.touch(p).rate > 0.0):
        turns = [_turn(span, *p[k - 1 : k + 1].tolist()) for k in (a, b) if 0 < k < len(p)]
        inner = np.unique(np.concatenate((p[a:b], turns)))
        found.append(_Branch(span, inner, np.maximum.accumulate(span.touch(inner).s)))
    return found


def _turn(span: Span, low: float, high: float) -> float:
    """Parameter between two at which the centre turns back."""
    return float(brentq(lambda p: span.touch(np.array([p])).rate[0], low, high, xtol=_EXACT))


def _free_parts(track: Track, r: float, begin: float, end: float) -> list[_Part]:
    """Return the highest of all branches at every s: what lies below the wheel would be inside.

    A place of contact never goes back while the wheel goes ahead: of two branches in a row the
    second one is below the first up to where they meet, and above it from there on.
    """
    spans = offsets(track, r, max(begin, track.begin), min(end, track.end))
    if not spans:
        raise ValueError(f"the track {track.label} does not reach from {begin:g} to {end:g} m")
    highest: list[tuple[_Branch, float]] = []  # each with the s at which it begins to be that
    for branch in (branch for span in spans for branch in _branches(span)):
        meets = float(branch.s[0])
        while highest:
            met = _meeting(track, *highest[-1], branch)
            if met is None or met > highest[-1][1]:
                meets = met if met is not None else math.inf
                break
            highest.pop()
        if meets < branch.s[-1]:
            highest.append((branch, meets))
    ends = [*(s for _, s in highest[1:]), float(highest[-1][0].s[-1])] if highest else []
    parts = [
        _Part.of(branch.span, branch.p, branch.parameter(s), branch.parameter(last))
        for (branch, s), last in zip(highest, ends, strict=True)
    ]
    if any(np.abs(part.span.touch(part.p).beta).max() > _STEEPEST for part in parts):
        raise ValueError(_wall(track))
    return parts


def _meeting(track: Track, one: _Branch, begin: float, two: _Branch) -> float | None:
    """The s from which on the second branch is the higher one; None: nowhere.

    begin: where the first one begins to be the highest of those before it; that or less: the second
    one is everywhere higher than it.
    """
    if two.s[-1] <= begin:
        return None
    low, high = max(begin, float(two.s[0])), min(float(one.s[-1]), float(two.s[-1]))

    def above(s: float) -> float:
        return two.height(s) - one.height(s)

    if high - low < _JOINT:  # the second one begins where the first one ends
        if low - high > SAME or abs(above(low)) > SAME:
            raise ValueError(_wall(track))
        return low
    if (first := above(low)) >= 0.0:
        if first > SAME and low > begin:
            raise ValueError(_wall(track))
        return low
    if (last := above(high)) < 0.0:
        if last < -SAME and two.s[-1] > high:
            raise ValueError(_wall(track))
        return None if two.s[-1] <= high else high
    return float(brentq(above, low, high, xtol=_EXACT))


def _wall(track: Track) -> str:
    return (
        f"the track {track.label} has a wall, as high as the radius of the wheels or nearly so, or "
        "a slope of 90 degrees or nearly so, which they cannot climb: give a lower step, a gentler "
        "slope or larger wheels"
    )
