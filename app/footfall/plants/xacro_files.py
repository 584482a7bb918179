"""Models whose files are written in xacro, as the URDF that everything else reads.

The compiled files are there while a model is parsed. Messages name the user's files.
"""

import copy
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from xml.dom import minidom

from pydrake.multibody.parsing import AddModel, ModelDirective, PackageMap

from footfall.errors import ModelError, ScenarioError
from footfall.folder_lock import temporary_folder
from footfall.plants.uris import add_package_of, resolve
from footfall.plants.wording import did_you_mean
from footfall.plants.xacro_run import Argument, Place, place_of, run_xacro, text_of
from footfall.plants.xml_tree import parse_xml
from footfall.resources import package_map, share_root
from footfall.trust import is_trusted

__all__ = ["ALONE", "Argument", "Compiled", "compiled", "is_xacro", "stem_of"]

ALONE = "model"  # name of a model that is looked at by itself
_XACRO = ".xacro"
_WITH_FILES = ("mesh", "texture")  # tags of URDF whose attribute `filename` is a URI


def is_xacro(file: str) -> bool:
    """Return whether a path or an address is that of a xacro file."""
    return file.lower().endswith(_XACRO)


def stem_of(file: str) -> str:
    """Name of a model's file without folder and endings: robot of x/robot.urdf.xacro."""
    name = Path(file).name
    return Path(name[: -len(_XACRO)] if is_xacro(name) else name).stem


@dataclass(frozen=True)
class Compiled:
    """Directives without xacro files, and the packages that their files need."""

    directives: Sequence[ModelDirective]
    packages: PackageMap
    _sources: "Sequence[_Source]" = ()

    def with_sources(self, text: str) -> str:
        """Return a text with the user's files, and their lines, in place of compiled ones."""
        for source in self._sources:
            text = source.with_sources(text)
        return text


@contextmanager
def compiled(
    directives: Sequence[ModelDirective],
    packages: PackageMap,
    arguments: Mapping[str, Mapping[str, Argument]] | None = None,
) -> Iterator[Compiled]:
    """Let the xacro files of directives be URDF for the length of a `with` block.

    arguments: by name of the model. Relative files of directives are relative to the working
    directory, those of meshes to the xacro file. packages are asked for package:// and $(find), and
    get those that the files lie in. Raises ModelError for what xacro refuses, ScenarioError for
    arguments of no model.
    """
    arguments = arguments or {}
    _require_owners(directives, arguments)
    models = [directive.add_model for directive in directives]
    if not any(model is not None and is_xacro(model.file) for model in models):
        yield Compiled(directives, packages)
        return
    with temporary_folder() as folder:
        sources: list[_Source] = []
        plain = []
        for directive, model in zip(directives, models, strict=True):
            if model is not None and is_xacro(model.file):
                target = Path(folder).resolve() / str(len(sources))
                sources.append(_compile(model, arguments.get(model.name, {}), packages, target))
                directive = _of_file(directive, sources[-1].compiled)  # noqa: PLW2901 (its place in the list)
            plain.append(directive)
        yield Compiled(plain, packages, sources)


def _require_owners(
    directives: Sequence[ModelDirective], arguments: Mapping[str, Mapping[str, Argument]]
) -> None:
    """Raise ScenarioError for arguments of a model that is not there, or takes none."""
    models = [directive.add_model for directive in directives]
    files = {model.name: model.file for model in models if model is not None}
    for name, values in arguments.items():
        if name not in files:
            raise ScenarioError(
                f"arguments.{name}: the directives have no model '{name}'; "
                f"{did_you_mean(name, files)}"
            )
        if values and not is_xacro(files[name]):
            raise ScenarioError(
                f"{files[name]} is no {_XACRO} file and takes no arguments; leave "
                f"{', '.join(values)} of '{name}' out."
            )


@dataclass(frozen=True)
class _Source:
    """A xacro file, the URDF made of it, and where that has its lines from."""

    path: Path
    compiled: Path
    lines: Sequence[int]
    places: Sequence[Place]

    def with_sources(self, text: str) -> str:
        """Return a text with this file in place of the compiled one."""
        return re.sub(rf"{re.escape(str(self.compiled))}(?::(\d+))?", self._place, text)

    def _place(self, found: re.Match[str]) -> str:
        """The user's file, and the line in which the element of a line was written."""
        index = bisect_right(self.lines, int(found[1])) - 1 if found[1] else -1
        return str(self.places[index]) if index >= 0 else str(self.path)


def _compile(
    model: AddModel, values: Mapping[str, Argument], packages: PackageMap, folder: Path
) -> _Source:
    """Write the URDF of a model's xacro file into a new folder."""
    path = resolve(model.file, packages, Path.cwd(), f"add_model {model.name}")
    if path is None:
        raise ModelError(f"{model.file}: a {_XACRO} file has to lie on this machine; copy it here.")
    add_package_of(path, packages)
    given = tuple((name, text_of(value)) for name, value in values.items())
    if path.is_relative_to(share_root()):
        urdf = _expanded_own(path, path.stat().st_mtime_ns, given)
    else:
        urdf = _expanded(path, given, packages, trusted=is_trusted(model.file))
    folder.mkdir()
    file = folder / f"{stem_of(path.name)}.urdf"
    file.write_text(urdf.text, encoding="utf-8")
    return _Source(path, file, urdf.lines, urdf.places)


@dataclass(frozen=True)
class _Urdf:
    """A document as text, the lines of its elements, rising, and where each was written."""

    text: str
    lines: Sequence[int]
    places: Sequence[Place]


@lru_cache(maxsize=32)
def _expanded_own(path: Path, _changed: int, given: tuple[tuple[str, str], ...]) -> _Urdf:
    """Expand a file that ships, which reads no other one: machines are built again and again."""
    return _expanded(path, given, package_map())


def _expanded(
    path: Path, given: tuple[tuple[str, str], ...], packages: PackageMap, *, trusted: bool = False
) -> _Urdf:
    """Expand a xacro file with arguments as texts."""
    document = run_xacro(path, dict(given), packages, trusted=trusted)
    root = document.documentElement
    if root is None or root.tagName != "robot":
        tag = root.tagName if root is not None else "nothing"
        raise ModelError(f"{path}: holds <{tag}>, and xacro is taken for URDF alone, a <robot>.")
    if not root.getElementsByTagName("link"):
        raise ModelError(
            f"{path}: makes no <link>; it may hold macros alone, for another file to include."
        )
    for tag in _WITH_FILES:
        for element in root.getElementsByTagName(tag):
            _anchor(element, path, packages)
    return _as_text(root, path)


def _anchor(element: minidom.Element, path: Path, packages: PackageMap) -> None:
    """Make the file that an element names absolute; what is not there stays for later checks."""
    name = element.getAttribute("filename").strip()
    if not name:
        return
    origin = place_of(element)
    for folder in (path.parent, origin.file.parent if origin is not None else path.parent):
        with suppress(ModelError):
            file = resolve(name, packages, folder, "")
            if file is not None:
                element.setAttribute("filename", f"file://{file}")
            return
    if "://" not in name:
        element.setAttribute("filename", f"file://{path.parent / name}")


def _as_text(root: minidom.Element, path: Path) -> _Urdf:
    """Return what a xacro file expands to with a line for every element."""
    _take_out_blanks(root)
    text = root.toprettyxml(indent="  ")
    elements = [root, *root.getElementsByTagName("*")]
    known = [
        (node.line, origin)
        for node, element in zip(parse_xml(text.encode(), path).in_order(), elements, strict=True)
        if (origin := place_of(element)) is not None
    ]
    return _Urdf(text, [line for line, _ in known], [origin for _, origin in known])


def _take_out_blanks(element: minidom.Element) -> None:
    """Take out what macros leave between elements."""
    for node in list(element.childNodes):
        if isinstance(node, minidom.Text) and not node.data.strip():
            element.removeChild(node)
        elif isinstance(node, minidom.Element):
            _take_out_blanks(node)


def _of_file(directive: ModelDirective, file: Path) -> ModelDirective:
    """A copy of a directive whose model is another file."""
    directive = copy.deepcopy(directive)
    model = directive.add_model
    model.file = str(file)
    directive.add_model = model  # Drake hands out copies
    return directive
