"""MuJoCo's format MJCF, prepared for Drake's parser, with a line about all that is lost.

Drake reads bodies, joints, shapes, motors and `connect`. Here other actuators at joints become
motors with the limits that they have, planes of the world go because the scenario has its ground,
and included files come in. Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from footfall.errors import ModelError
from footfall.plants.constraints import Coupler
from footfall.plants.loading.file_check import check_world_shapes, mjcf_world_shapes
from footfall.plants.loading.file_physics import Spring
from footfall.plants.loading.meshes import load_scene
from footfall.plants.loading.model_files import derived
from footfall.plants.loading.physics_tags import find_tags, lines_about
from footfall.plants.loading.xml_tree import Node, XmlEdit, number_of, xml_bytes
from footfall.wording import listed

_SERVOS = ("position", "velocity", "intvelocity", "general", "damper", "cylinder", "muscle")
_OF_MOTOR = ("name", "joint", "gear", "class")  # of an actuator that becomes a motor
_DENSITY = 1000.0  # kg/m^3, of MuJoCo where a file says nothing
_DEEPEST = 20  # files that include each other


@dataclass(frozen=True)
class Place:
    """Words about an attribute: its file and line before its name, its owner behind it."""

    before: str
    after: str = ""

    def of(self, name: str) -> str:
        """Say which attribute it is."""
        return f"{self.before}{name}{self.after}"


Joints = Mapping[str, tuple[Mapping[str, str], Place]]  # values by name, and words about them


@dataclass(frozen=True)
class Connect:
    """Two bodies that stay together in a point p_AP of the first, where they are at the start."""

    a: str
    b: str
    p_AP: tuple[float, float, float]
    line: int


@dataclass
class Mjcf:
    """An MJCF file for Drake. notes: a line about each thing that is not as the file says.

    joint_friction: dry friction (`frictionloss`) by joint [N m or N]. springs, couplers: of joints.
    connects: closed loops. Names are those of the file.
    merged: whether other files were included, so that lines are not those of the file.
    """

    text: bytes
    merged: bool = False
    notes: list[str] = field(default_factory=list)
    joint_friction: dict[str, float] = field(default_factory=dict)
    springs: list[Spring] = field(default_factory=list)
    couplers: list[Coupler] = field(default_factory=list)
    connects: list[Connect] = field(default_factory=list)

    def place(self, path: Path, element: Node) -> str:
        """Name of the file, with the line of an element where that is known."""
        return path.name if self.merged else f"{path.name}:{element.line}"


def read_mjcf(path: Path) -> tuple[XmlEdit, "Classes"]:
    """Return a file with what it includes, and its defaults by class."""
    edit = XmlEdit(_with_includes(path), path)
    return edit, Classes(edit.root)


def bodies_of(path: Path) -> list[str]:
    """Names of the bodies of a file."""
    return [node.attributes["name"] for node in _named(XmlEdit(_with_includes(path), path))]


def prepare_mjcf(path: Path, scale: Mapping[str, float]) -> Mjcf:
    """Return what Drake is to read of a file.

    scale: factors of masses and inertias by the name of the body. Raises ModelError, one line, for
    broken XML, numbers that are none, meshes and included files that are not there.
    """
    edit, classes = read_mjcf(path)
    mjcf = Mjcf(b"", merged=b"<include" in path.read_bytes())
    _anchor_meshes(edit, path)
    _take_planes_out(edit, classes, mjcf, path)
    _check_world_shapes(edit, classes, path)
    for world in edit.root.all("worldbody"):
        _check_bodies(world, classes, path)
    _take_gravity_out(edit, mjcf, path)
    joints = _joints(edit, classes, path)
    _read_joints(edit, joints, mjcf, path)
    _make_motors(edit, classes, joints, mjcf, path)
    _read_equalities(edit, classes, joints, mjcf, path)
    for body in _named(edit):
        if body.attributes["name"] in scale:
            _scale(edit, classes, body, scale[body.attributes["name"]], path)
    tags = find_tags(edit.root, "MJCF", classes.of)
    mjcf.notes += lines_about(
        [each for each in tags if each.owner("worldbody")],
        lambda each: path.name if mjcf.merged else f"{path.name}:{each.line}",
    )
    mjcf.text = edit.text()
    return mjcf


def _named(edit: XmlEdit) -> list[Node]:
    return [body for body in edit.root.all("body") if "name" in body.attributes]


class Classes:
    """Defaults of a file, by class and tag."""

    def __init__(self, root: Node) -> None:
        self._values: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for default in (child for child in root.children if child.tag == "default"):
            self._read(default, {})

    def _read(self, default: Node, above: dict[str, dict[str, str]]) -> None:
        name = default.attributes.get("class", "main")
        values = {tag: dict(attributes) for tag, attributes in above.items()}
        for tag, attributes in self._values.get(name, {}).items():
            values[tag] = values.get(tag, {}) | attributes
        for child in default.children:
            if child.tag != "default":
                values[child.tag] = values.get(child.tag, {}) | child.attributes
        self._values[name] = values
        for child in default.children:
            if child.tag == "default":
                self._read(child, values)

    def of(self, element: Node) -> dict[str, str]:
        """Return an element's attributes, with those of its class."""
        name, above = element.attributes.get("class", ""), element.parent
        while not name and above is not None:
            name, above = above.attributes.get("childclass", ""), above.parent
        values = self._values.get(name or "main", {})
        return values.get(element.tag, {}) | element.attributes


def _with_includes(path: Path, opened: tuple[Path, ...] = ()) -> bytes:
    """Return a file's text with what it includes."""
    if path in opened or len(opened) > _DEEPEST:
        raise ModelError(f"{path} includes itself; break the ring.")
    edit = XmlEdit(xml_bytes(path), path)
    folder = (opened[0] if opened else path).parent  # MuJoCo looks beside the outermost file
    for include in edit.root.all("include"):
        file = folder / include.attributes.get("file", "")
        if not file.is_file():
            raise ModelError(
                f"{path}:{include.line}: the included file '{file}' is not there; correct the path."
            )
        inner = XmlEdit(_with_includes(file.resolve(), (*opened, path)), file)
        edit.replace(include, inner.inner_text(inner.root))
    return edit.text()


def _anchor_meshes(edit: XmlEdit, path: Path) -> None:
    """Name the files of meshes by their places, in the one format that Drake reads here."""
    compilers = edit.root.all("compiler")
    given = {name: text for node in compilers for name, text in node.attributes.items()}
    folder = path.parent / given.get("meshdir", given.get("assetdir", ""))
    for mesh in edit.root.all("mesh"):
        file = mesh.attributes.get("file")
        if file is None or mesh.parent is None or mesh.parent.tag != "asset":
            continue
        name = Path(file).name if given.get("strippath") == "true" else file
        place = folder / name
        if not place.is_file():
            raise ModelError(
                f"{path}:{mesh.line}: mesh '{file}' is not there (looked for {place}); correct the "
                "path, or meshdir of <compiler>."
            )
        if "name" not in mesh.attributes:
            edit.set(mesh, "name", place.stem)
        edit.set(mesh, "file", str(_as_obj(place.resolve())))


def _as_obj(mesh: Path) -> Path:
    """Return a mesh file as an OBJ one; raises ModelError, one line, for what is no mesh."""
    return mesh if mesh.suffix.lower() == ".obj" else derived(_write_obj, mesh, ".obj")


def _write_obj(mesh: Path, target: Path) -> None:
    load_scene(mesh).to_mesh().export(target)


def _take_planes_out(edit: XmlEdit, classes: Classes, mjcf: Mjcf, path: Path) -> None:
    """Leave the ground to the scenario."""
    planes = []
    for world in edit.root.all("worldbody"):
        for geom in world.all("geom"):
            if classes.of(geom).get("type") == "plane":
                edit.remove(geom)
                planes.append(geom.attributes.get("name", "without a name"))
    if planes:
        mjcf.notes.append(
            f"{path.name}: its plane ({listed(planes)}) is left out: the scenario's terrain is the "
            "ground"
        )


def _check_world_shapes(edit: XmlEdit, classes: Classes, path: Path) -> None:
    """Refuse more shapes without a body than Drake bears."""
    parts = [part for world in edit.root.all("worldbody") for part in world.children]
    shapes = (classes.of(part) for part in parts if part.tag == "geom")
    planes_out = (shape for shape in shapes if shape.get("type") != "plane")
    check_world_shapes(mjcf_world_shapes(planes_out), path)


def _take_gravity_out(edit: XmlEdit, mjcf: Mjcf, path: Path) -> None:
    """Leave gravity to the scenario."""
    for option in edit.root.all("option"):
        gravity = option.attributes.get("gravity")
        if gravity is None:
            continue
        edit.set(option, "gravity", None)
        if [number_of(word) for word in gravity.split()] == [0.0, 0.0, -9.81]:
            continue
        mjcf.notes.append(
            f"{mjcf.place(path, option)}: gravity {gravity.strip()} is left out: the scenario has "
            "its own"
        )


def _read_joints(edit: XmlEdit, joints: Joints, mjcf: Mjcf, path: Path) -> None:
    """Read dry friction, springs and gears, and tell of inertia that Drake loses."""
    driven = {
        node.attributes.get("joint", "")
        for group in edit.root.all("actuator")
        for node in group.children
    }
    rotors, odd = [], []
    for name, (values, where) in joints.items():
        friction, stiffness = (
            _number(values, k, 0.0, where) for k in ("frictionloss", "stiffness")
        )
        kind = values.get("type", "hinge")
        is_known = not name.startswith(" ") and kind in ("hinge", "slide")
        if not is_known and max(friction, stiffness) > 0.0:
            odd.append(name.strip() or kind)
        elif friction > 0.0:
            mjcf.joint_friction[name] = friction
        if is_known and stiffness > 0.0:
            rest = _unit(edit, kind) * _number(values, "springref", 0.0, where)
            mjcf.springs.append(Spring(name, stiffness, rest))
        if _number(values, "armature", 0.0, where) > 0.0 and name not in driven:
            rotors.append(name)
    if odd:
        mjcf.notes.append(
            f"{path.name}: springs and dry friction of joints that have no name, or more than one "
            f"coordinate, are left out: {listed(odd)}"
        )
    if rotors:
        mjcf.notes.append(
            f"{path.name}: armature of joints without an actuator is left out: {listed(rotors)}"
        )


def _joints(edit: XmlEdit, classes: Classes, path: Path) -> Joints:
    """Return values of joints by name, and words about them; a blank is before that of nameless."""
    joints: dict[str, tuple[Mapping[str, str], Place]] = {}
    for world in edit.root.all("worldbody"):
        for joint in world.all("joint"):
            name = joint.attributes.get("name", "")
            where = Place(f"{path}:{joint.line}: ", f" of joint '{name}'")
            joints[name or f" {len(joints)}"] = classes.of(joint), where
    return joints


def _unit(edit: XmlEdit, kind: str) -> float:
    """Return what a number of a joint's position is in rad or m."""
    angles = [node.attributes.get("angle", "degree") for node in edit.root.all("compiler")]
    return math.radians(1.0) if kind == "hinge" and "radian" not in angles else 1.0


def _make_motors(edit: XmlEdit, classes: Classes, joints: Joints, mjcf: Mjcf, path: Path) -> None:
    """Let all actuators at joints be motors, with their limits as those of the joint."""
    servos = []
    for group in edit.root.all("actuator"):
        for node in group.children:
            values = classes.of(node)
            if "joint" not in values:
                continue  # Drake leaves it out and says so
            where = Place(f"{path}:{node.line}: ", f" of actuator '{values.get('name', '')}'")
            if node.tag in _SERVOS:
                servos.append(values.get("name", node.tag))
            limit = _effort(node.tag, values, where)
            if values["joint"] in joints:
                limit = min(limit, _largest(*joints[values["joint"]], "actuatorfrc"))
            _make_motor(edit, node, values, limit)
    if servos:
        mjcf.notes.append(
            f"{path.name}: actuators that are servos in the file are motors, whose torque a "
            f"controller gives: {listed(servos)}"
        )


def _make_motor(edit: XmlEdit, node: Node, values: Mapping[str, str], limit: float) -> None:
    """Write an actuator as a motor with a limit at its joint [N m or N]."""
    if node.tag in _SERVOS:
        edit.rename(node, "motor")
    for name in node.attributes:
        if name not in _OF_MOTOR:
            edit.set(node, name, None)
    if "gear" in values:
        edit.set(node, "gear", values["gear"])
    edit.set(node, "ctrllimited", "false")  # whatever its class says
    edit.set(node, "forcelimited", "true" if limit < math.inf else "false")
    if limit < math.inf:
        edit.set(node, "forcerange", f"{-limit!r} {limit!r}")


def _effort(tag: str, values: Mapping[str, str], where: Place) -> float:
    """Largest effort of an actuator at its joint [N m or N]: through the gear, on either side."""
    names = ("force", *(["ctrl"] if tag == "motor" else []))
    limit = min(_largest(values, where, name) for name in names)
    gear = values.get("gear", "1").split() or ["1"]
    return limit * abs(_parsed(gear[0], where.of("gear")))


def _largest(values: Mapping[str, str], where: Place, name: str) -> float:
    """Return the larger end of a range, endless where it does not limit anything."""
    if f"{name}range" not in values or values.get(f"{name}limited", "auto") == "false":
        return math.inf
    ends = [_parsed(word, where.of(f"{name}range")) for word in values[f"{name}range"].split()]
    return max(map(abs, ends), default=0.0) or math.inf


def _read_equalities(
    edit: XmlEdit, classes: Classes, joints: Joints, mjcf: Mjcf, path: Path
) -> None:
    """Read gears, and loops that Drake takes; those with the world would end the interpreter."""
    for group in edit.root.all("equality"):
        for node in group.children:
            given = classes.of(node)
            if given.get("active") == "false":
                edit.remove(node)
                continue
            if node.tag == "joint":
                coupler = _coupler(edit, given, joints, path, node.line)
                if coupler is not None:
                    mjcf.couplers.append(coupler)
                    edit.remove(node)
            if node.tag != "connect":
                continue
            if not {"body1", "body2", "anchor"} <= set(given):
                edit.remove(node)
                mjcf.notes.append(
                    f"{mjcf.place(path, node)}: <connect> without body1, body2 and anchor is left "
                    "out: give the scenario a constraint (!Ball)"
                )
                continue
            where = f"{path}:{node.line}: anchor"
            x, y, z = ([_parsed(word, where) for word in given["anchor"].split()] + [0.0] * 3)[:3]
            mjcf.connects.append(Connect(given["body1"], given["body2"], (x, y, z), node.line))


def _coupler(
    edit: XmlEdit,
    given: Mapping[str, str],
    joints: Joints,
    path: Path,
    line: int,
) -> Coupler | None:
    """Return the gear between two joints, q0 - ref0 = a + b (q1 - ref1); None for another law."""
    names = given.get("joint1", ""), given.get("joint2", "")
    words = given.get("polycoef", "0 1").split()
    a, b, *others = [*(_parsed(word, f"{path}:{line}: polycoef") for word in words), 0.0, 0.0]
    if any(others) or not all(name in joints for name in names):
        return None
    refs = []
    for values, where in (joints[name] for name in names):
        kind = values.get("type", "hinge")
        if kind not in ("hinge", "slide"):
            return None
        refs.append(_unit(edit, kind) * _number(values, "ref", 0.0, where))
    return Coupler(*names, b, a + refs[0] - b * refs[1])


def _scale(edit: XmlEdit, classes: Classes, body: Node, factor: float, path: Path) -> None:
    """Scale mass and inertia of a body: those that it states, and those of its shapes."""
    for child in body.children:
        values = classes.of(child)
        where = Place(f"{path}:{child.line}: ")
        if child.tag == "inertial":
            for name in ("mass", "diaginertia", "fullinertia"):
                if name in values:
                    numbers = [_parsed(w, where.of(name)) for w in values[name].split()]
                    edit.set(child, name, " ".join(repr(factor * x) for x in numbers))
        elif child.tag == "geom":
            name = "mass" if "mass" in values else "density"
            usual = _number(values, name, _DENSITY, where)
            edit.set(child, name, repr(factor * usual))


def _number(values: Mapping[str, str], name: str, usual: float, where: Place) -> float:
    """Return the number of an attribute, or the usual one; raises ModelError for what is none."""
    return _parsed(values[name], where.of(name)) if name in values else usual


def _parsed(text: str, what: str) -> float:
    """Return a finite number; raises ModelError, which begins with what it should be."""
    value = number_of(text)
    if not math.isfinite(value):
        raise ModelError(f"{what} is '{text.strip()}'; write a finite number.")
    return value


def _check_bodies(worldbody: Node, defaults: Classes, path: Path) -> None:
    """Raise ModelError for a mass that no body has, and for names that are empty."""
    for tag in ("body", "joint", "freejoint"):
        for element in worldbody.all(tag):
            if element.attributes.get("name") == "":
                raise ModelError(
                    f"{path}:{element.line}: the name of a <{tag}> is empty; write one, or leave "
                    "the attribute out."
                )
    for inertial in worldbody.all("inertial"):
        mass = _number(defaults.of(inertial), "mass", 1.0, Place(f"{path}:{inertial.line}: "))
        if mass <= 0.0:
            raise ModelError(
                f"{path}:{inertial.line}: mass of <inertial> is {mass:g} kg; give a positive one."
            )
