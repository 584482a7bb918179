"""Arguments and options that several commands take."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from footfall.trust import trusting_all
from footfall.workers import Workers

ScenarioName = Annotated[
    str, typer.Argument(help="machine/name (see footfall list) or a path to a YAML file")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="change one value, as in terrain.slope_deg=-3"),
]
Out = Annotated[Path | None, typer.Option(help="folder to write to; must be new or empty")]
Seed = Annotated[int | None, typer.Option(help="seed of everything random")]


def _trust(context: typer.Context, wanted: bool) -> bool:
    """Trust all model files until the command is done, if that is wanted; return whether it is."""
    if wanted:
        context.with_resource(trusting_all())
    return wanted


Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="let xacro files run code and read the environment and files from anywhere",
        callback=_trust,
    ),
]
Report = Annotated[
    bool,
    typer.Option(
        "--report/--no-report", help="write the page; footfall report RUN does so at any time"
    ),
]
View = Annotated[
    bool,
    typer.Option("--view", help="watch and lead it on a page in a browser, on this machine only"),
]
OpenPage = Annotated[
    bool, typer.Option("--open", help="open the page in the browser (means --view)")
]
WaitForBrowser = Annotated[
    bool, typer.Option("--wait", help="begin when a browser shows the page (means --view)")
]
PlotNames = Annotated[
    list[str] | None,
    typer.Option(
        "--plot", metavar="NAME", help="plot a value beside the scene, as in theta1 (means --view)"
    ),
]
Port = Annotated[
    int | None, typer.Option(help="port of the page; the first free one from 7100 unless given")
]
Host = Annotated[
    str, typer.Option(help="who may watch: localhost, this machine only; *, everybody")
]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="show Drake's own warnings about the model as well")
]
WorkerCount = Annotated[
    int | None,
    typer.Option("--workers", help="processes that share an analysis, 0 for one a core"),
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Dask scheduler whose workers do it, tcp://host:8786"),
]


def workers_asked(count: int | None, scheduler: str | None) -> Workers | None:
    """Return the processes that a user asks for; None for those that an analysis has by itself.

    They are prepared, which goes on while the command reads the rest of what is asked.
    """
    asked = Workers(count or 0, scheduler or "")
    asked.prepare()
    return None if count is None and scheduler is None else asked


def run_command(scenario: Path, *, trust: bool) -> str:
    """Return the command that runs a scenario file, which trusts its models if this one did."""
    return f"footfall run {shlex.quote(str(scenario))}" + (" --trust" if trust else "")
