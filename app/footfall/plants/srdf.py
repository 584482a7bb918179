"""Postures of a robot by name, from the SRDF that its maker wrote beside the URDF.

Source: MoveIt's Semantic Robot Description Format, ``<group_state name>`` with ``<joint name
value>``.
"""

import math
from collections.abc import Collection, Mapping
from pathlib import Path

from footfall.errors import ModelError
from footfall.plants.xml_tree import read_xml

_STANDING = ("standing", "half_sitting", "home")
"""Names of postures in which robots stand, the best first."""

_FOLDERS = (".", "srdf", "../srdf")


def standing_posture(urdf: Path, joints: Collection[str]) -> tuple[str, dict[str, float]]:
    """Return the posture in which a robot stands, and where it is from; both empty without one.

    Looked for are SRDF files beside a URDF and in folders ``srdf`` near it. Taken is the posture of
    the best name that speaks of most of the joints; other joints in it are left out.
    """
    found: tuple[int, int, str, dict[str, float]] | None = None
    for file in _near(urdf):
        for name, values in _postures(file).items():
            known = {joint: value for joint, value in values.items() if joint in joints}
            if name in _STANDING and known:
                rank = (len(known), -_STANDING.index(name), f"{name} of {file.name}", known)
                found = rank if found is None or rank[:2] > found[:2] else found
    return ("", {}) if found is None else found[2:]


def _near(urdf: Path) -> list[Path]:
    return sorted({f.resolve() for each in _FOLDERS for f in (urdf.parent / each).glob("*.srdf")})


def _postures(file: Path) -> Mapping[str, Mapping[str, float]]:
    """Joint values by name of the posture; nothing of a file that cannot be read."""
    try:
        root = read_xml(file)
    except ModelError:
        return {}
    found: dict[str, dict[str, float]] = {}
    for state in root.children:
        if state.tag == "group_state":
            values = found.setdefault(state.attributes.get("name", ""), {})
            for joint in state.children:
                number = _number(joint.attributes.get("value", ""))
                if joint.tag == "joint" and math.isfinite(number):
                    values[joint.attributes.get("name", "")] = number
    return found


def _number(text: str) -> float:
    """Return the value of a joint with one; NaN for a free one, which has several."""
    try:
        return float(text)
    except ValueError:
        return math.nan
