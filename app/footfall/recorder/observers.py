"""Observables of the user's own: functions of a plant and its context over a recorded run."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.python_files import explained
from footfall.registry.machine import Machine
from footfall.registry.machines import get_machine
from footfall.scenario.assemble import Robot
from footfall.scenario.observables import Function, Observable, read_observables
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import OBSERVABLE
from footfall.trajectory.measures import METRICS
from footfall.trajectory.observables import METRIC_KINDS, observable_dataset


class Observers:
    """Functions that are asked at every recorded state of a robot.

    Each is called as ``f(plant, context)``: the continuous plant, and its context in a diagram with
    its scene graph, at the time, the state and the actuation that were recorded.
    """

    def __init__(self, scenario: Scenario, robot: Robot) -> None:
        """Load the functions and ask each at the start.

        Raises ScenarioError, one line, for what cannot be loaded or fails there.
        """
        self._robot = robot
        self._root = robot.model.diagram.CreateDefaultContext()
        self._context: Context = robot.plant.GetMyMutableContextFromRoot(self._root)
        self._observers = []
        for observable in read_observables(scenario.observables):
            _refuse_taken(observable, get_machine(scenario.machine))
            observer = _Observer(observable, observable.load())
            self._set(0.0, robot.initial_state, np.zeros(robot.plant.num_actuators()))
            try:
                observer.ask(self)
            except Exception as error:
                raise ScenarioError(f"{observable.where}: {explained(error)}.") from error
            self._observers.append(observer)

    def observe(self, trajectory: Trajectory, interrupted: Callable[[], bool]) -> Trajectory:
        """Return a trajectory with what the functions say of its rows.

        One that fails, or that Ctrl-C interrupts, has no values from there on, and leaves an event.
        """
        for observer in self._observers:
            trajectory = self._observe(trajectory, observer, interrupted)
        return trajectory

    def _observe(
        self, trajectory: Trajectory, observer: "_Observer", interrupted: Callable[[], bool]
    ) -> Trajectory:
        data, observable = trajectory.data, observer.observable
        time = data["time"].to_numpy()
        states = np.hstack([data["q"].to_numpy(), data["v"].to_numpy()])
        efforts = data["actuation"].to_numpy()
        rows: list[Array] = []
        before = interrupted()  # as a run may have been: what there is of it is looked at
        for t, state, effort in zip(time, states, efforts, strict=True):
            trouble = ""
            try:
                self._set(t, state, effort)
                rows.append(observer.ask(self, rows[0].shape if rows else None))
            except KeyboardInterrupt:  # a second Ctrl-C
                trouble = "interrupted"
            except Exception as error:  # noqa: BLE001 (a run must not be lost for a function of it)
                trouble = explained(error)
            if not before and interrupted():
                trouble = trouble or "interrupted"
            if trouble:
                what = f"observable '{observable.name}' has no values from t = {t:.4f} s: {trouble}"
                event = Event(float(t), OBSERVABLE, what)
                trajectory = replace(trajectory, events=(*trajectory.events, event))
                break
        if not rows:
            return trajectory
        values = np.full((len(time), *rows[0].shape), np.nan)
        values[: len(rows)] = rows
        more = observable_dataset(
            observable.name, values, data["time"], observer.what, observable.unit
        )
        return replace(trajectory, data=data.merge(more))

    @property
    def arguments(self) -> tuple[object, Context]:
        """Plant and context that functions are called with."""
        return self._robot.plant, self._context

    def _set(self, time: float, state: Array, effort: Array) -> None:
        plant = self._robot.plant
        self._root.SetTime(time)
        plant.SetPositionsAndVelocities(self._context, state)
        if effort.size:
            plant.get_actuation_input_port().FixValue(self._context, effort)


@dataclass(frozen=True)
class _Observer:
    """An observable with its function."""

    observable: Observable
    function: Function

    @property
    def what(self) -> str:
        """The first line of the function's docstring, or its name."""
        words = (inspect.getdoc(self.function) or "").strip().partition("\n")[0].rstrip(".")
        return words or self.observable.function

    def ask(self, observers: Observers, shape: tuple[int, ...] | None = None) -> Array:
        """Return what the function says now; raises TypeError unless it is numbers of a shape."""
        answer = self.function(*observers.arguments)
        call = f"{self.observable.function} of {self.observable.file}"
        try:
            value = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError):
            value = np.zeros((0, 0))
        if value.ndim > 1 or value.size == 0:
            kind = type(answer).__name__
            raise TypeError(f"{call} returns a {kind}, not a number or an array of one axis")
        if shape is not None and value.shape != shape:
            raise TypeError(f"{call} returns {value.size} numbers, where it began otherwise")
        return value


def _refuse_taken(observable: Observable, machine: Machine | None) -> None:
    """Raise ScenarioError for an observable whose metrics would be called as others are."""
    taken = {**METRICS, **(machine.metrics if machine is not None else {})}
    for kind in METRIC_KINDS:
        if (name := f"{observable.name}_{kind}") in taken:
            message = f"{observable.where}: there is a metric {name}: choose another name."
            raise ScenarioError(message)
