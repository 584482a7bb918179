"""The command that holds the engines against closed forms: verify."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.options import parts
from footfall.cli.progress import progress_line
from footfall.errors import ScenarioError

if TYPE_CHECKING:
    from footfall.scenario.schema import Scenario
    from footfall.trajectory import Trajectory
    from footfall.verify import Case
    from footfall.verify.runner import CaseResult


def verify(
    cases: Annotated[
        list[str] | None, typer.Argument(metavar="[CASE]...", help="problems; all unless named")
    ] = None,
    engines: Annotated[
        str | None,
        typer.Option(
            help="all, or some of moreau,drake-sap,drake-lagged,drake-similar,mujoco; moreau "
            "always runs, because the verdict is about it"
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="folder to write to; must be new or empty")
    ] = None,
) -> int:
    """Hold the engines against closed forms, problem by problem, and write a page about it.

    Ctrl-C keeps the problems that are done.
    """
    from footfall.run_folder import make_run_folder, require_unused

    require_unused(out)
    chosen, names = _cases(cases or []), _engines(engines)
    from footfall.cli.tables import print_verification
    from footfall.provenance import collect_provenance
    from footfall.report.verification import write_verification
    from footfall.verify.runner import run_cases, write_record

    folder = make_run_folder("verify", "", out).path
    results, interrupted = run_cases(chosen, names, _simulate, print_verification)
    provenance = collect_provenance()
    write_record(results, provenance, folder / "verification.json")
    write_verification(results, provenance, folder / "verification.html")
    typer.echo(f"report: {folder / 'verification.html'}")
    return _close(results, interrupted=interrupted, of=len(chosen))


def _close(results: "Sequence[CaseResult]", *, interrupted: bool, of: int) -> int:
    """Say what failed and what was left out; returns the exit status."""
    failed = [result.case.name for result in results if not result.passed]
    typer.echo(f"{len(results) - len(failed)} of {len(results)} problems passed")
    if failed:
        typer.echo(f"footfall: failed: {', '.join(failed)}.", err=True)
    if interrupted:
        left = of - len(results)
        typer.echo(f"footfall: interrupted; {left} of {of} problems did not run.", err=True)
    return 1 if failed or interrupted else 0


def _cases(names: Sequence[str]) -> "list[Case]":
    """The cases of these names in the order of the suite; all of them where none is named."""
    from footfall.verify.cases import CASES
    from footfall.wording import did_you_mean

    known = [case.name for case in CASES]
    for name in names:
        if name not in known:
            raise ScenarioError(f"there is no case '{name}'; {did_you_mean(name, known)}")
    return [case for case in CASES if not names or case.name in names]


def _engines(engines: str | None) -> list[str] | None:
    """The engines of a comma-separated list; None where nothing is said."""
    from footfall.engine_names import MUJOCO, require_engine
    from footfall.verify.case import KNOWN_ENGINES
    from footfall.wording import did_you_mean

    if engines is None:
        return None
    names = parts(engines)
    known = ("moreau", *KNOWN_ENGINES, MUJOCO)
    if names == ["all"]:
        names = list(known)
    for name in names:
        if name not in known:
            raise ScenarioError(f"--engines: '{name}' is not verified; {did_you_mean(name, known)}")
        require_engine(name)
    return names


def _simulate(scenario: "Scenario", engine: str, label: str) -> "Trajectory":
    """Simulate in one engine and say on stderr how far it is."""
    from footfall.run import run_scenario

    with progress_line(label) as show:
        return run_scenario(scenario, scenario.name, engine, report=show).trajectory
