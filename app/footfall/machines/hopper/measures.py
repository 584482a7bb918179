"""Metrics of a jump of the hopper, from any engine's trajectory.

In rows, but for extrema of the event-driven engine, which are those of its motion between them.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import CG, Hopper
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.closed_form.points import JumpMargins, margins, position, velocity
from footfall.machines.hopper.model import POINTS, parameters_of
from footfall.machines.hopper.motion import EventDrivenMotion, motion_of
from footfall.machines.hopper.observables import JumpObservables, PhaseInterval, jump_of, states_of
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.trajectory import Trajectory

# s: a compliant ground takes some time for an impact; the rigid laws are over in one row
_IMPACT_TIME = 0.02
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
_UNITS = "rad, rad, m, m, rad, rad, N m"
_ASKED = (
    "line PR 60 degrees forward and backward, Q above P, R above Q, unfolded to the left and to "
    "the right, torque below its bound"
)

# unit and meaning of every metric of ``measures``
METRICS: dict[str, tuple[str, str]] = {
    "jump_distance": ("m", "d = X_end - X_start of a jump, whatever its constraint_margins are"),
    "reach": ("m", "X_end - X_start of any run that ends on Q or R, valid or not"),
    "x_start": ("m", "X_start: largest x of P before it leaves the ground"),
    "x_end": ("m", "X_end: smallest x of P on the ground after its landing, or of what lands last"),
    "separation_time": ("s", "when P leaves the ground"),
    "landing_time": ("s", "when P lands"),
    "end_time": ("s", "when Q or R lands"),
    "flight_time": ("s", "between the two"),
    "take_off_velocity": ("m/s", "velocity of the mass centre when P leaves the ground, (x, y)"),
    "energy_range": (
        "m",
        "throw of the mass centre at 45 degrees by all kinetic energy that there is at take-off",
    ),
    "apex": ("m", "how high the mass centre rises in flight"),
    "clearance": ("m", "how high P rises"),
    "spin": ("kg m^2/s", "angular momentum about the mass centre in flight, counter-clockwise"),
    "landing_impulse_t": ("N s", "tangential impulse of P's landing"),
    "landing_impulse_n": (
        "N s",
        "normal impulse of P's landing; in Drake that of 20 ms less what the next 20 ms carry",
    ),
    "friction_ratio": (
        "1",
        "largest tangential over normal force of P while it sticks; with time steps, a step's mean",
    ),
    "standing_force": ("N", "mean normal force on P in the last tenth of a run without a flight"),
    "standing_motion": ("m or rad", "largest change of a coordinate in such a run"),
    "take_off_work": ("J", "work of the torque up to the time at which P leaves the ground"),
    "torque_work": ("J", "work of the torque up to the end"),
    "flight_work": ("J", "work of the torque while P flies"),
    "flights": ("1", "how often P leaves the ground up to the end"),
    "push_torque": ("N m", "largest torque before P leaves the ground, with its sign"),
    "push_time": ("s", "when the torque is that"),
    "flight_torque": ("N m", "torque a step after P has left the ground"),
    "torque_asked": ("N m", "largest torque asked for up to the end"),
    "constraint_margins": (
        _UNITS,
        f"least margins up to the end, negative where lost: {_ASKED}; with time steps, of rows",
    ),
    "margins_first_contact": (_UNITS, "the same before P leaves the ground"),
    "margins_flight": (_UNITS, "the same while P flies"),
    "margins_second_contact": (_UNITS, "the same from P's landing to the end"),
}


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The hopper's own metrics, in SI; METRICS says what they are.

    Those of a flight, a landing or an end that a run does not come to are left out.
    """
    machine = Hopper(parameters_of(context.model, context.contacts))
    jump, data = jump_of(trajectory, machine), trajectory.data
    motion = motion_of(context) if data.attrs.get("engine") == HYBRID else None
    last = max((one.rows.stop for one in jump.intervals), default=data.sizes["time"])
    metrics: dict[str, Metric] = {
        "jump_distance": jump.distance,
        "friction_ratio": (
            friction_ratio(data, jump) if motion is None else motion.friction_ratio(jump.intervals)
        ),
        "torque_work": float(data["actuator_work"].to_numpy()[last - 1]),
        "flights": float(sum(one.phase is JumpPhase.FLIGHT for one in jump.intervals)),
    }
    found = {
        "reach": jump.reach,
        "x_start": jump.x_start,
        "x_end": jump.x_end,
        "separation_time": jump.separation,
        "landing_time": jump.impact,
        "end_time": jump.end,
        "flight_time": jump.impact - jump.separation,
    }
    metrics |= {name: value for name, value in found.items() if math.isfinite(value)}
    metrics |= _of_flight(data, jump, machine) | _of_landing(data, jump) | _of_standing(data, jump)
    phases = {
        "constraint_margins": jump.intervals,
        "margins_first_contact": jump.before,
        "margins_flight": jump.flight,
        "margins_second_contact": jump.after,
    }
    for name, intervals in phases.items():
        least = _least_margins(data, jump, intervals, machine, motion)
        if least is not None:
            metrics[name] = least
    metrics["torque_asked"] = _torque_asked(data, last, metrics, machine, motion)
    return metrics


def _least_margins(
    data: xr.Dataset,
    jump: JumpObservables,
    intervals: Sequence[PhaseInterval],
    machine: Hopper,
    motion: EventDrivenMotion | None,
) -> list[float] | None:
    """Smallest margins over some phases, in the order of MARGINS; None if there is none of them."""
    if motion is None:
        least = _least_of_rows(data, jump, intervals, machine)
    else:
        least = motion.least_margins(intervals)
    if least is None:
        return None
    values = least._asdict() | {"torque": min(least.torque_above, least.torque_below)}
    return [float(values[name]) for name in MARGINS]


def _least_of_rows(
    data: xr.Dataset, jump: JumpObservables, intervals: Sequence[PhaseInterval], machine: Hopper
) -> JumpMargins | None:
    """Smallest margins in rows of some phases."""
    rows = [row for one in intervals for row in range(one.rows.start, one.rows.stop)]
    if not rows:
        return None
    found = margins(machine, states_of(data)[:, rows], data["actuation"].to_numpy()[rows, 0])
    final = jump.intervals[-1]
    if (
        jump.lands == "Q"
        and final.phase is not JumpPhase.FLIGHT
        and rows[-1] == final.rows.stop - 1
    ):
        # at the end Q is beside P by definition; up to a step later it is below the ground
        found.Q_above_P[-1] = max(found.Q_above_P[-1], 0.0)
    return JumpMargins(*(float(np.min(values)) for values in found))


def _torque_asked(
    data: xr.Dataset,
    last: int,
    metrics: Mapping[str, Metric],
    machine: Hopper,
    motion: EventDrivenMotion | None,
) -> float:
    """Largest torque asked for up to the end [N m]."""
    least = metrics.get("constraint_margins")
    if motion is not None and isinstance(least, list):
        return machine.parameters.tau_max - least[MARGINS.index("torque")]
    return float(np.abs(data["actuation"].to_numpy()[:last]).max(initial=0.0))


def friction_ratio(data: xr.Dataset, jump: JumpObservables) -> float:
    """Largest |tangential| over normal impulse of P in rows that it sticks in; NaN without any."""
    impulse = _impulses(data)
    ratios = [
        abs(t) / n
        for one in jump.intervals
        if one.phase is JumpPhase.STICK
        # the first row's step began in another phase
        for n, t in impulse[one.rows.start + 1 : one.rows.stop].tolist()
        if n > 0.0
    ]
    return max(ratios, default=math.nan)


def landing_impulse(data: xr.Dataset, jump: JumpObservables) -> tuple[float, float]:
    """Impulse (tangential, normal) of P's landing [N s].

    A rigid law's is that of one row; with time steps a step's load is in it. A compliant ground
    carries the machine meanwhile: what it carries in the time after the impact is taken off.
    """
    time, impulse = data["time"].to_numpy(), _impulses(data)
    row = jump.after[0].rows.start
    if not str(data.attrs.get("engine", "")).startswith("drake"):
        return float(impulse[row, 1]), float(impulse[row, 0])
    end, behind = np.searchsorted(time, time[row] + _IMPACT_TIME * np.array([1.0, 2.0])).tolist()
    landing, carried = impulse[row:end], impulse[end:behind]
    total = landing.sum(axis=0)
    if len(carried) > 0:
        total -= len(landing) * carried.mean(axis=0)
    return float(total[1]), float(total[0])


def _impulses(data: xr.Dataset) -> Array:
    """Impulses (normal, tangential) on P of all rows, (N, 2) [N s]."""
    both = data["impulse"].sel(contact=POINTS[0], axis=["n", "t"])
    return np.nan_to_num(np.asarray(both.to_numpy(), dtype=np.float64))


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


def _of_standing(data: xr.Dataset, jump: JumpObservables) -> dict[str, Metric]:
    """Metrics of a machine that stays on P; nothing for others."""
    time, q = data["time"].to_numpy(), data["q"].to_numpy()
    last = int(np.searchsorted(time, _BEGUN * time[-1]))
    if jump.flight or jump.lands or not time[-1] > time[last]:
        return {}
    force = _impulses(data)[last + 1 :, 0].sum() / (time[-1] - time[last])
    return {"standing_force": float(force), "standing_motion": float(np.abs(q - q[0]).max())}


def _of_landing(data: xr.Dataset, jump: JumpObservables) -> dict[str, Metric]:
    if not math.isfinite(jump.impact) or jump.after[0].phase is JumpPhase.FLIGHT:
        return {}
    along, up = landing_impulse(data, jump)
    return {"landing_impulse_t": along, "landing_impulse_n": up}
