"""Heel strikes and metrics of a walk of the compass, and of its exact limit cycle beside it.

The exact cycle is saved with the trajectory, where the report reads it.
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError, ScenarioError
from footfall.feet import MachineFeet, SupportChange
from footfall.feet.machine_feet import IMPACT_TIME
from footfall.machines.compass.closed_form.model import Compass, sigma
from footfall.machines.compass.control import law_of
from footfall.machines.compass.cycle import Cycle, ExactCycle, find_cycle
from footfall.machines.compass.model import FEET, foot_points, parameters_of, stance_of
from footfall.machines.compass.system import SECTION
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics
from footfall.registry.machine import HYBRID
from footfall.stance.metrics import WALKING_METRICS, Strike, walking_metrics
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


@dataclass(frozen=True)
class HeelStrike(Strike):
    """A heel strike in a trajectory, and which of FEET touches down.

    before: state x (4,) when both feet were on the ground, with the leg that stood as leg 1.
    """

    foot: int
    before: Array

    @property
    def published(self) -> Array:
        """(q1, q1', q2') before the strike, (3,)."""
        return self.before[SECTION]


def feet_of(data: xr.Dataset) -> MachineFeet:
    """Both feet in a run."""
    return MachineFeet(data, FEET)


def heel_strikes(data: xr.Dataset, machine: Compass) -> list[HeelStrike]:
    """All heel strikes: rows in which the load goes from one foot to the other."""
    feet, states = feet_of(data), np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))
    return [_heel_strike(feet, machine, change, states) for change in feet.support_changes()]


def _heel_strike(
    feet: MachineFeet, machine: Compass, change: SupportChange, states: Array
) -> HeelStrike:
    """Return the heel strike at a change of support.

    It is somewhere within the step that the row ends; the state before is brought to the time when
    both feet are on the ground. Without this it would be up to a step away from it, which q2' shows
    most.
    """
    row, old, new = change
    before = stance_of(machine, states[row - 1], old).s
    rate = machine.derivative(0.0, before)
    closing = float(-sigma(before) / (2.0 * rate[0] + rate[1]))
    if abs(closing) > IMPACT_TIME:  # no step ends here: a foot that touches while the walker falls
        closing = 0.0
    at = float(feet.time[row - 1]) + closing
    positions = foot_points(machine, states[row])[0]
    return HeelStrike(
        row=row,
        time=at,
        foot=new,
        before=np.asarray(before + closing * rate),
        length=float(positions[new, 0] - positions[old, 0]),
        impulse=feet.impact(row, new)[1::-1],
    )


METRICS = WALKING_METRICS | read_metrics(__package__)
"""Unit and meaning of every metric of ``measures``."""


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The compass' own metrics, in SI; METRICS says what they are.

    Those of the exact cycle are found by the event-driven engine alone, for walkers that have one;
    the others are held against it by ``distance_from_cycle``.
    """
    data = trajectory.data
    parameters = parameters_of(context.model, context.contacts)
    strikes = heel_strikes(data, Compass(parameters))
    metrics = walking_metrics(
        data, feet_of(data), strikes, (2.0 * parameters.m + parameters.m_hip) * parameters.g
    )
    if strikes:
        metrics["heel_strike_state"] = strikes[-1].published.tolist()
    metrics["largest_torque"] = float(np.abs(data["actuation"].to_numpy()).max(initial=0.0))
    try:
        law = law_of(context.controller, context.model, context.contacts)
        cycle = find_cycle(parameters, law)
    except (RunError, ScenarioError):  # no gait, or a controller that the exact walker lacks
        return metrics
    if strikes:
        away = [float(np.abs(strike.published - cycle.published).max()) for strike in strikes]
        metrics["distance_from_cycle"] = max(away)
    if data.attrs.get("engine") == HYBRID:
        metrics |= cycle_metrics(cycle)
    return metrics


def cycle_metrics(cycle: Cycle) -> dict[str, Metric]:
    """Metrics of the exact cycle, which the event-driven engine walks on."""
    multipliers = cycle.multipliers
    return {
        "fixed_point": cycle.published.tolist(),
        "multipliers": [[float(m.real), float(m.imag)] for m in multipliers],
        "largest_multiplier": float(np.abs(multipliers).max()),
        "cycle_period": cycle.period,
        "cycle_length": cycle.length,
        "cycle_friction_stance": cycle.friction_stance,
        "cycle_friction_impact": cycle.friction_impact,
    }
