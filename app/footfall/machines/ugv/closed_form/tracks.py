"""Tracks: the ground under the vehicle as a function z = f(x), smooth but for corners and steps.

Points such as a sensor reads become a smoothing spline through them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.interpolate import UnivariateSpline

from footfall.arrays import Array

_POINTS = 400  # of each piece of an outline
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
        values = np.full((3, *x.shape), np.nan)
        number = np.searchsorted(self.joints, x, side="right")
        for k, segment in enumerate(self.segments):
            here = (number == k) & (x >= segment.begin) & (x <= segment.end)
            if here.any():
                values[:, here] = segment.profile(x[here])
        return TrackProfile(*values)

    def outline(self, begin: float, end: float) -> tuple[Array, Array]:
        """Points (n,) x, z [m] from begin to end, both edges of walls among them."""
        rows: list[tuple[Array, Array]] = []
        for segment in self.segments:
            low, high = max(segment.begin, begin), min(segment.end, end)
            if low < high:
                x = np.linspace(low, high, _POINTS)
                rows.append((x, segment.profile(x).height))
        return np.concatenate([x for x, _ in rows]), np.concatenate([z for _, z in rows])


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


_FEWEST = 4  # points of a cubic spline


def track_of_points(
    x: npt.ArrayLike, z: npt.ArrayLike, *, noise: float = 0.0, gap: float = 0.2, label: str = ""
) -> Track:
    """A cubic spline near points (N,) x, z [m], which ends where they end.

    noise [m]: standard deviation of the heights, as far as which the spline keeps off the points;
    0: through all of them. gap [m]: widest distance of neighbours that is still a ground between
    them. Raises ValueError, one line, for points that do not go ahead, are no numbers, are too few
    or leave a wider gap.
    """
    x, z = np.asarray(x, dtype=float), np.asarray(z, dtype=float)
    if x.ndim != 1 or x.shape != z.shape or len(x) < _FEWEST:
        raise ValueError(f"a track needs {_FEWEST} points or more, as many heights as places")
    if not (np.isfinite(x).all() and np.isfinite(z).all()):
        row = int(np.flatnonzero(~(np.isfinite(x) & np.isfinite(z)))[0])
        raise ValueError(f"point {row + 1} of the track is no number: leave it out or mend it")
    if not (np.isfinite(noise) and noise >= 0.0):
        raise ValueError(f"noise is {noise}: give the heights' standard deviation in m, 0 for none")
    if not gap > 0.0:
        raise ValueError(f"gap is {gap}: give a positive number of metres")
    apart = np.diff(x)
    if not (apart > 0.0).all():
        row = int(np.flatnonzero(apart <= 0.0)[0])
        raise ValueError(
            f"the track goes back from x = {x[row]:g} to {x[row + 1]:g} m: put its points in order"
        )
    if apart.max() > gap:
        row = int(apart.argmax())
        raise ValueError(
            f"the track has a gap of {apart[row]:.3g} m from x = {x[row]:g} to {x[row + 1]:g} m: "
            f"give points between them, or allow it with gap above {gap:g} m"
        )
    # the sum of squares that heights of this noise leave on average
    spline = UnivariateSpline(x, z, k=3, s=len(x) * noise**2)
    slope, bend = spline.derivative(1), spline.derivative(2)

    def profile(at: Array) -> TrackProfile:
        return TrackProfile(spline(at), slope(at), bend(at))

    segment = TrackSegment(
        float(x[0]), float(x[-1]), profile, float(np.diff(spline.get_knots()).min())
    )
    return Track(label or f"{len(x)} points", (segment,))


def read_track(path: Path, *, noise: float = 0.0, gap: float = 0.2) -> Track:
    """Read points from a CSV file of two columns x, z [m]; a first line of names is skipped.

    Raises ValueError, one line that names the file, as ``track_of_points`` and for what is no table
    of numbers.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: cannot be read as a text file ({error})") from error
    rows = []
    for number, line in enumerate(text.splitlines()):
        cells = line.split(";" if ";" in line else ",")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            first, second, *_ = map(float, cells)
        except ValueError as error:
            if number == 0:
                continue  # names of the columns
            raise ValueError(
                f"{path}, line {number + 1}: '{line.strip()}' is no pair x, z of numbers"
            ) from error
        rows.append((first, second))
    points = np.array(rows).reshape(-1, 2)
    try:
        return track_of_points(points[:, 0], points[:, 1], noise=noise, gap=gap, label=path.stem)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
