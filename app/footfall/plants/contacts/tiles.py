"""Contacts that are hidden in the ground, and so are none of its surface.

A foot that is pressed into a ground of many pieces by rounding, or by a landing, meets more than
the piece that it stands on: the walls and edges of the neighbours, which are hidden in the ground.
Their normals lean, and a ball would stop at every seam. A contact is one of the surface only if no
other piece that holds its point reaches above it along its normal, that is, if the normal is in the
normal cone of the whole ground. Of contacts in one place with one normal one is enough.

A plate whose top is level with the ground has sides that are hidden in it. A foot that a landing
has pressed into the ground meets them when it comes from there, and would stop. As long as it is
deeper in the ground than in such a side, that contact is left out.

Frames: W world, T uneven ground. All pieces are fixed to the world.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from pydrake.math import RigidTransform

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair, GroundShape
from footfall.plants.contacts.shapes import HULL, NEAR, Solid, posed
from footfall.plants.contacts.solid_table import SolidTable
from footfall.plants.contacts.vectors import Vector, carried, dot, minus, plus, row
from footfall.plants.kinematics import Kinematics
from footfall.plants.terrain import SURFACE

_WITHIN = 1e-6  # m: of a piece that a point belongs to, and by which one reaches above it
_ALIKE = 1e-9  # 1 less the cosine of normals that count as one
_LEVEL = 1e-6  # m: what rises above the ground by no more lies in it
_UPRIGHT = 1.0 - 1e-9  # cosine to the ground's normal of contacts with the top


class TileTable(NamedTuple):
    """The pieces of uneven ground that shapes may touch, and their pairs.

    piece_of (pairs,): the piece of every pair of a contact set, -1 for pairs with none. X_TW
    (3, 4). boxes (pieces, 2, 3) [m]: their lowest and highest coordinates in T. faces (f, 4):
    outward normals in W and heights along them; corners (c, 3) in W. begins (pieces + 1, 2): where
    the faces and corners of each are.
    """

    piece_of: Indices
    X_TW: Array
    boxes: Array
    faces: Array
    corners: Array
    begins: Indices


def tile_table(pairs: Sequence[BodyPair], kinematics: Kinematics) -> TileTable:
    """Take all pairs; those with the link of uneven ground count."""
    own = {k: pair for k, pair in enumerate(pairs) if str(pair.body_b.scoped_name()) == SURFACE}
    pieces = {pair.b: pair for pair in own.values()}
    numbers = {geometry: number for number, geometry in enumerate(pieces)}
    piece_of = np.full(len(pairs), -1, dtype=np.int64)
    for k, pair in own.items():
        piece_of[k] = numbers[pair.b]
    X_WT = RigidTransform()
    faces, corners, boxes = [np.zeros((0, 4))], [np.zeros((0, 3))], []
    for pair in pieces.values():
        X_WT = kinematics.within(pair.body_b.body_frame())
        solid = posed(pair.solid_b, X_WT)
        heights = np.einsum("ij,ij->i", solid.normals, solid.vertices[solid.loops[:, 0]])
        faces.append(np.column_stack((solid.normals, heights)))
        corners.append(solid.vertices)
        boxes.append([pair.solid_b.vertices.min(axis=0), pair.solid_b.vertices.max(axis=0)])
    ends = [[len(f), len(c)] for f, c in zip(faces, corners, strict=True)]
    return TileTable(
        piece_of,
        X_WT.inverse().GetAsMatrix34(),
        np.array(boxes).reshape(-1, 2, 3),
        np.vstack(faces),
        np.vstack(corners),
        np.cumsum(np.array(ends, dtype=np.int64), axis=0),
    )


@njit
def is_far_from_tile(
    tiles: TileTable, pair: int, solids: SolidTable, solid: int, poses: Array
) -> bool:
    """Return whether the piece of a pair, if any, is more than NEAR from a sphere around a solid.

    Drake's boxes around meshes that lean are wide: they hold many more.
    """
    piece = tiles.piece_of[pair]
    if piece < 0:
        return False
    p_W = carried(poses[solids.links[solid]], row(solids.middles, solid))
    p_T = carried(tiles.X_TW, p_W)
    apart = 0.0
    for d in range(3):
        low, high = tiles.boxes[piece, 0, d], tiles.boxes[piece, 1, d]
        apart += max(low - p_T[d], p_T[d] - high, 0.0) ** 2
    return apart > (solids.reaches[solid] + NEAR) ** 2


@njit
def leave_out_hidden(
    tiles: TileTable,
    pairs: Indices,
    near: Indices,
    normals: Array,
    gap: Array,
    p_WC: Array,
    room: Indices,
) -> None:
    """Give closed contacts with what is hidden in the uneven ground the gap infinity.

    pairs (p, 4): solids a, b, first contact and the one behind the last; near (k,): those that
    count, in their order. normals (p, 3); gap (n,) [m] and p_WC (n, 3) [m]: as measured, on the
    moving shape. room (n, 2): to write in.
    """
    count = 0
    for k in near:
        if tiles.piece_of[k] >= 0:
            for contact in range(pairs[k, 2], pairs[k, 3]):
                if gap[contact] <= 0.0:
                    room[count, 0], room[count, 1] = contact, k
                    count += 1
    if count < 2:
        return
    for i in range(count):
        if _is_hidden(tiles, pairs, normals, gap, p_WC, room[:count], i):
            room[i, 1] = ~room[i, 1]  # still to be held against others
    for i in range(count):
        if room[i, 1] < 0:
            gap[room[i, 0]] = np.inf


@njit
def _is_hidden(
    tiles: TileTable,
    pairs: Indices,
    normals: Array,
    gap: Array,
    p_WC: Array,
    closed: Indices,
    i: int,
) -> bool:
    """Return whether another piece hides a contact's, which the shape is in more deeply."""
    contact, k = closed[i]
    p, n = _on_piece(contact, row(normals, k), gap, p_WC), row(normals, k)
    for j in range(closed.shape[0]):
        other, m = closed[j, 0], max(closed[j, 1], ~closed[j, 1])
        piece = tiles.piece_of[m]
        if pairs[m, 0] != pairs[k, 0] or piece == tiles.piece_of[k]:
            continue
        if gap[other] > gap[contact] or (gap[other] == gap[contact] and j > i):
            continue
        n_other = row(normals, m)
        apart = minus(_on_piece(other, n_other, gap, p_WC), p)
        alike = 1.0 - dot(n_other, n) < _ALIKE
        if alike and dot(apart, apart) < _WITHIN**2:  # a corner that flat neighbours share
            return True
        holds = True
        for f in range(tiles.begins[piece, 0], tiles.begins[piece + 1, 0]):
            holds = holds and dot(row(tiles.faces, f), p) - tiles.faces[f, 3] <= _WITHIN
        if holds:
            for c in range(tiles.begins[piece, 1], tiles.begins[piece + 1, 1]):
                if dot(n, minus(row(tiles.corners, c), p)) > _WITHIN:
                    return True
    return False


@njit
def _on_piece(contact: int, n_W: Vector, gap: Array, p_WC: Array) -> Vector:
    return plus(row(p_WC, contact), -gap[contact], n_W)


class FlushTable(NamedTuple):
    """Pairs of shapes that may stand on the ground with fixed pieces that lie in it.

    row_of (pairs,): the row of every pair of a contact set, -1 for others. rows (r, 3): 1 or -1,
    for normals from the piece or to it; the shape's first point on the ground and the one behind
    its last. n_W (3,): of the ground.
    """

    row_of: Indices
    rows: Indices
    n_W: Array


def flush_table(
    pairs: Sequence[BodyPair],
    ground: Sequence[GroundShape],
    kinematics: Kinematics,
    X_WT: RigidTransform,
) -> FlushTable:
    """Take all pairs, the shapes with points on the ground, and the pose of the ground."""
    n_W = np.ascontiguousarray(X_WT.rotation().matrix()[:, 2])
    level = float(n_W @ X_WT.translation()) + _LEVEL
    on_ground = {shape.geometry: shape for shape in ground}
    row_of = np.full(len(pairs), -1, dtype=np.int64)
    rows: list[tuple[int, int, int]] = []
    for number, pair in enumerate(pairs):
        for moving, body, solid, sign in (
            (pair.a, pair.body_b, pair.solid_b, 1),
            (pair.b, pair.body_a, pair.solid_a, -1),
        ):
            if kinematics.link_of(body) != 0 or moving not in on_ground:
                continue
            if _reach(posed(solid, kinematics.within(body.body_frame())), n_W) <= level:
                shape = on_ground[moving]
                row_of[number] = len(rows)
                rows.append((sign, shape.first, shape.first + len(shape.points)))
    return FlushTable(row_of, np.array(rows, dtype=np.int64).reshape(-1, 3), n_W)


def _reach(solid: Solid, n_W: Array) -> float:
    """Greatest height of a solid along a unit vector [m]; infinity for one that is no hull."""
    if solid.kind != HULL:
        return np.inf
    return float((solid.vertices @ n_W).max()) + solid.radius


@njit
def leave_out_sides(
    flush: FlushTable, pairs: Indices, near: Indices, normals: Array, gap: Array
) -> None:
    """Give contacts with sides that are hidden in the flat ground the gap infinity.

    pairs, near: as of ``leave_out_hidden``. normals (p, 3): from b to a, in W. gap (n,) [m].
    """
    n_W = row(flush.n_W.reshape(1, 3), 0)
    for k in near:
        number = flush.row_of[k]
        if number < 0:
            continue
        sign, first, end = flush.rows[number]
        if sign * dot(row(normals, k), n_W) >= _UPRIGHT:
            continue
        depth = gap[first:end].min()
        for contact in range(pairs[k, 2], pairs[k, 3]):
            if depth <= gap[contact] <= 0.0:
                gap[contact] = np.inf
