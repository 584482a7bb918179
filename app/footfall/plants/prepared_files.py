"""Model files as Drake is to read them: xacro expanded, MJCF prepared, masses scaled.

What is changed is changed in copies, which are there while a model is parsed. Messages name the
user's files.
"""

import copy
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pydrake.multibody.parsing import AddModel, ModelDirective

from footfall.errors import ModelError, ScenarioError, refusing
from footfall.folder_lock import temporary_folder
from footfall.plants.constraints import Coupler
from footfall.plants.file_physics import FilePhysics
from footfall.plants.made_models import with_made
from footfall.plants.mass_scale import factors, links_of, scale_sdf, scale_urdf
from footfall.plants.mjcf import Mjcf, bodies_of, prepare_mjcf
from footfall.plants.uris import Packages, add_package_of, resolve
from footfall.plants.wording import explain, one_line
from footfall.plants.xacro_files import ALONE, Argument, Compiled, compiled
from footfall.plants.xml_edit import Element, XmlEdit
from footfall.plants.xml_tree import xml_bytes

MJCF = (".xml", ".mjcf")
_ROOTS = {"robot": ".urdf", "sdf": ".sdf", "mujoco": ".xml"}  # by the tag that a file begins with


@dataclass(frozen=True)
class Prepared:
    """Directives whose files Drake reads, and the packages that they need.

    notes: a line about each thing of MJCF files that is not as they say. physics, couplers: dry
    friction, springs and gears of MJCF files. mjcf: what else was read of these, by the name of the
    model.
    """

    directives: Sequence[ModelDirective]
    packages: Packages
    notes: tuple[str, ...] = ()
    physics: FilePhysics = field(default_factory=FilePhysics)
    couplers: Sequence[Coupler] = ()
    mjcf: Mapping[str, Mjcf] = field(default_factory=dict)
    _compiled: Compiled | None = None
    _copies: Mapping[Path, Path] = field(default_factory=dict)

    def with_sources(self, text: str) -> str:
        """Return a text with the user's files in place of copies."""
        for made, source in self._copies.items():
            if any(one.merged for one in self.mjcf.values()) and made.suffix == ".xml":
                text = re.sub(rf"({re.escape(str(made))}):\d+", r"\1", text)  # of no one file
            text = text.replace(str(made), str(source))
        return text if self._compiled is None else self._compiled.with_sources(text)


@contextmanager
def prepared(
    directives: Sequence[ModelDirective],
    packages: Packages,
    arguments: Mapping[str, Mapping[str, Argument]] | None = None,
    mass_scale: Mapping[str, float] | None = None,
) -> Iterator[Prepared]:
    """Let files of directives be such that Drake reads them, for the length of a `with` block.

    arguments: of xacro files, by name of the model. mass_scale: factors of masses by link, as
    `mass_scale.factors` takes them. Raises ModelError and ScenarioError, one line, also for
    whatever else is raised in the block, which is to hold all that reads the files.
    """
    said = _Names()
    files = [model.file for part in directives if (model := part.add_model or part.add_directives)]

    def explained(error: BaseException) -> str:
        return explain(said.with_sources(one_line(error)), directives, files)

    try:
        with refusing(ModelError, explained):
            plain, made = with_made(directives, packages)
            with compiled(plain, packages, arguments) as urdf, temporary_folder() as folder, said:
                said.with_sources = urdf.with_sources
                sources = _sources(urdf)
                scale = _factors(mass_scale or {}, sources)
                result = _prepared(urdf, sources, scale, Path(folder).resolve(), made)
                said.with_sources = result.with_sources
                yield result
    except ModelError as error:
        raise ModelError(said.with_sources(str(error))) from error


@contextmanager
def prepared_file(
    file: str, arguments: Mapping[str, Argument], packages: Packages
) -> Iterator[Prepared]:
    """Do as `prepared` does with one directive, for one file, whose model is called "model"."""
    directive = ModelDirective(add_model=AddModel(name=ALONE, file=file))
    with prepared([directive], packages, {ALONE: arguments}) as files:
        yield files


class _Names(logging.Filter):
    """Lets Drake's warnings, for the length of a `with` block, speak of the user's files."""

    with_sources: Callable[[str], str] = staticmethod(str)

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self.with_sources(record.getMessage()), ()
        return True

    def __enter__(self) -> None:
        logging.getLogger("drake").filters.insert(0, self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger("drake").removeFilter(self)


@dataclass(frozen=True)
class _Source:
    """A model's file: its place, and the ending of its format whatever the file is called."""

    model: str
    path: Path
    ending: str

    def links(self) -> list[str]:
        """Full names of the links that have mass of their own."""
        if self.ending == ".xml":
            names = bodies_of(self.path)
        else:
            names = [link.attributes.get("name", "") for link in links_of(_read(self.path))]
        return [f"{self.model}::{name}" for name in names]

    def needs_copy(self, scale: Mapping[str, float]) -> bool:
        """Return whether Drake cannot read the file as it is."""
        own = any(full.startswith(f"{self.model}::") for full in scale)
        if own or self.ending == ".xml" or self.path.suffix.lower() != self.ending:
            return True
        with suppress(ModelError):  # of broken files later checks say more
            return self.ending == ".sdf" and bool(_reversed_friction(_read(self.path)))
        return False


def _ending_of(path: Path) -> str:
    """Return the ending of the format of an .xml or .mjcf file; ModelError for another one."""
    tag = _read(path).root.tag
    if tag not in _ROOTS:
        raise ModelError(
            f"{path}: begins with <{tag}>, which is no model: give MJCF (<mujoco>), URDF (<robot>) "
            "or SDFormat (<sdf>)."
        )
    return _ROOTS[tag]


def _sources(files: Compiled) -> dict[int, _Source]:
    """Files on this machine that models are read from, by the place of their directive."""
    found = {}
    for number, directive in enumerate(files.directives):
        model = directive.add_model
        if model is None:
            continue
        ending = Path(model.file).suffix.lower()
        if ending not in (*MJCF, ".urdf", ".sdf"):
            continue
        path = None
        with suppress(ModelError):  # what is not there is told by later checks
            path = resolve(model.file, files.packages, Path.cwd(), "")
        if path is not None:
            ending = _ending_of(path) if ending in MJCF else ending
            found[number] = _Source(model.name, path, ending)
    return found


def _factors(scale: Mapping[str, float], sources: Mapping[int, _Source]) -> dict[str, float]:
    """Return the factors of links by full name."""
    if not scale:
        return {}
    links = [link for source in sources.values() for link in source.links()]
    if not links:
        raise ScenarioError("mass_scale: the models have no links with a mass that it could scale.")
    return factors(scale, links)


def _prepared(
    files: Compiled,
    sources: Mapping[int, _Source],
    scale: Mapping[str, float],
    folder: Path,
    made: Mapping[Path, Path],
) -> Prepared:
    """Write copies of the files that need it; made: the user's files by what was made of them."""
    directives, copies = list(files.directives), dict(made)
    physics, couplers = FilePhysics(), []
    mjcf: dict[str, Mjcf] = {}
    for number, source in sources.items():
        if not source.needs_copy(scale):
            continue
        add_package_of(source.path, files.packages)
        own = {
            full.rpartition("::")[2]: factor
            for full, factor in scale.items()
            if full.startswith(f"{source.model}::")
        }
        target = folder / str(number) / f"{source.path.stem}{source.ending}"
        target.parent.mkdir()
        if source.ending == ".xml":
            read = mjcf[source.model] = prepare_mjcf(source.path, own)
            text, inside = read.text, f"{source.model}::"
            for joint, effort in read.joint_friction.items():
                physics.joint_friction[inside + joint] = effort
            physics.springs += [each._replace(joint=inside + each.joint) for each in read.springs]
            for gear in read.couplers:
                ends = inside + gear.joint0, inside + gear.joint1
                couplers.append(Coupler(*ends, gear.gear_ratio, gear.offset))
        else:
            text = _scaled(source, own, files.packages)
        target.write_bytes(text)
        copies[target] = source.path
        directives[number] = _of_file(directives[number], target)
    notes = tuple(note for one in mjcf.values() for note in one.notes)
    return Prepared(directives, files.packages, notes, physics, couplers, mjcf, files, copies)


def _scaled(source: _Source, scale: Mapping[str, float], packages: Packages) -> bytes:
    """Return the text of a URDF or SDF file with scaled masses, its files by absolute paths."""
    edit = _read(source.path)
    act = scale_urdf if source.ending == ".urdf" else scale_sdf
    for link in links_of(edit):
        if link.attributes.get("name") in scale:
            act(edit, link, scale[link.attributes["name"]])
    for smaller, larger in _reversed_friction(edit):
        texts = edit.contents(larger), edit.contents(smaller)
        edit.set_text(smaller, texts[0])
        edit.set_text(larger, texts[1])
    for node in edit.root.all("mesh", "texture", "uri", "drake:diffuse_map"):
        of_urdf = source.ending == ".urdf"
        uri = node.attributes.get("filename", "") if of_urdf else edit.contents(node)
        if not uri.strip() or node.children:
            continue
        with suppress(ModelError):
            file = resolve(uri.strip(), packages, source.path.parent, "")
            if file is not None and of_urdf:
                edit.set(node, "filename", f"file://{file}")
            elif file is not None:
                edit.set_text(node, f"file://{file}")
    return edit.text()


def _reversed_friction(edit: XmlEdit) -> list[tuple[Element, Element]]:
    """Return mu and mu2 where mu is the smaller, which Drake refuses; here the smaller one acts."""
    found = []
    for ode in edit.root.all("ode"):
        mu, mu2 = ode.find("mu"), ode.find("mu2")
        with suppress(ValueError):  # what is no number is told by later checks
            if mu and mu2 and float(edit.contents(mu)) < float(edit.contents(mu2)):
                found.append((mu, mu2))
    return found


def _read(path: Path) -> XmlEdit:
    return XmlEdit(xml_bytes(path), path)


def _of_file(directive: ModelDirective, file: Path) -> ModelDirective:
    """A copy of a directive whose model is another file."""
    directive = copy.deepcopy(directive)
    model = directive.add_model
    model.file = str(file)
    directive.add_model = model  # Drake hands out copies
    return directive
