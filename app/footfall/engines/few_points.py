"""Of many points of one shape on the ground, the few that bear its load.

Impulses on a face of a rigid body add up to a wrench that few of its points can exert. A step is
therefore solved with few points of each shape; if another one would approach, it takes part and the
step is solved again. When none does, the answer solves the problem of all points as well: those
that are left out bear nothing and part or stay, which is what Signorini's and Coulomb's laws ask of
them. How points share a load that they could share in many ways is another choice. Where nothing
slips, or all slips one way, that leaves the forces on the bodies as they are; a face that slips and
turns has friction that depends on the choice, as it does in every rigid model.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.contact import add_restitution
from footfall.contact.coefficients import E_N, E_T
from footfall.engines.record import IMPULSE, POINT, VELOCITY, BegunRecord, rows_of
from footfall.jit import njit
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.measure import JacobianBlocks, block_velocities
from footfall.plants.kinematics import Trees

Marks = npt.NDArray[np.bool_]

FEW = 4
# of a velocity, and m/s: what rounding leaves between points of one face that are at rest
_ROUNDING, _STILL = 1e-10, 1e-11


class FewPoints:
    """Chooses points of the faces of a machine that touch."""

    def __init__(self, contacts: ContactSet, laws: Array, trees: Trees) -> None:
        """Take the contacts, their coefficients (n, columns) and the trees of links."""
        self._face = face_of_points(contacts)
        self._none = not (self._face >= 0).any()
        self._laws = laws
        self._dim = contacts.dim
        self._trees = trees

    def are_more(self, active: Indices) -> bool:
        """Return whether more points of a face are closed than a step begins with."""
        if self._none or len(active) <= FEW:
            return False
        faces = self._face[active]
        faces = faces[faces >= 0]
        return len(faces) > FEW and bool(np.bincount(faces).max() > FEW)

    def solve(
        self,
        begun: BegunRecord,
        jacobian: Array | JacobianBlocks,
        v_a: Array,
        solve: Callable[[BegunRecord, Array | JacobianBlocks], Array],
    ) -> Array:
        """Velocity v_E under all contacts; ``solve`` finds it for some, and fills their rows."""
        rows = rows_of(begun.record)
        face, places = self._face[begun.active], rows[begun.places, POINT : POINT + 3]
        marked = begin_with(face, places, begun.guess[:, 0] > 0.0)
        gamma_a = self._velocities(jacobian, v_a)
        laws = self._laws[begun.active]
        e_n, e_t = laws[:, E_N].copy(), laws[:, E_T].copy()
        while True:
            v_e = solve(begun.only(marked), _some_rows(jacobian, marked))
            gamma_e = self._velocities(jacobian, v_e)
            xi = gamma_e[:, : self._dim].ravel()
            add_restitution(xi, gamma_a[:, : self._dim].ravel(), e_n, e_t, self._dim)
            solved = marked.copy()
            if not mark_approaching(face, xi[:: self._dim], np.abs(v_a).max(), marked):
                break
            begun.guess[solved] = rows[begun.places[solved], IMPULSE : IMPULSE + 3]
        rows[begun.places[~marked], VELOCITY : VELOCITY + self._dim] = gamma_e[~marked, : self._dim]
        return v_e

    def _velocities(self, jacobian: Array | JacobianBlocks, v: Array) -> Array:
        """Relative velocities of contacts, (k, 3)."""
        if isinstance(jacobian, JacobianBlocks):
            rows, trees, own = jacobian.rows, jacobian.trees, self._trees
            return block_velocities(rows, trees, own.starts, own.sizes, v).reshape(-1, 3)
        velocities: Array = jacobian @ v
        return velocities


def _some_rows(jacobian: Array | JacobianBlocks, marked: Marks) -> Array | JacobianBlocks:
    if isinstance(jacobian, JacobianBlocks):
        return JacobianBlocks(jacobian.rows[marked], jacobian.trees[marked])
    return jacobian[marked]


def face_of_points(contacts: ContactSet) -> Indices:
    """Number of the shape on the ground of every point, (n,).

    It is -1 for what belongs to shapes with at most FEW points, and for what is not on the ground:
    two bodies have few points in common, and solving a pile again costs more than they do.
    """
    face = np.full(len(contacts), -1, dtype=np.int64)
    for number, shape in enumerate(contacts.ground):
        if len(shape.points) > FEW:
            face[shape.first : shape.first + len(shape.points)] = number
    return face


@njit
def begin_with(face: Indices, p: Array, loaded: Marks) -> Marks:
    """Mark the points that a step begins with, of k that are closed.

    face (k,): as above; p (k, 3): places; loaded (k,): which bore a load in the last step. Of a
    face with more than FEW points it is those that did, or else the corners of a wide quadrangle.
    """
    count = face.size
    marked = face < 0
    for i in range(count):
        if face[i] < 0 or marked[i]:
            continue
        of_face = face == face[i]
        if (marked & of_face).any():
            continue  # seen before
        some = of_face & loaded
        if of_face.sum() <= FEW:
            marked |= of_face
        elif 0 < some.sum() <= FEW:
            marked |= some
        else:
            _mark_corners(p, some if some.any() else of_face, marked)
    return marked


@njit
def _mark_corners(p: Array, some: Marks, marked: Marks) -> None:
    """Mark four points far from each other: two ends, and the farthest on both sides of them."""
    places = np.flatnonzero(some)
    first = _farthest(p, places, p[places[0]])
    end = _farthest(p, places, p[first])
    marked[first] = marked[end] = True
    along = p[end] - p[first]
    square = (along * along).sum()
    if square == 0.0:
        return
    aside, most = np.zeros(3), 0.0
    third = -1  # -1: none
    for i in places:
        off = p[i] - p[first] - ((p[i] - p[first]) * along).sum() / square * along
        if (off * off).sum() > most:
            most, third = float((off * off).sum()), int(i)
            aside[:] = off
    if third < 0:
        return
    marked[third] = True
    other, least = -1, 0.0
    for i in places:
        off = ((p[i] - p[first]) * aside).sum()
        if off < least:
            least, other = off, int(i)
    if other >= 0:
        marked[other] = True


@njit
def _farthest(p: Array, places: Indices, start: Array) -> int:
    best, farthest = -1.0, int(places[0])
    for i in places:
        square = ((p[i] - start) ** 2).sum()
        if square > best:
            best, farthest = square, int(i)
    return farthest


@njit
def mark_approaching(face: Indices, xi: Array, v_max: float, marked: Marks) -> bool:
    """Mark the worst point of each face that approaches in the answer without it; say if any does.

    xi (k,): normal velocities at the end, with restitution, which must not be negative. v_max: of
    the machine.
    """
    allowed = -(_STILL + _ROUNDING * v_max)
    worst = np.full(face.max() + 1 if face.size > 0 else 0, -1)
    any_approaches = False
    for i in range(face.size):
        if not marked[i] and xi[i] < allowed:
            any_approaches = True
            if worst[face[i]] < 0 or xi[i] < xi[worst[face[i]]]:
                worst[face[i]] = i
    for i in worst:
        if i >= 0:
            marked[i] = True
    return any_approaches
