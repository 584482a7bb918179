"""Section of a report: one scenario, its runs, and where they came from."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.metrics import Metric, from_json
from footfall.plants.coordinates import coordinate_names
from footfall.provenance import Provenance, collect_provenance
from footfall.registry.claims import Claim
from footfall.run_folder import PROVENANCE, RUNNING, SCENARIO, RunFolder
from footfall.scenario.assemble import Robot, build_robot
from footfall.scenario.io import parse_scenario
from footfall.scenario.own_code import code_of
from footfall.scenario.schema import Scenario
from footfall.trajectory import Trajectory
from footfall.trajectory.measures import common_measures


class RunLike(Protocol):
    """Run, as far as a report needs it; metrics in SI."""

    @property
    def trajectory(self) -> Trajectory:
        """Trajectory, up to its end or as far as it came."""

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """Its metrics by name."""

    @property
    def claims(self) -> Sequence[Claim]:
        """Published statements held against it."""


@dataclass(frozen=True)
class SavedRun:
    """A run read back from its folder."""

    trajectory: Trajectory
    metrics: Mapping[str, Metric]
    claims: Sequence[Claim]


@dataclass(frozen=True)
class Section:
    """One scenario with its runs; the others are compared with the first.

    name: ``robot/name`` or a path. runs: by the name that figures and tables call them, which is
    the engine's as a rule. provenance: as ``footfall.provenance`` collects it, or its dictionary.
    """

    name: str
    scenario: Scenario
    runs: Mapping[str, RunLike]
    provenance: Provenance | Mapping[str, Any] | None = field(default=None)

    @cached_property
    def robot(self) -> Robot:
        """The scenario's machine: model, contacts and reference; no code of a user's is run."""
        simulated: Robot | None = getattr(self.first, "robot", None)
        if simulated is not None:
            return simulated
        robot = build_robot(self.scenario, start=self._start() if self._is_coded() else None)
        data = self.first.trajectory.data
        for dim, names in zip(
            ("position", "velocity"), coordinate_names(robot.model.plant), strict=True
        ):
            missing = set(names).difference(data[dim].values)
            if missing:
                raise RunError(
                    f"the run of {self.name} has no {dim} '{min(missing)}', which its model has: "
                    "run the scenario again."
                )
        return robot

    def _is_coded(self) -> bool:
        """Return whether the start follows from a reference that is code of the user's."""
        return self.scenario.reference is not None

    def _start(self) -> Array:
        """Return the first state [q; v] that was recorded; zeros where there is none."""
        data = self.first.trajectory.data
        states = np.hstack([data["q"].to_numpy(), data["v"].to_numpy()])
        return states[0] if len(states) else np.zeros(states.shape[1])

    @property
    def first(self) -> RunLike:
        """The run that the others are compared with."""
        return next(iter(self.runs.values()))

    def moved(self) -> "Section":
        """The same section with the runs that have something to show: two rows of numbers."""
        runs = {name: run for name, run in self.runs.items() if len(finite_rows(run)) > 1}
        return self if len(runs) == len(self.runs) else replace(self, runs=runs)


def section_of(scenario: Scenario, runs: Mapping[str, RunLike], name: str = "") -> Section:
    """Return runs of a scenario that this program has made; name: else the scenario's."""
    provenance = collect_provenance(scenario.seed, code_of(scenario))
    return Section(name or scenario.name or "scenario", scenario, runs, provenance)


def finite_rows(run: RunLike) -> npt.NDArray[np.intp]:
    """Rows at which all positions are numbers, as they are until a run diverges."""
    return np.flatnonzero(np.isfinite(run.trajectory.data["q"].to_numpy()).all(axis=1))


def read_sections(folders: Sequence[RunFolder]) -> list[Section]:
    """Read runs back from their folders, a section for every scenario among them."""
    by_name: dict[str, list[RunFolder]] = {}
    for folder in folders:
        by_name.setdefault(str(folder.read_metrics()["scenario"]), []).append(folder)
    return [read_section(group) for group in by_name.values()]


def read_section(folders: Sequence[RunFolder]) -> Section:
    """Read runs of one scenario back from their folders.

    The first folder's scenario stands for all. Raises RunError for a folder that lacks something or
    for none at all, ScenarioError for a damaged scenario.
    """
    if not folders:
        raise RunError("there is no run to report: give at least one run folder.")
    first = folders[0]
    runs: dict[str, RunLike] = {}
    for folder in folders:
        saved = folder.read_metrics()
        engine = str(saved["engine"])
        label = engine if engine not in runs else f"{engine} ({folder.path.name})"
        runs[label] = _read_run(folder, saved)
    scenario = parse_scenario(first.read_scenario(), str(first.path / SCENARIO), first.path)
    provenance = first.read_provenance() if (first.path / PROVENANCE).is_file() else None
    return Section(str(first.read_metrics()["scenario"]), scenario, runs, provenance)


def _read_run(folder: RunFolder, saved: Mapping[str, Any]) -> SavedRun:
    metrics, claims = read_results(folder, saved)
    trajectory = Trajectory.load(folder.trajectory)
    if saved["status"] == RUNNING:  # which come at the end
        metrics = {**common_measures(trajectory, math.nan)}
    return SavedRun(trajectory, metrics, claims)


def read_results(
    folder: RunFolder, saved: Mapping[str, Any]
) -> tuple[dict[str, Metric], list[Claim]]:
    """Metrics and claims out of what a folder has saved of them; raises RunError for damage."""
    try:
        metrics = {name: from_json(value) for name, value in saved["metrics"].items()}
        return metrics, [_claim(entry) for entry in saved["claims"]]
    except (KeyError, TypeError, ValueError) as error:
        message = f"the metrics in {folder.path} are damaged: run the scenario again."
        raise RunError(message) from error


def _claim(entry: Mapping[str, Any]) -> Claim:
    return Claim(
        name=str(entry["name"]),
        unit=str(entry.get("unit", "")),
        value=_number(entry["value"]),
        published=_number(entry["published"]),
        tolerance=_number(entry["tolerance"]),
        verdict=entry["verdict"],
        source=str(entry["source"]),
        reason=str(entry.get("reason", "")),
        bound=_number(entry.get("bound")),
        relation=entry.get("relation", "about"),
        basis=entry.get("basis", "number"),
        about_end=bool(entry.get("about_end", False)),
    )


def _number(value: float | None) -> float:
    """JSON has no NaN; null was not a finite number."""
    return float("nan") if value is None else float(value)
