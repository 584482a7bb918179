"""Impacts, metrics and claims of a roll of the rimless wheel, and of its exact steady roll."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.feet import MachineFeet, SupportChange
from footfall.machines.rimless_wheel.model import WheelModel, wheel_of
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, read_statements
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics
from footfall.registry.machine import CLOSED_FORM
from footfall.stance.metrics import WALKING_METRICS, Strike, walking_metrics
from footfall.textbook.rimless_wheel import RimlessWheel
from footfall.trajectory import Trajectory

_LEAST_SPAN = 0.2  # of the steady squared rate: what scatters less shows no multiplier


@dataclass(frozen=True)
class SpokeImpact(Strike):
    """The touch-down of a foot; rate: of turn before it [rad/s]."""

    rate: float


def impacts(data: xr.Dataset, wheel: WheelModel) -> list[SpokeImpact]:
    """All impacts: rows in which the load goes from one foot to another."""
    feet, states = feet_of(data), np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))
    return [_impact(feet, wheel, change, states) for change in feet.support_changes()]


def feet_of(data: xr.Dataset) -> MachineFeet:
    """Ends of all spokes in a run."""
    return MachineFeet(data, data["contact"].to_numpy().tolist())


def _impact(
    feet: MachineFeet, wheel: WheelModel, change: SupportChange, states: Array
) -> SpokeImpact:
    row, stood, stands = change
    wait, rate = _closing(wheel, stood, states[row - 1])
    places = wheel.foot_points(states[row])[0][:, 0]
    return SpokeImpact(
        row=row,
        time=float(feet.time[row - 1]) + wait,
        rate=rate,
        length=float(places[stands] - places[stood]),
        impulse=feet.impulse[row : feet.end_of_impact(row), stands, 1::-1].sum(axis=0),
    )


def _closing(wheel: WheelModel, foot: int, state: Array) -> tuple[float, float]:
    """Time [s] from the row before an impact to where the next foot meets the ground; rate there.

    The impact is somewhere within the step that follows the row.
    """
    lean, rate = wheel.lean(foot, float(state[2])), float(state[5])
    wait = (wheel.alpha - lean) / rate
    weight = wheel.m * wheel.g * wheel.l / (wheel.m * wheel.l**2 + wheel.J)
    return wait, rate + wait * weight * math.sin(wheel.gamma + lean)


def measured_multiplier(rates: Sequence[float], steady: float) -> float:
    """Slope of the line through the squares of successive rates [rad/s]; NaN in a steady roll."""
    squares = np.square(rates)
    if len(squares) < 3 or np.ptp(squares) < _LEAST_SPAN * steady**2:
        return math.nan
    return float(np.polyfit(squares[:-1], squares[1:], 1)[0])


_ANGLES = 2001  # of a stance, both ends among them, at which the friction is evaluated

METRICS = WALKING_METRICS | read_metrics(__package__)


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The wheel's own metrics, in SI; METRICS says what they are.

    Those of the exact cycle are given by the closed form alone, which rolls on it.
    """
    data = trajectory.data
    wheel = wheel_of(context.model, context.contacts)
    hits = impacts(data, wheel)
    metrics = walking_metrics(data, feet_of(data), hits, wheel.m * wheel.g)
    if hits:
        metrics["impact_rate"] = hits[-1].rate
    try:
        rate = wheel.steady_rate()
    except RunError:  # the wheel does not roll on
        return metrics
    if hits:
        metrics["distance_from_cycle"] = max(abs(impact.rate - rate) for impact in hits)
    metrics["measured_multiplier"] = measured_multiplier([each.rate for each in hits], rate)
    if data.attrs.get("engine") == CLOSED_FORM:
        metrics |= cycle_metrics(wheel.closed_form())
    return metrics


def cycle_metrics(exact: RimlessWheel) -> dict[str, Metric]:
    """Metrics of the steady roll in closed form, of a wheel that rolls on."""
    rate = exact.fixed_point
    theta = exact.gamma + np.linspace(-exact.alpha, exact.alpha, _ANGLES)
    force = exact.ground_force(theta, exact.speed(theta, exact.eta * rate))
    impulse = exact.impact_impulse(rate)
    return {
        "steady_rate": rate,
        "multipliers": [[exact.eta**2, 0.0]],
        "largest_multiplier": exact.eta**2,
        "cycle_period": exact.step_time(exact.eta * rate),
        "cycle_length": 2.0 * exact.l * math.sin(exact.alpha),
        "cycle_energy_loss": 0.5 * exact.inertia * (1.0 - exact.eta**2) * rate**2,
        "cycle_friction_stance": float(np.abs(force[0] / force[1]).max()),
        "cycle_friction_impact": float(abs(impulse[0] / impulse[1])),
    }


STATEMENTS = read_statements(__package__)


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The law of the return map, for a roll that settles."""
    measured = scalar(metrics, "measured_multiplier")
    if not math.isfinite(measured) or (context.e_n > 0.0).any():
        return []
    wheel = wheel_of(context.model, context.contacts)
    return [STATEMENTS["measured_multiplier"].of(measured, bound=wheel.closed_form().eta ** 2)]
