"""Commands that show: view, replay, report."""

import time
from pathlib import Path
from typing import Annotated

import typer

from footfall.cli.arguments import Arguments, read_arguments
from footfall.interrupt import hearing_ctrl_c

RunPath = Annotated[list[Path], typer.Argument(help="folder(s) that footfall run wrote")]


def view(
    model: Annotated[
        str,
        typer.Argument(help="a machine's name, a URDF, SDF or .xacro file, a package:// address"),
    ],
    arguments: Arguments = None,
) -> None:
    """Look at a model and move its joints in a browser, on this machine only."""
    values = read_arguments(arguments)
    from footfall.show import start_meshcat, view_model

    meshcat = start_meshcat()
    typer.echo(f"watch it at {meshcat.web_url()}")
    view_model(model, meshcat, arguments=values, tell=typer.echo)


def replay(
    runs: RunPath,
    loop: Annotated[bool, typer.Option(help="keep serving until Ctrl-C")] = True,
) -> None:
    """Play saved runs in a browser, on this machine only; several are seen together."""
    from footfall.run_folder import find_run
    from footfall.scenario.assemble import model_spec
    from footfall.scenario.io import parse_scenario
    from footfall.show import replay as play
    from footfall.show import start_meshcat
    from footfall.trajectory import Trajectory

    folders = [find_run(path) for path in runs]
    scenario = parse_scenario(folders[0].read_scenario(), str(folders[0].path))
    trajectories = {_label(folder.path): Trajectory.load(folder.trajectory) for folder in folders}
    meshcat = start_meshcat()
    play(trajectories, model_spec(scenario), meshcat)
    typer.echo(f"watch it at {meshcat.web_url()}")
    if loop:
        typer.echo("Ctrl-C ends")
        with hearing_ctrl_c() as interrupted:
            while not interrupted():
                time.sleep(0.1)


def report(runs: RunPath) -> None:
    """Write the report of saved runs anew; several are compared, scenario by scenario, in one.

    It is written into the folder of the first.
    """
    from footfall.report import read_sections, write_reports
    from footfall.run_folder import find_run

    folders = [find_run(path, ("scenario.yaml", "trajectory.nc", "metrics.json")) for path in runs]
    write_reports(read_sections(folders), folders[0].report)
    typer.echo(f"report: {folders[0].report}")


def _label(path: Path) -> str:
    """Name a run by its engine and time, the last two folders of the default layout."""
    return f"{path.parent.name} {path.name}" if path.parent.name else path.name
