"""Forces between geometries as the report that every engine gives, for engines that know forces.

Frames: W world; contact axes [n, t, s] as in ``footfall.plants.contacts.axes``.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.geometry import GeometryId

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.engines.ports import ContactReport
from footfall.engines.summary import impulses_of_contacts, summary
from footfall.jit import njit
from footfall.plants.dynamics import Dynamics
from footfall.trajectory.variables import UNKNOWN_MODE

_STICK, _SLIP = int(Mode.STICK), int(Mode.SLIP)


class _Place(NamedTuple):
    """Our contacts of two geometries, and the links.

    table (4,): the first contact, how many, and both links, of which the first is the machine's, or
    that of body a of a pair. sign: of forces on its geometry, 1 if it is B, else -1; the
    normals there are the other way round. of_pair: not on the ground.
    """

    table: Indices
    sign: float
    of_pair: bool


class Touch(NamedTuple):
    """Geometries A and B that touch: where, the force on B, the normal from B to A, in W.

    point: which of the points of the machine's shape on the ground it is, -1 for the nearest.
    """

    A: GeometryId
    B: GeometryId
    p_WQ: Array
    f_B_W: Array
    nhat_BA_W: Array
    point: int = -1


class Touches(NamedTuple):
    """Touches, k of them: our contacts that each belongs to, its place and axes, the force there.

    contact (k,). p_WQ (k, 3). axes_W (k, 3, 3): columns n, t, s. force_W (k, 3): on the first of
    the two links, (k, 2); 0 is the world.
    """

    contact: Indices
    p_WQ: Array
    axes_W: Array
    force_W: Array
    links: Indices


class Happened(NamedTuple):
    """Impulses (n, 3) in [n, t, s] [N s] and works (n,) [J] of all contacts in some time."""

    impulse: Array
    work: Array


class TouchReporter:
    """Turns touches into reports; dynamics: which measure the contacts, of which they have a set.

    What is asked is asked at the state of the dynamics, after ``measure``.
    """

    def __init__(self, dynamics: Dynamics, stick_speed: float) -> None:
        """Take a slip speed [m/s] below which a contact sticks."""
        self._dynamics, self._contacts = dynamics, dynamics.contacts
        self._stick_speed = stick_speed
        self._ground = {shape.geometry: shape for shape in self._contacts.ground}
        self._pairs = {frozenset((pair.a, pair.b)): pair for pair in self._contacts.pairs}
        self._places: dict[tuple[GeometryId, GeometryId, int], _Place] = {}

    def measure(self, state: Array) -> None:
        """Measure the contacts at a state [q; v]."""
        self._dynamics.set_state(state)
        self._v = state[-self._dynamics.plant.num_velocities() :]
        self._gap, self._p_WC = self._dynamics.gaps()

    def touches(self, count: int, each: Iterable[Touch]) -> Touches:
        """Put so many touches together."""
        measure = self._dynamics.measure
        table, signs = np.empty((count, 4), dtype=np.int64), np.empty(count)
        p_WQ, force_W = np.empty((count, 3)), np.empty((count, 3))
        normals_W = np.full((count, 3), measure.normals.ground)
        for k, touch in enumerate(each):
            place = self._place(touch.A, touch.B, touch.point)
            table[k], signs[k] = place.table, place.sign
            p_WQ[k], force_W[k] = touch.p_WQ, touch.f_B_W
            if place.of_pair:
                normals_W[k] = -place.sign * touch.nhat_BA_W
        force_W *= signs[:, None]
        # copies: kernels are compiled anew for arrays with gaps, which those of no contact have not
        nearest = _nearest(table[:, :2].copy(), p_WQ, self._p_WC)
        links = table[:, 2:].copy()
        return Touches(nearest, p_WQ, measure.axes.about_each(normals_W), force_W, links)

    def _place(self, id_A: GeometryId, id_B: GeometryId, point: int) -> _Place:
        """Return where two geometries touch, looked up once."""
        place = self._places.get((id_A, id_B, point))
        if place is None:
            place = self._places[id_A, id_B, point] = self._look_up(id_A, id_B, point)
        return place

    def _look_up(self, id_A: GeometryId, id_B: GeometryId, point: int) -> _Place:
        link_of = self._dynamics.measure.link_of
        pair = self._pairs.get(frozenset((id_A, id_B)))
        if pair is not None:
            table = np.array([pair.first, 1, link_of(pair.body_a), link_of(pair.body_b)])
            return _Place(table, 1.0 if pair.a == id_B else -1.0, of_pair=True)
        on_b = id_B in self._ground
        shape = self._ground[id_B if on_b else id_A]
        places = shape.first, len(shape.points)
        if point >= 0 and not shape.points.kind:
            places = shape.first + point, 1
        table = np.array([*places, link_of(shape.body), 0])
        return _Place(table, 1.0 if on_b else -1.0, of_pair=False)

    def during(self, time: float, touches: Touches, v: Array) -> Happened:
        """Return what touches do in a time [s] at velocities v."""
        motion_W = self._motion_W(touches, v)
        count = len(self._contacts)
        return Happened(
            *_acted(count, time, touches.contact, touches.axes_W, touches.force_W, motion_W)
        )

    def _motion_W(self, touches: Touches, v: Array) -> Array:
        """Relative velocity where each touch acts, at velocities v, (k, 3) in W."""
        return self._dynamics.measure.relative_velocities(touches.links, touches.p_WQ, v)

    def impulses(self, touches: Touches, happened: Happened) -> Array:
        """Impulse of each reported contact, in the axes of its leading point, (names, 3) [N s]."""
        impulse = happened.impulse
        which, axes_W = self._known(impulse, touches)
        return impulses_of_contacts(impulse[which], self._gap[which], axes_W, self._contacts, which)

    def _known(self, impulse: Array, touches: Touches) -> tuple[npt.NDArray[np.int64], Array]:
        """Contacts that are near or have an impulse, (k,), and their axes in W, (k, 3, 3)."""
        which, place = _known(self._gap, impulse, touches.contact)
        axes_W = self._dynamics.measure.axes_of(which)
        axes_W[place] = touches.axes_W
        return which, axes_W

    def report(self, touches: Touches, happened: Happened) -> ContactReport:
        """Return the report."""
        impulse, work = happened
        which, axes_W = self._known(impulse, touches)
        gap = self._gap
        gap[np.isinf(gap)] = np.nan
        motion_W = self._motion_W(touches, self._v)
        velocity, mode = _moving(
            impulse, touches.contact, touches.axes_W, motion_W, self._stick_speed
        )
        mode[self._contacts.num_touching :] = UNKNOWN_MODE
        points = ContactReport(
            names=self._contacts.names,
            p_WC=self._p_WC[which],
            gap=gap[which],
            impulse=impulse[which],
            velocity=velocity[which],
            mode=mode[which],
            work=work[which],
            residual=np.nan,
            constraint_work=0.0,  # of a plant without loops; of others the balance tells it
            energy_residual=np.nan,
        )
        return summary(points, axes_W, self._contacts, which)


@njit
def _acted(
    count: int, time: float, contact: Indices, axes_W: Array, force_W: Array, motion_W: Array
) -> tuple[Array, Array]:
    """Impulses (count, 3) in [n, t, s] and works (count,) of forces (k, 3) during a time.

    contact (k,): that of each force, of which several may act at one. motion_W (k, 3): relative
    velocities there.
    """
    impulse, work, along, velocity = np.zeros((count, 3)), np.zeros(count), np.zeros(3), np.zeros(3)
    for k in range(len(contact)):
        _turn(axes_W[k], motion_W[k], velocity)
        _turn(axes_W[k], force_W[k], along)
        for axis in range(3):
            impulse[contact[k], axis] += time * along[axis]
            work[contact[k]] += time * along[axis] * velocity[axis]
    return impulse, work


@njit
def _moving(
    impulse: Array, contact: Indices, axes_W: Array, motion_W: Array, stick_speed: float
) -> tuple[Array, npt.NDArray[np.int8]]:
    """Velocities (n, 3) in [n, t, s] and modes (n,) of contacts with these impulses (n, 3).

    contact (k,): those that move, with their axes (k, 3, 3), at motion_W (k, 3). Friction alone
    counts as a touch, too: lagged may leave it where the normal force is gone.
    """
    velocity, mode = np.zeros(impulse.shape), np.zeros(len(impulse), dtype=np.int8)
    for k in range(len(contact)):
        _turn(axes_W[k], motion_W[k], velocity[contact[k]])
    for k in range(len(mode)):
        if impulse[k].any():
            slips = np.hypot(velocity[k, 1], velocity[k, 2]) > stick_speed
            mode[k] = _SLIP if slips else _STICK
    return velocity, mode


@njit
def _turn(axes_W: Array, vector_W: Array, out: Array) -> None:
    """Write a vector (3,) along axes, the columns (3, 3)."""
    for axis in range(3):
        along = 0.0
        for i in range(3):
            along += axes_W[i, axis] * vector_W[i]
        out[axis] = along


@njit
def _known(gap: Array, impulse: Array, contact: Indices) -> tuple[Indices, Indices]:
    """Contacts that are near, have an impulse or are among some (k,), and where these are there."""
    known = np.isfinite(gap)
    for k in range(len(gap)):
        known[k] |= impulse[k].any()
    known[contact] = True
    which = np.flatnonzero(known)
    return which, np.searchsorted(which, contact)


@njit
def _nearest(contacts: Indices, p_WQ: Array, p_WC: Array) -> Indices:
    """Contact that each of some places (k, 3) is nearest to, (k,).

    contacts (k, 2): the first of those in question and how many they are. p_WC (n, 3): of all.
    """
    nearest = contacts[:, 0].copy()
    for k in range(len(nearest)):
        least = np.inf
        for contact in range(contacts[k, 0], contacts[k, 0] + contacts[k, 1]):
            distance = 0.0
            for i in range(3):
                distance += (p_WC[contact, i] - p_WQ[k, i]) ** 2
            if distance < least:
                nearest[k], least = contact, distance
    return nearest
