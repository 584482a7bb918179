"""Commands that simulate: run, compare."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.analysing import analyse, resume_analysis
from footfall.cli.options import (
    CameraName,
    Out,
    Report,
    ScenarioName,
    Scheduler,
    Seed,
    Settings,
    Trust,
    Verbose,
    WorkerCount,
    load,
    look_through,
    parts,
    workers_asked,
)
from footfall.cli.simulation import close_runs, simulate, simulate_each, stay_open
from footfall.cli.watching import UNWATCHED, Watch, watchable
from footfall.errors import RunError, ScenarioError
from footfall.scenario.request_check import check_request
from footfall.wording import listed

if TYPE_CHECKING:
    from footfall.run import Run
    from footfall.scenario.schema import Scenario


@watchable
def run(
    context: typer.Context,
    scenario: ScenarioName,
    engine: Annotated[
        str | None,
        typer.Option(
            help="moreau, drake[-sap|-lagged|-similar|-cenic|-continuous], mujoco, hybrid, "
            "closed-form"
        ),
    ] = None,
    settings: Settings = None,
    out: Out = None,
    seed: Seed = None,
    watch: Watch = UNWATCHED,
    camera: CameraName = None,
    report: Report = True,
    verbose: Verbose = False,
    resume: Annotated[
        Path | None, typer.Option(help="go on with the interrupted analysis in this folder")
    ] = None,
    workers: WorkerCount = None,
    scheduler: Scheduler = None,
    _trust: Trust = False,
) -> int:
    """Simulate a scenario, or carry out its analysis; write its folder and print a short table."""
    asked = workers_asked(workers, scheduler, surely=False)  # most scenarios are no analyses
    if resume is not None:
        return resume_analysis(context, scenario, resume, report=report, workers=asked)
    from footfall.run_folder import make_run_folder, next_folder, require_unused

    require_unused(out)
    check_request(scenario, [engine] if engine is not None else [], settings)
    loaded = load(scenario, settings, seed)
    if loaded.analysis is not None:
        if watch.wished or camera is not None:
            option = "--view" if watch.wished else "--camera"
            raise ScenarioError(f"{scenario} is an analysis, which cannot be watched: no {option}.")
        return analyse(loaded, engine, out, report=report, workers=asked)
    look_through(loaded, camera)
    engine = engine or loaded.engine
    live = watch.start(loaded)
    while True:
        folder = make_run_folder(loaded.name, engine, out)
        result = simulate(loaded, engine, folder, _print_run, live=live)
        led = result.by_hand.added_to(loaded)
        status = close_runs(folder, led, {engine: result}, report=report, verbose=verbose)
        if not stay_open(live, {engine: result}, again=True):
            return status
        out = next_folder(out)


@watchable
def compare(
    scenario: ScenarioName,
    engines: Annotated[
        str, typer.Option(help="engines to compare, the first is the reference")
    ] = "moreau,drake",
    beside: Annotated[
        list[Path] | None,
        typer.Option(metavar="RUN", help="a run on disk, as of a log, that becomes the reference"),
    ] = None,
    settings: Settings = None,
    out: Out = None,
    seed: Seed = None,
    watch: Watch = UNWATCHED,
    report: Report = True,
    verbose: Verbose = False,
    _trust: Trust = False,
) -> int:
    """Simulate a scenario in several engines and measure how they differ over time.

    With --view the first is led on a page, which then plays all of them. Each run is kept as soon
    as it ends; Ctrl-C ends the comparison with what there is.
    """
    from footfall.cli.tables import print_runs
    from footfall.run_folder import make_run_folder, require_unused

    require_unused(out)
    names = parts(engines)
    if len(set(names)) < 2 and not beside:
        raise ScenarioError(
            f"--engines is '{engines}': name at least two different engines, as in moreau,drake."
        )
    check_request(scenario, names, settings)
    loaded = load(scenario, settings, seed)
    if loaded.analysis is not None:
        message = f"{scenario} is an analysis, which has one engine: footfall run {scenario}."
        raise ScenarioError(message)
    saved = _saved(beside or [], names, loaded)
    live = watch.start(loaded)
    folder = make_run_folder(loaded.name, "compare", out)
    done = dict(saved)
    try:
        runs = simulate_each(
            loaded, names, folder, lambda _, run: done.update({run.engine: run}), live=live
        )
    finally:  # a full disk takes the files of a run, not its numbers
        if done:
            print_runs(loaded.name, loaded, done)
    led = next(iter(runs.values())).by_hand.added_to(loaded)
    runs = saved | runs
    _print_differences(runs)
    status = close_runs(folder, led, runs, report=report, verbose=verbose)
    stay_open(live, runs)
    return status


def _saved(folders: list[Path], engines: list[str], scenario: "Scenario") -> "dict[str, Run]":
    """Read runs back, each by its engine where no other one has its name, else by its folder.

    Raises RunError for one whose robot is not that of the scenario.
    """
    from footfall.api.replaying import replay
    from footfall.plants.layout import layout_of
    from footfall.scenario.assemble import build_robot

    runs: dict[str, Run] = {}
    robot = build_robot(scenario) if folders else None
    for folder in folders:
        saved = replay(folder)
        run, own = saved.run, saved.data["position"].values.tolist()
        if robot and {*own} != {*layout_of(robot.plant, robot.contacts).position}:
            raise RunError(
                f"--beside {folder}: it is a run of {saved.scenario.name}, of another robot than "
                f"{scenario.name} has: its positions are {listed(own)}."
            )
        taken = run.engine in (*engines, *runs)
        runs[str(folder) if taken else run.engine] = run
    return runs


def _print_differences(runs: "dict[str, Run]") -> None:
    """Print how every run differs from the first."""
    from footfall.cli.tables import print_differences
    from footfall.comparison import compare_all

    for comparison in compare_all({name: run.trajectory for name, run in runs.items()}):
        title = f"{comparison.other} against {comparison.reference}"
        diverged = comparison.first_mode_divergence
        if diverged is not None:
            title += f" (contact modes differ first at t = {diverged:.3f} s)"
        print_differences(title, comparison.rows)


def _print_run(scenario: "Scenario", result: "Run") -> None:
    from footfall.cli.tables import print_runs

    print_runs(scenario.name, scenario, {result.engine: result})
