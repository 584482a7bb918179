"""The macro processor xacro, run on one file without ROS, and silent.

Every element of the result knows the file and the line that it was written in. A file that is not
trusted is data: this module is then a program of its own, whose time and memory are bounded, and
that reads only what lies with the model. It imports no Drake, so that it is there at once.

The library evaluates expressions with Python's own `eval`; in front of it stands a whitelist of
syntax, and only what is listed comes to it. `value.name` is no attribute but what a namespace of
xacro or a mapping of YAML has under that name; the attributes proper are a few methods, which are
harmless for whatever has them.
"""

import ast
import errno
import io
import json
import math
import os
import re
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, NoReturn
from xml.dom import minidom

from footfall.errors import ModelError
from footfall.plants.loading.uris import Packages, package_folder, resolve
from footfall.plants.loading.xacro_faults import MissingArgument, Refused, explain_xacro
from footfall.plants.loading.xml_tree import parse_xml, read_document
from footfall.wording import did_you_mean

_ARGUMENT = "xacro:arg"
_PLACE = "place"  # key of an element's user data
_WITH_FILES = ("mesh", "texture")  # tags of URDF whose attribute `filename` is a URI
_MEMORY = 1 << 30  # bytes: a robot of a thousand links needs a tenth
_LONGEST = 50_000_000  # characters of a URDF
_PARTS = ("urdf", "xacro", "robots")
"""Folders in which the files of a robot lie beside its meshes and numbers."""
PART = "_part"
"""Name under which an expression finds `part`."""

_NODES = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Store, ast.Attribute, ast.Subscript),
    *(ast.Slice, ast.Call, ast.keyword, ast.IfExp, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
)
_METHODS = frozenset(
    (
        *("capitalize", "count", "endswith", "find", "get", "imag", "index", "is_integer"),
        *("isalpha", "isdigit", "isspace", "items", "join", "keys", "lower", "lstrip", "real"),
        *("removeprefix", "removesuffix", "replace", "rfind", "rstrip", "split", "startswith"),
        *("strip", "title", "upper", "values"),
    )
)
_WORDS = {  # what people may try, in the words of Python's documentation
    ast.Lambda: "a lambda",
    ast.JoinedStr: "an f-string",
    ast.NamedExpr: "an assignment",
    ast.Starred: "an unpacking",
}


class Place(NamedTuple):
    """Source line of an element."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Urdf(NamedTuple):
    """A document as text, the lines of its elements, rising, and the file:line of each."""

    text: str
    lines: list[int]
    places: list[str]


def main() -> None:
    """Expand the untrusted file that standard input names; writes JSON, an error or a `Urdf`."""
    asked = json.load(sys.stdin)
    _imported()
    bounds = {"AS": _MEMORY, "CPU": math.ceil(asked["seconds"]) + 1}
    for kind, most in {**bounds, "CORE": 0, "FSIZE": 0, "NPROC": 0}.items():
        with suppress(OSError, ValueError):  # no system but Linux knows them all
            resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (most, most))
    signal.setitimer(signal.ITIMER_PROF, asked["seconds"])  # SIGPROF ends the process
    path = asked["path"]
    try:
        answer = expand(Path(path), asked["arguments"], asked["packages"], trusted=False)
        text = json.dumps(answer)
    except ModelError as error:
        text = json.dumps(str(error))
    except MemoryError:
        text = json.dumps(f"{path}: {Refused('it asks for more memory than any robot needs')}")
    sys.stdout.write(text)


def expand(path: Path, arguments: Mapping[str, str], packages: Packages, *, trusted: bool) -> Urdf:
    """Expand a xacro file into URDF whose meshes are named by absolute paths.

    Includes are relative to the file that has them, or package:// addresses; $(find NAME) asks the
    packages. Raises ModelError, one line with file and line, for whatever xacro refuses, and for an
    argument that the file does not take. trusted: the file may run code, read the environment and
    files that lie anywhere, and take as long as it likes.
    """
    xacro = _imported()
    values = _Arguments(arguments)
    with _hooked(xacro, path, packages, values, trusted=trusted), _silence():
        try:
            document: minidom.Document = xacro.process_file(str(path), mappings=values, verbosity=0)
        except (Exception, SystemExit) as error:
            nested = xacro.filestack or [str(path)]
            raise ModelError(explain_xacro(error, _place_of, nested[-1], values.known)) from error
    for name in values:
        if name not in values.known:
            others = (
                did_you_mean(name, sorted(values.known)) if values.known else "the file takes none."
            )
            raise ModelError(f"{path}: there is no argument '{name}'; {others}")
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


def _place_of(element: minidom.Node | None) -> Place | None:
    """Return the source line of an element, or of what it is in; None outside of files."""
    while element is not None:
        origin = element.getUserData(_PLACE)
        if isinstance(origin, Place):
            return origin
        element = element.parentNode
    return None


def _anchor(element: minidom.Element, path: Path, packages: Packages) -> None:
    """Make the file that an element names absolute; what is not there stays for later checks."""
    name = element.getAttribute("filename").strip()
    if not name:
        return
    origin = _place_of(element)
    for folder in (path.parent, path.parent if origin is None else Path(origin.file).parent):
        with suppress(ModelError):
            file = resolve(name, packages, folder, "")
            if file is not None:
                element.setAttribute("filename", f"file://{file}")
            return
    if "://" not in name:
        element.setAttribute("filename", f"file://{path.parent / name}")


def _as_text(root: minidom.Element, path: Path) -> Urdf:
    """Return what a xacro file expands to with a line for every element."""
    _take_out_blanks(root)
    text = root.toprettyxml(indent="  ")
    if len(text) > _LONGEST:
        raise ModelError(f"{path}: {Refused('it grows beyond what any robot needs')}")
    elements = [root, *root.getElementsByTagName("*")]
    known = [
        (node.line, str(origin))
        for node, element in zip(parse_xml(text.encode(), path).in_order(), elements, strict=True)
        if (origin := _place_of(element)) is not None
    ]
    return Urdf(text, [line for line, _ in known], [origin for _, origin in known])


def _take_out_blanks(element: minidom.Element) -> None:
    """Take out what macros leave between elements."""
    for node in list(element.childNodes):
        if isinstance(node, minidom.Text) and not node.data.strip():
            element.removeChild(node)
        elif isinstance(node, minidom.Element):
            _take_out_blanks(node)


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
    xacro: ModuleType, path: Path, packages: Packages, values: _Arguments, *, trusted: bool
) -> Iterator[None]:
    """Let xacro find packages and read files by our means, for a while.

    xacro keeps its state in its module, so one file is processed at a time.
    """
    beside = xacro.abs_filename_spec
    places = _Places(path, packages, everywhere=trusted)

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
        file = (
            str(resolve(name, packages, path.parent, "") or name) if "://" in name else beside(name)
        )
        places.require(file)
        return file

    substitution = xacro.substitution_args
    hooks: list[tuple[Any, str, object]] = [
        (xacro, "parse", parse),
        (xacro, "abs_filename_spec", absolute),
        (xacro, "all_includes", []),
        (substitution, "_eval_find", find),
        (substitution, "_eval_dict", substitution._eval_dict | {"find": find}),  # noqa: SLF001 (no other way in)
    ]
    if not trusted:
        hooks += _restrictions(xacro, absolute, find)
    before = [(module, name, vars(module)[name]) for module, name, _ in hooks]
    for module, name, hook in hooks:
        setattr(module, name, hook)
    try:
        yield
    finally:
        for module, name, old in before:
            setattr(module, name, old)


def _restrictions(
    xacro: ModuleType, absolute: Callable[[str], str], find: Callable[[str], str]
) -> list[tuple[Any, str, object]]:
    """Keep a file that is not trusted from code and from the environment, for good.

    absolute: path of a file by its name, which has to lie with the model.
    """
    library, substitution, symbols = xacro.safe_eval, xacro.substitution_args, xacro._global_symbols  # noqa: SLF001 (no other way in)

    def evaluate(text: str, names: dict[str, object], local: object = None) -> object:
        return library(allowed(text), names, local)

    def evaluate_eval(text: str, context: Mapping[str, Mapping[str, str]]) -> str:
        """Carry out `$(eval ...)`, which knows arguments instead of properties."""

        def argument(name: str) -> object:
            return substitution.convert_value(context["arg"][name], "auto")

        own = {"arg": argument, "env": environment, "optenv": optional, "find": find}
        functions = symbols | symbols["python"] | own | {"true": True, "false": False}
        return str(
            library(allowed(text), functions, substitution._DictWrapper(context["arg"], functions))  # noqa: SLF001
        )

    def environment(name: str) -> NoReturn:
        raise Refused(f"the file reads the environment variable {name}")

    def optional(name: str, default: str = "") -> str:
        return environment(name) if name in os.environ else default

    def of_types(*_: object) -> NoReturn:
        raise Refused("python.type and python.vars are not allowed in an expression")

    symbols.update({PART: part, "abs_filename": absolute})
    symbols["xacro"].update(abs_filename=absolute)
    symbols["python"].update(type=of_types, vars=of_types)
    return [
        (xacro, "safe_eval", evaluate),
        (substitution, "_eval", evaluate_eval),
        (substitution, "_eval_env", environment),
        (substitution, "_eval_optenv", optional),
    ]


class _Places:
    """Folders that a xacro file may read: its own, its package's, and those of known packages."""

    def __init__(self, file: Path, packages: Packages, *, everywhere: bool) -> None:
        self._everywhere = everywhere
        above = [*map(Path, packages.values())]
        if file.parent.name in _PARTS:
            above.append(file.parent.parent)
        folders = [file.parent, *filter(_is_modest, above)]
        self._folders = [folder.resolve() for folder in folders]
        self._above = file.parent.parents[:2]

    def add_package(self, folder: Path) -> None:
        """Let a folder be read that was found by a package's name near above the model."""
        if folder in self._above and _is_modest(folder):
            self._folders.append(folder.resolve())

    def require(self, name: str) -> None:
        """Raise Refused for a file, or the pattern of files, that lies elsewhere."""
        start = re.split(r"[*?\[]", name, maxsplit=1)[0]
        path = Path(start if start == name else os.path.dirname(start)).resolve()  # noqa: PTH120 (a text)
        known = any(path.is_relative_to(folder) for folder in self._folders)
        if not (self._everywhere or known):
            raise Refused(
                f"'{name}' lies outside of the model's folder and of known packages; "
                "copy it there, or name its folder in packages"
            )


def _is_modest(folder: Path) -> bool:
    """Return whether a folder is none that holds everything of a user, or more."""
    return folder != Path(folder.anchor) and not Path.home().is_relative_to(folder)


def _read(path: Path) -> minidom.Document:
    """Read a file into a document whose elements know their place."""
    document, root = read_document(path)
    elements = document.getElementsByTagName("*")
    for element, node in zip(elements, root.in_order(), strict=True):
        element.setUserData(_PLACE, Place(str(path), node.line), _Inheritance())
    return document


class _Inheritance:
    """Gives copies of an element, of which macros are made, the place of the original."""

    def handle(
        self, _operation: int, key: str, data: Place, _source: object, copy: minidom.Node
    ) -> None:
        copy.setUserData(key, data, self)


@cache
def allowed(expression: str) -> str:
    """Return an expression as the library may evaluate it, with `part` for `value.name`.

    Raises Refused for what is not listed, SyntaxError and the like for what is no expression.
    """
    try:
        tree = _Whitelist().visit(ast.parse(expression.strip(), "<expression>", "eval"))
        return ast.unparse(ast.fix_missing_locations(tree))
    except (MemoryError, ValueError) as error:  # too deep, too many digits, a null character
        raise Refused("an expression cannot be parsed") from error


def part(value: object, name: str) -> object:
    """Return what a namespace or mapping has under a name; raises Refused for anything else."""
    if isinstance(value, dict) and (name in value or not hasattr(dict, name)):
        return value[name]
    raise Refused(f"the attribute {name} of a {type(value).__name__} is not allowed")


class _Whitelist(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> ast.AST:
        """Take a node that is listed, and those in it."""
        if not isinstance(node, _NODES):
            what = _WORDS.get(type(node), type(node).__name__)
            raise Refused(f"{what} is not allowed in an expression")
        for name in ("id", "attr", "arg"):
            _require_open(getattr(node, name, None) or "")
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            raise Refused("only names are set in a comprehension")
        changed: ast.AST = super().visit(node)
        return changed

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace what is no method of the list by a call of `part`."""
        self.generic_visit(node)
        if node.attr in _METHODS:
            return node
        return ast.Call(ast.Name(PART, ast.Load()), [node.value, ast.Constant(node.attr)], [])


def _require_open(name: str) -> None:
    if name.startswith("__"):
        raise Refused(f"the name {name} is not allowed in an expression")
