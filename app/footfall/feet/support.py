"""Margins of a robot's balance points to its support polygon over a trajectory."""

import numpy as np

from footfall.arrays import Array
from footfall.feet.balance import margins, support_polygon
from footfall.feet.detection import Feet
from footfall.feet.gait import WINDOW, Flags
from footfall.feet.ground_contacts import Indices
from footfall.feet.loads import Loads
from footfall.feet.motion import sample_rows, spread


def support_margins(
    time: Array, loads: Loads, feet: Feet, states: Flags, points: Array, *, planar: bool
) -> Array:
    """Return the margins (N, k) [m] of points (N, k, 2), in the horizontal plane.

    The support polygon of a row is the convex hull of the places that bore a load in the last
    ``WINDOW``, so far as their foot is in contact; see `supporting`.
    """
    rows = sample_rows(len(time))
    found = np.full((len(rows), points.shape[1]), np.nan)
    for sample, row in enumerate(rows):
        places = supporting(time, loads, feet, states, int(row))
        found[sample] = margins(support_polygon(places), points[row], planar=planar)
    return spread(found, rows, len(time))


def supporting(time: Array, loads: Loads, feet: Feet, states: Flags, row: int) -> Array:
    """Return the places (k, 2) in the horizontal plane that carry a robot at a row."""
    since = int(np.searchsorted(time, time[row] - WINDOW, side="right"))
    first, end = np.searchsorted(loads.row, (min(since, row), row + 1))
    contact = loads.contact[first:end]
    _, newest = np.unique(contact[::-1], return_index=True)
    kept: Indices = end - 1 - newest
    foot = feet.of_contact[loads.contact[kept]]
    stands = (foot < 0) | states[row, foot]
    places: Array = loads.place_W[kept[stands], :2]
    return places[np.isfinite(places).all(axis=1)]
