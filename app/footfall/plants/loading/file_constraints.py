"""Constraints that URDF and SDF files declare, and the models that an SDF file includes.

Drake reads them, but tells their parameters to nobody in Python; so they are read here once more,
under the names that Drake gives to the models.

Source: Drake's "Parsing Models for Multibody Dynamics" (drake:ball_constraint, drake:mimic,
drake:tendon_constraint) and http://wiki.ros.org/urdf/XML/joint (mimic, whose multiplier is 1 and
offset 0 where it says nothing).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint

from footfall.errors import ModelError
from footfall.plants.constraints import Ball, Constraint, Coupler
from footfall.plants.loading.file_check import XmlModel, text_of
from footfall.plants.loading.xml_tree import Node
from footfall.plants.messages import listed
from footfall.plants.names import find_body

_BALL = "drake:ball_constraint"
# declared in files, but no equation g(q) = 0
_ONLY_DRAKES = ("drake:tendon_constraint",)


class Scope(NamedTuple):
    """Full name of a model (nested models behind ``::``), and the one that its files give it.

    The two differ where a directive renames the model, or an `<include>` does. Drake puts a URDF
    that an SDF file includes below the file's name, all others below the given one.
    """

    given: str
    in_file: str

    def inner(self, name: str) -> "Scope":
        """Scope of a model nested in this one."""
        return Scope(f"{self.given}::{name}", f"{self.in_file}::{name}")


class DeclaredConstraint(NamedTuple):
    """A constraint of a model file; None where only Drake knows such a one. where: file:line."""

    constraint: Ball | Coupler | None
    where: str
    tag: str


class Included(NamedTuple):
    """A model that an SDF file includes: the node that says so, its URI, and what it becomes.

    name: empty if the included file's own applies. merged: its parts become those of ``within``.
    """

    node: Node
    uri: str
    within: Scope
    name: str
    merged: bool

    def scope(self, model: XmlModel) -> Scope:
        """Scope of the included model."""
        scope = self.within if self.merged else self.within.inner(self.name or model_name(model))
        return Scope(scope.in_file, scope.in_file) if model.is_urdf else scope


@dataclass
class DeclaredContents:
    """Constraints that one file declares, and the files that it includes."""

    constraints: list[DeclaredConstraint] = field(default_factory=list)
    includes: list[Included] = field(default_factory=list)


def model_name(model: XmlModel) -> str:
    """Name of the model that a file describes, empty if it gives none."""
    return _root(model).attributes.get("name", "")


def read_contents(model: XmlModel, scope: Scope) -> DeclaredContents:
    """Constraints and includes of a file whose model has the given scope.

    Raises ModelError for a constraint that is incomplete or has a number that is none.
    """
    contents = DeclaredContents()
    _read(model, _root(model), scope, contents)
    return contents


def _root(model: XmlModel) -> Node:
    """The element that describes the model: `<robot>`, or the one `<model>` of an SDF file."""
    if model.is_urdf:
        return model.root
    world = model.root.find("world")
    return model.root.find("model") or (world and world.find("model")) or world or model.root


def _read(model: XmlModel, node: Node, scope: Scope, contents: DeclaredContents) -> None:
    for child in node.children:
        if child.tag == _BALL:
            contents.constraints.append(_declared(model, child, _ball(model, child, scope)))
        elif child.tag in _ONLY_DRAKES:
            contents.constraints.append(_declared(model, child, None))
        elif child.tag == "joint" or (model.is_urdf and child.tag == "drake:joint"):
            mimic = child.find("mimic" if model.is_urdf else "drake:mimic")
            if mimic is not None:
                coupler = _coupler(model, mimic, child, scope)
                contents.constraints.append(_declared(model, mimic, coupler))
        elif child.tag == "model":
            _read(model, child, scope.inner(child.attributes.get("name", "")), contents)
        elif child.tag == "include":
            name, uri = (text_of(child.find(tag)) for tag in ("name", "uri"))
            merged = child.attributes.get("merge", "").strip() in ("true", "1")
            merged |= node.tag == "world"  # which has one model, and that takes the given name
            contents.includes.append(Included(child, uri, scope, name, merged))


def _declared(model: XmlModel, node: Node, constraint: Ball | Coupler | None) -> DeclaredConstraint:
    return DeclaredConstraint(constraint, f"{model.path}:{node.line}", node.tag)


def _ball(model: XmlModel, node: Node, scope: Scope) -> Ball:
    parts = {}
    for end in ("body_A", "body_B", "p_AP", "p_BQ"):
        part = node.find(f"{_BALL}_{end}")
        if part is None:
            model.refuse(node, f"<{_BALL}> has no <{_BALL}_{end}>; add it.")
        key = "name" if end.startswith("body") else "value"
        parts[end] = (part, part.attributes.get(key, "") if model.is_urdf else part.text)
    bodies = [f"{scope.given}::{parts[end][1].strip()}" for end in ("body_A", "body_B")]
    points = [_vector(model, *parts[end]) for end in ("p_AP", "p_BQ")]
    return Ball(a=bodies[0], b=bodies[1], p_AP=points[0], p_BQ=points[1])


def _vector(model: XmlModel, node: Node, text: str) -> list[float]:
    numbers = [_finite(model, node, word, node.tag) for word in text.split()]
    if len(numbers) != 3:
        model.refuse(node, f"<{node.tag}> is '{text.strip()}'; write three numbers.")
    return numbers


def _coupler(model: XmlModel, mimic: Node, joint: Node, scope: Scope) -> Coupler:
    given = mimic.attributes
    ratio, offset = (
        _finite(model, mimic, given.get(key, usual), f"{key} of <{mimic.tag}>")
        for key, usual in (("multiplier", "1"), ("offset", "0"))
    )
    name, mimicked = joint.attributes.get("name", ""), given.get("joint", "")
    return Coupler(f"{scope.given}::{name}", f"{scope.given}::{mimicked}", ratio, offset)


def _finite(model: XmlModel, node: Node, text: str, what: str) -> float:
    number = model.number(node, text, what)
    if math.isinf(number):
        model.refuse(node, f"{what} is infinite; write a finite number.")
    return number


def constraints_of_files(
    plant: MultibodyPlant, declared: Iterable[DeclaredConstraint], paths: Iterable[Path]
) -> tuple[list[Constraint], str]:
    """Constraints of the files that a plant holds, and a line about those that it holds besides.

    The line refuses an engine that does not know these; it is empty where there are none. The plant
    has no other constraints than those of files. Raises ModelError where Drake dropped one.
    """
    taken: list[Constraint] = []
    strange = []
    for constraint, where, tag in declared:
        if constraint is None:
            strange.append(f"{where}: <{tag}> is")
        elif is_taken(plant, constraint):
            taken.append(constraint)
    held = plant.num_constraints()
    files = listed({str(path) for path in paths})
    if held < len(taken):
        raise ModelError(
            f"{files}: Drake takes {held} of the {len(taken)} constraints declared here; it drops "
            "those of an SDF file that is included with merge: include it without, or move them "
            "into the scenario's constraints."
        )
    if held == len(taken):
        return taken, ""
    strange.append(f"{files}: {held - len(taken)} of {held} constraints declared here are")
    return taken, (
        f"{strange[0]} of a kind that only Drake's engine knows: take what you can out of the file "
        "and into the scenario's constraints (!Ball, !Weld, !Distance, !Coupler), or choose engine "
        "drake."
    )


def is_taken(plant: MultibodyPlant, constraint: Ball | Coupler) -> bool:
    """Return whether Drake takes a constraint; gears only of joints with one coordinate."""
    if isinstance(constraint, Coupler):
        joints = [_joint(plant, name) for name in (constraint.joint0, constraint.joint1)]
        return all(joint is not None and joint.num_velocities() == 1 for joint in joints)
    return all(find_body(plant, name) is not None for name in (constraint.a, constraint.b))


def _joint(plant: MultibodyPlant, scoped: str) -> Joint | None:
    model, _, name = scoped.rpartition("::")
    if not plant.HasModelInstanceNamed(model):
        return None
    instance = plant.GetModelInstanceByName(model)
    return plant.GetJointByName(name, instance) if plant.HasJointNamed(name, instance) else None
