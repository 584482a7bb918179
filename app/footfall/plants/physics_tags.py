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
from typing import Any, NamedTuple, Protocol

from footfall.errors import ModelError
from footfall.wording import listed

_SHOWN = 3  # names in a line before it says how many more there are
_NO = "false 0"
_NAMED = ("link", "joint", "drake:joint", "body", "geom", "model")  # kinds that a line names
_READ = "read"  # key of what the parser, or somebody else here, takes over


class Tag(NamedTuple):
    """A row: the format, the places of a tag, what it means and what happens.

    places: the ends of its path, separated by blanks; ``@name`` is an attribute, ``!name`` a child
    that is missing. key: of a value that is taken over. usual: values that say nothing.
    """

    form: str
    places: str
    means: str
    does: str
    key: str = ""
    usual: str = ""


_SMALLER = "is the coefficient of the shapes, the smaller of two that differ; which is named"
_RIGID = "left out: contact is rigid in moreau, and in Drake's engines as drake.stiffness says"
_BOUNCE = "is e_n of the shapes in moreau, the larger one of a pair; Drake has none"
_SPRING = "is a spring of the joint"
_LIMIT = "bounds the speed to which an actuator drives its joint; 0 counts as none"
_DRY = "is dry friction of the joint in moreau; Drake has none"
_APART = "is a filter between the links that say false"
_PLAIN = "left out: friction is Coulomb's, in the plane of contact and alike in all directions"
_STOPS = "left out: stops of joints are rigid"
GUESSED = "counts as 1 kg or 1 kg m^2, as in SDFormat"

TAGS = (
    Tag("URDF", "joint/limit@velocity", "velocity limit", _LIMIT, "velocity"),
    Tag("URDF", "joint/dynamics@friction", "dry friction", _DRY, "dry"),
    Tag("URDF", "contact/lateral_friction@value", "friction (PyBullet)", _SMALLER, "mu"),
    Tag("URDF", "contact/restitution@value", "restitution (PyBullet)", _BOUNCE, "e_n"),
    Tag(
        "URDF",
        "contact/rolling_friction@value contact/spinning_friction@value",
        "rolling and spinning friction (PyBullet)",
        _PLAIN,
        usual="0",
    ),
    Tag(
        "URDF",
        "contact/stiffness@value contact/damping@value contact/contact_cfm@value "
        "contact/contact_erp@value",
        "stiffness and damping of contacts (PyBullet)",
        _RIGID,
    ),
    Tag(
        "URDF",
        "contact/inertia_scaling@value",
        "scale of an inertia (PyBullet)",
        "left out: give mass_scale",
        usual="1",
    ),
    Tag(
        "URDF",
        "collision/contact_coefficients@mu collision/contact_coefficients@kp "
        "collision/contact_coefficients@kd collision/contact_coefficients@restitution_coefficient",
        "coefficients of contacts that nobody reads in URDF",
        "left out: write <drake:proximity_properties>, or the scenario's friction and pairs",
    ),
    Tag(
        "URDF",
        "joint/joint_properties@damping joint/joint_properties@friction joint/dynamics@K "
        "joint/dynamics@D joint/dynamics@mu_coulomb joint/dynamics@mu_viscous",
        "springs, damping and friction of joints that nobody reads in URDF",
        "left out: write <dynamics damping= friction=>",
        usual="0",
    ),
    Tag(
        "URDF",
        "link/gravity link/kinematic link/surface",
        "tags of SDFormat outside of <gazebo>",
        "left out: nobody reads them in URDF",
    ),
    Tag("Gazebo", "lost@reference", "block about what is not there", "is named, and left out", "lost"),
    Tag("Gazebo", "link/mu1", "friction", _SMALLER, "mu"),
    Tag("Gazebo", "link/mu2", "friction in the second direction", _SMALLER, "mu"),
    Tag("Gazebo", "link/fdir1", "direction of friction", "is named where mu and mu2 differ", _READ),
    Tag("Gazebo", "link/turnGravityOff", "no gravity", "is off for models all of whose links say so", "weightless", _NO),
    Tag(
        "Gazebo", "link/selfCollide model/selfCollide", "collisions inside a model", _APART, "apart"
    ),
    Tag("Gazebo", "joint/springStiffness", "spring of a joint", _SPRING, "stiffness"),
    Tag("Gazebo", "joint/springReference", "rest of a spring", "is where it is at rest", "rest"),
    Tag("Gazebo", "link/kp link/kd", "stiffness and damping of contacts", _RIGID),
    Tag("Gazebo", "link/dampingFactor", "drag", "left out: give a push (wind)", usual="0"),
    Tag(
        "Gazebo", "joint/stopCfm joint/stopErp joint/stopKp joint/stopKd", "soft stops", _STOPS
    ),
    Tag(
        "Gazebo",
        "model/static",
        "fixing to the world",
        "left out: give the directives an add_weld",
        usual=_NO,
    ),
    Tag("SDF", "friction/ode/mu", "friction", _SMALLER, "mu"),
    Tag("SDF", "friction/ode/mu2", "friction in the second direction", _SMALLER, "mu"),
    Tag("SDF", "friction/ode/fdir1", "direction of friction", "is named where mu and mu2 differ", _READ),
    Tag(
        "SDF", "friction/ode/slip1 friction/ode/slip2", "slip that grows with force", _PLAIN,
        usual="0",
    ),
    Tag(
        "SDF", "torsional/coefficient torsional/ode/slip", "torsional friction", _PLAIN, usual="0"
    ),
    Tag(
        "SDF",
        "bullet/friction bullet/friction2 bullet/rolling_friction",
        "friction for Bullet",
        "left out: that of <ode> counts",
    ),
    Tag("SDF", "bounce/restitution_coefficient", "restitution", _BOUNCE, "e_n"),
    Tag(
        "SDF", "bounce/threshold", "speed below which nothing bounces", "left out: all does",
        usual="0 1e5",
    ),
    Tag(
        "SDF",
        "contact/ode/kp contact/ode/kd contact/ode/soft_cfm contact/ode/soft_erp "
        "contact/bullet/kp contact/bullet/kd contact/bullet/soft_cfm contact/bullet/soft_erp "
        "contact/elastic_modulus contact/poissons_ratio",
        "stiffness and damping of contacts",
        _RIGID,
    ),
    Tag(
        "SDF",
        "contact/collide_bitmask",
        "what may collide",
        "is a filter: shapes collide whose masks have a bit in common (the ground has all)",
        "bitmask",
    ),
    Tag(
        "SDF",
        "contact/category_bitmask contact/collide_without_contact surface/soft_contact",
        "rules and softness of contacts",
        "left out: shapes collide, and are rigid",
        usual=_NO,
    ),
    Tag(
        "SDF",
        "link/gravity",
        "no gravity",
        "is off for models all of whose links say so; else named",
        "weightless",
        "true 1",
    ),
    Tag(
        "SDF",
        "link/kinematic",
        "motion without forces",
        "left out: forces move these links as they do others",
        usual=_NO,
    ),
    Tag(
        "SDF",
        "velocity_decay/linear velocity_decay/angular link/enable_wind",
        "drag and wind",
        "left out: give a push (wind)",
        usual=_NO,
    ),
    Tag(
        "SDF", "link/self_collide model/self_collide", "collisions inside a model", _APART, "apart"
    ),
    Tag(
        "SDF",
        "model/plugin link/plugin joint/plugin world/plugin",
        "code of Gazebo's",
        "left out: what drives or pushes the robot is a scenario's to say",
    ),
    Tag(
        "SDF",
        "link!inertial inertial!mass inertial!inertia",
        "mass or inertia that is not given",
        GUESSED,
        "guessed",
    ),
    Tag("SDF", "limit/velocity", "velocity limit", _LIMIT, "velocity"),
    Tag("SDF", "limit/stiffness limit/dissipation", "soft stops", _STOPS, usual="1e8 1"),
    Tag("SDF", "dynamics/friction", "dry friction", _DRY, "dry"),
    Tag("SDF", "dynamics/spring_stiffness dynamics/spring_reference", "spring of a joint", _SPRING,
        _READ),
    Tag("SDF", "joint/physics", "joints of one solver", "left out: joints are rigid"),
    Tag("MJCF", "geom@friction", "friction", "the first number is the coefficient", _READ),
    Tag("MJCF", "joint@frictionloss", "dry friction of a joint", _DRY, _READ),
    Tag("MJCF", "joint@stiffness joint@springref", "spring of a joint", _SPRING, _READ),
    Tag("MJCF", "equality/connect", "closed loop", "is a constraint", _READ),
    Tag("MJCF", "equality/joint", "gear between joints",
        "is a constraint where it is linear, else left out", _READ),
    Tag("MJCF", "joint@actuatorfrcrange", "limit of the torque at a joint", "limits its actuators",
        _READ),
    Tag(
        "MJCF",
        "joint@springdamper",
        "spring and damper by time constant",
        "left out: give stiffness and damping",
        usual="0",
    ),
    Tag("MJCF", "geom@solref geom@solimp", "softness of contacts", _RIGID),
)  # fmt: skip


class Element(Protocol):
    """An element of XML, with its children."""

    @property
    def tag(self) -> str:
        """Tag as written."""

    @property
    def line(self) -> int:
        """Line of the file."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """Attributes."""

    @property
    def children(self) -> "Sequence[Element]":
        """Elements in it."""


class Owner(NamedTuple):
    """An element around a tag; inside of <gazebo> its kind is that of what the block is about."""

    kind: str
    name: str
    element: Element


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
    def is_yes(self) -> bool:
        """Return whether the tag says yes."""
        return self.text.lower() in ("true", "1")

    def number(self, path: Path, least: float = 0.0, most: float = math.inf) -> float:
        """Return the number that it has; raises ModelError for what is none, or out of bounds."""
        try:
            value = float(self.text)
        except ValueError:
            value = math.nan
        if least <= value <= most and math.isfinite(value):
            return value
        within = "" if least == -math.inf else f" from {least:g} on"
        within = f" from {least:g} to {most:g}" if most < math.inf else within
        owner = self.owner(*_NAMED)
        whose = f" of {owner.kind} '{owner.name}'" if owner is not None else ""
        raise ModelError(
            f"{path}:{self.owners[-1].element.line}: {self.row.means}{whose} is '{self.text}'; "
            f"write a finite number{within}."
        )


def find_tags(
    root: Element, form: str, attributes: Callable[[Any], Mapping[str, str]] | None = None
) -> list[Found]:
    """Return the tags of the table that a file has, but for those with a usual value.

    form: URDF, SDF or MJCF. attributes: of an element, those of its class included.
    """
    return list(_find(root, (), (form,), attributes or (lambda element: element.attributes)))


def _find(
    element: Element,
    owners: tuple[Owner, ...],
    forms: tuple[str, ...],
    attributes: Callable[[Any], Mapping[str, str]],
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
            text = own.get(part) if step else getattr(element, "text", "") or own.get("value", "")
        if text is not None and not _says_nothing(text.strip(), row.usual):
            called = element.tag if part in ("", "value") else part
            yield Found(row, called, text.strip(), owners)
    for child in element.children:
        yield from _find(child, owners, forms, attributes)


def _by_kind() -> dict[str, list[tuple[Tag, str, str, str]]]:
    """Rows with the end of a path and the attribute or child there, by the last tag of the path."""
    found: dict[str, list[tuple[Tag, str, str, str]]] = {}
    for row in (row for row in TAGS if row.key != _READ):
        for place in row.places.split():
            step = "@" if "@" in place else "!" if "!" in place else ""
            path, _, part = place.partition(step) if step else (place, "", "")
            found.setdefault(path.rpartition("/")[2], []).append((row, f"/{path}", step, part))
    return found


_PLACES = _by_kind()
KNOWN = frozenset(part for row in TAGS for part in re.findall(r"\w+", row.places))
"""Names of the tags and attributes of the table."""


def _says_nothing(text: str, usual: str) -> bool:
    """Say whether all words of a text are usual ones, numbers by their value."""
    known = [_value(word) for word in usual.split()]
    return bool(known) and all(_value(word) in known for word in text.lower().split())


def _value(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def lines_about(found: Sequence[Found], path: Path) -> list[str]:
    """Return a line for each kind of tags that are not taken over, with whose they are."""
    kinds: dict[tuple[str, str], list[Found]] = {}
    for each in found:
        if not each.row.key:
            kinds.setdefault((each.row.means, each.row.does), []).append(each)
    return [line_about(path, means, does, kind) for (means, does), kind in kinds.items()]


def line_about(path: Path, means: str, does: str, found: Sequence[Found]) -> str:
    """Return the line about tags of one kind."""
    tags = dict.fromkeys(f"<{each.name}>" for each in found)
    owners = [name for name in dict.fromkeys(each.named(*_NAMED) for each in found) if name]
    whose = f" of {listed(owners, _SHOWN)}" if owners else ""
    return f"{path.name}: {means} ({', '.join(tags)}){whose}: {does}"
