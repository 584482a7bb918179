"""Quantities that the programme of a path bounds at every station and at non-smooth points."""

import math
from dataclasses import dataclass

from footfall.machines.ugv.optimum.problem import (
    CLEARANCE,
    GRIP,
    NORMAL_FORCE,
    TORQUE_PEAK,
    TORQUE_RANGE,
    Problem,
)

# how far the programme stays off its bounds, beyond a solver's tolerance
_MARGIN = {
    "needed_r": 1e-6,
    "needed_f": 1e-6,
    "normal_r": 0.01,
    "normal_f": 0.01,
    "clearance": 1e-6,
}


@dataclass(frozen=True)
class BoundedQuantity:
    """Bounds of a quantity times a sign, less an epigraph variable or none (-1)."""

    quantity: str
    epigraph: int
    lower: float
    upper: float
    sign: float = 1.0


def bounded_quantities(problem: Problem, first: int) -> list[BoundedQuantity]:
    """Quantities that limits and the criterion bound; first: the first epigraph variable."""
    limits, inf = problem.limits, math.inf
    rows = [
        BoundedQuantity(name, -1, max(limits.normal_margin, 0.0) + _MARGIN[name], inf)
        for name in ("normal_r", "normal_f")
    ]
    if math.isfinite(limits.friction):
        most = limits.usable_friction - _MARGIN["needed_r"]
        rows += [BoundedQuantity(name, -1, -most, most) for name in ("needed_r", "needed_f")]
    if math.isfinite(limits.clearance_margin):
        least = limits.clearance_margin + _MARGIN["clearance"]
        rows.append(BoundedQuantity("clearance", -1, least, inf))
    apart = 2.0 * problem.parameters.r
    rows.append(BoundedQuantity("wheelbase", -1, apart * (1.0 + 1e-6), inf))
    rows += {
        TORQUE_RANGE: [
            BoundedQuantity("torque", first, 0.0, inf),
            BoundedQuantity("torque", first + 1, -inf, 0.0),
        ],
        TORQUE_PEAK: _both_signs(first, "torque"),
        GRIP: _both_signs(first, "needed_r", "needed_f"),
        NORMAL_FORCE: [BoundedQuantity(name, first, 0.0, inf) for name in ("normal_r", "normal_f")],
        CLEARANCE: [BoundedQuantity("clearance", first, 0.0, inf)],
    }.get(problem.criterion, [])
    return rows


def _both_signs(epigraph: int, *names: str) -> list[BoundedQuantity]:
    """Quantities whose size an epigraph variable bounds."""
    return [
        BoundedQuantity(name, epigraph, -math.inf, 0.0, sign)
        for name in names
        for sign in (1.0, -1.0)
    ]
