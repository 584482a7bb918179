"""Torque of the driving vehicle beside that of quasi-static balance, as a function for sweeps.

The balance leaves out what the masses' accelerations take, which is of second order in the speed:
on a track of curvature k they are v^2 k. The vehicle is driven over the track by the drive of the
scenario, and its torque held against that of the balance where it is, with the angles that its legs
have then.
"""

import math

import numpy as np
import xarray as xr

from footfall.analysis.factory import SimulationFactory
from footfall.analysis.functions import PARAMETERS, Case, labelled
from footfall.engine_names import STEPPING
from footfall.engines.ports import ACTUATION
from footfall.errors import RunError, ScenarioError
from footfall.machines.ugv.analyses.traversal_task import check_interval, traversal_task
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.control import WheelLegDrive
from footfall.machines.ugv.model import parameters_of, rows_of, wheel_centres
from footfall.machines.ugv.tracks import read_track_kind
from footfall.plants.actuators import actuators_of

_AXLE = "rear_axle"  # its torque is that of the front one
_SETTLES = 1.0  # s: that the drive gets after its ramp before its torque counts
_POINTS = 801  # at which torques are compared
_SPEED = f"{PARAMETERS}speed"


def slow_drive(
    case: Case,
    *,
    speed: float,
    begin: float = 2.6,
    end: float = 6.4,
    way: float = 4.0e-4,
    track: str = "",
) -> xr.Dataset:
    """Torque of either wheel over the track at a speed of the rims [m/s], and that of balance.

    begin, end [m]: of the centre of the front wheel, between which torques are compared; the drive
    begins at its first station and has to have come to its speed. way [m]: of a wheel in a step of
    time: a faster drive has shorter steps than the scenario's, since one that rolls past a facet's
    corner in a step or two leaves the ground there. track: of the balance, as "!Bump {}"; without
    one it is the model's. Raises ScenarioError for a scenario that drives no vehicle, RunError for
    a drive that does not arrive.
    """
    drive, context = case.context.controller, case.context
    if not isinstance(drive, WheelLegDrive):
        raise ScenarioError("a drive needs a !WheelLegDrive as the scenario's controller.")
    if case.engine not in STEPPING:
        raise ScenarioError(f"a drive has no engine {case.engine}: choose {', '.join(STEPPING)}.")
    check_interval(begin, end)
    for name, value in (("speed", speed), ("way", way)):
        if not 0.0 < value < math.inf:
            raise ScenarioError(f"parameters.{name} is {value}: give a positive number.")
    start = drive.stations[0].position
    advance = speed * (0.5 * drive.ramp + _SETTLES)
    if start + advance > begin:
        raise ScenarioError(
            f"parameters.begin is {begin:g} m: at {speed:g} m/s the drive, which begins at "
            f"{start:g} m, is at its speed from {start + advance:.3g} m on."
        )
    step = min(context.time_step, way / speed)
    rows = driven(case.factory, case.engine, speed, (start, begin, end), drive.ramp, step)
    s = np.linspace(begin, end, _POINTS)
    torque, rear, front = (np.interp(s, rows[0], column) for column in rows[1:])
    task = traversal_task(context, read_track_kind(track), s, rear, front)
    balance = forces(task.parameters, pose(task.parameters, task.curve, s, rear, front)).torque
    if not task.track.profile(s).slope.any():
        raise ScenarioError("on level ground no torque is needed: give a track.")
    away = np.abs(torque - balance)
    numbers = {
        "largest_distance": (float(away.max()), "N m", "largest distance from the balance"),
        "rms_distance": (float(np.sqrt((away**2).mean())), "N m", "the same, root mean square"),
    }
    curves = {
        "torque": (torque, "N m", "torque of either wheel's motor"),
        "balance": (balance, "N m", "quasi-static torque there"),
    }
    meaning = {"units": "m", "long_name": "abscissa of the centre of the front wheel"}
    over = labelled(curves, ["station"]).assign_coords(station=("station", s, meaning))
    return over.merge(labelled(numbers))


def driven(
    factory: SimulationFactory,
    engine: str,
    speed: float,
    places: tuple[float, float, float],
    ramp: float,
    time_step: float,
) -> list[list[float]]:
    """Places [m], wheel torques [N m] and angles [rad] of rear and front leg, row by row.

    places: of the front wheel at the start, and between which rows are wanted [m]; ramp [s]: in
    which the speed is reached; time_step [s]: of the engine. Raises RunError where it does not
    come so far.
    """
    start, begin, end = places
    duration = (end - start) / speed + ramp + _SETTLES
    values = {"controller.speed": speed, "duration": duration, "time_step": time_step}
    simulation = factory.simulation(engine, values)
    context, system = simulation.context, simulation.system
    parameters, of = parameters_of(context.model, context.contacts), rows_of(context.model)
    names = [actuator.joint().name() for actuator in actuators_of(context.model.plant)]
    wheel, s, found = names.index(_AXLE), start, []
    for row in simulation.rows(context.initial_state):
        q = row.state[of]
        s = float(wheel_centres(parameters, q)[1].real)
        if s >= begin:
            root = system.GetMyContextFromRoot(simulation.simulator.get_context())
            torque = float(system.GetInputPort(ACTUATION).Eval(root)[wheel])
            found.append([s, torque, float(q[3]), float(q[5])])
        if s > end:
            return np.transpose(found).tolist()
    raise RunError(
        f"{engine}: at {speed:g} m/s the front wheel comes to {s:.3g} m, not to {end:g} m: it "
        "slips or is stopped; give more friction, or analysis.end nearer"
    )


def shares(data: xr.Dataset) -> xr.Dataset:
    """Distances as shares of the largest balance, and the orders in which they fall with the speed.

    An order is that of the rms distance, from each speed to the next lower one.
    """
    if _SPEED not in data["rms_distance"].dims:
        return xr.Dataset()
    data = data.sortby(_SPEED, ascending=False)
    peak = float(abs(data["balance"]).max())
    rms = data["rms_distance"]
    ratios = data[_SPEED].to_numpy()[:-1] / data[_SPEED].to_numpy()[1:]
    values = rms.transpose(..., _SPEED).to_numpy()
    orders = np.full_like(values, np.nan)
    orders[..., 1:] = np.log(values[..., :-1] / values[..., 1:]) / np.log(ratios)
    order = rms.transpose(..., _SPEED).copy(data=orders)
    about = "order of the rms distance in the speed, from the next higher one"
    found = {
        "largest_share": (data["largest_distance"] / peak, "over the largest balance"),
        "rms_share": (rms / peak, "over the largest balance"),
        "order": (order, about),
    }
    return xr.Dataset(
        {
            name: one.assign_attrs(units="1", long_name=meaning)
            for name, (one, meaning) in found.items()
        }
    )
