"""Support polygon of a robot over a trajectory, and margins of its balance points to the edge."""

import numpy as np
import xarray as xr

from footfall.arrays import Array, Flags
from footfall.feet.balance import margins, support_polygon
from footfall.feet.gait import WINDOW
from footfall.feet.motion import sample_rows, spread
from footfall.trajectory.contact_table import occurring

NEAR = 1e-3
"""m: a point of a standing foot with a smaller gap can bear a load, whether it does or not."""

_MOST_POLYGONS = 2_500  # of a run; between them margins are interpolated

SUPPORT_POINTS = {
    "centre of mass": "com",
    "zero-moment point": "zero_moment_point",
    "capture point": "capture_point",
}
"""Points whose margins are measured, with their variables."""


class Support:
    """Places that carry a robot, by row of a trajectory with its feet.

    Of feet in contact these are all points that bore a load in the last ``WINDOW``, or whose gap is
    at most ``NEAR``: which corners of a sole carry is up to a solver, as it is of a table with many
    legs. Of other links they are the points that bore a load.
    """

    def __init__(self, data: xr.Dataset) -> None:
        """Take what was recorded of the contacts with the ground."""
        there = occurring(data)
        own = there[data["ground_contact"].to_numpy()[there] == 1]
        data = data.isel(contact=own)
        impulse, gap = data["impulse"].isel(axis=0).to_numpy(), data["gap"].to_numpy()
        ever = np.flatnonzero((impulse > 0.0).any(axis=0) | (gap <= NEAR).any(axis=0))
        data, impulse, gap = data.isel(contact=ever), impulse[:, ever], gap[:, ever]
        feet = data["foot"].values.tolist()
        names = data["foot_of_contact"].values.tolist()
        self._foot = np.array([feet.index(name) if name else -1 for name in names], dtype=np.int64)
        self._time = data["time"].to_numpy()
        self._loaded = impulse > 0.0
        self._near = gap <= NEAR
        self._places = data["contact_point"].to_numpy()[:, :, :2]
        self._stands = data["foot_contact"].to_numpy() == 1

    def polygon(self, row: int) -> Array:
        """Corners (m, 2) of the support polygon in the horizontal plane [m]; see support_polygon.

        None while no foot is in contact and no other link bears a load.
        """
        since = int(np.searchsorted(self._time, self._time[row] - WINDOW, side="right"))
        loaded: Flags = np.any(self._loaded[min(since, row) : row + 1], axis=0)
        carries: Flags = loaded.copy()
        own = self._foot >= 0
        stands = self._stands[row, self._foot[own]]
        carries[own] = stands & (loaded[own] | self._near[row, own])
        places = self._places[row, carries]
        return support_polygon(places[np.isfinite(places).all(axis=1)])


def support_margins(data: xr.Dataset, *, planar: bool) -> Array:
    """Return the margins (N, points) [m] of ``SUPPORT_POINTS``, seen from above."""
    support = Support(data)
    points = np.stack([data[name].to_numpy()[:, :2] for name in SUPPORT_POINTS.values()], axis=1)
    rows = sample_rows(len(points), _MOST_POLYGONS)
    found = [margins(support.polygon(int(row)), points[row], planar=planar) for row in rows]
    return spread(np.array(found), rows, len(points))
