"""All gaps of a contact set in one kernel: points on the ground, pairs, limits, dry joints."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts.contact_set import JointFriction
from footfall.plants.contacts.ground import GroundTable, measure_ground
from footfall.plants.contacts.pairs import GapScratch, PairTable, measure_pairs
from footfall.plants.coordinates import JointLimit


class JointTable(NamedTuple):
    """Joint limits, and behind them dry joints, which come last in a contact set.

    Each has one row of the Jacobian, with one entry. columns (n, 2): row (0: n, 1: t) and velocity.
    signs (n,): what stands there. Of the m limits: position (m,) and bound (m,) [m or rad].
    """

    columns: Indices
    signs: Array
    position: Indices
    bound: Array


def joint_table(limits: Sequence[JointLimit], frictions: Sequence[JointFriction]) -> JointTable:
    """Take the limits, and the dry joints, which come behind them."""
    rows = [(0, limit.velocity) for limit in limits]
    rows += [(1, friction.velocity) for friction in frictions]
    return JointTable(
        np.array(rows, dtype=np.int64).reshape(-1, 2),
        np.array([limit.sign for limit in limits] + [1.0] * len(frictions)),
        np.array([limit.position for limit in limits], dtype=np.int64),
        np.array([limit.bound for limit in limits]),
    )


@njit
def measure_gaps(
    ground: GroundTable,
    joints: JointTable,
    pairs: PairTable,
    scratch: GapScratch,
    poses: Array,
    q: Array,
    gap: Array,
    place: Array,
    normals: Array,
) -> None:
    """Fill in the gap (n,) [m or rad] of every contact, and where it would touch in W, (n, 3) [m].

    normals (pairs, 3): unit normals from b to a in W of pairs that are near. What is surely apart
    has the gap infinity, and its place and normal count for nothing. poses (links, 3, 4) belong to
    the positions q. gap, place and normals must be as the last call with this scratch left them,
    or, at the first, full of infinity, NaN and 0.
    """
    measure_simple(ground, joints, poses, q, gap, place)
    if pairs.rows.shape[0] > 0:
        measure_pairs(pairs, scratch, poses, gap, place, normals)


@njit
def measure_simple(
    ground: GroundTable, joints: JointTable, poses: Array, q: Array, gap: Array, place: Array
) -> None:
    """Fill in gaps and places of all contacts but those of pairs; see ``measure_gaps``."""
    measure_ground(ground, poses, gap, place)
    first, limits = gap.size - joints.signs.size, joints.bound.size
    for k in range(limits):
        gap[first + k] = joints.signs[k] * (q[joints.position[k]] - joints.bound[k])
    for k in range(limits, joints.signs.size):
        gap[first + k] = 0.0
