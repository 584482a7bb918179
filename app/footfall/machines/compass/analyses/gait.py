"""The compass' gait as a function for sweeps, and the slope of its first period doubling."""

import math
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import xarray as xr

from footfall.analysis.functions import Case, labelled
from footfall.hybrid import FixedPoint, NotFound, find_fixed_point, flip_test, locate_flip
from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import exact_walker
from footfall.machines.compass.system import return_map
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext

# slopes between which the first doubling is looked for, and the steps of the search [rad]
_GENTLEST, _STEEPEST, _STEP = math.radians(0.1), math.radians(8.0), math.radians(0.25)
_HIP = "arguments.compass.m_hip"


def gait(case: Case) -> xr.Dataset:
    """Gait of period one of a walker on its slope, and what it needs.

    Raises RunError for a walker without one, and as `exact_walker` does.
    """
    walker = exact_walker(case.context)
    cycle = find_cycle(walker)
    fixed_point = cycle.fixed_point
    values = {
        "step_period": (cycle.period, "s", "time of a step"),
        "step_length": (cycle.length, "m", "length of a step"),
        "largest_multiplier": (
            float(np.abs(fixed_point.multipliers).max()),
            "1",
            "largest modulus of a multiplier",
        ),
        "friction_stance": (cycle.friction_stance, "1", "friction that the step needs"),
        "friction_impact": (cycle.friction_impact, "1", "friction that the strike needs"),
        "first_doubling": (
            math.degrees(_first_doubling(walker, fixed_point)),
            "deg",
            "slope of the first period doubling",
        ),
    }
    return labelled(values)


def _first_doubling(walker: CompassParameters, gait: FixedPoint) -> float:
    """Slope [rad] of the flip that is met first: up the slope from a stable gait, else down.

    NaN where the gait ends before.
    """
    returns = return_map(walker)
    step = _STEP if gait.stable else -_STEP
    with suppress(NotFound):
        while _GENTLEST < gait.p + step < _STEEPEST:
            beyond = find_fixed_point(returns, gait.orbit[0], gait.p + step)
            if flip_test(gait.D) * flip_test(beyond.D) < 0.0:
                return locate_flip(returns, gait, beyond).p
            gait = beyond
    return math.nan


def summary(data: xr.Dataset, context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Change of step period and length with the mass of the hip over that of a leg.

    At the walker of the scenario, from its neighbours in a sweep of gaits over the hip's mass.
    """
    if data.attrs["function"] != "gait" or _HIP not in data["step_period"].dims:
        return xr.Dataset(), ()
    walker = exact_walker(context)
    ratio = data[_HIP].to_numpy() / walker.m
    sensitivities = xr.Dataset()
    for name, unit in (("step_period", "s"), ("step_length", "m")):
        values = data[name].isel(engine=0)
        if values.dims != (_HIP,) or len(ratio) < 2:
            continue
        change = np.gradient(values.to_numpy(), ratio)
        ends = {"left": math.nan, "right": math.nan}
        at = float(np.interp(walker.m_hip / walker.m, ratio, change, **ends))
        words = f"change of {name.replace('_', ' ')} with hip mass over leg mass"
        sensitivities[f"{name}_sensitivity"] = (), at, {"units": unit, "long_name": words}
    return sensitivities, ()
