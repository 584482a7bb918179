"""Dry friction of joints that URDF and SDF files declare, which Drake passes over.

Source: http://wiki.ros.org/urdf/XML/joint (``<dynamics friction>``, "static friction") and
http://sdformat.org/spec (``<axis><dynamics><friction>``).
"""

import math

from footfall.plants.xml_check import XmlModel
from footfall.plants.xml_constraints import Scope
from footfall.plants.xml_tree import Node


def read_joint_friction(model: XmlModel, scope: Scope) -> dict[str, float]:
    """Friction [N m or N] by full joint name, ``model::joint``; joints without any are left out.

    Models that an SDF file includes are not looked into: they are files of their own. Raises
    ModelError for friction that is negative, endless or no number.
    """
    found: dict[str, float] = {}
    _read(model, model.root, scope, found, top=True)
    return found


def _read(
    model: XmlModel, node: Node, scope: Scope, found: dict[str, float], *, top: bool = False
) -> None:
    for child in node.children:
        if child.tag == "joint":
            effort = _friction(model, child)
            if effort > 0.0:
                found[f"{_owner(model, child, scope)}::{child.attributes.get('name', '')}"] = effort
        elif child.tag == "world":
            _read(model, child, scope, found, top=True)
        elif child.tag == "model":  # the first one is what the file describes
            inner = scope if top else scope.inner(child.attributes.get("name", ""))
            _read(model, child, inner, found)


def _owner(model: XmlModel, joint: Node, scope: Scope) -> str:
    """The model that Drake counts a joint to: that of its child, which may be a nested one."""
    child = None if model.is_urdf else joint.find("child")
    within = "" if child is None else child.text.strip().rpartition("::")[0]
    return f"{scope.given}::{within}" if within else scope.given


def _friction(model: XmlModel, joint: Node) -> float:
    dynamics = joint.find("dynamics") if model.is_urdf else joint.find("axis", "dynamics")
    if dynamics is None:
        return 0.0
    if model.is_urdf:
        text = dynamics.attributes.get("friction", "0")
    else:
        friction = dynamics.find("friction")
        text = "0" if friction is None else friction.text
    what = f"friction of joint '{joint.attributes.get('name', '?')}'"
    effort = model.number(dynamics, text, what)
    if not 0.0 <= effort < math.inf:
        model.refuse(dynamics, f"{what} is {effort:g}; write a finite number that is not negative.")
    return effort
