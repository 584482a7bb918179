"""Commands that simulate: run, compare."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.cameras import CameraName, look_through
from footfall.cli.progress import progress_line
from footfall.errors import FootfallError, ScenarioError

if TYPE_CHECKING:
    from footfall.run import Decorate, Run
    from footfall.run_folder import RunFolder
    from footfall.scenario.schema import Scenario

ScenarioName = Annotated[
    str, typer.Argument(help="machine/name (see footfall list) or a path to a YAML file")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="change one value, as in terrain.slope_deg=-3"),
]
Out = Annotated[Path | None, typer.Option(help="folder to write to; must be new or empty")]
Seed = Annotated[int | None, typer.Option(help="seed of everything random")]


def run(
    scenario: ScenarioName,
    engine: Annotated[
        str | None,
        typer.Option(help="moreau, drake[-sap|-lagged|-similar|-continuous], hybrid, closed-form"),
    ] = None,
    settings: Settings = None,
    out: Out = None,
    seed: Seed = None,
    view: Annotated[
        bool, typer.Option("--view", help="watch it in a browser, on this machine only")
    ] = False,
    camera: CameraName = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with the interrupted analysis in this folder")
    ] = None,
) -> int:
    """Simulate a scenario, or carry out its analysis; write its folder and print a short table."""
    from footfall.cli import analysing
    from footfall.run_folder import make_run_folder, require_unused
    from footfall.saved import save_run

    if resume is not None:
        _refuse_beside_resume(
            engine=engine, settings=settings, out=out, seed=seed, view=view, camera=camera
        )
        return analysing.resume(scenario, resume)
    require_unused(out)
    loaded = _load(scenario, settings, seed)
    if loaded.analysis is not None:
        if view or camera is not None:
            option = "--view" if view else "--camera"
            raise ScenarioError(f"{scenario} is an analysis, which cannot be watched: no {option}.")
        return analysing.analyse(loaded, engine, out)
    look_through(loaded, camera)
    engine = engine or loaded.engine
    require_engine(engine)
    if view:
        _require_moving(engine)
    decorate = _viewer(loaded) if view else None
    folder = make_run_folder(loaded.name, engine, out)
    with or_nothing(folder):
        result = simulate(loaded, engine, decorate)
    _print_run(loaded, result)
    save_run(folder, loaded.name, loaded, result)  # after the table, which a full disk cannot take
    return close(folder, loaded, {engine: result})


def _require_moving(engine: str) -> None:
    """Raise ScenarioError for an engine that shows nothing while it computes."""
    from footfall.scenario.schema import MACHINE_ENGINES

    if engine in MACHINE_ENGINES:
        message = (
            f"engine {engine} cannot be watched: leave --view out and footfall replay the run, or "
            "choose moreau or drake."
        )
        raise ScenarioError(message)


def _refuse_beside_resume(**others: object) -> None:
    """Raise ScenarioError for options that a resumed analysis has in its folder, or has not."""
    given = [
        f"--{'set' if name == 'settings' else name}"
        for name, value in others.items()
        if value is not None and value is not False and value != []
    ]
    if given:
        message = f"--resume goes on with what is in the folder: leave {', '.join(given)} out."
        raise ScenarioError(message)


def compare(
    scenario: ScenarioName,
    engines: Annotated[
        str, typer.Option(help="engines to compare, the first is the reference")
    ] = "moreau,drake",
    settings: Settings = None,
    out: Out = None,
    seed: Seed = None,
) -> int:
    """Simulate a scenario in several engines and measure how they differ over time.

    Each run is kept as soon as it ends; Ctrl-C ends the comparison with what there is.
    """
    from footfall.run_folder import make_run_folder, require_unused

    require_unused(out)
    names = [name.strip() for name in engines.split(",") if name.strip()]
    if len(set(names)) < 2:
        raise ScenarioError(
            f"--engines is '{engines}': name at least two different engines, as in moreau,drake."
        )
    for name in names:
        require_engine(name)
    loaded = _load(scenario, settings, seed)
    if loaded.analysis is not None:
        message = f"{scenario} is an analysis, which has one engine: footfall run {scenario}."
        raise ScenarioError(message)
    folder = make_run_folder(loaded.name, "compare", out)
    runs = simulate_each(loaded, names, folder, _print_run)
    _print_differences(runs)
    return close(folder, loaded, runs)


def _print_differences(runs: "dict[str, Run]") -> None:
    """Print how every run differs from the first."""
    from rich.console import Console

    from footfall.cli.tables import differences_table
    from footfall.compare import compare_all

    for comparison in compare_all({name: run.trajectory for name, run in runs.items()}):
        title = f"{comparison.other} against {comparison.reference}"
        diverged = comparison.first_mode_divergence
        if diverged is not None:
            title += f" (contact modes differ first at t = {diverged:.3f} s)"
        Console().print(differences_table(title, comparison.rows))


@contextmanager
def or_nothing(folder: "RunFolder") -> Iterator[None]:
    """Take an empty run folder away again when the request turns out to be wrong."""
    try:
        yield
    except FootfallError:
        ours = folder.path.parents[:-1] if folder.path.parts[0] == "runs" else ()
        with suppress(OSError):  # what holds other runs stays
            for place in (folder.path, *ours):
                place.rmdir()
        raise


def _load(scenario: str, settings: list[str] | None, seed: int | None) -> "Scenario":
    """Load a scenario with the overrides of the command line."""
    from footfall.scenario.names import canonical

    canonical(scenario)  # before Drake is loaded
    from footfall.scenario.io import load_scenario

    overrides = [*(settings or []), *([f"seed={seed}"] if seed is not None else [])]
    return load_scenario(scenario, overrides)


def require_engine(name: str) -> None:
    """Raise ScenarioError for an engine that does not exist, before anything is simulated."""
    from footfall.scenario.schema import ENGINE_NAMES
    from footfall.wording import did_you_mean

    if name not in ENGINE_NAMES:
        raise ScenarioError(f"there is no engine '{name}'; {did_you_mean(name, ENGINE_NAMES)}")


def simulate(scenario: "Scenario", engine: str, decorate: "Decorate | None" = None) -> "Run":
    """Simulate in one engine and say on stderr how far it is."""
    from footfall.run import run_scenario

    with progress_line(f"{scenario.name} {engine}") as show:
        return run_scenario(scenario, scenario.name, engine, report=show, decorate=decorate)


def _viewer(scenario: "Scenario") -> "Decorate":
    """Open a page to watch on; the run keeps to real time unless the scenario sets a rate."""
    from footfall.show import attach_viewer, start_meshcat, view_of

    meshcat = start_meshcat()
    if scenario.simulator.target_realtime_rate == 0.0:
        scenario.simulator.target_realtime_rate = 1.0
    typer.echo(f"watch it at {meshcat.web_url()}", err=True)
    view = view_of(scenario)
    return lambda builder, machine, system: attach_viewer(builder, machine, system, meshcat, view)


def simulate_each(
    scenario: "Scenario",
    engines: Sequence[str],
    folder: "RunFolder",
    tell: "Callable[[Scenario, Run], None]",
) -> "dict[str, Run]":
    """Simulate in several engines; each run is told and kept in a folder of its own as it ends.

    Ctrl-C ends it with the runs that there are.
    """
    from footfall.run_folder import make_run_folder
    from footfall.saved import save_run
    from footfall.trajectory import Status

    runs: dict[str, Run] = {}
    with or_nothing(folder):
        for name in dict.fromkeys(engines):
            runs[name] = simulate(scenario, name)
            tell(scenario, runs[name])  # before it is written: a full disk takes only the latter
            place = make_run_folder(scenario.name, name, folder.path / name)
            save_run(place, scenario.name, scenario, runs[name])
            if runs[name].trajectory.status is Status.INTERRUPTED:
                break
    return runs


def simulate_all(
    title: str,
    scenarios: "Mapping[str, Scenario]",
    engines: Sequence[str],
    out: Path | None,
    tell: "Callable[[Scenario, Run], None]",
) -> int:
    """Simulate scenarios by name in several engines, each in a folder of its own, and report all.

    The folder of all is `out`, or one called by the title. Ctrl-C ends it with the runs that there
    are; returns 1 if it did.
    """
    from footfall.cli.tables import print_runs
    from footfall.provenance import collect_provenance
    from footfall.report import Section, write_reports
    from footfall.run_folder import make_run_folder
    from footfall.trajectory import Status

    folder = make_run_folder(title, "script", out)
    sections = []
    for name, scenario in scenarios.items():
        own = make_run_folder(name, "script", folder.path / name)
        runs = simulate_each(scenario, engines, own, tell)
        print_runs(name, runs)
        sections.append(Section(name, scenario, runs, collect_provenance(scenario.seed)))
        if any(run.trajectory.status is Status.INTERRUPTED for run in runs.values()):
            break
    write_reports(sections, folder.report)
    typer.echo(f"report: {folder.report}")
    return 0 if len(sections) == len(scenarios) else 1


def _print_run(scenario: "Scenario", result: "Run") -> None:
    from footfall.cli.tables import print_runs

    print_runs(scenario.name, {result.engine: result})


def close(folder: "RunFolder", scenario: "Scenario", runs: "dict[str, Run]") -> int:
    """Write the report, say where it is and how each run ended; returns the exit status."""
    from footfall.provenance import collect_provenance
    from footfall.report import Section, write_reports
    from footfall.trajectory import Status
    from footfall.trajectory.events import TOLD

    section = Section(scenario.name, scenario, runs, collect_provenance(scenario.seed))
    write_reports([section], folder.report)
    typer.echo(f"report: {folder.report}")
    for name, result in runs.items():
        for event in result.trajectory.events:
            if event.kind in TOLD:
                typer.echo(f"footfall: {name}: {event.what}.", err=True)
    failed = {
        name: result for name, result in runs.items() if result.trajectory.status is not Status.DONE
    }
    for name, result in failed.items():
        reason = " ".join(result.trajectory.message.split())
        status = result.trajectory.status.value
        typer.echo(f"footfall: {name} {status}: {reason}{_kept(result)}", err=True)
    return 1 if failed else 0


def _kept(result: "Run") -> str:
    """Say that the contact problem which ended a run is in its folder, if one did."""
    from footfall.saved import CONTACT_PROBLEM
    from footfall.solvers import ContactNotSolved

    unsolved = isinstance(result.error, ContactNotSolved)
    return f"; the problem is kept in {CONTACT_PROBLEM}" if unsolved else ""
