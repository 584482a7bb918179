"""One simulation for a program: run, keep if asked, and hand over."""

from collections.abc import Sequence
from pathlib import Path

from footfall.api.result import RunResult
from footfall.engine_names import require_engine
from footfall.run import run_scenario
from footfall.run_folder import require_unused
from footfall.scenario.schema import Scenario


def run(
    scenario: Scenario,
    engine: str | None = None,
    out: str | Path | None = None,
    *,
    view: bool = False,
    plots: Sequence[str] = (),
) -> RunResult:
    """Simulate a scenario in its own engine or the one named; out: a new folder to keep it in.

    view: on a page, where it is led; plots: values that are plotted there. Raises FootfallError,
    one line, for a request that is wrong.
    """
    if engine is not None:
        require_engine(engine)
    require_unused(out)
    name = scenario.name or "scenario"
    if view:
        from footfall.api.watching import lead

        led = lead(scenario, engine, plots)
        result = RunResult(led.by_hand.added_to(scenario), led)
    else:
        result = RunResult(scenario, run_scenario(scenario, name, engine))
    if out is not None:
        result.save(out)
    return result
