"""The tags and attributes of URDF that Drake reads; it passes over all others in silence.

Source: Drake's "Parsing Models for Multibody Dynamics" (its list of extensions and of what it
ignores) and http://wiki.ros.org/urdf/XML.
"""

from dataclasses import dataclass
from pathlib import Path

from footfall.errors import ModelError
from footfall.plants.loading.xml_tree import Node
from footfall.plants.messages import did_you_mean, words


@dataclass(frozen=True)
class _Tag:
    attributes: frozenset[str]
    children: frozenset[str]


def _tag(attributes: str = "", children: str = "") -> _Tag:
    return _Tag(words(attributes), words(children))


# Blocks that other programs read; nothing in them concerns Drake.
_FOREIGN = words(
    "gazebo ros2_control mujoco sensor contact self_collision_checking calibration "
    "safety_controller drake_compliance verbose"
)
# As those, but only inside one tag, where the files of robot makers have them. Keyed by the parent.
_FOREIGN_INSIDE = {
    "robot": words("properties"),
    "link": words("self_filter collision_checking kinematic gravity surface"),
    "collision": words("material contact_coefficients"),
    "material": words("specular"),
    "joint": words(
        "joint_properties role offset mechanicalReduction ignoreTransmissionAbsoluteEncoder"
    ),
    "actuator": words("role"),
}
_FOREIGN_ATTRIBUTES = {
    "geometry": words("name"),
    "joint": words("dont_collapse"),
    "axis": words("rpy"),
    "limit": words("command_effort gear_velocity current"),
    "dynamics": words("D K mu_coulomb mu_viscous"),
}
_TEXT = frozenset(("type", "mechanicalReduction", "hardwareInterface"))
_CONSTRAINT_CHILDREN = {
    "drake:linear_bushing_rpy": "bushing_frameA bushing_frameC bushing_torque_stiffness "
    "bushing_torque_damping bushing_force_stiffness bushing_force_damping",
    "drake:ball_constraint": "ball_constraint_body_A ball_constraint_body_B ball_constraint_p_AP "
    "ball_constraint_p_BQ",
    "drake:linear_spring_damper": "linear_spring_damper_body_A linear_spring_damper_p_AP "
    "linear_spring_damper_body_B linear_spring_damper_p_BQ linear_spring_damper_free_length "
    "linear_spring_damper_stiffness linear_spring_damper_damping",
    "drake:tendon_constraint": "tendon_constraint_joint tendon_constraint_offset "
    "tendon_constraint_lower_limit tendon_constraint_upper_limit tendon_constraint_stiffness "
    "tendon_constraint_damping",
}
_PROXIMITY_VALUES = (
    "drake:mu_dynamic drake:mu_static drake:point_contact_stiffness drake:relaxation_time "
    "drake:hunt_crossley_dissipation drake:hydroelastic_modulus drake:hydroelastic_margin "
    "drake:mesh_resolution_hint"
)
_JOINT = _tag(
    "name type drake_ignore",
    "origin parent child axis limit dynamics mimic drake:screw_thread_pitch drake:initial_tangent "
    "drake:plane_normal drake:curves drake:is_periodic",
)

# Keyed by tag, or by parent/tag where the same tag means different things.
_URDF: dict[str, _Tag] = {
    "robot": _tag(
        "name version",
        "link joint drake:joint transmission material frame loop_joint "
        "drake:collision_filter_group " + " ".join(_CONSTRAINT_CHILDREN),
    ),
    "link": _tag("name type drake_ignore", "inertial visual collision"),
    "inertial": _tag("", "origin mass inertia"),
    "origin": _tag("xyz rpy"),
    "mass": _tag("value"),
    "inertia": _tag("ixx ixy ixz iyy iyz izz"),
    "visual": _tag(
        "name",
        "origin geometry material drake:accepting_renderer drake:illustration_properties "
        "drake:perception_properties",
    ),
    "collision": _tag("name group", "origin geometry drake:proximity_properties"),
    "geometry": _tag("", "box sphere cylinder capsule drake:capsule drake:ellipsoid mesh"),
    "box": _tag("size"),
    "sphere": _tag("radius"),
    "cylinder": _tag("radius length"),
    "capsule": _tag("radius length"),
    "drake:capsule": _tag("radius length"),
    "drake:ellipsoid": _tag("a b c"),
    "mesh": _tag("filename scale", "drake:declare_convex"),
    "drake:declare_convex": _tag(),
    "material": _tag("name", "color texture"),
    "color": _tag("rgba"),
    "texture": _tag("filename"),
    "drake:accepting_renderer": _tag("name"),
    "drake:illustration_properties": _tag("enabled"),
    "drake:perception_properties": _tag("enabled"),
    "drake:proximity_properties": _tag(
        "", _PROXIMITY_VALUES + " drake:rigid_hydroelastic drake:compliant_hydroelastic"
    ),
    "drake:rigid_hydroelastic": _tag(),
    "drake:compliant_hydroelastic": _tag(),
    "joint": _JOINT,
    "drake:joint": _JOINT,
    "parent": _tag("link"),
    "child": _tag("link"),
    "axis": _tag("xyz"),
    "limit": _tag("lower upper effort velocity drake:acceleration"),
    "dynamics": _tag("damping friction coulomb_window"),
    "mimic": _tag("joint multiplier offset"),
    "drake:initial_tangent": _tag("xyz"),
    "drake:plane_normal": _tag("xyz"),
    "drake:curves": _tag("", "drake:line_segment drake:circular_arc"),
    "drake:line_segment": _tag("length"),
    "drake:circular_arc": _tag("radius angle"),
    "transmission": _tag(
        "name type",
        "type joint actuator mechanicalReduction leftActuator rightActuator flexJoint rollJoint "
        "gap_joint passive_joint use_simulated_gripper_joint",
    ),
    "transmission/joint": _tag("name", "hardwareInterface"),
    "type": _tag(),
    "mechanicalReduction": _tag(),
    "hardwareInterface": _tag(),
    "actuator": _tag(
        "name",
        "mechanicalReduction hardwareInterface drake:rotor_inertia drake:gear_ratio "
        "drake:controller_gains",
    ),
    "drake:controller_gains": _tag("p d"),
    "frame": _tag("name link xyz rpy"),
    "drake:collision_filter_group": _tag(
        "name ignore", "drake:member drake:member_group drake:ignored_collision_filter_group"
    ),
    "drake:member": _tag("link"),
    "drake:member_group": _tag("name"),
    "drake:ignored_collision_filter_group": _tag("name"),
}
for _name in f"{_PROXIMITY_VALUES} drake:rotor_inertia drake:gear_ratio".split():
    _URDF[_name] = _tag("value")
for _name in ("drake:screw_thread_pitch", "drake:is_periodic"):
    _URDF[_name] = _tag("value")
for _name, _children in _CONSTRAINT_CHILDREN.items():
    _parts = [f"drake:{child}" for child in _children.split()]
    _URDF[_name] = _tag("", " ".join(_parts))
    for _part in _parts:
        _URDF[_part] = _tag("name value a")


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
    return tag in _FOREIGN or tag in _FOREIGN_INSIDE.get(parent, ()) or not _is_ours(tag)


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
