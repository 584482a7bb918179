"""Models whose files are written in xacro, as the URDF that everything else reads.

The compiled files are there while a model is parsed. Messages name the user's files.
"""

import copy
import json
import re
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from pydrake.multibody.parsing import AddModel, ModelDirective

from footfall.errors import ModelError, ScenarioError
from footfall.folder_lock import temporary_folder
from footfall.plants.uris import Packages, add_package_of, resolve
from footfall.plants.wording import did_you_mean
from footfall.plants.xacro_expand import Place, Urdf, expand
from footfall.plants.xacro_whitelist import Refused
from footfall.resources import PACKAGE, share_root
from footfall.trust import is_trusted

ALONE = "model"  # name of a model that is looked at by itself
_XACRO = ".xacro"
_MOST_DIGITS = 1e15  # whole numbers up to here have no rounding
_PLAIN = re.compile(r"[\w.+-]*")  # an argument that is no expression
_PROGRAM = "footfall.plants.xacro_expand"
_SECONDS = 5.0  # of computing: a robot of a thousand links needs less than one
_PATIENCE = 120.0  # s, on whatever clock

Argument: TypeAlias = float | bool | int | str
"""Value of an argument of a xacro file; a number first, which YAML writes without a tag."""


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
    packages: Packages
    _sources: "Sequence[_Source]" = ()

    def with_sources(self, text: str) -> str:
        """Return a text with the user's files, and their lines, in place of compiled ones."""
        for source in self._sources:
            text = source.with_sources(text)
        return text


@contextmanager
def compiled(
    directives: Sequence[ModelDirective],
    packages: Packages,
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
    model: AddModel, values: Mapping[str, Argument], packages: Packages, folder: Path
) -> _Source:
    """Write the URDF of a model's xacro file into a new folder."""
    path = resolve(model.file, packages, Path.cwd(), f"add_model {model.name}")
    if path is None:
        raise ModelError(f"{model.file}: a {_XACRO} file has to lie on this machine; copy it here.")
    add_package_of(path, packages)
    given = {name: text_of(value) for name, value in values.items()}
    if path.is_relative_to(share_root()):
        urdf = _expanded_own(path, path.stat().st_mtime_ns, tuple(given.items()))
    elif is_trusted(model.file):
        urdf = expand(path, given, packages, trusted=True)
    else:
        urdf = _expanded_apart(path, given, packages)
    folder.mkdir()
    file = folder / f"{stem_of(path.name)}.urdf"
    file.write_text(urdf.text, encoding="utf-8")
    return _Source(path, file, urdf.lines, urdf.places)


def text_of(value: Argument) -> str:
    """An argument as xacro has them all, as text; 10.0 as 10, which also counts things."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_DIGITS:
        return str(int(value))
    return str(value)


@lru_cache(maxsize=32)
def _expanded_own(path: Path, _changed: int, given: tuple[tuple[str, str], ...]) -> Urdf:
    """Expand a file that ships, which reads no other one: machines are built again and again."""
    packages = {PACKAGE: str(share_root())}
    if all(_PLAIN.fullmatch(value) for _, value in given):
        return expand(path, dict(given), packages, trusted=True)
    return _expanded_apart(path, dict(given), packages)


def _expanded_apart(path: Path, given: Mapping[str, str], packages: Packages) -> Urdf:
    """Expand a file that is not trusted, in a process whose time and memory are bounded."""
    modules = [spec for name in ("footfall", "xacro", "yaml") if (spec := find_spec(name))]
    folders = sorted({str(Path(str(spec.origin)).parents[1]) for spec in modules})
    code = f"import sys; sys.path += {folders}; import {_PROGRAM} as program; program.main()"
    asked = {"path": str(path), "arguments": given, "packages": packages, "seconds": _SECONDS}
    try:
        done = subprocess.run(
            [sys.executable, "-ISBc", code],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=True,
        )
    except subprocess.SubprocessError as error:
        limit = f"takes more than {_SECONDS:g} s of computing, or more memory than any robot needs"
        raise ModelError(f"{path}: {Refused(f'its expansion {limit}')}") from error
    answer = json.loads(done.stdout)
    if isinstance(answer, str):
        raise ModelError(answer)
    text, lines, places = answer
    return Urdf(text, lines, [Place(*place) for place in places])


def _of_file(directive: ModelDirective, file: Path) -> ModelDirective:
    """A copy of a directive whose model is another file."""
    directive = copy.deepcopy(directive)
    model = directive.add_model
    model.file = str(file)
    directive.add_model = model  # Drake hands out copies
    return directive
