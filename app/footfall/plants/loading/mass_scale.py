"""Masses and inertias of links times a factor, in a copy of the text of a model file.

A factor is that of a density: mass and moments of inertia grow alike, centres of mass stay.
"""

import math
from collections.abc import Iterable, Mapping

from footfall.errors import ScenarioError
from footfall.plants.loading.xml_tree import Node, XmlEdit
from footfall.plants.names import broad_first, fitting

_MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def check_mass_scale(scale: Mapping[str, float]) -> None:
    """Raise ScenarioError for a factor that is no positive number."""
    for name, factor in scale.items():
        if not 0.0 < factor < math.inf:
            message = f"mass_scale.{name} is {factor}: give a finite factor above 0."
            raise ScenarioError(message)


def factors(scale: Mapping[str, float], links: Iterable[str]) -> dict[str, float]:
    """Return the factors of links, given by full name ``model::link``, that are to be scaled.

    What fits best counts alone: a name before a pattern. Raises ScenarioError for a name that fits
    no link.
    """
    known = {full: full.rpartition("::")[2] for full in links}
    factor_of: dict[str, float] = {}
    for name in broad_first(scale):
        for full in fitting(name, known, "mass_scale", "link"):
            factor_of[full] = scale[name]
    return factor_of


def links_of(edit: XmlEdit) -> list[Node]:
    """Return the links of a URDF, or of an SDF file, that have a mass of their own."""
    links = edit.root.all("link")
    return [link for link in links if link.find("inertial") is not None]


def scale_urdf(edit: XmlEdit, link: Node, factor: float) -> None:
    """Scale the inertial of a link of a URDF."""
    inertial = link.find("inertial")
    for tag, names in (("mass", ("value",)), ("inertia", _MOMENTS)):
        part = inertial.find(tag) if inertial is not None else None
        for name in names if part is not None else ():
            if part is not None and name in part.attributes:
                edit.set(part, name, _times(part.attributes[name], factor))


def scale_sdf(edit: XmlEdit, link: Node, factor: float) -> None:
    """Scale the inertial of a link of an SDF file; what it leaves out is 1 kg and 1 kg m^2."""
    inertial = link.find("inertial")
    if inertial is None:
        return
    added = "" if inertial.find("mass") is not None else f"<mass>{factor!r}</mass>"
    inertia = inertial.find("inertia")
    if inertia is None:
        moments = "".join(f"<{name}>{factor!r}</{name}>" for name in _MOMENTS[:3])
        added += f"<inertia>{moments}</inertia>"
    else:
        missing = [name for name in _MOMENTS[:3] if inertia.find(name) is None]
        if missing:
            edit.insert(inertia, "".join(f"<{n}>{factor!r}</{n}>" for n in missing))
    if added:
        edit.insert(inertial, added)
    for part in (*inertial.children, *(inertia.children if inertia is not None else ())):
        if part.tag in ("mass", *_MOMENTS):
            edit.set_text(part, _times(edit.contents(part), factor))


def _times(text: str, factor: float) -> str:
    """Return a number times a factor; what is none stays for later checks."""
    try:
        return repr(float(text) * factor)
    except ValueError:
        return text
