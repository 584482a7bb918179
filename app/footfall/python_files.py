"""Code from a user's own Python file: the only code that a scenario can bring along.

A file is executed as it was read, once for every content of it and of the files beside it that it
imports. Two files of one name do not clash, and none of them is found by `import` afterwards.
"""

import hashlib
import logging
import multiprocessing
import sys
import traceback
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from footfall.errors import ScenarioError
from footfall.wording import did_you_mean

_LOG = logging.getLogger("footfall.code")
_SHOWN = 200  # characters of a user's message


@dataclass(frozen=True, eq=False)
class PythonFile:
    """A file that was executed: its module, and what was read, to be kept with a run.

    sources: text by path, of the file itself first, then of those beside it that it imported.
    """

    path: Path
    module: ModuleType
    sources: dict[Path, bytes] = field(default_factory=dict)

    @property
    def sha256(self) -> str:
        """Hash of the file's text, in hexadecimal digits."""
        return hashlib.sha256(self.sources[self.path]).hexdigest()

    @property
    def imports(self) -> dict[str, str]:
        """Hashes of the files beside it that it imported, by their names."""
        return {
            str(path.relative_to(self.path.parent)): hashlib.sha256(text).hexdigest()
            for path, text in self.sources.items()
            if path != self.path
        }

    def get(self, name: str, where: str) -> object:
        """Return what the file calls by a name; raises ScenarioError where it does not.

        where: in the scenario, for the message.
        """
        if not hasattr(self.module, name):
            own = [
                known
                for known, value in vars(self.module).items()
                if getattr(value, "__module__", "") == self.module.__name__
            ]
            raise ScenarioError(
                f"{where}: {self.path} has no '{name}'; {did_you_mean(name, sorted(own))}"
            )
        return getattr(self.module, name)


_LOADED: dict[Path, PythonFile] = {}
_ANNOUNCED: set[Path] = set()
_PROGRAMS: set[str] = set()


def load_python(file: str, where: str) -> PythonFile:
    """Execute a user's file, unless that was done already and nothing in it has changed.

    file: a path. where: in the scenario, for messages. Says once in a process, as a warning of the
    logger ``footfall.code``, that code is run. Raises ScenarioError, one line, for a file that is
    not there and for whatever goes wrong in it, with its line.
    """
    path = Path(file).resolve()
    source = _read(path, file, where)
    loaded = _LOADED.get(path)
    if loaded is None or not _same(loaded, source):
        _announce(path)
        loaded = _execute(path, source, where)
        _LOADED[path] = loaded
    return loaded


def executed_python(file: str, where: str) -> PythonFile:
    """Return a user's file as it was executed last, whatever has become of it since."""
    return _LOADED.get(Path(file).resolve()) or load_python(file, where)


def _read(path: Path, file: str, where: str) -> bytes:
    if not file:
        raise ScenarioError(f"{where}: give the path of a Python file.")
    try:
        return path.read_bytes()
    except OSError as error:
        raise ScenarioError(
            f"{where}: cannot read the Python file {file}: {error.strerror or error}."
        ) from error


def _same(loaded: PythonFile, source: bytes) -> bool:
    """Return whether a file and those that it imported are as they were."""
    beside = {path: text for path, text in loaded.sources.items() if path != loaded.path}
    unchanged = all(path.is_file() and path.read_bytes() == text for path, text in beside.items())
    return loaded.sources[loaded.path] == source and unchanged


def _announce(path: Path) -> None:
    """Say that a scenario runs code, in the process that the user has started."""
    if path not in _ANNOUNCED and multiprocessing.parent_process() is None:
        _LOG.warning("footfall: the scenario runs the Python code of %s.", path)
    _ANNOUNCED.add(path)


def _execute(path: Path, source: bytes, where: str) -> PythonFile:
    digest = hashlib.sha256(str(path).encode() + source).hexdigest()[:12]
    module = ModuleType(f"{path.stem}_{digest}")
    module.__file__ = str(path)
    sources = {path: source}
    sys.modules[module.__name__] = module  # dataclasses look their module up there
    try:
        with _beside(path.parent, sources):
            exec(compile(source, str(path), "exec"), vars(module))  # noqa: S102 (what was asked for)
    except (Exception, SystemExit) as error:
        del sys.modules[module.__name__]
        line = _located(error, [str(each) for each in sources])
        message = f"{where}: {line or f'{path}: {_said(error)}'}."
        raise ScenarioError(message) from error
    return PythonFile(path, module, sources)


@contextmanager
def _beside(folder: Path, sources: dict[Path, bytes]) -> Iterator[None]:
    """Let a file import those beside it, which `import` forgets afterwards and `sources` gets."""
    before, writes = set(sys.modules), sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = writes
        for name in set(sys.modules) - before:
            file = Path(getattr(sys.modules[name], "__file__", None) or ".")
            top = name.partition(".")[0]
            if file in (folder / f"{top}.py", folder / top / "__init__.py") or (
                folder / top in file.parents and (folder / top / "__init__.py").is_file()
            ):
                sources[file] = file.read_bytes()
                del sys.modules[name]


def note_program(file: str) -> None:
    """Let `located` know the lines of a program whose objects take part in a run."""
    _PROGRAMS.add(file)


def located(error: BaseException) -> str:
    """Say in one line what went wrong in a user's code and in which line of it, without full stop.

    Empty where no user's code has a part in it.
    """
    names = {str(path) for loaded in _LOADED.values() for path in loaded.sources} | _PROGRAMS
    return _located(error, names)


def explained(error: BaseException) -> str:
    """Say in one line what went wrong, and in which line of a user's code where that is known."""
    return located(error) or _said(error)


def _located(error: BaseException, names: Collection[str]) -> str:
    if isinstance(error, SyntaxError) and error.filename in names:
        return f"{error.filename}:{error.lineno}: {_said(error)}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame for frame in frames if frame.filename in names]
    return f"{lines[-1].filename}:{lines[-1].lineno}: {_said(error)}" if lines else ""


def _said(error: BaseException) -> str:
    reason = error.msg if isinstance(error, SyntaxError) else str(error)
    reason = " ".join(reason.split())
    reason = reason if len(reason) <= _SHOWN else f"{reason[:_SHOWN]} ..."
    kind = type(error).__name__
    return f"{kind}: {reason}".rstrip(". ") if reason else kind
