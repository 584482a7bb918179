"""Rows of the vehicle in quasi-static balance: its coordinates, and what the ground gives it."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.errors import ScenarioError
from footfall.machines.ugv.closed_form.energy import rates
from footfall.machines.ugv.closed_form.forces import Forces, forces
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import VehiclePose, body_positions
from footfall.machines.ugv.facets import GROUND
from footfall.machines.ugv.model import WHEELS, rows_of, wheel_contacts
from footfall.plants.contacts import ContactSet
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Trajectory, trajectory_from_arrays
from footfall_controllers.wheel_leg_drive import JOINTS

Complex = npt.NDArray[np.complex128]
Indices = npt.NDArray[np.intp]


class StateHistory(NamedTuple):
    """Coordinates and velocities (7, N) in the order of COORDINATES [m, rad, m/s, rad/s]."""

    q: Array
    v: Array


class EnergyHistory(NamedTuple):
    """Potential energy, and work of all motors since the start [J], (N,) each."""

    potential: Array
    work: Array


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
) -> StateHistory:
    """The motion through poses (N,) whose wheels have rolled from the first one on.

    speed [m/s]: of the wheels' rims, the mean of both; slopes [rad/m]: of the legs' angles by the
    place of the front wheel.
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
    return StateHistory(np.array(q), np.array(v))


def trajectory(
    context: MachineContext,
    parameters: UgvParameters,
    time: Array,
    at: VehiclePose,
    motion: StateHistory,
    energy: EnergyHistory,
    failure: str = "",
) -> Trajectory:
    """The traversal as a trajectory; failure: why it ended before its time, if it did."""
    plant, of = context.model.plant, forces(parameters, at)
    order = rows_of(context.model)
    q, v = np.zeros((2, len(time), len(order)))
    q[:, order], v[:, order] = motion.q.T, motion.v.T
    efforts = dict(zip(JOINTS, (of.leg_r, of.torque, of.leg_f, of.torque), strict=True))
    layout = layout_of(plant, context.contacts)
    torques = np.array([efforts[name.rpartition("::")[2]] for name in layout.actuator])
    return trajectory_from_arrays(
        layout,
        time,
        q=q,
        v=v,
        actuation=torques.T,
        kinetic_energy=0.0,
        potential_energy=energy.potential,
        actuator_work=energy.work,
        contact_work=0.0,
        damping_work=0.0,
        constraint_work=0.0,
        energy_gain=0.0,
        energy_residual=energy.potential - energy.potential[0] - energy.work,
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
