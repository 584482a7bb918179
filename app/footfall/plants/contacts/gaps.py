"""All gaps of a contact set in one kernel: points on the ground, pairs, limits, dry joints."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit, scratch_njit
from footfall.plants.contacts.contact_set import JointFriction
from footfall.plants.contacts.ground import GroundTable, measure_fixed, measure_hulls_and_round
from footfall.plants.contacts.pairs import GapScratch, PairTable, measure_pairs
from footfall.plants.coordinates import JointLimit


class JointTable(NamedTuple):
    """Joint limits, and behind them dry joints, which come last in a contact set.

    position (n,) and bounds (n, 2): of limits, and their signs and bounds [m or rad]; -1 and
    anything of dry joints.
    """

    position: Indices
    bounds: Array


def joint_table(limits: Sequence[JointLimit], frictions: Sequence[JointFriction]) -> JointTable:
    """Take the limits, and the dry joints, which come behind them."""
    dry = len(frictions)
    position = [limit.position for limit in limits] + [-1] * dry
    bounds = [(limit.sign, limit.bound) for limit in limits] + [(1.0, 0.0)] * dry
    return JointTable(np.array(position, dtype=np.int64), np.array(bounds).reshape(-1, 2))


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


@scratch_njit
def measure_simple(
    ground: GroundTable, joints: JointTable, poses: Array, q: Array, gap: Array, place: Array
) -> None:
    """Fill in gaps and places of all contacts but those of pairs; see ``measure_gaps``."""
    measure_fixed(ground.links, ground.points, ground.plane, ground.spans, poses, gap, place)
    measure_joints(joints.position, joints.bounds, q, gap)
    if ground.hulls.shape[0] + ground.moving.shape[0] > 0:
        measure_hulls_and_round(ground, poses, gap, place)


@scratch_njit
def measure_joints(position: Indices, bounds: Array, q: Array, gap: Array) -> None:
    """Fill in the gaps of limits and dry joints, which come last; see ``JointTable``."""
    first = gap.size - position.size
    for k in range(position.size):
        at = position[k]
        gap[first + k] = bounds[k, 0] * (q[at] - bounds[k, 1]) if at >= 0 else 0.0
