"""Shadow prices: how much farther a jump would go if a bound or a number of the machine gave way.

The multipliers of a solution are the shadow prices of its constraints. By the envelope theorem

    dd/dp = sum over constraints of price times (d bound/dp - d value/dp)

with the variables held where they are: no other programme is solved.
"""

from dataclasses import dataclass, replace

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.transcription.phases import ANGULAR_MOMENTUM, scales
from footfall.machines.hopper.transcription.programme import JumpProgramme, JumpSolution

_STEP = 1e-6  # relative; values are analytic in every parameter, bounds linear
_PARAMETERS = (
    ("mu", "1", "friction of P"),
    ("tau_max", "N m", "bound of the torque"),
    ("g", "m/s^2", "gravity"),
)


@dataclass(frozen=True)
class ShadowPrice:
    """Growth of d with a parameter: slope [m per unit], and unit and meaning of the parameter."""

    slope: float
    unit: str
    meaning: str


def shadow_prices(programme: JumpProgramme, solution: JumpSolution) -> dict[str, ShadowPrice]:
    """Of friction, torque, gravity, the bound of the line PR, and angular momentum in flight."""
    p = programme.parameters
    prices = {}
    for name, unit, meaning in _PARAMETERS:
        size = getattr(p, name)
        other = replace(programme, parameters=replace(p, **{name: size * (1.0 + _STEP)}))
        slope = _slope(programme, solution, other, _STEP * size)
        prices[name] = ShadowPrice(slope, unit, meaning)
    line = programme.steepest
    other = replace(programme, steepest=line * (1.0 + _STEP))
    slope = _slope(programme, solution, other, _STEP * line)
    prices["line"] = ShadowPrice(slope, "rad", "bound of the line PR from the vertical")
    gift = _angular_momentum_slope(programme, solution)
    return prices | {"spin": ShadowPrice(gift, "kg m^2/s", "spin given to the flight at take-off")}


def _angular_momentum_slope(programme: JumpProgramme, solution: JumpSolution) -> float:
    """Dd/dH: the price of the defect of H over the flight's first interval."""
    number = programme.plan.take_off
    segment = programme.plan.segments[number]
    row = ANGULAR_MOMENTUM * segment.intervals
    return float(solution.prices[f"motion {number}"][row] / scales(segment.phase)[ANGULAR_MOMENTUM])


def _slope(
    programme: JumpProgramme, solution: JumpSolution, other: JumpProgramme, step: float
) -> float:
    """Dd/dp, of the programme at p and at p + step."""
    z = solution.values / programme.layout.scale
    total = 0.0
    for group, moved in zip(programme.groups, other.groups, strict=True):
        prices = solution.prices[group.name]
        here = z[group.variables]
        change = _bound_change(prices, group.bounds(), moved.bounds())
        change -= moved.values(here) - group.values(here)
        total += float(prices @ change)
    prices = solution.prices["bounds"]
    total += float(prices @ _bound_change(prices, programme.bounds(), other.bounds()))
    return total / step


def _bound_change(prices: Array, here: tuple[Array, Array], there: tuple[Array, Array]) -> Array:
    """Change of the active bounds: to raise a lower one costs distance, an upper one gives."""
    active = np.where(prices < 0.0, here[0], here[1])
    moved = np.where(prices < 0.0, there[0], there[1])
    # a multiplier of rounding may stand at a bound that there is not
    finite = np.isfinite(active)
    return np.where(finite, moved, 0.0) - np.where(finite, active, 0.0)
