"""What a roll of the rimless wheel is judged by, from any engine's trajectory."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.machines.rimless_wheel.model import WheelModel, wheel_of
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.registry.walking import WALKING_METRICS, end_of_impact
from footfall.textbook.rimless_wheel import RimlessWheel
from footfall.trajectory import Trajectory

_LEAST_SPAN = 0.2  # of the steady squared rate: what scatters less shows no multiplier
_ANGLES = 2001  # of a stance, both ends among them, where the friction is looked at

METRICS: dict[str, tuple[str, str]] = WALKING_METRICS | {
    "measured_multiplier": ("1", "slope of successive squared rates, where the roll settles"),
    "impact_rate": ("rad/s", "rate of turn before the last impact"),
    "steady_rate": ("rad/s", "exact cycle: rate of turn before every impact, the fixed point"),
    "cycle_energy_loss": ("J", "exact cycle: energy that an impact takes"),
}


@dataclass(frozen=True)
class Impact:
    """A foot strikes: the row in which it does, and the time [s] at which it met the ground.

    rate: of turn before it [rad/s]. length: from the foot that stood [m]. impulse: on the new foot
    (tangential, normal) [N s].
    """

    row: int
    time: float
    rate: float
    length: float
    impulse: Array


def impacts(data: xr.Dataset, wheel: WheelModel) -> list[Impact]:
    """All impacts: rows in which the load goes from one foot to another."""
    impulse, time = data["impulse"].to_numpy(), data["time"].to_numpy()
    states = np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))
    foot = carrying_foot(impulse)
    rows = np.flatnonzero(foot >= 0)
    changes = np.flatnonzero(np.diff(foot[rows]) != 0)
    found = []
    for stood, row in zip(foot[rows[changes]].tolist(), rows[changes + 1].tolist(), strict=True):
        new = int(foot[row])
        wait, rate = _closing(wheel, stood, states[row - 1])
        places = wheel.foot_points(states[row])[0]
        struck = impulse[row : end_of_impact(data, row), new]
        found.append(
            Impact(
                row=row,
                time=float(time[row - 1]) + wait,
                rate=rate,
                length=float(places[new, 0] - places[stood, 0]),
                impulse=struck[:, 1::-1].sum(axis=0),
            )
        )
    return found


def carrying_foot(impulse: Array) -> npt.NDArray[np.intp]:
    """Which foot carries in every row, (N,): the most loaded one; -1 where none is loaded."""
    normal = np.nan_to_num(impulse[:, :, 0])
    found: npt.NDArray[np.intp] = normal.argmax(axis=1)
    found[~(normal.max(axis=1) > 0.0)] = -1
    return found


def _closing(wheel: WheelModel, foot: int, state: Array) -> tuple[float, float]:
    """Time [s] from the row before an impact to where the next foot meets the ground; rate there.

    The impact is somewhere within the step that follows the row.
    """
    lean, rate = wheel.lean(foot, float(state[2])), float(state[5])
    wait = (wheel.alpha - lean) / rate
    weight = wheel.m * wheel.g * wheel.l / (wheel.m * wheel.l**2 + wheel.J)
    return wait, rate + wait * weight * math.sin(wheel.gamma + lean)


def _stance_friction(data: xr.Dataset, struck: list[Impact]) -> float:
    """Largest tangential over normal impulse of the carrying foot, impacts left out."""
    impulse = data["impulse"].to_numpy()
    foot = carrying_foot(impulse)
    one = impulse[np.arange(len(foot)), np.maximum(foot, 0)]
    counts = foot >= 0
    for impact in struck:
        counts[impact.row : end_of_impact(data, impact.row)] = False
    return float((np.abs(one[counts, 1]) / one[counts, 0]).max(initial=0.0))


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The wheel's own metrics, in SI; METRICS says what they are.

    What the exact cycle is belongs to the closed form that rolls on it.
    """
    data = trajectory.data
    wheel = wheel_of(context.model, context.contacts)
    struck = impacts(data, wheel)
    metrics: dict[str, Metric] = {"steps": float(len(struck))}
    if struck:
        times = [impact.time for impact in struck]
        length = float(np.mean([impact.length for impact in struck]))
        loss = _energy_per_step(data, struck)
        metrics |= {
            "step_period": float(np.diff(times).mean()) if len(times) > 1 else math.nan,
            "step_length": length,
            "impact_rate": struck[-1].rate,
            "heel_strike_impulse": struck[-1].impulse.tolist(),
            "energy_loss_per_step": loss,
            "cost_of_transport": loss / (wheel.m * wheel.g * length),
            "required_friction_impact": max(abs(s.impulse[0]) / s.impulse[1] for s in struck),
        }
    metrics["required_friction_stance"] = _stance_friction(data, struck)
    try:
        rate = wheel.steady_rate()
    except RunError:  # the wheel does not roll on
        return metrics
    if struck:
        metrics["distance_from_cycle"] = max(abs(impact.rate - rate) for impact in struck)
    metrics["measured_multiplier"] = measured_multiplier([each.rate for each in struck], rate)
    if data.attrs.get("engine") == CLOSED_FORM:
        metrics |= cycle_metrics(wheel.closed_form())
    return metrics


def measured_multiplier(rates: Sequence[float], steady: float) -> float:
    """Slope of the line through the squares of successive rates [rad/s]; NaN in a steady roll."""
    squares = np.square(rates)
    if len(squares) < 3 or np.ptp(squares) < _LEAST_SPAN * steady**2:
        return math.nan
    return float(np.polyfit(squares[:-1], squares[1:], 1)[0])


def _energy_per_step(data: xr.Dataset, struck: list[Impact]) -> float:
    """Mean loss of energy from impact to impact [J]; NaN below two."""
    if len(struck) < 2:
        return math.nan
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    first, last = energy[struck[0].row - 1], energy[struck[-1].row - 1]
    return float((first - last) / (len(struck) - 1))


def cycle_metrics(exact: RimlessWheel) -> dict[str, Metric]:
    """What the steady roll is, in closed form, of a wheel that rolls on."""
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
