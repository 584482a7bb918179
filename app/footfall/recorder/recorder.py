"""Recorder of a run: reads the ports of an engine after every step, and works them out in blocks.

A step costs the copies of its state, efforts and contacts. Energies, works and what is reported of
the contacts follow from these, for a hundred rows at once; with them comes what ends a run: a fall,
energy that nothing gave, a number that is none. The rows end where it was, however far the engine
has gone since.
"""

import time as clock
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from pydrake.systems.framework import Context, Diagram

from footfall.arrays import Array
from footfall.energy.account import EnergyAccount, ImpactGain, Steps
from footfall.energy.reader import Energies, EnergyReader
from footfall.energy.verdict import EnergyVerdict
from footfall.engine_names import CONTINUOUS
from footfall.engines import DrakeEngine, MoreauEngine
from footfall.engines.drake_continuous import WORKS
from footfall.engines.moreau_config import MIDPOINT
from footfall.engines.step_log import LoggedContacts, MoreauLog, are_sound, step_log
from footfall.errors import RunError
from footfall.interrupt import shielded
from footfall.plants.coordinates import (
    joint_damping,
    normalise_quaternions,
    quaternion_places,
)
from footfall.plants.dynamics import Dynamics
from footfall.plants.fall_detection import FallDetector
from footfall.plants.layout import NO_READINGS, layout_of
from footfall.plants.sensing import units_of_readings
from footfall.recorder.chatter import ChatterWatch
from footfall.recorder.drift import DriftWatch
from footfall.recorder.start import start_events
from footfall.recorder.thinning import Thinning
from footfall.scenario.assemble import SENSORS, Robot
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event, Status, Trajectory, TrajectoryBuilder
from footfall.trajectory.energy_watch import COLUMNS
from footfall.trajectory.events import ENERGY_GAIN, FALLEN, LEFT_OUT, RESIDUAL
from footfall.trajectory.netcdf import RowsFile
from footfall.trajectory.pushes import with_pushes
from footfall.trajectory.rows import Rows
from footfall.trajectory.variables import RECORD_EVERY, VARIABLES

_AT_ONCE = 100  # steps
_WATCHED = (*COLUMNS, "q", "v", "actuation", "mode", "gap")


class StepWatch:
    """Shows steps to those that watch energy, gaps and drives.

    Always so many, so that what they say does not depend on when rows are worked out.
    """

    def __init__(
        self, energy: EnergyVerdict, drift: DriftWatch, chatter: ChatterWatch, *, known: bool
    ) -> None:
        """Take them; known: Drake tells all energy, and its verdict is asked."""
        self._energy, self._drift, self._chatter, self._known = energy, drift, chatter, known
        self._left: Rows | None = None  # behind the last ones that were looked at

    @property
    def failure(self) -> str:
        """The line on what fails a run; empty while nothing does."""
        return self._energy.failure or self._drift.failure

    def events(self, message: str) -> list[Event]:
        """Return what is told of a run, but for what the message of its end says."""
        events = [*self._chatter.events()]
        for watch in (self._energy, self._drift):
            if not message or message != watch.failure:
                events += watch.events()
        return events

    def look(self, steps: Rows) -> Rows:
        """Look at steps, and return those up to the end of the ones that fail the run.

        Few that are left are looked at with those that follow.
        """
        looked, left, whole = 0, self._left, steps
        steps = steps.only(_WATCHED)
        while (end := looked + _AT_ONCE - (len(left.time) if left else 0)) <= len(steps.time):
            rows = steps.part(looked, end)
            self._show(left.then(rows) if left else rows, last=False)
            looked, left = end, None
            if self.failure:
                self._left = None
                return whole.part(0, looked)
        rest = steps.part(looked, len(steps.time))
        self._left = left.then(rest) if left else rest
        return whole

    def close(self) -> None:
        """Look at what is left; no steps follow."""
        if self._left is not None:
            self._show(self._left, last=True)
            self._left = None

    def _show(self, rows: Rows, *, last: bool) -> None:
        """Show the next steps to all."""
        if self._known:
            self._energy.look(rows.time, rows.columns, last=last)
        if len(rows.time) > 0:
            self._drift.look(rows)
            self._chatter.look(rows)


_BLOCK = 500  # rows that are worked out at once, at most
_PATIENCE = 0.5  # s: fewer are, where steps are slow
_LESS = "try less restitution"
_OTHER_LAWS = {  # that give less
    "newton": "try moreau.impact_law=poisson or chatterjee-ruina",
    "poisson": "try moreau.impact_law=chatterjee-ruina",
}


@dataclass(frozen=True)
class End:
    """End of a run before its time: a line, and the error that it is, if it is one.

    status: done where the scenario expects that end.
    """

    message: str
    error: RunError | None = None
    status: Status = Status.FAILED


def end_by_fall(by: float | None, time: float, what: str) -> End:
    """End of a run by a fall at a time [s], which is a success where it is expected by then."""
    if by is None:
        return End(f"fallen at t = {time:.4f} s: {what}")
    if time > by:
        return End(f"fallen at t = {time:.4f} s, expected by {by:g} s: {what}")
    message = f"fallen at t = {time:.4f} s, as expected by {by:g} s: {what}"
    return End(message, status=Status.DONE)


def end_without_fall(by: float) -> End:
    """End of a run that was to fall by a time [s] and has not."""
    return End(f"no fall by t = {by:g} s, which expected_fall asks for")


def readings_of(diagram: Diagram, root: Context) -> Callable[[], Array] | None:
    """Return what tells the readings of sensors in a simulation, for its recorder, if it has some.

    root: context of the diagram.
    """
    if not diagram.HasSubsystemNamed(SENSORS):
        return None
    sensors = diagram.GetSubsystemByName(SENSORS)
    return partial(sensors.readings, sensors.GetMyContextFromRoot(root))


class Recorder:
    """Takes the rows of a run and keeps the energy account; ``ended`` says what ended it, if so.

    most_steps: that may be taken before ``look`` is called. pushes: that the trajectory tells of.
    log: of the steps that were not worked out yet, as the engine writes it.
    """

    def __init__(
        self,
        scenario: Scenario,
        robot: Robot,
        engine: str,
        system: MoreauEngine | DrakeEngine,
        interrupted: Callable[[], bool],
        see: Callable[[], Array] | None = None,
    ) -> None:
        """Take what is run, the engine's name and the system that it is, and who hears Ctrl-C.

        see: tells the readings of the controller's sensors, as `readings_of` finds it.
        """
        self.ended: End | None = None
        self._file: RowsFile | None = None
        self._written = 0  # events that the file has
        self._nq = robot.plant.num_positions()
        self._dt = scenario.time_step
        self._dynamics = Dynamics(robot.model, robot.contacts)
        self.pushes, self._engine = robot.pushes, engine
        self._continuous = engine == CONTINUOUS
        sensors = scenario.sensors if see is not None else None
        readings = units_of_readings(robot.plant, sensors) if sensors is not None else NO_READINGS
        self._layout = layout_of(robot.plant, robot.contacts, readings)
        self._rows = TrajectoryBuilder(self._layout)
        self._every = scenario.record_every
        self._thinning = Thinning(self._every, self._dynamics.axes)
        # energies and works at the last row, whose efforts the step from there is to tell
        self._last: dict[str, Array] = {}
        self._done = 0  # instants that were worked out: the start, and the ends of steps
        self._falls = FallDetector(robot.plant, scenario.fallen_below, robot.model.surface)
        self._expected_fall = scenario.expected_fall
        self._quaternions = quaternion_places(robot.plant)
        self._reader = EnergyReader(robot.plant, self._falls.frames)
        self._midpoint = isinstance(system, MoreauEngine) and system.is_midpoint
        forces = joint_damping(robot.plant), self._dynamics.actuation_matrix
        self._account = EnergyAccount(self._dt, *forces, self._reader, in_middle=self._midpoint)
        self._watch = StepWatch(
            EnergyVerdict(scenario, robot, engine),
            DriftWatch(scenario, engine, self._dynamics, robot.initial_state),
            ChatterWatch(self._dynamics, self._dt),
            known=self._reader.knows_potential,
        )
        law = scenario.moreau.impact_law
        self._law = law if isinstance(law, str) else law.name
        # Drake's steps say nothing of what holds loops together: the balance of each tells it
        held = bool(robot.model.constraints) or bool(robot.model.unread)
        self._balances = held and isinstance(system, DrakeEngine) and not self._continuous
        self.log = step_log(system, self._dynamics, _BLOCK, interrupted)
        if see is not None:
            self.log.see_by(see, len(readings))
        self._settled_at, self._residual = clock.perf_counter(), 0.0
        self._asked = scenario.moreau.tolerance
        self._inexact: list[float] = []  # ends of steps with a larger residual [s]
        self._events = start_events(
            scenario, robot, engine, self._dynamics, continuous=self._continuous
        )
        self._drives = system.drives
        if system.note:
            self._events.append(Event(0.0, LEFT_OUT, system.note))

    @property
    def events(self) -> tuple[Event, ...]:
        """Events of the run so far."""
        return tuple(self._events)

    @property
    def time(self) -> float:
        """Time of the last instant that was taken [s]."""
        return max(self._done + self.log.taken - 1, 0) * self._dt

    @property
    def most_steps(self) -> int:
        """Count of steps that the engine may take before ``look`` is called."""
        return min(self.log.room - self.log.taken, self.log.most_steps)

    def begin(self, context: Context, keep: Callable[[Trajectory], RowsFile] | None) -> None:
        """Take the row of the start, as the engine's context has it.

        keep: makes a file of the start to which all rows are added as they come.
        """
        if keep is not None:
            self._file = keep(self._finished(Status.INTERRUPTED, ""))
            self._written = len(self._events)
        self.log.begin(context)
        self._settle()

    def roll(self, engine: MoreauEngine | DrakeEngine, context: Context, steps: int) -> None:
        """Let Moreau's engine make steps at once, and take them; raises what ended the last one."""
        log, row = self.log, self.log.taken
        if not isinstance(log, MoreauLog) or not isinstance(engine, MoreauEngine):
            raise TypeError(type(log))
        end, taken = row + steps, log.states[row].copy()
        done, error = engine.roll(
            context,
            log.states[row : end + 1],
            log.efforts[row : end + 1],
            log.pushing[row:end],
            log.records[row : end + 1],
        )
        log.states[row] = taken  # with quaternions of length one
        log.took(done)
        if error is not None:
            raise error

    def look(self, context: Context) -> None:
        """See to what the engine has done; now and then, the rows so far are worked out."""
        self.log.look(context)
        slow = clock.perf_counter() - self._settled_at > _PATIENCE
        if slow or self.log.unsound or self.log.taken == self.log.room:
            self._settle()

    def progress(self) -> tuple[int, float]:
        """Count the closed contacts at the last row; and the largest residual so far."""
        closed, residual = self.log.last()
        return closed, float(np.fmax(self._residual, residual))

    def change(self, context: Context, event: Event) -> None:
        """Take the efforts at the last row anew, after a change in a context; leave its event."""
        self.log.take_efforts(context)
        self._events.append(event)

    def change_potential(self, change: Callable[[], None]) -> float:
        """Carry out a change of the potential energy between two steps, and return its work [J].

        The rows so far are worked out before it. The work is counted with that of pushes: it comes
        from outside.
        """
        self._settle()
        state = self.log.states[:1]
        before = self._reader.read(state).potential[0]
        change()
        work = float(self._reader.read(state).potential[0] - before)
        self._account.give(work)
        return work

    def close(self, context: Context, *, last: bool) -> None:
        """Work out what is left of the rows when the engine's context has come to its end.

        last: to the end of the run, and not of an engine that was interrupted or failed.
        """
        if self.ended is None:
            self.log.close(context)
            self._settle(last=last)

    def _settle(self, *, last: bool = False) -> None:
        """Work out the rows that were taken, whatever signal comes, and see whether the run ends.

        last: no rows follow.
        """
        with shielded():
            if self.log.taken > 0:
                self._work_out(self.log.taken)
                self._settled_at = clock.perf_counter()
            if last and self.ended is None:
                self._close_watch()
            by = self._expected_fall
            if last and self.ended is None and by is not None and by <= self.time:
                self.ended = end_without_fall(by)

    def finish(self, status: Status, message: str) -> Trajectory:
        """Make the trajectory of the rows so far."""
        with shielded():
            self._close_watch()
            self._keep(self._thinning.rest())
            self._events += self._watch.events(message)
            if self._inexact:
                self._events.append(self._of_inexact_steps())
            if message:
                kind = FALLEN if status is Status.DONE else status.value
                self._events.append(Event(self.time, kind, message))
            if self._file is not None:
                self._file.close()
            return self._finished(status, message)

    def _finished(self, status: Status, message: str) -> Trajectory:
        attributes = {"engine": self._engine}
        if self._midpoint:
            attributes["scheme"] = MIDPOINT
        if self._every > 1:
            attributes[RECORD_EVERY] = str(self._every)
        trajectory = self._rows.finish(status, message, self._events, attributes)
        return replace(trajectory, data=with_pushes(trajectory.data, self.pushes))

    def _take(self, rows: Rows) -> None:
        """Look at rows that are complete, and add those up to what fails the run, which ends it."""
        steps = self._watch.look(rows)
        if self._watch.failure:
            self._done = round(steps.time[-1] / self._dt) + 1
            self._events = [event for event in self._events if event.time <= steps.time[-1]]
        self._fail_by_watch()
        self._keep(self._thinning.add(steps))

    def _close_watch(self) -> None:
        """Take the last row, behind which there is no step."""
        if self._last and not self._watch.failure:
            logged, efforts = self.log.contacts(0, 0), self._efforts(0, 0)
            self._take(self._rows_of(0, 1, efforts, logged, self._last))
        self._last = {}
        self._watch.close()
        self._fail_by_watch()

    def _fail_by_watch(self) -> None:
        """End the run where what watches its steps says so."""
        if self._watch.failure:
            self.ended = End(self._watch.failure, RunError(self._watch.failure))

    def _keep(self, rows: Rows | None) -> None:
        """Add rows to the trajectory."""
        if rows is not None:
            self._rows.extend(rows)
            if self._file is not None:
                new = self._events[self._written :]
                self._file.add(rows, new)
                self._written = len(self._events)

    def _work_out(self, count: int) -> None:
        """Add so many rows to the trajectory, or those before one that is no number."""
        log, begun = self.log, self._done > 0
        count = self._sound(count)
        states = log.states[1 : count + 1]
        normalise_quaternions(states, self._quaternions)  # Drake's engine lets them grow
        read = self._reader.read(states)
        first, fallen = self._falls.first_fallen(read.p_WF)
        if fallen and begun:
            count = first + 1
            self.ended = end_by_fall(self._expected_fall, self._time(count), fallen)
        if count > 0:
            first = 0 if begun else 1
            logged, efforts = log.contacts(first, count), self._efforts(first, count)
            self._note_residuals(logged.of_steps["residual"][1 - first :])
            known = self._known(count, read, efforts, logged)
            rows = self._rows_of(first, count, efforts, logged, known)
            self._last = {name: values[-1:] for name, values in known.items()}
            self._done += count
            if len(rows.time) > 0:
                self._take(rows)
        log.clear(count)

    def _known(
        self, count: int, read: Energies, efforts: Array, logged: LoggedContacts
    ) -> dict[str, Array]:
        """Energies and sums of works at so many rows that are new, and at the last one before."""
        new = {"kinetic_energy": read.kinetic[:count], "potential_energy": read.potential[:count]}
        new |= self._add_steps(new["kinetic_energy"], efforts, logged)
        if self._continuous:
            new |= zip(WORKS, self.log.works[1 : count + 1].T.copy(), strict=True)
            new["push_work"] += self._account.given
        if not self._last:
            return new
        return {name: np.concatenate((self._last[name], values)) for name, values in new.items()}

    def _rows_of(
        self,
        first: int,
        end: int,
        efforts: Array,
        logged: LoggedContacts,
        known: Mapping[str, Array],
    ) -> Rows:
        """Rows of the log, without its end, of columns that may have more rows behind them."""
        count, states = end - first, self.log.states[first:end]
        columns = {"q": states[:, : self._nq].copy(), "v": states[:, self._nq :].copy()}
        columns["actuation"] = efforts[:count]
        columns["reading"] = self.log.readings[first:end].copy()
        columns |= {name: values[:count] for name, values in known.items()}
        for name in ("residual", "iterations", "stage"):
            columns[name] = logged.of_steps[name][:count].astype(VARIABLES[name].dtype)
        entries = np.searchsorted(logged.table.row, count)
        instants = np.arange(self._done - 1 + first, self._done - 1 + end, dtype=np.float64)
        return Rows(instants * self._dt, columns, logged.table.only(slice(0, entries)))

    def _note_residuals(self, residual: Array) -> None:
        """Keep the largest residual of new rows, and the times of those that were not asked for."""
        self._residual = float(np.fmax(self._residual, np.fmax.reduce(residual)))
        if self._residual > self._asked:
            late = np.flatnonzero(residual > self._asked)
            self._inexact += ((self._done + late) * self._dt).tolist()

    def _time(self, row: int) -> float:
        """Time of a row of the log [s]."""
        return (self._done + row - 1) * self._dt

    def _sound(self, count: int) -> int:
        """Count the rows, of so many, before one that is no number, which ends the run."""
        states, efforts = self.log.states[1 : count + 1], self.log.efforts[1 : count + 1]
        sound = are_sound(states, efforts)
        if sound.all():
            return count
        row = int(np.argmin(sound))
        at = f"t = {self._time(row + 1):.4f} s"
        message = f"the state diverges at {at}: use a smaller time_step or softer gains."
        finite = np.isfinite(efforts[row])
        if not finite.all():
            name = self._layout.actuator[int(np.argmin(finite))]
            message = (
                f"the controller sends no number to actuator '{name}' at {at}: check its inputs "
                "and gains."
            )
        self.ended = End(message, RunError(message))
        return row

    def _efforts(self, first: int, last: int) -> Array:
        """Efforts that act in the steps from rows of the log on, (last + 1 - first, nu).

        They are within the limits of the actuators, and those of drives follow their joints; what
        the step from the last row will make of them is not known yet.
        """
        efforts = self.log.efforts[first : last + 1].copy()
        if self._drives is not None and last > first:
            v = self.log.states[first : last + 1, self._nq :]
            efforts[:-1] = self._drives.torques(efforts[:-1], v[:-1], v[1:])
        limits = self._dynamics.effort_limits
        return np.clip(efforts, -limits, limits, out=efforts)

    def _add_steps(
        self, kinetic: Array, efforts: Array, logged: LoggedContacts
    ) -> dict[str, Array]:
        """Add the steps to n new rows to the account, and return its sums.

        kinetic (n,): energies there; efforts: at their beginnings, and at the last row.
        """
        if not self._last:
            return self._account.begin()
        log, count, given = self.log, len(kinetic), None
        kinetic = np.concatenate((self._last["kinetic_energy"], kinetic[:-1]))
        begin, end = log.states[:count], log.states[1 : count + 1]
        if self._balances:
            given = self._reader.given(begin, end, self._dt)
        steps = Steps(begin, end, kinetic, efforts[:count], log.pushing[:count], given)
        sums = self._account.add(steps, logged)
        if self._account.first_gain is not None:
            self._note_gain(self._account.first_gain, logged)
        return sums

    def _of_inexact_steps(self) -> Event:
        """Return the event of steps that were taken with a larger residual than was asked for."""
        first = self._inexact[0]
        what = (
            f"{len(self._inexact)} of {self._done - 1} steps, first at t = {first:.4f} s, leave "
            f"more than moreau.tolerance {self._asked:g} of their contact problem: "
            f"{self._residual:.1e} at most"
        )
        return Event(first, RESIDUAL, what)

    def _note_gain(self, gain: ImpactGain, logged: LoggedContacts) -> None:
        """Leave an event where the law of impact gives energy for the first time."""
        time = self._time(gain.step + 1)
        modes = logged.table.columns["mode"][logged.table.row == gain.step + 1]
        what = (
            f"the impact of {int((modes > 0).sum())} contact(s) at t = {time:.4f} s gives "
            f"{gain.energy:.3g} J to a kinetic energy of {gain.kinetic:.3g} J, which the law "
            f"of impact {self._law} may: {_OTHER_LAWS.get(self._law, _LESS)}"
        )
        self._events.append(Event(time, ENERGY_GAIN, what))
