"""Runs read back from their folders."""

import math
from pathlib import Path

from footfall.api.result import RunResult
from footfall.errors import RunError
from footfall.report import read_section
from footfall.run import Run
from footfall.run_folder import METRICS, SCENARIO, TRAJECTORY, find_run


def replay(folder: str | Path) -> RunResult:
    """Read a run back from the folder that ``footfall run`` or ``RunResult.save`` wrote.

    No code of the scenario is run. Raises RunError, one line, for a folder that lacks something or
    is of an analysis.
    """
    found = find_run(folder, (SCENARIO,))
    if found.result.exists():
        raise RunError(f"{folder} is an analysis, which has no motion to replay: see its report.")
    found = find_run(found.path, (SCENARIO, TRAJECTORY, METRICS))
    section = read_section([found])
    ((engine, run),) = section.runs.items()
    wall_time = _wall_time(section.provenance)
    read = Run(engine, run.trajectory, dict(run.metrics), run.claims, wall_time)
    return RunResult(section.scenario, read, found.path)


def _wall_time(provenance: object) -> float:
    """Return how long the run took [s]; NaN where nobody says."""
    told = provenance.get("wall_time") if isinstance(provenance, dict) else None
    return float(told) if isinstance(told, int | float) else math.nan
