"""Commands that show: view, replay, report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.analysing import command_to_resume
from footfall.cli.options import (
    Arguments,
    CameraName,
    Host,
    ModelName,
    OpenPage,
    PlotNames,
    Port,
    Trust,
    Verbose,
    WaitForBrowser,
    look_through,
    read_arguments,
)
from footfall.cli.simulation import read_trajectory, tell_incomplete, write_page
from footfall.errors import RunError
from footfall.interrupt import hearing_ctrl_c

if TYPE_CHECKING:
    from footfall.run_folder import RunFolder

RunPath = Annotated[list[Path], typer.Argument(help="folder(s) that footfall run wrote")]


def view(
    model: ModelName,
    arguments: Arguments = None,
    open_page: OpenPage = False,
    port: Port = None,
    host: Host = "localhost",
    verbose: Verbose = False,
    _trust: Trust = False,
) -> None:
    """Look at a model on a page: shapes, inertias, frames, masses; move its joints.

    The file is read again when it changes.
    """
    values = read_arguments(arguments)
    from footfall.show.live import Page, Watching
    from footfall.show.model import view_model

    page = Page(Watching(open_page, host=host, port=port), typer.echo)
    with hearing_ctrl_c() as interrupted:
        view_model(
            model,
            page.meshcat,
            page.controls,
            arguments=values,
            interrupted=interrupted,
            tell=typer.echo,
            verbose=verbose,
        )


def replay(
    runs: RunPath,
    loop: Annotated[bool, typer.Option(help="keep serving until Ctrl-C")] = True,
    camera: CameraName = None,
    open_page: OpenPage = False,
    wait: WaitForBrowser = False,
    plots: PlotNames = None,
    port: Port = None,
    host: Host = "localhost",
    _trust: Trust = False,
) -> None:
    """Play saved runs on a page in a browser, on this machine only; several are seen together."""
    from footfall.run_folder import SCENARIO, find_run
    from footfall.scenario.io import parse_scenario
    from footfall.show import view_of
    from footfall.show.live import LiveView, Watching

    for path in runs:
        if _is_analysis(find_run(path, (SCENARIO,))):
            raise RunError(f"{path} is an analysis, which has no motion to replay: see its report.")
    folders = [find_run(path) for path in runs]
    scenario = parse_scenario(folders[0].read_scenario(), str(folders[0].path), folders[0].path)
    look_through(scenario, camera)
    trajectories = {_label(folder.path): read_trajectory(folder) for folder in folders}
    wishes = Watching(open_page, wait, host, port, tuple(plots or []))
    live = LiveView(scenario, view_of(scenario), wishes, typer.echo)
    player = live.show(trajectories)
    if loop:
        typer.echo("Close on the page, or Ctrl-C here, ends")
        with hearing_ctrl_c() as interrupted:
            live.wait_for_browser(interrupted)
            player.play(interrupted)


def report(runs: RunPath, camera: CameraName = None, _trust: Trust = False) -> None:
    """Write the report of saved runs anew; several are compared, scenario by scenario, in one.

    It is written into the folder of the first. An analysis has a page of its own, in its folder.
    """
    from footfall.report import read_sections, write_analysis_page
    from footfall.run_folder import METRICS, SCENARIO, TRAJECTORY, find_run

    folders = [find_run(path, (SCENARIO,)) for path in runs]
    analyses = [folder for folder in folders if _is_analysis(folder)]
    if analyses and camera is not None:
        raise RunError(f"{analyses[0].path} is an analysis, which shows no scene: no --camera.")
    simulations = [
        find_run(folder.path, (SCENARIO, TRAJECTORY, METRICS))
        for folder in folders
        if folder not in analyses
    ]
    for folder in analyses:
        write_analysis_page(folder)
        typer.echo(f"report: {folder.report}")
    if simulations:
        sections = read_sections(simulations)
        for section in sections:
            look_through(section.scenario, camera)
            tell_incomplete({name: run.trajectory for name, run in section.runs.items()})
        write_page(sections, simulations[0])


def _is_analysis(folder: "RunFolder") -> bool:
    """Return whether a folder is of an analysis; raises RunError for one that is not finished."""
    from footfall.run_folder import SCENARIO
    from footfall.scenario.io import parse_scenario

    scenario = parse_scenario(folder.read_scenario(), str(folder.path / SCENARIO), folder.path)
    if scenario.analysis is not None and not folder.result.exists():
        raise RunError(
            f"the analysis in {folder.path} is not finished: go on with "
            f"{command_to_resume(scenario.name, folder.path)}"
        )
    return scenario.analysis is not None


def _label(path: Path) -> str:
    """Name a run by its engine and time, the last two folders of the default layout."""
    return f"{path.parent.name} {path.name}" if path.parent.name else path.name
