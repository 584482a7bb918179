"""Metrics of a roll of the rimless wheel, and of the exact steady roll beside it."""

import math

import numpy as np

from footfall.errors import RunError
from footfall.machines.rimless_wheel.model import wheel_of
from footfall.machines.rimless_wheel.observables import (
    energy_per_step,
    impacts,
    measured_multiplier,
    stance_friction,
)
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.stance.walking import WALKING_METRICS
from footfall.textbook.rimless_wheel import RimlessWheel
from footfall.trajectory import Trajectory

_ANGLES = 2001  # of a stance, both ends among them, at which the friction is evaluated

METRICS: dict[str, tuple[str, str]] = WALKING_METRICS | {
    "measured_multiplier": ("1", "slope of successive squared rates, where the roll settles"),
    "impact_rate": ("rad/s", "rate of turn before the last impact"),
    "steady_rate": ("rad/s", "exact cycle: rate of turn before every impact, the fixed point"),
    "cycle_energy_loss": ("J", "exact cycle: energy that an impact takes"),
}


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The wheel's own metrics, in SI; METRICS says what they are.

    Those of the exact cycle are given by the closed form alone, which rolls on it.
    """
    data = trajectory.data
    wheel = wheel_of(context.model, context.contacts)
    found = impacts(data, wheel)
    metrics: dict[str, Metric] = {"steps": float(len(found))}
    if found:
        times = [impact.time for impact in found]
        length = float(np.mean([impact.length for impact in found]))
        loss = energy_per_step(data, found)
        metrics |= {
            "step_period": float(np.diff(times).mean()) if len(times) > 1 else math.nan,
            "step_length": length,
            "impact_rate": found[-1].rate,
            "heel_strike_impulse": found[-1].impulse.tolist(),
            "energy_loss_per_step": loss,
            "cost_of_transport": loss / (wheel.m * wheel.g * length),
            "required_friction_impact": max(abs(s.impulse[0]) / s.impulse[1] for s in found),
        }
    metrics["required_friction_stance"] = stance_friction(data, found)
    try:
        rate = wheel.steady_rate()
    except RunError:  # the wheel does not roll on
        return metrics
    if found:
        metrics["distance_from_cycle"] = max(abs(impact.rate - rate) for impact in found)
    metrics["measured_multiplier"] = measured_multiplier([each.rate for each in found], rate)
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
