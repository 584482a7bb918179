"""A track as chords of its profile, which are as long as its bending allows.

Where a track is at the height of the ground, z = 0, there is no chord: the ground itself is there.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.tracks import Track, TrackSegment

GROUND = 1e-5
"""Height [m] up to which a track is the ground."""

_SAMPLE = 5e-4  # m: distance of the samples by which bending is measured
_SAME = 1e-9  # m: nearer ends are one place
_MOST = 5000


@dataclass(frozen=True)
class Faceting:
    """Resolution at which a track is cut, and the part that is.

    turn [rad]: by which the slope's angle changes over a facet at most. longest [m]: facet where
    the track bends. begin, end [m]: of what is made of a track that goes on for ever. Raises
    ValueError, one line, for what cuts nothing.
    """

    turn: float = 1e-3
    longest: float = 0.25
    begin: float = -10.0
    end: float = 20.0

    def __post_init__(self) -> None:
        """Refuse numbers that make no facets."""
        for name in ("turn", "longest"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise ValueError(f"{name} is {value}: give a finite number above 0")
        if not (math.isfinite(self.begin) and math.isfinite(self.end) and self.begin < self.end):
            raise ValueError(
                f"begin {self.begin} and end {self.end} m: let it end behind its begin"
            )


def runs(track: Track, faceting: Faceting) -> list[Array]:
    """Lines of vertices (N, 2) x, z [m] above the ground, each without a jump, from behind ahead.

    A line begins and ends on the ground, or with the edge of a wall. Where a track comes out of the
    ground gently, at a height of GROUND, its tangent leads down to z = 0. Raises ValueError, one
    line, for a track that is below the ground or nowhere above it, or that takes too many facets.
    """
    found: list[Array] = []
    for segment in track.segments:
        begin, end = max(segment.begin, faceting.begin), min(segment.end, faceting.end)
        if not begin < end:
            continue
        for line in _lines(segment, begin, end, faceting):
            if found and np.abs(found[-1][-1] - line[0]).max() < _SAME:
                found[-1] = np.vstack((found[-1], line[1:]))
            else:
                found.append(line)
    count = sum(len(line) - 1 for line in found)
    if count == 0:
        raise ValueError(
            f"the track is nowhere above z = 0 from x = {faceting.begin:g} to {faceting.end:g} m: "
            "the ground is all that it needs"
        )
    if count > _MOST:
        raise ValueError(
            f"the track takes {count} facets, more than {_MOST}: let them turn by more than "
            f"{faceting.turn:g} rad, or smooth it"
        )
    return found


def _lines(segment: TrackSegment, begin: float, end: float, faceting: Faceting) -> list[Array]:
    """Lines of one piece."""
    x = np.linspace(begin, end, max(3, math.ceil((end - begin) / _SAMPLE) + 1))
    profile = segment.profile(x)
    lowest = int(np.argmin(profile.height))
    if not profile.height[lowest] >= -GROUND:
        raise ValueError(
            f"the track is at z = {profile.height[lowest]:.3g} m at x = {x[lowest]:.3g} m, below "
            "the ground at z = 0: raise all of it"
        )
    above = np.concatenate(([False], profile.height > GROUND, [False]))
    edges = np.flatnonzero(above[1:] != above[:-1])
    angle = np.arctan(profile.slope)
    lines = []
    for first, last in zip(edges[::2], edges[1::2] - 1, strict=True):
        if last == first:
            continue  # a sample alone is a place of no length
        here = slice(first, last + 1)
        places = _vertices(x[here], angle[here], faceting)
        line = np.column_stack((places, segment.profile(places).height))
        slopes = profile.slope[first], profile.slope[last]
        lines.append(_down_to_ground(line, slopes, first > 0, last < len(x) - 1))
    return lines


def _vertices(x: Array, angle: Array, faceting: Faceting) -> Array:
    """Places [m] between which the angle changes by a turn at most."""
    change = np.abs(np.diff(angle))
    if change.sum() < 1e-3 * faceting.turn:
        return x[[0, -1]]
    cost = np.concatenate(
        ([0.0], np.cumsum(change / faceting.turn + np.diff(x) / faceting.longest))
    )
    count = max(1, math.ceil(cost[-1]))
    return np.interp(np.linspace(0.0, cost[-1], count + 1), cost, x)


def _down_to_ground(line: Array, slopes: tuple[float, float], rises: bool, falls: bool) -> Array:
    """Lead a line that rises out of the ground, or falls into it, there along its tangent."""
    (x0, z0), (x1, z1) = line[0], line[-1]
    before = [[x0 - z0 / slopes[0], 0.0]] if rises and slopes[0] > 0.0 else []
    behind = [[x1 - z1 / slopes[1], 0.0]] if falls and slopes[1] < 0.0 else []
    return np.vstack([np.array(before).reshape(-1, 2), line, np.array(behind).reshape(-1, 2)])


def walls(lines: list[Array]) -> list[tuple[float, float, float]]:
    """Places [m] where a track jumps, with the heights [m] before and behind: x, z, z."""
    found = []
    ends = [np.array([[-math.inf, 0.0]]), *lines, np.array([[math.inf, 0.0]])]
    for before, behind in pairwise(ends):
        (x0, z0), (x1, z1) = before[-1], behind[0]
        if abs(x1 - x0) < _SAME:
            found.append((float(x0), float(z0), float(z1)))
        else:
            found += [
                (float(x), *z)
                for x, z in ((x0, (float(z0), 0.0)), (x1, (0.0, float(z1))))
                if math.isfinite(x) and max(z) > 0.0
            ]
    return found
