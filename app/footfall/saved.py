"""A run or an analysis on disk: everything that its folder keeps of it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from footfall.analysis.context import AnalysisResult, engine_of
from footfall.metrics import scalar
from footfall.provenance import collect_provenance
from footfall.run import Run
from footfall.run_folder import CONTACT_PROBLEM, RunFolder
from footfall.scenario.io import dump_scenario, with_settings
from footfall.scenario.own_code import as_kept, code_of, kept_files
from footfall.scenario.schema import Scenario
from footfall.solvers import ContactNotSolved
from footfall.trajectory import Status

__all__ = ["CONTACT_PROBLEM", "save_result", "save_run"]

_OF_THE_DAY = ("written", "wall_time", "simulated_time", "realtime_factor")
"""What is not the same in the provenance of a computation that is repeated."""


def save_run(folder: RunFolder, name: str, scenario: Scenario, run: Run) -> None:
    """Write what a run computed, whether it went through or not.

    An unsolved contact problem is kept as well.
    """
    initial = scenario.initial
    if run.moved:  # the start that was simulated
        initial = replace(initial, positions={**initial.positions, **run.moved})
    kept = replace(scenario, name=name, engine=run.engine, initial=initial)
    kept = run.by_hand.added_to(kept)
    resolved = _with_code(folder, kept)
    simulated = scalar(run.metrics, "duration")
    collected = collect_provenance(scenario.seed, code_of(scenario))
    provenance = collected.timed(run.wall_time, simulated).to_dict()
    run.trajectory.data.attrs.update(scenario=resolved, provenance=json.dumps(provenance))
    folder.write_scenario(resolved)
    folder.write_provenance(provenance)
    folder.write_trajectory(run.trajectory)
    folder.write_metrics(
        {
            "scenario": name,
            "engine": run.engine,
            "status": run.trajectory.status,
            "message": run.trajectory.message,
            "metrics": run.metrics,
            "claims": [asdict(claim) for claim in run.claims],
        }
    )
    if run.drake_log:
        folder.write_drake_log(run.drake_log)
    if isinstance(run.error, ContactNotSolved):
        run.error.problem.save(folder.path / CONTACT_PROBLEM)


def save_result(
    folder: RunFolder, name: str, scenario: Scenario, result: AnalysisResult, wall_time: float
) -> list[Path]:
    """Write what an analysis found; returns the files of the scenarios that it found."""
    engine = engine_of(scenario.analysis, scenario.engine)
    resolved = _with_code(folder, replace(scenario, name=name, engine=engine))
    collected = collect_provenance(scenario.seed, code_of(scenario))
    lasting = {name: one for name, one in collected.to_dict().items() if name not in _OF_THE_DAY}
    result.data.attrs.update(scenario=resolved, provenance=json.dumps(lasting))
    provenance = collected.timed(wall_time, 0.0).to_dict()
    folder.write_provenance(provenance)
    result.save(folder.result)
    found = [
        folder.write_found(title, dump_scenario(_found(scenario, name, title, settings)))
        for title, settings in result.scenarios.items()
    ]
    folder.write_metrics(
        {
            "scenario": name,
            "engine": engine,
            "status": Status.DONE,
            "message": "",
            "metrics": result.metrics,
            "claims": [asdict(claim) for claim in result.claims],
        }
    )
    # last: until then it names the code where the user has it, for the analysis to be resumed
    folder.write_scenario(resolved)
    return found


def _with_code(folder: RunFolder, scenario: Scenario) -> str:
    """Keep the code of a scenario; returns the scenario's text, which names what is kept."""
    for place, text in kept_files(scenario).items():
        folder.write_code(place, text)
    return dump_scenario(as_kept(scenario))


def _found(scenario: Scenario, name: str, title: str, settings: Sequence[str]) -> Scenario:
    """The simulation that an analysis found."""
    alone = replace(scenario, name=f"{name}_{title}", analysis=None)
    return with_settings(alone, settings, f"what {name} found")
