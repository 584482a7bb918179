"""A sound copy of a URDF: what Drake refuses is replaced by the nearest that it takes."""

from dataclasses import dataclass
from pathlib import Path
from typing import cast
from xml.dom import expatbuilder
from xml.dom.minidom import Document, Element
from xml.parsers.expat import ExpatError

import numpy as np
from pydrake.multibody.parsing import PackageMap

from footfall.errors import ModelError
from footfall.files import make_folder, write_text
from footfall.plants.model_check import known_packages
from footfall.plants.repair.hull import count_corners, small_hull
from footfall.plants.repair.inertia import nearest_inertia
from footfall.plants.repair.mesh_files import read_vertices
from footfall.plants.urdf_tags import is_foreign, is_misplaced, is_misplaced_attribute
from footfall.plants.uris import add_package_of, resolve
from footfall.plants.xml_tree import read_xml

# a hull may leave this much of a mesh outside [m], unless it has as many corners as this
_WITHIN = 3e-3
_MOST_CORNERS = 32

_HULLS = "hulls"  # folder
_CONVERTED = (".stl", ".obj", ".dae")
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_DRIVEN = ("revolute", "continuous", "prismatic")
_TRANSMISSION = "transmission_interface/SimpleTransmission"
_CLOSE = 1e-3  # relative: a change below this is rounding of the file


@dataclass(frozen=True)
class RepairedModel:
    """A repaired model: its file, and a line about each thing that was changed."""

    file: Path
    notes: tuple[str, ...]


def repair_urdf(path: Path, folder: Path) -> RepairedModel:
    """Write a sound copy of a URDF into a folder, with hulls for its collision meshes beside it.

    Collision meshes that Drake does not take, or that have many corners, become convex hulls (Drake
    makes hulls of meshes anyway) with few; an inertia that no body has becomes the nearest that one
    has; inertia without mass goes. So do visual meshes that are not there, tags that nobody reads,
    mimics of fixed joints, and colours of a name that has another. Where no joint has an actuator,
    those with an effort limit get one. Raises ModelError, one line, for what it cannot read.
    """
    if path.suffix.lower() != ".urdf":
        raise ModelError(f"{path}: only URDF files can be repaired.")
    read_xml(path)  # says in our words what is wrong with broken XML
    return _Repair(path, folder, known_packages({})).run()


class _Repair:
    """One pass over a document."""

    def __init__(self, path: Path, folder: Path, packages: PackageMap) -> None:
        self.path, self.folder, self.packages = path, folder, packages
        add_package_of(path, packages)
        self.notes: list[str] = []
        try:
            # without namespaces: many files use the prefix drake: and do not declare it
            self.document: Document = expatbuilder.parseString(  # noqa: S316 (the user's own file)
                path.read_bytes(), namespaces=False
            )
        except (OSError, ExpatError) as error:
            raise ModelError(f"{path}: cannot be read ({error}).") from error
        self.root = cast("Element", self.document.documentElement)

    def run(self) -> RepairedModel:
        """Mend everything and write the files."""
        make_folder(self.folder / _HULLS)
        self._drop_unread(self.root)
        self._drop_fixed_mimics()
        self._name_materials()
        self._add_actuators()
        for link in self.root.getElementsByTagName("link"):
            for inertial in _children(link, "inertial"):
                self._repair_inertial(inertial, link.getAttribute("name"))
            for number, collision in enumerate(_children(link, "collision")):
                self._repair_collision(collision, f"{link.getAttribute('name')}_{number}")
            for visual in _children(link, "visual"):
                self._repair_visual(visual, link)
        file = self.folder / self.path.name
        write_text(file, self.root.toxml() + "\n")
        return RepairedModel(file, tuple(self.notes))

    def _drop_unread(self, element: Element, above: str = "") -> None:
        """Take out what Drake does not read and nobody else is known to."""
        for attribute in list(element.attributes.keys()):
            if is_misplaced_attribute(attribute, element.tagName, above):
                element.removeAttribute(attribute)
                self._note(f"{attribute} of <{element.tagName}> left out: nobody reads it.")
        for child in [child for child in element.childNodes if isinstance(child, Element)]:
            if is_misplaced(child.tagName, element.tagName, above):
                element.removeChild(child)
                self._note(f"<{child.tagName}> in <{element.tagName}> left out: nobody reads it.")
            elif not is_foreign(child.tagName, element.tagName):
                self._drop_unread(child, element.tagName)

    def _drop_fixed_mimics(self) -> None:
        """Take out the <mimic> of fixed joints, which Drake refuses."""
        for joint in self.root.getElementsByTagName("joint"):
            for mimic in _children(joint, "mimic"):
                if joint.getAttribute("type") == "fixed":
                    joint.removeChild(mimic)
                    name = joint.getAttribute("name")
                    self._note(f"joint '{name}': <mimic> left out, because it is fixed.")

    def _name_materials(self) -> None:
        """Take out the colours of a name that has some already, and materials without any."""
        materials = self.root.getElementsByTagName("material")
        coloured: set[str] = set()
        for material in materials:
            name = material.getAttribute("name")
            colours = _children(material, "color") + _children(material, "texture")
            for colour in colours if name in coloured else []:
                material.removeChild(colour)
            coloured |= {name} if name and colours else set()
        for material in materials:
            if material.getAttribute("name") not in coloured | {""}:
                cast("Element", material.parentNode).removeChild(material)

    def _add_actuators(self) -> None:
        """Give joints with an effort limit an actuator, if the file has no transmission at all."""
        if self.root.getElementsByTagName("transmission"):
            return
        driven = 0
        for joint in _children(self.root, "joint"):
            efforts = [limit.getAttribute("effort") for limit in _children(joint, "limit")]
            if joint.getAttribute("type") not in _DRIVEN or not any(map(_is_positive, efforts)):
                continue
            name = joint.getAttribute("name")
            kind = self._element("type", "")
            kind.appendChild(self.document.createTextNode(_TRANSMISSION))
            parts = (kind, self._element("joint", name), self._element("actuator", name))
            self.root.appendChild(self._element("transmission", f"{name}_drive", *parts))
            self.root.appendChild(self.document.createTextNode("\n"))
            driven += 1
        if driven:
            self._note(f"{driven} joints with an effort limit got an actuator of their name.")

    def _element(self, tag: str, name: str, *children: Element) -> Element:
        element = self.document.createElement(tag)
        if name:
            element.setAttribute("name", name)
        for child in children:
            element.appendChild(child)
        return element

    def _note(self, note: str) -> None:
        """Tell a thing once, however often it was done."""
        if note not in self.notes:
            self.notes.append(note)

    def _repair_inertial(self, inertial: Element, link: str) -> None:
        masses, inertias = _children(inertial, "mass"), _children(inertial, "inertia")
        if not (masses and inertias):
            return
        inertia = inertias[0]
        mass = self._number(masses[0], "value", link)
        xx, xy, xz, yy, yz, zz = (self._number(inertia, key, link) for key in _MOMENTS)
        given = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        repaired = nearest_inertia(given) if mass > 0.0 else np.zeros((3, 3))
        if not (repaired - given).any():
            return
        for key, value in zip(_MOMENTS, repaired[np.triu_indices(3)], strict=True):
            inertia.setAttribute(key, repr(float(value)))
        change = float(np.linalg.norm(repaired - given) / np.linalg.norm(given))
        size = "by rounding" if change < _CLOSE else f"by {100.0 * change:.2g} %"
        self.notes.append(f"link '{link}': inertia changed {size}, to one that a body has.")

    def _number(self, element: Element, key: str, link: str) -> float:
        text = element.getAttribute(key) or "0"
        try:
            return float(text)
        except ValueError as error:
            message = f"{self.path}: {key} of link '{link}' is '{text}'; write one number."
            raise ModelError(message) from error

    def _repair_collision(self, collision: Element, name: str) -> None:
        for mesh in collision.getElementsByTagName("mesh"):
            path = self._resolved(mesh)
            if path is None:
                continue
            mesh.setAttribute("filename", path.as_uri())
            if path.suffix.lower() not in _CONVERTED:
                continue
            scale = np.array([float(s) for s in (mesh.getAttribute("scale") or "1 1 1").split()])
            points = read_vertices(path) * scale
            try:
                if path.suffix.lower() == ".obj" and count_corners(points) <= _MOST_CORNERS:
                    continue  # Drake takes it, and it is small already
                hull = small_hull(points, within=_WITHIN, most=_MOST_CORNERS)
            except ModelError as error:
                raise ModelError(f"{path}: {error}") from error
            file = self.folder / _HULLS / f"{name}.obj"
            hull.write(file)
            mesh.setAttribute("filename", f"{_HULLS}/{file.name}")
            if mesh.hasAttribute("scale"):
                mesh.removeAttribute("scale")
            self.notes.append(
                f"{path.name}: {len(points)} vertices became {file.relative_to(self.folder)}, a "
                f"hull of {len(hull.corners)} corners, {1e3 * hull.error:.1f} mm too small."
            )

    def _repair_visual(self, visual: Element, link: Element) -> None:
        for mesh in visual.getElementsByTagName("mesh"):
            try:
                path = self._resolved(mesh)
            except ModelError:
                link.removeChild(visual)
                uri = mesh.getAttribute("filename")
                where = f"link '{link.getAttribute('name')}'"
                self.notes.append(f"{where}: visual left out, {uri} is not there.")
                return
            if path is not None:
                mesh.setAttribute("filename", path.as_uri())

    def _resolved(self, mesh: Element) -> Path | None:
        uri = mesh.getAttribute("filename").strip()
        return resolve(uri, self.packages, self.path.parent, str(self.path))


def _children(element: Element, tag: str) -> list[Element]:
    return [
        child for child in element.childNodes if isinstance(child, Element) and child.tagName == tag
    ]


def _is_positive(text: str) -> bool:
    try:
        return float(text) > 0.0
    except ValueError:
        return False
