"""The command that tells at what order a scenario converges with its time step: converge."""

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
    from footfall.run_folder import RunFolder


def converge(
    scenario: ScenarioName,
    engines: Annotated[str, typer.Option(help="engines, as in moreau,drake-sap")] = "",
    measures: Annotated[
        str, typer.Option(help="metrics to look at, all that change if none is named")
    ] = "",
    steps: Annotated[int, typer.Option(help="how many time steps, from the scenario's on")] = 6,
    ratio: Annotated[float, typer.Option(help="how many times shorter each step is")] = 2.0,
    reference: Annotated[
        str, typer.Option(help="engine from which errors are; else each step from the next")
    ] = "",
    settings: Settings = None,
    out: Out = None,
    seed: Seed = None,
    report: Report = True,
    resume: Annotated[Path | None, typer.Option(help="go on in this folder")] = None,
    workers: WorkerCount = None,
    scheduler: Scheduler = None,
    _trust: Trust = False,
) -> int:
    """Simulate a scenario at shorter and shorter time steps; tell the orders of its metrics."""
    asked = workers_asked(workers, scheduler)
    if resume is not None:
        return resume_analysis(scenario, resume, report=report, workers=asked)
    from dataclasses import replace

    from footfall.run_folder import require_unused

    require_unused(out)
    given = _parts(engines)
    check_request(scenario, [*given, *_parts(reference)], settings)
    from footfall.analysis.convergence import Convergence
    from footfall.scenario.io import load_scenario

    overrides = [*(settings or []), *([f"seed={seed}"] if seed is not None else [])]
    loaded = load_scenario(scenario, overrides)
    if loaded.analysis is not None and not isinstance(loaded.analysis, Convergence):
        raise ScenarioError(f"{scenario} is an analysis: add --set analysis=null.")
    wanted = Convergence(steps, ratio, given, _parts(measures), reference)
    loaded = replace(loaded, analysis=wanted)
    return analyse(loaded, None, out, report=report, workers=asked, told=_print_orders)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _print_orders(folder: "RunFolder") -> None:
    """Print a table of orders."""
    from rich.table import Table

    from footfall.analysis.context import load_arrays
    from footfall.cli.tables import console
    from footfall.report.sweep.convergence import orders_of

    orders = orders_of(load_arrays(folder.result))
    table = Table(*orders.headings, title=orders.title)
    for row in orders.rows:
        table.add_row(*row)
    console().print(table)
