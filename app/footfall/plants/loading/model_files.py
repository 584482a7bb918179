"""The files that model directives name, and those made of them: the first stage of loading."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TypeAlias

from pydrake.multibody.parsing import LoadModelDirectives, ModelDirective

from footfall.errors import ModelError, refusing
from footfall.folder_lock import temporary_folder
from footfall.plants.loading.uris import Packages, add_package_of, resolve
from footfall.plants.messages import explain, listed

Argument: TypeAlias = float | bool | int | str
"""Value of an argument of a xacro file; a number first, which YAML writes without a tag."""

ALONE = "model"  # name of a model that is looked at by itself
XACRO = ".xacro"
MJCF = (".xml", ".mjcf")
_PARTS = (
    "add_model",
    "add_model_instance",
    "add_frame",
    "add_weld",
    "add_collision_filter_group",
    "add_directives",
)
Maker = Callable[[Path, Path], None]
"""Takes a file and the one to write; raises FootfallError, one line."""


@dataclass(frozen=True)
class ModelFile:
    """The file of a model.

    name: full name of the model. address: of the file, as its directive has it. source: the user's
    file. path: what Drake is to read, a copy where a stage has made one. folder: that addresses in
    it are relative to. place: of the directive in the scenario, None for one of a further file.
    """

    name: str
    address: str
    source: Path
    path: Path
    folder: Path
    place: int | None


@dataclass(frozen=True)
class Copy:
    """A file that a stage has made, and what of the user's it was made of.

    lines, places: where the elements of these lines, rising, were written, as file:line; without
    lines each line is that of the source.
    """

    path: Path
    source: Path
    lines: Sequence[int] | None = None
    places: Sequence[str] = ()

    def with_source(self, text: str) -> str:
        """Return a text with the user's file, and its lines, in place of the copy."""
        return re.sub(rf"{re.escape(str(self.path))}(?::(\d+))?", self._place, text)

    def _place(self, match: re.Match[str]) -> str:
        if self.lines is None:
            return f"{self.source}:{match[1]}" if match[1] else str(self.source)
        index = bisect_right(self.lines, int(match[1])) - 1 if match[1] else -1
        return self.places[index] if index >= 0 else str(self.source)


def with_sources(text: str, copies: Sequence[Copy]) -> str:
    """Return a text with the user's files in place of copies; later ones are of earlier."""
    for copy in reversed(copies):
        text = copy.with_source(text)
    return text


def is_xacro(file: str) -> bool:
    """Return whether a path or an address is that of a xacro file."""
    return file.lower().endswith(XACRO)


def stem_of(file: str) -> str:
    """Name of a model's file without folder and endings: robot of x/robot.urdf.xacro."""
    name = Path(file).name
    return Path(name[: -len(XACRO)] if is_xacro(name) else name).stem


def find_files(directives: Iterable[ModelDirective], packages: Packages) -> list[ModelFile]:
    """Return the files of models that directives name, and those that further directives do.

    Relative files are relative to the working directory, those of further files of directives to
    these. packages get those that the files lie in. An address of a scheme that only Drake knows is
    left out. Raises ModelError, one line, for a directive that holds not one thing, two models of
    one name, and a file that is not there.
    """
    search = _Search(packages)
    search.directives(directives, "", Path.cwd(), "directives")
    return search.files


@contextmanager
def entering(path: Path, entered: list[Path]) -> Iterator[None]:
    """Keep a file among those that are being read; raises ModelError if it is one of them."""
    if path in entered:
        ring = listed(str(file) for file in entered)
        raise ModelError(f"{path} includes itself (by way of {ring}); break the ring.")
    entered.append(path)
    yield
    entered.pop()


class _Search:
    """One pass over directives and what they name."""

    def __init__(self, packages: Packages) -> None:
        self.files: list[ModelFile] = []
        self._packages = packages
        self._names: set[str] = set()
        self._entered: list[Path] = []

    def directives(
        self, directives: Iterable[ModelDirective], namespace: str, folder: Path, where: str
    ) -> None:
        for number, directive in enumerate(directives):
            self._directive(directive, namespace, folder, f"{where}[{number + 1}]", number)

    def _directive(
        self, directive: ModelDirective, namespace: str, folder: Path, where: str, number: int
    ) -> None:
        given = [part for part in _PARTS if getattr(directive, part) is not None]
        if len(given) != 1:
            raise ModelError(
                f"{where} holds {' and '.join(given) or 'nothing'}; "
                f"give one of {', '.join(_PARTS)}."
            )
        model, nested = directive.add_model, directive.add_directives
        where = f"{where} {given[0]}"
        if model is not None:
            self._name(namespace + model.name, where)
            path = resolve(model.file, self._packages, folder, where)
            if path is not None:
                place = None if self._entered else number
                name = namespace + model.name
                self.files.append(ModelFile(name, model.file, path, path, path.parent, place))
                add_package_of(path, self._packages)
            elif is_xacro(model.file):
                raise ModelError(
                    f"{model.file}: a {XACRO} file has to lie on this machine; copy it here."
                )
        elif directive.add_model_instance is not None:
            self._name(namespace + directive.add_model_instance.name, where)
        elif nested is not None:
            path = resolve(nested.file, self._packages, folder, where)
            if path is not None:
                inner = f"{nested.model_namespace}::" if nested.model_namespace else ""
                self._nested(path, namespace + inner)

    def _name(self, name: str, where: str) -> None:
        if not name or name.endswith("::"):
            raise ModelError(f"{where} has no name; add `name:`.")
        if name in self._names:
            raise ModelError(
                f"{where}: there are two models named '{name}'; give each a name of its own."
            )
        self._names.add(name)

    def _nested(self, path: Path, namespace: str) -> None:
        with entering(path, self._entered):
            with refusing(ModelError, lambda error: explain(error, (), [str(path)])):
                directives = LoadModelDirectives(str(path)).directives
            self.directives(directives, namespace, path.parent, str(path))


def derived(maker: Maker, source: Path, ending: str) -> Path:
    """Return what a maker makes of a file, under the file's name; made anew when that changes."""
    return _derived(maker, source, ending, source.stat().st_mtime_ns)


@cache
def _derived(maker: Maker, source: Path, ending: str, _changed: int) -> Path:
    target = Path(mkdtemp(dir=_folder().name)) / f"{source.stem}{ending}"
    maker(source, target)
    return target


@cache
def _folder() -> "TemporaryDirectory[str]":
    return temporary_folder()
