"""Commands that vary a scenario: sweep its values, converge in its time step, optimise it."""

from dataclasses import replace
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
    load,
    parts,
    workers_asked,
)
from footfall.errors import ScenarioError
from footfall.scenario.request_check import check_request

if TYPE_CHECKING:
    from footfall.analysis.distributions import LogUniform, Uniform
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
    context: typer.Context,
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
    asked = workers_asked(workers, scheduler)
    if resume is not None:
        return resume_analysis(context, scenario, resume, report=report, workers=asked)
    from footfall.run_folder import require_unused

    require_unused(out)
    check_request(scenario, parts(engines), settings)
    given = {
        "over": over,
        "variants": variant,
        "draw": draw,
        "samples": samples,
        "seeds": seeds,
        "engines": parts(engines),
    }
    options = {"sampling": sampling, "measures": parts(measures), "success": success or []}
    more = {"series": series or [], "borders": border or [], "optima": best or []}
    loaded = _swept(scenario, settings, seed, given, options | more)
    return analyse(loaded, None, out, report=report, workers=asked)


def audit(
    context: typer.Context,
    scenario: ScenarioName,
    over: Over = None,
    engines: Annotated[str, typer.Option(help="engines, two or more")] = "moreau,drake-sap",
    success: Annotated[
        list[str] | None, typer.Option(help="conditions instead of 'fallen < 1'")
    ] = None,
    settings: Settings = None,
    out: Out = None,
    seed: Seed = None,
    report: Report = True,
    workers: WorkerCount = None,
    scheduler: Scheduler = None,
    _trust: Trust = False,
) -> int:
    """Run a controller in several engines; say what it survives, and where it slips or creeps.

    A sweep of metrics of feet, as in --over friction=0.4,0.8 --over restitution=0,0.3.
    """
    return sweep(
        context,
        scenario,
        over,
        engines=engines,
        measures="fallen,slip_of_step,creep_by_foot",
        success=success or ["fallen < 1"],
        settings=settings,
        out=out,
        seed=seed,
        report=report,
        workers=workers,
        scheduler=scheduler,
    )


def _loaded(name: str, settings: list[str] | None, seed: int | None, kind: type) -> "Scenario":
    """Load a scenario for an analysis; raises ScenarioError for one of another kind of its own."""
    loaded = load(name, settings, seed)
    if loaded.analysis is not None and not isinstance(loaded.analysis, kind):
        raise ScenarioError(f"{name} is an analysis: add --set analysis=null.")
    return loaded


def _swept(
    name: str,
    settings: list[str] | None,
    seed: int | None,
    axes: dict[str, Any],
    options: dict[str, Any],
) -> "Scenario":
    """Load a scenario and give it the sweep of the command line, unless it has one itself."""
    from footfall.analysis.axes import read_axis, read_variants
    from footfall.analysis.searches import read_border, read_optimum
    from footfall.analysis.sweep import Sweep

    over = dict(read_axis(text) for text in axes["over"] or [])
    if len(over) < len(axes["over"] or []):
        raise ScenarioError("--over names a path twice: give each once.")
    variants = read_variants(axes["variants"] or [])
    borders = [read_border(text) for text in options["borders"]]
    optima = [read_optimum(text) for text in options["optima"]]
    loaded = _loaded(name, settings, seed, Sweep)
    if not any(axes.values()):
        if not isinstance(loaded.analysis, Sweep):
            raise ScenarioError(
                f"sweep: say what varies in {name}, as in --over friction=0.1:1.0:10, or --seeds "
                "20, or let it have analysis: !Sweep."
            )
        return loaded
    own = loaded.analysis if isinstance(loaded.analysis, Sweep) else Sweep()
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
    distributions = {}
    for text in texts:
        try:
            _, keys, group = read_setting(text)
        except ScenarioError as error:
            raise ScenarioError(str(error).replace("--set", "--draw", 1)) from error
        tag = str(group.pop("_tag", "")).lstrip("!") if isinstance(group, dict) else ""
        try:
            distributions[".".join(keys)] = kinds[tag](**group)
        except (KeyError, TypeError) as error:
            raise ScenarioError(
                f"--draw {text}: give one of {', '.join(f'!{kind}' for kind in kinds)}, as in "
                "friction='!Uniform {min: 0.2, max: 1.0}'."
            ) from error
    return distributions


def converge(
    context: typer.Context,
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
        return resume_analysis(context, scenario, resume, report=report, workers=asked)
    from footfall.run_folder import require_unused

    require_unused(out)
    given = parts(engines)
    check_request(scenario, [*given, *parts(reference)], settings)
    from footfall.analysis.convergence import Convergence

    loaded = _loaded(scenario, settings, seed, Convergence)
    wanted = Convergence(steps, ratio, given, parts(measures), reference)
    loaded = replace(loaded, analysis=wanted)
    return analyse(loaded, None, out, report=report, workers=asked)


def optimise(
    context: typer.Context,
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
        return resume_analysis(context, scenario, resume, report=report, workers=asked)
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

    loaded = _loaded(scenario, settings, seed, Optimisation)
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
