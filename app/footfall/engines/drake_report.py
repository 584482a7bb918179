"""Drake's contact results as the report that every engine gives.

Frames: W world; contact axes [n, t, s] as in ``footfall.plants.contacts.measure``.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.common.value import Value
from pydrake.geometry import GeometryId
from pydrake.multibody.plant import ContactResults
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.engines.ports import CONTACT_IMPULSES, CONTACT_REPORT, ContactReport
from footfall.engines.summary import impulses_of_contacts, summary
from footfall.jit import njit
from footfall.plants.contacts import ContactSet
from footfall.plants.dynamics import Dynamics
from footfall.plants.load import Model
from footfall.trajectory.variables import UNKNOWN_MODE

Indices = npt.NDArray[np.int64]


class _Place(NamedTuple):
    """Our contacts of two of Drake's geometries, the first and how many, and the links.

    The first link is the machine's, or that of body a of a pair; second: its geometry is Drake's B.
    facing: the normal of a pair is Drake's with this sign, zero on the ground.
    """

    contacts: tuple[int, int]
    links: tuple[int, int]
    second: bool
    facing: float


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
        to_oracle: dict[GeometryId, GeometryId],
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
        contacts, links, points, normals, forces = [], [], [], [], []
        for k in range(results.num_point_pair_contacts()):
            info = results.point_pair_contact_info(k)
            ids = info.point_pair()
            place = self._place(ids.id_A, ids.id_B)
            contacts.append(place.contacts)
            links.append(place.links)
            points.append(info.contact_point())
            normals.append(place.facing * ids.nhat_BA_W if place.facing else measure.normals.ground)
            forces.append(info.contact_force() if place.second else -info.contact_force())
        p_WQ, normals_W, force_W = (
            np.array(one, dtype=np.float64).reshape(-1, 3) for one in (points, normals, forces)
        )
        ours, of_links = (np.array(one, dtype=np.int64).reshape(-1, 2) for one in (contacts, links))
        nearest = _nearest(ours, p_WQ, p_WC)
        return _Touches(nearest, p_WQ, measure.all_axes_about(normals_W), force_W, of_links)

    def _place(self, id_A: GeometryId, id_B: GeometryId) -> _Place:
        """Return where two of Drake's geometries touch, looked up once."""
        found = self._places.get((id_A, id_B))
        if found is None:
            found = self._places[id_A, id_B] = self._look_up(id_A, id_B)
        return found

    def _look_up(self, id_A: GeometryId, id_B: GeometryId) -> _Place:
        link_of = self._dynamics.measure.link_of
        first, second = self._to_oracle[id_A], self._to_oracle[id_B]
        pair = self._pairs.get(frozenset((first, second)))
        if pair is not None:
            on_b = pair.a == second
            links = link_of(pair.body_a), link_of(pair.body_b)
            return _Place((pair.first, 1), links, on_b, -1.0 if on_b else 1.0)
        on_b = second in self._ground
        shape = self._ground[second if on_b else first]
        return _Place((shape.first, len(shape.points)), (link_of(shape.body), 0), on_b, 0.0)

    def _forces(self, touches: _Touches) -> Array:
        """Force on the machine at every contact in [n, t, s], shape (n, 3) [N]."""
        count = len(self._contacts)
        return _by_contact(count, touches.contact, touches.axes_W, touches.force_W)

    def _velocities(self, touches: _Touches, v: Array) -> Array:
        """Relative velocity where Drake's contacts act, at velocities v, (n, 3) in [n, t, s]."""
        motion_W = self._dynamics.measure.relative_velocities(touches.links, touches.p_WQ, v)
        count = len(self._contacts)
        return _by_contact(count, touches.contact, touches.axes_W, motion_W, last=True)

    def rates(self, context: Context) -> Array:
        """Forces (n, 3) in [n, t, s] [N] and powers (n,) [W] of the contacts now, flat."""
        state = self._state.Eval(context)
        self._dynamics.set_state(state)
        _, p_WC = self._dynamics.gaps()
        touches = self._touches(context, p_WC)
        forces = self._forces(touches)
        velocities = self._velocities(touches, state[-self._dynamics.plant.num_velocities() :])
        return np.concatenate((forces.ravel(), np.einsum("ij,ij->i", forces, velocities)))

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
        known = np.isfinite(gap) | impulse.any(axis=1)
        known[touches.contact] = True
        which = np.flatnonzero(known)
        measure = self._dynamics.measure
        axes_W = measure.all_axes_about(measure.normals_W(which))
        axes_W[np.searchsorted(which, touches.contact)] = touches.axes_W
        return which, axes_W

    def _happened(self, context: Context, touches: _Touches) -> tuple[Array, Array]:
        """Impulses (n, 3) [N s] and works (n,) [J] since the last row."""
        if self._sums is not None:
            count = len(self._contacts)
            sums = self._sums.Eval(context)
            return sums[: 3 * count].reshape(count, 3), sums[3 * count :]
        impulse = self._time_step * self._forces(touches)
        v = self._state.Eval(context)[-self._dynamics.plant.num_velocities() :]
        v_mean = v - 0.5 * self._time_step * self._acceleration.Eval(context)
        return impulse, np.einsum("ij,ij->i", impulse, self._velocities(touches, v_mean))

    def _calc_report(self, context: Context, output: Value) -> None:
        state = self._state.Eval(context)
        dynamics = self._dynamics
        dynamics.set_state(state)
        gap, p_WC = dynamics.gaps()
        touches = self._touches(context, p_WC)
        impulse, work = self._happened(context, touches)
        which, axes_W = self._known(gap, impulse, touches)
        gap[np.isinf(gap)] = np.nan
        # lagged may leave friction where the normal force is gone
        touching: npt.NDArray[np.bool_] = np.any(impulse != 0.0, axis=1)
        v_end = state[-dynamics.plant.num_velocities() :]
        velocity = self._velocities(touches, v_end)
        slipping = np.linalg.norm(velocity[:, 1:], axis=1) > self._stick_speed
        mode = np.where(touching, np.where(slipping, Mode.SLIP, Mode.STICK), Mode.OPEN)
        mode[self._contacts.num_touching :] = UNKNOWN_MODE
        points = ContactReport(
            names=self._contacts.names,
            p_WC=p_WC[which],
            gap=gap[which],
            impulse=impulse[which],
            velocity=velocity[which],
            mode=mode[which].astype(np.int8),
            work=work[which],
            residual=np.nan,
            constraint_work=0.0,  # of a plant without loops; of others the balance tells it
            energy_residual=np.nan,
        )
        output.set_value(summary(points, axes_W, self._contacts, which))


@njit
def _by_contact(
    count: int, contact: Indices, axes_W: Array, vectors_W: Array, last: bool = False
) -> Array:
    """Vectors (k, 3) in their axes (k, 3, 3), summed over each contact, (count, 3).

    last: not summed, but the last of each.
    """
    found = np.zeros((count, 3))
    for k in range(len(contact)):
        row = found[contact[k]]
        for axis in range(3):
            along = 0.0
            for i in range(3):
                along += axes_W[k, i, axis] * vectors_W[k, i]
            row[axis] = along if last else row[axis] + along
    return found


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
