"""Postures in which a robot stands, from what its maker wrote: SRDF beside a URDF, MJCF keyframes.

Source: MoveIt's Semantic Robot Description Format, ``<group_state name>`` with ``<joint name
value>``; https://mujoco.readthedocs.io/en/stable/XMLreference.html#keyframe, whose qpos holds 7
numbers of a free joint, 4 of a ball joint and 1 of others, in the order of the file.
"""

import math
from collections.abc import Collection, Mapping
from pathlib import Path

from footfall.errors import ModelError
from footfall.plants.loading.mjcf import read_mjcf
from footfall.plants.loading.model_files import MJCF
from footfall.plants.loading.xml_tree import number_of, read_xml

_STANDING = ("standing", "half_sitting", "home")
"""Names of postures in which robots stand, the best first."""

_STANDING_KEYFRAMES = ("standing", "stand", "home")
_SIZES = {"free": 7, "ball": 4}  # numbers of a joint in qpos
_FOLDERS = (".", "srdf", "../srdf")


def standing_posture(file: Path, joints: Collection[str]) -> tuple[str, dict[str, float]]:
    """Return the posture in which a robot stands, by joint, and where it is from; empty without.

    Of a URDF, SRDF files beside it and in folders ``srdf`` near it are looked for, and the posture
    of the best name is taken that speaks of most of the joints. Of an MJCF file the keyframe of the
    best name is taken, else the first; nothing of one whose numbers are not those of the joints.
    Joints of several coordinates, and those that are not asked for, are left out.
    """
    return (_of_keyframe if file.suffix.lower() in MJCF else _of_srdf)(file, joints)


def _of_srdf(urdf: Path, joints: Collection[str]) -> tuple[str, dict[str, float]]:
    best: tuple[int, int, str, dict[str, float]] | None = None
    for file in _near(urdf):
        for name, values in _postures(file).items():
            known = {joint: value for joint, value in values.items() if joint in joints}
            if name in _STANDING and known:
                rank = (len(known), -_STANDING.index(name), f"{name} of {file.name}", known)
                best = rank if best is None or rank[:2] > best[:2] else best
    return ("", {}) if best is None else best[2:]


def _near(urdf: Path) -> list[Path]:
    return sorted({f.resolve() for each in _FOLDERS for f in (urdf.parent / each).glob("*.srdf")})


def _postures(file: Path) -> Mapping[str, Mapping[str, float]]:
    """Joint values by name of the posture; nothing of a file that cannot be read."""
    try:
        root = read_xml(file)
    except ModelError:
        return {}
    postures: dict[str, dict[str, float]] = {}
    for state in root.children:
        if state.tag == "group_state":
            values = postures.setdefault(state.attributes.get("name", ""), {})
            for joint in state.children:
                number = number_of(joint.attributes.get("value", ""))
                if joint.tag == "joint" and math.isfinite(number):
                    values[joint.attributes.get("name", "")] = number
    return postures


def _of_keyframe(path: Path, joints: Collection[str]) -> tuple[str, dict[str, float]]:
    edit, classes = read_mjcf(path)
    keys = [key for key in edit.root.all("key") if "qpos" in key.attributes]
    keys.sort(key=lambda key: _rank(key.attributes.get("name", "")))
    sizes: list[tuple[str, int]] = []
    for world in edit.root.all("worldbody"):
        for joint in world.all("joint", "freejoint"):
            kind = "free" if joint.tag == "freejoint" else classes.of(joint).get("type", "hinge")
            sizes.append((joint.attributes.get("name", ""), _SIZES.get(kind, 1)))
    for key in keys:
        values = [number_of(word) for word in key.attributes["qpos"].split()]
        if len(values) != sum(size for _, size in sizes) or any(map(math.isnan, values)):
            continue
        posture, at = {}, 0
        for name, size in sizes:
            if size == 1 and name in joints:
                posture[name] = values[at]
            at += size
        return f"{key.attributes.get('name', 'first')} of {path.name}", posture
    return "", {}


def _rank(name: str) -> int:
    return (
        _STANDING_KEYFRAMES.index(name) if name in _STANDING_KEYFRAMES else len(_STANDING_KEYFRAMES)
    )
