"""Claims on the document's figures, which sweeps of its curves are held against."""

from collections.abc import Sequence

import xarray as xr

from footfall.engines import ENGINES
from footfall.machines.pasibot.claims import is_text
from footfall.machines.pasibot.model import parameters_of
from footfall.machines.pasibot.predictions import GROUPS
from footfall.machines.pasibot.statements import judged_statements
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext

_SPEED, _LOAD = "controller.speeds.0.speed", "arguments.pasibot.hip_load"
_TORQUE = "controller.torques.motor.0.coefficients.0"
# function and axis, and whether static and kinetic friction are the same: quantities of a
# scenario, and how its claims are called
_FIGURES = {
    ("torque", _SPEED, True): ("torque", ("linkage", "torque")),
    ("torque", _LOAD, True): ("load", ("load",)),
    ("start", _TORQUE, True): ("start", ("scales",)),
    ("slip", "friction", True): ("slip_mu", ("scales", "slip")),
    ("slip", "friction", False): ("slip_kinetic", ("kinetic",)),
    ("start", "friction", False): ("slip_torque", ("driven",)),
}


def summary(data: xr.Dataset, context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Claims on the figure that a sweep draws, of the document's machine."""
    axes = [str(dim) for dim in data["success"].dims if dim != "engine"]
    parameters = parameters_of(context.model, context.contacts)
    alike = parameters.mu_s == parameters.mu_k
    figure, groups = _FIGURES.get((data.attrs["function"], *axes, alike), ("", ()))
    simulated = set(data["engine"].to_numpy().tolist()) & set(ENGINES)
    if not groups or simulated or not is_text(parameters):
        return xr.Dataset(), ()
    values: dict[str, float] = {}
    for group in groups:
        values |= GROUPS[group](parameters)
    return xr.Dataset(), judged_statements(values, figure)
