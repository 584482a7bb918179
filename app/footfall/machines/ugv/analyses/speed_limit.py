"""Convergence of the driving vehicle's torque to quasi-static balance as it slows down.

The balance leaves out what the masses' accelerations take, which is of second order in the speed:
on a track of curvature k they are v^2 k. The same vehicle is driven over the same track at several
speeds, by the drive of the scenario, and its torque held against that of the balance where it is,
with the angles that its legs have then.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.factory import SimulationFactory
from footfall.analysis.tasks import Task, run_tasks
from footfall.arrays import Array
from footfall.engines import CONTINUOUS, ENGINES
from footfall.engines.ports import ACTUATION
from footfall.errors import RunError, ScenarioError
from footfall.machines.ugv.analyses.traversal_task import (
    check_engine,
    check_interval,
    traversal_task,
)
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.control import WheelLegDrive
from footfall.machines.ugv.model import parameters_of, rows_of, wheel_centres
from footfall.machines.ugv.tracks import Bump, Sine, Steps, TrackPoints
from footfall.metrics import Metric
from footfall.plants.actuators import actuators_of
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM

_AXLE = "rear_axle"  # its torque is that of the front one
_STEPPING = tuple(engine for engine in ENGINES if engine != CONTINUOUS)
_SETTLES = 1.0  # s: that the drive gets after its ramp before its torque counts
_POINTS = 801  # at which torques are compared
_MOST = 100  # simulations


@dataclass
class SpeedLimit:
    """Torques of the driven vehicle at several speeds, against those of quasi-static balance."""

    # Speeds of the wheels' rims [m/s].
    speeds: list[float] = field(default_factory=lambda: [0.8, 0.4, 0.2, 0.1, 0.05])
    # Engines that simulate.
    engines: list[str] = field(default_factory=lambda: ["moreau", "drake-sap"])
    # Abscissas of the front wheel's centre between which torques are compared [m]. The drive of the
    # scenario begins at its first station, and has to have come to its speed.
    begin: float = 2.6
    end: float = 6.4
    # Way of a wheel in a time step [m]: a faster drive has shorter steps than the scenario's, since
    # one that rolls past a facet's corner in a step or two leaves the ground there.
    way: float = 4.0e-4
    # Track of the balance: !Bump, !Steps, !Sine or !TrackPoints; absent: that of the model.
    track: Bump | Steps | Sine | TrackPoints | None = None
    # Processes that simulate at the same time.
    workers: int = 2
    # closed-form: what the engines are held against.
    engine: str = CLOSED_FORM

    def __post_init__(self) -> None:
        """Refuse speeds of which no order follows, and engines that there are not."""
        check_engine(self.engine)
        check_interval(self.begin, self.end)
        speeds = self.speeds
        if not 2 <= len(speeds) == len(set(speeds)) or not all(0.0 < v < math.inf for v in speeds):
            raise ScenarioError("analysis.speeds: give two or more, in m/s, each once and above 0.")
        if not 1 <= len(self.engines) == len(set(self.engines)):
            message = f"analysis.engines: give at least one of {', '.join(_STEPPING)}, each once."
            raise ScenarioError(message)
        for engine in self.engines:
            if engine not in _STEPPING:
                message = f"analysis.engines: '{engine}': choose from {', '.join(_STEPPING)}."
                raise ScenarioError(message)
        if len(speeds) * len(self.engines) > _MOST:
            raise ScenarioError(f"analysis: give at most {_MOST} speeds and engines together.")
        if not 0.0 < self.way < math.inf:
            raise ScenarioError(f"analysis.way is {self.way}: give a positive number of metres.")
        if self.workers < 1:
            raise ScenarioError(f"analysis.workers is {self.workers}: give 1 or more.")

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric; lists go over engines, and in them over speeds."""
        return {
            "torque_differences": (
                "1",
                "largest distance from the quasi-static torque, over its largest value",
            ),
            "torque_differences_rms": ("1", "the same, root mean square over the way"),
            "speed_orders": (
                "1",
                "order in the speed of the rms distance, from each speed to the next lower one",
            ),
        }

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """All speeds in all engines; raises ScenarioError for a scenario that drives no vehicle."""
        drive = context.controller
        if not isinstance(drive, WheelLegDrive):
            raise ScenarioError("the analysis needs a !WheelLegDrive as the scenario's controller.")
        if analysis.factory is None:
            raise ValueError("an analysis that simulates needs a factory")
        start = drive.stations[0].position
        self._require_distance(start, drive.ramp)
        self._require_slope(context, start)
        places = start, self.begin, self.end
        speeds = sorted(self.speeds, reverse=True)
        tasks = [
            Task(
                f"{engine} at {speed:g} m/s",
                partial(
                    driven,
                    analysis.factory,
                    engine,
                    speed,
                    places,
                    drive.ramp,
                    min(context.time_step, self.way / speed),
                ),
            )
            for engine in self.engines
            for speed in speeds
        ]
        rows = run_tasks(analysis, tasks, self.workers, (0.0, 0.98))
        shape = (len(self.engines), len(speeds))
        s = np.linspace(self.begin, self.end, _POINTS)
        data = self._dataset(s, *self._torques(context, s, rows, shape), speeds)
        return AnalysisResult(data, _metrics(data))

    def _require_distance(self, start: float, ramp: float) -> None:
        """Raise ScenarioError where the fastest drive is not at its speed when it is compared."""
        advance = max(self.speeds) * (0.5 * ramp + _SETTLES)
        if start + advance > self.begin:
            raise ScenarioError(
                f"analysis.begin is {self.begin:g} m: at {max(self.speeds):g} m/s the drive, which "
                f"begins at {start:g} m, is at its speed from {start + advance:.3g} m on."
            )

    def _require_slope(self, context: MachineContext, start: float) -> None:
        """Raise ScenarioError where the wheels need no torque, for want of a track."""
        right = np.array(math.radians(90.0))
        stations = np.linspace(min(start, self.begin), self.end, _POINTS)
        track = traversal_task(context, self.track, stations, right, right).track
        if not track.profile(stations).slope.any():
            raise ScenarioError("analysis: on level ground no torque is needed: give a track.")

    def _torques(
        self, context: MachineContext, s: Array, rows: list[Any], shape: tuple[int, int]
    ) -> tuple[Array, Array]:
        """Torques of drive and balance (engine, speed, station) [N m] at places s [m]."""
        found = np.array([[np.interp(s, row[0], column) for column in row[1:]] for row in rows])
        torque, rear, front = np.moveaxis(found.reshape(*shape, 3, len(s)), 2, 0)
        task = traversal_task(context, self.track, s, rear, front)
        at = pose(task.parameters, task.curve, s, rear, front)
        return torque, forces(task.parameters, at).torque

    def _dataset(self, s: Array, torque: Array, balance: Array, speeds: list[float]) -> xr.Dataset:
        dims = ("engine", "speed", "station")
        units = {"units": "N m"}
        return xr.Dataset(
            {
                "torque": (dims, torque, units | {"long_name": "torque of either wheel's motor"}),
                "balance": (dims, balance, units | {"long_name": "quasi-static torque there"}),
            },
            {
                "engine": self.engines,
                "speed": ("speed", speeds, {"units": "m/s", "long_name": "speed of the rims"}),
                "station": (
                    "station",
                    s,
                    {"units": "m", "long_name": "abscissa of the centre of the front wheel"},
                ),
            },
        )


def driven(
    factory: SimulationFactory,
    engine: str,
    speed: float,
    places: tuple[float, float, float],
    ramp: float,
    time_step: float,
) -> list[list[float]]:
    """Places [m], wheel torques [N m] and angles [rad] of rear and front leg, row by row.

    places: of the front wheel at the start, and between which rows are wanted [m]; ramp [s]: in
    which the speed is reached; time_step [s]: of the engine. Raises RunError where it does not
    come so far.
    """
    start, begin, end = places
    duration = (end - start) / speed + ramp + _SETTLES
    values = {"controller.speed": speed, "duration": duration, "time_step": time_step}
    simulation = factory.simulation(engine, values)
    context, system = simulation.context, simulation.system
    parameters, of = parameters_of(context.model, context.contacts), rows_of(context.model)
    names = [actuator.joint().name() for actuator in actuators_of(context.model.plant)]
    wheel, s, found = names.index(_AXLE), start, []
    for row in simulation.rows(context.initial_state):
        q = row.state[of]
        s = float(wheel_centres(parameters, q)[1].real)
        if s >= begin:
            root = system.GetMyContextFromRoot(simulation.simulator.get_context())
            torque = float(system.GetInputPort(ACTUATION).Eval(root)[wheel])
            found.append([s, torque, float(q[3]), float(q[5])])
        if s > end:
            return np.transpose(found).tolist()
    raise RunError(
        f"{engine}: at {speed:g} m/s the front wheel comes to {s:.3g} m, not to {end:g} m: it "
        "slips or is stopped; give more friction, or analysis.end nearer"
    )


def _metrics(data: xr.Dataset) -> dict[str, Metric]:
    """Distances over the speed, and the orders in which they fall."""
    away = (data["torque"] - data["balance"]).to_numpy()
    peak = np.abs(data["balance"].to_numpy()).max()
    largest, rms = np.abs(away).max(axis=-1) / peak, np.sqrt((away**2).mean(axis=-1)) / peak
    ratios = data["speed"].to_numpy()[:-1] / data["speed"].to_numpy()[1:]
    return {
        "torque_differences": largest.tolist(),
        "torque_differences_rms": rms.tolist(),
        "speed_orders": (np.log(rms[:, :-1] / rms[:, 1:]) / np.log(ratios)).tolist(),
    }
