"""Numbers of an MJCF file, and what Drake asks of those of its bodies."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from footfall.errors import ModelError
from footfall.plants.xml_edit import Element


class Defaults(Protocol):
    """The defaults of a file."""

    def of(self, element: Element) -> dict[str, str]:
        """Return an element's attributes, with those of its class."""


@dataclass(frozen=True)
class Place:
    """Words about an attribute: its file and line before its name, its owner behind it."""

    before: str
    after: str = ""

    def of(self, name: str) -> str:
        """Say which attribute it is."""
        return f"{self.before}{name}{self.after}"


def number(values: Mapping[str, str], name: str, usual: float, where: Place) -> float:
    """Return the number of an attribute, or the usual one; raises ModelError for what is none."""
    return parsed(values[name], where.of(name)) if name in values else usual


def parsed(text: str, what: str) -> float:
    """Return a finite number; raises ModelError, which begins with what it should be."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise ModelError(f"{what} is '{text.strip()}'; write a finite number.")
    return found


def check_bodies(worldbody: Element, defaults: Defaults, path: Path) -> None:
    """Raise ModelError for a mass that no body has, and for names that are empty."""
    for tag in ("body", "joint", "freejoint"):
        for element in worldbody.all(tag):
            if element.attributes.get("name") == "":
                raise ModelError(
                    f"{path}:{element.line}: the name of a <{tag}> is empty; write one, or leave "
                    "the attribute out."
                )
    for inertial in worldbody.all("inertial"):
        mass = number(defaults.of(inertial), "mass", 1.0, Place(f"{path}:{inertial.line}: "))
        if mass <= 0.0:
            raise ModelError(
                f"{path}:{inertial.line}: mass of <inertial> is {mass:g} kg; give a positive one."
            )
