"""Simulation of a scenario in an engine with ports: the loop that records it, and what ends it."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np
from numpy.linalg import LinAlgError
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import Context, Diagram, EventStatus

from footfall.arrays import Array
from footfall.engine_names import CONTINUOUS
from footfall.engines import Engine, MoreauEngine
from footfall.engines.ports import CONTACT_IMPULSES, CONTACT_REPORT, STATE, ContactReport
from footfall.errors import FootfallError, RunError, UnexpectedError
from footfall.interrupt import note_begun
from footfall.interventions import ByHand, Interventions, Parts, put_together
from footfall.plants.flat.laws import Law
from footfall.plants.layout import layout_of
from footfall.python_files import located
from footfall.recorder import Recorder, readings_of
from footfall.scenario.assemble import Robot, compiled_law, steps_held
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event, Status, Trajectory, TrajectoryBuilder
from footfall.trajectory.contact_table import ContactTable
from footfall.trajectory.control import with_control
from footfall.trajectory.events import known_at_start
from footfall.trajectory.netcdf import RowsFile
from footfall.trajectory.rows import Rows
from footfall_controllers.controller import tick

_MOMENT = 0.02  # s


@dataclass(frozen=True)
class Progress:
    """Progress of a run: simulated and total time [s], closed contacts, largest residual so far.

    told: lines about the run that are known before its first step, at its start.
    """

    time: float
    duration: float
    contacts: int
    residual: float
    told: tuple[str, ...] = ()


class Shown(NamedTuple):
    """Functions that read off an engine what it shows between two steps.

    state: [q; v]; efforts: of the actuators; impulses: of the last step at all n contacts, (3 n,),
    NaN where it tells of none; report: its contacts, which takes longer, None likewise.
    """

    state: Callable[[], Array]
    efforts: Callable[[], Array]
    impulses: Callable[[], Array]
    report: Callable[[], ContactReport | None]


def _shown_by_ports(system: Engine, context: Context) -> Shown:
    state, impulses, report = (
        partial(system.GetOutputPort(name).Eval, context)
        for name in (STATE, CONTACT_IMPULSES, CONTACT_REPORT)
    )
    return Shown(state, partial(system.efforts, context), impulses, report)


@dataclass(frozen=True, eq=False)
class Underway:
    """A simulation under way, for whoever conducts it; interrupted: by a signal.

    interventions: None in an engine in which nothing can be done by hand.
    """

    scenario: Scenario
    robot: Robot
    engine: str
    shown: Shown
    interventions: Interventions | None
    interrupted: Callable[[], bool]


class Conductor(Protocol):
    """Leads a simulation from step to step, as somebody who watches it does.

    Its pauses and looks change no bit of the run; what it does by ``Interventions`` is kept.
    """

    def begin(self, underway: Underway) -> None:
        """Take the simulation at its start."""

    def steps(self, done: int) -> int:
        """Return how many steps may be taken after so many, one or more; waits while it pauses.

        Raises KeyboardInterrupt for the end of the run as it is, Restart for its beginning.
        """

    def end(self, done: int) -> None:
        """Look at the simulation when it is over, after so many steps."""


class Restart(Exception):
    """A conductor wants the simulation to begin anew; nothing of it is kept."""


@dataclass(frozen=True)
class Hooks:
    """Hooks of a caller in a run: end it, watch its progress, conduct it.

    keep: makes a file of the run's start, to which its rows are added as they come. faults: of what
    is worked out of a run that is over, which is kept without it.
    """

    interrupted: Callable[[], bool]
    report: Callable[[Progress], None] | None
    conductor: Conductor | None = None
    keep: Callable[[Trajectory], RowsFile] | None = None
    faults: list[UnexpectedError] = field(default_factory=list)

    @contextmanager
    def attempting(self, what: str) -> Iterator[None]:
        """Go on behind the block whatever it raises: a run that is over is not lost for it."""
        try:
            yield
        except (Exception, SystemExit) as fault:  # noqa: BLE001 (it is told)
            self.faults.append(UnexpectedError(fault, what))

    def tell_of_start(self, events: Iterable[Event], duration: float) -> None:
        """Report, before the first step, those of a run's events that are known then."""
        lines = tuple(event.what for event in events if known_at_start(event))
        if self.report is not None and lines:
            self.report(Progress(0.0, duration, 0, 0.0, lines))


class RowByRow:
    """Leads an engine that computes row by row and has no ports: what it calls after each row.

    It hears Ctrl-C, reports progress, lets a conductor watch, and keeps what the engine tells of
    rows until there is more. ended: by Ctrl-C or the conductor.
    """

    def __init__(self, scenario: Scenario, robot: Robot, engine: str, hooks: Hooks) -> None:
        """Take what is run."""
        self.ended = False
        self._hooks, self._scenario = hooks, scenario
        self._state, self._efforts = robot.initial_state, np.zeros(0)
        # its contacts are worked out when it is over
        impulses = np.full(3 * len(robot.contacts.names), np.nan)
        shown = Shown(lambda: self._state, lambda: self._efforts, lambda: impulses, lambda: None)
        self._underway = Underway(scenario, robot, engine, shown, None, hooks.interrupted)
        self._done, self._until = -1, 0  # steps, and up to which the conductor lets it go
        self._reported = time.perf_counter()
        self._robot, self._engine = robot, engine
        self._file: RowsFile | None = None

    def __call__(self, reached: float, state: Array, efforts: Array) -> None:
        """Take a row; raises KeyboardInterrupt for the end, Restart for the beginning."""
        self._state, self._efforts = state, efforts
        begun, self._done = self._done >= 0, round(reached / self._scenario.time_step)
        conductor = self._hooks.conductor
        self.ended = True  # by what is raised here
        if self._hooks.interrupted():
            raise KeyboardInterrupt
        if conductor is not None and not begun:
            conductor.begin(self._underway)
        if conductor is not None and self._until <= self._done < self._scenario.num_steps:
            self._until = self._done + conductor.steps(self._done)
        self.ended = False
        if self._hooks.keep is not None:
            self._keep(self._hooks.keep, reached)
        now = time.perf_counter()
        if self._hooks.report is not None and now - self._reported > _MOMENT:
            self._reported = now
            self._hooks.report(Progress(reached, self._scenario.duration, 0, 0.0))

    def _keep(self, keep: Callable[[Trajectory], RowsFile], reached: float) -> None:
        """Add the row of now to a file, which is made with the first."""
        if self._file is None:
            rows = TrajectoryBuilder(layout_of(self._robot.plant, self._robot.contacts))
            begun = rows.finish(Status.INTERRUPTED, attributes={"engine": self._engine})
            self._file = keep(begun)
        q, v = np.split(self._state[None], [self._robot.plant.num_positions()], axis=1)
        none = np.zeros(0, dtype=np.int64)
        told = {"q": q, "v": v, "actuation": self._efforts[None]}
        self._file.add(Rows(np.array([reached]), told, ContactTable(none, none, {})))

    def close(self) -> None:
        """Let the conductor look at the last row, if there was one."""
        if self._hooks.conductor is not None and self._done >= 0:
            self._hooks.conductor.end(self._done)


class Simulated(NamedTuple):
    """Trajectory of a simulation; the error that ended it; wall time [s] without building.

    by_hand: what was done to it while it went on.
    """

    trajectory: Trajectory
    error: FootfallError | None
    wall_time: float
    by_hand: ByHand


def simulate(scenario: Scenario, robot: Robot, engine: str, hooks: Hooks) -> Simulated:
    """Simulate in an engine with ports; raises Restart if its conductor does."""
    parts = put_together(scenario, robot, engine, by_hand=hooks.conductor is not None)
    system, simulator, context = parts.system, parts.simulator, parts.context
    _hear_ctrl_c_between_rows(simulator, hooks.interrupted, engine)
    recorder = parts.recorder = recorder_of(parts, robot, engine, hooks.interrupted)
    interventions = Interventions(parts)
    hooks.tell_of_start(recorder.events, scenario.duration)
    if isinstance(system, MoreauEngine):
        system.warm_up()
    note_begun()
    if hooks.conductor is not None:
        shown = _shown_by_ports(system, context)
        hooks.conductor.begin(
            Underway(scenario, robot, engine, shown, interventions, hooks.interrupted)
        )
    started = time.perf_counter()
    status, message, error = Status.DONE, "", None
    try:
        if hooks.conductor is None:
            _make_at_once(parts)
        simulator.Initialize()
        recorder.begin(context, hooks.keep)
        _advance(interventions, parts, recorder, hooks)
    except Restart:
        raise
    except (Exception, SystemExit, KeyboardInterrupt) as fault:  # noqa: BLE001 (told in its end)
        status, message, error = end_of(fault, recorder.time)
    try:
        recorder.close(context, last=status is Status.DONE)
    except (Exception, SystemExit, KeyboardInterrupt) as fault:  # noqa: BLE001 (rows so far are kept)
        if status is Status.DONE:
            status, message, error = end_of(fault, recorder.time)
    interventions.restore()
    if hooks.conductor is not None:
        hooks.conductor.end(round(recorder.time / scenario.time_step))
    status, message, error = ended(recorder, (status, message, error))
    wall_time = time.perf_counter() - started
    trajectory = recorder.finish(status, message)
    with hooks.attempting("record of the controller"):
        trajectory = with_ticks(scenario, parts.diagram, trajectory)
    if hooks.conductor is None:
        let_go(parts.diagram)
    return Simulated(trajectory, error, wall_time, interventions.by_hand)


def recorder_of(
    parts: Parts, robot: Robot, engine: str, interrupted: Callable[[], bool]
) -> Recorder:
    """Return what keeps the steps of a simulation, and the readings of its sensors, if any."""
    see = readings_of(parts.diagram, parts.simulator.get_context())
    return Recorder(parts.scenario, robot, engine, parts.system, interrupted, see)


Ending = tuple[Status, str, FootfallError | None]


def ended(recorder: Recorder, otherwise: Ending) -> Ending:
    """Return how a run ended that was recorded, before whatever came later."""
    end = recorder.ended
    return otherwise if end is None else (end.status, end.message, end.error)


def let_go(diagram: Diagram) -> None:
    """Take from systems that nobody asks any more what they hold: Drake 1.51 keeps each for ever.

    Systems of users are left as they are, who may look at them.
    """
    for system in diagram.GetSystems():
        beside = getattr(system, "inner", None)  # a diagram that a system steps itself
        for one in (system, beside):
            if isinstance(one, Diagram):
                let_go(one)
        if type(system).__module__.partition(".")[0] in ("footfall", "footfall_controllers"):
            vars(system).clear()


def with_ticks(scenario: Scenario, diagram: Diagram, trajectory: Trajectory) -> Trajectory:
    """Return a trajectory with what the controller tells of its ticks, if it does."""
    controller = scenario.controller
    ticks = None if controller is None else controller.ticks(diagram)
    if ticks is None:
        return trajectory
    ticks = ticks.until(float(trajectory.data["time"][-1]))
    events = (*trajectory.events, *ticks.events(f"!{type(controller).__name__}"))
    ordered = tuple(sorted(events, key=lambda event: event.time))
    return replace(trajectory, data=with_control(trajectory.data, ticks), events=ordered)


def advance(parts: Parts, done: int, count: int) -> None:
    """Make so many steps after those that were done, and let the recorder take them, if any.

    Raises what ends the run.
    """
    recorder, dt = parts.recorder, parts.scenario.time_step
    if recorder is None or (parts.system.law is None and not parts.held):
        parts.simulator.AdvanceTo((done + count) * dt)
    else:
        _roll(parts, recorder, done, count)
    if recorder is not None:
        recorder.look(parts.context)


def _roll(parts: Parts, recorder: Recorder, done: int, count: int) -> None:
    """Make so many steps after those that were done, with ticks where torques are held."""
    held, controller, end = parts.held, parts.scenario.controller, done + count
    root = parts.simulator.get_mutable_context()
    while done < end:
        until = min(end, done + held - done % held) if held else end
        recorder.roll(parts.system, parts.context, until - done)
        done = until
        if controller is not None and held and done % held == 0:
            tick(root, parts.others, controller.held_for, done // held)
        root.SetTime(done * parts.scenario.time_step)


def _advance(interventions: Interventions, parts: Parts, recorder: Recorder, hooks: Hooks) -> None:
    """Advance to the end of a run, or until it ends; raises KeyboardInterrupt if Ctrl-C was heard.

    Between two looks are so many steps as take a moment.
    """
    scenario = parts.scenario
    steps, done, few = scenario.num_steps, 0, 1
    allowed = steps if hooks.conductor is None else 0
    while done < steps and recorder.ended is None:
        if hooks.interrupted():
            raise KeyboardInterrupt
        interventions.carry_out(done)
        if hooks.conductor is not None and allowed == 0:
            allowed = hooks.conductor.steps(done)
        started = time.perf_counter()
        count = min(few, recorder.most_steps, steps - done, interventions.steps_left(done), allowed)
        advance(parts, done, count)
        done, allowed = done + count, allowed - count
        few = 2 * few if time.perf_counter() - started < _MOMENT else max(1, few // 2)
        if hooks.report is not None and recorder.ended is None:
            hooks.report(Progress(recorder.time, scenario.duration, *recorder.progress()))


def _make_at_once(parts: Parts) -> None:
    """Let the engine make steps at once, under a law or torques that are held, if it can."""
    system, scenario = parts.system, parts.scenario
    system.law = law_of(parts, scenario.num_steps)
    if system.law is None and isinstance(system, MoreauEngine) and system.rolls:
        parts.held = steps_held(scenario)


def law_of(parts: Parts, steps: int) -> Law | None:
    """Return the law of the scenario's torques in so many steps, if they need no more than it."""
    scenario, system = parts.scenario, parts.system
    adjusted = any(change.controller for change in scenario.changes)
    if adjusted or not (isinstance(system, MoreauEngine) and system.rolls):
        return None
    times = scenario.time_step * np.arange(steps + 1, dtype=np.float64)
    return compiled_law(scenario, parts.robot, times, slowed=True)


def end_of(fault: BaseException, reached: float) -> Ending:
    """Return how a run ends that had come to a time [s] when something was raised."""
    if isinstance(fault, KeyboardInterrupt):
        return Status.INTERRUPTED, f"interrupted at t = {reached:.4f} s", None
    error = fault if isinstance(fault, FootfallError) else _explained(fault, reached)
    return Status.FAILED, str(error), error


def _explained(fault: BaseException, reached: float) -> RunError:
    line = located(fault)
    if line:
        told = f"the code of the scenario fails after t = {reached:.4f} s: {line}."
    elif isinstance(fault, RuntimeError | SystemExit | ArithmeticError | LinAlgError):
        # Drake's own, such as a NaN Hessian, and equations that a controller cannot solve
        reason = " ".join(str(fault).split()).partition(". ")[0].rstrip(".")
        told = (
            f"the engine stops after t = {reached:.4f} s ({reason}): use a smaller time_step or "
            "softer gains."
        )
    elif isinstance(fault, MemoryError):
        told = f"memory runs out after t = {reached:.4f} s: record less (record_every)."
    else:
        return UnexpectedError(fault, f"the simulation, after t = {reached:.4f} s,")
    return RunError(told)


def _hear_ctrl_c_between_rows(
    simulator: Simulator, interrupted: Callable[[], bool], engine: str
) -> None:
    """Let an engine whose integrator may need many steps for a row be interrupted in one."""
    if engine != CONTINUOUS:
        return
    former = simulator.get_monitor()

    def monitor(root: Context) -> EventStatus | None:
        if interrupted():
            raise KeyboardInterrupt
        return former(root) if former is not None else None

    simulator.set_monitor(monitor)
