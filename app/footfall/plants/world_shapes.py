"""Limit to the collision shapes that models give the world itself, beside the ground's half-space.

Drake keeps what is fixed to the world's frame in one tree of boxes, and the half-space's box has no
end. A tree deeper than log2 of its leaves by ten is made anew, which ends the interpreter where a
box has no end. A tree of no more shapes than are let through here is never as deep.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from footfall.errors import ModelError
from footfall.plants.xml_tree import Node

MOST_WORLD_SHAPES = 13
"""The largest n for which n - log2(n + 1) < 10."""


def urdf_world_shapes(robot: Node) -> int:
    """Count the collision shapes on the link `world` of a URDF file."""
    links = (child for child in robot.children if child.tag == "link")
    return sum(
        part.tag == "collision"
        for link in links
        if link.attributes.get("name") == "world"
        for part in link.children
    )


def mjcf_world_shapes(geoms: Iterable[Mapping[str, str]]) -> int:
    """Count the shapes of MJCF that touch anything; geoms: attributes, with those of classes."""
    return sum(not geom.get("contype") == geom.get("conaffinity") == "0" for geom in geoms)


def check_world_shapes(count: int, path: Path) -> None:
    """Raise ModelError for more shapes than Drake bears; path: of the file that brings the last."""
    if count > MOST_WORLD_SHAPES:
        part = "a link" if path.suffix.lower() == ".urdf" else "a <body>"
        raise ModelError(
            f"{path}: the world itself gets {count} collision shapes, and Drake crashes on more "
            f"than {MOST_WORLD_SHAPES} beside the ground; give them to {part} that is fixed to the "
            "world."
        )
