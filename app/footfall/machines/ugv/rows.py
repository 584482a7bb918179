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
from footfall.machines.ugv.closed_form.position import Pose, places
from footfall.machines.ugv.facets import GROUND
from footfall.machines.ugv.model import WHEELS, rows_of, wheel_contacts
from footfall.plants.contacts import ContactSet
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Event, Status, Trajectory, TrajectoryBuilder
from footfall_controllers.wheel_leg_drive import JOINTS

Complex = npt.NDArray[np.complex128]
Indices = npt.NDArray[np.intp]


class Motion(NamedTuple):
    """Coordinates and velocities (7, N) in the order of COORDINATES [m, rad, m/s, rad/s]."""

    q: Array
    v: Array


class Energy(NamedTuple):
    """Potential energy, and work of all motors since the start [J], (N,) each."""

    potential: Array
    work: Array


class Touches(NamedTuple):
    """Where the rear and the front wheel touch, (2, N).

    place x + 1j z [m], normal 1 along it; contact: its number among the names; friction: the
    coefficient there.
    """

    place: Complex
    normal: Complex
    contact: Indices
    friction: Array


def touches_of(parameters: UgvParameters, contacts: ContactSet, at: Pose) -> Touches:
    """Contacts of the wheels; raises ScenarioError where there is more than one track."""
    normal = 1j * np.exp(1j * np.array([at.rear.beta, at.front.beta]))
    centre = np.array([at.rear.s + 1j * at.rear.z, at.front.s + 1j * at.front.z])
    place = centre - parameters.r * normal
    numbers = []
    for wheel, names in zip(WHEELS, wheel_contacts(contacts), strict=True):
        tracks = [name for name in names if name != wheel]
        if len(tracks) > 1:
            message = (
                f"engine {CLOSED_FORM}: it knows one track beside the ground, this model has "
                f"{', '.join(tracks)}: make them one, or choose moreau or drake."
            )
            raise ScenarioError(message)
        numbers.append([contacts.names.index(name) for name in (wheel, *tracks)])
    on_track = place.imag > 0.5 * GROUND
    contact = np.array(
        [np.where(on, rows[-1], rows[0]) for on, rows in zip(on_track, numbers, strict=True)]
    )
    first = [int(np.argmax(contacts.reported_as == k)) for k in range(len(contacts.names))]
    return Touches(place, normal, contact, contacts.mu_static[first][contact])


def motion_of(
    parameters: UgvParameters, at: Pose, speed: Array, slopes: tuple[Array, Array]
) -> Motion:
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
    u, middle = np.exp(1j * at.psi), places(parameters, at).body
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
    return Motion(np.array(q), np.array(v))


def trajectory(
    context: MachineContext,
    parameters: UgvParameters,
    time: Array,
    at: Pose,
    motion: Motion,
    energy: Energy,
    failure: str = "",
) -> Trajectory:
    """The passage as a trajectory; failure: why it ended before its time, if it did."""
    plant, of = context.model.plant, forces(parameters, at)
    order = rows_of(context.model)
    q, v = np.zeros((2, len(time), len(order)))
    q[:, order], v[:, order] = motion.q.T, motion.v.T
    efforts = dict(zip(JOINTS, (of.leg_r, of.torque, of.leg_f, of.torque), strict=True))
    layout = layout_of(plant, context.contacts)
    torques = np.array([efforts[name.rpartition("::")[2]] for name in layout.actuator])
    feet = _Wheels(context, parameters, time, at, of)
    residual = energy.potential - energy.potential[0] - energy.work
    builder = TrajectoryBuilder(layout, len(time))
    for k, now in enumerate(time.tolist()):
        builder.append(
            now,
            q[k],
            v[k],
            torques[:, k],
            feet.at(k),
            kinetic_energy=0.0,
            potential_energy=float(energy.potential[k]),
            actuator_work=float(energy.work[k]),
            contact_work=0.0,
            damping_work=0.0,
            constraint_work=0.0,
            energy_gain=0.0,
            energy_residual=float(residual[k]),
        )
    if not failure:
        return builder.finish(Status.DONE, "", (), {"engine": CLOSED_FORM})
    told = [Event(float(time[-1]), Status.FAILED.value, failure)]
    return builder.finish(Status.FAILED, failure, told, {"engine": CLOSED_FORM})


class _Wheels:
    """Contact reports of all rows; what is not told is NaN."""

    def __init__(
        self, context: MachineContext, parameters: UgvParameters, time: Array, at: Pose, of: Forces
    ) -> None:
        names = context.contacts.names
        shape = (len(time), len(names), 3)
        self.impulse, self.velocity = np.zeros(shape), np.zeros(shape)
        self.p_WC, self.normal = np.full(shape, np.nan), np.full(shape, np.nan)
        self.gap, self.work = np.full(shape[:2], np.nan), np.zeros(shape[:2])
        self.mode = np.full(shape[:2], int(Mode.OPEN), dtype=np.int8)
        self._put_above_ground(context.contacts, parameters, at)
        touches = touches_of(parameters, context.contacts, at)
        rows, step = np.arange(len(time)), np.diff(time, prepend=time[:1])
        for wheel, normal in enumerate((of.normal_r, of.normal_f)):
            here = rows, touches.contact[wheel]
            self.impulse[*here, 0], self.impulse[*here, 1] = normal * step, of.friction * step
            for target, value in (
                (self.p_WC, touches.place[wheel]),
                (self.normal, touches.normal[wheel]),
            ):
                target[*here] = np.stack((value.real, 0.0 * value.real, value.imag), axis=-1)
            self.gap[here], self.mode[here] = 0.0, int(Mode.STICK)

    def _put_above_ground(self, contacts: ContactSet, parameters: UgvParameters, at: Pose) -> None:
        """Gaps and places of wheels and belly over the level ground."""
        where = places(parameters, at)
        axes = {WHEELS[0]: where.wheel_r, WHEELS[1]: where.wheel_f}
        for shape in contacts.ground:
            name = contacts.names[contacts.reported_as[shape.first]]
            x = float(shape.points.fixed[0, 0])
            middle = axes.get(name, where.body + x * np.exp(1j * at.psi))
            gap, k = middle.imag - shape.points.radius, contacts.names.index(name)
            self.gap[:, k] = gap
            self.p_WC[:, k] = np.stack((middle.real, 0.0 * gap, gap), axis=-1)
            self.normal[:, k] = (0.0, 0.0, 1.0)

    def at(self, k: int) -> "_Row":
        """The report of a row."""
        arrays = (self.impulse, self.velocity, self.gap, self.p_WC, self.normal, self.mode)
        return _Row(*(array[k] for array in (*arrays, self.work)))


class _Row(NamedTuple):
    """A contact report; nothing is solved."""

    impulse: Array
    velocity: Array
    gap: Array
    p_WC: Array
    normal: Array
    mode: npt.NDArray[np.int8]
    work: Array
    residual: float = np.nan
    iterations: int = 0
    rung: int = 0
