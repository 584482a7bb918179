"""Feet of a robot: those that a scenario names, or those that it stands on at the start.

They are found in the tree of its links: its base, and which link carries which.
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, RigidBody

from footfall.arrays import Array, Indices
from footfall.errors import ScenarioError
from footfall.feet.ground_contacts import GroundContacts, ground_contacts, uneven_ground
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import joints_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.names import fitting

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
        links = []
        while body in self.parents:
            body = self.parents[body]
            links.append(body)
        return links


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


# of the robot's height, as far as its shapes reach above the lowest point
_TOUCHES = 0.01  # a link this little above the lowest point stands on the ground, too
_LIFTED = 0.1  # an end of a limb this little above it is a foot in the air
_LEAST = 1e-3  # m: rounding of feet in files


@dataclass(frozen=True)
class Feet:
    """Feet of a robot, by their places in ``names``.

    links: of every foot; the frame of the first is the frame of the foot. of_contact (n,): the foot
    of each reported contact with the ground, -1 for every other contact. bearing (n,): whether it
    is one of the robot with the ground, be it of a foot or not.
    """

    names: tuple[str, ...]
    links: tuple[tuple[RigidBody, ...], ...]
    tree: RobotTree
    ground: GroundContacts
    of_contact: Indices
    bearing: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        """Count the feet."""
        return len(self.names)


def find_feet(
    model: Model, contacts: ContactSet, state: Array, named: Mapping[str, Sequence[str]]
) -> Feet | None:
    """Return the feet of a robot, none for one that cannot meet the ground; None if nothing moves.

    state: [q; v] at the start. named: links or patterns by the name of the foot; where there are
    none, feet are found: links that stand on the ground at the start (nothing higher than 1 % of
    the robot's height above its lowest point), and ends of limbs that are hardly lifted (10 %);
    over uneven ground heights are those over its plane or its surface, whichever finds more. A link
    that carries exactly one other foot, as a heel carries toes, makes one foot with it; one
    that carries several, such as a trunk that lies on the ground, is none. Raises ScenarioError for
    a name that fits no link that can meet the ground, and for a link in two feet.
    """
    plant = model.plant
    tree = robot_tree(plant)
    ground = ground_contacts(plant, contacts)
    reaching = [BodyIndex(index) for index in np.unique(ground.body[ground.body >= 0])]
    groups: dict[str, list[RigidBody]] = {}
    if named:
        groups = _named(named, [plant.get_body(index) for index in reaching])
    if tree is None:
        return None
    if not named and reaching:
        movable = {int(body.index()) for body in tree.bodies}
        standings = []
        for heights in _heights(model, contacts, state):
            of_robot = {body: heights[body] for body in heights if body in movable}
            standings.append(_standing(of_robot, tree))
        standing = max(standings, key=len)
        groups = _called([[plant.get_body(BodyIndex(b)) for b in foot] for foot in standing])
    of_body = np.full(plant.num_bodies(), -1, dtype=np.int64)
    for number, links in enumerate(groups.values()):
        of_body[[int(link.index()) for link in links]] = number
    of_contact = np.where(ground.body >= 0, of_body[ground.body], -1)
    own = np.isin(ground.body, [int(body.index()) for body in tree.bodies])
    bearing = (ground.body >= 0) & own | (of_contact >= 0)
    of_feet = tuple(map(tuple, groups.values()))
    return Feet(tuple(groups), of_feet, tree, ground, of_contact, bearing)


def _named(
    named: Mapping[str, Sequence[str]], reaching: Sequence[RigidBody]
) -> dict[str, list[RigidBody]]:
    """Links of feet by name."""
    by_name = {body.scoped_name().get_full(): body for body in reaching}
    plain = {full: body.name() for full, body in by_name.items()}
    groups: dict[str, list[RigidBody]] = {}
    taken: dict[str, str] = {}
    for foot, names in named.items():
        where = f"feet.{foot}"
        if not names:
            raise ScenarioError(f"{where} names no link: give one or more.")
        fitted = dict.fromkeys(
            full
            for name in names
            for full in fitting(name, plain, where, "link", " that can meet the ground")
        )
        for full in fitted:
            if full in taken:
                message = f"{where}: link '{full}' is in feet.{taken[full]} already: name it once."
                raise ScenarioError(message)
            taken[full] = foot
        groups[foot] = [by_name[full] for full in fitted]
    return groups


def _heights(
    model: Model, contacts: ContactSet, state: Array
) -> list[dict[int, tuple[float, float]]]:
    """Least and largest gap [m] of every link that can meet the ground, at a state.

    Over uneven ground they are found twice: over its plane alone, and over its surface.
    """
    dynamics = Dynamics(model, contacts)
    dynamics.set_state(state)
    gap, p_WC = dynamics.gaps()
    uneven = uneven_ground(model, contacts)
    if uneven is None:
        return [_by_link(model, contacts, gap)]
    level, over = np.full_like(gap, np.inf), gap.copy()
    points = slice(contacts.num_ground)
    level[points] = gap[points]
    over[points] -= uneven.heights(p_WC[points])
    return [_by_link(model, contacts, level), _by_link(model, contacts, over)]


def _by_link(model: Model, contacts: ContactSet, gap: Array) -> dict[int, tuple[float, float]]:
    """Least and largest of the gaps (n,) [m] of every link that can meet the ground."""
    ground = ground_contacts(model.plant, contacts)
    body = ground.body[contacts.reported_as]
    known = (body >= 0) & np.isfinite(gap)
    return {
        int(index): (
            float(gap[known & (body == index)].min()),
            float(gap[known & (body == index)].max()),
        )
        for index in np.unique(body[known])
    }


def _standing(heights: Mapping[int, tuple[float, float]], tree: RobotTree) -> list[list[int]]:
    """Groups of links that are feet, by the least and largest gap of links."""
    if not heights:
        return []
    lowest = min(least for least, _ in heights.values())
    height = max(most for _, most in heights.values()) - lowest
    touching = {
        body
        for body, (least, _) in heights.items()
        if least - lowest <= max(_LEAST, _TOUCHES * height)
    }
    carrying = {inner for body in heights for inner in tree.ancestors(body)}
    lifted = {
        body
        for body, (least, _) in heights.items()
        if body not in carrying and least - lowest <= _LIFTED * height
    }
    feet = touching | lifted
    ends = [body for body in feet if not any(body in tree.ancestors(other) for other in feet)]
    groups = {body: [body] for body in ends}
    for inner in feet - set(ends):
        outer = [body for body in ends if inner in tree.ancestors(body)]
        if len(outer) == 1:
            groups[outer[0]].append(inner)
    # the link next to the trunk first: its frame is the foot's
    nearest_first = [
        sorted(group, key=lambda b: len(tree.ancestors(b))) for group in groups.values()
    ]
    return sorted(nearest_first)


def _called(groups: Sequence[Sequence[RigidBody]]) -> dict[str, list[RigidBody]]:
    """Feet by the name of their first link, with its model's before it where two share it."""
    times = Counter(group[0].name() for group in groups)
    return {
        group[0].name() if times[group[0].name()] == 1 else group[0].scoped_name().get_full(): list(
            group
        )
        for group in groups
    }
