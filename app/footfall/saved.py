"""A run or an analysis on disk: everything that its folder keeps of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

from footfall.analysis.context import AnalysisResult, engine_of
from footfall.engine_names import ENGINE_NAMES
from footfall.metrics import Metric, scalar
from footfall.provenance import Provenance, collect_provenance
from footfall.registry.claims import Claim
from footfall.run import Run
from footfall.run_folder import CONTACT_PROBLEM, RUNNING, RunFolder
from footfall.scenario.io import dump_scenario, with_settings
from footfall.scenario.own_code import as_kept, code_of, kept_files
from footfall.scenario.schema import Scenario
from footfall.solvers import ContactNotSolved
from footfall.trajectory import Status, Trajectory
from footfall.trajectory.netcdf import RowsFile

__all__ = ["CONTACT_PROBLEM", "RunOnDisk", "save_result", "save_run"]

_OF_THE_DAY = ("written", "wall_time", "simulated_time", "realtime_factor")
"""What is not the same in the provenance of a computation that is repeated."""


@dataclass(frozen=True, eq=False)
class RunOnDisk:
    """Folder of a run of a scenario, from its start to its end."""

    folder: RunFolder
    name: str
    scenario: Scenario

    def begin(self, engine: str, moved: Mapping[str, float], start: Trajectory) -> RowsFile:
        """Write all that is known at the start, as `footfall.run.Keep`."""
        kept = self._kept(engine, moved)
        self._note(start, kept, self._provenance)
        # the largest first: if it fails, nothing is there
        file = start.begin(self.folder.trajectory)
        self._write(kept, self._provenance)
        self.folder.write_metrics(self._results(engine, RUNNING))
        return file

    def end(self, run: Run) -> None:
        """Write what a run computed, whether it went through or not.

        An unsolved contact problem is kept as well, and tracebacks of faults.
        """
        kept = run.by_hand.added_to(self._kept(run.engine, run.moved))
        provenance = self._provenance.timed(run.wall_time, scalar(run.metrics, "duration"))
        self._note(run.trajectory, kept, provenance)
        self._write(kept, provenance)
        if run.faults:
            self.folder.write_traceback("\n".join(fault.trace for fault in run.faults))
        self.folder.write_trajectory(run.trajectory)
        status, message = run.trajectory.status.value, run.trajectory.message
        self.folder.write_metrics(
            self._results(run.engine, status, message, run.metrics, run.claims)
        )
        if run.drake_log:
            self.folder.write_drake_log(run.drake_log)
        if isinstance(run.error, ContactNotSolved):
            run.error.problem.save(self.folder.path / CONTACT_PROBLEM)

    @cached_property
    def _provenance(self) -> Provenance:
        return collect_provenance(self.scenario.seed, code_of(self.scenario))

    def _kept(self, engine: str, moved: Mapping[str, float]) -> Scenario:
        """Return the scenario that repeats the run; moved: of the start that was simulated."""
        initial = self.scenario.initial
        initial = replace(initial, positions={**initial.positions, **moved}) if moved else initial
        named = engine if engine in ENGINE_NAMES else self.scenario.engine  # not that of a log
        return replace(self.scenario, name=self.name, engine=named, initial=initial)

    def _note(self, trajectory: Trajectory, kept: Scenario, provenance: Provenance) -> None:
        """Put scenario and provenance into the attributes of a trajectory."""
        trajectory.data.attrs.update(
            scenario=dump_scenario(as_kept(kept)), provenance=json.dumps(provenance.to_dict())
        )

    def _write(self, kept: Scenario, provenance: Provenance) -> None:
        self.folder.write_scenario(_with_code(self.folder, kept))
        self.folder.write_provenance(provenance.to_dict())

    def _results(
        self,
        engine: str,
        status: str,
        message: str = "",
        metrics: Mapping[str, Metric] | None = None,
        claims: Sequence[Claim] = (),
    ) -> dict[str, object]:
        """Return what metrics.json holds."""
        return {
            "scenario": self.name,
            "engine": engine,
            "status": status,
            "message": message,
            "metrics": metrics or {},
            "claims": [asdict(claim) for claim in claims],
        }


def save_run(folder: RunFolder, name: str, scenario: Scenario, run: Run) -> None:
    """Write what a run computed, which nobody wrote while it went on."""
    RunOnDisk(folder, name, scenario).end(run)


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
