"""Check of one URDF or SDF file before Drake reads it.

Drake passes over tags of URDF that it does not know, replaces an unphysical inertia by a guess, and
ends the interpreter on crossed limits and negative sizes; here each is one line that names the
file, the line and the link or joint. The tags are those of ``plants/tags.yaml``.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from footfall.errors import ModelError
from footfall.plants.loading.xml_tree import Node, number_of, read_xml
from footfall.plants.messages import did_you_mean, tag_tables, words

_TABLES = tag_tables()
_OF_OTHERS = words(_TABLES["of_others"])
_FOREIGN_INSIDE = {parent: words(tags) for parent, tags in _TABLES["inside"].items()}
_FOREIGN_ATTRIBUTES = {tag: words(names) for tag, names in _TABLES["attributes"].items()}
_TEXT = frozenset(("type", "mechanicalReduction", "hardwareInterface"))
MOST_WORLD_SHAPES = 13
"""Collision shapes that models may give the world itself, beside the ground's half-space.

Drake keeps what is fixed to the world's frame in one tree of boxes, and the half-space's box has no
end. A tree deeper than log2 of its leaves by ten is made anew, which ends the interpreter where a
box has no end. 13 is the largest n for which n - log2(n + 1) < 10.
"""

# Round-off that Drake grants to the triangle inequality, relative to the trace.
_TRIANGLE_TOLERANCE = 1e-14
_OR_REPAIR = ", or let `footfall repair` do so in a copy of the file"
_MESH_SUFFIXES = (".obj", ".vtk", ".gltf")
_NOT_NEGATIVE = words(
    "radius length size radii damping drake:damping drake:mu_dynamic drake:mu_static "
    "drake:hunt_crossley_dissipation drake:relaxation_time drake:point_contact_stiffness "
    "drake:hydroelastic_modulus drake:rotor_inertia drake:gear_ratio"
)
_FINITE = words("radius length size radii damping drake:mu_dynamic drake:mu_static")
_NOT_NEGATIVE_IN_URDF = _NOT_NEGATIVE | {"velocity"}  # in SDFormat -1 means no limit
_NAMED = words("link joint drake:joint frame model")
_MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
# Subtrees that Drake does not read.
_FOREIGN = words("gazebo plugin sensor script ros2_control mujoco light actor")


@dataclass(frozen=True)
class _Tag:
    attributes: frozenset[str]
    children: frozenset[str]


# by tag, or by parent/tag where the same tag means different things
_URDF = {
    tag: _Tag(*(words(known.get(part, "")) for part in ("attributes", "children")))
    for tags, known in _TABLES["urdf"].items()
    for tag in tags.split()
}


def check_urdf_tags(root: Node, path: Path) -> None:
    """Raise ModelError for the first tag, attribute or text that Drake would pass over."""
    if root.tag != "robot":
        raise ModelError(
            f"{path}:{root.line}: a URDF begins with <robot>, not <{root.tag}>; "
            "name the file after its format (.urdf, .sdf)."
        )
    _check(root, "", path)


def is_foreign(tag: str, parent: str) -> bool:
    """Say whether a tag inside another is known to be meant for other programs."""
    return tag in _OF_OTHERS or tag in _FOREIGN_INSIDE.get(parent, ()) or not _is_ours(tag)


def is_misplaced(tag: str, parent: str, above: str) -> bool:
    """Say whether nobody is known to read a tag inside a parent, which is inside ``above``."""
    known = _known(parent, above)
    return known is not None and tag not in known.children and not is_foreign(tag, parent)


def is_misplaced_attribute(attribute: str, tag: str, parent: str) -> bool:
    """Say whether nobody is known to read an attribute of a tag inside a parent."""
    known = _known(tag, parent)
    if known is None or not _is_ours(attribute):
        return False
    return attribute not in known.attributes | _FOREIGN_ATTRIBUTES.get(tag, frozenset())


def _known(tag: str, parent: str) -> _Tag | None:
    """Return what Drake reads of a tag; None in a foreign block, which Drake reports itself."""
    return _URDF.get(f"{parent}/{tag}") or _URDF.get(tag)


def _check(node: Node, parent: str, path: Path) -> None:
    known = _known(node.tag, parent)
    if known is None:
        return
    where = f"{path}:{node.line}"
    for attribute in node.attributes:
        if is_misplaced_attribute(attribute, node.tag, parent):
            raise ModelError(
                f"{where}: <{node.tag}> has no attribute {attribute} in URDF; "
                f"{did_you_mean(attribute, known.attributes)}"
            )
    if node.text.strip() and node.tag not in _TEXT:
        raise ModelError(
            f"{where}: the text '{_short(node.text)}' inside <{node.tag}> is not read; "
            f'URDF keeps values in attributes, as in <mass value="1"/>.'
        )
    for child in node.children:
        _check_child(child, node, known.children, path)


def _check_child(child: Node, node: Node, known: frozenset[str], path: Path) -> None:
    where = f"{path}:{child.line}"
    if child.tag.startswith("xacro:"):
        raise ModelError(
            f"{where}: <{child.tag}> is a macro; run xacro on the file first, or name it "
            f"{path.stem}.urdf.xacro to have that done."
        )
    if is_foreign(child.tag, node.tag):
        return
    if child.tag not in known:
        raise ModelError(
            f"{where}: <{child.tag}> inside <{node.tag}> is not a tag that Drake reads; "
            f"{did_you_mean(child.tag, known)}"
        )
    _check(child, node.tag, path)


def _is_ours(name: str) -> bool:
    """Return whether a name is plain or Drake's, not one of another namespace."""
    return (":" not in name and name != "xmlns") or name.startswith("drake:")


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 30 else words[:30] + " ..."


class XmlModel:
    """One .urdf or .sdf file that was found sound; raises ModelError if it is not."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_urdf = path.suffix.lower() == ".urdf"
        self.root = read_xml(path)
        if self.is_urdf:
            check_urdf_tags(self.root, path)
        for node in self._nodes():
            if node.tag in _NAMED:
                self._check_name(node)
            if node.tag == "link":
                self._check_inertial(node)
            elif node.tag in ("joint", "drake:joint"):
                self._check_limits(node)
                self._check_ends(node)
            elif node.tag in ("drake:ball_constraint", "drake:linear_spring_damper"):
                self._check_bodies(node)
            elif node.tag == "collision":
                self._check_collision_mesh(node)
            elif node.tag == "mimic" and not self.is_urdf:
                self.refuse(
                    node,
                    "<mimic> in an axis is not read by every Drake; write <drake:mimic joint= "
                    "multiplier= offset=/> into the joint.",
                )
            self._check_signs(node)

    def meshes(self) -> Iterator[tuple[Node, str]]:
        """The files that the model draws or collides with, each with the node that names it."""
        for node in self._nodes():
            if self.is_urdf and node.tag in ("mesh", "texture"):
                name = node.attributes.get("filename", "").strip()
                if name or node.tag == "mesh":  # many files have an empty texture
                    yield node, name
            elif not self.is_urdf and node.tag == "mesh":
                yield node, text_of(node.find("uri"))
            elif not self.is_urdf and node.tag == "drake:diffuse_map":
                yield node, text_of(node)

    def _nodes(self) -> Iterator[Node]:
        return _ours(self.root)

    def refuse(self, node: Node, message: str) -> NoReturn:
        """Raise ModelError with the file and the line before the message."""
        raise ModelError(f"{self.path}:{node.line}: {' '.join(message.split())}")

    def _number(self, node: Node | None, key: str, default: float, owner: str) -> float:
        """Number under a key: an attribute or a child's `value` in URDF, a child's text in SDF."""
        if node is None:
            return default
        child = node.find(key)
        if self.is_urdf:
            text = node.attributes.get(key) if child is None else child.attributes.get("value")
        else:
            text = None if child is None else child.text
        return default if text is None else self.number(node, text, f"{key} of {owner}")

    def number(self, node: Node, text: str, what: str) -> float:
        """One number, or a refusal that says of what."""
        number = number_of(text)
        if math.isnan(number):
            self.refuse(node, f"{what} is '{text.strip()}'; write one number.")
        return number

    def _check_name(self, node: Node) -> None:
        """Refuse a name that Drake takes for one of another model, or that ends its process."""
        name = node.attributes.get("name", "")
        if "::" in name or name.startswith(":") or name.endswith(":"):
            self.refuse(
                node,
                f"<{node.tag}> is called '{name}', but '::' stands between the names of a model "
                "and its part; write another name, such as "
                f"'{name.replace('::', '_').strip(':') or 'a'}'.",
            )

    def _check_inertial(self, link: Node) -> None:
        inertial = link.find("inertial")
        if inertial is None or inertial.attributes.get("auto") == "true":
            return
        owner = f"link '{link.attributes.get('name', '?')}'"
        # SDFormat takes 1 kg and 1 kg m^2 for granted, URDF nothing.
        usual = 0.0 if self.is_urdf else 1.0
        mass = self._number(inertial, "mass", usual, owner)
        inertia = inertial.find("inertia")
        xx, yy, zz, xy, xz, yz = (
            self._number(inertia, key, usual if key[1] == key[2] else 0.0, owner)
            for key in _MOMENTS
        )
        moments = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if mass < 0.0 or not math.isfinite(mass):
            self.refuse(
                inertial, f"{owner} has mass {mass:g} kg; give a finite mass that is not negative."
            )
        if not np.isfinite(moments).all():
            self.refuse(inertial, f"{owner} has an infinite inertia; write finite numbers.")
        if mass == 0.0 and moments.any():
            self.refuse(
                inertial,
                f"{owner} has inertia but no mass; give it mass, or no inertia either{_OR_REPAIR}.",
            )
        principal = np.linalg.eigvalsh(moments)
        slack = _TRIANGLE_TOLERANCE * abs(xx + yy + zz)
        if principal[0] < -slack or principal[2] > principal[0] + principal[1] + slack:
            values = ", ".join(f"{value:g}" for value in principal)
            self.refuse(
                inertial,
                f"{owner} has principal moments {values} kg m^2, which no body has (none may be "
                f"negative or exceed the sum of the other two); correct its <inertia>{_OR_REPAIR}.",
            )

    def _check_limits(self, joint: Node) -> None:
        owner = f"joint '{joint.attributes.get('name', '?')}'"
        places = [("limit",)] if self.is_urdf else [("axis", "limit"), ("axis2", "limit")]
        for path in places:
            limit = joint.find(*path)
            lower = self._number(limit, "lower", -math.inf, owner)
            upper = self._number(limit, "upper", math.inf, owner)
            if limit is not None and lower > upper:
                self.refuse(
                    limit,
                    f"{owner} has its lower limit {lower:g} above its upper limit {upper:g}; "
                    "exchange them.",
                )

    def _check_ends(self, joint: Node) -> None:
        """The links that a joint of a URDF joins; an SDF file may name those of another."""
        if not self.is_urdf:
            return
        links = {
            child.attributes.get("name", "") for child in self.root.children if child.tag == "link"
        }
        for end in (joint.find("parent"), joint.find("child")):
            link = "world" if end is None else end.attributes.get("link", "")
            if end is not None and link not in links | {"world"}:
                self.refuse(
                    end,
                    f"joint '{joint.attributes.get('name', '?')}' joins link '{link}', which the "
                    f"file does not have; {did_you_mean(link, links)}",
                )

    def _check_bodies(self, constraint: Node) -> None:
        for part in constraint.children:
            body = part.attributes.get("name", part.text.strip())
            if part.tag.endswith(("_body_A", "_body_B")) and body == "world":
                self.refuse(
                    part,
                    f"<{constraint.tag}> names the world, which Drake cannot constrain; "
                    "weld a link to the world and name that link.",
                )

    def _check_collision_mesh(self, collision: Node) -> None:
        mesh = collision.find("geometry", "mesh")
        if mesh is None:
            return
        name = mesh.attributes.get("filename", "") if self.is_urdf else text_of(mesh.find("uri"))
        if name and not name.strip().lower().endswith(_MESH_SUFFIXES):
            self.refuse(
                mesh,
                f"collision mesh '{name}' has a format that Drake does not collide; "
                f"convert it to one of {', '.join(_MESH_SUFFIXES)}{_OR_REPAIR}.",
            )

    def _check_signs(self, node: Node) -> None:
        """Refuse a negative size, friction or damping."""
        if self.is_urdf:
            values = {k: v for k, v in node.attributes.items() if k in _NOT_NEGATIVE_IN_URDF}
            if node.tag in _NOT_NEGATIVE:
                values[node.tag] = node.attributes.get("value", "")
        else:
            values = {node.tag: node.text} if node.tag in _NOT_NEGATIVE else {}
        for key, text in values.items():
            numbers = [self.number(node, word, key) for word in text.split()]
            if key in _FINITE and not all(map(math.isfinite, numbers)):
                self.refuse(node, f"{key} is {text.strip()}; write finite numbers.")
            if any(number < 0.0 for number in numbers):
                self.refuse(
                    node, f"{key} is {text.strip()} but cannot be negative; correct the number."
                )


def _ours(node: Node) -> Iterator[Node]:
    """A node and those below it, without the blocks that other programs read."""
    if node.tag in _FOREIGN:
        return
    yield node
    for child in node.children:
        yield from _ours(child)


def text_of(node: Node | None) -> str:
    """Text of an element, empty where there is none."""
    return "" if node is None else node.text.strip()


def urdf_world_shapes(robot: Node) -> int:
    """Count the collision shapes on the link `world` of a URDF file."""
    links = (child for child in robot.children if child.tag == "link")
    return sum(
        part.tag == "collision"
        for link in links
        if link.attributes.get("name") == "world"
        for part in link.children
    )


def mjcf_world_shapes(geoms: Iterable[Mapping[str, str]]) -> int:
    """Count the shapes of MJCF that touch anything; geoms: attributes, with those of classes."""
    return sum(not geom.get("contype") == geom.get("conaffinity") == "0" for geom in geoms)


def check_world_shapes(count: int, path: Path) -> None:
    """Raise ModelError for more shapes than Drake bears; path: of the file that brings the last."""
    if count > MOST_WORLD_SHAPES:
        part = "a link" if path.suffix.lower() == ".urdf" else "a <body>"
        raise ModelError(
            f"{path}: the world itself gets {count} collision shapes, and Drake crashes on more "
            f"than {MOST_WORLD_SHAPES} beside the ground; give them to {part} that is fixed to the "
            "world."
        )
