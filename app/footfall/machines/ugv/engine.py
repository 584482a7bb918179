"""The vehicle's own engine: its traversal in quasi-static balance, as slow as its drive rolls it.

The wheels roll, on the mean of both, as the drive wants them to, the legs have the angles of its
table, and nothing has inertia: no kinetic energy, no impacts. The traversal ends where the vehicle
would slip, lift a wheel, or sit on the ground; what was passed until then is kept. A row has its
coordinates, and what the ground gives it.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.interpolate import PchipInterpolator

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.errors import ModelError, ScenarioError
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import Forces, forces, friction_at, rates, verdict
from footfall.machines.ugv.closed_form.position import (
    Complex,
    UgvParameters,
    VehiclePose,
    base,
    body_positions,
    pose,
)
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.machines.ugv.closed_form.traversal import traversal
from footfall.machines.ugv.ground import track_of
from footfall.machines.ugv.model import (
    WHEELS,
    WheelLegDrive,
    parameters_of,
    rows_of,
    wheel_centres,
    wheel_contacts,
)
from footfall.machines.ugv.track_models import GROUND
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import joint_damping
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.stance.trajectory import sample_times
from footfall.trajectory import Trajectory, trajectory_from_arrays
from footfall_controllers.wheel_leg_drive import JOINTS, WheelLegDriveParameters


class TouchHistory(NamedTuple):
    """Touching points of the rear and the front wheel, (2, N).

    place x + 1j z [m], normal 1 along it; contact: its number among the names; friction: the
    coefficient there.
    """

    point: Complex
    normal: Complex
    contact: Indices
    friction: Array


def touch_history(parameters: UgvParameters, contacts: ContactSet, at: VehiclePose) -> TouchHistory:
    """Contacts of the wheels; raises ScenarioError where there is more than one track."""
    normal = 1j * np.exp(1j * np.array([at.rear.beta, at.front.beta]))
    centre = np.array([at.rear.s + 1j * at.rear.z, at.front.s + 1j * at.front.z])
    point = centre - parameters.r * normal
    numbers = []
    for wheel, names in zip(WHEELS, wheel_contacts(contacts), strict=True):
        tracks = [name for name in names if name != wheel]
        if len(tracks) > 1:
            raise ScenarioError(
                f"engine {CLOSED_FORM}: it knows one track beside the ground, this model has "
                f"{', '.join(tracks)}: make them one, or choose moreau or drake."
            )
        numbers.append([contacts.names.index(name) for name in (wheel, *tracks)])
    on_track = point.imag > 0.5 * GROUND
    contact = np.array(
        [np.where(on, rows[-1], rows[0]) for on, rows in zip(on_track, numbers, strict=True)]
    )
    first = [int(np.argmax(contacts.reported_as == k)) for k in range(len(contacts.names))]
    return TouchHistory(point, normal, contact, contacts.mu_static[first][contact])


def state_history(
    parameters: UgvParameters, at: VehiclePose, speed: Array, slopes: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Coordinates and velocities (7, N) in the order of COORDINATES [m, rad, m/s, rad/s].

    Those of the motion through poses (N,) whose wheels have rolled from the first one on. speed
    [m/s]: of the wheels' rims, the mean of both; slopes [rad/m]: of the legs' angles by the place
    of the front wheel.
    """
    given, by = parameters, rates(parameters, at)
    psi_s, theta_r, theta_f = (
        rate[0] + rate[1] * slopes[0] + rate[2] * slopes[1]
        for rate in (by.psi, by.theta_r, by.theta_f)
    )
    # by the place of the front wheel: what both wheels roll [rad]
    rolled_r, rolled_f = theta_r - psi_s + slopes[0], theta_f - psi_s - slopes[1]
    s_rate = speed / (0.5 * given.r * (rolled_r + rolled_f))
    psi_rate, rear_rate, front_rate = (rate * s_rate for rate in (psi_s, *slopes))
    u, middle = np.exp(1j * at.psi), body_positions(parameters, at).body
    # the middle between the hips from the rear wheel, which its leg moves as well
    arm = u * (0.5 * given.L - given.l * np.exp(-1j * at.phi_r))
    own = u * 1j * given.l * np.exp(-1j * at.phi_r)
    wheel = given.r * rolled_r * s_rate * np.exp(1j * at.rear.beta)
    moved = wheel + 1j * psi_rate * arm + own * rear_rate
    turned_r, turned_f = ((arc - arc[0]) / given.r for arc in (at.rear.arc, at.front.arc))
    q = (
        *(middle.real, middle.imag, at.psi),
        *(at.phi_r, turned_r + at.psi - at.phi_r),
        *(at.phi_f, turned_f + at.psi + at.phi_f),
    )
    v = (
        *(moved.real, moved.imag, psi_rate),
        *(rear_rate, theta_r * s_rate),
        *(front_rate, theta_f * s_rate),
    )
    return np.array(q), np.array(v)


def trajectory(
    context: MachineContext,
    parameters: UgvParameters,
    time: Array,
    at: VehiclePose,
    motion: tuple[Array, Array],
    energy: tuple[Array, Array],
    failure: str = "",
) -> Trajectory:
    """The traversal as a trajectory.

    motion: as of `state_history`. energy (N,) each: potential, and work of all motors since the
    start [J]. failure: why it ended before its time, if it did.
    """
    plant, of = context.model.plant, forces(parameters, at)
    order = rows_of(context.model)
    q, v = np.zeros((2, len(time), len(order)))
    q[:, order], v[:, order] = (columns.T for columns in motion)
    potential, work = energy
    efforts = dict(zip(JOINTS, (of.leg_r, of.torque, of.leg_f, of.torque), strict=True))
    layout = layout_of(plant, context.contacts)
    torques = np.array([efforts[name] for name in layout.actuator])
    return trajectory_from_arrays(
        layout,
        time,
        q=q,
        v=v,
        actuation=torques.T,
        kinetic_energy=0.0,
        potential_energy=potential,
        actuator_work=work,
        contact_work=0.0,
        damping_work=0.0,
        constraint_work=0.0,
        energy_gain=0.0,
        energy_residual=potential - potential[0] - work,
        **_contact_columns(context, parameters, time, at, of),
        failure=failure,
        attributes={"engine": CLOSED_FORM},
    )


def _contact_columns(
    context: MachineContext, parameters: UgvParameters, time: Array, at: VehiclePose, of: Forces
) -> dict[str, Array | npt.NDArray[np.int8]]:
    """Columns of a trajectory that tell of the contacts; what is not known is NaN."""
    contacts = context.contacts
    shape = (len(time), len(contacts.names), 3)
    impulse = np.zeros(shape)
    mode = np.full(shape[:2], int(Mode.OPEN), dtype=np.int8)
    gap, point, normal = _above_ground(contacts, parameters, at)
    touches = touch_history(parameters, contacts, at)
    rows, step = np.arange(len(time)), np.diff(time, prepend=time[:1])
    for wheel, force in enumerate((of.normal_r, of.normal_f)):
        here = rows, touches.contact[wheel]
        impulse[*here, 0], impulse[*here, 1] = force * step, of.friction * step
        point[here], normal[here] = _xyz(touches.point[wheel]), _xyz(touches.normal[wheel])
        gap[here], mode[here] = 0.0, int(Mode.STICK)
    return {
        "impulse": impulse,
        "contact_velocity": np.zeros(shape),
        "gap": gap,
        "contact_point": point,
        "contact_normal": normal,
        "mode": mode,
        "dissipation": np.zeros(shape[:2]),
    }


def _above_ground(
    contacts: ContactSet, parameters: UgvParameters, at: VehiclePose
) -> tuple[Array, Array, Array]:
    """Gaps [m], points [m] and normals of wheels and belly over the level ground; else NaN."""
    rows, names = len(at.psi), contacts.names
    gap = np.full((rows, len(names)), np.nan)
    point, normal = np.full((2, rows, len(names), 3), np.nan)
    where = body_positions(parameters, at)
    axes = {WHEELS[0]: where.wheel_r, WHEELS[1]: where.wheel_f}
    for shape in contacts.ground:
        name = names[contacts.reported_as[shape.first]]
        x = float(shape.points.fixed[0, 0])
        middle = axes.get(name, where.body + x * np.exp(1j * at.psi))
        height, k = middle.imag - shape.points.radius, names.index(name)
        gap[:, k] = height
        point[:, k] = _xyz(middle.real + 1j * height)
        normal[:, k] = (0.0, 0.0, 1.0)
    return gap, point, normal


def _xyz(value: Complex) -> Array:
    """Vectors x + 1j z in space, (..., 3)."""
    return np.stack((value.real, 0.0 * value.real, value.imag), axis=-1)


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
    low, high, wheelbase = _reach(drive, rolled)
    curve = _made(drive.track, drive.parameters.r, low - wheelbase, high)
    s, failure = _front_wheel_positions(drive, curve, high if rolled[-1] >= 0.0 else low, rolled)
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
    track, law = track_of(context.model), control
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
    given_places = [front.imag, rear.real, rear.imag, q[3], q[5]]
    if not np.abs(np.subtract(wanted, given_places)).max() < _NEAR or np.abs(v).max() > _STILL:
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


def _reach(drive: Drive, rolled: Array) -> tuple[float, float, float]:
    """Lowest and highest place of the front wheel, and the longest wheelbase [m].

    rolled (N,): how far the wheels' rims have rolled, the mean of both [m].
    """
    given = drive.parameters
    angles = drive.law.plan.angles.T
    bases = np.abs(base(given, angles[0], angles[1]))
    # angles stay between those of their stations, the wheelbase of two angles may go beyond
    between = 0.25 * given.l * (len(bases) > 1)
    longest = min(float(bases.max()) + between, given.L + 2.0 * given.l)
    slack = _MARGIN + 0.5 * float(np.ptp(bases)) + between
    low, high = drive.s + float(rolled.min()) - slack, drive.s + float(rolled.max()) + slack
    return low, high, longest + _MARGIN


def _angles(drive: Drive, s: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Angles of the rear and the front leg [rad] at places (N,), and their rates [rad/m]."""
    plan = drive.law.plan
    rows = np.array([np.ravel(plan.at(float(x))) for x in s]).reshape(-1, 4).T
    return (rows[0], rows[1]), (rows[2], rows[3])


def _front_wheel_positions(
    drive: Drive, curve: CentreCurve, end: float, rolled: Array
) -> tuple[Array, str]:
    """Abscissas of the front wheel's centre up to an end [m], and why there are no more."""
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


def _energy(drive: Drive, curve: CentreCurve, s: Array) -> tuple[Array, Array]:
    """Potential energy, and work of all motors up to every row."""
    stations = np.unique(s)
    if len(stations) == 1:  # it stands
        stations = np.array([s[0] - _MARGIN * _GRID, s[0]])
    try:
        passed = traversal(drive.parameters, curve, stations, *_angles(drive, stations)[0])
    except ValueError as error:
        raise ScenarioError(f"engine {CLOSED_FORM}: {error}.") from error
    done = passed.works.wheels + passed.works.leg_r + passed.works.leg_f
    potential, work = (np.interp(s, passed.s, column) for column in (passed.potential, done))
    return potential, work - work[0]
