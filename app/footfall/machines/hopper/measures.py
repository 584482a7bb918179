"""Metrics of a jump of the hopper, from any engine's trajectory.

In rows, but for extrema of the event-driven engine, which are those of its motion between them.
"""

import math
from collections.abc import Sequence

import numpy as np
import xarray as xr

from footfall.feet import MachineFeet, friction_demand
from footfall.machines.hopper.closed_form.model import (
    CG,
    Hopper,
    JumpMargins,
    margins,
    position,
    velocity,
)
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.model import POINTS, parameters_of
from footfall.machines.hopper.motion import motion_of
from footfall.machines.hopper.observables import JumpObservables, PhaseInterval, jump_of, states_of
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics
from footfall.registry.machine import HYBRID
from footfall.trajectory import Trajectory

_BEGUN = 0.9  # share of a run after which its last part begins

# what the document asks of the whole motion, in the order in which lists of margins have it
MARGINS = (
    "PR_forward",
    "PR_backward",
    "Q_above_P",
    "R_above_Q",
    "unfolded_left",
    "unfolded_right",
    "torque",
)

# unit and meaning of every metric of ``measures``
METRICS = read_metrics(__package__)


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The hopper's own metrics, in SI; METRICS says what they are.

    Those of a flight, a landing or an end that a run does not come to are left out.
    """
    machine = Hopper(parameters_of(context.model, context.contacts))
    jump, data = jump_of(trajectory, machine), trajectory.data
    foot = MachineFeet(data, POINTS[:1])
    motion = motion_of(context) if data.attrs.get("engine") == HYBRID else None
    last = max((one.rows.stop for one in jump.intervals), default=data.sizes["time"])
    metrics: dict[str, Metric] = {
        "jump_distance": jump.distance,
        "friction_ratio": (
            friction_ratio(foot, jump) if motion is None else motion.friction_ratio(jump.intervals)
        ),
        "torque_work": float(data["actuator_work"].to_numpy()[last - 1]),
        "flights": float(sum(one.phase is JumpPhase.FLIGHT for one in jump.intervals)),
    }
    places_and_times = {
        "reach": jump.reach,
        "x_start": jump.x_start,
        "x_end": jump.x_end,
        "separation_time": jump.separation,
        "landing_time": jump.impact,
        "end_time": jump.end,
        "flight_time": jump.impact - jump.separation,
    }
    metrics |= {name: value for name, value in places_and_times.items() if math.isfinite(value)}
    metrics |= _of_flight(data, jump, machine)
    metrics |= _of_landing(foot, jump) | _of_standing(data, foot, jump)
    phases = {
        "constraint_margins": jump.intervals,
        "margins_first_contact": jump.before,
        "margins_flight": jump.flight,
        "margins_second_contact": jump.after,
    }
    asked = float(np.abs(data["actuation"].to_numpy()[:last]).max(initial=0.0))
    for name, intervals in phases.items():
        if motion is None:
            least = _least_of_rows(data, jump, intervals, machine)
        else:
            least = motion.least_margins(intervals)
        if least is None:
            continue
        values = least._asdict() | {"torque": min(least.torque_above, least.torque_below)}
        metrics[name] = [float(values[margin]) for margin in MARGINS]
        if motion is not None and intervals is jump.intervals:  # not in rows alone
            asked = machine.parameters.tau_max - float(values["torque"])
    metrics["torque_asked"] = asked
    return metrics


def _least_of_rows(
    data: xr.Dataset, jump: JumpObservables, intervals: Sequence[PhaseInterval], machine: Hopper
) -> JumpMargins | None:
    """Smallest margins in rows of some phases."""
    rows = [row for one in intervals for row in range(one.rows.start, one.rows.stop)]
    if not rows:
        return None
    of_rows = margins(machine, states_of(data)[:, rows], data["actuation"].to_numpy()[rows, 0])
    final = jump.intervals[-1]
    if (
        jump.lands == "Q"
        and final.phase is not JumpPhase.FLIGHT
        and rows[-1] == final.rows.stop - 1
    ):
        # at the end Q is beside P by definition; up to a step later it is below the ground
        of_rows.Q_above_P[-1] = max(of_rows.Q_above_P[-1], 0.0)
    return JumpMargins(*(float(np.min(values)) for values in of_rows))


def friction_ratio(foot: MachineFeet, jump: JumpObservables) -> float:
    """Largest |tangential| over normal impulse of P in rows that it sticks in; NaN without any."""
    demand = friction_demand(foot.impulse[:, 0])
    # the first row's step began in another phase
    sticks = [
        demand[one.rows.start + 1 : one.rows.stop]
        for one in jump.intervals
        if one.phase is JumpPhase.STICK
    ]
    ratios = np.concatenate([*sticks, []])
    return max(ratios[np.isfinite(ratios)].tolist(), default=math.nan)


def _of_flight(data: xr.Dataset, jump: JumpObservables, machine: Hopper) -> dict[str, Metric]:
    """Metrics of the flight, from its first row, which is brought back to the take-off."""
    if not math.isfinite(jump.separation) or jump.flight[0].rows.start == jump.flight[0].rows.stop:
        return {}
    rows = jump.flight[0].rows
    x, time = states_of(data), data["time"].to_numpy()
    torque = data["actuation"].to_numpy()[:, 0]
    push = jump.before[0].rows.start + int(torque[jump.before[0].rows.start : rows.start].argmax())
    work = np.interp([jump.separation, jump.flight[0].end], time, data["actuator_work"].to_numpy())
    gone = float(time[rows.start]) - jump.separation
    along, up = velocity(machine, x[:, rows.start], CG).tolist()
    up += machine.parameters.g * gone
    height = position(machine, x[:, rows], CG)[1]
    begun = height[0] - up * gone + 0.5 * machine.parameters.g * gone**2
    return {
        "take_off_velocity": [along, up],
        "energy_range": 2.0
        * float(machine.kinetic_energy(x[:, rows.start]))
        / (machine.mass * machine.parameters.g),
        "apex": float(height.max() - begun),
        "clearance": float(x[1, rows].max()),
        "spin": float(machine.centroidal_angular_momentum(x[:, rows.start])),
        "take_off_work": float(work[0]),
        "flight_work": float(work[1] - work[0]),
        "push_torque": float(torque[push]),
        "push_time": float(time[push]),
        "flight_torque": float(torque[min(rows.start + 1, rows.stop - 1)]),
    }


def _of_standing(data: xr.Dataset, foot: MachineFeet, jump: JumpObservables) -> dict[str, Metric]:
    """Metrics of a machine that stays on P; nothing for others."""
    time, q = foot.time, data["q"].to_numpy()
    last = int(np.searchsorted(time, _BEGUN * time[-1]))
    if jump.flight or jump.lands or not time[-1] > time[last]:
        return {}
    force = foot.impulse[last + 1 :, 0, 0].sum() / (time[-1] - time[last])
    return {"standing_force": float(force), "standing_motion": float(np.abs(q - q[0]).max())}


def _of_landing(foot: MachineFeet, jump: JumpObservables) -> dict[str, Metric]:
    if not math.isfinite(jump.impact) or jump.after[0].phase is JumpPhase.FLIGHT:
        return {}
    up, along, _ = foot.impact(jump.after[0].rows.start, 0).tolist()
    return {"landing_impulse_t": along, "landing_impulse_n": up}
