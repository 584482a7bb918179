"""Tracks: the ground under the vehicle as a function z = f(x), smooth but for corners and steps."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array

_GRAIN = 0.1  # of a bump's width, of a wave's length


class TrackProfile(NamedTuple):
    """f(x) [m], f'(x), f''(x) [1/m], arrays of the shape of x."""

    height: Array
    slope: Array
    bend: Array


@dataclass(frozen=True, eq=False)
class TrackSegment:
    """A smooth part of a track, from begin to end [m], which may be infinite.

    grain [m]: distance of samples from which none of its bends is missed, where it is to be less
    than the millimetres that are usual.
    """

    begin: float
    end: float
    profile: Callable[[Array], TrackProfile]
    grain: float = math.inf


@dataclass(frozen=True, eq=False)
class Track:
    """The ground as pieces in a row: each begins where the one before ends, maybe higher or lower.

    label: for captions. Raises ValueError for pieces that leave a gap.
    """

    label: str
    segments: tuple[TrackSegment, ...]

    def __post_init__(self) -> None:
        """Refuse gaps."""
        for before, after in pairwise(self.segments):
            if before.end != after.begin:
                raise ValueError(f"the track has a gap from x = {before.end:g} to {after.begin:g}")

    @property
    def begin(self) -> float:
        """Return where it begins [m]."""
        return self.segments[0].begin

    @property
    def end(self) -> float:
        """Return where it ends [m]."""
        return self.segments[-1].end

    @property
    def joints(self) -> Array:
        """Return where one piece ends and the next begins [m]."""
        return np.array([segment.end for segment in self.segments[:-1]])

    def profile(self, x: npt.ArrayLike) -> TrackProfile:
        """Height, slope and bend at x [m]; at a joint of the piece that begins; NaN beyond."""
        x = np.asarray(x, dtype=float)
        found = np.full((3, *x.shape), np.nan)
        number = np.searchsorted(self.joints, x, side="right")
        for k, segment in enumerate(self.segments):
            here = (number == k) & (x >= segment.begin) & (x <= segment.end)
            if here.any():
                found[:, here] = segment.profile(x[here])
        return TrackProfile(*found)


def flat() -> Track:
    """Level ground at z = 0."""
    return Track("level ground", (_level(-math.inf, math.inf, 0.0),))


def bump(height: float = 0.1, place: float = 4.0, width: float = 1.0) -> Track:
    """f(x) = height exp(-((x - place)/width)^2); the document's soft bump by default."""
    _require_finite(height=height, place=place)
    _require_positive(width=width)

    def profile(x: Array) -> TrackProfile:
        u = (x - place) / width
        z = height * np.exp(-u * u)
        return TrackProfile(z, -2.0 * u / width * z, (4.0 * u * u - 2.0) / width**2 * z)

    label = f"bump of {height:g} m, width {width:g} m"
    return Track(label, (TrackSegment(-math.inf, math.inf, profile, _GRAIN * width),))


def steps(positions: Sequence[float], heights: Sequence[float]) -> Track:
    """Level ground that rises by heights[k] [m], negative down, at places[k] [m], which rise."""
    if len(positions) != len(heights) or not positions:
        raise ValueError(
            f"{len(positions)} places and {len(heights)} heights: give as many of each"
        )
    _require_finite(**{f"places[{k}]": x for k, x in enumerate(positions)})
    _require_finite(**{f"heights[{k}]": x for k, x in enumerate(heights)})
    if any(b <= a for a, b in pairwise(positions)):
        raise ValueError(f"places {list(positions)} do not rise")
    ends, levels = [-math.inf, *positions, math.inf], np.cumsum([0.0, *heights])
    segments = [_level(ends[k], ends[k + 1], float(z)) for k, z in enumerate(levels)]
    listed = ", ".join(f"{height:g}" for height in heights)
    return Track(f"step of {listed} m", tuple(segments))


def sine(height: float = 0.1, wavelength: float = 2.0, place: float = 3.0, waves: int = 2) -> Track:
    """Waves f(x) = height (1 - cos(2 pi (x - place)/wavelength))/2 between level ground."""
    _require_finite(height=height, place=place)
    _require_positive(wavelength=wavelength, waves=waves)
    k = 2.0 * math.pi / wavelength
    end = place + waves * wavelength

    def profile(x: Array) -> TrackProfile:
        u = k * (x - place)
        half = 0.5 * height
        return TrackProfile(
            half * (1.0 - np.cos(u)), half * k * np.sin(u), half * k * k * np.cos(u)
        )

    waving = TrackSegment(place, end, profile, _GRAIN * wavelength)
    segments = (_level(-math.inf, place, 0.0), waving, _level(end, math.inf, 0.0))
    return Track(f"{waves} waves of {height:g} m, length {wavelength:g} m", segments)


def mirrored(track: Track, place: float) -> Track:
    """The track as seen in a mirror at x = place [m]."""
    segments = [
        TrackSegment(
            2.0 * place - segment.end,
            2.0 * place - segment.begin,
            _mirrored(segment, place),
            segment.grain,
        )
        for segment in reversed(track.segments)
    ]
    return Track(f"{track.label}, mirrored", tuple(segments))


def _mirrored(segment: TrackSegment, place: float) -> Callable[[Array], TrackProfile]:
    def profile(x: Array) -> TrackProfile:
        height, slope, bend = segment.profile(2.0 * place - x)
        return TrackProfile(height, -slope, bend)

    return profile


def _level(begin: float, end: float, z: float) -> TrackSegment:
    def profile(x: Array) -> TrackProfile:
        return TrackProfile(np.full_like(x, z), np.zeros_like(x), np.zeros_like(x))

    return TrackSegment(begin, end, profile)


def _require_finite(**values: float) -> None:
    for name, value in values.items():
        if not math.isfinite(value):
            raise ValueError(f"{name} is {value}: give a finite number")


def _require_positive(**values: float) -> None:
    for name, value in values.items():
        if not (math.isfinite(value) and value > 0.0):
            raise ValueError(f"{name} is {value}: give a positive number")
