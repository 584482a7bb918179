"""The macro processor xacro, run on one file without ROS, and silent.

Every element of the result knows the file and the line that it was written in. xacro keeps its
state in its module, so one file is processed at a time.
"""

import errno
import io
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias
from xml.dom import minidom

from pydrake.multibody.parsing import PackageMap

from footfall.errors import ModelError
from footfall.plants.uris import package_folder, resolve
from footfall.plants.wording import did_you_mean
from footfall.plants.xacro_faults import MissingArgument, explain_xacro
from footfall.plants.xacro_places import Places
from footfall.plants.xacro_sandbox import Sandbox
from footfall.plants.xml_tree import read_document

Argument: TypeAlias = float | bool | int | str
"""Value of an argument of a xacro file; a number first, which YAML writes without a tag."""

_ARGUMENT = "xacro:arg"
_PLACE = "place"  # key of an element's user data
_MOST_DIGITS = 1e15  # whole numbers up to here have no rounding


class Place(NamedTuple):
    """Source line of an element."""

    file: Path
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def run_xacro(
    path: Path,
    arguments: Mapping[str, Argument],
    packages: PackageMap,
    *,
    trusted: bool = False,
) -> minidom.Document:
    """Expand a xacro file; `place_of` tells where an element of the result comes from.

    Includes are relative to the file that has them, or package:// addresses; $(find NAME) asks the
    packages. Raises ModelError, one line with file and line, for whatever xacro refuses, and for an
    argument that the file does not take. trusted: the file may run code, and read the environment
    and files that lie anywhere.
    """
    xacro = _imported()
    values = _Arguments({name: text_of(value) for name, value in arguments.items()})
    with _hooked(xacro, path, packages, values, trusted=trusted), _silence():
        try:
            document: minidom.Document = xacro.process_file(str(path), mappings=values, verbosity=0)
        except (Exception, SystemExit) as error:
            nested = xacro.filestack or [str(path)]
            raise ModelError(explain_xacro(error, place_of, nested[-1], values.known)) from error
    for name in values:
        if name not in values.known:
            raise ModelError(f"{path}: there is no argument '{name}'; {_others(name, values)}")
    return document


def place_of(element: minidom.Node | None) -> Place | None:
    """Return the source line of an element, or of what it is in; None outside of files."""
    while element is not None:
        origin = element.getUserData(_PLACE)
        if isinstance(origin, Place):
            return origin
        element = element.parentNode
    return None


def _others(name: str, values: "_Arguments") -> str:
    return did_you_mean(name, values.known) if values.known else "the file takes none."


def text_of(value: Argument) -> str:
    """An argument as xacro has them all, as text; 10.0 as 10, which also counts things."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_DIGITS:
        return str(int(value))
    return str(value)


class _Arguments(dict[str, str]):
    """Arguments by name, given or declared with a default.

    known: names that the file declares or asks for.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self.known: set[str] = set()

    def __getitem__(self, name: str) -> str:
        if name in self:
            self.known.add(name)
        return super().__getitem__(name)

    def __missing__(self, name: str) -> str:
        raise MissingArgument(name)


def _imported() -> ModuleType:
    """Import xacro, and undo what that does to the writing of XML by all others."""
    write = minidom.Element.writexml
    import xacro
    import xacro.substitution_args

    minidom.Element.writexml = write  # type: ignore[method-assign]
    module: ModuleType = xacro
    return module


@contextmanager
def _silence() -> Iterator[None]:
    """Keep xacro's warnings, which it prints, and Python's about its expressions to ourselves."""
    with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _hooked(
    xacro: ModuleType, path: Path, packages: PackageMap, values: _Arguments, *, trusted: bool
) -> Iterator[None]:
    """Let xacro find packages and read files by our means, for a while."""
    beside = xacro.abs_filename_spec
    places = Places(path, packages, everywhere=trusted)

    def parse(_text: None, name: str) -> minidom.Document:
        if not Path(name).is_file():
            xacro.filestack.pop()  # as xacro does: the fault is of the file that includes
            raise xacro.XacroException(exc=FileNotFoundError(errno.ENOENT, "", name))
        places.require(name)
        document = _read(Path(name))
        for declared in document.getElementsByTagName(_ARGUMENT):
            values.known.add(declared.getAttribute("name"))
        return document

    def find(package: str) -> str:
        folder = package_folder(package, packages, path.parent, "")
        places.add_package(folder)
        return str(folder)

    def absolute(name: str) -> str:
        if "://" not in name:
            return str(beside(name))
        return str(resolve(name, packages, path.parent, "") or name)

    substitution = xacro.substitution_args
    hooks: list[tuple[Any, str, object]] = [
        (xacro, "parse", parse),
        (xacro, "abs_filename_spec", absolute),
        (xacro, "all_includes", []),
        (substitution, "_eval_find", find),
        (substitution, "_eval_dict", substitution._eval_dict | {"find": find}),  # noqa: SLF001 (no other way in)
    ]
    hooks += Sandbox(xacro, places, find, absolute).hooks() if not trusted else []
    before = [(module, name, vars(module)[name]) for module, name, _ in hooks]
    for module, name, hook in hooks:
        setattr(module, name, hook)
    try:
        yield
    finally:
        for module, name, old in before:
            setattr(module, name, old)


def _read(path: Path) -> minidom.Document:
    """Read a file into a document whose elements know their place."""
    document, root = read_document(path)
    elements = document.getElementsByTagName("*")
    for element, node in zip(elements, root.in_order(), strict=True):
        element.setUserData(_PLACE, Place(path, node.line), _Inheritance())
    return document


class _Inheritance:
    """Gives copies of an element, of which macros are made, the place of the original."""

    def handle(
        self, _operation: int, key: str, data: Place, _source: object, copy: minidom.Node
    ) -> None:
        copy.setUserData(key, data, self)
