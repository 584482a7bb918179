"""The command that varies values of a scenario: sweep."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
    from footfall.scenario.schema import Scenario

Over = Annotated[
    list[str] | None,
    typer.Option("--over", metavar="PATH=VALUES", help="0.1:1.0:10, 0.01:1:5:log or a,b,c"),
]
Variant = Annotated[
    list[str] | None,
    typer.Option("--variant", metavar="NAME:KEY=VALUE", help="a named change; NAME: for none"),
]
Draw = Annotated[
    list[str] | None,
    typer.Option("--draw", metavar="PATH=TAG", help="as in friction='!Uniform {min: 0, max: 1}'"),
]


def sweep(
    scenario: ScenarioName,
    over: Over = None,
    variant: Variant = None,
    draw: Draw = None,
    samples: Annotated[int, typer.Option(help="how many samples of what is drawn")] = 0,
    sampling: Annotated[str, typer.Option(help="latin-hypercube or random")] = "latin-hypercube",
    seeds: Annotated[int, typer.Option(help="seeds 0, 1, ... of each run")] = 0,
    engines: Annotated[str, typer.Option(help="engines, as in moreau,drake-sap")] = "",
    measures: Annotated[str, typer.Option(help="metrics to keep, all if none is named")] = "",
    success: Annotated[
        list[str] | None, typer.Option(help="a condition of success, as in 'x_final > 0.5'")
    ] = None,
    series: Annotated[
        list[str] | None, typer.Option(help="a time series to keep of each run, as in com.z")
    ] = None,
    border: Annotated[
        list[str] | None,
        typer.Option(
            help="axis along which the border of success is bisected; AXIS@0.3: both around a value"
        ),
    ] = None,
    best: Annotated[
        list[str] | None, typer.Option(help="optimum to find, as in max:x_final:friction")
    ] = None,
    settings: Settings = None,
    out: Out = None,
    seed: Seed = None,
    report: Report = True,
    resume: Annotated[Path | None, typer.Option(help="go on with the sweep in this folder")] = None,
    workers: WorkerCount = None,
    scheduler: Scheduler = None,
    _trust: Trust = False,
) -> int:
    """Simulate a scenario over values of it; keep one dataset of all metrics, and a page.

    Without axes: the sweep that the scenario asks for itself (analysis: !Sweep).
    """
    given = {
        "over": over,
        "variants": variant,
        "draw": draw,
        "samples": samples,
        "seeds": seeds,
        "engines": _parts(engines),
    }
    asked = workers_asked(workers, scheduler)
    if resume is not None:
        others = [name for name, value in given.items() if value]
        others += ["set"] * bool(settings) + ["out"] * (out is not None)
        if others:
            named = ", ".join(f"--{name}" for name in others)
            raise ScenarioError(f"--resume goes on with what is in the folder: leave {named} out.")
        return resume_analysis(scenario, resume, report=report, workers=asked)
    from footfall.run_folder import require_unused

    require_unused(out)
    check_request(scenario, _parts(engines), settings)
    options = {"sampling": sampling, "measures": _parts(measures), "success": success or []}
    more = {"series": series or [], "borders": border or [], "optima": best or []}
    loaded = _swept(scenario, settings, seed, given, options | more)
    return analyse(loaded, None, out, report=report, workers=asked)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _swept(
    name: str,
    settings: list[str] | None,
    seed: int | None,
    axes: dict[str, Any],
    options: dict[str, Any],
) -> "Scenario":
    """Load a scenario and give it the sweep of the command line, unless it has one itself."""
    from dataclasses import replace

    from footfall.analysis.axes import read_axis, read_variants
    from footfall.analysis.searches import read_border, read_optimum
    from footfall.analysis.sweep import Sweep
    from footfall.scenario.io import load_scenario

    overrides = [*(settings or []), *([f"seed={seed}"] if seed is not None else [])]
    over = dict(read_axis(text) for text in axes["over"] or [])
    if len(over) < len(axes["over"] or []):
        raise ScenarioError("--over names a path twice: give each once.")
    variants = read_variants(axes["variants"] or [])
    borders = [read_border(text) for text in options["borders"]]
    optima = [read_optimum(text) for text in options["optima"]]
    loaded = load_scenario(name, overrides)
    if not any(axes.values()):
        if not isinstance(loaded.analysis, Sweep):
            raise ScenarioError(
                f"sweep: say what varies in {name}, as in --over friction=0.1:1.0:10, or --seeds "
                "20, or let it have analysis: !Sweep."
            )
        return loaded
    if loaded.analysis is not None and not isinstance(loaded.analysis, Sweep):
        raise ScenarioError(f"{name} is an analysis of its own: add --set analysis=null.")
    own = loaded.analysis or Sweep()
    sweep = Sweep(
        function=own.function,
        parameters=own.parameters,
        **(axes | {"over": over, "variants": variants, "draw": _drawn(axes["draw"] or [])}),
        **(options | {"borders": borders, "optima": optima}),
    )
    return replace(loaded, analysis=sweep)


def _drawn(texts: list[str]) -> dict[str, Any]:
    """Read distributions: ``friction=!Uniform {min: 0.2, max: 1}``."""
    from footfall.analysis.distributions import Gaussian, LogUniform, Uniform, UniformDiscrete
    from footfall.overrides import read_setting

    kinds = {kind.__name__: kind for kind in (Gaussian, LogUniform, Uniform, UniformDiscrete)}
    found = {}
    for text in texts:
        try:
            _, keys, group = read_setting(text)
        except ScenarioError as error:
            raise ScenarioError(str(error).replace("--set", "--draw", 1)) from error
        tag = str(group.pop("_tag", "")).lstrip("!") if isinstance(group, dict) else ""
        try:
            found[".".join(keys)] = kinds[tag](**group)
        except (KeyError, TypeError) as error:
            raise ScenarioError(
                f"--draw {text}: give one of {', '.join(f'!{kind}' for kind in kinds)}, as in "
                "friction='!Uniform {min: 0.2, max: 1.0}'."
            ) from error
    return found
