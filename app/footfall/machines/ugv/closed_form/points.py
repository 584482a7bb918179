"""Tracks from points, such as a sensor reads: a smoothing spline through them."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.interpolate import UnivariateSpline

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.tracks import Track, TrackProfile, TrackSegment

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
