"""Kinematic tree of a robot: its links, its base and which link carries which."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, RigidBody

from footfall.plants.joints import joints_of

_HAS_MASS = 1e-3  # of the robot's mass: what is lighter is no base but a helper between joints


@dataclass(frozen=True)
class RobotTree:
    """Links that move together with a base; of several trees in a plant, the heaviest.

    parents: of every link of the plant but the world, by index of the body. mass [kg]: of bodies.
    """

    base: RigidBody
    bodies: tuple[RigidBody, ...]
    mass: float
    parents: Mapping[int, int]

    def ancestors(self, body: int) -> list[int]:
        """Links that carry a link, the nearest first, the world last."""
        found = []
        while body in self.parents:
            body = self.parents[body]
            found.append(body)
        return found


def robot_tree(plant: MultibodyPlant) -> RobotTree | None:
    """Find the heaviest tree of links that can move; None where nothing moves.

    Its base is the link that is fewest moving joints away from the world: of those that have mass,
    and of several the heaviest.
    """
    parents, depths = _walk(plant)
    trees: dict[int, list[RigidBody]] = {}
    for index, depth in depths.items():
        if depth == 0:
            continue
        root = index
        while depths[parents[root]] > 0:
            root = parents[root]
        trees.setdefault(root, []).append(plant.get_body(BodyIndex(index)))
    if not trees:
        return None
    bodies = max(trees.values(), key=_mass)
    mass = _mass(bodies)
    heavy = [body for body in bodies if body.default_mass() >= _HAS_MASS * mass] or bodies
    base = min(heavy, key=lambda body: (depths[int(body.index())], -body.default_mass()))
    return RobotTree(base, tuple(bodies), mass, parents)


def _mass(bodies: list[RigidBody]) -> float:
    return float(sum(body.default_mass() for body in bodies))


def _walk(plant: MultibodyPlant) -> tuple[dict[int, int], dict[int, int]]:
    """Parent of every body, and its number of moving joints from the world, by breadth first."""
    neighbours: dict[int, list[tuple[int, bool]]] = {}
    for joint in joints_of(plant):
        a, b = int(joint.parent_body().index()), int(joint.child_body().index())
        moves = joint.num_velocities() > 0
        neighbours.setdefault(a, []).append((b, moves))
        neighbours.setdefault(b, []).append((a, moves))
    parents: dict[int, int] = {}
    depths, waiting = {0: 0}, deque([0])
    while waiting:
        inner = waiting.popleft()
        for outer, moves in neighbours.get(inner, []):
            if outer not in depths:
                parents[outer], depths[outer] = inner, depths[inner] + int(moves)
                waiting.append(outer)
    return parents, depths
