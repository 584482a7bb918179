"""Running a scenario that asks for an analysis, from the beginning or from where it stopped."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from footfall.cli.progress import share_line
from footfall.errors import FootfallError, RunError, ScenarioError
from footfall.interrupt import note_kept, shielded

if TYPE_CHECKING:
    from footfall.run_folder import RunFolder
    from footfall.scenario.schema import Scenario
    from footfall.workers import Workers


_BESIDE_RESUME = ("scenario", "resume", "report", "workers", "scheduler", "_trust")
"""Parameters of a command that goes on with an analysis; the others are in its folder."""


def analyse(
    scenario: "Scenario",
    engine: str | None,
    out: Path | None,
    *,
    report: bool = True,
    workers: "Workers | None" = None,
) -> int:
    """Carry an analysis out in a new folder; raises ScenarioError for an engine that has none."""
    from footfall.analysis.context import engine_of
    from footfall.run_folder import discard_if_refused, make_run_folder
    from footfall.scenario.io import dump_scenario

    if engine is not None:
        scenario = _by(engine, scenario)
    folder = make_run_folder(scenario.name, engine_of(scenario.analysis, scenario.engine), out)
    with discard_if_refused(folder), _discard_unless_begun(folder):
        folder.write_scenario(dump_scenario(scenario))
        note_kept(f"go on with {command_to_resume(scenario.name, folder.path)}")
        return _carry_out(scenario, folder, report=report, workers=workers)


def _by(engine: str, scenario: "Scenario") -> "Scenario":
    """Return the scenario with its analysis by an engine; raises ScenarioError for none such."""
    from footfall.analysis.context import engine_of, takes_any_scenario
    from footfall.scenario.io import with_settings

    if takes_any_scenario(scenario.analysis):
        settings = [f"engine={engine}", "analysis.engines=[]"]
        return with_settings(scenario, settings, scenario.name)
    own = engine_of(scenario.analysis, scenario.engine)
    if engine == own:
        return scenario
    if not hasattr(scenario.analysis, "engine"):
        raise ScenarioError(
            f"{scenario.name} is an analysis by the engine {own}; there is none by {engine}: leave "
            "--engine out."
        )
    return with_settings(scenario, [f"analysis.engine={engine}"], scenario.name)


@contextmanager
def _discard_unless_begun(folder: "RunFolder") -> Iterator[None]:
    """Take the scenario away again when the analysis cannot even begin."""
    from footfall.run_folder import SCENARIO

    try:
        yield
    except FootfallError:
        if not folder.pieces.exists():
            (folder.path / SCENARIO).unlink(missing_ok=True)
        raise


def resume_analysis(
    context: typer.Context,
    name: str,
    path: Path,
    *,
    report: bool = True,
    workers: "Workers | None" = None,
) -> int:
    """Go on with the analysis of a folder; name: of the scenario that it should be.

    context: of the command. Raises ScenarioError for an option that says what to compute.
    """
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name not in _BESIDE_RESUME
        and (source := context.get_parameter_source(option.name or "")) is not None
        and source.name == "COMMANDLINE"
    ]
    if given:
        raise ScenarioError(
            f"--resume goes on with what is in the folder: leave {', '.join(given)} out."
        )
    from footfall.analysis.context import takes_any_scenario
    from footfall.run_folder import METRICS, SCENARIO, find_run, locked
    from footfall.scenario.io import parse_scenario
    from footfall.scenario.own_code import with_loaded_code

    folder = locked(find_run(path, (SCENARIO,)))
    scenario = parse_scenario(folder.read_scenario(), str(folder.path / SCENARIO), folder.path)
    if scenario.analysis is None:
        raise RunError(f"{path} is a simulation, which cannot be resumed: run it again.")
    if Path(scenario.name) != Path(name):
        raise RunError(
            f"{path} is of {scenario.name}, not of {name}: name that, or another folder."
        )
    if (folder.path / METRICS).exists():
        return _tell_done(folder, report=report)
    if takes_any_scenario(scenario.analysis):  # for the rest, that code is refused
        scenario = with_loaded_code(scenario, scenario.name)
    return _carry_out(scenario, folder, report=report, workers=workers)


def _tell_done(folder: "RunFolder", *, report: bool) -> int:
    """Say that nothing is left to do; make the page if it is wanted and is not there."""
    from footfall.report import write_analysis_page

    if report and not folder.report.exists():
        write_analysis_page(folder)
    again = shlex.join(["footfall", "report", str(folder.path)])
    typer.echo(f"{folder.path} is done already; its page, anew: {again}")
    return 0


def _carry_out(
    scenario: "Scenario", folder: "RunFolder", *, report: bool, workers: "Workers | None"
) -> int:
    """Analyse, print, save, report if it is wanted; returns the exit status."""
    from footfall.analyse import analyse_scenario
    from footfall.analysis.checkpoint import Checkpoint
    from footfall.cli.tables import print_result
    from footfall.report import write_analysis_page
    from footfall.saved import save_result

    done, same = None, _made_for(scenario)
    with shielded():
        with share_line(scenario.name) as tell, suppress(KeyboardInterrupt):  # a second Ctrl-C
            done = analyse_scenario(scenario, Checkpoint(folder.pieces, same), tell, workers)
        if done is None or done.result is None:
            again = command_to_resume(scenario.name, folder.path)
            typer.echo(f"footfall: interrupted; go on with {again}", err=True)
            return 1
        print_result(scenario, done.result)
        scenarios = save_result(folder, scenario.name, scenario, done.result, done.wall_time)
        note_kept(f"the result is in {folder.path}; its page: footfall report {folder.path}")
    if report:
        write_analysis_page(folder)
    for path in scenarios:
        typer.echo(f"found: footfall run {shlex.quote(str(path))}")
    again = shlex.join(["footfall", "report", str(folder.path)])
    typer.echo(f"report: {folder.report}" if report else f"its report: {again}")
    return 0


def _made_for(scenario: "Scenario") -> str:
    """Return what the results of an analysis follow from: its scenario, and the user's code."""
    from footfall.analysis.context import engine_of
    from footfall.scenario.io import dump_scenario
    from footfall.scenario.own_code import code_of

    engine = engine_of(scenario.analysis, scenario.engine)
    code = {place: part.get("sha256") for place, part in code_of(scenario).items()}
    return dump_scenario(replace(scenario, engine=engine)) + (repr(code) if code else "")


def command_to_resume(name: str, path: Path) -> str:
    """Return the command line that goes on with an interrupted analysis."""
    return shlex.join(["footfall", "run", name, "--resume", str(path)])
