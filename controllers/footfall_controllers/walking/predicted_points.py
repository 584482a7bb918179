"""Targets of a walk as points of the robot, for the cost of optimal predictive control.

The thesis of the humanoid leads O1 at the hips, G1 at the mass centre of the trunk and the swinging
heel. Here O1 goes as the centre of mass is to go, G1 stays above it along the trunk, and corners of
the swinging sole say where it is and how it is turned.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall_controllers.walking.footsteps import WalkingFoot
from footfall_controllers.whole_body.tasks import Reference, Targets
from footfall_controllers.whole_body.terms import LinkMotion, RobotTerms

_SOLE = 3  # corners that say how a sole is turned
TRUNK, ABOVE = "trunk/origin", "trunk/above"
"""Tasks of the trunk's origin, and of a point above it."""


def corner_names(foot: str, corners: Array) -> list[str]:
    """Return the tasks of a swinging foot: one for each of its first corners."""
    return [f"corner/{foot}/{k}" for k in range(min(len(corners), _SOLE))]


@dataclass(frozen=True, eq=False)
class Hips:
    """Origin of the trunk: place p and velocity v now (3,) [m, m/s].

    rise: of it over the centre of mass at the start [m]. lean (2, 2): motion of the centre of mass
    over that of the trunk along the ground, while all feet stand and the trunk does not turn.
    """

    p: Array
    v: Array
    rise: float
    lean: Array

    def reference(self, com: Reference, height: Reference) -> Reference:
        """Motion that gives the centre of mass its acceleration and height, from where it is."""
        along = np.append(np.linalg.solve(self.lean, com.acceleration[:2]), 0.0)
        level = np.array([1.0, 1.0, 0.0])
        rise = np.array([0.0, 0.0, self.rise])
        return Reference(
            self.p * level + height.value + rise,
            self.v * level + height.rate,
            along + height.acceleration,
        )


def lean_of(terms: RobotTerms, trunk: str, feet: Iterable[WalkingFoot]) -> Array:
    """Motion of the centre of mass over that of a trunk (2, 2), while feet stand; see `Hips`."""
    J = terms.link(trunk).J
    held = np.vstack([*(_held(terms.link(foot.link), foot) for foot in feet), J[:3], J[5:]])
    moves = np.linalg.pinv(np.vstack([held, J[3:5]]))[:, -2:]
    return terms.J_com[:2] @ moves


def _held(link: LinkMotion, foot: WalkingFoot) -> Array:
    """Jacobian of what stands: a sole does not turn, a point may."""
    return link.J if len(foot.corners) >= _SOLE else link.at(foot.centre)[2]


def in_points(
    targets: Targets, hips: Hips, above: float, soles: Mapping[str, tuple[Array, Array]]
) -> Targets:
    """Return the same targets as points of the trunk and of the swinging soles.

    above: of the second point of the trunk over the first [m]; soles: of each foot corners and
    their middle, in its link (n, 3), (3,) [m].
    """
    given = targets.tasks
    origin = hips.reference(given["com"], given["height"])
    up = above * given["trunk"].value[:, 2]
    tasks = {TRUNK: origin, ABOVE: Reference(origin.value + up, origin.rate, origin.acceleration)}
    active: dict[str, float] = {}
    for foot, (corners, middle) in soles.items():
        names = corner_names(foot, corners)
        active |= dict.fromkeys(names, targets.active[f"place/{foot}"])
        place = given.get(f"place/{foot}")
        if place is None:
            continue
        R = given[f"turn/{foot}"].value
        for name, corner in zip(names, corners, strict=False):
            p = place.value + R @ (corner - middle)
            tasks[name] = Reference(p, place.rate, place.acceleration)
    return Targets(tasks, active, targets.contacts, targets.normals)
