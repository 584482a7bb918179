"""Metrics of a walk, on held feet or on ground that only pushes, from any engine's trajectory."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array, Flags
from footfall.control.whole_body import foot_loads
from footfall.machines.humanoid.closed_form.phases import SIDES, GaitPhase
from footfall.machines.humanoid.ground_forces import Audit, audit
from footfall.machines.humanoid.ground_walk import FEET, GroundWalk
from footfall.machines.humanoid.model import (
    heels,
    parameters_of,
    support,
    tracked_points,
    trunk_centre,
    trunk_joint,
)
from footfall.machines.humanoid.record import walk_variables, wanted_points
from footfall.metrics import Metric
from footfall.plants.reactions import JOINT_REACTION, UNEXPLAINED
from footfall.plants.support_motions import CUT
from footfall.plants.supports import SupportRows
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics
from footfall.trajectory import Trajectory
from footfall_controllers.tracked_points import TrackedPoints
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
    p = parameters_of(context.model).numbers()
    selector, path = law.gait.references(plant, p)
    points = TrackedPoints(plant, tracked_points(p))
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
        tracked.append(points.positions(own)[[0, 1, 3 - phase.side]])
        wanted.append(wanted_points(not phase.is_double, now))
    return walk_variables(phases, np.array(wanted), np.array(tracked))


def ground_measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """Metrics of a walk whose feet nothing holds; supports are told by its contacts."""
    data = trajectory.data
    metrics = tracking_errors(data)
    if "foot_contact" not in data or data.sizes["foot"] != 2:
        return metrics
    bears: Flags = data["foot_contact"].to_numpy().astype(np.bool_)
    time, torque = data["time"].to_numpy(), data["actuation"].to_numpy()
    force = data["foot_normal_force"].to_numpy()
    double = bears[:, 0] & bears[:, 1]
    # torques that are still held of the support before are not of this one
    change = np.diff(double, prepend=double[0])
    late = time - np.maximum.accumulate(np.where(change, time, time[0])) > _HELD
    # from the second step on, in which both feet have been alone
    begins = np.flatnonzero(double[1:] & ~double[:-1]) + 1
    metrics["landings"] = float(len(begins))
    if len(begins) < 3:
        return metrics
    walking = slice(begins[1], begins[-1])
    alone = bears[:, 0] ^ bears[:, 1]
    metrics |= _by_support(
        torque[walking], single=(alone & late)[walking], double=(double & late)[walking]
    )
    behind = [
        force[start:end][double[start:end]][:, int(force[start - 1, 0] < force[start - 1, 1])]
        for start, end in pairwise(begins[1:])
    ]
    both = [force[start:end][double[start:end]].sum() for start, end in pairwise(begins[1:])]
    metrics["load_behind"] = float(sum(each.sum() for each in behind) / sum(both))
    across = _across(data, context)[begins[-3] : begins[-1]]  # about the line of the last two steps
    metrics["sway_G1"] = float(
        0.5 * np.ptp(across - np.linspace(across[0], across[-1], len(across)))
    )
    return metrics


def tracking_errors(data: xr.Dataset) -> dict[str, Metric]:
    """Distances of O1, G1 and heel from their references, or what their tasks lack a horizon on."""
    metrics: dict[str, Metric] = {}
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
        return metrics
    for name, distance in distances.items():
        if np.isfinite(distance).any():
            metrics[f"error_{name}"] = float(np.nanmax(distance))
    if "O1" in distances:
        metrics["rms_error_O1"] = float(np.sqrt(np.nanmean(distances["O1"] ** 2)))
    return metrics


def _across(data: xr.Dataset, context: MachineContext) -> Array:
    """Place of G1 across, (N,) [m], of a trunk that is free in the world."""
    above = trunk_centre(context.model.plant)
    w, x, y, z = data["q"].to_numpy()[:, :4].T
    across: Array = data["q"].to_numpy()[:, 5] + 2.0 * above * (y * z - w * x)
    return across


METRICS = read_metrics(__package__)


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The walk's own metrics, in SI; METRICS says what they are.

    Runs of engines with contacts, whose feet nothing holds, have those of `on_ground`.
    """
    data = trajectory.data
    plant = context.model.plant
    at = trunk_joint(plant).position_start() + 4
    trunk = data["q"].to_numpy()[:, at : at + 3]
    metrics: dict[str, Metric] = {"progress": float(trunk[-1, 0] - trunk[0, 0])}
    if "reaction" not in data or len(data["time"]) < 3:
        return metrics | ground_measures(trajectory, context)
    time, phase = data["time"].to_numpy(), data["gait_phase"].to_numpy()
    begins = cycle_begins(phase)
    metrics["cycles"] = float(max(len(begins) - 1, 0))
    last = slice(begins[-2], begins[-1]) if len(begins) > 1 else slice(0, len(time))
    if len(begins) > 1:
        metrics["cycle_time"] = float(time[begins[-1]] - time[begins[-2]])
        metrics["step_progress"] = float(0.5 * (trunk[begins[-1], 0] - trunk[begins[-2], 0]))
    metrics |= tracking_errors(data)
    sideways = data["tracked_point"].to_numpy()[last, 1, 1]
    metrics["sway_G1"] = float(0.5 * np.ptp(sideways))
    if len(begins) > 2:
        metrics["two_cycles_time"] = float(time[begins[2]] - time[begins[0]])
        for k, name in enumerate(("first", "second")):
            torque = data["actuation"].to_numpy()[begins[k] : begins[k + 1]]
            metrics[f"{name}_cycle_torque"] = float(np.abs(torque).max())
    metrics |= _speeds(time[last], trunk[last, 0], phase[last])
    metrics |= _torques(trajectory, context, last, phase)
    metrics |= _feet(trajectory, context, last, phase)
    metrics |= _loop(trajectory, context)
    metrics |= _joints(data)
    return metrics | _audited(audit(trajectory, context))


def cycle_begins(phase: npt.NDArray[np.generic]) -> npt.NDArray[np.intp]:
    """Rows in which gait cycles begin, with the left foot flat in double support."""
    changes = np.diff(phase, prepend=-1) != 0
    return np.flatnonzero((phase == GaitPhase.LEFT_DOUBLE) & changes)


def _speeds(time: Array, ahead: Array, phase: Array) -> dict[str, Metric]:
    """Mean speeds of the trunk over the steps of each kind of support."""
    metrics: dict[str, Metric] = {}
    for name, parity in (("single", 1), ("double", 0)):
        steps = phase[:-1] % 2 == parity
        if steps.any():
            metrics[f"speed_{name}"] = float(
                np.diff(ahead)[steps].sum() / np.diff(time)[steps].sum()
            )
    return metrics


def _torques(
    trajectory: Trajectory, context: MachineContext, last: slice, phase: Array
) -> dict[str, Metric]:
    data, plant = trajectory.data, context.model.plant
    torque = data["actuation"].to_numpy()
    rate = data["v"].to_numpy() @ plant.MakeActuationMatrix()
    single = phase[last] % 2 == 1
    cycle = torque[last]
    metrics: dict[str, Metric] = {
        "largest_joint_torque": float(np.abs(cycle).max()),
        "peak_power": float(np.abs(cycle * rate[last]).max()),
        "net_work": float(data["actuator_work"].to_numpy()[-1]),
    }
    steps = np.diff(data["time"].to_numpy()[last.start : last.stop + 1])
    driving = np.maximum(cycle * rate[last], 0.0).sum(axis=1)
    metrics["cycle_work"] = float(steps @ driving[: len(steps)])
    metrics |= _by_support(cycle, single=single, double=~single)
    time = data["time"].to_numpy()
    ends = rate[1:].copy()  # of steps; the row that follows the last one of a phase is after it
    rows = np.searchsorted(time, data["change_time"].to_numpy())
    within = (rows > 0) & (rows < len(time))  # neither at the start nor what ended the walk
    ends[rows[within] - 1] = data["change_v"].to_numpy()[within] @ plant.MakeActuationMatrix()
    change = np.abs(ends - rate[:-1]).max(axis=1) / np.diff(time)
    metrics["peak_acceleration"] = float(change.max())
    return metrics


def _by_support(torque: Array, **rows: Flags) -> dict[str, Metric]:
    """Largest torque and root mean square of all in the rows of each support."""
    metrics: dict[str, Metric] = {}
    for name, of_support in rows.items():
        if of_support.any():
            taken = torque[of_support]
            metrics[f"peak_torque_{name}"] = float(np.abs(taken).max())
            metrics[f"rms_torque_{name}"] = float(np.sqrt(np.mean(taken**2)))
    return metrics


def hinge_loads(data: xr.Dataset) -> tuple[Array, Array]:
    """Force in every hinge, and moment across its axis, (N, 12) each [N], [N m].

    Along the axis acts the motor, across it what holds the hinge: of a hip the hinge of its roll
    has the torque of the pitch as well.
    """
    carried = data[JOINT_REACTION].to_numpy()
    moment = carried[:, :, :3].copy()
    for k, name in enumerate(data["joint"].values.tolist()):
        moment[:, k, 0 if name.endswith("roll") else 1] = 0.0
    return np.linalg.norm(carried[:, :, 3:], axis=2), np.linalg.norm(moment, axis=2)


def _joints(data: xr.Dataset) -> dict[str, Metric]:
    """Largest reactions by kind of joint, whole walk."""
    metrics: dict[str, Metric] = {"reaction_residual": float(data[UNEXPLAINED].max())}
    kinds = np.array([name.split("_")[1] for name in data["joint"].values.tolist()])
    for name, values in zip(("force", "moment"), hinge_loads(data), strict=True):
        for kind in ("hip", "knee", "ankle", "toe"):
            metrics[f"{kind}_{name}"] = float(values[:, kinds == kind].max())
    return metrics


def _loop(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """Loop of double support: errors, as accelerations alone close it, and its rank."""
    data, plant = trajectory.data, context.model.plant
    phase = data["gait_phase"].to_numpy()
    double = np.flatnonzero(phase % 2 == 0)
    if len(double) == 0:
        return {}
    own, q = plant.CreateDefaultContext(), data["q"].to_numpy()
    places = data["reaction_place"].to_numpy()[:, 1]
    supports = {k: SupportRows(plant, support(k)) for k in GaitPhase if k.is_double}
    gaps, tilts, deficient = [], [], 0
    for row in double:
        plant.SetPositions(own, q[row])
        of_row = GaitPhase(phase[row])
        _, values, _ = np.linalg.svd(supports[of_row].jacobian(own))
        deficient += bool(values[-1] < CUT)
        side = SIDES[1 - of_row.side]
        X_WT = plant.EvalBodyPoseInWorld(own, plant.GetBodyByName(f"{side}_toe"))
        gaps.append(float(np.linalg.norm(X_WT.translation() - places[row])))
        tilts.append(abs(float(X_WT.rotation().ToAngleAxis().angle())))
    return {
        "toe_gap": max(gaps),
        "toe_tilt": max(tilts),
        "rank_deficient": deficient / len(double),
    }


def _feet(
    trajectory: Trajectory, context: MachineContext, last: slice, phase: Array
) -> dict[str, Metric]:
    data = trajectory.data
    ahead, _, heel = data["tracked_point"].to_numpy()[:, 2].T
    metrics: dict[str, Metric] = {}
    single = phase[last] % 2 == 1
    if single.any():
        metrics["lift"] = float(heel[last][single].max())
    offs = np.flatnonzero((phase[1:] % 2 == 1) & (phase[:-1] % 2 == 0)) + 1
    if len(offs):
        metrics["heel_rise"] = float(heel[offs[-1]])
    landed = np.flatnonzero(data["change_phase"].to_numpy() % 2 == 0)
    if len(landed):
        places, speeds = _landings(trajectory, context, landed)
        metrics["landing_speed"] = float(-speeds[:, 2].min())
        before = offs[data["time"].to_numpy()[offs] < float(data["change_time"][landed[-1]])]
        if len(before):
            metrics["heel_travel"] = float(places[-1, 0] - ahead[before[-1]])
    return metrics | _changes(trajectory)


def _landings(
    trajectory: Trajectory, context: MachineContext, landed: npt.NDArray[np.intp]
) -> tuple[Array, Array]:
    """Places and velocities (n, 3) of the heels that land, at the ends of single supports."""
    changes, plant = trajectory.data.isel(phase_change=landed), context.model.plant
    own = plant.CreateDefaultContext()
    points = TrackedPoints(plant, heels(parameters_of(context.model).numbers()))
    places, speeds = [], []
    states = (changes[name].to_numpy() for name in ("change_phase", "change_q", "change_v"))
    for phase, q, v in zip(*states, strict=True):
        plant.SetPositionsAndVelocities(own, np.append(q, v))
        side = GaitPhase(int(phase)).side
        places.append(points.positions(own)[side])
        speeds.append(points.jacobian(own)[side] @ v)
    return np.array(places), np.array(speeds)


def _changes(trajectory: Trajectory) -> dict[str, Metric]:
    """Jumps at touch-downs and toe-offs."""
    data = trajectory.data
    landed = data["change_phase"].to_numpy() % 2 == 0
    angles = np.abs(data["change_angles"].to_numpy())
    metrics: dict[str, Metric] = {}
    if landed.any():
        metrics["touch_down_energy"] = float(np.abs(data["change_energy"].to_numpy()[landed]).max())
        metrics["touch_down_angle"] = float(angles[landed].max())
    if (~landed).any():
        legs = [not str(name).endswith("toe") for name in data["joint"].to_numpy()]
        metrics["toe_off_angle"] = float(angles[~landed][:, legs].max())
    return metrics


def _audited(demands: Audit) -> dict[str, Metric]:
    on = np.isfinite(demands.force[:, :, 2])
    double = demands.force[on.all(axis=1), :, 2]
    metrics: dict[str, Metric] = {
        "least_pressure": float(np.nanmin(demands.force[:, :, 2])),
        "friction_needed": float(np.nanmax(np.where(on, demands.friction, np.nan))),
        "pressure_outside": float(demands.outside.any(axis=1).mean()),
        "feasible": float(demands.possible.mean()),
        "toe_hold": float(demands.toe_hold[demands.possible].max(initial=0.0)),
    }
    if len(double):
        metrics["load_behind"] = float(double[:, 1].sum() / double.sum())
    return metrics
