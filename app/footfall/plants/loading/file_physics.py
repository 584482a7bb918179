"""Reading of model files beyond Drake's tags: friction, restitution, gravity, filters, springs.

``read_physics`` reads it from a URDF or SDF file, by the table of ``physics_tags``; `add_to_plant`
and `give_to_shapes` carry it out in every plant of the model, so that all engines have it.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pydrake.geometry import (
    CollisionFilterDeclaration,
    GeometryId,
    GeometrySet,
    ProximityProperties,
    Role,
    RoleAssign,
    SceneGraph,
    SceneGraphInspector,
)
from pydrake.multibody.plant import CoulombFriction, MultibodyPlant
from pydrake.multibody.tree import PrismaticJoint, PrismaticSpring, RevoluteJoint, RevoluteSpring

from footfall.plants.loading.file_check import XmlModel
from footfall.plants.loading.file_constraints import Scope
from footfall.plants.loading.physics_tags import (
    GUESSED,
    Found,
    find_tags,
    is_zero,
    line_about,
    lines_about,
)
from footfall.plants.loading.xml_tree import Node
from footfall.plants.names import find_body, require_joints
from footfall.plants.terrain import LARGEST_FRICTION
from footfall.wording import listed

_ALL_BITS = 0xFFFF  # mask of shapes that have none, such as the ground
_RESTITUTION = ("footfall", "restitution")  # a property of geometries


class Spring(NamedTuple):
    """A spring of a joint ``model::joint``: stiffness [N m/rad or N/m], rest [rad or m]."""

    joint: str
    stiffness: float
    rest: float


@dataclass
class Surface:
    """Statements of a file about the shapes of a link, or of the one that is named."""

    model: str
    link: str
    shape: str
    friction: list[float] = field(default_factory=list)
    restitution: float | None = None
    bitmask: int = _ALL_BITS


@dataclass
class FilePhysics:
    """Statements of files, by full names, ``model::name``, and lines about what is not taken over.

    weightless: models without gravity. apart: links that do not collide with each other, a list for
    each file. joint_friction: dry friction [N m or N]. guessed: links without a mass or an
    inertia, with their places.
    """

    surfaces: list[Surface] = field(default_factory=list)
    weightless: list[str] = field(default_factory=list)
    apart: list[list[str]] = field(default_factory=list)
    springs: list[Spring] = field(default_factory=list)
    joint_friction: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    guessed: dict[str, str] = field(default_factory=dict)

    def add(self, other: "FilePhysics") -> None:
        """Take in what another file says."""
        for name in ("surfaces", "weightless", "apart", "springs", "notes"):
            getattr(self, name).extend(getattr(other, name))
        self.joint_friction |= other.joint_friction
        self.guessed |= other.guessed


def read_physics(model: XmlModel, scope: Scope) -> FilePhysics:
    """Read a file whose model has the given scope; models that it includes are files of their own.

    Raises ModelError for a number that is none, or out of bounds.
    """
    return _Reader(model, scope).read()


class _Reader:
    """Makes values of the tags of a file."""

    def __init__(self, model: XmlModel, scope: Scope) -> None:
        self._model, self._scope, self._path = model, scope, model.path
        self._found = find_tags(model.root, "URDF" if model.is_urdf else "SDF")
        self._result = FilePhysics()

    def read(self) -> FilePhysics:
        result = self._result
        self._read_surfaces()
        self._read_gravity()
        result.apart += [self._apart()]
        for each in self._of("dry"):
            result.joint_friction[self._full(each, "joint")] = each.number(self._path)
        for each in self._of("guessed"):
            result.guessed[self._full(each, "link")] = self._place(each)
        self._read_springs()
        self._tell("velocity limit of 0", "counts as none", filter(_idle, self._of("velocity")))
        result.notes += lines_about(self._found, self._place)
        lost = self._of("lost")
        if lost:
            names = ", ".join(dict.fromkeys(each.text for each in lost))
            result.notes.append(
                f"{self._place(lost[0])}: <gazebo reference> names {names}, which the file does "
                "not have: such a block is left out"
            )
        return result

    def _place(self, tag: Found) -> str:
        return f"{self._path}:{tag.line}"

    def _of(self, key: str) -> list[Found]:
        return [each for each in self._found if each.row.key == key]

    def _tell(self, means: str, does: str, tags: Iterator[Found] | Sequence[Found]) -> None:
        tags = list(tags)
        if tags:
            self._result.notes.append(line_about(self._place(tags[0]), means, does, tags))

    def _read_surfaces(self) -> None:
        surfaces: dict[tuple[str, ...], Surface] = {}
        unequal = []
        own = set(_with_own_friction(self._model.root, ""))
        for each in self._of("mu") + self._of("e_n") + self._of("bitmask"):
            link, shape = each.named("link"), each.named("collision")
            at = (self._model_of(each), link, shape)
            one = surfaces.setdefault(at, Surface(*at))
            if each.row.key == "e_n":
                one.restitution = each.number(self._path, most=1.0)
            elif each.row.key == "bitmask":
                one.bitmask = self._bits(each)
            elif (link, shape) not in own and (shape or all(link != has for has, _ in own)):
                one.friction.append(min(each.number(self._path), LARGEST_FRICTION))
                unequal += [each] if len(set(one.friction)) > 1 else []
        self._result.surfaces += surfaces.values()
        means = "friction that differs by direction"
        self._tell(means, "the smaller coefficient acts in all directions", unequal)

    def _bits(self, tag: Found) -> int:
        try:
            return int(tag.text, 0)
        except ValueError:
            self._model.refuse(
                self._model.root, f"<{tag.name}> is '{tag.text}'; write a whole number."
            )

    def _read_gravity(self) -> None:
        """Find the models all of whose links with mass have no gravity, and tell of the others."""
        off = [each for each in self._of("weightless") if each.is_yes == (each.row.form != "SDF")]
        links: dict[str, set[str]] = {}
        for each in off:
            links.setdefault(self._model_of(each), set()).add(each.named("link"))
        for model, weightless in links.items():
            some = next(each for each in off if self._model_of(each) == model)
            heavy = [
                link.attributes.get("name", "")
                for link in self._links_beside(some)
                if not self._model.is_urdf or link.find("inertial") is not None
            ]
            if weightless.issuperset(heavy):
                self._result.weightless.append(model)
        partly = [each for each in off if self._model_of(each) not in self._result.weightless]
        means, does = "links without gravity", "left out: it is off for all links of a model, or on"
        self._tell(means, does, partly)

    def _apart(self) -> list[str]:
        """Links that do not collide with each other: as they say, else as their model says."""
        tags = self._of("apart")
        answers = {self._full(each, "link"): each.is_yes for each in tags if each.owner("link")}
        for each in tags:
            if not each.owner("link"):
                for link in self._links_beside(each):
                    name = link.attributes.get("name", "")
                    answers.setdefault(f"{self._model_of(each)}::{name}", each.is_yes)
        return [link for link, together in answers.items() if not together]

    def _read_springs(self) -> None:
        rest = {self._full(x, "joint"): x.number(self._path, -math.inf) for x in self._of("rest")}
        odd = []
        for each in self._of("stiffness"):
            name, stiffness, joint = self._full(each, "joint"), each.number(self._path), None
            for child in self._model.root.children:
                joint = child if child.attributes.get("name") == each.named("joint") else joint
            if joint is None or joint.attributes.get("type") not in _SPRUNG:
                odd.append(each)
            elif stiffness > 0.0:
                self._result.springs.append(Spring(name, stiffness, rest.get(name, 0.0)))
        self._tell("spring of a joint", "left out: only joints of one coordinate have one", odd)

    def _links_beside(self, tag: Found) -> list[Node]:
        """Links of the model that a tag is in."""
        owner = tag.owner("model")
        node = self._model.root if self._model.is_urdf or owner is None else owner.element
        return [child for child in node.children if child.tag == "link"]

    def _model_of(self, tag: Found) -> str:
        """Full name of the model that a link or joint is in."""
        nested = [owner.name for owner in tag.owners if owner.kind == "model"][1:]
        return "::".join([self._scope.given, *([] if self._model.is_urdf else nested)])

    def _full(self, tag: Found, kind: str) -> str:
        """Full name; Drake counts a joint to the model of its child, which may be a nested one."""
        model, owner = self._model_of(tag), tag.owner(kind)
        child = owner.element.find("child") if owner else None
        inner = child.text.strip().rpartition("::")[0] if child is not None else ""
        return "::".join([model, *([inner] if inner else []), tag.named(kind)])


_SPRUNG = ("revolute", "continuous", "prismatic")


def _idle(tag: Found) -> bool:
    """Say whether a limit of 0 stops what has an actuator."""
    owner = tag.owner("limit")
    if owner is None:
        return False
    inside = owner.element.find("effort")
    efforts = (
        owner.element.attributes.get("effort", "0"),
        inside.text if inside is not None else "0",
    )
    return is_zero(tag.text) and not all(map(is_zero, efforts))


def _with_own_friction(node: Node, link: str) -> Iterator[tuple[str, str]]:
    """Link and name of the shapes whose friction Drake's own tags give."""
    name = node.attributes.get("name", "")
    if node.tag == "collision":
        own = node.find("drake:proximity_properties")
        if own is not None and any(child.tag.startswith("drake:mu_") for child in own.children):
            yield link, name
    for child in node.children:
        yield from _with_own_friction(child, name if node.tag == "link" else link)


def notes_on(plant: MultibodyPlant, physics: FilePhysics) -> list[str]:
    """Return the lines about what files leave out or say in vain; of links that move alone."""
    fixed = {body.scoped_name().get_full() for body in plant.GetBodiesWeldedTo(plant.world_body())}
    moving = {link: place for link, place in physics.guessed.items() if link not in fixed}
    if not moving:
        return physics.notes
    links = listed([link.rpartition("::")[2] for link in moving])
    place = next(iter(moving.values()))
    return [*physics.notes, f"{place}: mass or inertia that is not given, of {links}: {GUESSED}"]


def add_to_plant(plant: MultibodyPlant, physics: FilePhysics) -> None:
    """Give springs and gravity to a plant that is not finalized."""
    for spring in physics.springs:
        (joint,) = require_joints(plant, [spring.joint])
        if isinstance(joint, RevoluteJoint):
            plant.AddForceElement(RevoluteSpring(joint, spring.rest, spring.stiffness))
        elif isinstance(joint, PrismaticJoint):
            plant.AddForceElement(PrismaticSpring(joint, spring.rest, spring.stiffness))
    for model in physics.weightless:
        if plant.HasModelInstanceNamed(model):
            plant.set_gravity_enabled(plant.GetModelInstanceByName(model), False)


def give_to_shapes(plant: MultibodyPlant, scene_graph: SceneGraph, physics: FilePhysics) -> None:
    """Give friction, restitution and filters to the shapes of a finalized plant."""
    inspector, filters = scene_graph.model_inspector(), scene_graph.collision_filter_manager()
    masks = dict.fromkeys(inspector.GetAllGeometryIds(Role.kProximity), _ALL_BITS)
    for surface in physics.surfaces:
        for geometry in _shapes(plant, f"{surface.model}::{surface.link}"):
            name = inspector.GetName(geometry).rpartition("::")[2]
            if surface.shape not in ("", name):
                continue
            masks[geometry] &= surface.bitmask
            properties = ProximityProperties(inspector.GetProximityProperties(geometry))
            if surface.friction:
                mu = min(surface.friction)
                properties.UpdateProperty("material", "coulomb_friction", CoulombFriction(mu, mu))
            if surface.restitution is not None:
                properties.UpdateProperty(*_RESTITUTION, surface.restitution)
            source = plant.get_source_id()
            scene_graph.AssignRole(source, geometry, properties, RoleAssign.kReplace)
    for links in physics.apart:
        shapes = [geometry for link in links for geometry in _shapes(plant, link)]
        filters.Apply(CollisionFilterDeclaration().ExcludeWithin(GeometrySet(shapes)))
    sets = {mask: [g for g, own in masks.items() if own == mask] for mask in set(masks.values())}
    for a, b in itertools.combinations_with_replacement(sets, 2):
        if a & b == 0:
            pair = GeometrySet(sets[a]), GeometrySet(sets[b])
            filters.Apply(CollisionFilterDeclaration().ExcludeBetween(*pair))


def _shapes(plant: MultibodyPlant, link: str) -> list[GeometryId]:
    """Collision shapes of a link by full name; none of a link that Drake calls otherwise."""
    body = find_body(plant, link)
    return [] if body is None else list(plant.GetCollisionGeometriesForBody(body))


def restitution_of(inspector: SceneGraphInspector, geometry: GeometryId) -> float:
    """Return the coefficient of restitution that a file gives a shape; 0 where it gives none."""
    properties = inspector.GetProximityProperties(geometry)
    return float(properties.GetPropertyOrDefault(*_RESTITUTION, 0.0))
