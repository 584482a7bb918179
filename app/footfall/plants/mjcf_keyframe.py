"""Postures of a robot by name, from the keyframes of an MJCF file.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#keyframe; qpos holds 7 numbers of
a free joint, 4 of a ball joint and 1 of others, in the order of the file.
"""

from collections.abc import Collection
from pathlib import Path

from footfall.plants.mjcf import read_mjcf

_STANDING = ("standing", "stand", "home")
_SIZES = {"free": 7, "ball": 4}


def keyframe_posture(path: Path, joints: Collection[str]) -> tuple[str, dict[str, float]]:
    """Return the posture in which a robot stands, by joint, and where it is from; empty without.

    Taken is the keyframe of the best name, else the first; joints of several coordinates are left
    out. Nothing of a keyframe whose numbers are not those of the joints.
    """
    edit, classes = read_mjcf(path)
    keys = [key for key in edit.root.all("key") if "qpos" in key.attributes]
    keys.sort(key=lambda key: _rank(key.attributes.get("name", "")))
    sizes: list[tuple[str, int]] = []
    for world in edit.root.all("worldbody"):
        for joint in world.all("joint", "freejoint"):
            kind = "free" if joint.tag == "freejoint" else classes.of(joint).get("type", "hinge")
            sizes.append((joint.attributes.get("name", ""), _SIZES.get(kind, 1)))
    for key in keys:
        try:
            values = [float(word) for word in key.attributes["qpos"].split()]
        except ValueError:
            continue
        if len(values) != sum(size for _, size in sizes):
            continue
        posture, at = {}, 0
        for name, size in sizes:
            if size == 1 and name in joints:
                posture[name] = values[at]
            at += size
        return f"{key.attributes.get('name', 'first')} of {path.name}", posture
    return "", {}


def _rank(name: str) -> int:
    return _STANDING.index(name) if name in _STANDING else len(_STANDING)
