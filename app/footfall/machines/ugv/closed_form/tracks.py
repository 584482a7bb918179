"""Tracks: the ground under the vehicle as a function z = f(x), smooth but for corners and steps.

Points such as a sensor reads become a smoothing spline through them.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.interpolate import UnivariateSpline

from footfall.arrays import Array
from footfall.checked import Checked, finite, positive
from footfall.errors import ScenarioError

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


_AT = "analysis.track."


@dataclass
class Bump(Checked, at=_AT):
    """Level ground with a soft bump, f(x) = height exp(-((x - place)/width)^2).

    The document's unless something else is said.
    """

    # Of its top [m]; negative: a hollow, 0: level ground.
    height: float = finite(0.1)
    # Where its top is [m].
    place: float = finite(4.0)
    # From its top to where it is 1/e as high [m].
    width: float = positive(1.0)

    def track(self) -> Track:
        """Return the track; raises ScenarioError."""
        self.__post_init__()  # Drake's YAML reader fills fields in after they were checked

        def profile(x: Array) -> TrackProfile:
            u = (x - self.place) / self.width
            z = self.height * np.exp(-u * u)
            slope, bend = -2.0 * u / self.width, (4.0 * u * u - 2.0) / self.width**2
            return TrackProfile(z, slope * z, bend * z)

        label = f"bump of {self.height:g} m, width {self.width:g} m"
        return Track(label, (TrackSegment(-math.inf, math.inf, profile, _GRAIN * self.width),))


@dataclass
class Steps(Checked, at=_AT):
    """Level ground with steps in a row, up or down."""

    # Where they are [m], the nearest first.
    places: list[float] = finite([4.0])
    # By how much the ground rises at each [m]; negative: it falls.
    heights: list[float] = finite([0.12])

    def __post_init__(self) -> None:
        """Refuse what are no steps."""
        super().__post_init__()
        counts = len(self.places), len(self.heights)
        if counts[0] != counts[1] or not self.places:
            raise self.refusal(
                f"places are {counts[0]} and heights {counts[1]}: give as many of each"
            )
        if any(b <= a for a, b in pairwise(self.places)):
            raise self.refusal(f"places are {self.places}: let them rise")

    def track(self) -> Track:
        """Return the track; raises ScenarioError."""
        self.__post_init__()
        ends, levels = [-math.inf, *self.places, math.inf], np.cumsum([0.0, *self.heights])
        segments = [_level(ends[k], ends[k + 1], float(z)) for k, z in enumerate(levels)]
        listed = ", ".join(f"{height:g}" for height in self.heights)
        return Track(f"step of {listed} m", tuple(segments))


@dataclass
class Sine(Checked, at=_AT):
    """Level ground with waves, f(x) = height (1 - cos(2 pi (x - place)/wavelength))/2."""

    # From valley to top [m].
    height: float = finite(0.1)
    # From valley to valley [m].
    wavelength: float = positive(2.0)
    # Where the first wave begins [m].
    place: float = finite(3.0)
    # How many there are.
    waves: int = positive(2)

    def track(self) -> Track:
        """Return the track; raises ScenarioError."""
        self.__post_init__()
        k, half = 2.0 * math.pi / self.wavelength, 0.5 * self.height
        begin, end = self.place, self.place + self.waves * self.wavelength

        def profile(x: Array) -> TrackProfile:
            u = k * (x - self.place)
            return TrackProfile(
                half * (1.0 - np.cos(u)), half * k * np.sin(u), half * k * k * np.cos(u)
            )

        waving = TrackSegment(begin, end, profile, _GRAIN * self.wavelength)
        segments = (_level(-math.inf, begin, 0.0), waving, _level(end, math.inf, 0.0))
        label = f"{self.waves} waves of {self.height:g} m, length {self.wavelength:g} m"
        return Track(label, segments)


@dataclass
class TrackPoints(Checked, at=_AT):
    """A track that was measured: points of a file, through which or near which a spline goes."""

    # CSV file with two columns, x and z [m], a point a line from behind ahead; a first line with
    # names is skipped. A relative path begins at the scenario's folder, or where we are if it is
    # not there, or was given with --set.
    file: str = ""
    # Standard deviation of the heights [m], as far as which the spline keeps off the points; 0: it
    # goes through all of them.
    noise: float = 0.0
    # Widest distance of neighbours that still are a ground between them [m].
    gap: float = 0.2

    def track(self) -> Track:
        """Read the file; raises ScenarioError."""
        if not self.file:
            raise self.refusal("file is empty: name a CSV file with columns x and z in m")
        try:
            return read_track(Path(self.file), noise=self.noise, gap=self.gap)
        except ValueError as error:
            raise ScenarioError(f"analysis.track: {error}.") from error


TrackKind = Bump | Steps | Sine | TrackPoints
"""A track as a scenario gives it: !Bump, !Steps, !Sine or !TrackPoints."""


def _level(begin: float, end: float, z: float) -> TrackSegment:
    def profile(x: Array) -> TrackProfile:
        return TrackProfile(np.full_like(x, z), np.zeros_like(x), np.zeros_like(x))

    return TrackSegment(begin, end, profile)


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
