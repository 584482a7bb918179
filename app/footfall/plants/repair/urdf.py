"""A sound copy of a URDF: what Drake refuses is replaced by the nearest that it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from xml.dom.minidom import Element

import numpy as np
from scipy.optimize import nnls

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError, reason_of, refusing
from footfall.files import make_folder, new_folder, write_text
from footfall.plants.loading.file_check import is_foreign, is_misplaced, is_misplaced_attribute
from footfall.plants.loading.uris import Packages, add_package_of, known_packages, resolve
from footfall.plants.loading.xml_tree import number_of
from footfall.plants.repair.collisions import HULLS, Collisions
from footfall.plants.repair.dom import Urdf, children_of
from footfall.plants.repair.visuals import CONVERTED, Source, Visuals

_DRIVEN = ("revolute", "continuous", "prismatic")
_SIMPLE = "SimpleTransmission"  # the one type that Drake reads, with whatever before it
_TYPE = f"transmission_interface/{_SIMPLE}"
TOLERANCE = 3e-3  # m: of shapes that stand for collision meshes

_VISUALS = "visuals"  # folder
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_CLOSE = 1e-3  # relative: a change below this is rounding of the file
_TRIANGLE = np.array([[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0]])
"""Rows that are not negative for moments of a body, none of which is negative then."""
_INSIDE = 1e-9  # how far inside the bounds the answer lies, relative to the largest moment


def add_actuators(urdf: Urdf) -> int:
    """Give joints with an effort limit that no transmission drives an actuator of their name.

    Joints that mimic others have none: those move them. Transmissions of types that Drake passes
    over go. Returns how many actuators were added.
    """
    driven = _driven(urdf)
    added = 0
    for joint in children_of(urdf.root, "joint"):
        name = joint.getAttribute("name")
        efforts = [limit.getAttribute("effort") for limit in children_of(joint, "limit")]
        of_its_own = joint.getAttribute("type") in _DRIVEN and not children_of(joint, "mimic")
        if (
            name in driven
            or not of_its_own
            or not any(number_of(effort) > 0.0 for effort in efforts)
        ):
            continue
        kind = urdf.element("type")
        kind.appendChild(urdf.document.createTextNode(_TYPE))
        parts = (kind, urdf.element("joint", name=name), urdf.element("actuator", name=name))
        urdf.root.appendChild(urdf.element("transmission", parts, name=f"{name}_drive"))
        urdf.root.appendChild(urdf.document.createTextNode("\n"))
        urdf.note(f"joint '{name}': an actuator of its name, as it has an effort limit.")
        added += 1
    return added


def _driven(urdf: Urdf) -> set[str]:
    """Joints that Drake finds an actuator for; takes out the transmissions that it passes over."""
    driven: set[str] = set()
    for transmission in children_of(urdf.root, "transmission"):
        joints = [joint.getAttribute("name") for joint in children_of(transmission, "joint")]
        if _kind(transmission).endswith(_SIMPLE) and children_of(transmission, "actuator"):
            driven |= set(joints[:1])
            continue
        urdf.root.removeChild(transmission)
        urdf.note(f"transmission of {', '.join(joints)} left out: Drake reads only {_SIMPLE}.")
    return driven


def _kind(transmission: Element) -> str:
    """The type of a transmission: text of a tag, or an attribute in old files."""
    texts = [
        child.nodeValue or ""
        for kind in children_of(transmission, "type")
        for child in kind.childNodes
        if child.nodeType == child.TEXT_NODE
    ]
    return "".join(texts).strip() or transmission.getAttribute("type")


@dataclass(frozen=True)
class RepairedModel:
    """A repaired model: its file, one line that sums up, and a line about each thing changed."""

    file: Path
    summary: str
    notes: tuple[str, ...]


def repair_urdf(path: Path, folder: Path, *, tolerance: float = TOLERANCE) -> RepairedModel:
    """Write a sound copy of a URDF into a folder, with the meshes that it needs beside it.

    Collision meshes that Drake does not take, or that have many corners, become spheres, capsules
    or boxes where one is within the tolerance [m], else convex hulls (Drake makes hulls of meshes
    anyway) with few corners. Visual meshes that Drake does not draw everywhere are converted. An
    inertia that no body has becomes the nearest that one has; inertia without mass goes. So do
    visual meshes that are not there, tags that nobody reads, mimics of fixed joints, transmissions
    that Drake passes over, and colours of a name that has another. Every joint with an effort limit
    gets an actuator. Raises ModelError, one line, for what it cannot read, ScenarioError for a
    tolerance that is none.
    """
    if not 0.0 <= tolerance < np.inf:
        raise ScenarioError(f"--tolerance is {tolerance}: give a number of metres from 0.")
    if path.suffix.lower() != ".urdf":
        raise ModelError(f"{path}: only URDF files can be repaired.")
    with (
        refusing(
            ModelError, lambda error: f"{path}: {reason_of(error)}; correct the file by hand."
        ),
        new_folder(folder),
    ):
        return _Repair(path, folder, known_packages({}), tolerance).run()


class _Repair:
    """One pass over a document."""

    def __init__(self, path: Path, folder: Path, packages: Packages, tolerance: float) -> None:
        self.path, self.folder, self.packages = path, folder, packages
        add_package_of(path, packages)
        self.urdf = Urdf(path)
        self.root = self.urdf.root
        self.collisions = Collisions(self.urdf, self._resolved, tolerance)

    def run(self) -> RepairedModel:
        """Mend everything and write the files."""
        make_folder(self.folder / HULLS)
        self._drop_unread(self.root)
        self._drop_fixed_mimics()
        self._name_materials()
        dropped = len(self.urdf.notes)
        actuators = add_actuators(self.urdf)
        before = len(self.urdf.notes)
        links = children_of(self.root, "link")
        for origin in self.root.getElementsByTagName("origin"):
            above = cast("Element", origin.parentNode)
            self.urdf.pose(above, f"<{above.tagName}>")  # refuses what is none
        for link in links:
            for inertial in children_of(link, "inertial"):
                self._repair_inertial(inertial, link.getAttribute("name"))
        inertias = len(self.urdf.notes) - before
        self.collisions.replace(self.folder)
        converted = self._convert_visuals(links)
        if not any((self.folder / HULLS).iterdir()):
            (self.folder / HULLS).rmdir()
        file = self.folder / self.path.name
        write_text(file, self.root.toxml() + "\n")
        parts = (
            self._shapes(),
            _counted(converted, "visual mesh converted", "visual meshes converted"),
            _counted(actuators, "actuator added", "actuators added"),
            _counted(inertias, "inertia corrected", "inertias corrected"),
            _counted(dropped, "kind of tag left out", "kinds of tags left out"),
        )
        summary = "; ".join(part for part in parts if part) or "nothing was at fault"
        return RepairedModel(file, f"{self.path.stem}: {summary}.", tuple(self.urdf.notes))

    def _shapes(self) -> str:
        made = self.collisions.made
        if not made:
            return ""
        shapes = " and ".join(
            _counted(count, kind, "boxes" if kind == "box" else f"{kind}s")
            for kind, count in sorted(made.items())
        )
        error = 1e3 * max(self.collisions.errors)
        return f"collision meshes became {shapes}, at most {error:.1f} mm off"

    def _drop_unread(self, element: Element, above: str = "") -> None:
        """Take out what Drake does not read and nobody else is known to."""
        for attribute in list(element.attributes.keys()):
            if is_misplaced_attribute(attribute, element.tagName, above):
                element.removeAttribute(attribute)
                self.urdf.note(f"{attribute} of <{element.tagName}> left out: nobody reads it.")
        for child in [child for child in element.childNodes if isinstance(child, Element)]:
            if is_misplaced(child.tagName, element.tagName, above):
                element.removeChild(child)
                self.urdf.note(
                    f"<{child.tagName}> in <{element.tagName}> left out: nobody reads it."
                )
            elif not is_foreign(child.tagName, element.tagName):
                self._drop_unread(child, element.tagName)

    def _drop_fixed_mimics(self) -> None:
        """Take out the <mimic> of fixed joints, which Drake refuses."""
        for joint in self.root.getElementsByTagName("joint"):
            for mimic in children_of(joint, "mimic"):
                if joint.getAttribute("type") == "fixed":
                    joint.removeChild(mimic)
                    name = joint.getAttribute("name")
                    self.urdf.note(f"joint '{name}': <mimic> left out, because it is fixed.")

    def _name_materials(self) -> None:
        """Say the colour of each name once, before it is used; take out materials without any.

        The first is the one that counts, and a visual that has it may be left out.
        """
        materials = self.root.getElementsByTagName("material")
        coloured: dict[str, list[Element]] = {}
        for material in materials:
            colours = children_of(material, "color") + children_of(material, "texture")
            name = material.getAttribute("name")
            if name and colours:
                coloured.setdefault(name, colours)
                for colour in colours:
                    material.removeChild(colour)
        for material in materials:
            name, above = material.getAttribute("name"), cast("Element", material.parentNode)
            if name and (name not in coloured or above is self.root):
                above.removeChild(material)
        for name, colours in reversed(coloured.items()):
            material = self.urdf.element("material", name=name)
            for colour in colours:
                material.appendChild(colour)
            self.root.insertBefore(material, self.root.firstChild)

    def _repair_inertial(self, inertial: Element, link: str) -> None:
        masses, inertias = children_of(inertial, "mass"), children_of(inertial, "inertia")
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
        self.urdf.notes.append(f"link '{link}': inertia changed {size}, to one that a body has.")

    def _number(self, element: Element, key: str, link: str) -> float:
        return (*self.urdf.numbers(element, key, "0", f"link '{link}'"), 0.0)[0]

    def _convert_visuals(self, links: Sequence[Element]) -> int:
        """Convert what Drake does not draw everywhere; returns how many files that were."""
        uses: dict[Source, list[Element]] = {}
        for link in links:
            for visual in children_of(link, "visual"):
                for mesh, path in self._visual_meshes(visual, link):
                    mesh.setAttribute("filename", path.as_uri())
                    if path.suffix.lower() in CONVERTED:
                        owner = f"a visual of link '{link.getAttribute('name')}'"
                        scale = self.urdf.numbers(mesh, "scale", "1 1 1", owner)
                        uses.setdefault(Source(path, tuple(scale)), []).append(mesh)
        if not uses:
            return 0
        make_folder(self.folder / _VISUALS)
        visuals = Visuals({source: len(meshes) for source, meshes in uses.items()})
        files, cell = visuals.write(self.folder / _VISUALS)
        for source, file in files.items():
            for mesh in uses[source]:
                mesh.setAttribute("filename", f"{_VISUALS}/{file.name}")
                if mesh.hasAttribute("scale"):
                    mesh.removeAttribute("scale")
            coarser = f", details below {1e3 * cell:.1f} mm left out" if cell else ""
            self.urdf.note(f"{source.path.name} became {_VISUALS}/{file.name}{coarser}.")
        return len(files)

    def _visual_meshes(self, visual: Element, link: Element) -> list[tuple[Element, Path]]:
        """The meshes of a visual and their files; one that is not there goes."""
        meshes = []
        for mesh in visual.getElementsByTagName("mesh"):
            try:
                path = self._resolved(mesh)
            except ModelError:
                link.removeChild(visual)
                uri = mesh.getAttribute("filename")
                where = f"link '{link.getAttribute('name')}'"
                self.urdf.notes.append(f"{where}: visual left out, {uri} is not there.")
                return []
            meshes += [] if path is None else [(mesh, path)]
        return meshes

    def _resolved(self, mesh: Element) -> Path | None:
        uri = mesh.getAttribute("filename").strip()
        scheme, _, rest = uri.partition(":///")
        if scheme == "package":  # a name that was left out, as some readers of ROS pass over
            uri = f"package://{rest}"
        return resolve(uri, self.packages, self.path.parent, str(self.path))


def _counted(count: int, one: str, many: str) -> str:
    return "" if count == 0 else f"{count} {one if count == 1 else many}"


def nearest_inertia(inertia: Array) -> Array:
    """Return the inertia of a body that is nearest to a symmetric matrix, (3, 3) [kg m^2].

    Nearest in the sum of squares of the entries: the principal axes stay, the principal moments are
    projected onto those of bodies, none negative and none above the sum of the others. A matrix
    that a body has comes back as it is.
    """
    moments, axes = np.linalg.eigh(inertia)
    excess = moments[2] - moments[0] - moments[1]
    if moments[0] >= 0.0 and excess <= 0.0:
        return inertia
    pushes, _ = nnls(_TRIANGLE.T, -moments)  # of the bounds, whose cone holds what is projected out
    bodily = moments + _TRIANGLE.T @ pushes
    bodily += _INSIDE * bodily.max()
    repaired = axes @ np.diag(bodily) @ axes.T
    return 0.5 * (repaired + repaired.T)
