"""Drake's contact results as the report that every engine gives.

Frames: W world; contact axes [n, t, s] as in ``footfall.plants.contacts.axes``.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.common.value import Value
from pydrake.geometry import GeometryId
from pydrake.multibody.plant import ContactResults
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.engines.ports import CONTACT_IMPULSES, CONTACT_REPORT, ContactReport
from footfall.engines.summary import impulses_of_contacts, summary
from footfall.jit import njit
from footfall.plants.contacts import ContactSet
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.trajectory.variables import UNKNOWN_MODE

_STICK, _SLIP = int(Mode.STICK), int(Mode.SLIP)


class _Place(NamedTuple):
    """Our contacts of two of Drake's geometries, and the links.

    table (4,): the first contact, how many, and both links, of which the first is the machine's, or
    that of body a of a pair. sign: of forces on its geometry, 1 if it is Drake's B, else -1; the
    normals there are the other way round. of_pair: not on the ground.
    """

    table: Indices
    sign: float
    of_pair: bool


class _Touches(NamedTuple):
    """Drake's contacts, k of them: ours that each belongs to, its place and axes, the force there.

    contact (k,). p_WQ (k, 3). axes_W (k, 3, 3): columns n, t, s. force_W (k, 3): on the first of
    the two links, (k, 2); 0 is the world.
    """

    contact: Indices
    p_WQ: Array
    axes_W: Array
    force_W: Array
    links: Indices


class ContactReporter(LeafSystem):
    """Turns Drake's contact results into the engines' report."""

    def __init__(
        self,
        oracle: Model,
        contacts: ContactSet,
        to_oracle: Mapping[GeometryId, tuple[GeometryId, int]],
        time_step: float,
        stick_speed: float,
        *,
        continuous: bool = False,
    ) -> None:
        """Take the continuous model that measures the contacts, the step [s], a speed [m/s].

        continuous: the plant has no steps; what happened since the last row comes through the input
        ``sums``, as `ContactSums` gives it.
        """
        super().__init__()
        self._contacts = contacts
        self._to_oracle = to_oracle
        self._time_step = time_step
        self._stick_speed = stick_speed
        self._dynamics = Dynamics(oracle, contacts)
        self._ground = {shape.geometry: shape for shape in contacts.ground}
        self._pairs = {frozenset((pair.a, pair.b)): pair for pair in contacts.pairs}
        self._places: dict[tuple[GeometryId, GeometryId], _Place] = {}
        self._results = self.DeclareAbstractInputPort("contact_results", Value(ContactResults()))
        self._state = self.DeclareVectorInputPort("state", oracle.plant.num_multibody_states())
        self._acceleration = self.DeclareVectorInputPort(
            "acceleration", oracle.plant.num_velocities()
        )
        count = 4 * len(contacts) if continuous else 0
        self._sums = self.DeclareVectorInputPort("sums", count) if continuous else None
        self.DeclareVectorOutputPort(CONTACT_IMPULSES, 3 * len(contacts.names), self._calc_impulses)
        self.DeclareAbstractOutputPort(
            CONTACT_REPORT, lambda: Value(ContactReport()), self._calc_report
        )

    def _touches(self, context: Context, p_WC: Array) -> _Touches:
        """Return Drake's results for its contacts; p_WC: as the dynamics measured them."""
        results = self._results.Eval(context)
        measure = self._dynamics.measure
        count = results.num_point_pair_contacts()
        table, signs = np.empty((count, 4), dtype=np.int64), np.empty(count)
        p_WQ, force_W = np.empty((count, 3)), np.empty((count, 3))
        normals_W = np.full((count, 3), measure.normals.ground)
        for k in range(count):
            info = results.point_pair_contact_info(k)
            ids = info.point_pair()
            place = self._place(ids.id_A, ids.id_B)
            table[k], signs[k] = place.table, place.sign
            p_WQ[k], force_W[k] = info.contact_point(), info.contact_force()
            if place.of_pair:
                normals_W[k] = -place.sign * ids.nhat_BA_W
        force_W *= signs[:, None]
        # copies: kernels are compiled anew for arrays with gaps, which those of no contact have not
        nearest, links = _nearest(table[:, :2].copy(), p_WQ, p_WC), table[:, 2:].copy()
        return _Touches(nearest, p_WQ, measure.axes.about_each(normals_W), force_W, links)

    def _place(self, id_A: GeometryId, id_B: GeometryId) -> _Place:
        """Return where two of Drake's geometries touch, looked up once."""
        place = self._places.get((id_A, id_B))
        if place is None:
            place = self._places[id_A, id_B] = self._look_up(id_A, id_B)
        return place

    def _look_up(self, id_A: GeometryId, id_B: GeometryId) -> _Place:
        link_of = self._dynamics.measure.link_of
        (first, corner_A), (second, corner_B) = self._to_oracle[id_A], self._to_oracle[id_B]
        pair = self._pairs.get(frozenset((first, second)))
        if pair is not None:
            on_b = pair.a == second
            table = np.array([pair.first, 1, link_of(pair.body_a), link_of(pair.body_b)])
            return _Place(table, 1.0 if on_b else -1.0, of_pair=True)
        on_b = second in self._ground
        shape = self._ground[second if on_b else first]
        corner = max(corner_A, corner_B)
        places = shape.first, len(shape.points)
        if corner >= 0 and not shape.points.kind:
            places = shape.first + corner, 1
        table = np.array([*places, link_of(shape.body), 0])
        return _Place(table, 1.0 if on_b else -1.0, of_pair=False)

    def _during(self, time: float, touches: _Touches, v: Array) -> tuple[Array, Array]:
        """Impulses (n, 3) in [n, t, s] [N s] and works (n,) [J] of a time [s] at velocities v."""
        motion_W = self._motion_W(touches, v)
        count = len(self._contacts)
        return _acted(count, time, touches.contact, touches.axes_W, touches.force_W, motion_W)

    def _motion_W(self, touches: _Touches, v: Array) -> Array:
        """Relative velocity where each of Drake's contacts acts, at velocities v, (k, 3) in W."""
        return self._dynamics.measure.relative_velocities(touches.links, touches.p_WQ, v)

    def rates(self, context: Context) -> Array:
        """Forces (n, 3) in [n, t, s] [N] and powers (n,) [W] of the contacts now, flat."""
        state = self._state.Eval(context)
        self._dynamics.set_state(state)
        _, p_WC = self._dynamics.gaps()
        touches = self._touches(context, p_WC)
        v = state[-self._dynamics.plant.num_velocities() :]
        forces, powers = self._during(1.0, touches, v)
        return np.concatenate((forces.ravel(), powers))

    def _calc_impulses(self, context: Context, output: BasicVector) -> None:
        self._dynamics.set_state(self._state.Eval(context))
        gap, p_WC = self._dynamics.gaps()
        touches = self._touches(context, p_WC)
        impulse, _ = self._happened(context, touches)
        which, axes_W = self._known(gap, impulse, touches)
        total = impulses_of_contacts(impulse[which], gap[which], axes_W, self._contacts, which)
        output.SetFromVector(total.ravel())

    def _known(
        self, gap: Array, impulse: Array, touches: _Touches
    ) -> tuple[npt.NDArray[np.int64], Array]:
        """Contacts that are near or have an impulse, (k,), and their axes in W, (k, 3, 3)."""
        which, place = _known(gap, impulse, touches.contact)
        axes_W = self._dynamics.measure.axes_of(which)
        axes_W[place] = touches.axes_W
        return which, axes_W

    def _happened(self, context: Context, touches: _Touches) -> tuple[Array, Array]:
        """Impulses (n, 3) [N s] and works (n,) [J] since the last row."""
        if self._sums is not None:
            count = len(self._contacts)
            sums = self._sums.Eval(context)
            return sums[: 3 * count].reshape(count, 3), sums[3 * count :]
        v = self._state.Eval(context)[-self._dynamics.plant.num_velocities() :]
        v_mean = v - 0.5 * self._time_step * self._acceleration.Eval(context)
        return self._during(self._time_step, touches, v_mean)

    def _calc_report(self, context: Context, output: Value) -> None:
        state = self._state.Eval(context)
        dynamics = self._dynamics
        dynamics.set_state(state)
        gap, p_WC = dynamics.gaps()
        touches = self._touches(context, p_WC)
        impulse, work = self._happened(context, touches)
        which, axes_W = self._known(gap, impulse, touches)
        gap[np.isinf(gap)] = np.nan
        v_end = state[-dynamics.plant.num_velocities() :]
        motion_W = self._motion_W(touches, v_end)
        velocity, mode = _moving(
            impulse, touches.contact, touches.axes_W, motion_W, self._stick_speed
        )
        mode[self._contacts.num_touching :] = UNKNOWN_MODE
        points = ContactReport(
            names=self._contacts.names,
            p_WC=p_WC[which],
            gap=gap[which],
            impulse=impulse[which],
            velocity=velocity[which],
            mode=mode[which],
            work=work[which],
            residual=np.nan,
            constraint_work=0.0,  # of a plant without loops; of others the balance tells it
            energy_residual=np.nan,
        )
        output.set_value(summary(points, axes_W, self._contacts, which))


@njit
def _acted(
    count: int, time: float, contact: Indices, axes_W: Array, force_W: Array, motion_W: Array
) -> tuple[Array, Array]:
    """Impulses (count, 3) in [n, t, s] and works (count,) of forces (k, 3) during a time.

    contact (k,): that of each force, of which several may act at one. motion_W (k, 3): relative
    velocities there; those of the last force stand for its contact.
    """
    impulse, velocity = np.zeros((count, 3)), np.zeros((count, 3))
    for k in range(len(contact)):
        _turn(axes_W[k], motion_W[k], velocity[contact[k]])
        along = np.zeros(3)
        _turn(axes_W[k], force_W[k], along)
        for axis in range(3):
            impulse[contact[k], axis] += time * along[axis]
    return impulse, (impulse * velocity).sum(axis=1)


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
