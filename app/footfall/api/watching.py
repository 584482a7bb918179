"""The page of ``footfall run --view`` and ``footfall replay`` for programs and notebooks."""

import sys
from collections.abc import Mapping, Sequence

from footfall.interrupt import hearing_ctrl_c
from footfall.run import Keep, Run, run_scenario
from footfall.scenario.schema import Scenario
from footfall.show import view_of
from footfall.show.live import LiveView, Watching
from footfall.trajectory import Trajectory


def lead(
    scenario: Scenario, engine: str | None, plots: Sequence[str] = (), keep: Keep | None = None
) -> Run:
    """Simulate on a page, from the moment when a browser shows it; the page ends with the run.

    The run of an engine that shows nothing while it computes is played until the page is closed.
    keep: as of ``run_scenario``.
    """
    live = _page(scenario, plots)
    try:
        with hearing_ctrl_c() as interrupted:
            live.wait_for_browser(interrupted)
        title = scenario.name or "scenario"
        run = live.simulate(
            lambda conductor: run_scenario(scenario, title, engine, conductor=conductor, keep=keep)
        )
        if not live.run.begun:
            with hearing_ctrl_c() as interrupted:
                live.play({run.engine: run.trajectory}, interrupted)
        return run
    finally:
        live.page.close()


def watch(
    scenario: Scenario, trajectories: Mapping[str, Trajectory], plots: Sequence[str] = ()
) -> None:
    """Play runs on a page until it is closed there, or by Ctrl-C."""
    live = _page(scenario, plots)
    try:
        with hearing_ctrl_c() as interrupted:
            live.show(trajectories).play(interrupted)
    finally:
        live.page.close()


def _page(scenario: Scenario, plots: Sequence[str]) -> LiveView:
    wishes = Watching(wait=True, plots=tuple(plots))
    return LiveView(scenario, view_of(scenario), wishes, lambda line: _tell(f"{line}\n"))


def _tell(line: str) -> None:
    sys.stderr.write(line)
    sys.stderr.flush()
