"""Arguments and options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

from footfall.trust import trusting_all

ScenarioName = Annotated[
    str, typer.Argument(help="machine/name (see footfall list) or a path to a YAML file")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="change one value, as in terrain.slope_deg=-3"),
]
Out = Annotated[Path | None, typer.Option(help="folder to write to; must be new or empty")]
Seed = Annotated[int | None, typer.Option(help="seed of everything random")]


def _trust(context: typer.Context, wanted: bool) -> None:
    """Trust all model files until the command is done."""
    if wanted:
        context.with_resource(trusting_all())


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
Verbose = Annotated[
    bool, typer.Option("--verbose", help="show Drake's own warnings about the model as well")
]
