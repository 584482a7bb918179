"""Shapes of an SDF file, read as XML: Drake has no part in it."""

from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np


class Shape(NamedTuple):
    """A visual or a collision; size: its numbers in the order of the file [m]."""

    shape: str
    size: tuple[float, ...]
    middle: np.ndarray
    axes: np.ndarray  # columns: axes of the shape in its link
    colour: tuple[float, ...] | None


def _numbers(text):
    return tuple(float(word) for word in text.split())


def _rotation(roll, pitch, yaw):
    assert roll == 0.0
    cp, sp, cy, sy = np.cos(pitch), np.sin(pitch), np.cos(yaw), np.sin(yaw)
    return np.array([[cy * cp, -sy, cy * sp], [sy * cp, cy, sy * sp], [-sp, 0.0, cp]])


def _read(element):
    pose = _numbers(element.findtext("pose", "0 0 0 0 0 0"))
    (shape,) = element.find("geometry")
    colour = element.findtext("material/diffuse")
    if colour is not None:
        *colour, opacity = _numbers(colour)
        assert opacity == 1.0
    size = tuple(number for part in shape for number in _numbers(part.text))
    return Shape(
        shape.tag, size, np.array(pose[:3]), _rotation(*pose[3:]), colour and tuple(colour)
    )


def link_of(file):
    """The one link of a file."""
    (link,) = ET.parse(file).getroot().iter("link")  # noqa: S314 (a file of our own)
    return link


def shapes_of(link, kind):
    """Its shapes by name, of which none comes twice; kind: visual or collision."""
    elements = link.findall(kind)
    found = {element.get("name"): _read(element) for element in elements}
    assert len(found) == len(elements)
    return found
