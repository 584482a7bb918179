"""Files of models in copies that Drake takes: the stage of loading behind `expansion`.

MJCF is prepared, masses are scaled, coefficients of friction put into Drake's order, and a file
whose name hides its format is copied under one that tells. A factor of a mass is that of a density:
mass and moments of inertia grow alike, centres of mass stay.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from footfall.errors import ModelError, ScenarioError
from footfall.plants.constraints import Coupler
from footfall.plants.loading.file_physics import FilePhysics
from footfall.plants.loading.mjcf import Mjcf, bodies_of, prepare_mjcf
from footfall.plants.loading.model_files import MJCF, Copy, ModelFile
from footfall.plants.loading.xml_tree import Node, XmlEdit, number_of, xml_bytes
from footfall.plants.names import by_pattern

_MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_ROOTS = {"robot": ".urdf", "sdf": ".sdf", "mujoco": ".xml"}  # by the tag that a file begins with


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
    return by_pattern(scale, known, "mass_scale", "link")


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
    number = number_of(text)
    return text if math.isnan(number) else repr(number * factor)


@dataclass
class Mended:
    """Files that Drake takes, the copies among them, and what MJCF files hold besides.

    notes: a line about each thing of MJCF files that is not as they say. physics, couplers: dry
    friction, springs and gears of MJCF files. mjcf: what else was read of these, by the name of the
    model.
    """

    files: list[ModelFile] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    physics: FilePhysics = field(default_factory=FilePhysics)
    couplers: list[Coupler] = field(default_factory=list)
    mjcf: dict[str, Mjcf] = field(default_factory=dict)

    def add_mjcf(self, model: str, read: Mjcf) -> None:
        """Take what a model's MJCF file holds beside what Drake reads."""
        inside = f"{model}::"
        self.mjcf[model] = read
        self.notes += read.notes
        for joint, effort in read.joint_friction.items():
            self.physics.joint_friction[inside + joint] = effort
        self.physics.springs += [each._replace(joint=inside + each.joint) for each in read.springs]
        for gear in read.couplers:
            ends = inside + gear.joint0, inside + gear.joint1
            self.couplers.append(Coupler(*ends, gear.gear_ratio, gear.offset))


def mend_files(files: Sequence[ModelFile], mass_scale: Mapping[str, float], folder: Path) -> Mended:
    """Return files as Drake takes them, with copies in a folder.

    mass_scale: factors of masses by link, as `mass_scale.factors` takes them. Raises ModelError for
    a file that begins as no model, and for MJCF that cannot be prepared; ScenarioError for factors
    of no link.
    """
    endings = {file.name: _ending_of(file) for file in files if file.place is not None}
    scale = _factors(mass_scale, files, endings)
    mended = Mended()
    for file in files:
        ending = endings.get(file.name, "")
        inside = f"{file.name}::"
        own = {
            full.removeprefix(inside): factor
            for full, factor in scale.items()
            if full.startswith(inside)
        }
        if not ending or not (own or _needs_copy(file.path, ending)):
            mended.files.append(file)
            continue
        path = folder / f"mended{file.place}" / f"{file.source.stem}{ending}"
        path.parent.mkdir()
        if ending == ".xml":
            read = prepare_mjcf(file.path, own)
            mended.add_mjcf(file.name, read)
            path.write_bytes(read.text)
            mended.copies.append(Copy(path, file.path, [] if read.merged else None))
        else:
            path.write_bytes(_text(file, ending, own))
            mended.copies.append(Copy(path, file.path))
        mended.files.append(replace(file, path=path))
    return mended


def _ending_of(file: ModelFile) -> str:
    """Return the ending of a file's format, empty for one that is not mended.

    Raises ModelError for an .xml or .mjcf file that is no model.
    """
    ending = file.path.suffix.lower()
    if ending not in MJCF:
        return ending if ending in _ROOTS.values() else ""
    tag = _read(file.path).root.tag
    if tag not in _ROOTS:
        raise ModelError(
            f"{file.path}: begins with <{tag}>, which is no model: give MJCF (<mujoco>), URDF "
            "(<robot>) or SDFormat (<sdf>)."
        )
    return _ROOTS[tag]


def _needs_copy(path: Path, ending: str) -> bool:
    """Return whether Drake cannot read a file as it is."""
    if ending == ".xml" or path.suffix.lower() != ending:
        return True
    with suppress(ModelError):  # of broken files later checks say more
        return ending == ".sdf" and bool(_reversed_friction(_read(path)))
    return False


def _factors(
    scale: Mapping[str, float], files: Sequence[ModelFile], endings: Mapping[str, str]
) -> dict[str, float]:
    """Return the factors of links by full name."""
    if not scale:
        return {}
    links = [
        f"{file.name}::{link}"
        for file in files
        if (ending := endings.get(file.name))
        for link in _links(file.path, ending)
    ]
    if not links:
        raise ScenarioError("mass_scale: the models have no links with a mass that it could scale.")
    return factors(scale, links)


def _links(path: Path, ending: str) -> list[str]:
    """Names of the links that have mass of their own."""
    if ending == ".xml":
        return bodies_of(path)
    return [link.attributes.get("name", "") for link in links_of(_read(path))]


def _text(file: ModelFile, ending: str, scale: Mapping[str, float]) -> bytes:
    """Return the text of a URDF or SDF file with scaled masses, its files by absolute paths."""
    edit = _read(file.path)
    act = scale_urdf if ending == ".urdf" else scale_sdf
    for link in links_of(edit):
        if link.attributes.get("name") in scale:
            act(edit, link, scale[link.attributes["name"]])
    for smaller, larger in _reversed_friction(edit):
        texts = edit.contents(larger), edit.contents(smaller)
        edit.set_text(smaller, texts[0])
        edit.set_text(larger, texts[1])
    for node in edit.root.all("mesh", "texture", "uri", "drake:diffuse_map"):
        of_urdf = ending == ".urdf"
        address = (node.attributes.get("filename", "") if of_urdf else edit.contents(node)).strip()
        if not address or node.children or "://" in address:
            continue
        if of_urdf:
            edit.set(node, "filename", f"file://{file.folder / address}")
        else:
            edit.set_text(node, f"file://{file.folder / address}")
    return edit.text()


def _reversed_friction(edit: XmlEdit) -> list[tuple[Node, Node]]:
    """Return mu and mu2 where mu is the smaller, which Drake refuses; here the smaller one acts."""
    pairs = []
    for ode in edit.root.all("ode"):
        mu, mu2 = ode.find("mu"), ode.find("mu2")
        # what is no number is told by later checks
        if mu and mu2 and number_of(edit.contents(mu)) < number_of(edit.contents(mu2)):
            pairs.append((mu, mu2))
    return pairs


def _read(path: Path) -> XmlEdit:
    return XmlEdit(xml_bytes(path), path)
