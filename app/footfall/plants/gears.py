"""Gears between joints, whose followers take what their leaders have: q_f = ratio q_l + offset."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.plants.constraints import Constraint, Coupler
from footfall.plants.plant_check import require_joints


class Gear(NamedTuple):
    """Places of follower and leader among positions, and among velocities; the law between them."""

    positions: tuple[int, int]
    velocities: tuple[int, int]
    ratio: float
    offset: float


def gears_of(plant: MultibodyPlant, constraints: Sequence[Constraint]) -> list[Gear]:
    """Return the couplers among constraints; raises ModelError for joints that are not there."""
    found = []
    for coupler in constraints:
        if isinstance(coupler, Coupler):
            one, other = require_joints(plant, [coupler.joint0, coupler.joint1])
            positions = one.position_start(), other.position_start()
            velocities = one.velocity_start(), other.velocity_start()
            found.append(Gear(positions, velocities, coupler.gear_ratio, coupler.offset))
    return found


def geared(gears: Sequence[Gear], q: Array, named: Collection[int]) -> Array:
    """Return positions q (nq,) that gears agree with, as far as those at the named places let them.

    Followers follow named leaders, leaders named followers; where neither is named, the leader
    stays.
    """
    laws = [(*gear.positions, gear.ratio, gear.offset) for gear in gears]
    return _followed(laws, q, named)


def geared_rates(gears: Sequence[Gear], v: Array, named: Collection[int]) -> Array:
    """Return velocities v (nv,) likewise."""
    return _followed([(*gear.velocities, gear.ratio, 0.0) for gear in gears], v, named)


def _followed(
    laws: Sequence[tuple[int, int, float, float]], values: Array, named: Collection[int]
) -> Array:
    found, known = values.copy(), set(named)
    roots = {leader for _, leader, _, _ in laws} - {follower for follower, _, _, _ in laws}
    for more in (set[int](), roots):  # who is named decides before who merely leads
        known |= more
        for _ in laws:  # a chain may be listed from its end
            for follower, leader, ratio, offset in laws:
                if leader in known and follower not in known:
                    found[follower] = ratio * found[leader] + offset
                    known.add(follower)
                elif follower in known and leader not in known and ratio != 0.0:
                    found[leader] = (found[follower] - offset) / ratio
                    known.add(leader)
    return found
