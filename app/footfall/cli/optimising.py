"""The command that searches for the best values of a scenario: optimise."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.analysing import analyse, resume_analysis
from footfall.cli.options import (
    Out,
    Report,
    ScenarioName,
    Scheduler,
    Seed,
    Settings,
    Trust,
    WorkerCount,
    workers_asked,
)
from footfall.errors import ScenarioError
from footfall.scenario.request_check import check_request

if TYPE_CHECKING:
    from footfall.analysis.distributions import LogUniform, Uniform


def optimise(
    scenario: ScenarioName,
    over: Annotated[
        list[str] | None,
        typer.Option("--over", metavar="PATH=MIN:MAX[:log]", help="a range to search, as in k=1:9"),
    ] = None,
    best: Annotated[str, typer.Option(help="what is wanted, as in max:x_final")] = "",
    runs: Annotated[int, typer.Option(help="how many candidates")] = 200,
    population: Annotated[int, typer.Option(help="candidates of a generation, 0: by itself")] = 0,
    seeds: Annotated[int, typer.Option(help="seeds over which a candidate's mean is taken")] = 0,
    success: Annotated[
        list[str] | None, typer.Option(help="a condition of success, as in 'x_final > 0.5'")
    ] = None,
    settings: Settings = None,
    out: Out = None,
    seed: Seed = None,
    report: Report = True,
    resume: Annotated[Path | None, typer.Option(help="go on in this folder")] = None,
    workers: WorkerCount = None,
    scheduler: Scheduler = None,
    _trust: Trust = False,
) -> int:
    """Search for values of a scenario by an evolution strategy; keep the best as a scenario."""
    asked = workers_asked(workers, scheduler)
    if resume is not None:
        return resume_analysis(scenario, resume, report=report, workers=asked)
    from dataclasses import replace

    from footfall.run_folder import require_unused

    require_unused(out)
    check_request(scenario, [], settings)
    ranges = dict(_range(text) for text in over or [])
    sense, colon, measure = best.partition(":")
    if not (ranges and colon):
        raise ScenarioError(
            "optimise: say what to search, as in --over friction=0.1:1.0 --over controller.kp="
            "1:100:log, and what is wanted, as in --best max:x_final."
        )
    from footfall.analysis.optimisation import Optimisation
    from footfall.scenario.io import load_scenario

    overrides = [*(settings or []), *([f"seed={seed}"] if seed is not None else [])]
    loaded = load_scenario(scenario, overrides)
    if loaded.analysis is not None and not isinstance(loaded.analysis, Optimisation):
        raise ScenarioError(f"{scenario} is an analysis: add --set analysis=null.")
    wanted = Optimisation(
        ranges, measure.strip(), sense.strip(), runs, population, seeds, success or []
    )
    return analyse(replace(loaded, analysis=wanted), None, out, report=report, workers=asked)


def _range(text: str) -> "tuple[str, Uniform | LogUniform]":
    """Read a range ``path=min:max`` or ``path=min:max:log``; raises ScenarioError for none."""
    from footfall.analysis.distributions import LogUniform, Uniform

    path, _, given = text.partition("=")
    parts = given.split(":")
    kind = LogUniform if len(parts) == 3 and parts[2] == "log" else Uniform
    try:
        if len(parts) == (3 if kind is LogUniform else 2) and path.strip():
            return path.strip(), kind(float(parts[0]), float(parts[1]))
    except ValueError:
        pass
    raise ScenarioError(f"--over {text}: write it as path=min:max, or path=min:max:log.")
