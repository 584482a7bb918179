"""Analyses, which a scenario may ask for instead of one simulation: computations over many."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import xarray as xr

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.factory import SimulationFactory
from footfall.analysis.functions import Summary
from footfall.analysis.runs import Runner
from footfall.errors import RunError
from footfall.files import replacing
from footfall.metrics import Metric
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.workers import Workers


class Interrupted(Exception):
    """Ctrl-C was heard between two tasks."""


@dataclass(frozen=True)
class AnalysisContext:
    """Context of an analysis: finished tasks, whom to report to, when to stop.

    tell(what, share): the task under way and the share of the whole that is done, 0 to 1. factory:
    builds simulations of the scenario, for analyses that simulate. runner: simulates it with values
    changed, for sweeps. engine: the scenario's own. workers: processes that share the work, instead
    of as many as the analysis names. summary: what the machine says of a whole sweep.
    """

    checkpoint: Checkpoint = field(default_factory=Checkpoint)
    tell: Callable[[str, float], None] = lambda _what, _share: None
    stopped: Callable[[], bool] = lambda: False
    factory: SimulationFactory | None = None
    runner: Runner | None = None
    engine: str = HYBRID
    workers: Workers | None = None
    summary: Summary | None = None

    def go_on(self, what: str, share: float) -> None:
        """Say how far the work is; raises Interrupted when it is to stop."""
        if self.stopped():
            raise Interrupted
        self.tell(what, share)


@dataclass(frozen=True)
class AnalysisResult:
    """Result of an analysis.

    data: labelled arrays with ``units``, in SI. metrics, claims: as those of a run. scenarios: what
    was found to be run, by name: settings as ``--set`` takes them, of which the analysis' own
    scenario becomes a simulation.
    """

    data: xr.Dataset
    metrics: dict[str, Metric]
    claims: Sequence[Claim] = ()
    scenarios: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Write the arrays as NetCDF4, whole or not at all; raises RunError as ``replacing``."""
        with replacing(path) as temporary:
            self.data.to_netcdf(temporary, "w", "NETCDF4", engine="netcdf4")


def load_arrays(path: Path) -> xr.Dataset:
    """Read the arrays of saved findings; raises RunError for a file that is none."""
    try:
        return xr.load_dataset(path, engine="netcdf4", decode_times=False)
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        raise RunError(f"{path} is missing or damaged; run the scenario again") from error


def meanings_of(data: xr.Dataset) -> dict[str, tuple[str, str]]:
    """Return unit and meaning of the single numbers among the findings of an analysis."""
    return {
        str(name): (str(one.attrs.get("units", "")), str(one.attrs.get("long_name", "")))
        for name, one in data.data_vars.items()
        if one.ndim == 0
    }


class Analysis(Protocol):
    """A computation that a scenario describes; a dataclass of its options.

    Scenarios without a registered machine are refused, and so are controllers, references and
    observables of the user's and grounds that are no plane, unless the class has
    ``takes_any_scenario = True``: then it simulates the scenario as it is. It may have ``series``,
    names of time series, and a method ``wanted()``, names of metrics, that its runs have to tell.
    """

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Compute everything, task by task through ``analysis.checkpoint``.

        Raises Interrupted between two tasks, ScenarioError or RunError for what cannot be had.
        """

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric that it finds."""


def takes_any_scenario(analysis: Analysis | None) -> bool:
    """Return whether an analysis simulates a scenario as it is, whatever is in it."""
    return bool(getattr(analysis, "takes_any_scenario", False))


def engine_of(analysis: Analysis | None, own: str) -> str:
    """The engine of an analysis: the one that it names as its ``engine``, else HYBRID.

    own: the scenario's, which is that of an analysis that takes any scenario.
    """
    return own if takes_any_scenario(analysis) else str(getattr(analysis, "engine", HYBRID))
