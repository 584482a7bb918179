"""The command that lets any robot fall: drop."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.arguments import Arguments, read_arguments
from footfall.cli.options import (
    Out,
    Report,
    Settings,
    Trust,
    Verbose,
    run_command,
)
from footfall.cli.simulation import close_runs, simulate_each, stay_open
from footfall.cli.watching import UNWATCHED, Watch, watchable
from footfall.engine_names import require_engine
from footfall.errors import ModelError, ScenarioError
from footfall.metrics import scalar
from footfall.scenario.request_check import check_settings

if TYPE_CHECKING:
    from rich.table import Table

    from footfall.run import Run

# what a row says of an engine: the metric, and a heading over its unit
_COLUMNS = {
    "rest_time": "at rest\nsince [s]",
    "final_speed": "last speed\n[m/s, rad/s]",
    "final_penetration": "depth\n[m]",
    "energy_lost": "energy\nlost [J]",
}


@watchable
def drop(
    model: Annotated[
        str,
        typer.Argument(
            help="a machine's name, a URDF, SDF, MJCF or .xacro file, a package:// address"
        ),
    ],
    height: Annotated[
        float, typer.Option(help="gap below its lowest point at the start [m]")
    ] = 0.2,
    engines: Annotated[
        str, typer.Option(help="engines, the first is the reference")
    ] = "moreau,drake-sap",
    duration: Annotated[float, typer.Option(help="simulated time [s]")] = 2.0,
    arguments: Arguments = None,
    settings: Settings = None,
    out: Out = None,
    watch: Watch = UNWATCHED,
    report: Report = True,
    verbose: Verbose = False,
    trust: Trust = False,
) -> int:
    """Let any robot fall on the ground in several engines, and say how it comes to rest.

    Its root must be free in space. With --view the first is led on a page, which then plays all of
    them. Each run is kept as soon as it ends; Ctrl-C ends it with what there is.
    """
    from footfall.run_folder import discard_if_refused, make_run_folder, require_unused

    require_unused(out)
    names = _engines(engines)
    values = read_arguments(arguments)
    check_settings(settings or [], f"drop {model}")
    _require_file(model)
    from footfall.scenario.drop import drop_scenario

    dropped = drop_scenario(
        model, height=height, duration=duration, arguments=values, settings=settings or []
    )
    scenario = dropped.scenario
    for note in (*dropped.notes, *dropped.friction):
        typer.echo(note)
    live = watch.start(scenario)
    folder = make_run_folder(scenario.name, "compare", out)
    with discard_if_refused(folder):
        runs = simulate_each(scenario, names, folder, lambda _scenario, _run: None, live=live)
    scenario = next(iter(runs.values())).by_hand.added_to(scenario)
    _print(settling_table(scenario.description, runs))
    status = close_runs(folder, scenario, runs, report=report, verbose=verbose)
    again = run_command(folder.path / next(iter(runs)) / "scenario.yaml", trust=trust)
    typer.echo(f"the scenario, to change and to run again: {again}")
    stay_open(live, runs)
    return status


def _require_file(model: str) -> None:
    """Raise ModelError for a file or a machine that is not there, before Drake is loaded."""
    from footfall.resources import model_file

    file = model_file(model)
    if "://" not in file and not Path(file).is_file():
        raise ModelError(f"there is no file '{model}': correct the path.")


def _engines(engines: str) -> list[str]:
    names = [name.strip() for name in engines.split(",") if name.strip()]
    if not names:
        raise ScenarioError("--engines names none: name one or more, as in moreau,drake-sap.")
    for name in names:
        require_engine(name)
        if name == "closed-form":
            raise ScenarioError("--engines: there is no closed form of a robot that falls.")
    return names


def settling_table(title: str, runs: Mapping[str, "Run"]) -> "Table":
    """One row an engine: since when the robot rests, and what is left of motion at the end."""
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for heading in ("engine", "status"):
        table.add_column(heading, no_wrap=True)
    for heading in _COLUMNS.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for name, run in runs.items():
        values = (scalar(run.metrics, metric) for metric in _COLUMNS)
        shown = ("-" if math.isnan(value) else f"{value:.3g}" for value in values)
        table.add_row(name, run.trajectory.status.value, *shown)
    return table


def _print(table: "Table") -> None:
    from footfall.cli.tables import console

    console().print(table)
