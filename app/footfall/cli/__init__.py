"""The command line, ``footfall COMMAND``: each command imports what it needs, Drake above all.

Exit status: 0 done; 1 the run ended in a failure that it reports; 2 the request was wrong;
130 Ctrl-C ended it, 143 SIGTERM.
"""

import gc
import os
import resource
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from footfall.cli import (
    dropping,
    exporting,
    info,
    running,
    solving,
    sweeping,
    verifying,
    viewing,
)
from footfall.errors import FootfallError, RunError, last_line
from footfall.interrupt import ending_by_signals, exit_status, kept, last_words

# click's base of all usage errors, whether typer uses click or carries its own copy
_ClickError: Any = typer.BadParameter.__mro__[2]

_MEMORY = 1_000_000_000  # bytes that libraries map before anything is computed
# between two looks for unreachable cycles: with Python's own 700, a fifth of the time in which
# Drake and other libraries are imported goes into looking through what stays
_NEW_OBJECTS = 100_000
_INTERRUPTED = 130  # what typer makes of Ctrl-C

app = typer.Typer(
    name="footfall",
    help="Legged machines in hard contact: one model file, several engines, closed forms.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _tell_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from importlib.metadata import version

        typer.echo(f"footfall {version('footfall')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="say which version this is", callback=_tell_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Legged machines in hard contact: one model file, several engines, closed forms."""


app.command("list")(info.list_scenarios)
app.command("run")(running.run)
app.command("compare")(running.compare)
app.command("sweep")(sweeping.sweep)
app.command("audit")(sweeping.audit)
app.command("converge")(sweeping.converge)
app.command("optimise")(sweeping.optimise)
app.command("verify")(verifying.verify)
app.command("problem")(solving.problem)
app.command("solve")(solving.solve)
app.command("drop")(dropping.drop)
app.command("new")(dropping.new)
app.command("repair")(dropping.repair)
app.command("view")(viewing.view)
app.command("replay")(viewing.replay)
app.command("report")(viewing.report)
app.command("export")(exporting.export)
app.command("import")(exporting.import_log)
app.command("video")(exporting.video)
app.command("still")(exporting.still)
app.command("gallery")(exporting.gallery)
app.command("cite")(info.cite)
app.command("check")(info.check)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit status; every fault is one line on stderr."""
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    with ending_by_signals():
        status = _status(list(sys.argv[1:] if arguments is None else arguments))
    sys.exit(status)


def _status(arguments: list[str]) -> int:
    try:
        _require_memory()
        result = app(arguments or ["--help"], standalone_mode=False, prog_name="footfall")
        sys.stdout.flush()
    except (Exception, SystemExit, KeyboardInterrupt) as error:  # noqa: BLE001 (one line, always)
        return _answer(error)
    if result == _INTERRUPTED:
        return _interrupted()
    status = result if isinstance(result, int) else 0
    return (exit_status() or status) if status else 0


def _require_memory() -> None:
    """Raise RunError where a process may take less memory than it needs: BLAS would wait for it."""
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= most < _MEMORY:
        raise RunError(
            f"{most / 1e9:.1g} GB of address space are allowed, and footfall needs "
            f"{_MEMORY / 1e9:.0f} GB or more: raise the limit (ulimit -v)."
        )


def _stands_nowhere() -> bool:
    """Return whether the working folder is gone."""
    try:
        Path.cwd()
    except OSError:
        return True
    return False


def _answer(error: BaseException) -> int:
    """Say in one line what ended a command; returns the exit status."""
    signals = KeyboardInterrupt | typer.Abort
    # Python 3.11 makes a RuntimeError of a signal that comes while a class is made
    if isinstance(error, signals) or isinstance(error.__cause__, signals):
        return _interrupted()
    if isinstance(error, OSError):  # it may be that of a full disk behind stdout, or of a pipe
        with suppress(OSError, ValueError):  # nothing more is printed, also not by Python's end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    # the reader, such as head, has enough; of rich's own end by it the cause is told
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
        return 0
    return _complain(*_told(error))


def _told(error: BaseException) -> tuple[str, int]:
    """Return what is said of an error, and the exit status."""
    if isinstance(error, _ClickError):
        return f"{error.format_message().rstrip('.')}; see footfall --help.", 2
    if isinstance(error, FootfallError):
        return str(error), 2
    if _stands_nowhere():
        return "the working folder has been removed: change to another one (cd).", 2
    if isinstance(error, PermissionError) and error.filename is not None:
        return f"cannot use {error.filename}: {error.strerror}; choose another path.", 2
    return last_line(error, kept()), 1


def _interrupted() -> int:
    return _complain(last_words(), exit_status() or _INTERRUPTED)


def _complain(message: str, status: int) -> int:
    with suppress(OSError, ValueError):  # nobody can be told
        print(f"footfall: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201 (the one line)
    return status


if __name__ == "__main__":
    main()
