"""Commands for a robot of one's own: let it fall, start a folder for it, repair its file."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.options import (
    Arguments,
    ModelName,
    Out,
    Report,
    Settings,
    Trust,
    Verbose,
    parts,
    read_arguments,
    run_command,
)
from footfall.cli.simulation import close_runs, simulate_each, stay_open
from footfall.cli.watching import UNWATCHED, Watch, watchable
from footfall.engine_names import require_engine
from footfall.errors import ModelError, ScenarioError
from footfall.metrics import scalar, short
from footfall.scenario.request_check import check_settings

if TYPE_CHECKING:
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
    model: ModelName,
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
    _print_settling(scenario.description, runs)
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
    names = parts(engines)
    if not names:
        raise ScenarioError("--engines names none: name one or more, as in moreau,drake-sap.")
    for name in names:
        require_engine(name)
        if name == "closed-form":
            raise ScenarioError("--engines: there is no closed form of a robot that falls.")
    return names


def _print_settling(title: str, runs: Mapping[str, "Run"]) -> None:
    """Print a row an engine: since when the robot rests, what is left of motion at the end."""
    from footfall.cli.tables import print_table

    rows = [
        (
            name,
            run.trajectory.status.value,
            *(short(scalar(run.metrics, metric), 3) for metric in _COLUMNS),
        )
        for name, run in runs.items()
    ]
    print_table(title, ("engine", "status", *_COLUMNS.values()), rows, right=range(2, 6))


def new(
    model: ModelName,
    arguments: Arguments = None,
    out: Out = None,
    trust: Trust = False,
) -> None:
    """Write a scenario in which a robot stands, with a controller file to change.

    Its root must be free in space. A URDF that is refused is repaired into the folder. Without
    --out the folder is NAME_stand.
    """
    from footfall.run_folder import require_unused

    require_unused(out)
    values = read_arguments(arguments)
    from footfall.plants.loading.model_files import stem_of
    from footfall.scenario.starter import write_starter

    folder = out if out is not None else Path(f"{stem_of(model)}_stand")
    require_unused(folder)
    starter = write_starter(model, folder, values)
    for note in starter.notes:
        typer.echo(note)
    again = run_command(starter.scenario, trust=trust)
    typer.echo(f"written: {starter.scenario} and stand.py; next: {again}")


def repair(
    model: Annotated[str, typer.Argument(help="a URDF or .xacro file, or a package:// address")],
    arguments: Arguments = None,
    out: Out = None,
    tolerance: Annotated[
        float,
        typer.Option(help="how far a sphere, capsule or box may be from a collision mesh [m]"),
    ] = 3e-3,
    verbose: Annotated[bool, typer.Option("--verbose", help="tell every change")] = False,
    _trust: Trust = False,
) -> None:
    """Copy a URDF that is refused, with shapes, inertias and actuators that Drake takes.

    A .xacro file becomes a URDF. One line sums up what was changed. Without --out the copy goes
    into the folder NAME_repaired.
    """
    from footfall.run_folder import require_unused

    require_unused(out)
    values = read_arguments(arguments)
    from footfall.plants.loading.load import read_file
    from footfall.plants.loading.model_files import stem_of
    from footfall.plants.loading.uris import known_packages
    from footfall.plants.repair import repair_urdf
    from footfall.resources import model_file

    file = model_file(model, arguments=bool(values))
    folder = out if out is not None else Path(f"{stem_of(file)}_repaired")
    require_unused(folder)
    with read_file(file, values, known_packages({})) as files:
        path = next((one.path for one in files.mended.files), Path(file))
        repaired = repair_urdf(path, folder, tolerance=tolerance)
    for note in repaired.notes if verbose else ():
        typer.echo(note)
    typer.echo(f"{repaired.summary} written: {repaired.file}")
