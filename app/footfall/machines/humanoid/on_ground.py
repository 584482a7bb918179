"""Walks on feet that nothing holds: references of the points that are tracked, and metrics."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.control.whole_body import foot_loads
from footfall.machines.humanoid.ground_walk import FEET, GroundWalk
from footfall.machines.humanoid.model import TRUNK, parameters_of, trunk_centre
from footfall.machines.humanoid.record import walk_variables, wanted_points
from footfall.machines.humanoid.supports import heels
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.trajectory import Trajectory
from footfall_controllers.tracked_points import TrackedPoint, TrackedPoints
from footfall_controllers.walking.predicted_points import ABOVE
from footfall_controllers.walking.predicted_points import TRUNK as ORIGIN

_HELD = 0.01  # s: longer than between two ticks of a controller
_TASKS = {"O1": ORIGIN, "G1": ABOVE}


def references(trajectory: Trajectory, context: MachineContext) -> xr.Dataset:
    """Phases of a walk under !GroundWalk, and where its points were and were to be, row by row.

    The selector is asked again, at the states and the contacts of the rows. Nothing of others, nor
    of rows that have several steps each.
    """
    law, data = context.controller, trajectory.data
    time = data["time"].to_numpy()
    every = len(time) > 1 and np.diff(time).max() < 1.5 * context.time_step
    if not (isinstance(law, GroundWalk) and every):
        return xr.Dataset()
    plant, own = context.model.plant, context.model.plant.CreateDefaultContext()
    p = parameters_of(context.model, context.contacts).numbers()
    selector, path = law.gait.references(plant, p)
    G1 = TrackedPoint(TRUNK, (0.0, 0.0, p.c1))
    points = TrackedPoints(plant, (TrackedPoint(TRUNK), G1, *heels(p)))
    states = np.hstack([data["q"].to_numpy(), data["v"].to_numpy()])
    loads = (
        data["impulse"].to_numpy().reshape(len(time), -1)
        @ foot_loads(plant, context.contacts, FEET).T
    )
    least = None if law.contact_load is None else law.contact_load * context.time_step
    phase, begin = law.gait.first_phase, 0
    phases, tracked, wanted = np.empty(len(time)), [], []
    for k, state in enumerate(states):
        felt = None if least is None else bool(loads[k, 1 - phase.side] > least)
        if selector.guard(state, phase, felt) <= 0.0:
            phase, begin = phase.following, k
        phases[k] = phase
        now = path.reference(phase, time[k] - time[begin], states[begin])[0]
        plant.SetPositionsAndVelocities(own, state)
        O1, G1_now, *both = points.positions(own)
        tracked.append((O1, G1_now, both[1 - phase.side]))
        wanted.append(wanted_points(not phase.is_double, now))
    return walk_variables(phases, np.array(wanted), np.array(tracked))


def ground_measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """Metrics of a walk whose feet nothing holds; supports are told by its contacts."""
    data = trajectory.data
    found = tracking_errors(data)
    if "foot_contact" not in data or data.sizes["foot"] != 2:
        return found
    bears: npt.NDArray[np.bool_] = data["foot_contact"].to_numpy().astype(np.bool_)
    time, torque = data["time"].to_numpy(), data["actuation"].to_numpy()
    force = data["foot_normal_force"].to_numpy()
    double = bears[:, 0] & bears[:, 1]
    # torques that are still held of the support before are not of this one
    change = np.diff(double, prepend=double[0])
    late = time - np.maximum.accumulate(np.where(change, time, time[0])) > _HELD
    # from the second step on, in which both feet have been alone
    begins = np.flatnonzero(double[1:] & ~double[:-1]) + 1
    found["landings"] = float(len(begins))
    if len(begins) < 3:
        return found
    walking = slice(begins[1], begins[-1])
    for name, rows in (("single", bears[:, 0] ^ bears[:, 1]), ("double", double)):
        taken = torque[walking][(rows & late)[walking]]
        if len(taken):
            found[f"peak_torque_{name}"] = float(np.abs(taken).max())
            found[f"rms_torque_{name}"] = float(np.sqrt(np.mean(taken**2)))
    behind = [
        force[start:end][double[start:end]][:, int(force[start - 1, 0] < force[start - 1, 1])]
        for start, end in pairwise(begins[1:])
    ]
    both = [force[start:end][double[start:end]].sum() for start, end in pairwise(begins[1:])]
    found["load_behind"] = float(sum(each.sum() for each in behind) / sum(both))
    across = _across(data, context)[begins[-3] : begins[-1]]  # about the line of the last two steps
    found["sway_G1"] = float(0.5 * np.ptp(across - np.linspace(across[0], across[-1], len(across))))
    return found


def tracking_errors(data: xr.Dataset) -> dict[str, Metric]:
    """Distances of O1, G1 and heel from their references, or what their tasks lack a horizon on."""
    found: dict[str, Metric] = {}
    if "wanted_point" in data:
        off = data["tracked_point"].to_numpy() - data["wanted_point"].to_numpy()
        distances = dict(zip(("O1", "G1", "heel"), np.linalg.norm(off, axis=2).T, strict=True))
    elif "control_error" in data:
        tasks = data["control_task"].to_numpy()
        error = data["control_error"].to_numpy()
        distances = {
            name: error[:, tasks == task][:, 0] for name, task in _TASKS.items() if task in tasks
        }
    else:
        return found
    for name, distance in distances.items():
        if np.isfinite(distance).any():
            found[f"error_{name}"] = float(np.nanmax(distance))
    if "O1" in distances:
        found["rms_error_O1"] = float(np.sqrt(np.nanmean(distances["O1"] ** 2)))
    return found


def _across(data: xr.Dataset, context: MachineContext) -> Array:
    """Place of G1 across, (N,) [m], of a trunk that is free in the world."""
    above = trunk_centre(context.model.plant)
    w, x, y, z = data["q"].to_numpy()[:, :4].T
    across: Array = data["q"].to_numpy()[:, 5] + 2.0 * above * (y * z - w * x)
    return across
