"""Exact cycle of a walker as a run carries it: saved with the trajectory, read by the report."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError, ScenarioError
from footfall.hybrid import simulate
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.control import law_of
from footfall.machines.compass.cycle import Cycle, find_cycle
from footfall.machines.compass.model import parameters_of
from footfall.machines.compass.system import BEHIND, SECTION, STRIKE, ground_force, walking_system
from footfall.registry.context import MachineContext
from footfall.trajectory import Trajectory
from footfall_controllers.energy_shaping import EnergyShapingParameters

_POINTS = 201  # of the exact step
_FOUND = "cycle_found"
_SCALARS = {
    "period": ("s", "time of a step"),
    "length": ("m", "length of a step"),
    "lost": ("J", "energy that a heel strike takes"),
    "friction_stance": ("1", "friction that the standing foot needs"),
    "friction_impact": ("1", "friction that the heel strike needs"),
}


@dataclass(frozen=True)
class ExactCycle:
    """The periodic gait of a walker and a step of it, from just after a strike to the next.

    multipliers: of its return map. impulse: of the strike (tangential, normal) [N s]. time (k,)
    [s], x (4, k) states, force (2, k) of the ground (tangential, normal) [N]. period [s], length
    [m], lost: energy that the strike takes [J]; friction_stance, friction_impact: coefficients of
    friction that the step and the strike need.
    """

    multipliers: npt.NDArray[np.complex128]
    impulse: Array
    time: Array
    x: Array
    force: Array
    period: float
    length: float
    lost: float
    friction_stance: float
    friction_impact: float

    @property
    def published(self) -> Array:
        """(q1, q1', q2') before a heel strike, as the lab sheet gives its cycles."""
        return np.asarray(self.x[SECTION, -1])


def find_exact_cycle(_trajectory: Trajectory, context: MachineContext) -> xr.Dataset:
    """Return the exact cycle of a run's walker as variables; only that there is none, if so."""
    machine = Compass(parameters_of(context.model, context.contacts))
    try:
        law = law_of(context.controller, context.model, context.contacts)
        cycle = find_cycle(machine.parameters, law)
    except (RunError, ScenarioError):  # no gait, or a controller that the exact walker lacks
        return xr.Dataset({_FOUND: _flag(found=False)})
    time, x = _step(machine, cycle, law)
    force = np.asarray(ground_force(machine, law, x))
    multipliers = np.asarray(cycle.fixed_point.multipliers, dtype=np.complex128)
    parts = np.stack((multipliers.real, multipliers.imag), axis=1)
    variables = {
        "multipliers": (("multiplier", "part"), parts, "1", "multipliers, (real, imaginary)"),
        "impulse": ("component", cycle.impulse, "N s", "impulse of a strike, (tangential, normal)"),
        "time": ("cycle_row", time, "s", "time since a heel strike"),
        "x": (("coordinate", "cycle_row"), x, "rad, rad/s", "state (q1, q2, q1', q2')"),
        "force": (("component", "cycle_row"), force, "N", "force of the ground, likewise"),
    } | {name: ((), getattr(cycle, name), *words) for name, words in _SCALARS.items()}
    return xr.Dataset(
        {_FOUND: _flag(found=True)}
        | {
            _name(name): (dims, values, {"units": unit, "long_name": f"exact cycle: {meaning}"})
            for name, (dims, values, unit, meaning) in variables.items()
        }
    )


def read_exact_cycle(data: xr.Dataset) -> ExactCycle | None:
    """Return the exact cycle that a trajectory carries; None for a walker that has none."""
    if not is_saved(data) or not int(data[_FOUND]):
        return None
    real, imaginary = data[_name("multipliers")].to_numpy().T
    impulse, time, x, force = (
        data[_name(name)].to_numpy() for name in ("impulse", "time", "x", "force")
    )
    scalars = {name: float(data[_name(name)]) for name in _SCALARS}
    return ExactCycle(real + 1j * imaginary, impulse, time, x, force, **scalars)


def is_saved(data: xr.Dataset) -> bool:
    """Return whether a trajectory says if its walker has an exact cycle; old ones do not."""
    return _FOUND in data


def _name(name: str) -> str:
    return f"cycle_{name}"


def _flag(*, found: bool) -> tuple[tuple[()], np.int8, dict[str, str]]:
    return (), np.int8(found), {"units": "1", "long_name": "whether the walker has a periodic gait"}


def _step(
    machine: Compass, cycle: Cycle, law: EnergyShapingParameters | None
) -> tuple[Array, Array]:
    """Times and states of one step of the cycle."""
    system = walking_system(machine, law)
    run = simulate(system, BEHIND, cycle.after, (0.0, np.inf), until=STRIKE)
    time = np.linspace(0.0, cycle.period, _POINTS)
    x = run.at(np.minimum(time, run.time))
    x[:, -1] = cycle.before
    return time, x
