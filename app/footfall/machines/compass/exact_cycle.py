"""Exact cycle of a walker as a run carries it: saved with the trajectory, read by the report."""

import numpy as np
import xarray as xr

from footfall.errors import RunError, ScenarioError
from footfall.machines.compass.control import law_of
from footfall.machines.compass.cycle import ExactCycle, find_cycle
from footfall.machines.compass.model import parameters_of
from footfall.registry.context import MachineContext
from footfall.trajectory import Trajectory

_FOUND = "cycle_found"
_FIELDS: dict[str, tuple[str | tuple[str, ...], str, str]] = {
    "multipliers": (("multiplier", "part"), "1", "multipliers, (real, imaginary)"),
    "impulse": ("component", "N s", "impulse of a strike, (tangential, normal)"),
    "time": ("cycle_row", "s", "time since a heel strike"),
    "x": (("coordinate", "cycle_row"), "rad, rad/s", "state (q1, q2, q1', q2')"),
    "force": (("component", "cycle_row"), "N", "force of the ground, likewise"),
    "period": ((), "s", "time of a step"),
    "length": ((), "m", "length of a step"),
    "lost": ((), "J", "energy that a heel strike takes"),
    "friction_stance": ((), "1", "friction that the standing foot needs"),
    "friction_impact": ((), "1", "friction that the heel strike needs"),
}
"""Dimensions, unit and meaning of what is saved of a cycle."""


def find_exact_cycle(_trajectory: Trajectory, context: MachineContext) -> xr.Dataset:
    """Return the exact cycle of a run's walker as variables; only that there is none, if so."""
    try:
        law = law_of(context.controller, context.model, context.contacts)
        cycle = find_cycle(parameters_of(context.model, context.contacts), law)
    except (RunError, ScenarioError):  # no gait, or a controller that the exact walker lacks
        return xr.Dataset({_FOUND: _flag(found=False)})
    parts = np.stack((cycle.multipliers.real, cycle.multipliers.imag), axis=1)
    values = {name: getattr(cycle, name) for name in _FIELDS} | {"multipliers": parts}
    return xr.Dataset(
        {_FOUND: _flag(found=True)}
        | {
            _name(name): (
                dims,
                values[name],
                {"units": unit, "long_name": f"exact cycle: {meaning}"},
            )
            for name, (dims, unit, meaning) in _FIELDS.items()
        }
    )


def read_exact_cycle(data: xr.Dataset) -> ExactCycle | None:
    """Return the exact cycle that a trajectory carries; None for a walker that has none."""
    if not is_saved(data) or not int(data[_FOUND]):
        return None
    values = {name: data[_name(name)].to_numpy() for name in _FIELDS}
    real, imaginary = values["multipliers"].T
    fields = {name: value if value.ndim else float(value) for name, value in values.items()}
    return ExactCycle(**fields | {"multipliers": real + 1j * imaginary})


def is_saved(data: xr.Dataset) -> bool:
    """Return whether a trajectory says if its walker has an exact cycle; old ones do not."""
    return _FOUND in data


def _name(name: str) -> str:
    return f"cycle_{name}"


def _flag(*, found: bool) -> tuple[tuple[()], np.int8, dict[str, str]]:
    return (), np.int8(found), {"units": "1", "long_name": "whether the walker has a periodic gait"}
