"""Gaps, places and Jacobians of the contacts at the state of a context.

Frames: W world, T terrain, C contact with the axes [n, t, s] of ``footfall.plants.contacts.axes``.
"""

from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RigidBody
from pydrake.systems.framework import Context

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.axes import ContactAxes, axes_about, axes_about_each
from footfall.plants.contacts.contact_set import ContactSet
from footfall.plants.contacts.gaps import JointTable, joint_table, measure_gaps, measure_simple
from footfall.plants.contacts.ground import GroundTable, ground_table
from footfall.plants.contacts.pairs import PairTable, gap_scratch, pair_table
from footfall.plants.flat.dynamics import count_of, shared, unit_velocity
from footfall.plants.kinematics import Kinematics, Trees
from footfall.plants.terrain import FRAME_NAME


class Normals(NamedTuple):
    """Unit normals in W of the contacts of surfaces, in a form that kernels take.

    pair_of (m,): the pair that each belongs to, -1 for the ground. of_pairs (pairs, 3): zero where
    a pair is far apart. ground (3,).
    """

    pair_of: Indices
    of_pairs: Array
    ground: Array


class Surfaces(NamedTuple):
    """Surfaces that may touch, and rows of joints, in a form that kernels take.

    links (m, 2): of a and b, of the contacts of surfaces. pair_of, normals: as in ``Normals``. R_WT
    (3, 3). planar: whether s has no row. Of joints, whose rows have one entry each: columns (n, 2),
    row (0: n, 1: t) and velocity, signs (n,): what stands there.
    """

    links: Indices
    pair_of: Indices
    normals: Array
    R_WT: Array
    planar: bool
    columns: Indices
    signs: Array


class ContactMeasure:
    """Measures a contact set at the state that a plant's context holds.

    axes: those of contacts about their normals.
    """

    def __init__(
        self,
        plant: MultibodyPlant,
        contacts: ContactSet,
        context: Context,
        axes: ContactAxes,
    ) -> None:
        """Set up the tables of the kernels."""
        self._context, self.axes = context, axes
        X_WT = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(context)
        self._kinematics = Kinematics(plant)
        self._ground = ground_table(contacts.ground, self._kinematics, X_WT)
        feet = contacts.swing_foot_filter.feet if contacts.swing_foot_filter else ()
        whole = {geometry for foot in feet for geometry in foot.geometries}  # their middles count
        self._near_ground = ground_table(contacts.ground, self._kinematics, X_WT, whole)
        self._joints = joint_table(contacts.limits, contacts.frictions)
        self._pairs = pair_table(contacts.pairs, contacts.ground, self._kinematics, X_WT)
        self._scratch = gap_scratch(self._pairs)
        count, touching = len(contacts), contacts.num_touching
        # of the contacts of surfaces: the pair, -1 for the ground, and the links of a and b
        self._pair_of = np.full(touching, -1, dtype=np.int64)
        self._links = np.zeros((touching, 2), dtype=np.int64)
        self._links[: contacts.num_ground, 0] = self._ground.links
        for number, pair in enumerate(contacts.pairs):
            places = slice(pair.first, pair.first + len(pair))
            self._pair_of[places] = number
            self._links[places] = [self._kinematics.link_of(b) for b in (pair.body_a, pair.body_b)]
        self._gap, self._p_WC = np.full(count, np.inf), np.full((count, 3), np.nan)
        normals = np.zeros((len(contacts.pairs), 3))
        ground = np.ascontiguousarray(axes.R_WT[:, 2])
        self._normals = Normals(self._pair_of, normals, ground)
        columns = [(0, limit.velocity) for limit in contacts.limits]
        columns += [(1, friction.velocity) for friction in contacts.frictions]
        self._surfaces = Surfaces(
            self._links,
            self._pair_of,
            normals,
            axes.R_WT,
            axes.planar,
            np.array(columns, dtype=np.int64).reshape(-1, 2),
            np.ascontiguousarray(self._joints.bounds[:, 0]),
        )

    def __len__(self) -> int:
        """Count the contacts."""
        return len(self._gap)

    @property
    def surfaces(self) -> Surfaces:
        """Surfaces that may touch, and rows of joints; normals of pairs are kept up to date."""
        return self._surfaces

    @property
    def gap_tables(self) -> tuple[GroundTable, JointTable, PairTable]:
        """Tables for ``measure_gaps``; of shapes with many corners it measures those that are near.

        To ``gaps`` they are equal but for that.
        """
        return self._near_ground, self._joints, self._pairs

    def gaps(self, q: Array) -> tuple[Array, Array]:
        """Gap of every contact, (n,) [m or rad], and where it would touch in W, (n, 3) [m].

        q: the positions that the context holds. What is surely apart has the gap infinity; what has
        no place, such as a joint limit, NaN.
        """
        self._kinematics.place(self._context, q)
        poses, gap, place = self._kinematics.poses, self._gap, self._p_WC
        if len(self._pairs.rows) == 0:  # the kernel of pairs, which is large, is not needed
            measure_simple(self._ground, self._joints, poses, q, gap, place)
            return gap.copy(), place.copy()
        scratch, normals = self._scratch, self._normals.of_pairs
        tables = self._ground, self._joints, self._pairs
        measure_gaps(*tables, scratch, poses, q, gap, place, normals)
        return gap.copy(), place.copy()

    def jacobian(self, active: Indices) -> Array:
        """Jacobian of the relative velocities of some contacts, (k, 3, nv), rows [n, t, s].

        active: their indices, (k,). To be asked after ``gaps`` at the same state. Joint limits have
        the row n alone, joint friction the row t alone, and pairs that are far apart none.
        """
        tree, known = self._kinematics.tree, self._kinematics
        paths = tree.last, tree.reference, tree.depth, tree.path
        return _jacobian(active, self._p_WC, self._surfaces, *paths, known.twists, known.poses)

    def relative_velocities(self, links: Indices, p_W: Array, v: Array) -> Array:
        """Velocities in W of points (k, 3) of the first of two links against the second, (k, 3).

        links (k, 2): as ``link_of`` numbers them. To be asked after ``gaps`` at the same positions.
        """
        return self._kinematics.point_velocities(links, p_W, v)

    def link_of(self, body: RigidBody) -> int:
        """The link that a body belongs to; 0 is the world."""
        return self._kinematics.link_of(body)

    @property
    def trees(self) -> Trees:
        """The trees of links that contacts connect."""
        return self._kinematics.trees

    @property
    def normals(self) -> Normals:
        """Normals of the contacts, as measured last; kept up to date in place."""
        return self._normals

    def axes_of(self, which: Indices) -> Array:
        """Axes of some contacts as measured last, (k, 3, 3); zero for joints and what is far."""
        return _axes_of_some(which, self._normals, self.axes.R_WT, self.axes.planar)

    def axes_W(self, contact: int) -> Array:
        """Axes [n, t, s] of a contact as columns in W, (3, 3); the ground's but for a near pair."""
        pair = self._pair_of[contact]
        near = pair >= 0 and self._normals.of_pairs[pair].any()
        return self.axes.about(self._normals.of_pairs[pair]) if near else self.axes.on_ground()


@njit
def _jacobian(
    active: Indices,
    p_WC: Array,
    surfaces: Surfaces,
    last: Indices,
    reference: Indices,
    depth: Indices,
    path: Indices,
    twist: Array,
    pose: Array,
) -> Array:
    """See ``ContactMeasure.jacobian``."""
    links = surfaces.links
    rows = np.zeros((active.shape[0], 3, depth.shape[0]))
    for i in range(active.shape[0]):
        contact = active[i]
        if contact >= links.shape[0]:
            joint = contact - links.shape[0]
            rows[i, surfaces.columns[joint, 0], surfaces.columns[joint, 1]] = surfaces.signs[joint]
            continue
        axes, at = _axes_of(contact, surfaces), p_WC[contact]
        alike = shared(links[contact, 0], links[contact, 1], last, depth, path)
        for side, sign in enumerate((1.0, -1.0)):
            link = links[contact, side]
            for step in range(alike, count_of(link, last, depth)):
                k = path[last[link], step]
                u = unit_velocity(twist, pose, reference[link], k, at[0], at[1], at[2])
                for d in range(3):
                    entry = axes[d, 0] * u[0] + axes[d, 1] * u[1] + axes[d, 2] * u[2]
                    rows[i, d, k] = sign * entry
    return rows


@njit
def _axes_of(contact: int, surfaces: Surfaces) -> Array:
    """Rows n, t, s in W of a contact of surfaces; zeros where a pair is far apart."""
    pair = surfaces.pair_of[contact]
    n_W = surfaces.R_WT[:, 2] if pair < 0 else surfaces.normals[pair]
    return axes_about(n_W, surfaces.R_WT, surfaces.planar)


@njit
def _normals_of(which: Indices, normals: Normals) -> Array:
    """Normals of some contacts, (k, 3); zero for joints and what is far."""
    n_W = np.zeros((which.shape[0], 3))
    for k in range(which.shape[0]):
        contact = which[k]
        if contact < normals.pair_of.shape[0]:
            pair = normals.pair_of[contact]
            n_W[k] = normals.of_pairs[pair] if pair >= 0 else normals.ground
    return n_W


@njit
def _axes_of_some(which: Indices, normals: Normals, R_WT: Array, planar: bool) -> Array:
    """See ``ContactMeasure.axes_of``."""
    return axes_about_each(_normals_of(which, normals), R_WT, planar)


@njit
def block_velocities(
    rows: Array, trees: Indices, starts: Indices, sizes: Indices, v: Array
) -> Array:
    """Velocities J v of contacts, (k*dim,), from those of the plant (nv,).

    rows (k, 2, dim, widest), trees (k, 2): the Jacobian in blocks, of trees that are numbered as
    starts, sizes (n,) are.
    """
    count, dim = rows.shape[0], rows.shape[2]
    gamma = np.zeros(count * dim)
    for i in range(count):
        for side in range(2):
            tree = trees[i, side]
            if tree < 0:
                continue
            start = starts[tree]
            for d in range(dim):
                for column in range(sizes[tree]):
                    gamma[i * dim + d] += rows[i, side, d, column] * v[start + column]
    return gamma
