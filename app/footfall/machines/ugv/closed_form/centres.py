"""The curve g(s) of the wheels' centres (document 002, section 8, item 13 and eq. 38).

The wheel rolls over the track as a disc: its centre keeps the distance r from the touching point
and is not nearer to any other one. Where the track is hollowed more tightly than the wheel is
round, or bends up in a corner, the disc touches two places at once, and the curve has a corner:
there the contact angle jumps up, and with it what quasi-static balance asks for. The vehicle is
never refused for a hollow; the two-point contact lasts for an instant of a traversal, in which the
forces go over from one point to the other: balance then holds for every torque between the limits
on both sides. Only what is steeper than 89 degrees under a wheel is refused: a wall of nearly the
radius or higher.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.spatial import KDTree

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.intersections import SAME, intersection
from footfall.machines.ugv.closed_form.offsets import Span, fine, offsets, samples
from footfall.machines.ugv.closed_form.tracks import Track

_TOUCHING = 3e-5  # of r: less is too near to a wheel's centre to be a sample's error
_SLIVER = 0.05  # of r: longer runs are not left out
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
        found = np.full((4, flat.size), np.nan)
        number = np.searchsorted(self._starts, flat, side="right") - 1
        inside = (flat >= self.begin) & (flat <= self.end)
        for k, part in enumerate(self._parts):
            here = inside & (number == k)
            if here.any():
                found[:, here] = _at(part, self._before[k], flat[here])
        z, beta, x, arc = found.reshape(4, *s.shape)
        return CentrePoint(s, z, beta, x, arc)

    @cached_property
    def samples(self) -> CentrePoint:
        """Places in a row, close to each other, its ends and corners among them."""
        inner = np.concatenate([part.s[:-1] for part in self._parts])
        inner = inner[(inner > self.begin) & (inner < self.end)]
        return self.at(np.concatenate(([self.begin], inner, [self.end])))

    def part_of(self, s: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """Number of the smooth part that a centre at s [m] is on."""
        return np.searchsorted(self._starts, np.asarray(s, dtype=float), side="right") - 1


def _at(part: _Part, before: float, s: Array) -> tuple[Array, Array, Array, Array]:
    """Height, angle, contact and way of centres of a part."""
    p = part.span.parameter(s, np.interp(s, part.s, part.p))
    at = part.span.touch(p)
    last = np.clip(np.searchsorted(part.p, p, side="right") - 1, 0, len(part.p) - 1)
    arc = before + part.arc[last] + part.span.arc(part.p[last], p)
    return at.z, at.beta, at.x, arc


class _Run(NamedTuple):
    """A span, its samples, and the first and the last of those at which nothing is in the way."""

    span: Span
    p: Array
    first: float
    last: float


def _free_parts(track: Track, r: float, begin: float, end: float) -> list[_Part]:
    """Spans, cut to where nothing else of the track is nearer to the centre than r."""
    spans = offsets(track, r, max(begin, track.begin), min(end, track.end))
    if not spans:
        raise ValueError(f"the track {track.label} does not reach from {begin:g} to {end:g} m")
    sampled = [samples(span) for span in spans]
    surface = KDTree(_surface(track, r, max(begin - r, track.begin), min(end + r, track.end)))
    runs: list[_Run] = []
    for span, p in zip(spans, sampled, strict=True):
        at = span.touch(p)
        distance, _ = surface.query(np.column_stack((at.s, at.z)))
        free = (distance >= r * (1.0 - _TOUCHING)) & (at.rate > 0.0)
        edges = np.flatnonzero(np.diff(np.concatenate(([False], free, [False])).astype(int)))
        runs += [_Run(span, p, p[a], p[b - 1]) for a, b in edges.reshape(-1, 2)]
    return _joined(track, runs)


def _joined(track: Track, runs: list[_Run]) -> list[_Part]:
    """Runs of free samples, extended to the corners at which they meet.

    Samples tell to some um what is free. A run is left out that the wheel would enter and leave
    within them: those around it meet each other.
    """
    if not runs:
        raise ValueError(_wall(track))
    kept: list[_Run] = []
    for run in runs:
        this = run
        while kept:
            ends = _ends(kept[-1], this)
            if ends is not None and _advance_to(kept[-1], ends[0]) > 0.0:
                kept[-1] = kept[-1]._replace(last=ends[0])
                this = this._replace(first=ends[1])
                break
            if _advance_to(kept[-1], kept[-1].last) > _SLIVER * run.span.r or len(kept) == 1:
                raise ValueError(_wall(track))
            kept.pop()
        kept.append(this)
    parts = [_Part.of(*run) for run in kept if _advance_to(run, run.last) > 0.0]
    if any(np.abs(part.span.touch(part.p).beta).max() > _STEEPEST for part in parts):
        raise ValueError(_wall(track))
    return parts


def _ends(one: _Run, two: _Run) -> tuple[float, float] | None:
    """Return where the one run ends and the other begins."""
    a, b = (run.span.touch(np.array([p])) for run, p in ((one, one.last), (two, two.first)))
    if math.hypot(a.s[0] - b.s[0], a.z[0] - b.z[0]) <= SAME:
        return one.last, two.first
    return intersection(one.span, one.last, two.span, two.first)


def _advance_to(run: _Run, last: float) -> float:
    """Return how far the centre goes ahead from a run's begin to a parameter [m]."""
    s = run.span.touch(np.array([run.first, last])).s
    return float(s[1] - s[0])


def _wall(track: Track) -> str:
    return (
        f"the track {track.label} has a wall, as high as the radius of the wheels or nearly so, or "
        "a slope of 90 degrees or nearly so, which they cannot climb: give a lower step, a gentler "
        "slope or larger wheels"
    )


def _surface(track: Track, r: float, begin: float, end: float) -> Array:
    """Points of the track close to each other, walls included, (n, 2) x and z [m]."""
    rows = []
    last: tuple[float, float] | None = None
    for segment in track.segments:
        low, high = max(segment.begin, begin), min(segment.end, end)
        if low >= high:
            continue
        grain = min(0.5 * fine(r), segment.grain)
        x = np.linspace(low, high, max(2, math.ceil((high - low) / grain) + 1))
        z = segment.profile(x).height
        if last is not None:
            count = max(2, math.ceil(abs(z[0] - last[1]) / (0.5 * fine(r))) + 1)
            wall = np.linspace(last[1], z[0], count)
            rows.append(np.column_stack((np.full(count, x[0]), wall)))
        rows.append(np.column_stack((x, z)))
        last = float(x[-1]), float(z[-1])
    return np.concatenate(rows)
