"""A URDF as a document that is changed in place and keeps its comments."""

import math
from pathlib import Path
from typing import cast
from xml.dom.minidom import Element

import numpy as np
from pydrake.math import RigidTransform, RollPitchYaw

from footfall.errors import ModelError
from footfall.plants.loading.xml_tree import number_of, read_document


class Urdf:
    """The document of a file, with its notes on what was changed."""

    def __init__(self, path: Path) -> None:
        """Read a file; ModelError names the line of what is wrong with its XML."""
        self.path = path
        self.document, _ = read_document(path)
        self.root = cast("Element", self.document.documentElement)
        self.notes: list[str] = []

    def note(self, note: str) -> None:
        """Tell a thing once, however often it was done."""
        if note not in self.notes:
            self.notes.append(note)

    def element(self, tag: str, children: tuple[Element, ...] = (), **attributes: str) -> Element:
        """Make an element, which is put nowhere yet."""
        element = self.document.createElement(tag)
        for key, value in attributes.items():
            element.setAttribute(key, value)
        for child in children:
            element.appendChild(child)
        return element

    def numbers(self, element: Element, key: str, default: str, owner: str) -> list[float]:
        """Return the numbers of an attribute; ModelError for what is none."""
        text = element.getAttribute(key) or default
        numbers = [number_of(word) for word in text.split()]
        if not all(map(math.isfinite, numbers)):
            raise ModelError(f"{self.path}: {key} of {owner} is '{text}'; write finite numbers.")
        return numbers

    def pose(self, element: Element, owner: str) -> RigidTransform:
        """Pose that the <origin> of an element gives."""
        origins = children_of(element, "origin")
        if not origins:
            return RigidTransform()
        xyz = self.numbers(origins[0], "xyz", "0 0 0", owner)
        rpy = self.numbers(origins[0], "rpy", "0 0 0", owner)
        if len(xyz) != 3 or len(rpy) != 3:
            raise ModelError(
                f"{self.path}: xyz or rpy of {owner} is short: write three numbers in each."
            )
        return RigidTransform(RollPitchYaw(rpy), xyz)

    def put_pose(self, element: Element, pose: RigidTransform) -> None:
        """Give an element this <origin>, in place of its own."""
        for origin in children_of(element, "origin"):
            element.removeChild(origin)
        rpy = RollPitchYaw(pose.rotation()).vector()
        origin = self.element("origin", xyz=_text(pose.translation()), rpy=_text(rpy))
        element.insertBefore(origin, element.firstChild)


def children_of(element: Element, tag: str) -> list[Element]:
    """Children of an element with a tag."""
    return [
        child for child in element.childNodes if isinstance(child, Element) and child.tagName == tag
    ]


def _text(values: np.ndarray) -> str:
    return " ".join(f"{value:.9g}" for value in values)
