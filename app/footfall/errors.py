"""The errors that footfall answers with: each prints as one line, what, where and how to mend."""

import re
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_LONG_WORD = re.compile(r"(\S{60})\S{240,}(\S{20})")  # longer than the path of any file of a robot


class FootfallError(Exception):
    """Base of every fault that footfall explains; ``str(error)`` is the line for the user."""

    def __str__(self) -> str:
        """Return the line, without the middle of what no screen can show."""
        return _LONG_WORD.sub(r"\1...\2", super().__str__())


class ModelError(FootfallError):
    """A model file is missing, broken or unphysical."""


class ScenarioError(FootfallError):
    """A scenario or an override asks for something that does not exist or makes no sense."""


class RunError(FootfallError):
    """A run could not go on: a diverging state, a NaN, a port that is taken."""


@contextmanager
def refusing(kind: type[FootfallError], explain: Callable[[BaseException], str]) -> Iterator[None]:
    """Turn whatever a block raises into an error of footfall, unless it is one already.

    For what comes from a user's file, whose faults nobody can list. kind: of the error; explain:
    makes its line, with the file. Drake ends some bad files by SystemExit.
    """
    try:
        yield
    except FootfallError:
        raise
    except (Exception, SystemExit) as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # a signal that Python 3.11 wraps
            raise
        raise kind(explain(error)) from error


def reason_of(error: BaseException) -> str:
    """Return what an error says, on one line without a full stop; its kind where it is silent."""
    said = " ".join(str(error).split()).rstrip(".")
    return said or " ".join(re.findall("[A-Z][a-z]+", type(error).__name__)).lower()


class UnexpectedError(RunError):
    """A fault that nobody foresaw, told in one line; ``trace``: the traceback that mends it."""

    def __init__(self, fault: BaseException, what: str) -> None:
        """Take what was raised, and what it ended: a noun."""
        self.trace = "".join(traceback.format_exception(fault))
        place = [f"{f.filename}:{f.lineno}" for f in traceback.extract_tb(fault.__traceback__)[-1:]]
        said = " ".join(f"{type(fault).__name__}: {fault}".split()).rstrip(".: ")
        super().__init__(f"{what} fails: {said} ({''.join(place)}).")

    def kept(self) -> str:
        """Write the traceback into a file of its own, where that is possible; return its path."""
        with suppress(OSError, MemoryError):
            with tempfile.NamedTemporaryFile(
                "w", prefix="footfall-traceback-", suffix=".txt", delete=False, errors="replace"
            ) as file:
                file.write(self.trace)
            return file.name
        return ""


def last_line(fault: BaseException, kept: str) -> str:
    """Return what a program says that ends in a fault nobody foresaw; kept: what is on disk."""
    error = UnexpectedError(fault, "footfall")
    path = error.kept()
    where = f"; the traceback is in {path}" if path else ""
    if where and not isinstance(fault, OSError | MemoryError):  # which the machine lacks
        where += ": please report it"
    return f"{str(error).rstrip('.')}; {kept}{where}."
