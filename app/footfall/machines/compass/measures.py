"""Metrics of a walk of the compass, and of its exact limit cycle beside it."""

import numpy as np

from footfall.errors import RunError, ScenarioError
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.control import law_of
from footfall.machines.compass.cycle import Cycle, find_cycle
from footfall.machines.compass.model import parameters_of
from footfall.machines.compass.observables import energy_per_step, heel_strikes, stance_friction
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.stance.walking import WALKING_METRICS
from footfall.trajectory import Trajectory

METRICS: dict[str, tuple[str, str]] = WALKING_METRICS | {
    "heel_strike_state": ("rad, rad/s", "(q1, q1', q2') before the last heel strike"),
    "largest_torque": ("N m", "largest torque at the hip"),
    "fixed_point": ("rad, rad/s", "exact cycle: (q1, q1', q2') before heel strike, by Newton"),
}
"""Unit and meaning of every metric of ``measures``."""


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The compass' own metrics, in SI; METRICS says what they are.

    Those of the exact cycle are found by the event-driven engine alone, for walkers that have one;
    the others are held against it by ``distance_from_cycle``.
    """
    data = trajectory.data
    parameters = parameters_of(context.model, context.contacts)
    strikes = heel_strikes(data, Compass(parameters))
    metrics: dict[str, Metric] = {"steps": float(len(strikes))}
    if strikes:
        loss = energy_per_step(data, strikes)
        length = float(np.mean([strike.length for strike in strikes]))
        weight = (2.0 * parameters.m + parameters.m_hip) * parameters.g
        times = [strike.time for strike in strikes]
        ratios = [abs(s.impulse[0]) / s.impulse[1] for s in strikes]
        metrics |= {
            "step_period": float(np.diff(times).mean()) if len(times) > 1 else float("nan"),
            "step_length": length,
            "heel_strike_state": strikes[-1].published.tolist(),
            "heel_strike_impulse": strikes[-1].impulse.tolist(),
            "energy_loss_per_step": loss,
            "cost_of_transport": loss / (weight * length),
            "required_friction_impact": float(max(ratios)),
        }
    metrics["required_friction_stance"] = float(
        np.nanmax(stance_friction(data, strikes), initial=0.0)
    )
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
    multipliers = cycle.fixed_point.multipliers
    return {
        "fixed_point": cycle.published.tolist(),
        "multipliers": [[float(m.real), float(m.imag)] for m in multipliers],
        "largest_multiplier": float(np.abs(multipliers).max()),
        "cycle_period": cycle.period,
        "cycle_length": cycle.length,
        "cycle_friction_stance": cycle.friction_stance,
        "cycle_friction_impact": cycle.friction_impact,
    }
