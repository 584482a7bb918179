"""A run that is watched: conducts the simulation as the page asks for, and draws it.

Drawing looks at the ports of the engine between two steps and changes nothing: a run has the same
bits with and without it, and goes on where a picture fails. It follows the clock on the wall, not
simulated time, so that slow motion is as smooth as anything else.
"""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from pydrake.geometry import Meshcat

from footfall.arrays import Array
from footfall.engine_names import CONTINUOUS
from footfall.errors import FootfallError, ScenarioError
from footfall.feet import find_feet
from footfall.plants.pushes import Push
from footfall.python_files import explained
from footfall.scenario.assemble import Robot
from footfall.scenario.changes import Change
from footfall.show.extent import sizes_of
from footfall.show.forces import Forces, axes_of, cones_of
from footfall.show.layers import Layers
from footfall.show.live.controls import FRAME_PERIOD, Clock, Command, Controls, Frames
from footfall.show.live.display import Display, legend, movable_links, paths_of
from footfall.show.live.values import GrowingPlots, Moment, Values
from footfall.show.stage import SCENE, Actor, add_ground_marks
from footfall.show.trace import LiveTraces, traces_of
from footfall.show.view import View
from footfall.simulation import Restart, Underway

MACHINE = f"{SCENE}/machine"
_TRACE_PERIOD = 1.0 / 32.0  # s, simulated
_BUSY = 0.5 * FRAME_PERIOD  # s: so long steps are taken before the page is looked at
_WHOLE = 1.0 - 1e-6  # of a step: rounding of its length
_PATIENCE = 0.5  # s between two looks for Ctrl-C while nothing moves
_PUSHED = 0.1  # s, of a push that does not say how long


class LiveRun:
    """Conductor of a simulation for a page; one that restarts is begun anew with ``begin``."""

    def __init__(
        self,
        meshcat: Meshcat,
        controls: Controls,
        display: Display,
        view: View,
        plots: Sequence[str] = (),
    ) -> None:
        """Take the scene and the page; plots: names of values that are plotted."""
        self._meshcat, self._controls, self._display = meshcat, controls, display
        self._view, self.plots = view, tuple(plots)
        self.clock = Clock()
        self.restarts, self.begun = 0, False
        self._single = 0
        self._step_time = 0.0

    def begin(self, underway: Underway) -> None:
        """Show a simulation at its start."""
        robot, scenario = underway.robot, underway.scenario
        self._underway, self._robot, self._dt = underway, robot, scenario.time_step
        self.begun = True
        self._nq = robot.plant.num_positions()
        self._R_WT = robot.model.spec.terrain.X_WTerrain().rotation().matrix()
        self._meshcat.Delete(SCENE)
        add_ground_marks(self._meshcat, robot.model.spec.terrain, sizes_of(robot.model).marks)
        self._actor = Actor(self._meshcat, robot.model, MACHINE)
        traced = paths_of(self._view, robot.plant)
        self._legend = legend(traces_of(traced), {underway.engine: None})
        self._traces = LiveTraces(self._meshcat, robot.model, f"{MACHINE}/traces", traced)
        view = replace(self._view, cones=cones_of(robot.contacts))
        self._layers = Layers(self._meshcat, robot.model, robot.contacts.names, view, MACHINE)
        interventions = underway.interventions
        self._layers.put_pushes(robot.pushes if interventions is None else interventions.pushes)
        self._display.take(self._layers, [MACHINE])
        feet = find_feet(robot.model, robot.contacts, robot.initial_state, scenario.feet)
        known = Values(robot, feet)
        self._plots = GrowingPlots(self._controls, known.find(self.plots), self._dt)
        self._controls.notes.clear()
        self._last_trace = -np.inf
        self._frames, self._shown = Frames(), -1
        self._display.frame(robot.model, robot.initial_state[: self._nq], scenario.cameras)
        self._tell()
        self.clock.start(0.0)
        with self._drawing(0):
            self._draw(0)

    @property
    def plotted(self) -> list[str]:
        """Names of the values that are plotted, one each."""
        return [value.name for value in self._plots.values] if self.begun else list(self.plots)

    def steps(self, done: int) -> int:
        """Return how many steps may be taken now; see ``Conductor``."""
        self._measure(done)
        while True:
            if self._underway.interrupted():
                raise KeyboardInterrupt
            while (command := self._controls.take()) is not None:
                self._obey(command, done)
            if self._frames.is_due():
                with self._frames.drawn(), self._drawing(done):
                    self._draw(done)
            elif self._plots.is_due(done):
                with self._drawing(done):
                    self._plots.add(done, self._moment(self._state()))
            if self._single > 0:
                self._single -= 1
                return self._begun(done, 1)
            ahead = self.clock.target() - done * self._dt
            if ahead >= self._dt * _WHOLE:
                most = _BUSY / self._step_time if self._step_time > 0.0 else 1.0
                self.clock.forgive(done * self._dt)
                most = min(ahead / self._dt, most, self._plots.steps_left(done))
                return self._begun(done, max(1, int(most)))
            self._wait(done)

    def end(self, done: int) -> None:
        """Draw the last state."""
        self._controls.state = {**self._controls.state, "status": "over"}
        with self._drawing(done):
            self._draw(done, status="over")

    def _begun(self, done: int, count: int) -> int:
        self._began = done, time.perf_counter()
        return count

    def _measure(self, done: int) -> None:
        """Learn from the steps taken last how long one takes."""
        if self._shown < 0:
            self._shown = 0
            return
        before, started = self._began
        if done > before:
            self._step_time = (time.perf_counter() - started) / (done - before)

    def _wait(self, done: int) -> None:
        """Wait for the next frame, or while it pauses for a command."""
        if self.clock.paused:
            command = self._controls.take(_PATIENCE)
            if command is not None:
                self._obey(command, done)
            self._frames.hurry()
            return
        self._frames.has_time()
        due = self.clock.wall_until((done + 1) * self._dt)
        command = self._controls.take(min(max(due, 5e-4), FRAME_PERIOD))
        if command is not None:
            self._obey(command, done)

    def _obey(self, command: Command, done: int) -> None:
        """Carry out a command; what is wrong with it is told on the page."""
        if command.name == "restart":
            self.restarts += 1
            raise Restart
        if command.name == "close":
            raise KeyboardInterrupt
        if command.name == "step":
            self.clock.pause()
            self._single += max(1, min(int(command.number("count", 1.0)), 100_000))
            return
        self._frames.hurry()
        if self.clock.obey(command, done * self._dt):
            return
        with self._drawing(done):
            if self._display.obey(command, self._state()[: self._nq]):
                return
        try:
            self._intervene(command, done)
        except FootfallError as error:
            self._note(done, f"refused: {error}")

    def _intervene(self, command: Command, done: int) -> None:
        """Push, or change settings."""
        interventions = self._underway.interventions
        if interventions is None:
            raise ScenarioError(
                f"the engine {self._underway.engine} takes no pushes and changes: choose moreau or "
                "drake."
            )
        if command.name == "push":
            push = interventions.push(_push_of(command), done)
            self._layers.put_pushes(interventions.pushes)
            self._note(done, _push_in_words(push))
        elif command.name == "change":
            change = interventions.change(_change_of(command), done)
            if change.friction is not None:
                self._layers.put_cones(cones_of(interventions.contacts))
            self._note(done, str(change))
        self._tell()

    def _note(self, done: int, what: str) -> None:
        self._controls.notes.append(f"t = {done * self._dt:.4g} s: {what}")

    @contextmanager
    def _drawing(self, done: int) -> Iterator[None]:
        """Tell on the page what fails in a picture, once: the run is worth more than it."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 (whatever it is, it must not end the run)
            failure = f"the picture fails: {explained(error)}"
            if not any(note.endswith(failure) for note in self._controls.notes):
                self._note(done, failure)

    def _state(self) -> Array:
        return self._underway.shown.state()

    def _draw(self, done: int, status: str = "") -> None:
        """Draw the state of now, and tell the page of it."""
        now, state = done * self._dt, self._state()
        if np.isfinite(state).all():
            q, forces = state[: self._nq], self._forces()
            self._display.go_along(q)
            self._actor.pose(q)
            self._layers.draw(q, forces, now - self._dt, now + 1e-9)
            if now - self._last_trace >= _TRACE_PERIOD:
                self._last_trace = now
                self._traces.extend(q)
            if self._plots.may_add(done):
                self._plots.add(done, self._moment(state))
        self._controls.state = {
            "time": now,
            "rate": self.clock.rate(now),
            "status": status or ("paused" if self.clock.paused else "running"),
            "speed": self.clock.speed,
            **self._display.told(),
        }

    def _forces(self) -> Forces | None:
        """Mean forces of the step that ended last."""
        report = self._underway.shown.report()
        if report is None or len(report.names) == 0:
            return None
        force = report.impulse / self._dt
        normals = np.broadcast_to(report.normal, force.shape)
        return Forces(report.p_WC, axes_of(report.names, normals, self._R_WT), force)

    def _moment(self, state: Array) -> Moment:
        """Values of now, with the impulses of the last step alone: a whole report costs more."""
        shown = self._underway.shown
        force = shown.impulses().reshape(-1, 3) / self._dt
        return Moment(state[: self._nq], state[self._nq :], shown.efforts(), force)

    def _tell(self) -> None:
        """Tell the page what may be chosen."""
        interventions, scenario = self._underway.interventions, self._underway.scenario
        self._controls.tell_about(
            mode="live",
            engine=self._underway.engine,
            duration=scenario.num_steps * self._dt,
            time_step=self._dt,
            links=movable_links(self._robot.plant)
            if interventions and interventions.takes_pushes
            else [],
            weight=_weight(self._robot),
            friction=interventions.friction if interventions else scenario.friction,
            gravity=interventions.gravity if interventions else scenario.gravity,
            adjustable=interventions.adjustable() if interventions else {},
            changes=interventions is not None and self._underway.engine != CONTINUOUS,
            plots=[{"name": value.name, "unit": value.unit} for value in self._plots.values],
            legend=self._legend,
            **self._display.choices(),
        )


def _weight(robot: Robot) -> float:
    plant = robot.plant
    return float(9.81 * plant.CalcTotalMass(plant.CreateDefaultContext()))


def _push_of(command: Command) -> Push:
    """Return the push that a command asks for; raises ScenarioError for what is none."""
    force, torque = (command.numbers(name, 3, math.nan) for name in ("force", "torque"))
    given = [name for name in ("force", "torque") if name in command.values]
    push = Push(
        link=command.text("link"),
        duration=command.number("duration", math.nan if "duration" in command.values else _PUSHED),
        force=force if "force" in given else None,
        torque=torque if "torque" in given else None,
    )
    if not any(push.force or ()) and not any(push.torque or ()):
        raise ScenarioError("the push has neither force nor torque: give one.")
    return push


def _change_of(command: Command) -> Change:
    """Return the change that a command asks for; raises ScenarioError for what is none."""
    values = command.values
    parameter = command.text("parameter")
    change = Change(
        friction=command.number("friction", math.nan) if "friction" in values else None,
        gravity=command.number("gravity", math.nan) if "gravity" in values else None,
        controller={parameter: command.number("value", math.nan)} if parameter else {},
    )
    if change.is_empty:
        raise ScenarioError("the change changes nothing.")
    return change


def _push_in_words(push: Push) -> str:
    """Return a line for the page about a push."""
    parts = [
        f"{np.linalg.norm(value):.3g} {unit}"
        for value, unit in ((push.force, "N"), (push.torque, "N m"))
        if value is not None
    ]
    return f"push on {push.link}, {' and '.join(parts)} for {push.duration:.3g} s"
