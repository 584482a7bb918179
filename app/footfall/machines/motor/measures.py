"""Metrics of a motor's response in any engine, and claims of the TUlip report.

The report prints formulas and no numbers: a run is checked by what they give for its machine.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.motor.model import motor_of, response_of
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, read_statements
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics
from footfall.textbook.motor import SpeedResponse
from footfall.trajectory import Trajectory

METRICS = read_metrics(__package__)


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The motor's own metrics, in SI; METRICS says what they are.

    What needs the closed form is left out where the torque is none that it knows, and instants that
    a run does not come to.
    """
    data = trajectory.data
    time = data["time"].to_numpy()
    angle, speed = data["q"].to_numpy()[:, 0], data["v"].to_numpy()[:, 0]
    metrics: dict[str, Metric] = {
        "start_acceleration": start_acceleration(time, speed),
        "end_speed": float(speed[-1]),
        "end_angle": float(angle[-1] - angle[0]),
        "motor_work": float(data["actuator_work"].to_numpy()[-1]),
        "friction_loss": 0.0 - float(data["damping_work"].to_numpy()[-1]),
        "stored_energy": float(data["kinetic_energy"].to_numpy()[-1]),
    }
    turned = turn_time(time, angle, speed, math.radians(45.0))
    if math.isfinite(turned):
        metrics["time_to_45_deg"] = turned
    try:
        response = response_of(context)
    except ScenarioError:  # another course of the torque
        return metrics
    steady = response.motor.steady_speed(response.asked)
    metrics["angle_error"] = float(np.abs(angle - response.angle_at(time)).max())
    metrics["speed_error"] = float(np.abs(speed - response.speed_at(time)).max())
    if math.isfinite(steady) and steady != 0.0:
        metrics["steady_speed"] = steady
        metrics["steady_share"] = float(speed[-1]) / steady
    return metrics | _instants(time, speed, response)


def start_acceleration(time: Array, speed: Array) -> float:
    """Acceleration at the start [rad/s^2]: slope there of the parabola through three speeds.

    NaN with fewer. On the exact speeds of a load with time constant tau it is off by h^2 / (3
    tau^2) of its value at rows that are h apart.
    """
    if len(time) < 3:
        return math.nan
    return float((-3.0 * speed[0] + 4.0 * speed[1] - speed[2]) / (time[2] - time[0]))


def turn_time(time: Array, angle: Array, speed: Array, turn: float) -> float:
    """Return when the load has turned by an angle > 0 [rad] from its start [s]; NaN for never.

    Between two rows it goes along the cubic through their angles and speeds.
    """
    beyond = np.flatnonzero(angle >= angle[0] + turn)
    if len(beyond) == 0:
        return math.nan
    rows = slice(int(beyond[0]) - 1, int(beyond[0]) + 1)
    path = CubicHermiteSpline(time[rows], angle[rows], speed[rows])
    begin, end = time[rows].tolist()
    return float(brentq(lambda t: float(path(t)) - angle[0] - turn, begin, end))


def _instants(time: Array, speed: Array, response: SpeedResponse) -> dict[str, Metric]:
    """Return when it has certain speeds, between rows in proportion."""
    first, *others = response.phases
    speeds = {}
    if not others and first.motion.D > 0.0:
        steady = response.motor.steady_speed(response.asked)
        speeds["time_constant"] = steady + (response.speed - steady) * math.exp(-1.0)
    for phase in others:
        if phase.slope > 0.0 and first.slope == 0.0:
            speeds["corner_time"] = phase.motion.speed
            break
    times = {name: _time_of(time, speed, value) for name, value in speeds.items()}
    return {name: value for name, value in times.items() if math.isfinite(value)}


def _time_of(time: Array, speed: Array, wanted: float) -> float:
    """Return when the speed first passes a value [s]; NaN where it does not."""
    sign = math.copysign(1.0, wanted - speed[0])
    beyond = np.flatnonzero(sign * (speed - wanted) >= 0.0)
    if len(beyond) == 0 or beyond[0] == 0:
        return math.nan
    k = int(beyond[0])
    share = (wanted - speed[k - 1]) / (speed[k] - speed[k - 1])
    return float(time[k - 1] + share * (time[k] - time[k - 1]))


STATEMENTS = read_statements(__package__)
# of integrators in continuous time, and of reading an acceleration off three rows
_LEAST = 1e-6


_RATIO = "motors.motor.gear_ratio"
_CLOSE = 1e-4  # a hill is flat: 1e-8 of its height is this far from its top


def summary(data: xr.Dataset, context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Claim on the gear of the largest acceleration, of a sweep that searches for it from rest."""
    name = f"best_{_RATIO}_of_start_acceleration"
    if name not in data:
        return xr.Dataset(), ()
    best = data[name].isel(engine=0)
    speed = "initial.velocities.load"
    best = best.sel({speed: 0.0}) if 0.0 in best.coords.get(speed, ()) else best
    motor = motor_of(context.model, context.contacts)
    if best.ndim or not np.isfinite(best) or motor.J_m == 0.0:
        return xr.Dataset(), ()
    exact = math.sqrt(motor.J_l / motor.J_m)
    best_ratio = STATEMENTS["best_ratio"].of(float(best), bound=exact, tolerance=_CLOSE * exact)
    return xr.Dataset(), [best_ratio]


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The acceleration from rest, and the time constant that the friction term brings about."""
    try:
        response = response_of(context)
    except ScenarioError:
        return []
    motor = response.motor
    late = 3.0 * context.time_step * response.phases[0].motion.D / motor.inertia
    judged = []
    if response.asked != 0.0 and context.initial_state[1] == 0.0:
        exact = float(motor.acceleration(response.asked, 0.0))
        tolerance = abs(exact) * max(late, _LEAST)
        started = scalar(metrics, "start_acceleration")
        said = STATEMENTS["start_acceleration"]
        judged.append(said.of(started, bound=exact, tolerance=tolerance))
    measured = scalar(metrics, "time_constant")
    if math.isfinite(measured):
        given = {"bound": motor.inertia / motor.damping, "tolerance": 3.0 * context.time_step}
        judged.append(STATEMENTS["time_constant"].of(measured, **given))
    return judged
