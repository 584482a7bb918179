"""The feet of a URDF: links at the ends of its chains that are lowest when all joints are at 0."""

from collections.abc import Mapping

import numpy as np
from pydrake.math import RigidTransform

from footfall.arrays import Array
from footfall.plants.repair.dom import Urdf, children_of

_LOW = 0.1  # of the height of the robot: links that reach so far down stand on the ground


def link_poses(urdf: Urdf) -> dict[str, RigidTransform]:
    """Poses of the links in the root link, with all joints at 0; its z is up."""
    joints = children_of(urdf.root, "joint")
    inboard: dict[str, tuple[str, RigidTransform]] = {}
    for joint in joints:
        ends = [children_of(joint, end) for end in ("parent", "child")]
        if all(ends):
            parent, child = (end[0].getAttribute("link") for end in ends)
            inboard[child] = (parent, urdf.pose(joint, f"joint '{joint.getAttribute('name')}'"))
    poses: dict[str, RigidTransform] = {}
    for link in children_of(urdf.root, "link"):
        name = at = link.getAttribute("name")
        pose, seen = RigidTransform(), {name}
        while at in inboard:
            at, X_PC = inboard[at]
            pose = X_PC @ pose
            if at in seen:  # a ring, which Drake refuses
                break
            seen.add(at)
        poses[name] = pose
    return poses


def find_feet(
    urdf: Urdf, poses: Mapping[str, RigidTransform], corners: Mapping[str, Array]
) -> frozenset[str]:
    """Return the links at the ends of chains of joints that reach down to the lowest point.

    corners: of the collision shapes of links, (n, 3) in the frame of the link. A link that only
    fixed joints follow, with no shape beyond, is an end as well.
    """
    heights = {
        link: (points @ poses[link].rotation().matrix().T + poses[link].translation())[:, 2]
        for link, points in corners.items()
    }
    if not heights:
        return frozenset()
    lowest = min(float(z.min()) for z in heights.values())
    highest = max(float(z.max()) for z in heights.values())
    inner = _with_shapes_beyond(urdf, frozenset(corners))
    limit = lowest + _LOW * (highest - lowest)
    return frozenset(
        link for link, z in heights.items() if link not in inner and float(z.min()) <= limit
    )


def down_in(pose: RigidTransform) -> Array:
    """Downward direction in the frame of a link."""
    return np.asarray(-pose.rotation().matrix()[2])


def _with_shapes_beyond(urdf: Urdf, shaped: frozenset[str]) -> set[str]:
    """Links that a link with shapes hangs on, by one joint or several."""
    parents = {}
    for joint in children_of(urdf.root, "joint"):
        ends = [children_of(joint, end) for end in ("parent", "child")]
        if all(ends):
            parent, child = (end[0].getAttribute("link") for end in ends)
            parents[child] = parent
    inner: set[str] = set()
    for link in shaped:
        at = link
        while at in parents and parents[at] not in inner:
            at = parents[at]
            inner.add(at)
    return inner
