"""Commands that turn a run into other files: export, video, still."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.cameras import CameraName, look_through
from footfall.cli.options import Trust
from footfall.cli.progress import share_line
from footfall.cli.simulation import read_trajectory
from footfall.errors import RunError

if TYPE_CHECKING:
    from footfall.plants.loading.load import Model
    from footfall.run_folder import RunFolder
    from footfall.show import View

ShownForces = Annotated[
    bool, typer.Option("--forces/--no-forces", help="show contact forces as arrows")
]
ShownCones = Annotated[
    bool, typer.Option("--cones", help="show friction cones, as machines that stick have them")
]
RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="folder that footfall run wrote")]


def export(
    run: RunPath,
    as_csv: Annotated[bool, typer.Option("--csv", help="comma-separated values")] = False,
    series: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="some series, as in theta1,tau1,com; all unless named"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="file to write; trajectory.csv in the folder of the run")
    ] = None,
) -> None:
    """Write the time series of a run as CSV: SI, the unit in every heading.

    The trajectory is kept as NetCDF, which Python, MATLAB and Julia open; this is for all else.
    """
    if not as_csv:
        raise RunError("say which format: footfall export RUN --csv.")
    from footfall.run_folder import SCENARIO, TRAJECTORY, find_run

    folder = find_run(run, (SCENARIO, TRAJECTORY))
    from footfall.trajectory.series import without_idle_contacts, write_csv

    names = [name.strip() for name in (series or "").split(",") if name.strip()]
    path = out if out is not None else folder.path / "trajectory.csv"
    data = read_trajectory(folder).data
    told = data if names else without_idle_contacts(data)
    columns = write_csv(told, path, names)
    typer.echo(f"written: {path}, {columns} columns, {data.sizes['time']} rows")
    idle = data.sizes["contact"] - told.sizes["contact"]
    if idle:
        typer.echo(f"left out: {idle} contacts that never touched; --series names them")


def video(
    run: RunPath,
    camera: CameraName = None,
    fps: Annotated[float, typer.Option(help="frames a second")] = 30.0,
    speed: Annotated[
        float, typer.Option(help="simulated over shown time: 0.1 is ten times slower")
    ] = 1.0,
    out: Annotated[
        Path | None, typer.Option(help=".mp4 or .gif to write; video.mp4 in the folder of the run")
    ] = None,
    forces: ShownForces = True,
    cones: ShownCones = False,
    _trust: Trust = False,
) -> None:
    """Write a film of a run as MP4 or GIF, rendered without a display.

    Without --camera the whole path is seen, and a machine that goes far is followed.
    """
    from footfall.run_folder import SCENARIO, TRAJECTORY, find_run

    folder = find_run(run, (SCENARIO, TRAJECTORY))
    from footfall.report.film import write_film

    model, view = _shown(folder, camera, cones=cones)
    path = out if out is not None else folder.path / "video.mp4"
    with share_line(str(path)) as tell:
        frames = write_film(
            model,
            read_trajectory(folder),
            path,
            camera=view.camera,
            cones=view.cones,
            forces=forces,
            fps=fps,
            speed=speed,
            tell=lambda share: tell("frames", share),
        )
    typer.echo(f"written: {path}, {frames} frames")


def still(
    run: RunPath,
    camera: CameraName = None,
    at: Annotated[float | None, typer.Option(help="time [s]; the end of the run")] = None,
    out: Annotated[
        Path | None, typer.Option(help=".png to write; still.png in the folder of the run")
    ] = None,
    forces: ShownForces = True,
    cones: ShownCones = False,
    _trust: Trust = False,
) -> None:
    """Write a picture of a run at a time as PNG, rendered without a display."""
    from footfall.run_folder import SCENARIO, TRAJECTORY, find_run

    folder = find_run(run, (SCENARIO, TRAJECTORY))
    from footfall.report.film import write_still

    model, view = _shown(folder, camera, cones=cones)
    path = out if out is not None else folder.path / "still.png"
    time = write_still(
        model,
        read_trajectory(folder),
        path,
        time=at,
        camera=view.camera,
        cones=view.cones,
        forces=forces,
    )
    typer.echo(f"written: {path}, t = {time:g} s")


def _shown(folder: "RunFolder", camera: str | None, *, cones: bool) -> "tuple[Model, View]":
    """Return the model of a run and its view; cones: of all contacts, else of what the view has."""
    from footfall.scenario.assemble import load_contacts
    from footfall.scenario.io import parse_scenario
    from footfall.show import view_of
    from footfall.show.forces import cones_of

    scenario = parse_scenario(folder.read_scenario(), str(folder.path), folder.path)
    look_through(scenario, camera)
    model, contacts = load_contacts(scenario)
    view = view_of(scenario)
    return model, replace(view, cones=cones_of(contacts)) if cones else view
