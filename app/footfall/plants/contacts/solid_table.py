"""Solids behind each other in arrays, so that compiled loops can go over many of them.

Everything is in the frames of the solids' links.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from pydrake.geometry import GeometryId

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import BodyPair
from footfall.plants.contacts.shapes import CYLINDER, Solid, posed
from footfall.plants.kinematics import Kinematics


class SolidTable(NamedTuple):
    """n solids; begins (n + 1, 3): where the vertices, faces and edges of each are.

    links, kinds (n,); vertices, normals, loops, edges, sides: as of a Solid, of all; heights: of
    the faces along their normals, of solids with loops. radii (n,), semi_axes (n, 3), axes
    (n, 3, 3). middles (n, 3) and reaches (n,): spheres around the solids; halves (n, 3): of boxes
    around them, whose middles are centres (n, 3).
    """

    begins: Indices
    links: Indices
    kinds: Indices
    vertices: Array
    normals: Array
    heights: Array
    loops: Indices
    edges: Indices
    sides: Indices
    radii: Array
    semi_axes: Array
    axes: Array
    middles: Array
    reaches: Array
    centres: Array
    halves: Array


def table_of_pairs(
    pairs: Iterable[BodyPair], kinematics: Kinematics
) -> tuple[SolidTable, dict[GeometryId, int]]:
    """Make the table of the solids of some pairs, and tell where each geometry is in it."""
    places: dict[GeometryId, int] = {}
    solids: list[Solid] = []
    links: list[int] = []
    for pair in pairs:
        shapes = ((pair.a, pair.body_a, pair.solid_a), (pair.b, pair.body_b, pair.solid_b))
        for geometry, body, solid in shapes:
            if geometry not in places:
                places[geometry] = len(solids)
                solids.append(posed(solid, kinematics.within(body.body_frame())))
                links.append(kinematics.link_of(body))
    return solid_table(solids, links), places


def solid_table(solids: Sequence[Solid], links: Sequence[int]) -> SolidTable:
    """Put solids into a table; links: of each."""
    sizes = [(len(s.vertices), len(s.normals), len(s.edges)) for s in solids]
    widest = max((s.loops.shape[1] for s in solids), default=0)
    loops = np.full((sum(size[1] for size in sizes), widest), -1, dtype=np.int64)
    face = 0
    for solid in solids:
        loops[face : face + len(solid.loops), : solid.loops.shape[1]] = solid.loops
        face += len(solid.loops)
    middles = np.array([s.vertices.mean(axis=0) for s in solids]).reshape(-1, 3)
    around = [
        float(np.linalg.norm(s.vertices - middle, axis=1).max())
        for s, middle in zip(solids, middles, strict=True)
    ]
    radii = np.array([s.radius for s in solids], dtype=np.float64)
    boxes = np.array([_box(s) for s in solids]).reshape(-1, 2, 3)
    heights = [
        np.einsum("ij,ij->i", s.normals, s.vertices[s.loops[:, 0]])
        if s.loops.shape[1]
        else np.zeros(len(s.normals))
        for s in solids
    ]
    no_places = np.zeros((0, 2), dtype=np.int64)
    return SolidTable(
        begins=np.cumsum([(0, 0, 0), *sizes], axis=0, dtype=np.int64),
        links=np.array(links, dtype=np.int64),
        kinds=np.array([s.kind for s in solids], dtype=np.int64),
        vertices=np.vstack([np.zeros((0, 3)), *(s.vertices for s in solids)]),
        normals=np.vstack([np.zeros((0, 3)), *(s.normals for s in solids)]),
        heights=np.concatenate([np.zeros(0), *heights]),
        loops=loops,
        edges=np.vstack([no_places, *(s.edges for s in solids)]),
        sides=np.vstack([no_places, *(s.sides for s in solids)]),
        radii=radii,
        semi_axes=np.array([s.semi_axes for s in solids]).reshape(-1, 3),
        axes=np.array([s.axes for s in solids]).reshape(-1, 3, 3),
        middles=middles,
        reaches=radii + np.array(around) + np.array([s.semi_axes.max() for s in solids]),
        centres=0.5 * (boxes[:, 0] + boxes[:, 1]),
        halves=0.5 * (boxes[:, 1] - boxes[:, 0]),
    )


def _box(solid: Solid) -> tuple[Array, Array]:
    """Lowest and highest coordinates of a solid, or beyond."""
    grown: float | Array = solid.radius
    if solid.kind == CYLINDER:
        grown = solid.semi_axes[0] * np.sqrt(np.maximum(0.0, 1.0 - solid.axes[:, 2] ** 2))
    elif solid.semi_axes.any():
        grown = np.sqrt(((solid.axes * solid.semi_axes) ** 2).sum(axis=1))
    return solid.vertices.min(axis=0) - grown, solid.vertices.max(axis=0) + grown


@njit
def solid_at(table: SolidTable, k: int) -> Solid:
    """One of the solids, as a view."""
    v, f, e = table.begins[k, 0], table.begins[k, 1], table.begins[k, 2]
    v_end, f_end, e_end = table.begins[k + 1, 0], table.begins[k + 1, 1], table.begins[k + 1, 2]
    return Solid(
        table.vertices[v:v_end],
        table.normals[f:f_end],
        table.loops[f:f_end],
        table.edges[e:e_end],
        table.sides[e:e_end],
        table.radii[k],
        table.kinds[k],
        table.semi_axes[k],
        table.axes[k],
    )
