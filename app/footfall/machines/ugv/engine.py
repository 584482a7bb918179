"""The vehicle's own engine: its traversal in quasi-static balance, as slow as its drive rolls it.

The wheels roll, on the mean of both, as the drive wants them to, the legs have the angles of its
table, and nothing has inertia: no kinetic energy, no impacts. The traversal ends where the vehicle
would slip, lift a wheel, or sit on the ground; what was passed until then is kept.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.interpolate import PchipInterpolator

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.criteria import friction_at, verdict
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import VehiclePose, base, pose
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.machines.ugv.closed_form.traversal import traversal
from footfall.machines.ugv.control import WheelLegDrive
from footfall.machines.ugv.ground import track_of
from footfall.machines.ugv.model import parameters_of, rows_of, wheel_centres
from footfall.machines.ugv.trajectory_adapter import (
    EnergyHistory,
    state_history,
    touch_history,
    trajectory,
)
from footfall.plants.coordinates import joint_damping
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.stance.sampling import sample_times
from footfall.trajectory import Trajectory
from footfall_controllers.wheel_leg_drive import WheelLegDriveParameters

_NEAR = 0.02  # m and rad: legs give way a little where the drive holds them
_STILL = 1e-6  # m/s, rad/s
_GRID = 1e-3  # m: of the table from the arc length rolled to the abscissa of the front wheel
_MARGIN = 0.01  # m: of the curve beyond what is needed
_FEWEST = 3  # places that make a curve
_WHEELS = ("rear", "front")


class Drive(NamedTuple):
    """Task of the closed form in a scenario; s: start of the front wheel's centre [m]."""

    parameters: UgvParameters
    track: Track
    law: WheelLegDriveParameters
    s: float


def closed_form(context: MachineContext) -> Trajectory:
    """Pass the model's track; raises ScenarioError or ModelError for what it does not know."""
    drive = _drive_of(context)
    step = context.time_step
    time = sample_times(0.0, round(context.duration / step) * step, step)
    rolled, speed = np.array([drive.law.wanted(t) for t in time.tolist()]).T
    reach = _reach(drive, rolled)
    low, high = reach.interval
    curve = _made(drive.track, drive.parameters.r, low - reach.wheelbase, high)
    s, failure = _front_wheel_positions(drive, curve, reach, rolled)
    at = pose(drive.parameters, curve, s, *_angles(drive, s)[0])
    last, failure = _end(context, drive, time, at, failure)
    s, (angles, slopes) = s[:last], _angles(drive, s[:last])
    at = pose(drive.parameters, curve, s, *angles)
    motion = state_history(drive.parameters, at, speed[:last], slopes)
    energy = _energy(drive, curve, s)
    return trajectory(context, drive.parameters, time[:last], at, motion, energy, failure)


def _drive_of(context: MachineContext) -> Drive:
    """Read a scenario."""
    parameters = parameters_of(context.model, context.contacts)
    besides = {
        "damped joints": joint_damping(context.model.plant).any(),
        "joint limits": len(context.contacts.limits) > 0,
        "dry friction in joints": len(context.contacts.frictions) > 0,
    }
    for what, there in besides.items():
        if there:
            raise ModelError(
                f"engine {CLOSED_FORM}: the vehicle in quasi-static balance has no {what}, but "
                "this model has: take them out, or choose moreau or drake."
            )
    control = context.controller
    if not isinstance(control, WheelLegDrive):
        raise ScenarioError(
            f"engine {CLOSED_FORM}: it knows the controller WheelLegDrive alone, which says how "
            "fast the vehicle goes and how its legs stand: take it, or choose moreau or drake."
        )
    track, law = track_of(context.model), control.law()
    return Drive(parameters, track, law, _start(context, parameters, track, law))


def _start(
    context: MachineContext, parameters: UgvParameters, track: Track, law: WheelLegDriveParameters
) -> float:
    """Place of the front wheel at the start [m], where the vehicle has to rest on its track."""
    rows, count = rows_of(context.model), context.model.plant.num_positions()
    q, v = context.initial_state[:count][rows], context.initial_state[count:][rows]
    rear, front = wheel_centres(parameters, q)
    s = float(front.real)
    angles, _ = law.plan.at(s)
    reach = float(np.abs(base(parameters, angles[0], angles[1])))
    curve = _made(track, parameters.r, s - reach - _MARGIN, s + _MARGIN)
    at = pose(parameters, curve, s, *angles)
    if np.isnan(at.psi):
        raise ScenarioError(
            f"engine {CLOSED_FORM}: with legs at {math.degrees(angles[0]):.4g} and "
            f"{math.degrees(angles[1]):.4g} degrees the wheels touch each other: open the legs."
        )
    wanted = [at.front.z, at.rear.s, at.rear.z, *angles]
    found = [front.imag, rear.real, rear.imag, q[3], q[5]]
    if not np.abs(np.subtract(wanted, found)).max() < _NEAR or np.abs(v).max() > _STILL:
        raise ScenarioError(
            f"engine {CLOSED_FORM}: at the start the vehicle does not rest on its track with its "
            "legs as the drive wants them: set initial.on_gait, or choose moreau or drake."
        )
    return s


def _made(track: Track, r: float, begin: float, end: float) -> CentreCurve:
    try:
        return CentreCurve(track, r, begin, end)
    except ValueError as error:
        raise ScenarioError(f"engine {CLOSED_FORM}: {error}.") from error


class Reach(NamedTuple):
    """Lowest and highest place of the front wheel [m], in the order of the way; the wheelbase."""

    interval: tuple[float, float]
    wheelbase: float


def _reach(drive: Drive, rolled: Array) -> Reach:
    """Bounds of where the wheels come to, which roll so far [m] on the mean of both."""
    given = drive.parameters
    angles = np.array([(at.rear, at.front) for at in drive.law.plan.stations]).T
    bases = np.abs(base(given, angles[0], angles[1]))
    # angles stay between those of their stations, the wheelbase of two angles may go beyond
    between = 0.25 * given.l * (len(bases) > 1)
    longest = min(float(bases.max()) + between, given.L + 2.0 * given.l)
    slack = _MARGIN + 0.5 * float(np.ptp(bases)) + between
    low, high = drive.s + float(rolled.min()) - slack, drive.s + float(rolled.max()) + slack
    return Reach((low, high), longest + _MARGIN)


def _angles(drive: Drive, s: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Angles of the rear and the front leg [rad] at places (N,), and their rates [rad/m]."""
    found = np.array([np.ravel(drive.law.plan.at(float(x))) for x in s]).reshape(-1, 4).T
    return (found[0], found[1]), (found[2], found[3])


def _front_wheel_positions(
    drive: Drive, curve: CentreCurve, reach: Reach, rolled: Array
) -> tuple[Array, str]:
    """Abscissas of the front wheel's centre [m], as far as there are any, and why they end.

    rolled (N,): how far the wheels' rims have rolled, the mean of both [m].
    """
    end = reach.interval[int(rolled[-1] >= 0.0)]
    grid = np.linspace(drive.s, end, max(_FEWEST, int(abs(end - drive.s) / _GRID)))
    at = pose(drive.parameters, curve, grid, *_angles(drive, grid)[0])
    travelled = 0.5 * (at.front.arc + at.rear.arc)
    travelled = np.abs(travelled - travelled[0])
    goes_on = np.diff(travelled) > 0.0
    count = len(grid) if goes_on.all() else 1 + int(np.argmin(goes_on))
    if count < _FEWEST:
        return np.full(1, drive.s), "the wheels would touch each other or roll back"
    table = PchipInterpolator(travelled[:count], grid[:count], extrapolate=False)
    s = np.asarray(table(np.abs(rolled)))
    known = np.isfinite(s)
    last = len(s) if known.all() else int(np.argmin(known))
    return s[:last], "" if known.all() else "the wheels would touch each other or roll back"


def _end(
    context: MachineContext, drive: Drive, time: Array, at: VehiclePose, failure: str
) -> tuple[int, str]:
    """Return how many rows there are, and why there are no more; at least one is kept."""
    of = forces(drive.parameters, at)
    judged = verdict(drive.parameters, drive.track, at, of, math.inf)
    normal = np.array([of.normal_r, of.normal_f])
    needs = friction_at(of.friction, normal)
    has = touch_history(drive.parameters, context.contacts, at).friction
    slips = (needs > has).any(axis=0) & ~judged.rolls_over
    stalls = np.abs(of.torque) > drive.law.limit
    faults = {
        "the vehicle has no place": ~judged.possible,
        "the vehicle rolls over": judged.rolls_over,
        "a wheel slips": slips,
        "body or legs sit on the ground": judged.bottoms,
        "the motors stall": stalls,
    }
    bad = np.any(list(faults.values()), axis=0)
    if not bad.any():
        where = f", with the front wheel at {at.front.s[-1]:.3f} m"
        return len(at.psi), f"{failure}{where}." if failure else ""
    k = int(bad.argmax())
    what = next(name for name, rows in faults.items() if rows[k])
    wheel = int(needs[:, k].argmax())
    reason = {
        "the vehicle rolls over": f": the ground would have to hold its {_WHEELS[wheel]} wheel",
        "a wheel slips": (
            f": the {_WHEELS[wheel]} one needs a friction of {needs[wheel, k]:.4g} and has "
            f"{has[wheel, k]:.4g}"
        ),
        "the motors stall": (
            f": each wheel needs {of.torque[k]:.4g} N m, the drive gives {drive.law.limit:g}"
        ),
    }
    when = f"at t = {time[k]:.3f} s, with the front wheel at {at.front.s[k]:.3f} m"
    return max(k, 1), f"{what} {when}{reason.get(what, '')}."


def _energy(drive: Drive, curve: CentreCurve, s: Array) -> EnergyHistory:
    """Potential energy, and work of all motors up to every row."""
    stations = np.unique(s)
    if len(stations) == 1:  # it stands
        stations = np.array([s[0] - _MARGIN * _GRID, s[0]])
    try:
        found = traversal(drive.parameters, curve, stations, *_angles(drive, stations)[0])
    except ValueError as error:
        raise ScenarioError(f"engine {CLOSED_FORM}: {error}.") from error
    done = found.works.wheels + found.works.leg_r + found.works.leg_f
    potential, work = (np.interp(s, found.s, column) for column in (found.potential, done))
    return EnergyHistory(potential, work - work[0])
