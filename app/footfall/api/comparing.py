"""One scenario in several engines, and how far they are apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footfall.api.html import Animation, table_of
from footfall.api.loading import LoadedScenario, load
from footfall.api.result import RunResult
from footfall.api.running import run
from footfall.comparison import Comparison as Differences
from footfall.comparison import compare_all
from footfall.engine_names import require_engine
from footfall.errors import ScenarioError
from footfall.metrics import Metric, short, text_of
from footfall.report import section_of, write_reports
from footfall.run_folder import make_run_folder
from footfall.scenario.schema import Scenario
from footfall.trajectory import Status

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


ENGINES = ("moreau", "drake-sap")
"""Engines that are compared unless others are named: rigid contact, and Drake's convex one."""


def compare(
    scenario: LoadedScenario | str | Path,
    engines: Sequence[str] = ENGINES,
    **values: Any,  # noqa: ANN401 (of any field)
) -> "Comparison":
    """Simulate a scenario in several engines, the first of which is the reference.

    scenario: a loaded one, or what ``load`` takes. values: changes by path. All names are checked
    before anything is simulated; an interrupted run is the last. Raises FootfallError, one line,
    for a request that is wrong.
    """
    names = list(dict.fromkeys(engines))
    if isinstance(engines, str) or len(names) < 2:
        message = 'compare: name at least two different engines, as in ["moreau", "drake"].'
        raise ScenarioError(message)
    for name in names:
        require_engine(name)
    loaded = scenario if isinstance(scenario, LoadedScenario) else load(scenario)
    loaded = loaded.set(**values)
    runs: dict[str, RunResult] = {}
    for name in names:
        runs[name] = run(loaded.scenario, name)
        if runs[name].trajectory.status is Status.INTERRUPTED:
            break
    return Comparison(loaded.scenario, runs)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Runs of one scenario by engine; the first is the reference of the others."""

    scenario: Scenario
    runs: Mapping[str, RunResult]

    def __getitem__(self, engine: str) -> RunResult:
        """Return the run of an engine."""
        return self.runs[engine]

    @property
    def metrics(self) -> dict[str, dict[str, Metric]]:
        """Metrics of every run by engine."""
        return {name: result.metrics for name, result in self.runs.items()}

    @property
    def differences(self) -> list[Differences]:
        """Differences over time of every other run from the first.

        Each has ``rows`` (quantity, unit, largest, rms, final), ``data`` and the first time at
        which contact modes differ.
        """
        return list(compare_all({name: r.trajectory for name, r in self.runs.items()}))

    def plot(self, *names: str, ax: "Axes | None" = None) -> "Figure":
        """Plot time series of all runs over each other; arguments as of `RunResult.plot`."""
        from footfall.api.plotting import plot_runs

        return plot_runs({name: r.trajectory for name, r in self.runs.items()}, names, ax)

    def animate(self, *, camera: str | None = None) -> Animation:
        """Return one animation of all runs, the first in its own colours; see `RunResult`."""
        from footfall.api.animation import animate

        trajectories = {name: r.trajectory for name, r in self.runs.items()}
        return animate(self.scenario, trajectories, camera)

    def watch(self, *plots: str) -> None:
        """Play all runs on a page until it is closed there, or by Ctrl-C; see `RunResult`."""
        from footfall.api.watching import watch

        watch(self.scenario, {name: r.trajectory for name, r in self.runs.items()}, plots)

    def save(self, folder: str | Path | None = None) -> Path:
        """Write a folder with one of every run in it, and return its path."""
        made = make_run_folder(self.scenario.name or "scenario", "compare", folder)
        for name, result in self.runs.items():
            result.save(made.path / name)
        return made.path

    def report(self, path: str | Path | None = None) -> Path:
        """Write the page that compares the runs and return its path.

        path: of the page; left out: ``report.html`` in a folder of all runs, which are saved.
        """
        if path is None:
            path = self.save() / "report.html"
        runs = {name: result.run for name, result in self.runs.items()}
        write_reports([section_of(self.scenario, runs)], path)
        return Path(path)

    def __repr__(self) -> str:
        ended = ", ".join(f"{name} {result.status}" for name, result in self.runs.items())
        return f"<comparison of {self.scenario.name or 'scenario'}: {ended}>"

    def _repr_html_(self) -> str:
        found = dict.fromkeys(name for result in self.runs.values() for name in result.metrics)
        rows: list[Sequence[str]] = [("", *self.runs)]
        rows.append(("status", *(result.status for result in self.runs.values())))
        for name in found:
            values = (result.metrics.get(name) for result in self.runs.values())
            texts = ("-" if v is None else text_of(v, short) for v in values)
            rows.append((name, *texts))
        return table_of(self.scenario.name, self.scenario.description, rows)
