"""Logs of robots and of other programs as runs, beside those that are simulated."""

import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from footfall.api.loading import LoadedScenario, load
from footfall.api.result import RunResult
from footfall.arrays import Array
from footfall.energy.reader import EnergyReader
from footfall.engine_names import LOG
from footfall.errors import RunError, ScenarioError, reason_of, refusing
from footfall.metrics import Metric
from footfall.overrides import read_yaml
from footfall.plants.coordinates import normalise_quaternions, quaternion_places
from footfall.plants.layout import layout_of, units_by_name
from footfall.run import Run
from footfall.scenario.assemble import Robot, build_robot
from footfall.scenario.io import plain
from footfall.trajectory import Event, logs, trajectory_from_arrays
from footfall.trajectory.events import LEFT_OUT
from footfall.trajectory.logs import Found, Log, LogColumns
from footfall.trajectory.measures import common_measures
from footfall.wording import listed
from footfall.yaml_types import check_types


def read_log(
    log: str | Path,
    scenario: LoadedScenario | str | Path,
    columns: Mapping[str, Any] | str | Path | None = None,
) -> RunResult:
    """Read a log of a scenario's robot as a run, which plots, pages and comparisons take.

    log: a .csv, .mcap or .nc file. scenario: a loaded one, or what ``load`` takes. columns: which
    column is what, a group as of `LogColumns` or the YAML file that holds one; names alone if left
    out. Positions that the log has not stay at the scenario's start, velocities are differences of
    positions; events of the run say so. Raises FootfallError, one line, for what cannot be read.
    """
    loaded = scenario if isinstance(scenario, LoadedScenario) else load(scenario)
    robot = build_robot(loaded.scenario)
    layout = layout_of(robot.plant, robot.contacts)
    units = units_by_name(robot.plant)
    file = "" if columns is None or isinstance(columns, Mapping) else str(columns)
    found = Log(Path(log), _read_columns(columns), file).find(units, "positions")
    positions = found.columns["positions"]
    if not positions:
        raise RunError(
            f"{log} has no position of the robot: name columns of {listed(layout.position)} under "
            "positions, in a file for --columns."
        )
    longest = max(positions.values(), key=lambda column: len(column.time)).time
    time = longest[(longest >= 0.0) & (longest <= found.end)]
    q, v = _states(robot, found, time, layout.position, layout.velocity)
    energies = EnergyReader(robot.plant).read(np.hstack((q, v)))
    efforts = [_on(found, "efforts", name, time) for name in layout.actuator]
    trajectory = trajectory_from_arrays(
        layout,
        time,
        events=_events(found, units),
        attributes={"engine": LOG, LOG: str(log)},
        q=q,
        v=v,
        actuation=np.array(efforts).reshape(-1, len(time)).T,
        kinetic_energy=energies.kinetic,
        potential_energy=energies.potential,
    )
    metrics: dict[str, Metric] = {"duration": common_measures(trajectory, math.nan)["duration"]}
    return RunResult(loaded.scenario, Run(LOG, trajectory, metrics, (), math.nan, robot=robot))


def _read_columns(columns: Mapping[str, Any] | str | Path | None) -> LogColumns:
    """Return columns of a group, or of the YAML file that holds one."""
    if columns is None or isinstance(columns, Mapping):
        where, group = "columns", plain(columns)
    else:
        where = str(columns)
        with refusing(RunError, lambda error: f"{where} cannot be read: {reason_of(error)}."):
            group = read_yaml(Path(where).read_text(encoding="utf-8"))
    check_types(group or {}, LogColumns, where)
    known = {item.name for item in fields(LogColumns)}
    try:
        return LogColumns(**{name: of for name, of in (group or {}).items() if name in known})
    except ScenarioError as error:
        raise ScenarioError(f"{where}: {error}") from error


def _on(found: Found, group: str, name: str, time: Array) -> Array:
    """Return a column of a log at times [s]; NaN where it has none."""
    column = found.columns[group].get(name)
    return np.full(len(time), np.nan) if column is None else logs.at(column, time)


def _states(
    robot: Robot, found: Found, time: Array, of_q: tuple[str, ...], of_v: tuple[str, ...]
) -> tuple[Array, Array]:
    """Return positions (n, nq) and velocities (n, nv) at times [s]; names of both."""
    plant, context = robot.plant, robot.plant.CreateDefaultContext()
    q = np.tile(robot.initial_state[: len(of_q)], (len(time), 1))
    for place, name in enumerate(of_q):
        if name in found.columns["positions"]:
            q[:, place] = _on(found, "positions", name, time)
    normalise_quaternions(q, quaternion_places(plant))
    rates, v = logs.slope(time, q), np.empty((len(time), len(of_v)))
    for row, (posture, rate) in enumerate(zip(q, rates, strict=True)):
        plant.SetPositions(context, posture)
        v[row] = plant.MapQDotToVelocity(context, rate)
    for place, name in enumerate(of_v):
        if name in found.columns["velocities"]:
            v[:, place] = _on(found, "velocities", name, time)
    return q, v


def _events(found: Found, units: dict[str, dict[str, str]]) -> list[Event]:
    """Return events of what a log does not tell."""
    lines = {
        "positions": "the log has no {}: held where the scenario starts",
        "velocities": "the log has no velocities of {}: they are differences of its positions",
        "efforts": "the log has no efforts of {}: they are not known",
    }
    missing = {
        group: [name for name in known if name not in found.columns[group]]
        for group, known in units.items()
    }
    told = [found.note] if found.note else []
    told += [lines[group].format(listed(names)) for group, names in missing.items() if names]
    return [Event(0.0, LEFT_OUT, line) for line in told]
