"""One simulation for a program: run, keep if asked, and hand over."""

from collections.abc import Sequence
from pathlib import Path

from footfall.api.result import RunResult
from footfall.engine_names import require_engine
from footfall.run import Keep, Run, run_scenario
from footfall.run_folder import discard_if_refused, make_run_folder
from footfall.saved import RunOnDisk
from footfall.scenario.schema import Scenario


def run(
    scenario: Scenario,
    engine: str | None = None,
    out: str | Path | None = None,
    *,
    view: bool = False,
    plots: Sequence[str] = (),
) -> RunResult:
    """Simulate a scenario in its own engine or the one named; out: a new folder it is kept in.

    view: on a page, where it is led; plots: values that are plotted there. Raises FootfallError,
    one line, for a request that is wrong.
    """
    if engine is not None:
        require_engine(engine)
    name = scenario.name or "scenario"
    if out is None:
        led = _simulated(scenario, name, engine, None, view=view, plots=plots)
        return RunResult(led.by_hand.added_to(scenario), led)
    folder = make_run_folder(name, engine or scenario.engine, out)
    kept = RunOnDisk(folder, name, scenario)
    with discard_if_refused(folder):
        led = _simulated(scenario, name, engine, kept.begin, view=view, plots=plots)
    kept.end(led)
    return RunResult(led.by_hand.added_to(scenario), led, folder.path)


def _simulated(
    scenario: Scenario,
    name: str,
    engine: str | None,
    keep: Keep | None,
    *,
    view: bool,
    plots: Sequence[str],
) -> Run:
    if not view:
        return run_scenario(scenario, name, engine, keep=keep)
    from footfall.api.watching import lead

    return lead(scenario, engine, plots, keep)
