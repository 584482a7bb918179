"""The page of an analysis, made from its folder: one HTML file that needs nothing else."""

from collections.abc import Callable, Mapping
from pkgutil import resolve_name

import xarray as xr

from footfall.analysis.context import Analysis, load_arrays, meanings_of
from footfall.analysis.convergence import Convergence
from footfall.analysis.optimisation import Optimisation
from footfall.analysis.sweep import Sweep
from footfall.metrics import Metric
from footfall.registry.machines import analysis_pages, get_machine
from footfall.report.section import read_results
from footfall.report.tables import (
    MINUS,
    Contents,
    Table,
    claim_rows,
    metric_rows,
    provenance_rows,
    source_tables,
)
from footfall.report.template import render
from footfall.run_folder import SCENARIO, RunFolder
from footfall.scenario.io import dump_scenario, parse_scenario
from footfall.scenario.schema import Scenario

_OF_ANY = {  # whatever the machine
    Sweep: "footfall.report.sweep.contents:sweep_contents",
    Convergence: "footfall.report.sweep.convergence:convergence_contents",
    Optimisation: "footfall.report.sweep.optimisation:optimisation_contents",
}
_DIGITS = 6  # of metrics, that searches are good for
_OF_SIMULATIONS = ("simulated_time", "realtime_factor")  # in a provenance


def contents_of(analysis: type) -> Callable[[xr.Dataset, Mapping[str, Metric]], Contents]:
    """The function that makes the contents of a page from data and metrics of an analysis."""
    page = (_OF_ANY | analysis_pages()).get(analysis)
    if not page:
        return lambda _data, _metrics: Contents()
    contents: Callable[[xr.Dataset, Mapping[str, Metric]], Contents] = resolve_name(page)
    return contents


def answers_of(analysis: Analysis | None, data: xr.Dataset) -> list[Table]:
    """The tables of what an analysis found that a terminal shows; none where metrics are enough."""
    page = _OF_ANY.get(type(analysis))
    answers: list[Table] = resolve_name(page.partition(":")[0]).answers(data) if page else []
    return answers


def write_analysis_page(folder: RunFolder) -> None:
    """Write the page of an analysis into its folder.

    Raises RunError for a folder that lacks something or holds something damaged, ScenarioError for
    a damaged scenario.
    """
    saved = folder.read_metrics()
    scenario = parse_scenario(folder.read_scenario(), str(folder.path / SCENARIO), folder.path)
    metrics, claims = read_results(folder, saved)
    data = load_arrays(folder.result)
    provenance = folder.read_provenance()
    for name in _OF_SIMULATIONS:
        provenance.pop(name, None)
    analysis = scenario.analysis
    known = analysis.metrics() if analysis is not None else {}
    machine = get_machine(scenario.machine)
    engine = str(saved["engine"])
    page = render(
        "analysis.html.j2",
        title=f"footfall: {saved['scenario']}",
        name=saved["scenario"],
        description=scenario.description,
        facts=_facts(scenario, engine),
        claims=claim_rows({engine: claims}),
        contents=contents_of(type(analysis))(data, metrics),
        metrics=metric_rows({engine: metrics}, known | meanings_of(data), _DIGITS),
        engine=engine,
        citation=machine.citation if machine is not None else "",
        misprints=source_tables(machine),
        provenance=provenance_rows(provenance),
        scenario=dump_scenario(scenario),
    )
    folder.write_report(page)


def _facts(scenario: Scenario, engine: str) -> list[tuple[str, str]]:
    """Return kind, engine and slope of an analysis, as label and text."""
    return [
        ("analysis", type(scenario.analysis).__name__),
        ("engine", engine),
        ("slope of the scenario", f"{scenario.terrain.slope_deg:g}°".replace("-", MINUS)),
    ]
