"""Infeasibility explained: the limit that no angles meet, and the place."""

import math

import numpy as np
import numpy.typing as npt

from footfall.machines.ugv.optimum.grid import AngleGrid
from footfall.machines.ugv.optimum.problem import Limits
from footfall.machines.ugv.optimum.samples import Samples
from footfall.machines.ugv.optimum.search import Search

Flags = npt.NDArray[np.bool_]


def explain_infeasibility(grid: AngleGrid) -> str:
    """One line about the first place that no path of a grid comes by; there has to be one."""
    stations, limits = grid.problem.stations, grid.problem.limits
    k = int(np.argmin(Search(grid).reached().any(axis=1)))
    nodes, nonsmooth = grid.allowed()
    if not nodes[k].any():
        return f"{_asked(limits, grid.nodes[k])} with the front wheel at {stations[k]:.3f} m"
    for q in np.flatnonzero(~nonsmooth.any(axis=1)):
        limit = _asked(limits, grid.nonsmooth[q])
        return f"{limit} with the rear wheel at {grid.nonsmooth_points[q]:.3f} m"
    return (
        f"the legs cannot turn quickly enough to have angles that pass with the front wheel at "
        f"{stations[k]:.3f} m"
    )


def _asked(limits: Limits, of: Samples) -> str:
    """Return what of the limits no angles keep: the first one that would be too much by itself."""
    ends = " and ".join(f"{math.degrees(angle):g}" for angle in (limits.least, limits.most))
    who = f"no angles between {ends} degrees"
    stands = np.isfinite(of.torque)
    if not stands.any():
        return f"{who} put both wheels on the track"
    # of both sides of a non-smooth point the worse one counts
    sides = [np.atleast_2d(one) for one in (of.normal, of.required, of.clearance)]
    here = np.atleast_2d(stands).all(axis=0)
    normal, needed, clearance = (
        worst(one, axis=0)[here] for worst, one in zip((np.min, np.max, np.min), sides, strict=True)
    )
    least = max(limits.normal_margin, 0.0)
    if not (normal > least).any():
        return f"{who} keep a normal force above {least:g} N ({normal.max():.3g} N is the most)"
    if not (needed <= limits.usable_friction).any():
        return (
            f"{who} pass with a friction of {limits.usable_friction:g} ({needed.min():.3g} is the "
            "least that is required)"
        )
    if not (clearance >= limits.clearance_margin).any():
        return (
            f"{who} have a clearance of {limits.clearance_margin:g} m ({clearance.max():.3g} m is "
            "the most)"
        )
    return f"{who} keep normal force, friction and clearance at once"
