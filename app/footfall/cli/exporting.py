"""Commands that turn runs into other files, and logs into runs."""

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.info import scenarios_beginning
from footfall.cli.options import (
    CameraName,
    Out,
    Report,
    Settings,
    Trust,
    look_through,
)
from footfall.cli.progress import share_line
from footfall.cli.simulation import close_runs, read_trajectory
from footfall.engine_names import LOG
from footfall.errors import FootfallError, RunError, ScenarioError

if TYPE_CHECKING:
    from footfall.plants.loading.load import Model
    from footfall.report.gallery import Exhibit, Room
    from footfall.run import Run
    from footfall.run_folder import RunFolder
    from footfall.scenario.schema import Scenario
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
    as_mcap: Annotated[
        bool, typer.Option("--mcap", help="ROS 2 messages, as for Foxglove and Rerun")
    ] = False,
    series: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="some series, as in theta1,tau1,com; all unless named"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="file to write; trajectory.csv in the folder of the run")
    ] = None,
    _trust: Trust = False,
) -> None:
    """Write a run as CSV, SI with the unit in every heading, or as MCAP with its motion and forces.

    The trajectory is kept as NetCDF, which Python, MATLAB and Julia open; this is for all else.
    """
    if as_csv == as_mcap or (as_mcap and series):
        raise RunError("say which format: footfall export RUN --csv [--series NAMES], or --mcap.")
    from footfall.run_folder import SCENARIO, TRAJECTORY, find_run

    folder = find_run(run, (SCENARIO, TRAJECTORY))
    from footfall.trajectory.series import without_idle_contacts, write_csv

    if as_mcap:
        _export_mcap(folder, out if out is not None else folder.path / "trajectory.mcap")
        return
    names = [name.strip() for name in (series or "").split(",") if name.strip()]
    path = out if out is not None else folder.path / "trajectory.csv"
    data = read_trajectory(folder).data
    told = data if names else without_idle_contacts(data)
    columns = write_csv(told, path, names)
    typer.echo(f"written: {path}, {columns} columns, {data.sizes['time']} rows")
    idle = data.sizes["contact"] - told.sizes["contact"]
    if idle:
        typer.echo(f"left out: {idle} contacts that never touched; --series names them")


def _export_mcap(folder: "RunFolder", path: Path) -> None:
    """Write the run in a folder as MCAP."""
    from footfall.report.mcap_file import write_mcap
    from footfall.trajectory.series import without_idle_contacts

    model, _ = _shown(folder, None, cones=False)
    trajectory = read_trajectory(folder)
    told = replace(trajectory, data=without_idle_contacts(trajectory.data))
    typer.echo(f"written: {path}, {write_mcap(path, model, told)} messages")


def import_log(
    log: Annotated[Path, typer.Argument(metavar="LOG", help=".csv, .mcap or .nc file")],
    scenario: Annotated[
        str,
        typer.Option(help="whose robot it is: machine/name, a YAML file, or a robot or its file"),
    ],
    columns: Annotated[
        Path | None, typer.Option(help="YAML file that says which column is what; else by name")
    ] = None,
    settings: Settings = None,
    out: Out = None,
    report: Report = True,
    _trust: Trust = False,
) -> int:
    """Make the folder of a run out of somebody's log, to be replayed, plotted and compared.

    footfall report LOG_RUN RUN shows it beside a simulation, footfall replay plays both together.
    """
    from footfall.run_folder import RunFolder, require_unused

    require_unused(out)
    from footfall.api.loading import LoadedScenario, load
    from footfall.api.logs import read_log
    from footfall.scenario.io import with_settings

    loaded = with_settings(load(scenario).scenario, settings or [], scenario)
    run = read_log(log, LoadedScenario(loaded), columns)
    folder = RunFolder(run.save(out))
    for event in run.events:
        typer.echo(f"footfall: {event.what}.", err=True)
    return close_runs(folder, loaded, {LOG: run.run}, report=report)


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


_PAGES = "pages"
_OTHERS = {"scenes": "Scenes", "smoke": "Smallest scenarios", "verify": "Closed forms of textbooks"}


def gallery(
    beginning: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="how names begin, as in biped; all unless said"),
    ] = None,
    out: Annotated[Path, typer.Option(help="folder of the site; what it has is replaced")] = Path(
        "gallery"
    ),
    at_most: Annotated[
        float, typer.Option(metavar="SECONDS", help="simulate no more of each; claims need it all")
    ] = math.inf,
    pages: Annotated[bool, typer.Option("--pages", help="with the report of every run")] = False,
    _trust: Trust = False,
) -> int:
    """Build an offline site of machines and scenes: a loop of each, its claims, its command.

    Each is simulated anew, so that what is shown is what runs; analyses are named only.
    """
    if not at_most > 0.0:
        raise ScenarioError(f"--at-most is {at_most:g}: give a time of more than 0 s.")
    names = [name for one in beginning or [""] for name in scenarios_beginning(one)]
    from footfall.report.gallery import write_gallery

    rooms: dict[str, list[Exhibit]] = {}
    with share_line("gallery") as tell:
        for done, name in enumerate(dict.fromkeys(names)):
            tell(name, done / len(names))
            exhibit = _exhibit(name, at_most, out if pages else None)
            rooms.setdefault(name.partition("/")[0], []).append(exhibit)
    cut = math.isfinite(at_most)
    note = f"Each runs for {at_most:g} s at most, without claims if cut short. " if cut else ""
    note += f"Made by {_command(beginning or [], at_most, pages=pages)}: all was simulated for it."
    site = write_gallery(out, [_room(name, each) for name, each in rooms.items()], note)
    typer.echo(f"gallery: {site}")
    failed = [one.name for each in rooms.values() for one in each if one.failed]
    for name in failed:
        typer.echo(f"footfall: {name} could not be shown.", err=True)
    return 1 if failed else 0


def _command(beginning: list[str], at_most: float, *, pages: bool) -> str:
    limit = [f"--at-most {at_most:g}"] if math.isfinite(at_most) else []
    return " ".join(["footfall gallery", *beginning, *limit, *["--pages"] * pages])


def _room(name: str, exhibits: "list[Exhibit]") -> "Room":
    """Return the exhibits of a machine, or of a group of scenes, under its title."""
    from footfall.registry.machines import get_machine
    from footfall.report.gallery import Room

    if name in _OTHERS:
        return Room(name, _OTHERS[name], "", exhibits)
    machine = get_machine(name)
    if machine is None:
        return Room(name, name, "", exhibits)
    return Room(name, f"{name}: {machine.title}", machine.citation, exhibits)


def _exhibit(name: str, at_most: float, out: Path | None) -> "Exhibit":
    """Simulate a scenario and show it; one that cannot be says why."""
    from footfall.report.gallery import Exhibit
    from footfall.scenario.io import load_scenario

    scenario = load_scenario(name)
    command = f"footfall run {name}"
    if scenario.analysis is not None:
        told = f"An analysis: {type(scenario.analysis).__name__}. Its command writes its page."
        return Exhibit(name, scenario.description, command, told=told)
    whole = scenario.duration <= at_most
    if not whole:
        scenario = load_scenario(name, [f"duration={at_most}"])
    try:
        return _simulated(name, scenario, command, out, whole=whole)
    except FootfallError as error:
        return Exhibit(name, scenario.description, command, told=str(error), failed=True)


def _simulated(
    name: str, scenario: "Scenario", command: str, out: Path | None, *, whole: bool
) -> "Exhibit":
    from footfall.plants.loading.load import load_model
    from footfall.report.gallery import Exhibit, loop_of
    from footfall.run import run_scenario
    from footfall.scenario.assemble import model_spec
    from footfall.show import view_of
    from footfall.trajectory import Status

    run = run_scenario(scenario, name, scenario.engine)
    loop = loop_of(load_model(model_spec(scenario)), run.trajectory, view_of(scenario).camera)
    ended = run.trajectory.status is not Status.DONE
    return Exhibit(
        name,
        scenario.description,
        command,
        loop,
        run.claims if whole else (),
        f"{run.trajectory.status.value}: {run.trajectory.message}" if ended else "",
        _page(name, scenario, run, out) if out is not None else "",
    )


def _page(name: str, scenario: "Scenario", run: "Run", out: Path) -> str:
    """Write the report of a run; returns where it is, from the folder of the site."""
    from footfall.files import make_folder
    from footfall.report import section_of, write_reports

    make_folder(out / _PAGES)
    page = f"{_PAGES}/{name.replace('/', '_')}.html"
    write_reports([section_of(scenario, {run.engine: run}, name)], out / page)
    return page
