"""Of many points of one shape on the ground, the few that bear its load.

Impulses on a face of a rigid body add up to a wrench that few of its points can exert. A step is
therefore solved with few points of each shape; if another one would approach, it takes part and the
step is solved again. When none does, the answer solves the problem of all points as well: those
that are left out bear nothing and part or stay, which is what Signorini's and Coulomb's laws ask of
them. How points share a load that they could share in many ways is another choice. Where nothing
slips, or all slips one way, that leaves the forces on the bodies as they are; a face that slips and
turns has friction that depends on the choice, as it does in every rigid model.
"""

import numpy as np

from footfall.arrays import Array, Flags, Indices
from footfall.engines.record import POINT
from footfall.jit import njit, scratch_njit
from footfall.plants.contacts import ContactSet

FEW = 4
# of a velocity, and m/s: what rounding leaves between points of one face that are at rest
_ROUNDING, _STILL = 1e-10, 1e-11


@scratch_njit
def are_more(face: Indices, active: Indices, count: int) -> bool:
    """Return whether more points of a face are closed than a step begins with."""
    if count <= FEW:
        return False
    for i in range(count):
        same = 0
        for j in range(i, count):
            same += face[active[j]] == face[active[i]]
        if face[active[i]] >= 0 and same > FEW:
            return True
    return False


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
def begin_with(
    face: Indices,
    count: int,
    active: Indices,
    places: Indices,
    guess: Array,
    rows: Array,
    chosen: Flags,
) -> None:
    """Mark the points that a step begins with, of the closed ones: count of active (n,).

    face (n,): as above; places, guess (n, 3): rows in the record, which hold where they are, and
    impulses in the last step. Of a face with more than FEW points it is those that bore a load
    then, or else the corners of a wide quadrangle.
    """
    own, p, loaded = (
        np.empty(count, dtype=np.int64),
        np.empty((count, 3)),
        np.empty(count, np.bool_),
    )
    for i in range(count):
        own[i], loaded[i] = face[active[i]], guess[i, 0] > 0.0
        for d in range(3):
            p[i, d] = rows[places[i], POINT + d]
    marked = own < 0
    for i in range(count):
        if own[i] < 0 or marked[i]:
            continue
        of_face = own == own[i]
        if (marked & of_face).any():
            continue  # seen before
        some = of_face & loaded
        if of_face.sum() <= FEW:
            marked |= of_face
        elif 0 < some.sum() <= FEW:
            marked |= some
        else:
            _mark_corners(p, some if some.any() else of_face, marked)
    for i in range(count):
        chosen[i] = marked[i]


@njit
def _mark_corners(p: Array, some: Flags, marked: Flags) -> None:
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
def mark_approaching(
    face: Indices, count: int, active: Indices, xi: Array, v_max: float, chosen: Flags
) -> bool:
    """Mark the worst point of each face that approaches in the answer without it; say if any does.

    xi (count,): normal velocities at the end, with restitution, which must not be negative. v_max:
    of the machine.
    """
    allowed = -(_STILL + _ROUNDING * v_max)
    any_approaches = False
    for i in range(count):
        if chosen[i] or not xi[i] < allowed:
            continue
        any_approaches, worst = True, True
        for j in range(count):
            other = j != i and not chosen[j] and face[active[j]] == face[active[i]]
            if other and (xi[j] < xi[i] or (xi[j] == xi[i] and j < i)):
                worst = False
        if worst:
            xi[i] = -np.inf  # marked below, when all have been looked at
    for i in range(count):
        if xi[i] == -np.inf:
            chosen[i] = True
    return any_approaches
