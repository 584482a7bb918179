"""Simulations as commands and scripts ask for them: one, or several scenarios and engines."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from footfall.cli.progress import progress_line
from footfall.interrupt import hearing_ctrl_c, note_kept, shielded

if TYPE_CHECKING:
    from footfall.report import Section
    from footfall.run import Run
    from footfall.run_folder import RunFolder
    from footfall.scenario.schema import Scenario
    from footfall.show.live import LiveView
    from footfall.simulation import Conductor
    from footfall.trajectory import Trajectory
    from footfall.trajectory.netcdf import RowsFile


def simulate(
    scenario: "Scenario",
    engine: str,
    folder: "RunFolder",
    show: "Callable[[Scenario, Run], None]",
    *,
    live: "LiveView | None" = None,
    beside: Sequence[Path] = (),
    told: set[str] | None = None,
) -> "Run":
    """Simulate in one engine and say on stderr how far it is; the run is kept as it goes on.

    show: is given the run before all of it is written, which a full disk may not take. live: the
    page that it is led on. beside: folders of runs of the same command. told: lines
    about starts that were told already, of which more are put in.
    """
    from footfall.run import run_scenario
    from footfall.run_folder import discard_if_refused
    from footfall.saved import RunOnDisk

    kept = RunOnDisk(folder, scenario.name, scenario)

    def keep(engine: str, moved: "Mapping[str, float]", start: "Trajectory") -> "RowsFile":
        rows = kept.begin(engine, moved, start)
        note_kept(kept_in(*beside, folder.path))
        return rows

    def simulated(conductor: "Conductor | None") -> "Run":
        with progress_line(f"{scenario.name} {engine}", told) as report:
            return run_scenario(
                scenario, scenario.name, engine, report=report, conductor=conductor, keep=keep
            )

    with discard_if_refused(folder), shielded():
        run = simulated(None) if live is None else live.simulate(simulated)
        try:
            show(scenario, run)
        finally:  # also where nothing can be shown
            kept.end(run)
    return run


def stay_open(live: "LiveView | None", runs: "Mapping[str, Run]", *, again: bool = False) -> bool:
    """Play runs on the page that they were led on until it is closed; nothing without a page.

    They are at their end there, or at their start in an engine that showed nothing until then.
    again: they may be simulated anew. Returns whether that is asked for.
    """
    from footfall.trajectory import Status

    played = {name: run.trajectory for name, run in runs.items() if len(run.trajectory.data.time)}
    ended = any(run.trajectory.status is Status.INTERRUPTED for run in runs.values())
    if live is None or not played or ended:
        return False
    typer.echo(f"the page stays at {live.page.url} until it is closed, or Ctrl-C here", err=True)
    with hearing_ctrl_c() as interrupted:
        return live.play(played, interrupted, at_end=live.run.begun, again=again)


def simulate_each(
    scenario: "Scenario",
    engines: Sequence[str],
    folder: "RunFolder",
    show: "Callable[[Scenario, Run], None]",
    *,
    live: "LiveView | None" = None,
) -> "dict[str, Run]":
    """Simulate in several engines; each run is shown and kept in a folder of its own as it ends.

    live: a page on which the first of them is led. Ctrl-C ends it with the runs that there are.
    """
    from footfall.run_folder import discard_if_refused, make_run_folder
    from footfall.trajectory import Status

    runs: dict[str, Run] = {}
    told: set[str] = set()
    with discard_if_refused(folder):
        for name in dict.fromkeys(engines):
            own = make_run_folder(scenario.name, name, folder.path / name)
            beside = [folder.path / run for run in runs]
            watched = live if not runs else None
            runs[name] = simulate(scenario, name, own, show, live=watched, beside=beside, told=told)
            if runs[name].trajectory.status is Status.INTERRUPTED:
                break
            scenario = runs[name].by_hand.added_to(scenario)  # what was done holds for all
    return runs


def simulate_all(
    title: str,
    scenarios: "Mapping[str, Scenario]",
    engines: Sequence[str],
    out: Path | None,
    show: "Callable[[Scenario, Run], None]",
) -> int:
    """Simulate scenarios by name in several engines, each in a folder of its own, and report all.

    The folder of all is `out`, or one called by the title. Ctrl-C ends it with the runs that there
    are; returns 1 if it did.
    """
    from footfall.cli.tables import print_runs
    from footfall.report import section_of
    from footfall.run_folder import make_run_folder
    from footfall.trajectory import Status

    folder = make_run_folder(title, "script", out)
    sections = []
    for name, scenario in scenarios.items():
        own = make_run_folder(name, "script", folder.path / name)
        runs = simulate_each(scenario, engines, own, show)
        print_runs(name, scenario, runs)
        sections.append(section_of(scenario, runs, name))
        if any(run.trajectory.status is Status.INTERRUPTED for run in runs.values()):
            break
    write_page(sections, folder)
    return 0 if len(sections) == len(scenarios) else 1


def write_page(sections: "Sequence[Section]", folder: "RunFolder") -> None:
    """Write the page of runs into a folder, and say where it is and what it could not show."""
    from footfall.report import write_reports

    refused = write_reports(sections, folder.report)
    typer.echo(f"report: {folder.report}")
    for line in refused:
        typer.echo(f"footfall: {line}", err=True)


def read_trajectory(folder: "RunFolder") -> "Trajectory":
    """Read the trajectory of a run, and say on stderr if it is not whole."""
    from footfall.trajectory import Trajectory

    trajectory = Trajectory.load(folder.trajectory)
    tell_incomplete({str(folder.path): trajectory})
    return trajectory


def tell_incomplete(trajectories: "Mapping[str, Trajectory]") -> None:
    """Say on stderr which of some runs are not whole, and up to where they are there."""
    from footfall.trajectory.events import INCOMPLETE

    for name, trajectory in trajectories.items():
        if any(event.kind == INCOMPLETE for event in trajectory.events):
            typer.echo(f"footfall: {name} is {trajectory.message}.", err=True)


def kept_in(*folders: Path) -> str:
    """Say where runs are that have no page yet, and how they get one."""
    paths = shlex.join(str(folder) for folder in folders)
    return f"what was computed is in {paths}; its page: footfall report {paths}"


def close_runs(
    folder: "RunFolder",
    scenario: "Scenario",
    runs: "dict[str, Run]",
    *,
    report: bool = True,
    verbose: bool = False,
) -> int:
    """Write the report if it is wanted, say where all is and how each run ended.

    verbose: Drake's own warnings as well. Returns the exit status.
    """
    from footfall.report import section_of
    from footfall.run_folder import TRACEBACK
    from footfall.trajectory import Status
    from footfall.trajectory.events import known_at_start, reported

    if report:
        write_page([section_of(scenario, runs)], folder)
    else:
        own = [p if (p := folder.path / name).is_dir() else folder.path for name in runs]
        typer.echo(f"run: {folder.path}")
        typer.echo(f"its report: footfall report {shlex.join(str(path) for path in own)}")
    later = {
        name: [event for event in run.trajectory.events if not known_at_start(event)]
        for name, run in runs.items()
    }
    for line in reported(later):
        typer.echo(f"footfall: {line}.", err=True)
    logs = [line for run in runs.values() for line in run.drake_log] if verbose else []
    for line in dict.fromkeys(logs):
        typer.echo(f"drake: {line}", err=True)
    failed = {
        name: result for name, result in runs.items() if result.trajectory.status is not Status.DONE
    }
    for name, result in failed.items():
        reason = " ".join(result.trajectory.message.split())
        status = result.trajectory.status.value
        typer.echo(f"footfall: {name} {status}: {reason}{_kept(result)}", err=True)
    faulty = [result for result in runs.values() if result.faults]
    if faulty:
        traces = [str(path) for path in sorted(folder.path.rglob(TRACEBACK))]
        typer.echo(f"footfall: please report {shlex.join(traces)}", err=True)
    return 1 if failed or faulty else 0


def _kept(result: "Run") -> str:
    """Say that the contact problem which ended a run is in its folder, if one did."""
    from footfall.saved import CONTACT_PROBLEM
    from footfall.solvers import ContactNotSolved

    unsolved = isinstance(result.error, ContactNotSolved)
    return f"; the problem is kept in {CONTACT_PROBLEM}" if unsolved else ""
