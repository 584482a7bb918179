"""Contacts with the edges inside of a tiled ground, which are none of its surface.

A foot that is pressed into a ground of many pieces by rounding, or by a landing, meets more than
the piece that it stands on: the walls and edges of the neighbours, which are hidden in the ground.
Their normals lean, and a ball would stop at every seam. A contact is one of the surface only if no
other piece that holds its point reaches above it along its normal, that is, if the normal is in the
normal cone of the whole ground. Of contacts in one place with one normal one is enough.

Frames: W world. All pieces are fixed to the world.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pydrake.math import RigidTransform

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.shapes import NEAR, posed
from footfall.plants.contacts.vectors import dot, minus, row
from footfall.plants.kinematics import Kinematics
from footfall.plants.terrain import SURFACE

_WITHIN = 1e-6  # m: of a piece that a point belongs to, and by which one reaches above it
_ALIKE = 1e-9  # 1 less the cosine of normals that count as one


class TiledGround:
    """The contacts of shapes with the pieces of uneven ground."""

    def __init__(self, pairs: Sequence[BodyPair], kinematics: Kinematics) -> None:
        """Take all pairs; those with the link of uneven ground count."""
        own = [k for k, pair in enumerate(pairs) if str(pair.body_b.scoped_name()) == SURFACE]
        counts = [len(pairs[k]) for k in own]
        shapes = {g: number for number, g in enumerate(dict.fromkeys(pairs[k].a for k in own))}
        pieces = {g: number for number, g in enumerate(dict.fromkeys(pairs[k].b for k in own))}
        firsts = [np.arange(pairs[k].first, pairs[k].first + len(pairs[k])) for k in own]
        self._contacts = np.concatenate([np.zeros(0, dtype=np.int64), *firsts])
        self._pair = np.repeat(np.array(own, dtype=np.int64), counts)
        of_shape = [shapes[pairs[k].a] for k in own]
        of_piece = [pieces[pairs[k].b] for k in own]
        self._shape = np.repeat(np.array(of_shape, dtype=np.int64), counts)
        self._piece = np.repeat(np.array(of_piece, dtype=np.int64), counts)
        solids = {pairs[k].b: pairs[k] for k in reversed(own)}
        faces, corners = [np.zeros((0, 4))], [np.zeros((0, 3))]
        for geometry in pieces:
            pair = solids[geometry]
            solid = posed(pair.solid_b, kinematics.within(pair.body_b.body_frame()))
            heights = np.einsum("ij,ij->i", solid.normals, solid.vertices[solid.loops[:, 0]])
            faces.append(np.column_stack((solid.normals, heights)))
            corners.append(solid.vertices)
        self._faces, self._corners = np.vstack(faces), np.vstack(corners)
        ends = [[0, 0], *([len(f), len(c)] for f, c in zip(faces[1:], corners[1:], strict=True))]
        self._begins = np.cumsum(np.array(ends, dtype=np.int64), axis=0)
        if own:  # compiled now, so that the first touch takes no longer than others
            self._find(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)))

        self._pairs = np.array(own, dtype=np.int64)
        boxes = [pairs[k].solid_b.vertices for k in own]
        self._low = np.array([box.min(axis=0) for box in boxes]).reshape(-1, 3)
        self._high = np.array([box.max(axis=0) for box in boxes]).reshape(-1, 3)
        self._of_shape = np.array(of_shape, dtype=np.int64)
        spheres = [
            _sphere(pair, kinematics) for pair in {pairs[k].a: pairs[k] for k in own}.values()
        ]
        self._links = np.array([link for link, _, _ in spheres], dtype=np.int64)
        self._middles = np.array([middle for _, middle, _ in spheres]).reshape(-1, 3)
        self._reaches = np.array([reach for _, _, reach in spheres])
        first = pairs[own[0]].body_b.body_frame() if own else None
        self._X_TW = kinematics.within(first).inverse() if first is not None else RigidTransform()

    def far(self, poses: Array) -> set[int]:
        """Return the pairs whose pieces are farther than ``NEAR`` from a sphere around the shape.

        Drake's boxes around meshes that lean are wide: they hold many more. poses: of the links.
        """
        if len(self._pairs) == 0:
            return set()
        X_WB = poses[self._links]
        p_WS = np.einsum("kij,kj->ki", X_WB[:, :, :3], self._middles) + X_WB[:, :, 3]
        p_TS = self._X_TW.multiply(p_WS.T).T[self._of_shape]
        apart = np.maximum(np.maximum(self._low - p_TS, p_TS - self._high), 0.0)
        reach = self._reaches[self._of_shape] + NEAR
        rows = np.flatnonzero(np.einsum("ij,ij->i", apart, apart) > reach**2)
        return set(self._pairs[rows].tolist())

    def __len__(self) -> int:
        """Count the contacts."""
        return len(self._contacts)

    def leave_out_hidden(self, normals: Array, gap: Array, p_WC: Array) -> None:
        """Give closed contacts with what is hidden in the ground the gap infinity.

        normals (pairs, 3); gap (n,) [m] and p_WC (n, 3) [m]: as measured, on the moving shape.
        """
        closed = np.flatnonzero(gap[self._contacts] <= 0.0)
        if len(closed) < 2:
            return
        contacts = self._contacts[closed]
        n_W = normals[self._pair[closed]]
        depths = gap[contacts]
        p_WG = p_WC[contacts] - depths[:, None] * n_W
        gap[contacts[self._find(closed, depths, p_WG, n_W)]] = np.inf

    def _find(self, closed: Indices, gap: Array, p_WG: Array, n_W: Array) -> npt.NDArray[np.bool_]:
        shape, piece = self._shape[closed], self._piece[closed]
        hidden: npt.NDArray[np.bool_] = _hidden(
            shape, piece, gap, p_WG, n_W, self._faces, self._corners, self._begins
        )
        return hidden


def _sphere(pair: BodyPair, kinematics: Kinematics) -> tuple[int, Array, float]:
    """Link, middle in its frame and radius [m] of a sphere around the moving shape of a pair."""
    solid = posed(pair.solid_a, kinematics.within(pair.body_a.body_frame()))
    middle = solid.vertices.mean(axis=0)
    reach = float(np.linalg.norm(solid.vertices - middle, axis=1).max())
    reach += solid.radius + float(solid.semi_axes.max())
    return kinematics.link_of(pair.body_a), middle, reach


@njit
def _hidden(
    shape: Indices,
    piece: Indices,
    gap: Array,
    p_WG: Array,
    n_W: Array,
    faces: Array,
    corners: Array,
    begins: Indices,
) -> npt.NDArray[np.bool_]:
    """Return which contacts are with what another piece hides that the shape is in more deeply.

    p_WG (k, 3): points of the pieces.
    """
    hidden = np.zeros(len(gap), dtype=np.bool_)
    for k in range(len(gap)):
        p, n = row(p_WG, k), row(n_W, k)
        for j in range(len(gap)):
            if shape[j] != shape[k] or piece[j] == piece[k] or hidden[k]:
                continue
            if gap[j] > gap[k] or (gap[j] == gap[k] and j > k):
                continue
            apart = minus(row(p_WG, j), p)
            alike = 1.0 - dot(row(n_W, j), n) < _ALIKE
            if alike and dot(apart, apart) < _WITHIN**2:  # a corner that flat neighbours share
                hidden[k] = True
                continue
            holds = True
            for f in range(begins[piece[j], 0], begins[piece[j] + 1, 0]):
                holds = holds and dot(row(faces, f), p) - faces[f, 3] <= _WITHIN
            if holds:
                for c in range(begins[piece[j], 1], begins[piece[j] + 1, 1]):
                    if dot(n, minus(row(corners, c), p)) > _WITHIN:
                        hidden[k] = True
    return hidden
