"""Tags of model files that carry physics: what they mean, and what becomes of them here.

``TAGS`` is the one table of them, for URDF, for the ``<gazebo>`` blocks inside it, for SDFormat and
for MJCF: what is taken over has a key, and what is not is named before a run, a line for each kind.

Source: http://sdformat.org/spec, http://wiki.ros.org/urdf/XML, Gazebo's "URDF in Gazebo",
PyBullet's Quickstart Guide and https://mujoco.readthedocs.io/en/stable/XMLreference.html.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from footfall.errors import ModelError
from footfall.plants.loading.xml_tree import Node, number_of
from footfall.wording import listed

_SHOWN = 3  # names in a line before it says how many more there are
_NAMED = ("link", "joint", "drake:joint", "body", "geom", "model")  # kinds that a line names
GUESSED = "counts as 1 kg or 1 kg m^2, as in SDFormat"

# what is taken over, by its key; the parser or somebody else here takes over what is "read: ..."
_TAKEN = {
    "mu": "is the coefficient of the shapes, the smaller of two that differ; which is named",
    "e_n": "is e_n of the shapes in moreau, the larger one of a pair; Drake has none",
    "bitmask": "lets shapes collide whose masks have a bit in common (the ground has all)",
    "apart": "is a filter between the links that say false",
    "weightless": "is off for models all of whose links say so; else named",
    "velocity": "bounds the speed to which an actuator drives its joint; 0 counts as none",
    "dry": "is dry friction of the joint in moreau; Drake has none",
    "stiffness": "is a spring of the joint",
    "rest": "is where the spring is at rest",
    "guessed": GUESSED,
    "lost": "is named, and left out",
    "read: fdir1": "is named where mu and mu2 differ",
    "read: friction": "gives the coefficient by its first number",
    "read: dry": "is dry friction of the joint in moreau; Drake has none",
    "read: spring": "is a spring of the joint",
    "read: loop": "is a constraint",
    "read: gear": "is a constraint where it is linear, else left out",
    "read: range": "limits the actuators of the joint",
}
_LEFT_OUT = {
    "rigid": "contact is rigid in moreau, and in Drake's engines as drake.stiffness says",
    "plain": "friction is Coulomb's, in the plane of contact and alike in all directions",
    "stops": "stops of joints are rigid",
    "joints": "joints are rigid",
    "wind": "give a push (wind)",
    "scale": "give mass_scale",
    "weld": "give the directives an add_weld",
    "ode": "that of <ode> counts",
    "bounces": "all bounce",
    "collide": "shapes collide, and are rigid",
    "forced": "forces move these links as they do others",
    "code": "what drives or pushes the robot is a scenario's to say",
    "damped": "give stiffness and damping",
    "nobody": "nobody reads them in URDF",
    "material": "write <drake:proximity_properties>, or the scenario's friction and pairs",
    "dynamics": "write <dynamics damping= friction=>",
}
# format, ends of paths (@ an attribute, ! a child that is missing), meaning, what happens, and
# values that say nothing
_TABLE = """
URDF | joint/limit@velocity | velocity limit | velocity
URDF | joint/dynamics@friction | dry friction | dry
URDF | contact/lateral_friction@value | friction (PyBullet) | mu
URDF | contact/restitution@value | restitution (PyBullet) | e_n
URDF | contact/rolling_friction@value contact/spinning_friction@value | \
 rolling and spinning friction (PyBullet) | plain | 0
URDF | contact/stiffness@value contact/damping@value contact/contact_cfm@value \
 contact/contact_erp@value | stiffness and damping of contacts (PyBullet) | rigid
URDF | contact/inertia_scaling@value | scale of an inertia (PyBullet) | scale | 1
URDF | collision/contact_coefficients@mu collision/contact_coefficients@kp \
 collision/contact_coefficients@kd collision/contact_coefficients@restitution_coefficient | \
 coefficients of contacts that nobody reads in URDF | material
URDF | joint/joint_properties@damping joint/joint_properties@friction joint/dynamics@K \
 joint/dynamics@D joint/dynamics@mu_coulomb joint/dynamics@mu_viscous | \
 springs, damping and friction of joints that nobody reads in URDF | dynamics | 0
URDF | link/gravity link/kinematic link/surface | tags of SDFormat outside of <gazebo> | nobody
Gazebo | lost@reference | block about nothing | lost
Gazebo | link/mu1 | friction | mu
Gazebo | link/mu2 | friction in the second direction | mu
Gazebo | link/fdir1 | direction of friction | read: fdir1
Gazebo | link/turnGravityOff | no gravity | weightless | false 0
Gazebo | link/selfCollide model/selfCollide | collisions inside a model | apart
Gazebo | joint/springStiffness | spring of a joint | stiffness
Gazebo | joint/springReference | rest of a spring | rest
Gazebo | link/kp link/kd | stiffness and damping of contacts | rigid
Gazebo | link/dampingFactor | drag | wind | 0
Gazebo | joint/stopCfm joint/stopErp joint/stopKp joint/stopKd | soft stops | stops
Gazebo | model/static | fixing to the world | weld | false 0
SDF | friction/ode/mu | friction | mu
SDF | friction/ode/mu2 | friction in the second direction | mu
SDF | friction/ode/fdir1 | direction of friction | read: fdir1
SDF | friction/ode/slip1 friction/ode/slip2 | slip that grows with force | plain | 0
SDF | torsional/coefficient torsional/ode/slip | torsional friction | plain | 0
SDF | bullet/friction bullet/friction2 bullet/rolling_friction | friction for Bullet | ode
SDF | bounce/restitution_coefficient | restitution | e_n
SDF | bounce/threshold | speed below which nothing bounces | bounces | 0 1e5
SDF | contact/ode/kp contact/ode/kd contact/ode/soft_cfm contact/ode/soft_erp contact/bullet/kp \
 contact/bullet/kd contact/bullet/soft_cfm contact/bullet/soft_erp contact/elastic_modulus \
 contact/poissons_ratio | stiffness and damping of contacts | rigid
SDF | contact/collide_bitmask | what may collide | bitmask
SDF | contact/category_bitmask contact/collide_without_contact surface/soft_contact | \
 rules and softness of contacts | collide | false 0
SDF | link/gravity | no gravity | weightless | true 1
SDF | link/kinematic | motion without forces | forced | false 0
SDF | velocity_decay/linear velocity_decay/angular link/enable_wind | drag and wind | wind | false 0
SDF | link/self_collide model/self_collide | collisions inside a model | apart
SDF | model/plugin link/plugin joint/plugin world/plugin | code of Gazebo's | code
SDF | link!inertial inertial!mass inertial!inertia | mass or inertia that is not given | guessed
SDF | limit/velocity | velocity limit | velocity
SDF | limit/stiffness limit/dissipation | soft stops | stops | 1e8 1
SDF | dynamics/friction | dry friction | dry
SDF | dynamics/spring_stiffness dynamics/spring_reference | spring of a joint | read: spring
SDF | joint/physics | joints of one solver | joints
MJCF | geom@friction | friction | read: friction
MJCF | joint@frictionloss | dry friction | read: dry
MJCF | joint@stiffness joint@springref | spring of a joint | read: spring
MJCF | equality/connect | closed loop | read: loop
MJCF | equality/joint | gear between joints | read: gear
MJCF | joint@actuatorfrcrange | limit of the torque at a joint | read: range
MJCF | joint@springdamper | spring and damper by time constant | damped | 0
MJCF | geom@solref geom@solimp | softness of contacts | rigid
"""


class Tag(NamedTuple):
    """A row: the format, the places of a tag, what it means and what happens.

    places: ends of its path, separated by blanks. key: of what is taken over, else empty. usual:
    values that say nothing.
    """

    form: str
    places: str
    means: str
    does: str
    key: str
    usual: str


def _row(line: str) -> Tag:
    form, places, means, does, usual = [*(" ".join(x.split()) for x in line.split("|")), ""][:5]
    left_out = does in _LEFT_OUT
    what = f"left out: {_LEFT_OUT[does]}" if left_out else _TAKEN[does]
    return Tag(form, places, means, what, "" if left_out else does, usual)


TAGS = tuple(_row(line) for line in _TABLE.strip().splitlines())


class Owner(NamedTuple):
    """An element around a tag; inside of <gazebo> its kind is that of what the block is about."""

    kind: str
    name: str
    element: Node


class Found(NamedTuple):
    """A tag that a file has: its row, its name, its text, and what is around it, from outside."""

    row: Tag
    name: str
    text: str
    owners: tuple[Owner, ...]

    def owner(self, *kinds: str) -> Owner | None:
        """Return the innermost owner of some kinds."""
        return next((each for each in reversed(self.owners) if each.kind in kinds), None)

    def named(self, *kinds: str) -> str:
        """Return its name, else an empty text."""
        owner = self.owner(*kinds)
        return owner.name if owner is not None else ""

    @property
    def line(self) -> int:
        """Line of the file."""
        return self.owners[-1].element.line

    @property
    def is_yes(self) -> bool:
        """Return whether the tag says yes."""
        return self.text.lower() in ("true", "1")

    def number(self, path: Path, least: float = 0.0, most: float = math.inf) -> float:
        """Return the number that it has; raises ModelError for what is none, or out of bounds."""
        value = number_of(self.text)
        if least <= value <= most and math.isfinite(value):
            return value
        within = "" if least == -math.inf else f" from {least:g} on"
        within = f" from {least:g} to {most:g}" if most < math.inf else within
        owner = self.owner(*_NAMED)
        whose = f" of {owner.kind} '{owner.name}'" if owner is not None else ""
        raise ModelError(
            f"{path}:{self.line}: {self.row.means}{whose} is '{self.text}'; "
            f"write a finite number{within}."
        )


def find_tags(
    root: Node, form: str, attributes: Callable[[Node], Mapping[str, str]] | None = None
) -> list[Found]:
    """Return the tags of the table that a file has, but for those with a usual value.

    form: URDF, SDF or MJCF. attributes: of an element, those of its class included.
    """
    return list(_find(root, (), (form,), attributes or (lambda element: element.attributes)))


def _find(
    element: Node,
    owners: tuple[Owner, ...],
    forms: tuple[str, ...],
    attributes: Callable[[Node], Mapping[str, str]],
) -> Iterator[Found]:
    own, kind, name = attributes(element), element.tag, "name"
    if kind == "gazebo" and forms == ("URDF",):
        forms, name = ("Gazebo", "SDF"), "reference"
        known = {
            each.attributes.get("name"): each.tag.removeprefix("drake:")
            for each in owners[0].element.children
            if each.tag in ("link", "joint", "drake:joint")
        }
        kind = known.get(own.get(name), "lost" if own.get(name) else "model")
    owners = (*owners, Owner(kind, own.get(name, ""), element))
    path = "/" + "/".join(owner.kind for owner in owners)
    for row, place, step, part in _PLACES.get(kind, ()):
        if row.form not in forms or not path.endswith(place):
            continue
        if step == "!":
            there = any(child.tag == part for child in element.children)
            text = None if there or forms != ("SDF",) else ""
        else:
            text = own.get(part) if step else element.text or own.get("value", "")
        if text is not None and not _says_nothing(text.strip(), row.usual):
            called = element.tag if part in ("", "value") else part
            yield Found(row, called, text.strip(), owners)
    for child in element.children:
        yield from _find(child, owners, forms, attributes)


def _by_kind() -> dict[str, list[tuple[Tag, str, str, str]]]:
    """Rows with the end of a path and the attribute or child there, by the last tag of the path."""
    rows: dict[str, list[tuple[Tag, str, str, str]]] = {}
    for row in (row for row in TAGS if not row.key.startswith("read")):
        for place in row.places.split():
            step = "@" if "@" in place else "!" if "!" in place else ""
            path, _, part = place.partition(step) if step else (place, "", "")
            rows.setdefault(path.rpartition("/")[2], []).append((row, f"/{path}", step, part))
    return rows


_PLACES = _by_kind()
KNOWN = frozenset(part for row in TAGS for part in re.findall(r"\w+", row.places))
"""Names of the tags and attributes of the table."""


def _says_nothing(text: str, usual: str) -> bool:
    """Say whether all words of a text are usual ones, numbers by their value."""
    known = [_value(word) for word in usual.split()]
    return bool(known) and all(_value(word) in known for word in text.lower().split())


def is_zero(text: str) -> bool:
    """Return whether a text is the number 0."""
    return number_of(text) == 0.0


def _value(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def lines_about(tags: Sequence[Found], place: Callable[[Found], str]) -> list[str]:
    """Return a line for each kind of tags that are not taken over, with whose they are.

    place: where a tag is.
    """
    kinds: dict[tuple[str, str], list[Found]] = {}
    for each in tags:
        if not each.row.key:
            kinds.setdefault((each.row.means, each.row.does), []).append(each)
    return [line_about(place(kind[0]), *words, kind) for words, kind in kinds.items()]


def line_about(where: str, means: str, does: str, tags: Sequence[Found]) -> str:
    """Return the line about tags of one kind; where: of the first of them."""
    names = dict.fromkeys(f"<{each.name}>" for each in tags)
    owners = [name for name in dict.fromkeys(each.named(*_NAMED) for each in tags) if name]
    whose = f" of {listed(owners, _SHOWN)}" if owners else ""
    return f"{where}: {means} ({', '.join(names)}){whose}: {does}"
