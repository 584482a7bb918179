"""The command line, ``footfall COMMAND``: each command imports what it needs, Drake above all.

Exit status: 0 done; 1 the run ended in a failure that it reports; 2 the request was wrong;
130 Ctrl-C ended it, 143 SIGTERM.
"""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from footfall.cli import (
    converging,
    dropping,
    exhibiting,
    exporting,
    info,
    optimising,
    repairing,
    running,
    solving,
    starting,
    sweeping,
    verifying,
    viewing,
)
from footfall.errors import FootfallError
from footfall.interrupt import ending_by_signals, exit_status, last_words
from footfall.start_up import start_sooner

# click's base of all usage errors, whether typer uses click or carries its own copy
_ClickError: Any = typer.BadParameter.__mro__[2]

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
app.command("converge")(converging.converge)
app.command("optimise")(optimising.optimise)
app.command("verify")(verifying.verify)
app.command("solve")(solving.solve)
app.command("drop")(dropping.drop)
app.command("new")(starting.new)
app.command("repair")(repairing.repair)
app.command("mend", hidden=True)(repairing.repair)  # its older name
app.command("view")(viewing.view)
app.command("replay")(viewing.replay)
app.command("report")(viewing.report)
app.command("export")(exporting.export)
app.command("video")(exporting.video)
app.command("still")(exporting.still)
app.command("gallery")(exhibiting.gallery)
app.command("cite")(info.cite)
app.command("check")(info.check)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit status; every fault is one line on stderr."""
    start_sooner()
    with ending_by_signals():
        status = _status(list(sys.argv[1:] if arguments is None else arguments))
    sys.exit(status)


def _status(arguments: list[str]) -> int:
    try:
        result = app(arguments or ["--help"], standalone_mode=False, prog_name="footfall")
    except _ClickError as error:
        return _complain(f"{error.format_message().rstrip('.')}; see footfall --help.", 2)
    except (KeyboardInterrupt, RuntimeError) as error:
        # Python 3.11 makes a RuntimeError of a signal that comes while a class is made
        signals = KeyboardInterrupt | typer.Abort
        if not (isinstance(error, signals) or isinstance(error.__cause__, signals)):
            raise
        return _interrupted()
    except FootfallError as error:
        return _complain(str(error), 2)
    except BrokenPipeError:  # the reader of a pipe, such as head, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if result == _INTERRUPTED:
        return _interrupted()
    status = result if isinstance(result, int) else 0
    return (exit_status() or status) if status else 0


def _interrupted() -> int:
    return _complain(last_words(), exit_status() or _INTERRUPTED)


def _complain(message: str, status: int) -> int:
    print(f"footfall: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201 (the one line)
    return status


if __name__ == "__main__":
    main()
